/* assay check, bench, trace and run: a request each, filled from the command line. */
#include "cli.h"
#include "command_run.h"

#include <string.h>

void assay_cli_request(const assay_cli *cli, assay_run_kind kind, assay_run_request *request)
{
    assay_selection kinds;

    assay_run_request_of(kind, request);
    kinds              = request->selection;
    request->selection = cli->selection;
    if (cli->has_tier)
        request->full_tier_needs_gpu = false;
    else
        memcpy(request->selection.tiers, kinds.tiers, sizeof kinds.tiers);
    request->stages.tunes   = cli->tunes;
    request->is_tuned       = cli->is_tuned;
    request->cases          = cli->cases;
    request->shard          = cli->shard;
    request->target         = cli->target;
    request->timing         = cli->timing;
    request->counting       = cli->counting;
    request->n_each         = cli->n_each;
    request->tool           = cli->check.tool;
    request->budget_s       = cli->budget_s;
    request->in_process     = cli->in_process;
    request->is_strict      = cli->is_strict;
    request->n_jobs         = cli->n_jobs;
    request->profiles_self  = cli->profiles_self;
    request->known_failures = cli->known_failures;
    request->argc           = cli->argc;
    request->argv           = cli->argv;
    request->reason         = cli->reason;
    request->outputs        = (assay_run_outputs) { .database     = cli->database,
                                                    .makes_folder = !cli->has_database,
                                                    .trace    = cli->output ? cli->output : "trace.json",
                                                    .gbench   = cli->gbench,
                                                    .is_quiet = cli->is_quiet,
                                                    .is_brief = cli->is_brief,
                                                    .has_details = cli->has_details };

    request->outputs.gbench.all_clocks = cli->has_details;
}

int assay_cli_run(const assay_cli *cli, assay_run_kind kind)
{
    assay_run_request request;
    assay_run_outcome outcome;
    assay_status      st;

    assay_cli_request(cli, kind, &request);
    st = assay_run_execute(&request, &outcome);
    if (st != ASSAY_OK)
        (void)assay_cli_failed(st);
    return outcome.exit_status;
}

int assay_command_check(const assay_cli *cli)
{
    if (cli->check.takes_wrong_answers)
        return assay_command_wrong_answers(cli);
    if (cli->check.watches)
        return assay_command_watch(cli);
    return cli->check.lanes.n > 0 ? assay_command_lanes(cli) : assay_cli_run(cli, ASSAY_RUN_CHECK);
}

int assay_command_bench(const assay_cli *cli) { return assay_cli_run(cli, ASSAY_RUN_BENCH); }
int assay_command_trace(const assay_cli *cli) { return assay_cli_run(cli, ASSAY_RUN_TRACE); }
int assay_command_run(const assay_cli *cli) { return assay_cli_run(cli, ASSAY_RUN_RUN); }
