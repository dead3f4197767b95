/* assay merge: combines the results of several files in one. */
#include "cli.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Checks the sources before anything is written. */
static assay_status require_sources(const char *const *paths, int n)
{
    assay_store *store = NULL;
    assay_status st    = ASSAY_OK;

    for (int i = 0; i < n; i++) {
        ASSAY_REQUIRE(access(paths[i], F_OK) == 0, ASSAY_E_USAGE, "%s does not exist", paths[i]);
        ASSAY_CHECK(assay_store_open(paths[i], ASSAY_STORE_READ, &store));
        assay_store_close(store);
        store = NULL;
    }
out:
    assay_store_close(store);
    return st;
}

static assay_status merge_one(assay_store *store, const char *to, const char *path,
                              int64_t *n_conflicts)
{
    assay_merge  merge;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_store_merge(store, path, &merge));
    *n_conflicts += merge.n_conflicts;
    if (merge.n_conflicts > 0)
        (void)fprintf(stderr,
                      "assay: %s was not merged: it contradicts %s (%s); compare the two files, "
                      "and merge only one of them\n",
                      path, to, merge.conflicts);
    else
        (void)printf("%s: %" PRId64 " new runs, %" PRId64 " points\n", path, merge.n_runs,
                     merge.n_points);
    if (merge.other_words[0])
        (void)fprintf(
            stderr,
            "assay: %s: its description of a case differs from the one in %s, which is kept (%s)\n",
            path, to, merge.other_words);
out:
    return st;
}

int assay_command_merge(const assay_cli *cli)
{
    const char *const *words       = cli->selection.cases;
    const int          n           = cli->selection.n_cases;
    assay_store       *store       = NULL;
    int64_t            n_conflicts = 0;
    assay_status       st          = ASSAY_OK;

    ASSAY_REQUIRE(n >= 2, ASSAY_E_USAGE,
                  "merge takes a file to write and files to read: assay "
                  "merge all.db first.db second.db");
    ASSAY_CHECK(require_sources(words + 1, n - 1));
    ASSAY_CHECK(assay_store_open(words[0], ASSAY_STORE_WRITE, &store));
    for (int i = 1; i < n; i++)
        ASSAY_CHECK(merge_one(store, words[0], words[i], &n_conflicts));
    ASSAY_REQUIRE(n_conflicts == 0, ASSAY_E_DATABASE,
                  "%s lacks the files named above; everything else is in it", words[0]);
out:
    assay_store_close(store);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
