/* The points that `assay fuzz` has found to fail, in a text file: `assay check` runs them again.
 *
 *     # point                                   seed
 *     rmsnorm/registers/type=f16/pass=.../size  123456
 */
#ifndef ASSAY_FAILING_H
#define ASSAY_FAILING_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>

#define ASSAY_FAILING_FILE "fuzz_found.txt" /* in the current folder */

typedef struct assay_failing_point {
    char    *key; /* owned */
    uint64_t seed;
} assay_failing_point;

typedef struct assay_failing {
    assay_failing_point *points; /* owned */
    int64_t              n;
} assay_failing;

/* Reads the file; an empty list if there is none. ASSAY_E_USAGE, with file and line, for a line
 * that is not a point, a comment or empty. The caller frees. */
assay_status assay_failing_read(const char *path, assay_failing *found);
/* Adds a line at the end of the file, which is made if it does not exist. */
assay_status assay_failing_add(const char *path, const char *key, uint64_t seed);
void         assay_failing_free(assay_failing *found); /* accepts NULL; zeroes */

#endif
