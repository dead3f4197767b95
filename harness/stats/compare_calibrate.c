/* Comparisons of a case with itself: how often the rules are wrong on it, and how far its times
 * move without a change. */
#include "base/sort.h"
#include "base/text.h"
#include "compare_internal.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static const double CONTENT   = 0.99,
                    DOUBT     = 0.05; /* of the band: its share, the chance to miss it */
static const double ONE_SIDED = 0.01;

/* ---- binomial ---- */

static double binomial_term(int64_t n, int64_t k, double p)
{
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
               (double)k * log(p) + (double)(n - k) * log1p(-p));
}

static double binomial_below(int64_t n, int64_t k, double p) /* P(X <= k) */
{
    double sum = 0;

    for (int64_t i = 0; i <= k; i++)
        sum += binomial_term(n, i, p);
    return sum;
}

double assay_compare_sidedness(int64_t n_slower, int64_t n_faster)
{
    const int64_t n = n_slower + n_faster, fewer = n_slower < n_faster ? n_slower : n_faster;

    return n > 0 ? fmin(1, 2 * binomial_below(n, fewer, 0.5)) : 1;
}

/* The rate at which k or fewer of n come with a chance of 5 %. */
static double upper_rate(int64_t n, int64_t k)
{
    double low = 0, high = 1;

    if (k >= n)
        return 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        if (binomial_below(n, k, middle) > DOUBT)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- band ---- */

/* The 5 % quantile of chi squared with n degrees of freedom (Wilson and Hilferty). */
static double low_chi_squared(double n)
{
    const double z = 1.6448536269514722, c = 2 / (9 * n);

    return n * pow(1 - c - z * sqrt(c), 3);
}

/* Finds the band from sorted |e|, in logarithms. */
static double find_band(const double *sorted, int64_t n)
{
    const double  z       = 2.5758293035489004; /* 99 % lie within this many standard deviations */
    const int64_t above   = assay_stats_binomial_upper(n, CONTENT, DOUBT);
    double        squares = 0;

    if (n < ASSAY_CALIBRATE_MIN)
        return NAN;
    if (above < n) /* fewer than that many lie within the band: take order statistic above + 1 */
        return sorted[above];
    for (int64_t i = 0; i < n; i++)
        squares += sorted[i] * sorted[i];
    return fmax(sorted[n - 1], z * sqrt(squares / low_chi_squared((double)n)));
}

/* ---- the record ---- */

static void count(const assay_compared *row, assay_calibration *c)
{
    int64_t *const counts[] = {
        [ASSAY_COMPARE_SAME]        = &c->n_same,
        [ASSAY_COMPARE_FASTER]      = &c->n_faster,
        [ASSAY_COMPARE_SLOWER]      = &c->n_slower,
        [ASSAY_COMPARE_CANNOT_TELL] = &c->n_cannot_tell,
    };

    c->n++;
    (*counts[row->verdict])++;
}

/* Adds the spread of n processes. */
static void pool(int64_t n, double spread, double *squares, int64_t *df)
{
    const int64_t own = n - 2 * assay_compare_trimmed(n) - 1;

    if (own < 1)
        return;
    *squares += (double)own * spread * spread;
    *df += own;
}

static void set_rates(assay_calibration *c)
{
    const double n = (double)c->n;

    c->slower_rate      = c->n > 0 ? (double)c->n_slower / n : (double)NAN;
    c->faster_rate      = c->n > 0 ? (double)c->n_faster / n : (double)NAN;
    c->cannot_tell_rate = c->n > 0 ? (double)c->n_cannot_tell / n : (double)NAN;
    c->slower_upper     = upper_rate(c->n, c->n_slower);
}

static void explain(assay_calibration *c)
{
    if (c->n < ASSAY_CALIBRATE_MIN)
        (void)assay_text_set(c->reason, sizeof c->reason,
                             "%lld comparisons of the same build: a band needs %d", (long long)c->n,
                             ASSAY_CALIBRATE_MIN);
    else if (c->is_one_sided)
        (void)assay_text_set(
            c->reason, sizeof c->reason,
            "the second side is nearly always the %s one (p %.2g): the two are not "
            "measured alike, look at their order and at the warm-up",
            c->median_effect > 0 ? "slower" : "faster", c->sidedness);
    else
        (void)assay_text_set(c->reason, sizeof c->reason,
                             "band %.2f %% from %lld comparisons of the same build, which differed "
                             "by up to %.2f %%",
                             100 * c->band, (long long)c->n, 100 * c->largest_effect);
}

/* `effects` has signs; `sizes` has the same length. Both are sorted here. */
static void set_effects(double *effects, double *sizes, assay_calibration *c)
{
    int64_t n_up = 0, n_down = 0;

    for (int64_t i = 0; i < c->n; i++) {
        sizes[i] = fabs(effects[i]);
        n_up += effects[i] > 0;
        n_down += effects[i] < 0;
    }
    qsort(effects, (size_t)c->n, sizeof *effects, assay_compare_doubles);
    qsort(sizes, (size_t)c->n, sizeof *sizes, assay_compare_doubles);
    c->median_effect  = expm1(assay_stats_quantile(effects, c->n, 0.5));
    c->largest_effect = c->n > 0 ? expm1(sizes[c->n - 1]) : (double)NAN;
    c->band           = expm1(find_band(sizes, c->n));
    c->sidedness      = assay_compare_sidedness(n_up, n_down);
    c->is_one_sided   = c->sidedness < ONE_SIDED;
}

assay_status assay_calibrate(const assay_compared *rows, int64_t n, assay_calibration *calibration)
{
    assay_status       st      = ASSAY_OK;
    double            *effects = malloc(((size_t)n + 1) * sizeof *effects);
    double            *sizes   = malloc(((size_t)n + 1) * sizeof *sizes);
    double             squares = 0;
    assay_calibration *c       = calibration;

    ASSAY_REQUIRE(effects && sizes, ASSAY_E_MEMORY, "no memory for %lld comparisons", (long long)n);
    *c = (assay_calibration) { .n = 0 };
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(rows[i].time.log_ratio))
            continue;
        effects[c->n] = rows[i].time.log_ratio;
        count(&rows[i], c);
        pool(rows[i].time.n_a, rows[i].time.spread_a, &squares, &c->process_df);
        pool(rows[i].time.n_b, rows[i].time.spread_b, &squares, &c->process_df);
    }
    c->process_sd = c->process_df > 0 ? sqrt(squares / (double)c->process_df) : (double)NAN;
    set_rates(c);
    set_effects(effects, sizes, c);
    explain(c);
out:
    free(sizes);
    free(effects);
    return st;
}
