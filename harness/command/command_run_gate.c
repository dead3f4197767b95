/* What the list of known failures, and a gate that times some points again, add to a run. */
#include "command_run.h"

#include <stdio.h>
#include <stdlib.h>

assay_status assay_job_read_known(run_job *job)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_known_failures_read(job->cli->known_failures, &job->known));
    if (!job->cli->run_made)
        assay_known_failures_warn(&job->known, job->cli->cases, stderr);
out:
    return st;
}

assay_status assay_job_plan(run_job *job, const assay_selection *selection)
{
    const assay_cli *cli  = job->cli;
    assay_plan      *plan = &job->plan;
    assay_status     st   = ASSAY_OK;

    if (cli->n_keys == 0)
        return assay_plan_build(cli->cases, selection, plan);
    plan->points = calloc((size_t)cli->n_keys, sizeof *plan->points);
    ASSAY_REQUIRE(plan->points, ASSAY_E_MEMORY, "no memory for %lld points",
                  (long long)cli->n_keys);
    plan->capacity = cli->n_keys;
    for (; plan->n < cli->n_keys; plan->n++) {
        ASSAY_CHECK(assay_point_parse(cli->cases, cli->keys[plan->n], &plan->points[plan->n]));
        plan->points[plan->n].seed = selection->seed;
    }
out:
    return st;
}
