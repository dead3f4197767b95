/* What the store writes beside checks and measurements: comparisons, launches, sections, counters
 * and tuning trials of a point, and what the device can do. */
#include "store_internal.h"

#include <math.h>
#include <string.h>

static void bind_comparison(assay_binder *b, const void *data)
{
    const assay_comparison_row *row  = data;
    const double                none = (double)NAN;

    ASSAY_BIND_ARRAY(b, row->kind);
    ASSAY_BIND_ARRAY(b, row->against);
    ASSAY_BIND_TEXT(b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(b, assay_clock_text(row->clock));
    assay_bind_int(b, row->is_known);
    assay_bind_real(b, row->is_known ? row->ratio : none);
    assay_bind_real(b, row->is_known ? row->lo : none);
    assay_bind_real(b, row->is_known ? row->hi : none);
    assay_bind_int(b, row->n_pairs);
    assay_bind_int(b, row->n_processes);
    ASSAY_BIND_ARRAY(b, row->reason);
}

assay_status assay_store_put_comparison(assay_store *store, int64_t point_id,
                                        const assay_comparison_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_COMPARISON, bind_comparison, row,
                               true);
}

static void bind_launch(assay_binder *b, const void *data)
{
    const assay_launch_row *row = data;

    assay_bind_int(b, row->ordinal);
    ASSAY_BIND_ARRAY(b, row->kernel);
    for (int i = 0; i < 3; i++)
        assay_bind_int(b, row->grid[i]);
    for (int i = 0; i < 3; i++)
        assay_bind_int(b, row->block[i]);
    assay_bind_count(b, row->registers);
    assay_bind_count(b, row->local_bytes);
    assay_bind_count(b, row->static_shared_bytes);
    assay_bind_count(b, row->dynamic_shared_bytes);
    ASSAY_BIND_ARRAY(b, row->code_hash);
    assay_bind_real(b, row->time_ns);
}

assay_status assay_store_put_launch(assay_store *store, int64_t point_id,
                                    const assay_launch_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_LAUNCH, bind_launch, row, true);
}

static void bind_section(assay_binder *b, const void *data)
{
    const assay_section_row *row = data;

    ASSAY_BIND_ARRAY(b, row->name);
    assay_bind_int(b, row->launches);
    assay_bind_real(b, row->time_ns);
    assay_bind_real(b, row->share);
}

assay_status assay_store_put_section(assay_store *store, int64_t point_id,
                                     const assay_section_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_SECTION, bind_section, row, true);
}

static void bind_metric(assay_binder *b, const void *data)
{
    const assay_metric_row *row    = data;
    const bool              has_it = strncmp(row->status, "ok", sizeof row->status) == 0;

    ASSAY_BIND_ARRAY(b, row->name);
    ASSAY_BIND_ARRAY(b, row->status);
    ASSAY_BIND_ARRAY(b, row->reason);
    assay_bind_real(b, has_it ? row->value : (double)NAN);
    assay_bind_count(b, row->n_passes);
    ASSAY_BIND_ARRAY(b, row->replay);
}

assay_status assay_store_put_metric(assay_store *store, int64_t point_id,
                                    const assay_metric_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_METRIC, bind_metric, row, true);
}

static void bind_trial(assay_binder *b, const void *data)
{
    const assay_trial_row *row = data;

    ASSAY_BIND_ARRAY(b, row->tuning);
    ASSAY_BIND_TEXT(b, assay_verdict_text(row->verdict));
    ASSAY_BIND_ARRAY(b, row->reason);
    ASSAY_BIND_TEXT(b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(b, assay_clock_text(row->clock));
    assay_bind_int(b, row->n_samples);
    assay_bind_real(b, row->median_ns);
    assay_bind_int(b, row->is_chosen);
    if (isnan(row->median_ns))
        assay_bind_null(b); /* without a time it needs no PASS of the point */
    else
        ASSAY_BIND_TEXT(b, assay_verdict_text(ASSAY_PASS));
}

assay_status assay_store_put_trial(assay_store *store, int64_t point_id, const assay_trial_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_TRIAL, bind_trial, row,
                               !isnan(row->median_ns));
}

assay_status assay_store_put_ceiling(assay_store *store, int64_t run_id,
                                     const assay_ceiling_row *row)
{
    assay_binder b;
    assay_status st;

    ASSAY_REQUIRE(!store->open_point && !store->is_planning, ASSAY_E_INTERNAL,
                  "a point or a plan is open: no ceiling can be put");
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_CEILING, &b));
    assay_bind_int(&b, run_id);
    ASSAY_BIND_ARRAY(&b, row->kind);
    ASSAY_BIND_TEXT(&b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(&b, assay_clock_text(row->clock));
    assay_bind_int(&b, row->working_set_bytes);
    assay_bind_int(&b, row->n_samples);
    assay_bind_real(&b, row->median_ns);
    assay_bind_real(&b, row->rate);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}
