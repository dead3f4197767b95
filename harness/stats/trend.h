/* Does a figure that must stay below a limit creep up on it? For the worst error over bound of a
 * case, run by run: it is told before the check fails. A pure function of an array.
 *
 *   slope  = median of (x_j - x_i) / (j - i) over all pairs (Theil 1950, Sen 1968), with Sen's
 *            95 % interval from the variance of S
 *   S      = number of rising pairs minus number of falling ones (Mann 1945, Kendall 1975);
 *            var S = (n (n-1) (2n+5) - sum over ties of t (t-1) (2t+5)) / 18
 *   p      = P(Z >= (S - 1) / sqrt(var S)), one-sided: rising
 *   level  = median of x_i + slope * (n - 1 - i): the line at the last run
 *
 * Runs are taken as equally far apart and independent. */
#ifndef ASSAY_TREND_H
#define ASSAY_TREND_H

#include "status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_TREND_MIN  = 8,    /* points; with fewer, the normal approximation of S is too bad */
    ASSAY_TREND_MOST = 2000, /* of longer series, only the last points are used */
    ASSAY_TREND_TEXT = 200,
};

typedef struct assay_trend_rule {
    double limit;   /* 1 for error / bound */
    double alpha;   /* of p */
    double horizon; /* runs: a trend that takes longer is not reported; 0: always reported */
} assay_trend_rule;

/* Limit 1, alpha 0.01, horizon 365 runs: a year of nights. */
assay_trend_rule assay_trend_rule_default(void);

typedef struct assay_trend {
    int64_t n;                         /* finite values that were used */
    double  slope, slope_lo, slope_hi; /* per run */
    double  level;
    double  p;
    double  runs_left, runs_least; /* runs until the limit, at the slope and at its upper end;
                                      infinity if it does not rise, 0 if it has been reached */
    bool
        is_rising; /* p <= alpha, and the later half rises too, so it is not one step in the past */
    bool is_told;  /* rising, below the limit, and within the horizon */
    char reason[ASSAY_TREND_TEXT]; /* a sentence, never empty */
} assay_trend;

/* Values that are not finite are left out (an infinite ratio has failed already). ASSAY_E_USAGE:
 * alpha outside (0, 1), a limit that is not finite, a horizon below 0. ASSAY_E_MEMORY. */
assay_status assay_trend_find(const double *values, int64_t n, const assay_trend_rule *rule,
                              assay_trend *trend);

#ifdef __cplusplus
}
#endif
#endif
