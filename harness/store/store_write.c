/* Writes runs, plans, and points from their first row to their verdict. */
#include "store_internal.h"

#include "base/text.h"

#include <inttypes.h>

/* ---- rows that several others share ---- */

assay_status assay_store_share_row(assay_store *store, assay_statement find, assay_statement add,
                                   assay_bind_fn *bind, const void *row, int64_t *id)
{
    assay_binder b;
    bool         found = false;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, find, &b));
    bind(&b, row);
    ASSAY_CHECK(assay_store_find(&b, id, &found));
    if (found)
        goto out;
    ASSAY_CHECK(assay_store_prepare(store, add, &b));
    bind(&b, row);
    ASSAY_CHECK(assay_store_run(&b, id));
out:
    return st;
}

static void bind_build(assay_binder *b, const void *row)
{
    assay_bind_row(b, ASSAY_TABLE_BUILD, row);
}

static void bind_device(assay_binder *b, const void *row)
{
    assay_bind_row(b, ASSAY_TABLE_DEVICE, row);
}

typedef struct {
    int64_t                      device_id;
    const assay_device_info     *device;
    const assay_device_settings *settings;
} device_state;

static void bind_device_state(assay_binder *b, const void *row)
{
    const device_state *state = row;

    assay_bind_int(b, state->device_id);
    assay_bind_row(b, ASSAY_TABLE_DEVICE_STATE, state->device);
    assay_bind_row(b, ASSAY_TABLE_DEVICE_SETTINGS, state->settings);
}

/* ---- runs ---- */

static assay_status add_run(assay_store *store, const assay_run_row *run,
                            const assay_device_info *device, int64_t build_id, int64_t state_id,
                            int64_t *run_id)
{
    assay_run_row named = *run;
    assay_binder  b;
    assay_status  st;

    if (!named.reason[0])
        (void)assay_text_set(named.reason, sizeof named.reason, "local");
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_RUN, &b));
    assay_bind_int(&b, device->memory_free_bytes);
    assay_bind_int(&b, build_id);
    assay_bind_int(&b, state_id);
    assay_bind_row(&b, ASSAY_TABLE_RUN, &named);
    ASSAY_CHECK(assay_store_run(&b, run_id));
out:
    return st;
}

assay_status assay_store_begin_run(assay_store *store, const assay_run_row *run,
                                   const assay_device_info *device, int64_t *run_id)
{
    device_state state    = { .device = device, .settings = &run->device };
    int64_t      build_id = 0, state_id = 0;
    assay_status st;

    if (store->open_point)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point is open: no run can begin");
    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(assay_store_share_row(store, ASSAY_SQL_FIND_BUILD, ASSAY_SQL_ADD_BUILD, bind_build,
                                      run, &build_id));
    ASSAY_CHECK(assay_store_share_row(store, ASSAY_SQL_FIND_DEVICE, ASSAY_SQL_ADD_DEVICE,
                                      bind_device, device, &state.device_id));
    ASSAY_CHECK(assay_store_share_row(store, ASSAY_SQL_FIND_DEVICE_STATE,
                                      ASSAY_SQL_ADD_DEVICE_STATE, bind_device_state, &state,
                                      &state_id));
    ASSAY_CHECK(add_run(store, run, device, build_id, state_id, run_id));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}

assay_status assay_store_end_run(assay_store *store, int64_t run_id, int exit_status)
{
    assay_binder b;
    assay_status st;

    ASSAY_REQUIRE(!store->open_point, ASSAY_E_INTERNAL, "a point is open: its run cannot end");
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_RUN_END, &b));
    assay_bind_int(&b, run_id);
    assay_bind_int(&b, exit_status);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

/* ---- points from their first row to their verdict ---- */

static void forget_point(assay_store *store)
{
    store->open_point = 0;
    store->n_numbers  = 0;
}

assay_status assay_store_undo_point(assay_store *store, assay_status st)
{
    assay_store_rollback(store);
    forget_point(store);
    return st;
}

assay_status assay_store_require_open(const assay_store *store, int64_t point_id)
{
    if (store->open_point != 0 && store->open_point == point_id)
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_INTERNAL, "point %" PRId64 " is not open", point_id);
}

assay_status assay_store_put_row(assay_store *store, int64_t point_id, assay_statement add,
                                 const void *row, bool is_number)
{
    assay_binder b;
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(assay_store_prepare(store, add, &b));
    assay_bind_int(&b, point_id);
    assay_bind_row(&b, assay_inserts[add].rows[0], row);
    ASSAY_CHECK(assay_store_run(&b, NULL));
    store->n_numbers += is_number;
out:
    return st == ASSAY_OK ? st : assay_store_undo_point(store, st);
}

assay_status assay_store_begin_point(assay_store *store, int64_t point_id)
{
    assay_binder b;
    int64_t      is_done = 0;
    bool         exists  = false;
    assay_status st;

    if (store->open_point)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "point %" PRId64 " is still open", store->open_point);
    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_POINT_STATE, &b));
    assay_bind_int(&b, point_id);
    ASSAY_CHECK(assay_store_find(&b, &is_done, &exists));
    ASSAY_REQUIRE(exists, ASSAY_E_INTERNAL, "there is no point %" PRId64, point_id);
    ASSAY_REQUIRE(!is_done, ASSAY_E_INTERNAL, "point %" PRId64 " is already finished", point_id);
    forget_point(store);
    store->open_point = point_id;
    return ASSAY_OK;
out:
    assay_store_rollback(store);
    return st;
}

assay_status assay_store_put_check(assay_store *store, int64_t point_id, const assay_check_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_CHECK, row, false);
}

static assay_status add_verdict(assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict)
{
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_VERDICT, &b));
    assay_bind_int(&b, point_id);
    assay_bind_row(&b, ASSAY_TABLE_VERDICT, verdict);
    ASSAY_CHECK(assay_store_run(&b, NULL));
out:
    return st;
}

assay_status assay_store_finish_point(assay_store *store, int64_t point_id,
                                      const assay_verdict_row *verdict)
{
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_REQUIRE(verdict->verdict == ASSAY_PASS || store->n_numbers == 0, ASSAY_E_INTERNAL,
                  "no verdict, no number: point %" PRId64
                  " was measured, but its verdict is %s; nothing of it is kept",
                  point_id, assay_verdict_text(verdict->verdict));
    ASSAY_CHECK(add_verdict(store, point_id, verdict));
    ASSAY_CHECK(assay_store_commit(store));
    forget_point(store);
out:
    return st == ASSAY_OK ? st : assay_store_undo_point(store, st);
}

assay_status assay_store_abandon_point(assay_store *store)
{
    return assay_store_undo_point(store, ASSAY_OK);
}
