/* Describes each cut: levels, size, where it may lie, how strong its evidence is. */
#include "steps_internal.h"

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RANGE = 3; /* in ln of the likelihood: moving a cut may cost less than this */

typedef struct place {
    int64_t begin, cut, end; /* the segments on both sides of a cut */
} place;

static place place_of(const assay_series *s, const int64_t *cuts, int64_t n_cuts, int64_t k)
{
    return (place) { k > 0 ? cuts[k - 1] : 0, cuts[k], k + 1 < n_cuts ? cuts[k + 1] : s->n };
}

static double median_of(const assay_series *s, int64_t begin, int64_t end, assay_level *level)
{
    assay_level_reset(level);
    for (int64_t i = begin; i < end; i++)
        (void)assay_level_add(level, s->x[i]);
    return assay_stats_quantile(level->sorted, level->n, 0.5);
}

static double size_of(const assay_series *s, place p, assay_level *level)
{
    const double before = median_of(s, p.begin, p.cut, level);

    return median_of(s, p.cut, p.end, level) - before;
}

/* costs[i - begin]: of both sides together if the cut were at i; at i = begin, of one segment. */
static void cost_of_cuts(const assay_series *s, place p, assay_level *level, double *costs)
{
    assay_level_reset(level);
    for (int64_t i = p.begin; i < p.end; i++)
        costs[i + 1 - p.begin] = assay_level_add(level, s->x[i]) / s->scale;
    costs[0] = costs[p.end - p.begin];
    assay_level_reset(level);
    for (int64_t i = p.end - 1; i > p.begin; i--)
        costs[i - p.begin] += assay_level_add(level, s->x[i]) / s->scale;
}

static void locate(const assay_series *s, place p, const double *costs, assay_step *step)
{
    const double  least = costs[p.cut - p.begin];
    const int64_t first = p.begin + ASSAY_STEPS_MIN_POINTS, last = p.end - ASSAY_STEPS_MIN_POINTS;

    step->earliest = step->latest = p.cut;
    while (step->earliest > first && costs[step->earliest - 1 - p.begin] - least < RANGE)
        step->earliest--;
    while (step->latest < last && costs[step->latest + 1 - p.begin] - least < RANGE)
        step->latest++;
    step->evidence = (costs[0] - least) / s->penalty;
}

/* 1.2533 sigma / sqrt(n): the standard error of a median of normal values. */
static void set_size(const assay_series *s, place p, assay_level *level, assay_step *step)
{
    const double before = median_of(s, p.begin, p.cut, level);
    const double after  = median_of(s, p.cut, p.end, level);
    const double sigma  = s->scale * sqrt(acos(-1) / 2);
    double       half;

    step->index    = p.cut;
    step->n_before = p.cut - p.begin;
    step->n_after  = p.end - p.cut;
    half           = 1.9599639845400545 * 1.2533141373155003 * sigma *
           sqrt(1 / (double)step->n_before + 1 / (double)step->n_after);
    step->before   = exp(before);
    step->after    = exp(after);
    step->relative = expm1(after - before);
    step->lo       = expm1(after - before - half);
    step->hi       = expm1(after - before + half);
}

/* Returns how many cuts are left. */
static int64_t drop_small(const assay_series *s, int64_t *cuts, int64_t n_cuts, double threshold,
                          assay_level *level)
{
    while (n_cuts > 0) {
        double  least = INFINITY;
        int64_t which = 0;

        for (int64_t k = 0; k < n_cuts; k++) {
            const double size = fabs(size_of(s, place_of(s, cuts, n_cuts, k), level));

            if (size < least) {
                least = size;
                which = k;
            }
        }
        if (least >= log1p(threshold))
            break;
        n_cuts--;
        memmove(cuts + which, cuts + which + 1, (size_t)(n_cuts - which) * sizeof *cuts);
    }
    return n_cuts;
}

assay_status assay_steps_describe(const assay_series *s, int64_t *cuts, int64_t n_cuts,
                                  double threshold, assay_level *level, assay_steps *steps)
{
    assay_status st    = ASSAY_OK;
    double      *costs = malloc(((size_t)s->n + 1) * sizeof *costs);

    ASSAY_REQUIRE(costs, ASSAY_E_MEMORY, "no memory for a history of %lld values", (long long)s->n);
    n_cuts       = drop_small(s, cuts, n_cuts, threshold, level);
    steps->steps = calloc((size_t)n_cuts + 1, sizeof *steps->steps);
    ASSAY_REQUIRE(steps->steps, ASSAY_E_MEMORY, "no memory for %lld steps", (long long)n_cuts);
    steps->n = n_cuts;
    for (int64_t k = 0; k < n_cuts; k++) {
        const place p = place_of(s, cuts, n_cuts, k);

        set_size(s, p, level, &steps->steps[k]);
        cost_of_cuts(s, p, level, costs);
        locate(s, p, costs, &steps->steps[k]);
    }
out:
    free(costs);
    return st;
}
