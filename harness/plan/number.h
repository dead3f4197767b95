/* Whole numbers as a person writes them, and ranges of them. */
#ifndef ASSAY_NUMBER_H
#define ASSAY_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads one number, and moves *text to what follows it. A number is digits, optionally followed by
 * k, M, G, T (powers of 1000), Ki, Mi, Gi, Ti (of 1024), ^ and a power, or e and a power of ten:
 * 4096, 1M, 1Mi, 2^20, 1e6. Leading zeros are not allowed: "1,000" is meant as a thousand, but
 * would be read as 1 and 0. False: it is not a number, or exceeds an int64. */
bool assay_number_read(const char **text, int64_t *number);

/* FIRST..LAST*FACTOR or FIRST..LAST+STEP: FIRST and what follows it, up to LAST. */
typedef struct assay_number_range {
    int64_t first, last, factor, step; /* factor 1 or step 0: the other one counts */
} assay_number_range;
/* False: it is not a range, is empty, or would not end (factor below 2, step below 1, 0 times a
 * factor). */
bool assay_number_range_read(const char *text, assay_number_range *range);
/* The number after this one; false: there is none. */
bool assay_number_range_next(const assay_number_range *range, int64_t *number);

#endif
