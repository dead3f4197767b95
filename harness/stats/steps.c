/* The best cuts of a series into levels, by dynamic programming. */
#include "steps_internal.h"

#include "stats.h"
#include "theil_sen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- noise ---- */

/* `differences` is sorted. The least difference above 0 is taken as the tick. */
static double noise_of_quantised(const double *differences, int64_t n)
{
    double  sum   = 0;
    int64_t first = 0;

    while (first < n && !(differences[first] > 0))
        first++;
    for (int64_t i = first; i < n; i++) {
        const double d = fmin(differences[i], 3 * differences[first]);

        sum += d * d;
    }
    return sqrt(sum / (double)n / 2);
}

static double find_noise(const double *x, int64_t n, double *work)
{
    double median, noise;

    for (int64_t i = 0; i + 1 < n; i++)
        work[i] = fabs(x[i + 1] - x[i]);
    median = assay_theil_sen_median(work, n - 1); /* work is sorted now */
    noise  = median > 0 ? median / (0.6744897501960817 * sqrt(2)) : noise_of_quantised(work, n - 1);
    return fmax(noise, ASSAY_STEPS_LEAST_NOISE);
}

/* ---- the distance of a growing segment from its median ---- */

void assay_level_reset(assay_level *level)
{
    level->n     = 0;
    level->total = level->lower = 0;
}

/* lower: the sum of the floor(n / 2) least values. */
double assay_level_add(assay_level *level, double x)
{
    double       *v      = level->sorted;
    const int64_t before = level->n / 2, after = (level->n + 1) / 2;
    int64_t       low = 0, high = level->n;

    while (low < high) {
        const int64_t middle = (low + high) / 2;

        if (v[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(v + low + 1, v + low, (size_t)(level->n - low) * sizeof *v);
    v[low] = x;
    level->n++;
    level->total += x;
    if (low < before)
        level->lower += x - v[before];
    if (after > before)
        level->lower += v[before];
    return level->total - 2 * level->lower - (level->n % 2 ? v[level->n / 2] : 0);
}

/* ---- cuts ---- */

/* cuts[k]: first point of segment k + 1. Costs are in units of b. */
static int64_t trace_cuts(const int64_t *from, int64_t n, int64_t *cuts)
{
    int64_t k = 0;

    for (int64_t end = from[n]; end > 0; end = from[end])
        cuts[k++] = end;
    for (int64_t i = 0; i < k / 2; i++) {
        const int64_t other = cuts[i];

        cuts[i]         = cuts[k - 1 - i];
        cuts[k - 1 - i] = other;
    }
    return k;
}

/* best[j] is the least cost of the first j points, and from[j] is where their last segment
 * begins. */
static void cut(const assay_series *s, assay_level *level, double *best, int64_t *from)
{
    for (int64_t j = 1; j <= s->n; j++)
        best[j] = INFINITY;
    best[0] = -s->penalty;
    for (int64_t i = 0; i + ASSAY_STEPS_MIN_POINTS <= s->n; i++) {
        if (!isfinite(best[i]))
            continue;
        assay_level_reset(level);
        for (int64_t j = i + 1; j <= s->n; j++) {
            const double cost =
                best[i] + s->penalty + assay_level_add(level, s->x[j - 1]) / s->scale;

            if (j - i >= ASSAY_STEPS_MIN_POINTS && cost < best[j]) {
                best[j] = cost;
                from[j] = i;
            }
        }
    }
}

/* The cost of a straight line, which includes the price of one cut. */
static assay_status fit_line(const assay_series *s, double *work, double *slope, double *cost)
{
    assay_status st     = ASSAY_OK;
    double      *slopes = NULL;
    double       start;
    int64_t      n;

    ASSAY_CHECK(assay_theil_sen_slopes(s->x, s->n, &slopes, &n));
    *slope = assay_stats_quantile(slopes, n, 0.5);
    start  = assay_theil_sen_intercept(s->x, s->n, *slope, work);
    *cost  = s->penalty;
    for (int64_t i = 0; i < s->n; i++)
        *cost += fabs(s->x[i] - start - *slope * (double)i) / s->scale;
out:
    free(slopes);
    return st;
}

/* ---- all of it ---- */

static assay_status check(const double *values, int64_t n, double threshold)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(threshold >= 0 && threshold < 1, ASSAY_E_USAGE,
                  "a threshold of %g: give a relative difference from 0 to 1", threshold);
    ASSAY_REQUIRE(n >= 0 && n <= ASSAY_STEPS_MOST, ASSAY_E_USAGE,
                  "a history of %lld values: at most %d are searched for steps, give the last ones",
                  (long long)n, ASSAY_STEPS_MOST);
    for (int64_t i = 0; i < n; i++)
        ASSAY_REQUIRE(isfinite(values[i]) && values[i] > 0, ASSAY_E_USAGE,
                      "value %lld of the history is %g", (long long)i, values[i]);
out:
    return st;
}

static double find_penalty(int64_t n) { return (3 + 2 * log((double)n)) * (1 + 8 / (double)n); }

static assay_status search(assay_series *s, double threshold, assay_steps *steps)
{
    assay_status st    = ASSAY_OK;
    const size_t room  = (size_t)s->n + 1;
    assay_level  level = { .sorted = malloc(room * sizeof *level.sorted) };
    double      *work  = malloc(room * sizeof *work);
    int64_t     *from = calloc(room, sizeof *from), *cuts = calloc(room, sizeof *cuts);
    double       slope, line;
    int64_t      n_cuts;

    ASSAY_REQUIRE(level.sorted && work && from && cuts, ASSAY_E_MEMORY,
                  "no memory for a history of %lld values", (long long)s->n);
    steps->noise = find_noise(s->x, s->n, work);
    s->scale     = steps->noise * sqrt(2 / acos(-1));
    s->penalty   = find_penalty(s->n);
    cut(s, &level, work, from);
    n_cuts = trace_cuts(from, s->n, cuts);
    if (n_cuts > 0) {
        const double stairs = work[s->n];

        ASSAY_CHECK(fit_line(s, work, &slope, &line));
        steps->is_drift = line < stairs;
        if (steps->is_drift) {
            steps->drift_relative = expm1(slope * (double)(s->n - 1));
            n_cuts                = 0;
        }
    }
    ASSAY_CHECK(assay_steps_describe(s, cuts, n_cuts, threshold, &level, steps));
out:
    free(cuts);
    free(from);
    free(work);
    free(level.sorted);
    return st;
}

assay_status assay_steps_find(const double *values, int64_t n, double threshold, assay_steps *steps)
{
    assay_status st = ASSAY_OK;
    assay_series s  = { .n = n };

    *steps = (assay_steps) { .noise = NAN };
    ASSAY_CHECK(check(values, n, threshold));
    if (n < 2 * ASSAY_STEPS_MIN_POINTS)
        goto out;
    s.x = malloc((size_t)n * sizeof *s.x);
    ASSAY_REQUIRE(s.x, ASSAY_E_MEMORY, "no memory for a history of %lld values", (long long)n);
    for (int64_t i = 0; i < n; i++)
        s.x[i] = log(values[i]);
    ASSAY_CHECK(search(&s, threshold, steps));
out:
    free(s.x);
    if (st != ASSAY_OK)
        assay_steps_free(steps);
    return st;
}

void assay_steps_free(assay_steps *steps)
{
    if (!steps)
        return;
    free(steps->steps);
    *steps = (assay_steps) { .n = 0 };
}
