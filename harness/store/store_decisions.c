/* What the store writes of people and of comparisons between runs: annotations, accepted baselines,
 * calibrations, changes. */
#include "store_internal.h"

#include "base/uuid.h"

#include <math.h>

/* Each row is one transaction of its own, unless a caller has begun one. */
static assay_status add_row(assay_store *store, assay_statement add, assay_bind_fn *bind, void *row,
                            char uuid[40])
{
    assay_binder b;
    assay_status st;

    ASSAY_REQUIRE(!store->open_point && !store->is_planning, ASSAY_E_INTERNAL,
                  "a point or a plan is open: nothing else can be written");
    ASSAY_CHECK(assay_uuid_make(uuid, 40));
    ASSAY_CHECK(assay_store_prepare(store, add, &b));
    assay_bind_text(&b, uuid, 40);
    bind(&b, row);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

static void bind_annotation(assay_binder *b, const void *data)
{
    const assay_annotation_row *row = data;

    ASSAY_BIND_ARRAY(b, row->series);
    ASSAY_BIND_ARRAY(b, row->run_uuid);
    ASSAY_BIND_ARRAY(b, row->text);
    ASSAY_BIND_ARRAY(b, row->who);
}

assay_status assay_store_annotate(assay_store *store, assay_annotation_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->text[0], ASSAY_E_USAGE, "an annotation has no words");
    ASSAY_REQUIRE(row->series[0] || row->run_uuid[0], ASSAY_E_USAGE,
                  "an annotation is about neither a series nor a run");
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_ANNOTATION, bind_annotation, row, row->uuid));
out:
    return st;
}

static assay_status require_run(assay_store *store, const char *uuid, size_t size)
{
    int64_t      id    = 0;
    bool         found = false;
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_FIND_RUN, &b));
    assay_bind_text(&b, uuid, size);
    ASSAY_CHECK(assay_store_find(&b, &id, &found));
    ASSAY_REQUIRE(found, ASSAY_E_USAGE, "%s holds no run '%.*s'", store->path, (int)size, uuid);
out:
    return st;
}

static void bind_accepted(assay_binder *b, const void *data)
{
    const assay_accepted_row *row = data;

    ASSAY_BIND_ARRAY(b, row->name);
    ASSAY_BIND_ARRAY(b, row->run_uuid);
    ASSAY_BIND_ARRAY(b, row->why);
    ASSAY_BIND_ARRAY(b, row->who);
}

assay_status assay_store_accept(assay_store *store, assay_accepted_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->name[0], ASSAY_E_USAGE, "a baseline has no name");
    ASSAY_CHECK(require_run(store, row->run_uuid, sizeof row->run_uuid));
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_ACCEPTED, bind_accepted, row, row->uuid));
out:
    return st;
}

static void bind_calibration(assay_binder *b, const void *data)
{
    const assay_calibration_row *row = data;

    ASSAY_BIND_ARRAY(b, row->case_name);
    assay_bind_int(b, row->case_version);
    ASSAY_BIND_TEXT(b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(b, assay_clock_text(row->clock));
    ASSAY_BIND_ARRAY(b, row->device_kind);
    ASSAY_BIND_ARRAY(b, row->device_name);
    ASSAY_BIND_ARRAY(b, row->key);
    ASSAY_BIND_ARRAY(b, row->tuning);
    assay_bind_int(b, row->n_comparisons);
    assay_bind_real(b, row->false_slower);
    assay_bind_real(b, row->false_faster);
    assay_bind_real(b, row->cannot_tell);
    assay_bind_real(b, row->band);
    assay_bind_real(b, row->process_df > 0 ? row->process_sd : (double)NAN);
    assay_bind_count(b, row->process_df > 0 && !isnan(row->process_sd) ? row->process_df : -1);
    ASSAY_BIND_ARRAY(b, row->method);
    ASSAY_BIND_ARRAY(b, row->runs);
}

static assay_status write_calibration(assay_store *store, assay_calibration_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->n_comparisons > 0, ASSAY_E_USAGE,
                  "a calibration stands on no comparison at all");
    ASSAY_REQUIRE(row->device_kind[0], ASSAY_E_USAGE, "a calibration names no device");
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_CALIBRATION, bind_calibration, row, row->uuid));
out:
    return st;
}

assay_status assay_store_write_calibrations(assay_store *store, assay_calibration_row *rows,
                                            int64_t n)
{
    assay_status st;

    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL,
                          "a point or a plan is open: no calibration can be written");
    ASSAY_CHECK(assay_store_begin(store));
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(write_calibration(store, &rows[i]));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}

static void bind_change(assay_binder *b, const void *data)
{
    const assay_change_row *row       = data;
    const double            numbers[] = { row->effect,    row->lo,          row->hi,
                                          row->p,         row->p_corrected, row->cycles_effect,
                                          row->threshold, row->band };

    ASSAY_BIND_ARRAY(b, row->from_run);
    ASSAY_BIND_ARRAY(b, row->to_run);
    ASSAY_BIND_ARRAY(b, row->from_key);
    ASSAY_BIND_ARRAY(b, row->to_key);
    ASSAY_BIND_TEXT(b, assay_regime_text(row->regime));
    ASSAY_BIND_TEXT(b, assay_clock_text(row->clock));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assay_bind_real(b, numbers[i]);
    ASSAY_BIND_ARRAY(b, row->verdict);
    ASSAY_BIND_ARRAY(b, row->reason);
}

assay_status assay_store_write_changes(assay_store *store, assay_change_row *rows, int64_t n)
{
    assay_status st;

    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point or a plan is open: no change can be written");
    ASSAY_CHECK(assay_store_begin(store));
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_CHANGE, bind_change, &rows[i], rows[i].uuid));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
