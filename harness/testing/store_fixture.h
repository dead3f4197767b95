/* Rows, and a database file for each test, for the tests of store and report. */
#ifndef ASSAY_TEST_STORE_FIXTURE_H
#define ASSAY_TEST_STORE_FIXTURE_H

/* The order that cmocka asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory for one test, with the path of a database in it. */
typedef struct fixture {
    char         directory[64];
    char         path[128];
    assay_store *store;
} fixture;

static inline void assert_ok(assay_status st)
{
    if (st != ASSAY_OK)
        print_error("%s (%s)\n", assay_status_message(), assay_status_where());
    assert_int_equal(st, ASSAY_OK);
}

/* Asserts the status, and a part of the sentence that goes with it. */
static inline void assert_fails(assay_status st, assay_status expected, const char *part)
{
    if (!strstr(assay_status_message(), part))
        print_error("'%s' not in: %s\n", part, assay_status_message());
    assert_int_equal(st, expected);
    assert_non_null(strstr(assay_status_message(), part));
    assay_status_reset();
}

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    if (!f)
        return -1;
    assay_status_reset();
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/assay-test-XXXXXX");
    if (!mkdtemp(f->directory) || chmod(f->directory, 0777) != 0)
        return -1;
    (void)snprintf(f->path, sizeof f->path, "%s/results.db", f->directory);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    char     command[128];
    int      rc;

    assay_store_close(f->store);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", f->directory);
    rc = system(command);
    free(f);
    return rc;
}

/* ---- rows ---- */

static inline assay_run_row a_run(const char *uuid)
{
    assay_run_row run = { .verb           = "check",
                          .command        = "assay check axpy",
                          .options        = "--case=axpy\n--seed=42\n",
                          .seed           = 42,
                          .lane           = "cuda",
                          .host           = "node-7",
                          .kernel_release = "6.1.0",
                          .cpu_model      = "A CPU",
                          .n_cpus         = 16,
                          .assay_version  = "0.1.0",
                          .git_commit     = "abcdef012345",
                          .compiler       = "gcc 12.2.0",
                          .cuda_compiler  = "nvcc 13.0",
                          .build_type     = "release",
                          .build_flags    = "-O2",
                          .binary_id      = "00ff",
                          .kernels_id     = "00ee" };

    (void)snprintf(run.uuid, sizeof run.uuid, "%s", uuid);
    return run;
}

static inline assay_device_info a_device(void)
{
    return (assay_device_info) { .kind               = "cuda",
                                 .name               = "Test GPU 80GB",
                                 .uuid               = "GPU-1234",
                                 .pci_bus_id         = "0000:01:00.0",
                                 .driver             = "580.1",
                                 .runtime_version    = 13000,
                                 .compute_capability = 90,
                                 .sm_count           = 132,
                                 .memory_bytes       = 80000000000,
                                 .memory_free_bytes  = 79000000000,
                                 .l2_bytes           = 50 << 20,
                                 .can_time           = true };
}

/* A point case/variant/n=N with one integer axis. */
static inline assay_point_row a_point(const char *case_name, const char *variant,
                                      const char *baseline, int64_t n)
{
    assay_point_row p = { .seed              = 42,
                          .expect            = ASSAY_BIT(PASS),
                          .is_timed          = true,
                          .cells             = n,
                          .bytes_declared    = 12000000,
                          .bytes_moved       = -1,
                          .working_set_bytes = 12000000,
                          .flops             = 2e6,
                          .n_axes            = 1 };

    (void)snprintf(p.case_name, sizeof p.case_name, "%s", case_name);
    (void)snprintf(p.variant, sizeof p.variant, "%s", variant);
    (void)snprintf(p.baseline, sizeof p.baseline, "%s", baseline);
    (void)snprintf(p.key, sizeof p.key, "%s/%s/n=%lld", case_name, variant, (long long)n);
    (void)snprintf(p.axis[0].name, sizeof p.axis[0].name, "n");
    (void)snprintf(p.axis[0].text, sizeof p.axis[0].text, "%lld", (long long)n);
    p.axis[0].kind = ASSAY_AXIS_INT;
    p.axis[0].i[0] = n;
    return p;
}

static inline assay_check_row a_check(double worst_ratio)
{
    return (assay_check_row) { .input                  = ASSAY_INPUT_RANDOM,
                               .output                 = "y",
                               .verdict                = ASSAY_PASS,
                               .seed                   = 42,
                               .n_runs                 = 2,
                               .rule                   = ASSAY_RULE_BOUND,
                               .c                      = 2,
                               .u_out                  = ASSAY_U32_ROUNDOFF,
                               .u_acc                  = ASSAY_U32_ROUNDOFF,
                               .growth                 = ASSAY_G_LOG2,
                               .terms                  = 8,
                               .why                    = "a sum of eight terms",
                               .count                  = 1000,
                               .first_bad_index        = -1,
                               .worst_ratio            = worst_ratio,
                               .max_abs_error          = 1e-7,
                               .max_abs_expected       = 1,
                               .max_ulp_error          = 1,
                               .relative_l2            = 1e-8,
                               .exempt_share_predicted = (double)NAN };
}

static inline assay_policy a_policy(void)
{
    return (assay_policy) { .n_processes           = 3,
                            .n_blocks              = 4,
                            .budget_s              = 0.25,
                            .target_relative_error = 0.01,
                            .min_samples           = 4,
                            .max_samples           = 100,
                            .max_calls             = 32,
                            .sample_target_ns      = 20000,
                            .warm_window           = 5,
                            .max_warmup            = 200,
                            .rewarm                = 2,
                            .warm_agreement        = 0.02,
                            .warm_share            = 0.25,
                            .flush_kind            = ASSAY_FLUSH_READ,
                            .short_ns              = 30000,
                            .floor_factor          = 3,
                            .ceiling_margin        = 0.05,
                            .clock_gap_ns          = 1000,
                            .clock_gap_share       = 0.02,
                            .invalid_reasons       = 0xEC,
                            .graph_calls           = 20,
                            .graph_target_ns       = 1000,
                            .clock_tie             = 0.25 };
}

/* Two blocks of two samples, all near the given median; it was not judged whether the clock
 * decides. */
static inline assay_measurement_row a_measurement(assay_regime regime, double median_ns)
{
    assay_measurement_row m = { .clock               = ASSAY_CLOCK_EVENT,
                                .n_samples           = 4,
                                .n_blocks            = 2,
                                .n_processes         = 2,
                                .launches_per_sample = 1,
                                .median_ns           = median_ns,
                                .mean_ns             = median_ns,
                                .min_ns              = median_ns * 0.9,
                                .max_ns              = median_ns * 1.2,
                                .p05_ns              = median_ns * 0.92,
                                .q1_ns               = median_ns * 0.95,
                                .q3_ns               = median_ns * 1.05,
                                .p95_ns              = median_ns * 1.1,
                                .stdev_ns            = median_ns * 0.03,
                                .process_spread      = (double)NAN,
                                .median_cycles       = (double)NAN,
                                .sm_clock_mhz        = (double)NAN,
                                .stop_reason         = "confidence",
                                .flush_bytes         = 1e8,
                                .n_warmup            = 3,
                                .wall_s              = 0.5,
                                .policy              = a_policy(),
                                .bytes_declared      = 12000000,
                                .bytes_moved         = -1,
                                .flops               = 2e6,
                                .floor_ns            = (double)NAN,
                                .ceiling_bytes_per_s = (double)NAN,
                                .ceiling_flops       = (double)NAN };

    m.regime = regime;
    return m;
}

/* A block of process k of which only samples are known. */
static inline assay_block a_block(int64_t n_samples, int k)
{
    return (assay_block) { .n_samples      = n_samples,
                           .process        = k,
                           .order          = 0,
                           .start_s        = 0.5 * k,
                           .median_ns      = (double)NAN,
                           .median_cycles  = (double)NAN,
                           .sm_clock_mhz   = (double)NAN,
                           .reasons        = -1,
                           .memory_mhz     = -1,
                           .temperature_c  = -1,
                           .power_before_w = (double)NAN,
                           .power_after_w  = (double)NAN,
                           .energy_j       = (double)NAN };
}

/* A speed-up over naive, known by the record clock. */
static inline assay_comparison_row a_comparison(assay_regime regime, double ratio)
{
    assay_comparison_row c = { .kind        = "speedup",
                               .against     = "naive",
                               .clock       = ASSAY_CLOCK_RECORD,
                               .ratio       = ratio,
                               .lo          = ratio * 0.98,
                               .hi          = ratio * 1.02,
                               .n_pairs     = 12,
                               .n_processes = 3,
                               .is_known    = true };

    c.regime = regime;
    return c;
}

static inline assay_verdict_row a_verdict(assay_verdict verdict, const char *reason)
{
    assay_verdict_row v = { .verdict         = verdict,
                            .launches        = 1,
                            .workspace_bytes = 0,
                            .device_bytes    = 4096,
                            .peak_bytes      = 8192,
                            .wall_s          = 0.1 };

    (void)snprintf(v.reason, sizeof v.reason, "%s", reason);
    return v;
}

/* ---- steps ---- */

static inline void open_store(fixture *f)
{
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
}

static inline int64_t begin_run(fixture *f, const char *uuid)
{
    const assay_run_row     run    = a_run(uuid);
    const assay_device_info device = a_device();
    int64_t                 id     = 0;

    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    return id;
}

static inline int64_t plan_point(fixture *f, int64_t run_id, const assay_point_row *point)
{
    int64_t id = 0;

    assert_ok(assay_store_plan(f->store, run_id, "y[i] += a * x[i]", 1, point, 1, &id));
    return id;
}

/* The row with four samples around its median, in two blocks of two processes. */
static inline void put_row(fixture *f, int64_t point_id, const assay_measurement_row *m)
{
    const double at         = m->median_ns;
    const double samples[4] = { at, at * 1.1, at * 0.9, at };
    const double clocks[4]  = { 1980, 1980, 1965, (double)NAN };
    assay_block  blocks[2]  = { a_block(2, 0), a_block(2, 1) };

    blocks[0].median_ns = at * 1.05;
    blocks[1].median_ns = at * 0.95;
    assert_ok(assay_store_put_measurement(f->store, point_id, m, samples, clocks, blocks));
}

static inline void put_measurement(fixture *f, int64_t point_id, assay_regime regime,
                                   double median_ns)
{
    const assay_measurement_row m = a_measurement(regime, median_ns);

    put_row(f, point_id, &m);
}

/* Finishes a point that passed, with this ratio and, unless 0, this time. */
static inline void pass_point(fixture *f, int64_t point_id, double worst_ratio, double median_ns)
{
    const assay_check_row   check   = a_check(worst_ratio);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");

    assert_ok(assay_store_begin_point(f->store, point_id));
    assert_ok(assay_store_put_check(f->store, point_id, &check));
    if (median_ns > 0)
        put_measurement(f, point_id, ASSAY_REGIME_COLD, median_ns);
    assert_ok(assay_store_finish_point(f->store, point_id, &verdict));
}

/* Opens a point with a check that passed; the second function finishes it. */
static inline void begin_checked(fixture *f, int64_t id)
{
    const assay_check_row check = a_check(0.5);

    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
}

static inline void finish_passed(fixture *f, int64_t id)
{
    const assay_verdict_row pass = a_verdict(ASSAY_PASS, "");

    assert_ok(assay_store_finish_point(f->store, id, &pass));
}

/* Finishes a point that passed and has a row of every kind. */
static inline void put_everything(fixture *f, int64_t run_id, int64_t point_id)
{
    const assay_check_row      check      = a_check(0.5);
    const assay_verdict_row    verdict    = a_verdict(ASSAY_PASS, "");
    const assay_ceiling_row    ceiling    = { .kind   = "copy",
                                              .regime = ASSAY_REGIME_COLD,
                                              .clock  = ASSAY_CLOCK_EVENT };
    const assay_comparison_row comparison = a_comparison(ASSAY_REGIME_COLD, 1);
    const assay_launch_row     launch     = { .kernel = "k", .grid = { 1, 1, 1 } };
    const assay_section_row    section    = { .name = "all", .launches = 1 };
    const assay_metric_row     metric     = { .name = "m.sum", .status = "ok", .replay = "user" };
    const assay_trial_row      trial      = {
                  .tuning = "block=256", .verdict = ASSAY_PASS, .median_ns = 1000, .is_chosen = true
    };

    assert_ok(assay_store_put_ceiling(f->store, run_id, &ceiling));
    assert_ok(assay_store_begin_point(f->store, point_id));
    assert_ok(assay_store_put_check(f->store, point_id, &check));
    put_measurement(f, point_id, ASSAY_REGIME_COLD, 1000);
    assert_ok(assay_store_put_comparison(f->store, point_id, &comparison));
    assert_ok(assay_store_put_launch(f->store, point_id, &launch));
    assert_ok(assay_store_put_section(f->store, point_id, &section));
    assert_ok(assay_store_put_metric(f->store, point_id, &metric));
    assert_ok(assay_store_put_trial(f->store, point_id, &trial));
    assert_ok(assay_store_finish_point(f->store, point_id, &verdict));
}

/* A point with a failing check. */
static inline void fail_point(fixture *f, int64_t point_id, const char *reason)
{
    const assay_verdict_row verdict = a_verdict(ASSAY_WRONG_VALUE, reason);
    assay_check_row         check   = a_check((double)INFINITY);

    check.verdict            = ASSAY_WRONG_VALUE;
    check.n_failed           = 3;
    check.first_bad_index    = 255;
    check.first_bad_value    = (double)NAN;
    check.first_bad_expected = 1.25;
    (void)snprintf(check.reason, sizeof check.reason, "%s", reason);
    assert_ok(assay_store_begin_point(f->store, point_id));
    assert_ok(assay_store_put_check(f->store, point_id, &check));
    assert_ok(assay_store_finish_point(f->store, point_id, &verdict));
}

#endif
