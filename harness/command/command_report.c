/* assay report. */
#include "cli.h"

#include "base/output.h"
#include "base/terminal.h"
#include "report/report.h"
#include "store/series/store_side.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *word)
{
    return word[0] && strspn(word, "0123456789") == strlen(word);
}

assay_status assay_cli_find_run(const assay_cli *cli, assay_store *store, int64_t *run_id)
{
    assay_status st = ASSAY_OK;

    *run_id = 0;
    if (!cli->which_run)
        return ASSAY_OK;
    if (!is_number(cli->which_run))
        return assay_side_find_run(store, cli->database, cli->which_run, run_id);
    errno   = 0;
    *run_id = strtoll(cli->which_run, NULL, 10);
    ASSAY_REQUIRE(errno == 0 && *run_id > 0, ASSAY_E_USAGE,
                  "--run takes the number of a run, from 1 on, not '%s'", cli->which_run);
out:
    return st;
}

static assay_status find_run(const assay_cli *cli, int64_t *run_id)
{
    assay_store *store = NULL;
    assay_status st    = ASSAY_OK;

    if (cli->which_run && !is_number(cli->which_run))
        ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_cli_find_run(cli, store, run_id));
out:
    assay_store_close(store);
    return st;
}

static assay_status write_report(const assay_cli *cli)
{
    const char *const keep[] = { cli->database };
    assay_output      output = { .file = NULL };
    const char *const format = assay_report_format(cli->format, cli->has_details);
    int64_t           run_id = 0;
    assay_status      st     = ASSAY_OK;

    ASSAY_CHECK(find_run(cli, &run_id));
    /* Output that is collected in memory first has no line breaks for a terminal and no colours. */
    if (!cli->output && assay_terminal_width(stdout) > 0)
        return assay_report_write(cli->database, run_id, format, stdout);
    ASSAY_CHECK(assay_output_open(&output));
    ASSAY_CHECK(assay_report_write(cli->database, run_id, format, output.file));
    ASSAY_CHECK(assay_output_write(&output, cli->output, keep, 1));
out:
    assay_output_free(&output);
    return st;
}

int assay_command_report(const assay_cli *cli)
{
    const assay_status st = write_report(cli);

    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
