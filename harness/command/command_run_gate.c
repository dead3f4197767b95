/* What the list of known failures, and points that are named by their keys, add to a run. */
#include "command_run.h"

#include <stdio.h>
#include <stdlib.h>

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
