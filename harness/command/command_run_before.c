/* What is decided before a run begins: known failures, points named by their keys, points that fuzz
 * has found, and whether there is anything to trace. */
#include "command_run.h"

#include "cupti/cupti.h"
#include "fuzz/failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_status assay_job_read_known(run_job *job)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_known_failures_read(job->request->known_failures, &job->known));
    if (!job->request->outputs.is_part)
        assay_known_failures_warn(&job->known, job->request->cases, stderr);
out:
    return st;
}

assay_status assay_job_plan(run_job *job, const assay_selection *selection)
{
    const assay_run_request *request = job->request;
    assay_plan              *plan    = &job->plan;
    assay_status             st      = ASSAY_OK;

    if (request->n_keys == 0)
        return assay_plan_build(request->cases, selection, plan);
    plan->points = calloc((size_t)request->n_keys, sizeof *plan->points);
    ASSAY_REQUIRE(plan->points, ASSAY_E_MEMORY, "no memory for %lld points",
                  (long long)request->n_keys);
    plan->capacity = request->n_keys;
    for (; plan->n < request->n_keys; plan->n++) {
        ASSAY_CHECK(
            assay_point_parse(request->cases, request->keys[plan->n], &plan->points[plan->n]));
        plan->points[plan->n].seed = selection->seed;
    }
out:
    return st;
}

/* ---- what assay fuzz has found ---- */

static bool is_wanted(const run_job *job, const assay_point *point)
{
    const assay_selection *s  = &job->request->selection;
    bool                   is = s->n_cases == 0 && !assay_registry_is_selftest(point->definition);

    for (int i = 0; i < s->n_cases; i++)
        is = is || assay_registry_matches(point->definition, s->cases[i]);
    if (s->n_variants == 0 || !is)
        return is;
    for (int i = 0; i < s->n_variants; i++)
        if (strcmp(s->variants[i], point->definition->variants[point->variant].name) == 0)
            return true;
    return false;
}

/* A point that this program no longer has is reported and left out. */
static assay_status add_found(run_job *job, const assay_failing_point *found, int64_t *n)
{
    assay_status st = ASSAY_OK;
    assay_point  point;

    if (assay_point_parse(job->request->cases, found->key, &point) != ASSAY_OK) {
        (void)fprintf(stderr, "assay: %s: left out: %s\n", ASSAY_FAILING_FILE,
                      assay_status_message());
        assay_status_reset();
        return ASSAY_OK;
    }
    point.seed = found->seed;
    if (is_wanted(job, &point)) {
        ASSAY_CHECK(assay_plan_insert(&job->plan, &point));
        ++*n;
    }
out:
    return st;
}

static bool is_plain_check(const assay_run_request *request)
{
    return strcmp(request->verb, "check") == 0 && request->n_keys == 0 &&
           request->selection.n_points == 0 && request->selection.n_axes == 0 &&
           request->selection.tiers[ASSAY_QUICK];
}

assay_status assay_job_add_found(run_job *job)
{
    assay_status  st    = ASSAY_OK;
    assay_failing found = { .n = 0 };
    int64_t       n     = 0;

    if (!is_plain_check(job->request))
        return ASSAY_OK;
    ASSAY_CHECK(assay_failing_read(ASSAY_FAILING_FILE, &found));
    for (int64_t i = 0; i < found.n; i++)
        ASSAY_CHECK(add_found(job, &found.points[i], &n));
    if (n > 0)
        (void)fprintf(stderr, "assay: %lld point%s of %s as well\n", (long long)n,
                      n == 1 ? "" : "s", ASSAY_FAILING_FILE);
out:
    assay_failing_free(&found);
    return st;
}

/* ---- small points of one's own ---- */

static const int64_t SMALL_BYTES = 8 << 20; /* on the device, with guard zones */

static bool is_listed(const assay_point *point)
{
    const assay_case *c = point->definition;

    for (int a = 0; a < assay_case_axis_count(c); a++)
        if (!assay_value_find(c->axes[a].values, c->axes[a].n_values, &point->axis[a]))
            return false;
    return true;
}

void assay_job_widen(run_job *job)
{
    const assay_stages *s = &job->request->stages;

    for (int64_t i = 0; i < job->plan.n; i++) {
        assay_point *point = &job->plan.points[i];

        if (!s->times && !s->counts && !s->traces && point->tier == ASSAY_FULL &&
            !is_listed(point) && assay_point_device_bytes(point) <= SMALL_BYTES)
            point->tier = ASSAY_QUICK;
    }
}

/* ---- traces ---- */

bool assay_job_cannot_trace(const run_job *job)
{
    const assay_point   *point   = job->plan.points;
    const assay_variant *variant = &point->definition->variants[point->variant];
    char                 key[ASSAY_KEY_SIZE], why[1024];

    if (!job->request->stages.traces || assay_variant_is_peer(variant))
        return false;
    if (!assay_variant_is_launched(variant)) {
        (void)fprintf(stderr,
                      "assay: skipped: %s runs on the CPU and launches nothing that could be "
                      "traced; 'assay check' and 'assay bench' take it\n",
                      assay_point_key(point, key, sizeof key));
        return true;
    }
    if (assay_cupti_load(why, sizeof why))
        return false;
    (void)fprintf(stderr, "assay: skipped: there is nothing to trace with: %s\n", why);
    return true;
}
