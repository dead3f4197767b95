/* Looks up the choices of earlier searches by key in the store. */
#include "tuned.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_asked(const assay_point *point)
{
    return assay_variant_tuning_axes(&point->definition->variants[point->variant]) > 0 &&
           !point->names_tuning;
}

/* ---- one choice ---- */

typedef enum code_state {
    CODE_SAME,
    CODE_CHANGED,
    CODE_UNKNOWN,
    N_CODE_STATES
} code_state;

static const char *const code_words[N_CODE_STATES] = {
    [CODE_SAME]    = "",
    [CODE_CHANGED] = "; its code has changed since",
    [CODE_UNKNOWN] = "; whether its code has changed since is not known",
};

/* Without records a search does not know the code that it ran. */
static code_state compare_code(assay_cursor *row, const assay_tuned_code *now)
{
    const char *kernels_id = assay_row_text(row, "kernels_id");

    if (!now || strcmp(kernels_id, now->kernels_id) == 0)
        return CODE_SAME;
    if (!*assay_row_text(row, "launches"))
        return CODE_UNKNOWN;
    return assay_module_code_has_changed(now->code, kernels_id, assay_row_text(row, "launches"))
               ? CODE_CHANGED
               : CODE_SAME;
}

/* The file may hold any text, and this text is shown. */
static void note_gone(assay_cursor *row, assay_tuned *tuned)
{
    tuned->n_gone++;
    (void)assay_text_set(tuned->gone, sizeof tuned->gone, "%s: %s", assay_row_text(row, "key"),
                         assay_row_text(row, "tuning"));
    (void)assay_text_make_safe(tuned->gone);
}

static assay_status note_taken(assay_cursor *row, code_state state, int64_t place,
                               assay_tuned *tuned)
{
    assay_status st = ASSAY_OK;
    char         by[ASSAY_REASON_SIZE];

    (void)assay_text_set(by, sizeof by, "tuned by run %.8s of %.10s%s", assay_row_text(row, "uuid"),
                         assay_row_text(row, "started_utc"), code_words[state]);
    tuned->by[place] = strdup(assay_text_make_safe(by));
    ASSAY_REQUIRE(tuned->by[place], ASSAY_E_MEMORY, "no memory for what a point is tuned by");
    tuned->n_taken++;
    tuned->n_changed += state == CODE_CHANGED;
    tuned->n_unknown += state == CODE_UNKNOWN;
out:
    return st;
}

static assay_status take(assay_cursor *row, const assay_plan_index *index,
                         const assay_tuned_code *now, assay_point *points, assay_tuned *tuned)
{
    const int64_t place = assay_plan_index_find(index, assay_row_text(row, "key"));
    assay_point  *point = place >= 0 ? &points[place] : NULL;

    (void)assay_text_set(tuned->device, sizeof tuned->device, "%s", assay_row_text(row, "device"));
    (void)assay_text_make_safe(tuned->device);
    if (!point || !is_asked(point) || point->is_tuned ||
        point->definition->version != assay_row_count(row, "case_version"))
        return ASSAY_OK;
    if (!assay_point_tuning_take(point, assay_row_text(row, "tuning"))) {
        note_gone(row, tuned);
        return ASSAY_OK;
    }
    return note_taken(row, compare_code(row, now), place, tuned);
}

/* ---- all of them ---- */

assay_status assay_tuned_take(assay_store *store, int64_t run_id, const assay_tuned_code *now,
                              assay_point *points, int64_t n, assay_tuned *tuned)
{
    assay_status     st     = ASSAY_OK;
    assay_cursor    *cursor = NULL;
    assay_plan_index index  = { .keys = NULL };

    *tuned = (assay_tuned) { .by = calloc((size_t)n + 1, sizeof *tuned->by), .n = n };
    ASSAY_REQUIRE(tuned->by, ASSAY_E_MEMORY, "no memory for %" PRId64 " points", n);
    for (int64_t i = 0; i < n; i++)
        tuned->n_asked += is_asked(&points[i]);
    ASSAY_CHECK(assay_plan_index_make(points, n, &index));
    ASSAY_CHECK(assay_store_query(store, "chosen", run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        ASSAY_CHECK(take(cursor, &index, now, points, tuned));
out:
    assay_cursor_close(cursor);
    assay_plan_index_free(&index);
    return st;
}

void assay_tuned_free(assay_tuned *tuned)
{
    if (!tuned)
        return;
    for (int64_t i = 0; tuned->by && i < tuned->n; i++)
        free(tuned->by[i]);
    free(tuned->by);
    memset(tuned, 0, sizeof *tuned);
}

/* ---- what is said of it ---- */

void assay_tuned_say(const assay_tuned *tuned, const char *database, FILE *out)
{
    const struct {
        const char *words;
        int64_t     n;
    } parts[] = {
        { "by code that has changed since", tuned->n_changed },
        { "by another kernel module, of whose code nothing is known", tuned->n_unknown },
        { "without a search, so with default values",
          tuned->n_asked - tuned->n_taken - tuned->n_gone },
        { "with default values, as their variant does not have what was chosen any more",
          tuned->n_gone },
    };

    if (tuned->n_asked == 0) {
        (void)fputs("assay: tuned: no point here has tuning axes that were not given values\n",
                    out);
        return;
    }
    if (tuned->n_taken + tuned->n_gone == 0) {
        (void)fprintf(out,
                      "assay: tuned: %s holds no search of these points on such a device: they "
                      "have their default values; 'assay bench --tune' searches\n",
                      database);
        return;
    }
    (void)fprintf(
        out, "assay: tuned: points with what a search on %s has chosen: %" PRId64 " of %" PRId64,
        tuned->device, tuned->n_taken, tuned->n_asked);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].n > 0)
            (void)fprintf(out, "; %s: %" PRId64, parts[i].words, parts[i].n);
    (void)fprintf(out, "%s%s%s\n", tuned->n_gone > 0 ? " (" : "", tuned->gone,
                  tuned->n_gone > 0 ? ")" : "");
}

/* ---- once more ---- */

assay_status assay_tuned_resume(assay_store *store, int64_t run_id, assay_point *points,
                                const int64_t *ids, int64_t n)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;
    int64_t       next   = 0; /* rows and points are both in the order of the plan */

    ASSAY_CHECK(assay_store_query(store, "planned_tuning", run_id, &cursor));
    while (assay_cursor_next(cursor, &st)) {
        const int64_t id = assay_row_count(cursor, "point_id");
        int64_t       i  = next;

        while (i < n && ids[i] != id)
            i++;
        if (i == n)
            continue; /* this program no longer has the point */
        next = i + 1;
        ASSAY_REQUIRE(assay_point_tuning_take(&points[i], assay_row_text(cursor, "tuning")),
                      ASSAY_E_USAGE,
                      "run %" PRId64 " was begun with values of tuning axes that this program does "
                      "not have: start a new run",
                      run_id);
    }
out:
    assay_cursor_close(cursor);
    return st;
}
