/* Rows beside a run, a point and a measurement: settings of host and device, what the case
 * declares, how samples follow each other; and the series of a measurement. */
#include "testing/store_raw.h"

#include "time/timer.h"

static assay_run_row a_known_run(const char *uuid)
{
    assay_run_row run = a_run(uuid);

    (void)snprintf(run.reason, sizeof run.reason, "nightly");
    (void)snprintf(run.environment, sizeof run.environment, "CUDA_VISIBLE_DEVICES=0 'LD_X=a b'");
    (void)snprintf(run.git_branch, sizeof run.git_branch, "feature/'quoted'");
    (void)snprintf(run.cuda_toolkit, sizeof run.cuda_toolkit, "13.0.88");
    (void)snprintf(run.governor, sizeof run.governor, "performance");
    run.turbo        = 1;
    run.smt          = -1;
    run.load_average = 0.25;
    run.monotonic_s  = 12345.5;
    run.device       = (assay_device_settings) { .nvml                   = "13.580",
                                                 .vbios                  = "96.00",
                                                 .mig                    = 0,
                                                 .persistence            = 1,
                                                 .compute_mode           = 3,
                                                 .power_limit_w          = 650,
                                                 .power_limit_default_w  = 700,
                                                 .application_sm_mhz     = 1755,
                                                 .application_memory_mhz = -1,
                                                 .numa_node              = -1 };
    return run;
}

static int64_t begin(fixture *f, const assay_run_row *run)
{
    const assay_device_info device = a_device();
    int64_t                 id     = 0;

    assert_ok(assay_store_begin_run(f->store, run, &device, &id));
    return id;
}

static void test_run_facts(void **state)
{
    fixture            *f   = *state;
    const assay_run_row run = a_known_run("run-1");

    open_store(f);
    (void)begin(f, &run);
    assert_string_equal(
        ask(f->path, "SELECT reason || '|' || environment || '|' || governor || '|' || turbo || "
                     "'|' || coalesce(smt, 'none') || '|' || load_average || '|' || monotonic_s "
                     "FROM run"),
        "nightly|CUDA_VISIBLE_DEVICES=0 'LD_X=a b'|performance|1|none|0.25|12345.5");
    assert_string_equal(ask(f->path, "SELECT git_branch || '|' || cuda_toolkit FROM build"),
                        "feature/'quoted'|13.0.88");
    assert_string_equal(
        ask(f->path, "SELECT nvml || '|' || vbios || '|' || mig || '|' || persistence || '|' || "
                     "compute_mode || '|' || power_limit_w || '|' || power_limit_default_w || '|' "
                     "|| application_sm_mhz || '|' || coalesce(application_memory_mhz, 'none') || "
                     "'|' || coalesce(numa_node, 'none') FROM device_state"),
        "13.580|96.00|0|1|3|650.0|700.0|1755|none|none");
}

/* Equal settings share a row even if some are unknown; another power limit gives another row. */
static void test_states_are_shared(void **state)
{
    fixture      *f   = *state;
    assay_run_row run = a_known_run("run-1");

    open_store(f);
    (void)begin(f, &run);
    (void)snprintf(run.uuid, sizeof run.uuid, "run-2");
    (void)begin(f, &run);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device_state"), "1");
    (void)snprintf(run.uuid, sizeof run.uuid, "run-3");
    run.device.power_limit_w = 500;
    (void)begin(f, &run);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device_state"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM build"), "1");
    (void)snprintf(run.uuid, sizeof run.uuid, "run-4");
    (void)snprintf(run.git_diff_hash, sizeof run.git_diff_hash, "f00d");
    (void)begin(f, &run);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM build"), "2");
}

static void test_unknown_reason_is_refused(void **state)
{
    fixture                *f      = *state;
    assay_run_row           run    = a_known_run("run-1");
    const assay_device_info device = a_device();
    int64_t                 id     = 0;

    open_store(f);
    (void)snprintf(run.reason, sizeof run.reason, "whim");
    assert_fails(assay_store_begin_run(f->store, &run, &device, &id), ASSAY_E_INTERNAL, "refused");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "0");
}

/* A point that is never timed also stores its declared bytes. */
static void test_points_declare(void **state)
{
    fixture         *f   = *state;
    const int64_t    run = (open_store(f), begin_run(f, "run-1"));
    assay_point_row  p   = a_point("axpy", "naive", "", 64);
    assay_metric_row m   = {
          .name = "dram__bytes_read.sum", .status = "ok", .value = 900, .replay = "user"
    };
    assay_cursor *row = NULL;
    assay_status  st;
    int64_t       id;
    double        declared = 0;

    p.bytes_declared    = 1000;
    p.bytes_moved       = -1;
    p.working_set_bytes = 768;
    p.flops             = 128;
    id                  = plan_point(f, run, &p);
    begin_checked(f, id);
    assert_ok(assay_store_put_metric(f->store, id, &m));
    (void)snprintf(m.name, sizeof m.name, "dram__bytes_write.sum");
    assert_ok(assay_store_put_metric(f->store, id, &m));
    finish_passed(f, id);
    assert_string_equal(ask(f->path,
                            "SELECT bytes_declared || '|' || coalesce(bytes_moved, 'none') "
                            "|| '|' || working_set_bytes || '|' || flops FROM point"),
                        "1000|none|768|128.0");
    assert_ok(assay_store_query(f->store, "counted", run, &row));
    assert_true(assay_cursor_next(row, &st));
    assert_true(assay_cursor_number(row, assay_cursor_find(row, "bytes_declared"), &declared));
    assert_true(declared == 1000);
    assay_cursor_close(row);
}

/* As the timer delivers it: interval, order and energy over all blocks. */
static void test_measured_facts(void **state)
{
    fixture              *f         = *state;
    const int64_t         run       = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p         = a_point("axpy", "naive", "", 64);
    const int64_t         id        = plan_point(f, run, &p);
    double                times[8]  = { 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700 };
    double                clocks[8] = { 0 };
    assay_block           blocks[2] = { a_block(4, 0), a_block(4, 0) };
    assay_samples         samples   = {
                  .time_ns = times, .sm_clock_mhz = clocks, .n = 8, .blocks = blocks, .n_blocks = 2
    };
    assay_measurement_row m = a_measurement(ASSAY_REGIME_HOT, 1350);

    blocks[0].energy_j  = 0;
    blocks[1].energy_j  = 2.5;
    blocks[0].median_ns = 1150;
    blocks[1].median_ns = 1550;
    assert_ok(assay_samples_summarize(&samples, &m));
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, &m, times, clocks, blocks));
    finish_passed(f, id);
    assert_string_equal(
        ask(f->path, "SELECT mad_ns || '|' || median_lo_ns || '|' || median_hi_ns || '|' || "
                     "median_interval || '|' || lag1 || '|' || drift_ns || '|' || energy_j FROM "
                     "measurement"),
        "200.0|1000.0|1700.0|ranks|0.625|700.0|2.5");
    /* If a value is unknown in one block, it is unknown for all of them. */
    blocks[0].energy_j = (double)NAN;
    assert_ok(assay_samples_summarize(&samples, &m));
    assert_true(isnan(m.energy_j));
}

static void test_series_and_conditions(void **state)
{
    fixture        *f     = *state;
    assay_run_row   first = (open_store(f), a_known_run("run-1")), second = a_known_run("run-2");
    assay_point_row p = a_point("axpy", "o'naive", "", 64);
    int64_t         id;

    id = begin(f, &first);
    id = plan_point(f, id, &p);
    pass_point(f, id, 0.5, 1000);
    (void)snprintf(second.cuda_toolkit, sizeof second.cuda_toolkit, "13.1");
    id = begin(f, &second);
    id = plan_point(f, id, &p);
    pass_point(f, id, 0.5, 1010);
    assert_string_equal(ask(f->path, "SELECT group_concat(DISTINCT series) FROM history"),
                        "'axpy' 'n=64' 'o''naive' 'cold' 'event' 'cuda' 'Test GPU 80GB'");
    assert_string_equal(ask(f->path, "SELECT count(DISTINCT conditions) FROM history"), "2");
    assert_string_equal(ask(f->path, "SELECT conditions LIKE 'case_version=1 device=''GPU-1234'' "
                                     "driver=''580.1'' runtime=13000 toolkit=''13.0.88'' "
                                     "tuning='''' policy=(3 4 0.25 %' FROM history WHERE run_uuid "
                                     "= 'run-1'"),
                        "1");
    assert_int_equal(strtol(ask(f->path, "SELECT method FROM policy"), NULL, 10),
                     ASSAY_METHOD_VERSION);
}

/* The worst point of each run, run by run. */
static void test_trend(void **state)
{
    static const double ratio[] = { 0.25, 0.5, 0.75 };
    fixture            *f       = *state;

    open_store(f);
    for (int i = 0; i < 3; i++) {
        char            uuid[16];
        assay_point_row a = a_point("axpy", "naive", "", 64), b = a_point("axpy", "naive", "", 65);
        int64_t         run, id;

        (void)snprintf(uuid, sizeof uuid, "run-%d", i);
        run = begin_run(f, uuid);
        id  = plan_point(f, run, &a);
        pass_point(f, id, ratio[i], 0);
        id = plan_point(f, run, &b);
        if (i < 2)
            pass_point(f, id, 0.125, 0);
        else
            fail_point(f, id, "off");
    }
    assert_string_equal(ask(f->path, "SELECT group_concat(run_uuid || ' ' || worst_ratio || ' ' || "
                                     "n_checks || ' ' || n_failed, '; ') FROM trend"),
                        "run-0 0.25 2 0; run-1 0.5 2 0; run-2 Inf 2 1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(run_facts),      TEST(states_are_shared), TEST(unknown_reason_is_refused),
        TEST(points_declare), TEST(measured_facts),    TEST(series_and_conditions),
        TEST(trend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
