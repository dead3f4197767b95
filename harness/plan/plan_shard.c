/* Divides a plan among several runs. Only the plan decides, so every machine divides it alike. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* Points that are compared with one another: all variants at the same axis values. */
typedef struct group {
    int64_t first, n; /* in the plan */
    double  cost;
    char   *key; /* owned; of its first point */
    int     owner;
} group;

/* The cost of a point besides its size (a process, inputs, time of sampling), as the bytes that a
 * large point moves in that time. */
static const double fixed_cost = 16 * 1024 * 1024;

static double cost_of(const assay_point *point)
{
    assay_shape shape;

    assay_point_shape(point, point->definition->timed_input, &shape);
    return fixed_cost + (double)shape.bytes_read + (double)shape.bytes_written;
}

static assay_status begin_group(const assay_plan *plan, int64_t first, group *g)
{
    char key[ASSAY_KEY_SIZE];

    *g     = (group) { .first = first };
    g->key = strdup(assay_point_key(&plan->points[first], key, sizeof key));
    return g->key ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "no memory to split a plan");
}

/* The points of a group lie together. */
static assay_status find_groups(const assay_plan *plan, group *groups, int64_t *n)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < plan->n; i++) {
        if (i == 0 || !assay_point_is_beside(&plan->points[i - 1], &plan->points[i]))
            ASSAY_CHECK(begin_group(plan, i, &groups[(*n)++]));
        groups[*n - 1].n++;
        groups[*n - 1].cost += cost_of(&plan->points[i]);
    }
out:
    return st;
}

/* The most expensive first; among equals by name, so that the order of options does not matter. */
static int by_cost(const void *a, const void *b)
{
    const group *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return strcmp(x->key, y->key);
}

static int by_place(const void *a, const void *b)
{
    const group *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Gives each group to the shard with the least work so far. */
static void deal(group *groups, int64_t n, double *load, int count)
{
    for (int64_t g = 0; g < n; g++) {
        int least = 0;

        for (int s = 1; s < count; s++)
            if (load[s] < load[least])
                least = s;
        groups[g].owner = least + 1;
        load[least] += groups[g].cost;
    }
}

static void keep(assay_plan *plan, const group *groups, int64_t n, int owner)
{
    int64_t kept = 0;

    for (int64_t g = 0; g < n; g++) {
        if (groups[g].owner != owner)
            continue;
        memmove(&plan->points[kept], &plan->points[groups[g].first],
                (size_t)groups[g].n * sizeof *plan->points);
        kept += groups[g].n;
    }
    plan->n = kept;
}

assay_status assay_plan_shard(assay_plan *plan, const assay_shard *shard)
{
    assay_status st     = ASSAY_OK;
    int64_t      n      = 0;
    group       *groups = NULL;
    double      *load   = NULL;

    if (shard->count == 0)
        goto out;
    ASSAY_REQUIRE(shard->index >= 1 && shard->index <= shard->count, ASSAY_E_USAGE,
                  "there is no shard %d of %d", shard->index, shard->count);
    groups = calloc((size_t)plan->n + 1, sizeof *groups);
    load   = calloc((size_t)shard->count, sizeof *load);
    ASSAY_REQUIRE(groups && load, ASSAY_E_MEMORY, "no memory to split a plan");
    ASSAY_CHECK(find_groups(plan, groups, &n));
    qsort(groups, (size_t)n, sizeof *groups, by_cost);
    deal(groups, n, load, shard->count);
    qsort(groups, (size_t)n, sizeof *groups, by_place);
    keep(plan, groups, n, shard->index);
out:
    for (int64_t g = 0; groups && g < n; g++)
        free(groups[g].key);
    free(groups);
    free(load);
    return st;
}
