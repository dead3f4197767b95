/* assay compare: is B slower than A? */
#include "cli.h"

#include "base/output.h"
#include "base/terminal.h"
#include "report/report_compare.h"

#include <stdlib.h>

static assay_side_filter filter_of(const assay_cli *cli)
{
    return (assay_side_filter) { .cases      = cli->look.cases,
                                 .n_cases    = cli->look.n_cases,
                                 .variants   = cli->selection.variants,
                                 .n_variants = cli->selection.n_variants,
                                 .axes       = cli->selection.axes,
                                 .n_axes     = cli->selection.n_axes,
                                 .point      = cli->selection.points[0],
                                 .regime     = cli->look.regime };
}

static assay_status write_report(const assay_cli *cli, const assay_change_table *table,
                                 const assay_side *a, const assay_side *b)
{
    const char *const keep[] = { a->path, b->path, cli->database };
    assay_output      output = { .file = NULL };
    assay_status      st     = ASSAY_OK;

    /* Output that is collected in memory first has no line breaks for a terminal and no colours. */
    if (!cli->output && assay_terminal_width(stdout) > 0)
        return assay_report_change(table, a, b, cli->format, cli->look.shows_all, stdout);
    ASSAY_CHECK(assay_output_open(&output));
    ASSAY_CHECK(assay_report_change(table, a, b, cli->format, cli->look.shows_all, output.file));
    ASSAY_CHECK(assay_output_write(&output, cli->output, keep, 3));
out:
    assay_output_free(&output);
    return st;
}

static assay_status record(const assay_change_table *table, const assay_side *a,
                           const assay_side *b)
{
    assay_change_row *rows  = NULL;
    assay_store      *store = NULL;
    int64_t           n     = 0;
    assay_status      st    = ASSAY_OK;

    ASSAY_CHECK(assay_change_rows(table, a, b, &rows, &n));
    ASSAY_CHECK(assay_store_open(b->path, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(assay_store_write_changes(store, rows, n));
out:
    assay_store_close(store);
    free(rows);
    return st;
}

/* New failures weigh most, then SLOWER. If nothing was compared, the result is CANNOT_TELL. If
 * something was compared, points that were not are only shown and counted, and SAME stays SAME. */
static int exit_status(const assay_change_table *t)
{
    if (t->n_new_failures > 0)
        return ASSAY_EXIT_WRONG;
    if (t->n_slower > 0)
        return ASSAY_EXIT_REGRESSION;
    if (t->n_cannot_tell > 0 || t->n_of_kind[ASSAY_CHANGE_COMPARED] == 0)
        return ASSAY_EXIT_CANNOT_TELL;
    return ASSAY_EXIT_PASS;
}

int assay_command_compare(const assay_cli *cli)
{
    const char *const      *words  = cli->selection.cases;
    const assay_side_filter filter = filter_of(cli);
    assay_compare_rule      rule   = assay_compare_rule_default();
    assay_side              a = { .n_runs = 0 }, b = { .n_runs = 0 };
    assay_change_table      table  = { .n = 0 };
    int                     status = ASSAY_EXIT_USAGE;
    assay_status            st     = ASSAY_OK;

    if (cli->look.threshold > 0)
        rule.threshold = cli->look.threshold;
    ASSAY_REQUIRE(cli->selection.n_cases == 2, ASSAY_E_USAGE,
                  "compare takes two sides: assay compare previous latest (cases are chosen by "
                  "--case NAME)");
    ASSAY_CHECK(assay_side_read(words[0], cli->database, &filter, &a));
    ASSAY_CHECK(assay_side_read(words[1], cli->database, &filter, &b));
    ASSAY_CHECK(assay_change_find(&a, &b, &rule, cli->look.across, &table));
    ASSAY_CHECK(write_report(cli, &table, &a, &b));
    if (cli->look.records)
        ASSAY_CHECK(record(&table, &a, &b));
    status = exit_status(&table);
out:
    assay_change_free(&table);
    assay_side_free(&b);
    assay_side_free(&a);
    return st == ASSAY_OK ? status : assay_cli_failed(st);
}
