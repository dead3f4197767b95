/* The robust straight line of steps and trend. */
#ifndef ASSAY_THEIL_SEN_H
#define ASSAY_THEIL_SEN_H

#include "status.h"

#include <stdint.h>

/* All n (n - 1) / 2 slopes of n >= 2 values at places 0, 1, 2, ..., ascending. Caller frees. */
assay_status assay_theil_sen_slopes(const double *values, int64_t n, double **slopes,
                                    int64_t *n_slopes);

/* Median of n values, which come back sorted; NaN for n = 0. */
double assay_theil_sen_median(double *values, int64_t n);

/* Median of values[i] - slope * i, in `work` of n. */
double assay_theil_sen_intercept(const double *values, int64_t n, double slope, double *work);

#endif
