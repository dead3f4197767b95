/* assay prune: deletes raw samples and keeps everything else. */
#include "cli.h"

#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

int assay_command_prune(const assay_cli *cli)
{
    const bool   by_age   = cli->prune.older_than_s > 0;
    int64_t      n_blocks = 0;
    assay_store *store    = NULL;
    assay_status st       = ASSAY_OK;

    ASSAY_REQUIRE(by_age != (cli->prune.keep > 0), ASSAY_E_USAGE,
                  "prune takes either --older-than 90d or --keep 20");
    ASSAY_REQUIRE(access(cli->database, F_OK) == 0, ASSAY_E_USAGE, "%s does not exist",
                  cli->database);
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(assay_store_prune(store, by_age ? cli->prune.older_than_s : (double)NAN,
                                  cli->prune.keep, &n_blocks));
    (void)printf("%s: the samples of %" PRId64 " blocks were dropped; counts, medians and verdicts "
                 "stay\n",
                 cli->database, n_blocks);
out:
    assay_store_close(store);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
