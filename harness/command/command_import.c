/* assay import: text baselines back into a database. */
#include "cli.h"

#include "store/exchange/store_import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* All files are read before the database is touched. */
static assay_status read_files(const assay_cli *cli, assay_csv *files)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < cli->selection.n_cases; i++)
        ASSAY_CHECK(assay_csv_read(cli->selection.cases[i], &files[i]));
out:
    return st;
}

static assay_status import(const assay_cli *cli, const assay_csv *files, int n)
{
    assay_store *store = NULL;
    assay_import made;
    assay_status st;

    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(assay_store_import(store, files, n, &made));
    (void)printf("%s: %" PRId64 " new runs, %" PRId64 " points; %" PRId64
                 " runs were there and tell the same\n",
                 cli->database, made.n_runs, made.n_points, made.n_known);
out:
    assay_store_close(store);
    return st;
}

int assay_command_import(const assay_cli *cli)
{
    const int    n     = cli->selection.n_cases;
    assay_csv   *files = calloc((size_t)n + 1, sizeof *files);
    assay_status st    = ASSAY_OK;

    ASSAY_REQUIRE(files, ASSAY_E_MEMORY, "no memory for %d files", n);
    ASSAY_REQUIRE(n > 0 && cli->has_database, ASSAY_E_USAGE,
                  "import takes files to read and a database to write: assay import "
                  "baseline.csv --db baseline.db");
    ASSAY_CHECK(read_files(cli, files));
    ASSAY_CHECK(import(cli, files, n));
out:
    for (int i = 0; files && i < n; i++)
        assay_csv_free(&files[i]);
    free(files);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
