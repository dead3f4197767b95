/* Writes annotations, accepted baselines, calibrations and changes. */
#include "store_internal.h"

#include "base/uuid.h"

/* uuid: of the row. Each row is its own transaction, unless the caller has begun one. */
static assay_status add_row(assay_store *store, assay_statement add, assay_table_id table,
                            void *row, char uuid[40])
{
    assay_binder b;
    assay_status st;

    ASSAY_REQUIRE(!store->open_point && !store->is_planning, ASSAY_E_INTERNAL,
                  "a point or a plan is open: nothing else can be written");
    ASSAY_CHECK(assay_uuid_make(uuid, 40));
    ASSAY_CHECK(assay_store_prepare(store, add, &b));
    assay_bind_row(&b, table, row);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

assay_status assay_store_annotate(assay_store *store, assay_annotation_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->text[0], ASSAY_E_USAGE, "an annotation has no words");
    ASSAY_REQUIRE(row->series[0] || row->run_uuid[0], ASSAY_E_USAGE,
                  "an annotation is about neither a series nor a run");
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_ANNOTATION, ASSAY_TABLE_ANNOTATION, row, row->uuid));
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

assay_status assay_store_accept(assay_store *store, assay_accepted_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->name[0], ASSAY_E_USAGE, "a baseline has no name");
    ASSAY_CHECK(require_run(store, row->run_uuid, sizeof row->run_uuid));
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_ACCEPTED, ASSAY_TABLE_ACCEPTED, row, row->uuid));
out:
    return st;
}

static assay_status write_calibration(assay_store *store, assay_calibration_row *row)
{
    assay_status st;

    ASSAY_REQUIRE(row->n_comparisons > 0, ASSAY_E_USAGE, "a calibration has no comparisons");
    ASSAY_REQUIRE(row->device_kind[0], ASSAY_E_USAGE, "a calibration names no device");
    ASSAY_CHECK(add_row(store, ASSAY_SQL_ADD_CALIBRATION, ASSAY_TABLE_CALIBRATION, row, row->uuid));
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

assay_status assay_store_write_changes(assay_store *store, assay_change_row *rows, int64_t n)
{
    assay_status st;

    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point or a plan is open: no change can be written");
    ASSAY_CHECK(assay_store_begin(store));
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(
            add_row(store, ASSAY_SQL_ADD_CHANGE, ASSAY_TABLE_CHANGE, &rows[i], rows[i].uuid));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
