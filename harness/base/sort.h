/* Orders for qsort and bsearch. */
#ifndef ASSAY_SORT_H
#define ASSAY_SORT_H

#include <stdint.h>

/* -1, 0 or 1. */
static inline int assay_order_int64(int64_t a, int64_t b) { return (a > b) - (a < b); }
/* NaN follows all numbers and infinity. NaNs are equal to each other, and -0 equals 0. */
static inline int assay_order_double(double a, double b)
{
    const int nan = (a != a) - (b != b);

    return nan != 0 ? nan : (a > b) - (a < b);
}

/* Compare elements of an array: numbers (of an array of rows, the first number), and pointers to
 * strings, by bytes. */
int assay_compare_int64s(const void *a, const void *b);
int assay_compare_doubles(const void *a, const void *b);
int assay_compare_texts(const void *a, const void *b);

#endif
