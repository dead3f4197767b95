/* Order statistics, moments and the binomial tail. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void sort(double *values, int64_t n) { qsort(values, (size_t)n, sizeof *values, by_value); }

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

/* P(X <= j - 1) <= 2.5 % for fair coins, on both sides: the j-th from either end. */
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
