/* What the store writes: runs, plans, and points from their first row to their verdict. */
#include "store_internal.h"

#include <inttypes.h>
#include <math.h>

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
    const assay_run_row *run = row;

    ASSAY_BIND_ARRAY(b, run->binary_id);
    ASSAY_BIND_ARRAY(b, run->assay_version);
    ASSAY_BIND_ARRAY(b, run->git_commit);
    assay_bind_int(b, run->git_dirty);
    ASSAY_BIND_ARRAY(b, run->compiler);
    ASSAY_BIND_ARRAY(b, run->cuda_compiler);
    ASSAY_BIND_ARRAY(b, run->build_type);
    ASSAY_BIND_ARRAY(b, run->build_flags);
    ASSAY_BIND_ARRAY(b, run->kernels_id);
    ASSAY_BIND_ARRAY(b, run->git_branch);
    ASSAY_BIND_ARRAY(b, run->git_commit_utc);
    ASSAY_BIND_ARRAY(b, run->git_diff_hash);
    ASSAY_BIND_ARRAY(b, run->cuda_toolkit);
    ASSAY_BIND_ARRAY(b, run->cuda_architectures);
    ASSAY_BIND_ARRAY(b, run->cupti);
    ASSAY_BIND_ARRAY(b, run->sqlite);
    ASSAY_BIND_ARRAY(b, run->google_benchmark);
}

static void bind_device(assay_binder *b, const void *row)
{
    const assay_device_info *device = row;

    ASSAY_BIND_ARRAY(b, device->kind);
    ASSAY_BIND_ARRAY(b, device->uuid);
    ASSAY_BIND_ARRAY(b, device->name);
}

typedef struct {
    int64_t                      device_id;
    const assay_device_info     *device;
    const assay_device_settings *settings;
} device_state;

static void bind_settings(assay_binder *b, const assay_device_settings *settings)
{
    ASSAY_BIND_ARRAY(b, settings->nvml);
    ASSAY_BIND_ARRAY(b, settings->vbios);
    assay_bind_count(b, settings->mig);
    assay_bind_count(b, settings->persistence);
    assay_bind_count(b, settings->compute_mode);
    assay_bind_real(b, settings->power_limit_w);
    assay_bind_real(b, settings->power_limit_default_w);
    assay_bind_count(b, settings->application_sm_mhz);
    assay_bind_count(b, settings->application_memory_mhz);
    assay_bind_count(b, settings->numa_node);
}

static void bind_device_state(assay_binder *b, const void *row)
{
    const device_state      *state  = row;
    const assay_device_info *device = state->device;

    assay_bind_int(b, state->device_id);
    ASSAY_BIND_ARRAY(b, device->pci_bus_id);
    ASSAY_BIND_ARRAY(b, device->driver);
    assay_bind_int(b, device->driver_cuda_version);
    assay_bind_int(b, device->runtime_version);
    assay_bind_int(b, device->compute_capability);
    assay_bind_int(b, device->sm_count);
    assay_bind_int(b, device->sm_clock_khz);
    assay_bind_int(b, device->memory_clock_khz);
    assay_bind_int(b, device->memory_bus_bits);
    assay_bind_int(b, device->ecc);
    assay_bind_int(b, device->memory_bytes);
    assay_bind_int(b, device->l2_bytes);
    assay_bind_int(b, device->can_time);
    bind_settings(b, state->settings);
}

/* ---- runs ---- */

static void bind_start(assay_binder *b, const assay_run_row *run)
{
    ASSAY_BIND_TEXT(b, run->reason[0] ? run->reason : "local");
    assay_bind_real(b, run->monotonic_s);
    ASSAY_BIND_ARRAY(b, run->boot_id);
    ASSAY_BIND_ARRAY(b, run->user);
    ASSAY_BIND_ARRAY(b, run->container);
    ASSAY_BIND_ARRAY(b, run->environment);
    ASSAY_BIND_ARRAY(b, run->ci_url);
    ASSAY_BIND_ARRAY(b, run->governor);
    assay_bind_count(b, run->turbo);
    assay_bind_count(b, run->smt);
    ASSAY_BIND_ARRAY(b, run->affinity);
    assay_bind_real(b, run->load_average);
}

static assay_status add_run(assay_store *store, const assay_run_row *run,
                            const assay_device_info *device, int64_t build_id, int64_t state_id,
                            int64_t *run_id)
{
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_RUN, &b));
    ASSAY_BIND_ARRAY(&b, run->uuid);
    ASSAY_BIND_ARRAY(&b, run->verb);
    ASSAY_BIND_ARRAY(&b, run->command);
    ASSAY_BIND_ARRAY(&b, run->options);
    assay_bind_seed(&b, run->seed);
    ASSAY_BIND_ARRAY(&b, run->lane);
    ASSAY_BIND_ARRAY(&b, run->host);
    ASSAY_BIND_ARRAY(&b, run->kernel_release);
    ASSAY_BIND_ARRAY(&b, run->cpu_model);
    assay_bind_int(&b, run->n_cpus);
    assay_bind_int(&b, device->memory_free_bytes);
    assay_bind_int(&b, build_id);
    assay_bind_int(&b, state_id);
    bind_start(&b, run);
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
                                 assay_bind_fn *bind, const void *row, bool is_number)
{
    assay_binder b;
    assay_status st = assay_store_require_open(store, point_id);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(assay_store_prepare(store, add, &b));
    assay_bind_int(&b, point_id);
    bind(&b, row);
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

/* The rule: only the numbers that it was applied with. */
static void bind_rule(assay_binder *b, const assay_check_row *row)
{
    const bool is_bound = row->rule == ASSAY_RULE_BOUND;

    ASSAY_BIND_TEXT(b, assay_rule_text(row->rule));
    if (is_bound) {
        assay_bind_real(b, row->c);
        assay_bind_real(b, row->u_out);
        assay_bind_real(b, row->u_acc);
        ASSAY_BIND_TEXT(b, assay_growth_text(row->growth));
        assay_bind_real(b, row->terms);
    } else {
        for (int i = 0; i < 5; i++)
            assay_bind_null(b);
    }
    if (row->rule == ASSAY_RULE_ULP)
        assay_bind_int(b, row->max_ulp);
    else
        assay_bind_null(b);
    ASSAY_BIND_ARRAY(b, row->why);
}

static void bind_found(assay_binder *b, const assay_check_row *row)
{
    const bool has_bad = row->first_bad_index >= 0;

    assay_bind_count(b, row->count);
    assay_bind_count(b, row->n_failed);
    assay_bind_count(b, row->first_bad_index);
    assay_bind_real(b, has_bad ? row->first_bad_value : (double)NAN);
    assay_bind_real(b, has_bad ? row->first_bad_expected : (double)NAN);
    assay_bind_real(b, row->worst_ratio);
    assay_bind_real(b, row->max_abs_error);
    assay_bind_real(b, row->max_abs_expected);
    assay_bind_real(b, row->max_ulp_error);
    assay_bind_real(b, row->relative_l2);
    assay_bind_count(b, row->n_exempt);
    assay_bind_real(b, row->exempt_share_predicted);
}

static void bind_check(assay_binder *b, const void *data)
{
    const assay_check_row *row = data;

    ASSAY_BIND_TEXT(b, assay_input_text(row->input));
    ASSAY_BIND_ARRAY(b, row->output);
    assay_bind_int(b, row->is_invariant);
    ASSAY_BIND_TEXT(b, assay_verdict_text(row->verdict));
    ASSAY_BIND_ARRAY(b, row->reason);
    assay_bind_seed(b, row->seed);
    assay_bind_int(b, row->n_runs);
    bind_rule(b, row);
    bind_found(b, row);
}

assay_status assay_store_put_check(assay_store *store, int64_t point_id, const assay_check_row *row)
{
    return assay_store_put_row(store, point_id, ASSAY_SQL_ADD_CHECK, bind_check, row, false);
}

static assay_status add_verdict(assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict)
{
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_ADD_VERDICT, &b));
    assay_bind_int(&b, point_id);
    ASSAY_BIND_TEXT(&b, assay_verdict_text(verdict->verdict));
    ASSAY_BIND_ARRAY(&b, verdict->reason);
    assay_bind_count(&b, verdict->launches);
    assay_bind_count(&b, verdict->workspace_bytes);
    assay_bind_count(&b, verdict->device_bytes);
    assay_bind_count(&b, verdict->peak_bytes);
    assay_bind_real(&b, verdict->wall_s);
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
