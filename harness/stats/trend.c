/* Slope by Theil and Sen, test by Mann and Kendall, and how many runs are left. */
#include "trend.h"

#include "base/text.h"
#include "stats.h"
#include "theil_sen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

assay_trend_rule assay_trend_rule_default(void)
{
    return (assay_trend_rule) { .limit = 1, .alpha = 0.01, .horizon = 365 };
}

/* The last MOST finite values, in order. */
static int64_t select_finite(const double *values, int64_t n, double *selected)
{
    int64_t k = 0;

    for (int64_t i = n; i > 0 && k < ASSAY_TREND_MOST; i--)
        if (isfinite(values[i - 1]))
            selected[k++] = values[i - 1];
    for (int64_t i = 0; i < k / 2; i++) {
        const double x = selected[i];

        selected[i]         = selected[k - 1 - i];
        selected[k - 1 - i] = x;
    }
    return k;
}

/* ---- Mann and Kendall ---- */

static double find_s(const double *slopes, int64_t n)
{
    int64_t s = 0;

    for (int64_t i = 0; i < n; i++)
        s += (slopes[i] > 0) - (slopes[i] < 0);
    return (double)s;
}

static double term_of(double n) { return n * (n - 1) * (2 * n + 5); }

static double find_variance(const double *values, int64_t n, double *work)
{
    double sum = term_of((double)n);

    memcpy(work, values, (size_t)n * sizeof *work);
    (void)assay_theil_sen_median(work, n);
    for (int64_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && !(work[next] > work[i]);)
            next++;
        sum -= term_of((double)(next - i));
    }
    return sum / 18;
}

static double find_p(double s, double variance)
{
    if (!(variance > 0))
        return 1; /* all values are equal */
    return erfc((s - (s > 0) + (s < 0)) / sqrt(2 * variance)) / 2;
}

/* ---- the line ---- */

/* Sen's interval: the slopes of the ranks (N -+ 1.96 sqrt(var S)) / 2. */
static void set_slope(const double *slopes, int64_t n, double variance, assay_trend *t)
{
    const double  half = 1.9599639845400545 * sqrt(fmax(variance, 0));
    const double  low  = floor(((double)n - half) / 2) - 1;
    const double  high = ceil(((double)n + half) / 2);
    const int64_t last = n - 1;

    t->slope    = assay_stats_quantile(slopes, n, 0.5);
    t->slope_lo = slopes[low > 0 ? (int64_t)low : 0];
    t->slope_hi = slopes[high < (double)last ? (int64_t)high : last];
}

static double runs_until(double limit, double level, double slope)
{
    if (level >= limit)
        return 0;
    return slope > 0 ? (limit - level) / slope : (double)INFINITY;
}

static assay_status does_later_half_rise(const double *values, int64_t n, bool *rises)
{
    assay_status  st     = ASSAY_OK;
    double       *slopes = NULL;
    int64_t       n_slopes;
    const int64_t half = n / 2;

    ASSAY_CHECK(assay_theil_sen_slopes(values + half, n - half, &slopes, &n_slopes));
    *rises = assay_stats_quantile(slopes, n_slopes, 0.5) > 0;
out:
    free(slopes);
    return st;
}

/* ---- what is said ---- */

static void explain(const assay_trend_rule *rule, assay_trend *t)
{
    if (t->n < ASSAY_TREND_MIN)
        (void)assay_text_set(t->reason, sizeof t->reason, "%lld runs: a trend needs %d",
                             (long long)t->n, ASSAY_TREND_MIN);
    else if (t->level >= rule->limit)
        (void)assay_text_set(t->reason, sizeof t->reason, "at %.3g it has reached the limit of %g",
                             t->level, rule->limit);
    else if (t->is_told)
        (void)assay_text_set(t->reason, sizeof t->reason,
                             "at %.3g and rising by %.2g a run (p %.2g): the limit of %g in about "
                             "%.0f runs, at the earliest in %.0f",
                             t->level, t->slope, t->p, rule->limit, ceil(t->runs_left),
                             ceil(t->runs_least));
    else if (t->is_rising)
        (void)assay_text_set(t->reason, sizeof t->reason,
                             "at %.3g and rising by %.2g a run: more than %.0f runs from the limit",
                             t->level, t->slope, rule->horizon);
    else
        (void)assay_text_set(t->reason, sizeof t->reason, "at %.3g and not rising (p %.2g)",
                             t->level, t->p);
}

static assay_status fit(const double *values, const assay_trend_rule *rule, double *work,
                        assay_trend *t)
{
    assay_status st     = ASSAY_OK;
    double      *slopes = NULL;
    double       variance;
    int64_t      n_slopes;
    bool         rises = false;

    ASSAY_CHECK(assay_theil_sen_slopes(values, t->n, &slopes, &n_slopes));
    variance = find_variance(values, t->n, work);
    set_slope(slopes, n_slopes, variance, t);
    t->p = find_p(find_s(slopes, n_slopes), variance);
    t->level =
        assay_theil_sen_intercept(values, t->n, t->slope, work) + t->slope * (double)(t->n - 1);
    ASSAY_CHECK(does_later_half_rise(values, t->n, &rises));
    t->is_rising  = rises && t->slope > 0 && t->p <= rule->alpha;
    t->runs_left  = runs_until(rule->limit, t->level, t->slope);
    t->runs_least = runs_until(rule->limit, t->level, t->slope_hi);
    t->is_told    = t->is_rising && t->level < rule->limit &&
                 (!(rule->horizon > 0) || t->runs_left <= rule->horizon);
out:
    free(slopes);
    return st;
}

assay_status assay_trend_find(const double *values, int64_t n, const assay_trend_rule *rule,
                              assay_trend *trend)
{
    assay_status st       = ASSAY_OK;
    double      *selected = NULL, *work = NULL;

    *trend = (assay_trend) { .slope      = NAN,
                             .slope_lo   = NAN,
                             .slope_hi   = NAN,
                             .level      = NAN,
                             .p          = NAN,
                             .runs_left  = INFINITY,
                             .runs_least = INFINITY };
    ASSAY_REQUIRE(rule->alpha > 0 && rule->alpha < 1 && isfinite(rule->limit) && rule->horizon >= 0,
                  ASSAY_E_USAGE, "a trend to %g with alpha %g and a horizon of %g runs",
                  rule->limit, rule->alpha, rule->horizon);
    selected = malloc(ASSAY_TREND_MOST * sizeof *selected);
    work     = malloc(ASSAY_TREND_MOST * sizeof *work);
    ASSAY_REQUIRE(selected && work, ASSAY_E_MEMORY, "no memory for a trend");
    trend->n = select_finite(values, n, selected);
    if (trend->n >= ASSAY_TREND_MIN)
        ASSAY_CHECK(fit(selected, rule, work, trend));
    explain(rule, trend);
out:
    free(work);
    free(selected);
    return st;
}
