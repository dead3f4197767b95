/* Applies the list of known failures to a run. */
#include "known_failures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

assay_known_state assay_known_failure_judge(const assay_known_failure *entry, int64_t n_failed,
                                            int64_t n_passed)
{
    if (n_failed > 0)
        return entry->is_expired ? ASSAY_KNOWN_EXPIRED : ASSAY_KNOWN_SKIPPED;
    return n_passed > 0 ? ASSAY_KNOWN_FIXED : ASSAY_KNOWN_UNSEEN;
}

/* The outcomes of one variant in the run. */
typedef struct outcomes {
    int64_t n_failed, n_passed;
} outcomes;

static void say(FILE *out, const char *path, const assay_known_failure *entry,
                assay_known_state state, const outcomes *found)
{
    if (!out || state == ASSAY_KNOWN_UNSEEN)
        return;
    (void)fprintf(out, "assay: known failure %s %s (%s:%d): ", entry->case_name, entry->variant,
                  path, entry->line);
    if (state == ASSAY_KNOWN_SKIPPED)
        (void)fprintf(out, "%" PRId64 " failed, skipped until %s: %s\n", found->n_failed,
                      entry->expires, entry->reason);
    else if (state == ASSAY_KNOWN_EXPIRED)
        (void)fprintf(out,
                      "expired on %s, so its %" PRId64 " failures count: fix it, or give it "
                      "another day\n",
                      entry->expires, found->n_failed);
    else
        (void)fprintf(out,
                      "all %" PRId64 " points passed: if that holds everywhere, remove the "
                      "entry\n",
                      found->n_passed);
}

static bool is_named(const assay_known_failure *entry, const char *case_name, const char *variant)
{
    return strcmp(entry->case_name, case_name) == 0 && strcmp(entry->variant, variant) == 0;
}

/* The row may be for one of several versions of a case: the entry holds for all of them. */
static void add_row(const assay_known_failures *list, assay_cursor *cursor, outcomes *found)
{
    const char *case_name = assay_row_text(cursor, "case_name");
    const char *variant   = assay_row_text(cursor, "variant");

    for (int i = 0; i < list->n; i++) {
        if (!is_named(&list->entries[i], case_name, variant))
            continue;
        found[i].n_failed += assay_row_count(cursor, "n_failed");
        found[i].n_passed +=
            assay_row_count(cursor, "n_passed") + assay_row_count(cursor, "n_caught");
    }
}

static assay_status count(const assay_known_failures *list, assay_store *store, int64_t run_id,
                          outcomes *found)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;

    ASSAY_CHECK(assay_store_query(store, "variants", run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        add_row(list, cursor, found);
out:
    assay_cursor_close(cursor);
    return st;
}

assay_status assay_known_failures_apply(const assay_known_failures *list, assay_store *store,
                                        int64_t run_id, assay_tally *tally, FILE *out)
{
    assay_status st    = ASSAY_OK;
    outcomes    *found = NULL;

    if (list->n == 0)
        return ASSAY_OK;
    found = calloc((size_t)list->n, sizeof *found);
    ASSAY_REQUIRE(found, ASSAY_E_MEMORY, "no memory for %d known failures", list->n);
    ASSAY_CHECK(count(list, store, run_id, found));
    for (int i = 0; i < list->n; i++) {
        const assay_known_failure *entry = &list->entries[i];
        const assay_known_state    state =
            assay_known_failure_judge(entry, found[i].n_failed, found[i].n_passed);

        say(out, list->path, entry, state, &found[i]);
        if (state != ASSAY_KNOWN_SKIPPED)
            continue;
        tally->n_failed -= found[i].n_failed;
        tally->n_skipped += found[i].n_failed;
    }
out:
    free(found);
    return st;
}

void assay_known_failures_warn(const assay_known_failures *list, assay_case_table cases, FILE *out)
{
    for (int i = 0; i < list->n; i++) {
        const assay_known_failure *entry = &list->entries[i];
        const assay_case          *c     = assay_registry_find(cases, entry->case_name);

        if (c && assay_case_find_variant(c, entry->variant) >= 0)
            continue;
        (void)fprintf(out,
                      "assay: %s:%d: this program has no %s %s%s%s: remove the entry, or correct "
                      "its name\n",
                      list->path, entry->line, c ? "variant" : "case", c ? entry->case_name : "",
                      c ? " " : "", c ? entry->variant : entry->case_name);
    }
}
