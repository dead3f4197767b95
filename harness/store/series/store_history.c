/* Series of times over the runs of a file, divided into segments and searched for steps. */
#include "store_history.h"

#include "base/sort.h"
#include "base/text.h"
#include "store_history_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const assay_side_filter *filter;
    assay_history           *history;
} search;

static assay_status fail_memory(void)
{
    return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a history");
}

/* ---- reading ---- */

static assay_status add_series(assay_history *h, assay_cursor *row, assay_regime regime,
                               assay_clock clock)
{
    assay_texts *t = &h->texts;

    if (!assay_grow((void **)&h->series, h->n_series, &h->capacity, sizeof *h->series))
        return fail_memory();
    h->series[h->n_series++] = (assay_history_series) {
        .series    = assay_texts_keep(t, assay_row_text(row, "series")),
        .key       = assay_texts_keep(t, assay_row_text(row, "key")),
        .case_name = assay_texts_keep(t, assay_row_text(row, "case_name")),
        .variant   = assay_texts_keep(t, assay_row_text(row, "variant")),
        .axes      = assay_texts_keep(t, assay_row_text(row, "axes")),
        .regime    = regime,
        .clock     = clock,
        .device    = assay_texts_keep(t, assay_row_text(row, "device_name")),
    };
    return t->status;
}

static assay_status add_value(void *context, assay_cursor *row)
{
    const search         *s = context;
    assay_history        *h = s->history;
    assay_texts          *t = &h->texts;
    assay_history_series *series;
    assay_history_value  *value;
    assay_regime          regime;
    assay_clock           clock;
    assay_status          st;

    ASSAY_CHECK(assay_cell_metric(row, &regime, &clock));
    if (!assay_side_is_wanted(s->filter, row) || (s->filter->regime && s->filter->regime != regime))
        goto out;
    if (h->n_series == 0 ||
        strcmp(h->series[h->n_series - 1].series, assay_row_text(row, "series")) != 0)
        ASSAY_CHECK(add_series(h, row, regime, clock));
    series               = &h->series[h->n_series - 1];
    series->case_version = assay_row_count(row, "case_version");
    ASSAY_REQUIRE(
        assay_grow((void **)&series->values, series->n_values, &series->capacity, sizeof *value),
        ASSAY_E_MEMORY, "out of memory for a history");
    value  = &series->values[series->n_values++];
    *value = (assay_history_value) {
        .run_id      = assay_row_count(row, "run_id"),
        .run_uuid    = assay_texts_keep(t, assay_row_text(row, "run_uuid")),
        .started_utc = assay_texts_keep(t, assay_row_text(row, "started_utc")),
        .git_commit  = assay_texts_keep(t, assay_row_text(row, "git_commit")),
        .git_dirty   = assay_row_count(row, "git_dirty") != 0,
        .median_ns   = assay_row_number(row, "median_ns"),
        .q1_ns       = assay_row_number(row, "q1_ns"),
        .q3_ns       = assay_row_number(row, "q3_ns"),
        .cycles      = assay_row_number(row, "median_cycles"),
    };
    assay_conditions_read(row, t, &value->conditions);
    st = t->status;
out:
    return st;
}

static assay_status add_note(void *context, assay_cursor *row)
{
    assay_history *h = context;
    assay_texts   *t = &h->texts;

    if (!assay_grow((void **)&h->notes, h->n_notes, &h->note_capacity, sizeof *h->notes))
        return fail_memory();
    h->notes[h->n_notes++] = (assay_history_note) {
        .series      = assay_texts_keep(t, assay_row_text(row, "series")),
        .run_uuid    = assay_texts_keep(t, assay_row_text(row, "run_uuid")),
        .text        = assay_texts_keep(t, assay_row_text(row, "text")),
        .who         = assay_texts_keep(t, assay_row_text(row, "who")),
        .written_utc = assay_texts_keep(t, assay_row_text(row, "written_utc")),
    };
    return t->status;
}

/* ---- segments and steps ---- */

static double median_of(double *values, int64_t n) /* sorts */
{
    qsort(values, (size_t)n, sizeof *values, assay_compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* In a very long segment only the newest part is searched. */
static assay_status find_steps(const assay_history_series *series, double threshold,
                               assay_history_segment *segment)
{
    const int64_t skip   = segment->n > ASSAY_STEPS_MOST ? segment->n - ASSAY_STEPS_MOST : 0;
    const int64_t n      = segment->n - skip;
    double       *values = malloc(((size_t)n + 1) * sizeof *values);
    assay_steps  *found  = &segment->steps;
    int64_t       from   = 0;
    assay_status  st     = ASSAY_OK;

    ASSAY_REQUIRE(values, ASSAY_E_MEMORY, "out of memory for a history");
    for (int64_t i = 0; i < n; i++)
        values[i] = series->values[segment->first + skip + i].median_ns;
    ASSAY_CHECK(assay_steps_find(values, n, threshold, found));
    if (found->n > 0)
        from = found->steps[found->n - 1].index;
    segment->level_ns = median_of(values + from, n - from);
    for (int64_t i = 0; i < found->n; i++) {
        found->steps[i].index += skip;
        found->steps[i].earliest += skip;
        found->steps[i].latest += skip;
    }
out:
    free(values);
    return st;
}

static assay_status cut(assay_history *h, assay_history_series *s)
{
    char         text[ASSAY_REASON_SIZE] = "";
    assay_status st                      = ASSAY_OK;

    s->segments = calloc((size_t)s->n_values, sizeof *s->segments);
    ASSAY_REQUIRE(s->segments, ASSAY_E_MEMORY, "out of memory for a history");
    for (int64_t i = 0; i < s->n_values; i++) {
        const bool begins =
            i == 0 || assay_conditions_differ(&s->values[i - 1].conditions,
                                              &s->values[i].conditions, NULL, text, sizeof text);

        if (begins)
            s->segments[s->n_segments++] =
                (assay_history_segment) { .first   = i,
                                          .changed = assay_texts_keep(&h->texts, text) };
        s->segments[s->n_segments - 1].n++;
    }
    st = h->texts.status;
out:
    return st;
}

/* ---- annotations ---- */

static bool is_run_of(const char *uuid, const assay_history_series *s, int64_t first, int64_t last)
{
    for (int64_t i = first; i <= last; i++)
        if (strcmp(s->values[i].run_uuid, uuid) == 0)
            return true;
    return false;
}

bool assay_history_has_run(const assay_history_series *s, int64_t run_id)
{
    for (int64_t i = 0; i < s->n_values; i++)
        if (s->values[i].run_id == run_id)
            return true;
    return false;
}

bool assay_history_is_about(const assay_history_note *note, const assay_history_series *s)
{
    if (note->series[0] && strcmp(note->series, s->series) != 0)
        return false;
    return !note->run_uuid[0] || is_run_of(note->run_uuid, s, 0, s->n_values - 1);
}

/* Does the annotation explain the step? It is about a run in which the step may have happened, or
 * about the whole series and was written since. */
static bool explains(const assay_history_note *note, const assay_history_series *s,
                     const assay_history_segment *segment, const assay_step *step)
{
    if (!assay_history_is_about(note, s))
        return false;
    if (note->run_uuid[0])
        return is_run_of(note->run_uuid, s, segment->first + step->earliest,
                         segment->first + step->latest);
    return strcmp(note->written_utc, s->values[segment->first + step->index].started_utc) >= 0;
}

static void judge(assay_history *h, assay_history_series *s)
{
    const assay_history_segment *last = &s->segments[s->n_segments - 1];

    h->n_drifts += last->steps.is_drift;
    if (last->steps.n == 0)
        return;
    s->newest_step = &last->steps.steps[last->steps.n - 1];
    for (int64_t i = 0; i < h->n_notes && !s->is_explained; i++)
        s->is_explained = explains(&h->notes[i], s, last, s->newest_step);
    if (s->newest_step->relative > 0) {
        h->n_slower++;
        h->n_unexplained += !s->is_explained;
    } else {
        h->n_faster++;
    }
}

/* ---- order ---- */

static int severity(const assay_history_series *s)
{
    const bool has_step = s->newest_step != NULL;

    if (has_step && s->newest_step->relative > 0)
        return s->is_explained ? 1 : 0;
    if (has_step || s->segments[s->n_segments - 1].steps.is_drift)
        return 2;
    return 3;
}

static int worst_first(const void *a, const void *b)
{
    const assay_history_series *x = a, *y = b;
    int                         order = severity(x) - severity(y);

    if (order == 0 && x->newest_step && y->newest_step)
        order = (x->newest_step->relative < y->newest_step->relative) -
                (x->newest_step->relative > y->newest_step->relative);
    if (order == 0)
        order = strcmp(x->key, y->key);
    return order ? order : strcmp(x->series, y->series);
}

/* ---- history ---- */

assay_status assay_history_find(assay_store *store, const assay_side_filter *filter,
                                double threshold, assay_history *history)
{
    assay_history *h  = history;
    search         s  = { .filter = filter, .history = h };
    assay_status   st = ASSAY_OK;

    *h = (assay_history) { .n_series = 0 };
    ASSAY_CHECK(assay_store_each_row(store, "history_times", 0, add_value, &s));
    ASSAY_CHECK(assay_store_each_row(store, "history_annotations", 0, add_note, h));
    for (int64_t i = 0; i < h->n_series; i++) {
        assay_history_series *series = &h->series[i];

        ASSAY_CHECK(cut(h, series));
        for (int64_t k = 0; k < series->n_segments; k++)
            ASSAY_CHECK(find_steps(series, threshold, &series->segments[k]));
        judge(h, series);
    }
    ASSAY_CHECK(assay_history_find_errors(store, filter, h));
    ASSAY_REQUIRE(h->n_series > 0 || h->n_errors > 0, ASSAY_E_NOTHING,
                  "the file has no history of what is asked for");
    if (h->n_series > 1)
        qsort(h->series, (size_t)h->n_series, sizeof *h->series, worst_first);
out:
    return st;
}

static void free_series(assay_history_series *s)
{
    for (int64_t k = 0; k < s->n_segments; k++)
        assay_steps_free(&s->segments[k].steps);
    free(s->segments);
    free(s->values);
}

void assay_history_free(assay_history *h)
{
    if (!h)
        return;
    for (int64_t i = 0; i < h->n_series; i++)
        free_series(&h->series[i]);
    for (int64_t i = 0; i < h->n_errors; i++)
        free(h->errors[i].ratios);
    free(h->series);
    free(h->errors);
    free(h->notes);
    assay_texts_free(&h->texts);
    *h = (assay_history) { .n_series = 0 };
}
