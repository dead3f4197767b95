/* assay history: times and errors from run to run, and how often comparisons err; assay runs: which
 * runs there are. */
#include "cli.h"

#include "base/output.h"
#include "report/report_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static assay_side_filter filter_of(const assay_cli *cli)
{
    return (assay_side_filter) { .cases      = cli->selection.cases,
                                 .n_cases    = cli->selection.n_cases,
                                 .variants   = cli->selection.variants,
                                 .n_variants = cli->selection.n_variants,
                                 .axes       = cli->selection.axes,
                                 .n_axes     = cli->selection.n_axes,
                                 .point      = cli->selection.points[0],
                                 .regime     = cli->look.regime };
}

static double threshold_of(const assay_cli *cli)
{
    return cli->look.threshold > 0 ? cli->look.threshold : assay_compare_rule_default().threshold;
}

static assay_status hand_over(assay_output *output, const assay_cli *cli)
{
    const char *const keep[] = { cli->database };

    return assay_output_write(output, cli->output, keep, 1);
}

/* The status is 1 if times rose and nobody has explained it: a nightly job is to fail until a
 * person has looked. Errors that rise slowly are shown, but fail nothing yet. */
static assay_status show_history(const assay_cli *cli, assay_store *store, int *status)
{
    const assay_side_filter filter  = filter_of(cli);
    assay_history           history = { .n_series = 0 };
    assay_output            output  = { .file = NULL };
    assay_status            st      = ASSAY_OK;

    ASSAY_REQUIRE(!cli->look.records, ASSAY_E_USAGE,
                  "--record keeps the bands of --calibrate: history alone records nothing");
    ASSAY_CHECK(assay_history_find(store, &filter, threshold_of(cli), &history));
    ASSAY_CHECK(assay_output_open(&output));
    assay_report_history(&history, cli->format, cli->look.shows_all, output.file);
    ASSAY_CHECK(hand_over(&output, cli));
    *status = history.n_unexplained > 0 ? ASSAY_EXIT_REGRESSION : ASSAY_EXIT_PASS;
out:
    assay_output_free(&output);
    assay_history_free(&history);
    return st;
}

static assay_status calibrate(const assay_cli *cli, assay_store *store, int *status)
{
    const assay_side_filter filter = filter_of(cli);
    assay_compare_rule      rule   = assay_compare_rule_default();
    assay_calibrations      found  = { .n = 0 };
    assay_output            output = { .file = NULL };
    int64_t                 n      = 0;
    assay_status            st     = ASSAY_OK;

    rule.threshold = threshold_of(cli);
    ASSAY_CHECK(assay_calibrations_find(store, &filter, &rule, &found));
    ASSAY_REQUIRE(found.n > 0, ASSAY_E_NOTHING,
                  "%s has no two finished timing runs of one build on one device with a point in "
                  "common, timed under the same conditions: time the same build twice or more "
                  "(assay bench)",
                  cli->database);
    ASSAY_CHECK(assay_output_open(&output));
    assay_report_calibrations(&found, cli->format, cli->look.shows_all, output.file);
    ASSAY_CHECK(hand_over(&output, cli));
    if (cli->look.records) {
        ASSAY_CHECK(assay_calibrations_record(store, &found, &n));
        (void)fprintf(stderr,
                      "assay: %" PRId64 " of %" PRId64
                      " cases have a band and were kept, with their points\n",
                      n, found.n_cases);
    }
    *status = ASSAY_EXIT_PASS;
out:
    assay_output_free(&output);
    assay_calibrations_free(&found);
    return st;
}

int assay_command_history(const assay_cli *cli)
{
    const bool   writes = cli->look.calibrates && cli->look.records;
    assay_store *store  = NULL;
    int          status = ASSAY_EXIT_USAGE;
    assay_status st     = ASSAY_OK;

    ASSAY_REQUIRE(access(cli->database, F_OK) == 0, ASSAY_E_USAGE, "%s does not exist",
                  cli->database);
    ASSAY_CHECK(
        assay_store_open(cli->database, writes ? ASSAY_STORE_WRITE : ASSAY_STORE_READ, &store));
    if (cli->look.calibrates)
        ASSAY_CHECK(calibrate(cli, store, &status));
    else
        ASSAY_CHECK(show_history(cli, store, &status));
out:
    assay_store_close(store);
    return st == ASSAY_OK ? status : assay_cli_failed(st);
}

int assay_command_runs(const assay_cli *cli)
{
    assay_output output = { .file = NULL };
    assay_store *store  = NULL;
    assay_status st     = ASSAY_OK;

    ASSAY_REQUIRE(access(cli->database, F_OK) == 0, ASSAY_E_USAGE, "%s does not exist",
                  cli->database);
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_output_open(&output));
    ASSAY_CHECK(assay_report_runs(store, cli->format, output.file));
    ASSAY_CHECK(hand_over(&output, cli));
out:
    assay_output_free(&output);
    assay_store_close(store);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
