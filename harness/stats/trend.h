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
    ASSAY_TREND_MIN  = 8,    /* points; with fewer the normal approximation to S is no good */
    ASSAY_TREND_MOST = 2000, /* the last so many are looked at */
    ASSAY_TREND_TEXT = 200,
};

typedef struct assay_trend_rule {
    double limit;   /* 1 for error over bound */
    double alpha;   /* of p */
    double horizon; /* runs: what would take longer is not told; 0: told however long */
} assay_trend_rule;

/* Limit 1, alpha 0.01, horizon 365 runs: a year of nights. */
assay_trend_rule assay_trend_rule_default(void);

typedef struct assay_trend {
    int64_t n;                         /* finite values looked at */
    double  slope, slope_lo, slope_hi; /* a run */
    double  level;
    double  p;
    double  runs_left, runs_least; /* until the limit, at the slope and at its upper end; infinity
                                      where it does not rise, 0 where it is there */
    bool is_rising; /* p <= alpha, and the later half rises, too: not one step in the past */
    bool is_told;   /* rising, below the limit, within the horizon */
    char reason[ASSAY_TREND_TEXT]; /* a sentence, never empty */
} assay_trend;

/* Values that are not finite are left out (an infinite ratio has failed already). ASSAY_E_USAGE:
 * alpha not in (0, 1), a limit that is not finite, a horizon below 0. ASSAY_E_MEMORY. */
assay_status assay_trend_find(const double *values, int64_t n, const assay_trend_rule *rule,
                              assay_trend *trend);

#ifdef __cplusplus
}
#endif
#endif
