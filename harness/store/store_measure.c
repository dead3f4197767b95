/* Writes measurements: policy, statistics, and blocks with their samples. */
#include "store_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    SAMPLE_BYTES = 8
};

/* ---- policy ---- */

static void bind_policy(assay_binder *b, const void *row)
{
    assay_bind_row(b, ASSAY_TABLE_POLICY, row);
    assay_bind_int(b, ASSAY_METHOD_VERSION);
}

/* ---- measurement ---- */

static assay_status add_measurement(assay_store *store, int64_t point_id,
                                    const assay_measurement_row *row, int64_t *id)
{
    int64_t      policy_id = 0;
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_share_row(store, ASSAY_SQL_FIND_POLICY, ASSAY_SQL_ADD_POLICY,
                                      bind_policy, &row->policy, &policy_id));
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_MEASUREMENT, &b));
    assay_bind_int(&b, point_id);
    assay_bind_int(&b, policy_id);
    assay_bind_row(&b, ASSAY_TABLE_MEASUREMENT, row);
    ASSAY_CHECK(assay_store_run(&b, id));
out:
    return st;
}

/* ---- blocks ---- */

/* The packed samples of one block. The caller frees. */
typedef struct {
    int64_t        n;
    const double  *time_ns, *clock_mhz; /* clock_mhz NULL: of none */
    unsigned char *bytes, *clock_bytes; /* clock_bytes NULL likewise */
} packed_block;

static bool is_any_known(const double *values, int64_t n)
{
    for (int64_t i = 0; values && i < n; i++)
        if (!isnan(values[i]))
            return true;
    return false;
}

static assay_status pack_values(const double *values, int64_t n, unsigned char **bytes)
{
    *bytes = malloc(n > 0 ? (size_t)n * SAMPLE_BYTES : 1);
    if (!*bytes)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for %" PRId64 " samples", n);
    assay_samples_encode(values, n, *bytes);
    return ASSAY_OK;
}

static assay_status pack_block(packed_block *p)
{
    assay_status st;

    ASSAY_CHECK(pack_values(p->time_ns, p->n, &p->bytes));
    if (is_any_known(p->clock_mhz, p->n))
        ASSAY_CHECK(pack_values(p->clock_mhz, p->n, &p->clock_bytes));
out:
    return st;
}

static void bind_packed(assay_binder *b, const unsigned char *bytes, int64_t n)
{
    const size_t size = (size_t)n * SAMPLE_BYTES;

    if (bytes) {
        assay_bind_int(b, assay_crc32(bytes, size));
        assay_bind_blob(b, bytes, size);
    } else {
        assay_bind_null(b);
        assay_bind_null(b);
    }
}

static assay_status add_block(assay_store *store, int64_t measurement_id, int64_t place,
                              const assay_block *block, packed_block *samples)
{
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(pack_block(samples));
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_BLOCK, &b));
    assay_bind_int(&b, measurement_id);
    assay_bind_int(&b, place);
    assay_bind_row(&b, ASSAY_TABLE_BLOCK, block);
    bind_packed(&b, samples->bytes, samples->n);
    bind_packed(&b, samples->clock_bytes, samples->n);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    free(samples->bytes);
    free(samples->clock_bytes);
    return st;
}

static assay_status add_blocks(assay_store *store, int64_t measurement_id, const double *time_ns,
                               const double *clock_mhz, const assay_block *blocks, int64_t n)
{
    assay_status st    = ASSAY_OK;
    int64_t      begin = 0;

    for (int64_t k = 0; k < n; k++) {
        packed_block samples = { .n         = blocks[k].n_samples,
                                 .time_ns   = time_ns + begin,
                                 .clock_mhz = clock_mhz ? clock_mhz + begin : NULL };

        ASSAY_CHECK(add_block(store, measurement_id, k, &blocks[k], &samples));
        begin += blocks[k].n_samples;
    }
out:
    return st;
}

/* Do the blocks divide exactly the samples of the row? */
static bool are_blocks_sound(const assay_measurement_row *row, const assay_block *blocks)
{
    int64_t left = row->n_samples;

    if (row->n_samples < 0 || row->n_blocks < 1)
        return false;
    for (int64_t k = 0; k < row->n_blocks; k++) {
        if (blocks[k].n_samples < 0 || blocks[k].n_samples > left)
            return false;
        left -= blocks[k].n_samples;
    }
    return left == 0;
}

assay_status assay_store_put_measurement(assay_store *store, int64_t point_id,
                                         const assay_measurement_row *row, const double *time_ns,
                                         const double *sm_clock_mhz, const assay_block *blocks)
{
    int64_t      id = 0;
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_REQUIRE(are_blocks_sound(row, blocks), ASSAY_E_INTERNAL,
                  "a measurement of %" PRId64 " samples in %" PRId64
                  " blocks whose counts do not fit",
                  row->n_samples, row->n_blocks);
    ASSAY_CHECK(add_measurement(store, point_id, row, &id));
    ASSAY_CHECK(add_blocks(store, id, time_ns, sm_clock_mhz, blocks, row->n_blocks));
    store->n_numbers++;
out:
    return st == ASSAY_OK ? st : assay_store_undo_point(store, st);
}
