/* Pure functions on samples. Quantiles by linear interpolation between order statistics (type 7).
 */
#ifndef ASSAY_STATS_H
#define ASSAY_STATS_H

#include "status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_summary {
    int64_t n;
    double  min, p05, q1, median, q3, p95, max, mean, stdev, mad;
    /* Distribution-free 95 % interval of the median (order statistics); NaN below 6 samples, where
     * none exists. */
    double median_lo, median_hi;
} assay_summary;

/* Summary of n samples in any order (not changed). n = 0: all NaN. stdev is that of a sample (over
 * n - 1; NaN for n = 1), mad the unscaled median of |x - median|. A sample that is not finite is
 * ASSAY_E_INTERNAL: it would have no place in the order. */
assay_status assay_stats_summarize(const double *samples, int64_t n, assay_summary *summary);

/* The middle of n samples in any order (not changed). The median; but where more than a tenth of
 * the samples lies within `step` of it (a clock that ticks), the mean of the middle half, which
 * moves with the share of each tick instead of jumping from one to the next. n = 0: NaN. Fails as
 * summarize. */
assay_status assay_stats_middle(const double *samples, int64_t n, double step, double *middle);

/* 95 % interval of the median of samples that are independent: by order statistics ("ranks") or,
 * where the ticks of a clock make those too narrow, around `middle` by the quartiles of a normal
 * distribution ("quartiles"). Below 6 samples NaN and "". */
const char *assay_stats_median_interval(const assay_summary *summary, double middle, double *lo,
                                        double *hi);

/* Correlation of each sample with the next one, in the order given; NaN below 3 samples, or where
 * all are alike. */
double assay_stats_lag1(const double *samples, int64_t n);

/* What the straight line through the samples, in the order given, rises by from the first to the
 * last (least squares); NaN below 2. */
double assay_stats_drift(const double *samples, int64_t n);

/* Quantile p in [0, 1] of samples sorted ascending; NaN for n = 0. */
double assay_stats_quantile(const double *sorted, int64_t n, double p);

/* The largest k with P(X >= k) > alpha, X the number of hits in n trials of probability p each. */
int64_t assay_stats_binomial_upper(int64_t n, double p, double alpha);

/* The 97.5 % quantile of Student's t with df degrees of freedom: half the width of a 95 % interval
 * in standard errors. NaN below 1. Within 1e-6. */
double assay_stats_t975(int64_t df);

#ifdef __cplusplus
}
#endif
#endif
