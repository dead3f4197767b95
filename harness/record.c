/* The rows of one point between worker and store. */
#include "record.h"

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

assay_status assay_record_check(assay_record *record, const assay_check_row *row)
{
    assay_check_row *copy = append(&record->checks, &record->n_checks, sizeof *copy);

    if (!copy)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a check");
    *copy = *row;
    return ASSAY_OK;
}

static void *duplicate(const void *from, size_t size)
{
    void *copy = malloc(size ? size : 1);

    return copy ? memcpy(copy, from, size) : NULL;
}

assay_status assay_record_measure(assay_record *record, const assay_measurement_row *row,
                                  const assay_samples *samples)
{
    assay_status              st = ASSAY_OK;
    assay_record_measurement *m = append(&record->measurements, &record->n_measurements, sizeof *m);

    ASSAY_REQUIRE(m, ASSAY_E_MEMORY, "no memory for a measurement");
    m->row               = *row;
    m->samples.n         = row->n_samples;
    m->samples.n_blocks  = row->n_blocks;
    m->samples.time_ns   = duplicate(samples->time_ns, (size_t)row->n_samples * sizeof(double));
    m->samples.block_end = duplicate(samples->block_end, (size_t)row->n_blocks * sizeof(int64_t));
    ASSAY_REQUIRE(m->samples.time_ns && m->samples.block_end, ASSAY_E_MEMORY,
                  "no memory for samples");
out:
    return st;
}

void assay_record_clear(assay_record *record)
{
    if (!record)
        return;
    for (int64_t i = 0; i < record->n_measurements; i++)
        assay_samples_free(&record->measurements[i].samples);
    free(record->measurements);
    free(record->checks);
    memset(record, 0, sizeof *record);
}

assay_status assay_record_store(assay_record *record, assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict)
{
    assay_status  st         = ASSAY_OK;
    const int64_t n_measured = verdict->verdict == ASSAY_PASS ? record->n_measurements : 0;

    ASSAY_CHECK(assay_store_begin_point(store, point_id));
    for (int64_t i = 0; i < record->n_checks; i++)
        ASSAY_CHECK(assay_store_put_check(store, point_id, &record->checks[i]));
    for (int64_t i = 0; i < n_measured; i++)
        ASSAY_CHECK(assay_store_put_measurement(store, point_id, &record->measurements[i].row,
                                                record->measurements[i].samples.time_ns,
                                                record->measurements[i].samples.block_end));
    ASSAY_CHECK(assay_store_finish_point(store, point_id, verdict));
out:
    assay_record_clear(record);
    return st;
}
