/* What the store writes of a measurement: policy, statistics, blocks with their samples. */
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
    static const char *const flush_kinds[] = {
        [ASSAY_FLUSH_WRITE] = "write", [ASSAY_FLUSH_READ] = "read"
    };
    const assay_policy *policy = row;
    const bool is_known        = policy->flush_kind >= 0 && policy->flush_kind <= ASSAY_FLUSH_READ;

    assay_bind_int(b, policy->n_processes);
    assay_bind_int(b, policy->n_blocks);
    assay_bind_real(b, policy->budget_s);
    assay_bind_real(b, policy->target_relative_error);
    assay_bind_int(b, policy->min_samples);
    assay_bind_int(b, policy->max_samples);
    assay_bind_int(b, policy->max_calls);
    assay_bind_real(b, policy->sample_target_ns);
    assay_bind_int(b, policy->warm_window);
    assay_bind_int(b, policy->max_warmup);
    assay_bind_int(b, policy->rewarm);
    assay_bind_real(b, policy->warm_agreement);
    assay_bind_real(b, policy->warm_share);
    ASSAY_BIND_TEXT(b, is_known ? flush_kinds[policy->flush_kind] : "");
    assay_bind_real(b, policy->short_ns);
    assay_bind_real(b, policy->floor_factor);
    assay_bind_real(b, policy->ceiling_margin);
    assay_bind_real(b, policy->clock_gap_ns);
    assay_bind_real(b, policy->clock_gap_share);
    assay_bind_int(b, policy->invalid_reasons);
    assay_bind_int(b, policy->graph_calls);
    assay_bind_real(b, policy->graph_target_ns);
    assay_bind_real(b, policy->clock_tie);
    assay_bind_int(b, policy->confident_samples);
    assay_bind_int(b, ASSAY_METHOD_VERSION);
}

/* ---- measurement ---- */

static void bind_reals(assay_binder *b, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assay_bind_real(b, values[i]);
}

static void bind_statistics(assay_binder *b, const assay_measurement_row *row)
{
    const double statistics[] = { row->median_ns,      row->mean_ns,       row->min_ns,
                                  row->max_ns,         row->p05_ns,        row->q1_ns,
                                  row->q3_ns,          row->p95_ns,        row->stdev_ns,
                                  row->process_spread, row->median_cycles, row->sm_clock_mhz };
    const size_t n            = sizeof statistics / sizeof statistics[0];

    assay_bind_int(b, row->n_samples);
    assay_bind_int(b, row->n_blocks);
    assay_bind_int(b, row->n_processes);
    assay_bind_int(b, row->launches_per_sample);
    if (row->n_samples > 0)
        bind_reals(b, statistics, n);
    else /* all were invalid: there is no statistic */
        for (size_t i = 0; i < n; i++)
            assay_bind_null(b);
    assay_bind_int(b, row->n_throttled);
    assay_bind_int(b, row->n_discarded);
}

static void bind_work(assay_binder *b, const assay_measurement_row *row, int64_t policy_id)
{
    ASSAY_BIND_ARRAY(b, row->stop_reason);
    assay_bind_int(b, policy_id);
    assay_bind_real(b, row->flush_bytes);
    assay_bind_int(b, row->n_warmup);
    assay_bind_real(b, row->wall_s);
    ASSAY_BIND_ARRAY(b, row->nvml);
    ASSAY_BIND_ARRAY(b, row->tuning);
    assay_bind_int(b, row->bytes_declared);
    assay_bind_count(b, row->bytes_moved);
    assay_bind_real(b, row->flops);
}

static void bind_judgement(assay_binder *b, const assay_measurement_row *row)
{
    assay_bind_int(b, row->decides);
    ASSAY_BIND_ARRAY(b, row->decision);
    assay_bind_real(b, row->floor_ns);
    assay_bind_int(b, row->is_below_floor);
    assay_bind_real(b, row->ceiling_bytes_per_s);
    assay_bind_real(b, row->ceiling_flops);
    assay_bind_int(b, row->working_set_bytes);
}

/* What else the samples say, of none nothing. */
static void bind_spread(assay_binder *b, const assay_measurement_row *row)
{
    const double values[] = { row->mad_ns, row->median_lo_ns, row->median_hi_ns, row->lag1,
                              row->drift_ns };
    const double none     = (double)NAN;

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assay_bind_real(b, row->n_samples > 0 ? values[i] : none);
    ASSAY_BIND_ARRAY(b, row->median_interval);
    assay_bind_real(b, row->energy_j);
}

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
    ASSAY_BIND_TEXT(&b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(&b, assay_clock_text(row->clock));
    bind_statistics(&b, row);
    bind_work(&b, row, policy_id);
    bind_judgement(&b, row);
    bind_spread(&b, row);
    ASSAY_CHECK(assay_store_run(&b, id));
out:
    return st;
}

/* ---- blocks ---- */

/* The samples of one block, packed. Freed by the caller. */
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

/* 0 as well: a worker that does not say it leaves it so, and no memory runs at 0 MHz. */
static void bind_before(assay_binder *b, const assay_block *block)
{
    assay_bind_count(b, block->memory_before_mhz > 0 ? block->memory_before_mhz : -1);
    assay_bind_count(b, block->temperature_before_c > 0 ? block->temperature_before_c : -1);
}

/* The middle is the one that pairs of blocks compare, not one that is found again here. */
static void bind_block(assay_binder *b, const assay_block *block)
{
    assay_bind_int(b, block->n_samples);
    assay_bind_count(b, block->n_throttled);
    assay_bind_count(b, block->n_discarded);
    assay_bind_count(b, block->process);
    assay_bind_count(b, block->order);
    assay_bind_real(b, block->start_s);
    assay_bind_real(b, block->n_samples > 0 ? block->median_ns : (double)NAN);
    assay_bind_real(b, block->median_cycles);
    assay_bind_real(b, block->sm_clock_mhz);
    assay_bind_count(b, block->reasons);
    assay_bind_count(b, block->memory_mhz);
    assay_bind_count(b, block->temperature_c);
    assay_bind_real(b, block->power_before_w);
    assay_bind_real(b, block->power_after_w);
    assay_bind_real(b, block->energy_j);
    bind_before(b, block);
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
    bind_block(&b, block);
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

/* Do the blocks share out just the samples that the row speaks of? */
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
