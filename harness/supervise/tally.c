/* The exit status of a run, from its verdicts. */
#include "tally.h"

#include "exit_status.h"

#include <string.h>

static void count(assay_tally *tally, const char *outcome, int64_t n)
{
    const struct {
        const char *outcome;
        int64_t    *counter;
    } counters[] = {
        { "passed", &tally->n_passed },   { "reference", &tally->n_reference },
        { "caught", &tally->n_caught },   { "failed", &tally->n_failed },
        { "skipped", &tally->n_skipped }, { "ready", &tally->n_ready },
    };

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        if (strcmp(outcome, counters[i].outcome) == 0)
            *counters[i].counter += n;
}

assay_status assay_tally_read(assay_store *store, int64_t run_id, assay_tally *tally)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;

    *tally = (assay_tally) { .n_passed = 0 };
    ASSAY_CHECK(assay_store_query(store, "summary", run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        count(tally, assay_row_text(cursor, "outcome"), assay_row_count(cursor, "n_points"));
out:
    assay_cursor_close(cursor);
    return st;
}

int assay_tally_exit_status(const assay_tally *tally)
{
    if (tally->n_failed > 0)
        return ASSAY_EXIT_WRONG;
    if (tally->n_ready > 0)
        return ASSAY_EXIT_USAGE;
    if (tally->n_passed + tally->n_caught > 0)
        return ASSAY_EXIT_PASS;
    /* If the reference agrees with itself, that is not a check. */
    return tally->n_skipped > 0 ? ASSAY_EXIT_SKIPPED : ASSAY_EXIT_USAGE;
}
