/* assay check, bench, trace and run: each makes a request from the command line. */
#include "cli_internal.h"
#include "command_run.h"

#include "peer/peer_variants.h"

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
    request->script         = cli->script;
    request->script_digest  = cli->script_digest;
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

static bool is_among(const char *word, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* Adds each word once. There is room for ASSAY_PEER_MOST_VARIANTS words. */
static void choose(const char *word, const char **words, int *n)
{
    if (!is_among(word, words, *n))
        words[(*n)++] = word;
}

/* If cases are named, only their variants are wanted. */
static bool is_wanted(const assay_cli *cli, const assay_peer_variant *variant)
{
    const assay_case *its = assay_registry_find(cli->cases, variant->case_name);

    for (int i = 0; i < cli->selection.n_cases; i++)
        if (assay_registry_matches(its, cli->selection.cases[i]))
            return true;
    return cli->selection.n_cases == 0;
}

assay_status assay_cli_take_script(assay_cli *cli)
{
    assay_status        st  = ASSAY_OK;
    assay_selection    *all = &cli->selection;
    assay_peer_variants found;
    const char         *cases[ASSAY_MAX_WORDS];
    int                 n_cases    = 0;
    const bool          names_some = all->peers || all->n_points > 0 || all->n_variants > 0;

    if (!cli->script)
        return ASSAY_OK;
    ASSAY_CHECK(assay_peer_variants_take(cli->script, cli->cases, &found));
    cli->cases         = found.cases;
    cli->script        = found.file;
    cli->script_digest = found.digest;
    ASSAY_REQUIRE(all->n_variants + found.n <= ASSAY_MAX_WORDS, ASSAY_E_USAGE,
                  "more than %d words of one kind", ASSAY_MAX_WORDS);
    for (int i = 0; i < found.n; i++) {
        if (!names_some && is_wanted(cli, &found.variants[i]))
            choose(found.variants[i].name, all->variants, &all->n_variants);
        choose(found.variants[i].case_name, cases, &n_cases);
    }
    if (all->n_cases == 0 && all->n_points == 0) {
        memcpy(all->cases, cases, (size_t)n_cases * sizeof *cases);
        all->n_cases = n_cases;
    }
out:
    return st;
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
