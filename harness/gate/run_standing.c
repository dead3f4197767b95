/* Reads the state of a stored run. */
#include "run_standing.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void read_row(assay_cursor *cursor, assay_run_standing *s)
{
    const struct {
        const char *name;
        char       *to;
        size_t      size;
    } texts[] = {
        { "uuid", s->uuid, sizeof s->uuid },
        { "verb", s->verb, sizeof s->verb },
        { "lane", s->lane, sizeof s->lane },
        { "binary_id", s->binary_id, sizeof s->binary_id },
        { "kernels_id", s->kernels_id, sizeof s->kernels_id },
        { "kind", s->device_kind, sizeof s->device_kind },
        { "device_uuid", s->device_uuid, sizeof s->device_uuid },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        (void)assay_text_set(texts[i].to, texts[i].size, "%s",
                             assay_row_text(cursor, texts[i].name));
    s->has_ended      = !isnan(assay_row_number(cursor, "exit_status"));
    s->is_of_program  = assay_row_count(cursor, "is_of_program") > 0;
    s->is_dirty       = assay_row_count(cursor, "git_dirty") > 0;
    s->n_measurements = assay_row_count(cursor, "n_measurements");
}

assay_status assay_run_standing_read(assay_store *store, int64_t run_id,
                                     const assay_known_failures *known, FILE *out,
                                     assay_run_standing *standing)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;
    bool          found  = false;

    *standing = (assay_run_standing) { .run_id = run_id };
    ASSAY_CHECK(assay_store_query(store, "run_standing", run_id, &cursor));
    found = assay_cursor_next(cursor, &st);
    if (found)
        read_row(cursor, standing);
    if (st != ASSAY_OK)
        goto out;
    ASSAY_REQUIRE(found, ASSAY_E_USAGE, "there is no run %" PRId64, run_id);
    ASSAY_CHECK(assay_tally_read(store, run_id, &standing->tally));
    ASSAY_CHECK(assay_known_failures_apply(known, store, run_id, &standing->tally, out));
out:
    assay_cursor_close(cursor);
    return st;
}

assay_status assay_run_standing_newest(assay_store *store, const char *program, int64_t *run_id,
                                       bool *found)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;

    *found = false;
    ASSAY_CHECK(assay_store_query(store, "newest_timed", 0, &cursor));
    while (!*found && assay_cursor_next(cursor, &st))
        *found = !program || strcmp(assay_row_text(cursor, "program"), program) == 0;
    *run_id = *found ? assay_row_count(cursor, "run_id") : 0;
out:
    assay_cursor_close(cursor);
    return st;
}
