/* A few points of each variant in place of all. */
#include "plan.h"

#include <stdlib.h>

static bool is_same_variant(const assay_point *a, const assay_point *b)
{
    return a->definition == b->definition && a->variant == b->variant;
}

/* Does it go before the other? */
static bool is_before(const assay_point *a, const assay_point *b)
{
    const bool    a_runs = !assay_point_unsupported(a), b_runs = !assay_point_unsupported(b);
    const int64_t a_bytes = assay_point_device_bytes(a), b_bytes = assay_point_device_bytes(b);

    if (a_runs != b_runs)
        return a_runs;
    return a_bytes != b_bytes ? a_bytes > b_bytes : a < b;
}

static bool is_kept(const assay_plan *plan, int64_t i, int n)
{
    int n_before = 0;

    for (int64_t k = 0; k < plan->n && n_before < n; k++)
        n_before += k != i && is_same_variant(&plan->points[k], &plan->points[i]) &&
                    is_before(&plan->points[k], &plan->points[i]);
    return n_before < n;
}

assay_status assay_plan_keep_each(assay_plan *plan, int n)
{
    assay_status st   = ASSAY_OK;
    bool        *kept = calloc((size_t)plan->n + 1, sizeof *kept);
    int64_t      left = 0;

    ASSAY_REQUIRE(kept, ASSAY_E_MEMORY, "no memory for %lld points", (long long)plan->n);
    for (int64_t i = 0; i < plan->n; i++)
        kept[i] = is_kept(plan, i, n);
    for (int64_t i = 0; i < plan->n; i++)
        if (kept[i])
            plan->points[left++] = plan->points[i];
    plan->n = left;
out:
    free(kept);
    return st;
}
