/* assay import: reads text baselines back into a database. */
#include "cli.h"

#include "store/exchange/store_import.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All files are read before the database is touched. */
static assay_status read_files(const assay_cli *cli, assay_csv *files)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < cli->selection.n_cases; i++)
        ASSAY_CHECK(assay_csv_read(cli->selection.cases[i], &files[i]));
out:
    return st;
}

static assay_status import_into(const char *database, const assay_csv *files, int n,
                                assay_import *made)
{
    assay_store *store = NULL;
    assay_status st;

    ASSAY_CHECK(assay_store_open(database, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(assay_store_import(store, files, n, made));
out:
    assay_store_close(store);
    return st;
}

/* Removes what may be left of a database that no other process knows. */
static void remove_database(const char *path)
{
    static const char *const endings[] = { "", "-journal", "-wal", "-shm" };
    char                     name[PATH_MAX + 16];

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
}

/* A new database gets its name only when it is complete: if the files are refused, none is left. */
static assay_status import_anew(const char *database, const assay_csv *files, int n,
                                assay_import *made)
{
    char         path[PATH_MAX];
    const int    length = snprintf(path, sizeof path, "%s.import-%ld", database, (long)getpid());
    assay_status st     = ASSAY_OK;

    if (length < 0 || length >= PATH_MAX)
        return ASSAY_FAIL(ASSAY_E_USAGE, "the name of the database is too long (--db)");
    ASSAY_CHECK(import_into(path, files, n, made));
    /* On a file system without hard links it is renamed, but never over another file. */
    ASSAY_REQUIRE(link(path, database) == 0 || (errno != EEXIST && rename(path, database) == 0),
                  ASSAY_E_IO, "%s cannot be made: %s", database, strerror(errno));
out:
    remove_database(path);
    return st;
}

static assay_status import(const assay_cli *cli, const assay_csv *files, int n)
{
    const bool   is_new = *cli->database && access(cli->database, F_OK) != 0 && errno == ENOENT;
    assay_import made;
    assay_status st;

    ASSAY_CHECK((is_new ? import_anew : import_into)(cli->database, files, n, &made));
    (void)printf("%s: %" PRId64 " new runs, %" PRId64 " points; %" PRId64
                 " runs were there and tell the same\n",
                 cli->database, made.n_runs, made.n_points, made.n_known);
out:
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
