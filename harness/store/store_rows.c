/* Writes comparisons, launches, sections, counters and tuning trials of a point, and ceilings. */
#include "store_internal.h"

#include "base/text.h"

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

static assay_status add_trial(assay_store *store, int64_t point_id, const assay_trial_row *row)
{
    assay_binder b;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_TRIAL, &b));
    assay_bind_int(&b, point_id);
    assay_bind_row(&b, ASSAY_TABLE_TRIAL, row);
    if (isnan(row->median_ns))
        assay_bind_null(&b); /* without a time it does not need a PASS of the point */
    else
        ASSAY_BIND_TEXT(&b, assay_verdict_text(ASSAY_PASS));
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

assay_status assay_store_plan_tuning(assay_store *store, int64_t point_id, const char *tuning,
                                     const char *tuned_by)
{
    assay_trial_row row = { .verdict = ASSAY_PASS, .median_ns = (double)NAN, .is_chosen = true };

    if (!store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "no plan is open: no point of it can be tuned");
    (void)assay_text_set(row.tuning, sizeof row.tuning, "%s", tuning);
    (void)assay_text_set(row.reason, sizeof row.reason, "%s", tuned_by);
    return add_trial(store, point_id, &row);
}

assay_status assay_store_put_trial(assay_store *store, int64_t point_id, const assay_trial_row *row)
{
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(add_trial(store, point_id, row));
    store->n_numbers += !isnan(row->median_ns);
out:
    return st == ASSAY_OK ? st : assay_store_undo_point(store, st);
}

assay_status assay_store_take_ceilings(assay_store *store, int64_t run_id, double max_age_s,
                                       int64_t *n_taken)
{
    assay_binder b;
    assay_status st;

    ASSAY_REQUIRE(!store->open_point && !store->is_planning, ASSAY_E_INTERNAL,
                  "a point or a plan is open: no ceilings can be taken over");
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_TAKE_CEILINGS, &b));
    assay_bind_int(&b, run_id);
    assay_bind_real(&b, max_age_s);
    ASSAY_CHECK(assay_store_run(&b, NULL));
    *n_taken = sqlite3_changes64(store->db);
out:
    return st;
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
