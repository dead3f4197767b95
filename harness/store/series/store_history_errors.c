/* Errors over the runs of a file: do they rise towards their bound? */
#include "store_history_internal.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const assay_side_filter *filter;
    assay_history           *history;
} search;

static bool is_among(const char *word, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return n == 0;
}

/* Errors are kept by variant, so only the beginning of a point's key counts. */
static bool is_wanted(const assay_side_filter *f, assay_cursor *row)
{
    const char *case_name = assay_row_text(row, "case_name");
    const char *variant   = assay_row_text(row, "variant");
    const char *rest;

    if (!is_among(case_name, f->cases, f->n_cases) ||
        !is_among(variant, f->variants, f->n_variants))
        return false;
    if (!f->point)
        return true;
    rest = assay_text_after(f->point, case_name);
    rest = rest && *rest == '/' ? assay_text_after(rest + 1, variant) : NULL;
    return rest && (*rest == '/' || *rest == '\0');
}

static bool is_same(const assay_history_error *e, assay_cursor *row)
{
    const struct {
        const char *column, *text;
    } columns[] = {
        { "case_name", e->case_name },     { "variant", e->variant }, { "device", e->device },
        { "device_uuid", e->device_uuid }, { "lane", e->lane },       { "input", e->input },
        { "output", e->output },
    };

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(assay_row_text(row, columns[i].column), columns[i].text) != 0)
            return false;
    return e->case_version == assay_row_count(row, "case_version");
}

static assay_history_error *begin(assay_history *h, assay_cursor *row)
{
    assay_texts         *t = &h->texts;
    assay_history_error *e;

    if (!assay_grow((void **)&h->errors, h->n_errors, &h->error_capacity, sizeof *e))
        return NULL;
    e  = &h->errors[h->n_errors++];
    *e = (assay_history_error) {
        .case_name    = assay_texts_keep(t, assay_row_text(row, "case_name")),
        .variant      = assay_texts_keep(t, assay_row_text(row, "variant")),
        .device       = assay_texts_keep(t, assay_row_text(row, "device")),
        .device_uuid  = assay_texts_keep(t, assay_row_text(row, "device_uuid")),
        .lane         = assay_texts_keep(t, assay_row_text(row, "lane")),
        .input        = assay_texts_keep(t, assay_row_text(row, "input")),
        .output       = assay_texts_keep(t, assay_row_text(row, "output")),
        .case_version = assay_row_count(row, "case_version"),
    };
    return e;
}

static assay_status add_ratio(void *context, assay_cursor *row)
{
    const search        *s = context;
    assay_history       *h = s->history;
    assay_history_error *e = h->n_errors > 0 ? &h->errors[h->n_errors - 1] : NULL;

    if (assay_row_count(row, "is_reference") || !is_wanted(s->filter, row))
        return ASSAY_OK;
    if (!e || !is_same(e, row))
        e = begin(h, row);
    if (!e || !assay_grow((void **)&e->ratios, e->n, &e->capacity, sizeof *e->ratios))
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a history");
    e->ratios[e->n++] = assay_row_number(row, "worst_ratio");
    return h->texts.status;
}

static int told_first(const void *a, const void *b)
{
    const assay_history_error *x = a, *y = b;
    int                        order = y->trend.is_told - x->trend.is_told;

    if (order == 0 && x->trend.is_told)
        order =
            (x->trend.runs_left > y->trend.runs_left) - (x->trend.runs_left < y->trend.runs_left);
    if (order == 0)
        order = strcmp(x->case_name, y->case_name);
    if (order == 0)
        order = strcmp(x->variant, y->variant);
    return order ? order : strcmp(x->output, y->output);
}

assay_status assay_history_find_errors(assay_store *store, const assay_side_filter *filter,
                                       assay_history *history)
{
    const assay_trend_rule rule = assay_trend_rule_default();
    search                 s    = { .filter = filter, .history = history };
    assay_status           st   = ASSAY_OK;

    ASSAY_CHECK(assay_store_each_row(store, "history_errors", 0, add_ratio, &s));
    for (int64_t i = 0; i < history->n_errors; i++) {
        assay_history_error *e = &history->errors[i];

        ASSAY_CHECK(assay_trend_find(e->ratios, e->n, &rule, &e->trend));
        history->n_rising += e->trend.is_told;
    }
    if (history->n_errors > 1)
        qsort(history->errors, (size_t)history->n_errors, sizeof *history->errors, told_first);
out:
    return st;
}
