/* Keeps a few points of each variant. */
#include "plan.h"

#include <stdlib.h>

/* A point with what decides about it, computed once, since a shape costs more than a comparison. */
typedef struct candidate {
    const assay_case *definition;
    int               variant;
    bool              runs;
    int64_t           bytes, place;
} candidate;

static int order(int64_t a, int64_t b) { return (a > b) - (a < b); }

/* Sorts by variant; in a variant, points to keep come first. */
static int compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->definition != y->definition)
        return x->definition < y->definition ? -1 : 1;
    if (x->variant != y->variant)
        return order(x->variant, y->variant);
    if (x->runs != y->runs)
        return x->runs ? -1 : 1;
    return x->bytes != y->bytes ? order(y->bytes, x->bytes) : order(x->place, y->place);
}

static void sort_points(const assay_plan *plan, candidate *all)
{
    for (int64_t i = 0; i < plan->n; i++)
        all[i] = (candidate) { .definition = plan->points[i].definition,
                               .variant    = plan->points[i].variant,
                               .runs       = !assay_point_unsupported(&plan->points[i]),
                               .bytes      = assay_point_device_bytes(&plan->points[i]),
                               .place      = i };
    qsort(all, (size_t)plan->n, sizeof *all, compare);
}

static void mark_first(const candidate *all, int64_t n_points, int n, bool *kept)
{
    int n_before = 0; /* of the same variant */

    for (int64_t i = 0; i < n_points; i++) {
        const bool is_same = i > 0 && all[i].definition == all[i - 1].definition &&
                             all[i].variant == all[i - 1].variant;

        n_before           = is_same ? n_before + 1 : 0;
        kept[all[i].place] = n_before < n;
    }
}

assay_status assay_plan_keep_each(assay_plan *plan, int n)
{
    assay_status st   = ASSAY_OK;
    candidate   *all  = calloc((size_t)plan->n + 1, sizeof *all);
    bool        *kept = calloc((size_t)plan->n + 1, sizeof *kept);
    int64_t      left = 0;

    ASSAY_REQUIRE(all && kept, ASSAY_E_MEMORY, "no memory for %lld points", (long long)plan->n);
    sort_points(plan, all);
    mark_first(all, plan->n, n, kept);
    for (int64_t i = 0; i < plan->n; i++)
        if (kept[i])
            plan->points[left++] = plan->points[i];
    plan->n = left;
out:
    free(kept);
    free(all);
    return st;
}
