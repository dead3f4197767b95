/* Compares runs of one build with one another, and counts how often the rules err. */
#include "store_calibrate.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings: one line of one pair of runs ---- */

typedef struct finding {
    const char    *case_name, *device_kind, *device_name, *key, *tuning;
    assay_regime   regime;
    assay_clock    clock;
    int64_t        case_version;
    int64_t        pair;
    assay_compared result;
} finding;

typedef struct search {
    const assay_side_filter  *filter;
    const assay_compare_rule *rule;
    assay_calibrations       *out;
    assay_side_run           *runs; /* all of the file */
    int64_t                   n_runs;
    int64_t (*pairs)[2]; /* places of runs, a row a pair */
    finding *findings;
    int64_t  n, capacity;
} search;

static const char *tuning_of(const assay_side_time *time)
{
    return time->conditions.value[ASSAY_CONDITION_TUNING];
}

static assay_status add_findings(search *s, const assay_change_table *table)
{
    assay_texts *t = &s->out->texts;

    s->out->n_different += table->n_of_kind[ASSAY_CHANGE_DIFFERENT];
    for (int64_t i = 0; i < table->n; i++) {
        const assay_change *row = &table->rows[i];

        if (row->kind != ASSAY_CHANGE_COMPARED)
            continue;
        if (!assay_grow((void **)&s->findings, s->n, &s->capacity, sizeof *s->findings))
            return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for comparisons");
        s->findings[s->n++] = (finding) {
            .case_name    = assay_texts_keep(t, row->point_b->case_name),
            .regime       = row->time_b->regime,
            .clock        = row->time_b->clock,
            .device_kind  = assay_texts_keep(t, row->time_b->device_kind),
            .device_name  = assay_texts_keep(t, row->time_b->device_name),
            .key          = assay_texts_keep(t, row->point_b->key),
            .tuning       = assay_texts_keep(t, tuning_of(row->time_b)),
            .case_version = row->point_b->case_version,
            .pair         = s->out->n_pairs,
            .result       = row->result,
        };
    }
    return t->status;
}

/* Two runs without a common point (of different cases, say) are not a pair, and not a failure. */
static assay_status compare_pair(search *s, assay_store *store, const assay_side *a, int64_t first,
                                 int64_t second, bool *is_pair)
{
    assay_side         b     = { .n_runs = 0 };
    assay_change_table table = { .n = 0 };
    assay_status       st    = ASSAY_OK;

    *is_pair = false;
    ASSAY_CHECK(assay_side_read_runs(store, &s->runs[second], 1, s->filter, &b));
    ASSAY_CHECK(assay_change_find(a, &b, s->rule, NULL, &table));
    if (table.n_of_kind[ASSAY_CHANGE_COMPARED] == 0)
        goto out;
    *is_pair = true;
    ASSAY_CHECK(add_findings(s, &table));
    s->pairs[s->out->n_pairs][0] = first;
    s->pairs[s->out->n_pairs][1] = second;
    s->out->n_pairs++;
out:
    assay_change_free(&table);
    assay_side_free(&b);
    return st;
}

static bool can_pair(const assay_side_run *a, const assay_side_run *b)
{
    return b->is_finished && b->is_timed && a->build_id == b->build_id &&
           a->device_state_id == b->device_state_id;
}

/* Compares with the next run of the same build, device and points that has no partner yet, if there
 * is one. */
static assay_status compare_with_next(search *s, assay_store *store, int64_t first, bool *is_used)
{
    assay_side   a  = { .n_runs = 0 };
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_side_read_runs(store, &s->runs[first], 1, s->filter, &a));
    for (int64_t k = first + 1; k < s->n_runs && a.n_points > 0; k++) {
        if (is_used[k] || !can_pair(&s->runs[first], &s->runs[k]))
            continue;
        ASSAY_CHECK(compare_pair(s, store, &a, first, k, &is_used[k]));
        if (is_used[k])
            break;
    }
out:
    assay_side_free(&a);
    return st;
}

static assay_status compare_pairs(search *s, assay_store *store)
{
    bool        *is_used = calloc((size_t)s->n_runs + 1, sizeof *is_used);
    assay_status st      = ASSAY_OK;

    ASSAY_REQUIRE(is_used, ASSAY_E_MEMORY, "out of memory for the runs of a file");
    for (int64_t i = 0; i < s->n_runs; i++)
        if (!is_used[i] && s->runs[i].is_finished && s->runs[i].is_timed)
            ASSAY_CHECK(compare_with_next(s, store, i, is_used));
out:
    free(is_used);
    return st;
}

/* ---- by case, regime, clock and device, then by point ---- */

static int by_series(const finding *x, const finding *y)
{
    int order = strcmp(x->case_name, y->case_name);

    if (order == 0)
        order = (x->case_version > y->case_version) - (x->case_version < y->case_version);
    if (order == 0)
        order = (int)x->regime - (int)y->regime;
    if (order == 0)
        order = (int)x->clock - (int)y->clock;
    if (order == 0)
        order = strcmp(x->device_kind, y->device_kind);
    if (order == 0)
        order = strcmp(x->device_name, y->device_name);
    return order;
}

static int by_point(const finding *x, const finding *y)
{
    const int order = strcmp(x->key, y->key);

    return order ? order : strcmp(x->tuning, y->tuning);
}

static int by_pair(const finding *x, const finding *y)
{
    return (x->pair > y->pair) - (x->pair < y->pair);
}

static int by_series_and_pair(const void *a, const void *b)
{
    const int order = by_series(a, b);

    return order ? order : by_pair(a, b);
}

static int by_point_and_pair(const void *a, const void *b)
{
    const int order = by_point(a, b);

    return order ? order : by_pair(a, b);
}

static void name_runs(const search *s, const finding *findings, int64_t n, char *to, size_t size)
{
    to[0] = '\0';
    for (int64_t i = 0; i < n; i++) {
        const int64_t *pair = s->pairs[findings[i].pair];
        const size_t   end  = strlen(to);
        char           text[2 * 40 + 2];

        if (i > 0 && findings[i].pair == findings[i - 1].pair)
            continue;
        (void)assay_text_set(text, sizeof text, "%s%.39s %.39s", end ? " " : "",
                             s->runs[pair[0]].uuid, s->runs[pair[1]].uuid);
        if (end + strlen(text) < size)
            (void)assay_text_set(to + end, size - end, "%s", text);
    }
}

/* In the order of their pairs. */
static assay_status add_row(search *s, const finding *findings, int64_t n, const char *key,
                            const char *tuning)
{
    assay_calibrations *out  = s->out;
    assay_compared     *rows = malloc((size_t)n * sizeof *rows);
    assay_calibrated   *row;
    assay_status        st = ASSAY_OK;

    ASSAY_REQUIRE(rows && assay_grow((void **)&out->rows, out->n, &out->capacity, sizeof *row),
                  ASSAY_E_MEMORY, "out of memory for %lld comparisons", (long long)n);
    for (int64_t i = 0; i < n; i++)
        rows[i] = findings[i].result;
    row  = &out->rows[out->n];
    *row = (assay_calibrated) { .case_name    = findings->case_name,
                                .regime       = findings->regime,
                                .clock        = findings->clock,
                                .device_kind  = findings->device_kind,
                                .device_name  = findings->device_name,
                                .key          = key,
                                .tuning       = tuning,
                                .case_version = findings->case_version };
    ASSAY_CHECK(assay_calibrate(rows, n, &row->result));
    name_runs(s, findings, n, row->runs, sizeof row->runs);
    out->n++;
out:
    free(rows);
    return st;
}

static assay_status add_case(search *s, const finding *findings, int64_t n)
{
    assay_calibration *of_case;
    assay_status       st;

    ASSAY_CHECK(add_row(s, findings, n, "", ""));
    of_case             = &s->out->rows[s->out->n - 1].result;
    of_case->process_sd = (double)NAN;
    of_case->process_df = 0;
    s->out->n_cases++;
out:
    return st;
}

static assay_status add_points(search *s, finding *findings, int64_t n_findings)
{
    assay_status st = ASSAY_OK;

    qsort(findings, (size_t)n_findings, sizeof *findings, by_point_and_pair);
    for (int64_t i = 0, n; i < n_findings; i += n) {
        for (n = 1; i + n < n_findings && by_point(&findings[i], &findings[i + n]) == 0;)
            n++;
        ASSAY_CHECK(add_row(s, &findings[i], n, findings[i].key, findings[i].tuning));
    }
out:
    return st;
}

static assay_status add_cases(search *s)
{
    assay_status st = ASSAY_OK;

    if (s->n > 1)
        qsort(s->findings, (size_t)s->n, sizeof *s->findings, by_series_and_pair);
    for (int64_t i = 0, n; i < s->n; i += n) {
        for (n = 1; i + n < s->n && by_series(&s->findings[i], &s->findings[i + n]) == 0;)
            n++;
        ASSAY_CHECK(add_case(s, &s->findings[i], n));
        ASSAY_CHECK(add_points(s, &s->findings[i], n));
    }
out:
    return st;
}

assay_status assay_calibrations_find(assay_store *store, const assay_side_filter *filter,
                                     const assay_compare_rule *rule,
                                     assay_calibrations       *calibrations)
{
    search       s  = { .filter = filter, .rule = rule, .out = calibrations };
    assay_status st = ASSAY_OK;

    *calibrations = (assay_calibrations) { .n = 0 };
    ASSAY_CHECK(assay_side_list_runs(store, &calibrations->texts, &s.runs, &s.n_runs));
    s.pairs = calloc((size_t)s.n_runs + 1, sizeof *s.pairs);
    ASSAY_REQUIRE(s.pairs, ASSAY_E_MEMORY, "out of memory for the runs of a file");
    ASSAY_CHECK(compare_pairs(&s, store));
    ASSAY_CHECK(add_cases(&s));
out:
    free(s.findings);
    free(s.pairs);
    free(s.runs);
    return st;
}

void assay_calibrations_free(assay_calibrations *calibrations)
{
    if (!calibrations)
        return;
    free(calibrations->rows);
    assay_texts_free(&calibrations->texts);
    *calibrations = (assay_calibrations) { .n = 0 };
}

/* ---- storing ---- */

static void write_row(const assay_calibrated *from, assay_calibration_row *row)
{
    const assay_calibration *c = &from->result;

    *row = (assay_calibration_row) { .case_version  = (int)from->case_version,
                                     .regime        = from->regime,
                                     .clock         = from->clock,
                                     .n_comparisons = c->n,
                                     .false_slower  = c->slower_rate,
                                     .false_faster  = c->faster_rate,
                                     .cannot_tell   = c->cannot_tell_rate,
                                     .band          = c->band,
                                     .process_sd    = c->process_sd,
                                     .process_df    = c->process_df };
    (void)assay_text_set(row->case_name, sizeof row->case_name, "%s", from->case_name);
    (void)assay_text_set(row->runs, sizeof row->runs, "%s", from->runs);
    (void)assay_text_set(row->device_kind, sizeof row->device_kind, "%s", from->device_kind);
    (void)assay_text_set(row->device_name, sizeof row->device_name, "%s", from->device_name);
    (void)assay_text_set(row->key, sizeof row->key, "%s", from->key);
    (void)assay_text_set(row->tuning, sizeof row->tuning, "%s", from->tuning);
    (void)assay_text_set(row->method, sizeof row->method,
                         "99 %% of A/A effects lie within, by an upper 95 %% bound");
}

assay_status assay_calibrations_record(assay_store *store, const assay_calibrations *calibrations,
                                       int64_t *n)
{
    assay_calibration_row *rows      = malloc(((size_t)calibrations->n + 1) * sizeof *rows);
    int64_t                n_rows    = 0;
    bool                   is_worthy = false;
    assay_status           st        = ASSAY_OK;

    *n = 0;
    ASSAY_REQUIRE(rows, ASSAY_E_MEMORY, "out of memory for %lld calibrations",
                  (long long)calibrations->n);
    for (int64_t i = 0; i < calibrations->n; i++) {
        const assay_calibrated *from = &calibrations->rows[i];

        if (!from->key[0]) {
            is_worthy = isfinite(from->result.band);
            *n += is_worthy;
        }
        if (is_worthy && from->result.n > 0)
            write_row(from, &rows[n_rows++]);
    }
    ASSAY_CHECK(assay_store_write_calibrations(store, rows, n_rows));
out:
    free(rows);
    return st;
}
