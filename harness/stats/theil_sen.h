/* The robust straight line that steps and trend use. */
#ifndef ASSAY_THEIL_SEN_H
#define ASSAY_THEIL_SEN_H

#include "status.h"

#include <stdint.h>

/* Gives all n (n - 1) / 2 slopes of n >= 2 values at positions 0, 1, 2, ..., ascending. The caller
 * frees. */
assay_status assay_theil_sen_slopes(const double *values, int64_t n, double **slopes,
                                    int64_t *n_slopes);

/* Returns the median of n values, which are sorted in place; NaN for n = 0. */
double assay_theil_sen_median(double *values, int64_t n);

/* Returns the median of values[i] - slope * i; `work` has n elements. */
double assay_theil_sen_intercept(const double *values, int64_t n, double slope, double *work);

#endif
