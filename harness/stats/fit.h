/* How a time grows with a size: t = a x^b + c, with intervals, and the slope in a log-log plot.
 * Pure functions. */
#ifndef ASSAY_FIT_H
#define ASSAY_FIT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_FIT_FEWEST = 4, /* different sizes that a curve needs: one more than it has parameters */
    ASSAY_SLOPE_FEWEST = 3
};

/* With its 95 % interval. */
typedef struct assay_fit_number {
    double value, lo, hi;
} assay_fit_number;

/* t = a x^b + c with a, b, c >= 0. */
typedef struct assay_fit {
    bool             is_known; /* false: all numbers are NaN, and `why` says why */
    assay_fit_number a, b, c;
    double           scatter; /* standard deviation of the relative errors */
    const char      *why;
} assay_fit;

/* Fits the curve with the smallest sum of squared relative errors ((t - curve) / t)^2. An interval
 * holds each value with which the other two parameters still fit so well that the sum exceeds the
 * smallest one by at most F(1, n - 3; 95 %) times the variance. This is a profile likelihood, so
 * the interval may be asymmetric, and it ends at 0. What the curve does not follow counts as
 * scatter. Not known: fewer than 4 different sizes, a constant that fits as well, an exponent
 * without an upper limit below 8, or a number that is not above 0. */
assay_fit assay_fit_curve(const double *x, const double *t, int64_t n);

/* Returns the exponent of t = a x^b, by least squares on the logarithms, and its standard error.
 * Both are NaN with fewer than 3 different sizes, or with a number that is not above 0. */
double assay_fit_slope(const double *x, const double *t, int64_t n, double *error);

#ifdef __cplusplus
}
#endif
#endif
