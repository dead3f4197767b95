/* A run whose plan is stored, new or resumed: supervised, its exit status, what a person sees of
 * it. */
#include "command_run.h"

#include "base/lock.h"
#include "bench_report.h"
#include "process/guard.h"
#include "report/report.h"
#include "supervise/supervise.h"
#include "supervise/tally.h"

#include <stdio.h>
#include <string.h>

static assay_status take_lock(run_job *job)
{
    bool is_timing = false;

    for (int64_t i = 0; i < job->plan.n; i++)
        is_timing |= job->plan.points[i].is_timed;
    job->lock_fd = -1;
    if (!is_timing || !job->target.info.can_time)
        return ASSAY_OK;
    return assay_lock_take(job->target.info.uuid, &job->lock_fd);
}

static void say_if_nothing_was_checked(const assay_tally *tally)
{
    if (tally->n_reference > 0 &&
        tally->n_passed + tally->n_caught + tally->n_failed + tally->n_skipped + tally->n_ready ==
            0)
        (void)fprintf(stderr, "assay: only the reference itself ran: nothing was checked\n");
}

static const char *choose_metrics(const assay_cli *cli)
{
    if (assay_job_is_command(cli, "run"))
        return "core";
    if (!assay_job_is_command(cli, "profile"))
        return NULL;
    return cli->metrics ? cli->metrics : "core";
}

static const char *choose_trace(const assay_cli *cli)
{
    if (!assay_job_is_command(cli, "trace"))
        return NULL;
    return cli->output ? cli->output : "trace.json";
}

/* What a person sees at the end. A trace has one point, and the file itself tells the rest. */
static assay_status print_end(const run_job *job)
{
    const assay_cli *cli = job->cli;

    if (cli->n_gbench > 0) {
        const assay_status st = assay_bench_report(job->store, job->run_id, cli);

        return st == ASSAY_OK ? assay_report_write(cli->database, job->run_id, "failed", stderr)
                              : st;
    }
    if (job->is_traced && job->exit_status == ASSAY_EXIT_PASS && !cli->is_quiet)
        (void)fprintf(stderr, "assay: wrote %s: open it in ui.perfetto.dev or chrome://tracing\n",
                      choose_trace(cli));
    if (cli->is_quiet || cli->run_made)
        return ASSAY_OK;
    return assay_report_write(cli->database, job->run_id, job->is_traced ? "sections" : "text",
                              stdout);
}

static assay_supervise_options options_of(run_job *job)
{
    const assay_cli *cli = job->cli;

    return (assay_supervise_options) {
        .module_path    = job->target.module_path,
        .device_index   = job->target.device_index,
        .can_time       = job->target.info.can_time,
        .is_cuda        = strcmp(job->target.info.kind, "cuda") == 0,
        .lane           = job->target.lane,
        .cases          = cli->cases,
        .policy         = assay_cli_policy(cli),
        .in_process     = cli->in_process,
        .times          = assay_job_is_command(cli, "bench") || assay_job_is_command(cli, "run"),
        .tunes          = cli->tunes,
        .against_itself = cli->against_itself,
        .metrics        = choose_metrics(cli),
        .kernel_replay  = strcmp(cli->replay, "kernel") == 0,
        .trace          = choose_trace(cli),
        .is_traced      = &job->is_traced,
        .budget_s       = cli->budget_s,
        .is_quiet       = cli->is_quiet,
    };
}

assay_status assay_job_supervise(run_job *job)
{
    assay_status                  st  = ASSAY_OK;
    const assay_cli              *cli = job->cli;
    assay_tally                   tally;
    const assay_supervise_options options = options_of(job);

    /* Also of a run that is resumed: what is stored may have been written by anybody. */
    ASSAY_CHECK(assay_policy_check(&options.policy));
    ASSAY_CHECK(take_lock(job));
    ASSAY_CHECK(assay_guard_begin(ASSAY_EXIT_USAGE));
    ASSAY_CHECK(assay_supervise(job->store, job->run_id, job->plan.points, job->point_ids,
                                job->plan.n, &options));
    ASSAY_CHECK(assay_tally_read(job->store, job->run_id, &tally));
    ASSAY_CHECK(assay_known_failures_apply(&job->known, job->store, job->run_id, &tally, stderr));
    job->exit_status = assay_tally_exit_status(&tally);
    if (assay_job_is_command(cli, "trace") && tally.n_passed > 0 && !job->is_traced)
        job->exit_status = ASSAY_EXIT_USAGE; /* why not was said */
    say_if_nothing_was_checked(&tally);
    if (tally.n_ready == 0)
        ASSAY_CHECK(assay_store_end_run(job->store, job->run_id, job->exit_status));
    ASSAY_CHECK(print_end(job));
out:
    assay_guard_end();
    assay_lock_release(job->lock_fd);
    return st;
}
