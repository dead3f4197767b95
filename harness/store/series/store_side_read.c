/* Reads the findings and measurements of the runs of one side. */
#include "store_side.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROCESSES_OF_A_RUN = 1 << 16 /* keeps the processes of pooled runs apart */
};

/* One run that is being read into its side. */
typedef struct reading {
    assay_side              *side;
    const assay_side_filter *filter;
    int64_t                  run_place;               /* index among the runs of the side */
    int64_t                  first_point, first_time; /* of this run */
    int64_t                  at; /* position in the rows that are walked along with the query's */
} reading;

static assay_status fail_memory(void)
{
    return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the points of a run");
}

/* ---- the filter ---- */

static bool is_among(const char *word, const char *const *words, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return n == 0;
}

/* Is `value`, written with escapes, one of the words between commas? */
static bool is_listed(const char *value, size_t n_value, const char *list)
{
    char   plain[ASSAY_NAME_SIZE];
    size_t n = 0;

    for (size_t i = 0; i < n_value && n + 1 < sizeof plain; i++) {
        i += value[i] == '\\' && i + 1 < n_value;
        plain[n++] = value[i];
    }
    for (;;) {
        const size_t length = strcspn(list, ",");

        if (length == n && memcmp(list, plain, n) == 0)
            return true;
        if (!list[length])
            return false;
        list += length + 1;
    }
}

/* Returns the length up to the `;` that ends a value; an escaped one does not. */
static size_t value_length(const char *text)
{
    size_t n = 0;

    while (text[n] && text[n] != ';')
        n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    return n;
}

bool assay_side_has_axis(const char *axes, const char *wanted)
{
    const size_t n_name = strcspn(wanted, "=");

    if (wanted[n_name] != '=')
        return false;
    while (*axes) {
        const size_t length = value_length(axes);

        if (length > n_name && strncmp(axes, wanted, n_name + 1) == 0)
            return is_listed(axes + n_name + 1, length - n_name - 1, wanted + n_name + 1);
        axes += length + (axes[length] == ';');
    }
    return false;
}

bool assay_side_is_wanted(const assay_side_filter *f, assay_cursor *row)
{
    if (!is_among(assay_row_text(row, "case_name"), f->cases, f->n_cases) ||
        !is_among(assay_row_text(row, "variant"), f->variants, f->n_variants))
        return false;
    for (int i = 0; i < f->n_axes; i++)
        if (!assay_side_has_axis(assay_row_text(row, "axes"), f->axes[i]))
            return false;
    return !f->point || strcmp(f->point, assay_row_text(row, "key")) == 0;
}

/* ---- rows of one run ---- */

static assay_status add_point(void *context, assay_cursor *row)
{
    reading          *r    = context;
    assay_side       *side = r->side;
    assay_texts      *t    = &side->texts;
    assay_side_point *point;

    if (!assay_side_is_wanted(r->filter, row))
        return ASSAY_OK;
    if (!assay_grow((void **)&side->points, side->n_points, &side->point_capacity,
                    sizeof *side->points))
        return fail_memory();
    point  = &side->points[side->n_points++];
    *point = (assay_side_point) {
        .key          = assay_texts_keep(t, assay_row_text(row, "key")),
        .case_name    = assay_texts_keep(t, assay_row_text(row, "case_name")),
        .variant      = assay_texts_keep(t, assay_row_text(row, "variant")),
        .axes         = assay_texts_keep(t, assay_row_text(row, "axes")),
        .outcome      = assay_texts_keep(t, assay_row_text(row, "outcome")),
        .verdict      = assay_texts_keep(t, assay_row_text(row, "verdict")),
        .reason       = assay_texts_keep(t, assay_row_text(row, "reason")),
        .case_version = assay_row_count(row, "case_version"),
        .point_id     = assay_row_count(row, "point_id"),
    };
    return t->status;
}

/* Returns the point of this run that a row belongs to; NULL if it was left out. Rows are in the
 * order of the points. */
static const assay_side_point *owner_of(reading *r, int64_t point_id)
{
    const assay_side *side = r->side;

    while (r->at < side->n_points && side->points[r->at].point_id < point_id)
        r->at++;
    return r->at < side->n_points && side->points[r->at].point_id == point_id ? &side->points[r->at]
                                                                              : NULL;
}

/* The uncertainty of a call's time from the tick of its clock. A device's clock ticks; the host's
 * does not, as far as can be seen. */
static double step_of(assay_cursor *row, assay_clock clock)
{
    const double calls = assay_row_number(row, "launches_per_sample");

    if (clock == ASSAY_CLOCK_NONE || clock == ASSAY_CLOCK_HOST || !(calls >= 1))
        return 0;
    return assay_compare_step(ASSAY_DEVICE_TICK_NS / calls, assay_row_number(row, "p05_ns"),
                              assay_row_number(row, "p95_ns"));
}

static assay_status add_time(void *context, assay_cursor *row)
{
    reading                *r     = context;
    assay_side             *side  = r->side;
    assay_texts            *t     = &side->texts;
    const assay_side_point *owner = owner_of(r, assay_row_count(row, "point_id"));
    const assay_regime      wants = r->filter->regime;
    assay_regime            regime;
    assay_clock             clock;
    assay_side_time        *time;
    char                    doubt[ASSAY_REASON_SIZE];
    assay_status            st;

    ASSAY_CHECK(assay_cell_metric(row, &regime, &clock));
    if (!owner || (wants && wants != regime))
        goto out;
    ASSAY_REQUIRE(
        assay_grow((void **)&side->times, side->n_times, &side->time_capacity, sizeof *time),
        ASSAY_E_MEMORY, "out of memory for the points of a run");
    time  = &side->times[side->n_times++];
    *time = (assay_side_time) {
        .key         = owner->key,
        .regime      = regime,
        .clock       = clock,
        .device_kind = assay_texts_keep(t, assay_row_text(row, "device_kind")),
        .device_name = assay_texts_keep(t, assay_row_text(row, "device_name")),
        .undecided   = assay_texts_keep(t, assay_row_text(row, "cannot_tell")),
        .mixed       = "",
        .doubt       = clock ? assay_texts_keep(t, assay_cell_doubt(row, doubt, sizeof doubt)) : "",
        .time_ns     = assay_row_number(row, "median_ns"),
        .point_id    = owner->point_id,
        .measurement_id = assay_row_count(row, "measurement_id"),
    };
    time->step_ns = step_of(row, clock);
    assay_conditions_read(row, t, &time->conditions);
    st = t->status;
out:
    return st;
}

static bool is_before(const assay_side_time *time, int64_t point_id, int64_t measurement_id)
{
    return time->point_id < point_id ||
           (time->point_id == point_id && time->measurement_id < measurement_id);
}

static assay_status add_block(void *context, assay_cursor *row)
{
    reading         *r           = context;
    assay_side      *side        = r->side;
    const int64_t    point       = assay_row_count(row, "point_id");
    const int64_t    measurement = assay_row_count(row, "measurement_id");
    assay_side_time *time;

    while (r->at < side->n_times && is_before(&side->times[r->at], point, measurement))
        r->at++;
    time = r->at < side->n_times ? &side->times[r->at] : NULL;
    if (!time || time->point_id != point || time->measurement_id != measurement)
        return ASSAY_OK;
    if (!assay_grow((void **)&time->blocks, time->n_blocks, &time->capacity, sizeof *time->blocks))
        return fail_memory();
    time->blocks[time->n_blocks++] = (assay_compare_block) {
        .process = assay_row_count(row, "process") + PROCESSES_OF_A_RUN * r->run_place,
        .time_ns = assay_row_number(row, "median_ns"),
        .cycles  = assay_row_number(row, "median_cycles"),
    };
    return ASSAY_OK;
}

static assay_status read_run(assay_store *store, const assay_side_run *run, reading *r)
{
    assay_status st;

    r->at = r->first_point = r->side->n_points;
    r->first_time          = r->side->n_times;
    ASSAY_CHECK(assay_store_each_row(store, "compare_points", run->run_id, add_point, r));
    ASSAY_CHECK(assay_store_each_row(store, "compare_times", run->run_id, add_time, r));
    r->at = r->first_time;
    ASSAY_CHECK(assay_store_each_row(store, "compare_blocks", run->run_id, add_block, r));
out:
    return st;
}

/* ---- the side ---- */

static void keep_run(assay_side *side, const assay_side_run *from, assay_side_run *to)
{
    *to             = *from;
    to->uuid        = assay_texts_keep(&side->texts, from->uuid);
    to->started_utc = assay_texts_keep(&side->texts, from->started_utc);
    to->git_commit  = assay_texts_keep(&side->texts, from->git_commit);
    to->binary_id   = assay_texts_keep(&side->texts, from->binary_id);
    to->kernels_id  = assay_texts_keep(&side->texts, from->kernels_id);
    to->program     = assay_texts_keep(&side->texts, from->program);
}

assay_status assay_side_read_runs(assay_store *store, const assay_side_run *runs, int64_t n,
                                  const assay_side_filter *filter, assay_side *side)
{
    reading      r  = { .side = side, .filter = filter };
    assay_status st = ASSAY_OK;

    *side      = (assay_side) { .path = "", .name = "" };
    side->runs = calloc((size_t)n + 1, sizeof *side->runs);
    ASSAY_REQUIRE(side->runs, ASSAY_E_MEMORY, "out of memory for %lld runs", (long long)n);
    for (r.run_place = 0; r.run_place < n; r.run_place++) {
        keep_run(side, &runs[r.run_place], &side->runs[side->n_runs++]);
        ASSAY_CHECK(read_run(store, &runs[r.run_place], &r));
    }
    ASSAY_CHECK(assay_side_pool(side));
    ASSAY_CHECK(side->texts.status);
out:
    return st;
}

void assay_side_free(assay_side *side)
{
    if (!side)
        return;
    for (int64_t i = 0; i < side->n_times; i++)
        free(side->times[i].blocks);
    free(side->times);
    free(side->points);
    free(side->runs);
    free(side->known);
    assay_texts_free(&side->texts);
    *side = (assay_side) { .n_runs = 0 };
}
