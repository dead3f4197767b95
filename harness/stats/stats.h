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

/* Summarises n samples in any order, which are not changed. n = 0: all NaN. stdev divides by n - 1
 * (NaN for n = 1); mad is the unscaled median of |x - median|. ASSAY_E_INTERNAL if a sample is not
 * finite, since it cannot be sorted. */
assay_status assay_stats_summarize(const double *samples, int64_t n, assay_summary *summary);

/* Gives the middle of n samples in any order, which are not changed. It is the median. If more than
 * a tenth of the samples is within `step` of it (a clock with coarse ticks), it is the mean of the
 * middle half, which moves with the share of each tick instead of jumping from one to the next. n =
 * 0: NaN. Errors as of summarize. */
assay_status assay_stats_middle(const double *samples, int64_t n, double step, double *middle);

/* Gives a 95 % interval of the median of independent samples: by order statistics ("ranks") or, if
 * the ticks of a clock make those too narrow, around `middle` by the quartiles of a normal
 * distribution ("quartiles"). Below 6 samples NaN and "". */
const char *assay_stats_median_interval(const assay_summary *summary, double middle, double *lo,
                                        double *hi);

/* Returns the correlation of each sample with the next one, in the order given; NaN below 3
 * samples, or if all are equal. */
double assay_stats_lag1(const double *samples, int64_t n);

/* Returns by how much the straight line through the samples (least squares, in the order given)
 * rises from the first to the last; NaN below 2. */
double assay_stats_drift(const double *samples, int64_t n);

/* Returns the quantile p in [0, 1] of samples sorted ascending; NaN for n = 0. */
double assay_stats_quantile(const double *sorted, int64_t n, double p);

/* Returns the largest k with P(X >= k) > alpha, where X is the number of hits in n trials of
 * probability p each. */
int64_t assay_stats_binomial_upper(int64_t n, double p, double alpha);

/* Returns the 97.5 % quantile of Student's t with df degrees of freedom: half the width of a 95 %
 * interval in standard errors. NaN below 1. Accurate to 1e-6. */
double assay_stats_t975(int64_t df);

#ifdef __cplusplus
}
#endif
#endif
