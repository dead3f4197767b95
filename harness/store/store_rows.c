/* What the store writes beside checks and measurements: comparisons, launches, sections, counters
 * and tuning trials of a point, and what the device can do. */
#include "store_internal.h"

#include <math.h>

assay_status assay_store_put_comparison(assay_store *store, int64_t point_id,
                                        const assay_comparison_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_COMPARISON, row, true);
}

assay_status assay_store_put_launch(assay_store *store, int64_t point_id,
                                    const assay_launch_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_LAUNCH, row, true);
}

assay_status assay_store_put_section(assay_store *store, int64_t point_id,
                                     const assay_section_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_SECTION, row, true);
}

assay_status assay_store_put_metric(assay_store *store, int64_t point_id,
                                    const assay_metric_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_METRIC, row, true);
}

assay_status assay_store_put_trial(assay_store *store, int64_t point_id, const assay_trial_row *row)
{
    const bool   is_timed = !isnan(row->median_ns);
    assay_binder b;
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_TRIAL, &b));
    assay_bind_int(&b, point_id);
    assay_bind_row(&b, ASSAY_TABLE_TRIAL, row);
    if (is_timed)
        ASSAY_BIND_TEXT(&b, assay_verdict_text(ASSAY_PASS));
    else
        assay_bind_null(&b); /* without a time it needs no PASS of the point */
    ASSAY_CHECK(assay_store_run(&b, NULL));
    store->n_numbers += is_timed;
out:
    return st == ASSAY_OK ? st : assay_store_undo_point(store, st);
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
    assay_bind_row(&b, ASSAY_TABLE_CEILING, row);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}
