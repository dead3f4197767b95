/* Order statistics, moments and the binomial tail. */
#include "stats.h"

#include "base/sort.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void sort(double *values, int64_t n)
{
    qsort(values, (size_t)n, sizeof *values, assay_compare_doubles);
}

double assay_stats_quantile(const double *sorted, int64_t n, double p)
{
    const double place = p * (double)(n - 1);
    int64_t      below;

    if (n <= 0 || !(p >= 0 && p <= 1))
        return NAN;
    below = (int64_t)floor(place);
    if (below >= n - 1)
        return sorted[n - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double log_binomial(int64_t n, int64_t k, double p)
{
    const double hits   = (double)k;
    const double misses = (double)(n - k);

    return lgamma((double)n + 1) - lgamma(hits + 1) - lgamma(misses + 1) + hits * log(p) +
           misses * log1p(-p);
}

/* A count so high that P(X >= k) < e^-120 by Bernstein's inequality. */
static int64_t start_of_tail(int64_t n, double p)
{
    const double mean = (double)n * p;
    const double L    = 120;
    const double most = ceil(mean + L / 3 + sqrt(L * L / 9 + 2 * mean * (1 - p) * L));

    return most < (double)n ? (int64_t)most : n;
}

int64_t assay_stats_binomial_upper(int64_t n, double p, double alpha)
{
    double  tail = 0;
    double  log_term;
    int64_t k;

    if (n <= 0 || !(p > 0))
        return 0;
    if (p >= 1)
        return n;
    k        = start_of_tail(n, p);
    log_term = log_binomial(n, k, p);
    for (; k > 0; k--) {
        tail += exp(log_term);
        if (tail > alpha)
            return k;
        log_term += log((double)k / (double)(n - k + 1)) + log1p(-p) - log(p);
    }
    return 0;
}

static void moments(const double *x, int64_t n, assay_summary *s)
{
    double sum_squares = 0;

    s->mean = 0;
    for (int64_t i = 0; i < n; i++) {
        const double delta = x[i] - s->mean;

        s->mean += delta / (double)(i + 1);
        sum_squares += delta * (x[i] - s->mean);
    }
    s->stdev = n > 1 ? sqrt(sum_squares / (double)(n - 1)) : (double)NAN;
}

/* The order statistics j from either end with P(X <= j - 1) <= 2.5 % for a fair coin, on each
 * side. */
static void median_interval(const double *sorted, int64_t n, assay_summary *s)
{
    const int64_t j = n - assay_stats_binomial_upper(n, 0.5, 0.025);

    if (j < 1)
        return;
    s->median_lo = sorted[j - 1];
    s->median_hi = sorted[n - j];
}

static void order_statistics(const double *sorted, int64_t n, assay_summary *s)
{
    const struct {
        double *to, p;
    } quantiles[] = {
        { &s->min, 0 },   { &s->p05, 0.05 }, { &s->q1, 0.25 }, { &s->median, 0.5 },
        { &s->q3, 0.75 }, { &s->p95, 0.95 }, { &s->max, 1 },
    };

    for (size_t q = 0; q < sizeof quantiles / sizeof *quantiles; q++)
        *quantiles[q].to = assay_stats_quantile(sorted, n, quantiles[q].p);
}

assay_status assay_stats_summarize(const double *samples, int64_t n, assay_summary *summary)
{
    assay_status  st   = ASSAY_OK;
    double       *work = NULL;
    assay_summary s    = { n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };

    ASSAY_REQUIRE(n >= 0, ASSAY_E_INTERNAL, "%lld samples", (long long)n);
    for (int64_t i = 0; i < n; i++)
        ASSAY_REQUIRE(isfinite(samples[i]), ASSAY_E_INTERNAL, "sample %lld of %lld is %g",
                      (long long)i, (long long)n, samples[i]);
    if (n > 0) {
        work = malloc((size_t)n * sizeof *work);
        ASSAY_REQUIRE(work, ASSAY_E_MEMORY, "no memory for %lld samples", (long long)n);
        memcpy(work, samples, (size_t)n * sizeof *work);
        moments(work, n, &s);
        sort(work, n);
        order_statistics(work, n, &s);
        median_interval(work, n, &s);
        for (int64_t i = 0; i < n; i++)
            work[i] = fabs(work[i] - s.median);
        sort(work, n);
        s.mad = assay_stats_quantile(work, n, 0.5);
    }
    *summary = s;
out:
    free(work);
    return st;
}

/* ---- the middle of samples that a clock has rounded ---- */

enum {
    LEAST_FOR_HALF = 8 /* fewest samples that have a middle half */
};

static bool is_rounded(const double *sorted, int64_t n, double step)
{
    const double median = assay_stats_quantile(sorted, n, 0.5);
    int64_t      close  = 0;

    for (int64_t i = 0; i < n; i++)
        close += fabs(sorted[i] - median) <= step;
    return n >= LEAST_FOR_HALF && close * 10 > n;
}

static double mean_of_middle_half(const double *sorted, int64_t n)
{
    const int64_t first = n / 4, end = n - n / 4;
    double        sum = 0;

    for (int64_t i = first; i < end; i++)
        sum += sorted[i] - sorted[first];
    return sorted[first] + sum / (double)(end - first);
}

assay_status assay_stats_middle(const double *samples, int64_t n, double step, double *middle)
{
    assay_status st     = ASSAY_OK;
    double      *sorted = malloc((n > 0 ? (size_t)n : 1) * sizeof *sorted);

    *middle = NAN;
    ASSAY_REQUIRE(n >= 0, ASSAY_E_INTERNAL, "%lld samples", (long long)n);
    ASSAY_REQUIRE(sorted, ASSAY_E_MEMORY, "no memory for %lld samples", (long long)n);
    for (int64_t i = 0; i < n; i++)
        ASSAY_REQUIRE(isfinite(samples[i]), ASSAY_E_INTERNAL, "sample %lld of %lld is %g",
                      (long long)i, (long long)n, samples[i]);
    if (n <= 0)
        goto out;
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    sort(sorted, n);
    *middle = is_rounded(sorted, n, step) ? mean_of_middle_half(sorted, n)
                                          : assay_stats_quantile(sorted, n, 0.5);
out:
    free(sorted);
    return st;
}

/* ---- Student's t ---- */

/* P(T <= t) for t >= 0: the finite sums in the angle atan(t / sqrt(df)) (Abramowitz and Stegun,
 * 26.7.3 and 26.7.4). */
static double t_distribution(double t, int64_t df)
{
    const double angle = atan(t / sqrt((double)df)), c = cos(angle), s = sin(angle);
    const bool   is_odd = df % 2 != 0;
    double       term = is_odd ? c : 1, sum = df == 1 ? 0 : term;

    for (int64_t k = is_odd ? 3 : 2; k < df; k += 2) {
        term *= c * c * (double)(k - 1) / (double)k;
        sum += term;
    }
    return is_odd ? 0.5 + (angle + s * sum) / 3.14159265358979323846 : 0.5 + s * sum / 2;
}

double assay_stats_t975(int64_t df)
{
    double lo = 1.9, hi = 13;

    if (df < 1)
        return NAN;
    if (df > 10000)
        df = 10000; /* normal by then, to four digits */
    for (int i = 0; i < 60; i++) {
        const double mid = (lo + hi) / 2;

        if (t_distribution(mid, df) < 0.975)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

/* ---- order in time ---- */

static double mean_of(const double *x, int64_t n)
{
    double mean = 0;

    for (int64_t i = 0; i < n; i++)
        mean += (x[i] - mean) / (double)(i + 1);
    return mean;
}

double assay_stats_lag1(const double *samples, int64_t n)
{
    const double mean     = mean_of(samples, n);
    double       together = 0, squares = 0;

    if (n < 3)
        return NAN;
    for (int64_t i = 0; i < n; i++) {
        const double d = samples[i] - mean;

        squares += d * d;
        together += i + 1 < n ? d * (samples[i + 1] - mean) : 0;
    }
    return squares > 0 ? together / squares : (double)NAN;
}

double assay_stats_drift(const double *samples, int64_t n)
{
    const double mean     = mean_of(samples, n);
    const double center   = (double)(n - 1) / 2;
    double       together = 0, squares = 0;

    if (n < 2)
        return NAN;
    for (int64_t i = 0; i < n; i++) {
        const double place = (double)i - center;

        together += place * (samples[i] - mean);
        squares += place * place;
    }
    return together / squares * (double)(n - 1);
}

const char *assay_stats_median_interval(const assay_summary *summary, double middle, double *lo,
                                        double *hi)
{
    const assay_summary *s = summary;
    /* Quartiles of a normal distribution are 1.349 standard deviations apart; a median is 1.253
     * times as uncertain as a mean. */
    const double half = 1.96 * 1.253 * (s->q3 - s->q1) / 1.349 / sqrt((double)s->n);

    *lo = s->median_lo;
    *hi = s->median_hi;
    if (isnan(s->median_lo))
        return "";
    if ((s->median_hi - s->median_lo) / 2 >= half)
        return "ranks";
    *lo = middle - half;
    *hi = middle + half;
    return "quartiles";
}
