/* Keeps the rows of one point between worker and store. */
#include "record.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Grows an array by one element of `size` bytes and returns the new one, zeroed; NULL if it cannot.
 */
static void *append(void *array, int64_t *n, size_t size)
{
    void *memory = NULL;
    char *grown  = NULL;

    memcpy(&memory, array, sizeof memory);
    grown = realloc(memory, ((size_t)*n + 1) * size);
    if (!grown)
        return NULL;
    memory = grown;
    memcpy(array, &memory, sizeof memory);
    return memset(grown + (size_t)(*n)++ * size, 0, size);
}

/* The array in which rows of a kind wait. */
static const struct {
    size_t array, count, size; /* size 0: not kept here */
} shelf[ASSAY_N_ROWS] = {
#define SHELF(kind, name, type)                                                                    \
    [ASSAY_ROW_##                                                                                  \
        kind] = { offsetof(assay_record, name), offsetof(assay_record, n_##name), sizeof(type) }
    SHELF(CHECK, checks, assay_check_row),     SHELF(COMPARISON, comparisons, assay_comparison_row),
    SHELF(LAUNCH, launches, assay_launch_row), SHELF(SECTION, sections, assay_section_row),
    SHELF(METRIC, metrics, assay_metric_row),  SHELF(TRIAL, trials, assay_trial_row),
#undef SHELF
};

assay_status assay_record_put(assay_record *record, assay_row_kind kind, const void *row)
{
    const bool   is_known = (size_t)kind < ASSAY_N_ROWS && shelf[kind].size > 0;
    int64_t      n;
    void        *copy;
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(is_known, ASSAY_E_INTERNAL, "a row of kind %d waits for no verdict", (int)kind);
    memcpy(&n, (char *)record + shelf[kind].count, sizeof n);
    copy = append((char *)record + shelf[kind].array, &n, shelf[kind].size);
    ASSAY_REQUIRE(copy, ASSAY_E_MEMORY, "out of memory for a row of a point");
    memcpy(copy, row, shelf[kind].size);
    memcpy((char *)record + shelf[kind].count, &n, sizeof n);
out:
    return st;
}

assay_status assay_record_tell(assay_record *record, const assay_metric_row *row)
{
    for (int64_t i = 0; i < record->n_metrics; i++) {
        assay_metric_row *told = &record->metrics[i];

        if (strcmp(told->name, row->name) == 0 && strcmp(told->replay, row->replay) == 0) {
            if (row->value > told->value)
                told->value = row->value;
            return ASSAY_OK;
        }
    }
    return assay_record_put(record, ASSAY_ROW_METRIC, row);
}

assay_status assay_record_check(assay_record *record, const assay_check_row *row)
{
    return assay_record_put(record, ASSAY_ROW_CHECK, row);
}

/* ---- measurements ---- */

assay_record_measurement *assay_record_find(assay_record *record, assay_regime regime,
                                            assay_clock clock)
{
    for (int64_t i = 0; i < record->n_measurements; i++) {
        assay_record_measurement *m = &record->measurements[i];

        if (m->row.regime == regime && m->row.clock == clock)
            return m;
    }
    return NULL;
}

/* Makes room for `more` elements of `size` bytes after the first n; never 0 bytes. */
static assay_status make_room(void *array, int64_t n, int64_t more, size_t size)
{
    void        *memory = NULL;
    const size_t needed = ((size_t)n + (size_t)more) * size;

    memcpy(&memory, array, sizeof memory);
    memory = realloc(memory, needed > 0 ? needed : size);
    if (!memory)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for %lld samples", (long long)(n + more));
    memcpy(array, &memory, sizeof memory);
    return ASSAY_OK;
}

static assay_status append_samples(assay_samples *to, const assay_samples *from)
{
    const size_t n = (size_t)from->n;
    assay_status st;

    ASSAY_CHECK(make_room(&to->time_ns, to->n, from->n, sizeof *to->time_ns));
    ASSAY_CHECK(make_room(&to->sm_clock_mhz, to->n, from->n, sizeof *to->sm_clock_mhz));
    ASSAY_CHECK(make_room(&to->blocks, to->n_blocks, from->n_blocks, sizeof *to->blocks));
    if (n > 0)
        memcpy(to->time_ns + to->n, from->time_ns, n * sizeof *to->time_ns);
    for (size_t i = 0; i < n; i++)
        to->sm_clock_mhz[(size_t)to->n + i] =
            from->sm_clock_mhz ? from->sm_clock_mhz[i] : (double)NAN;
    if (from->n_blocks > 0)
        memcpy(to->blocks + to->n_blocks, from->blocks,
               (size_t)from->n_blocks * sizeof *to->blocks);
    to->n += from->n;
    to->n_blocks += from->n_blocks;
    to->capacity = to->n;
out:
    return st;
}

/* Adds the row of another process to that of the earlier ones. */
static void merge_row(assay_measurement_row *to, const assay_measurement_row *from)
{
    const char *weaker = assay_timer_weaker_reason(to->stop_reason, from->stop_reason);

    if (weaker == from->stop_reason)
        memcpy(to->stop_reason, from->stop_reason, sizeof to->stop_reason);
    /* Times are per call, so they can be put side by side; the blocks say how many calls they have.
     */
    if (from->launches_per_sample < to->launches_per_sample)
        to->launches_per_sample = from->launches_per_sample;
    to->n_warmup += from->n_warmup;
    to->wall_s += from->wall_s;
    if (!*to->nvml) /* if it is unknown in one process, it is unknown of all */
        memcpy(to->nvml, from->nvml, sizeof to->nvml);
}

/* 0 is a value: a clock may not have ticked meanwhile. */
static bool is_time(double time_ns) { return isfinite(time_ns) && time_ns >= 0; }

/* Otherwise the store would refuse them at the very end, or statistics would fail. */
bool assay_record_is_sound(const assay_measurement_row *row, const assay_samples *samples)
{
    int64_t n = 0;

    for (int64_t k = 0; k < samples->n_blocks; k++) {
        if (samples->blocks[k].n_samples < 0 || samples->blocks[k].n_samples > samples->n - n)
            return false;
        n += samples->blocks[k].n_samples;
    }
    for (int64_t i = 0; i < samples->n; i++)
        if (!is_time(samples->time_ns[i]))
            return false;
    return n == samples->n && row->n_samples == samples->n && row->n_blocks == samples->n_blocks;
}

assay_status assay_record_measure(assay_record *record, const assay_measurement_row *row,
                                  const assay_samples *samples)
{
    assay_record_measurement *m  = assay_record_find(record, row->regime, row->clock);
    assay_status              st = ASSAY_OK;

    ASSAY_REQUIRE(assay_record_is_sound(row, samples), ASSAY_E_INTERNAL,
                  "the %s/%s samples of a process do not fit their blocks, or are no times",
                  assay_regime_text(row->regime), assay_clock_text(row->clock));
    if (m) {
        merge_row(&m->row, row);
    } else {
        m = append(&record->measurements, &record->n_measurements, sizeof *m);
        ASSAY_REQUIRE(m, ASSAY_E_MEMORY, "out of memory for a measurement");
        m->row = *row;
    }
    ASSAY_CHECK(append_samples(&m->samples, samples));
    ASSAY_CHECK(assay_samples_summarize(&m->samples, &m->row));
out:
    return st;
}

/* ---- to the store ---- */

void assay_record_clear(assay_record *record)
{
    if (!record)
        return;
    for (int64_t i = 0; i < record->n_measurements; i++)
        assay_samples_free(&record->measurements[i].samples);
    free(record->measurements);
    free(record->checks);
    free(record->comparisons);
    free(record->launches);
    free(record->sections);
    free(record->metrics);
    free(record->trials);
    memset(record, 0, sizeof *record);
}

/* Measurements come first: what a comparison may say depends on them. */
static assay_status put_numbers(const assay_record *record, assay_store *store, int64_t point_id)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < record->n_measurements; i++) {
        const assay_record_measurement *m = &record->measurements[i];

        ASSAY_CHECK(assay_store_put_measurement(store, point_id, &m->row, m->samples.time_ns,
                                                m->samples.sm_clock_mhz, m->samples.blocks));
    }
    for (int64_t i = 0; i < record->n_comparisons; i++)
        ASSAY_CHECK(assay_store_put_comparison(store, point_id, &record->comparisons[i]));
    for (int64_t i = 0; i < record->n_launches; i++)
        ASSAY_CHECK(assay_store_put_launch(store, point_id, &record->launches[i]));
    for (int64_t i = 0; i < record->n_sections; i++)
        ASSAY_CHECK(assay_store_put_section(store, point_id, &record->sections[i]));
    for (int64_t i = 0; i < record->n_metrics; i++)
        ASSAY_CHECK(assay_store_put_metric(store, point_id, &record->metrics[i]));
out:
    return st;
}

/* A trial says why it has not passed, also without a time. */
static void strip_trials(assay_record *record)
{
    for (int64_t i = 0; i < record->n_trials; i++) {
        record->trials[i].median_ns = (double)NAN;
        record->trials[i].n_samples = 0;
    }
}

assay_status assay_record_store(assay_record *record, assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_store_begin_point(store, point_id));
    for (int64_t i = 0; i < record->n_checks; i++)
        ASSAY_CHECK(assay_store_put_check(store, point_id, &record->checks[i]));
    if (verdict->verdict == ASSAY_PASS)
        ASSAY_CHECK(put_numbers(record, store, point_id));
    else
        strip_trials(record);
    for (int64_t i = 0; i < record->n_trials; i++)
        ASSAY_CHECK(assay_store_put_trial(store, point_id, &record->trials[i]));
    ASSAY_CHECK(assay_store_finish_point(store, point_id, verdict));
out:
    assay_record_clear(record);
    return st;
}
