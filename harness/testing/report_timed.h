/* A run with every kind of row beside its times: several clocks and processes, ceilings,
 * comparisons, tuning, sections, launches, counters. */
#ifndef ASSAY_TEST_REPORT_TIMED_H
#define ASSAY_TEST_REPORT_TIMED_H

#include "report_fixture.h"

#include <math.h>

static inline void put_ceilings(fixture *f, int64_t run)
{
    static const assay_ceiling_row rows[] = {
        { "null", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 0, 30, 1500, (double)NAN },
        { "copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1 << 24, 30, 8000, 2e12 },
        { "copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1 << 24, 30, 8000,
          2.5e12 }, /* measured again */
        { "read", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1 << 24, 30, 8000, 3e12 },
        { "copy", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 1 << 24, 30, 8000, 5e12 },
        { "fma", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 0, 30, 8000, 60e12 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_ok(assay_store_put_ceiling(f->store, run, &rows[i]));
}

/* A measurement of three processes whose clock was judged. */
static inline assay_measurement_row a_judged(assay_regime regime, assay_clock clock,
                                             double median_ns, bool decides)
{
    assay_measurement_row m = a_measurement(regime, median_ns);

    m.clock = clock;
    (void)snprintf(m.decision, sizeof m.decision, "%s",
                   decides ? "agrees with the event" : "shorter than 30 us");
    m.decides             = decides;
    m.n_processes         = 3;
    m.process_spread      = 0.0042;
    m.median_cycles       = median_ns * 1.98;
    m.sm_clock_mhz        = 1980;
    m.floor_ns            = 1500;
    m.ceiling_bytes_per_s = 3e12;
    m.ceiling_flops       = 60e12;
    return m;
}

static inline void put_naive(fixture *f, int64_t id)
{
    const assay_measurement_row event =
        a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 12000, false);
    assay_measurement_row record = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 10000, true);
    assay_comparison_row  aa     = a_comparison(ASSAY_REGIME_COLD, 1.001);

    record.n_throttled = 3;
    record.n_discarded = 2;
    (void)strcpy(record.nvml, "no libnvidia-ml.so.1");
    (void)strcpy(aa.kind, "aa");
    aa.lo = 0.998;
    aa.hi = 1.004;
    begin_checked(f, id);
    put_row(f, id, &event);
    put_row(f, id, &record);
    assert_ok(assay_store_put_comparison(f->store, id, &aa));
    finish_passed(f, id);
}

static inline void put_vec4_kernels(fixture *f, int64_t id)
{
    static const assay_launch_row launches[] = {
        { 0,
          "_ZN12_GLOBAL__N_19vec4_mainILi4EEEvPKfPf",
          { 1024, 2, 1 },
          { 256, 1, 1 },
          32,
          16,
          0,
          1024,
          "9f86d081884c7d65",
          3500 },
        { 1, "vec4_tail", { 1, 1, 1 }, { 64, 1, 1 }, 12, 0, 0, 0, "", 900 },
    };
    static const assay_section_row sections[] = { { "main", 1, 3500, 0.795 },
                                                  { "tail", 1, 900, 0.205 } };
    static const assay_metric_row  metrics[]  = {
          { "dram__bytes_read.sum", "ok", "", 8100000, 2, "user" },
          { "dram__bytes_write.sum", "ok", "", 4020000, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "ok", "", 0, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "ok", "", 0, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "ok", "", 1000000, 2, "user" },
          { "pcie__read_bytes.sum", "unsupported", "device-level: ask for it alone", (double)NAN, 0,
            "user" },
          { "pcie__write_bytes.sum", "unsupported", "device-level: ask for it alone", (double)NAN, 0,
            "user" },
    };

    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        assert_ok(assay_store_put_launch(f->store, id, &launches[i]));
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        assert_ok(assay_store_put_section(f->store, id, &sections[i]));
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        assert_ok(assay_store_put_metric(f->store, id, &metrics[i]));
}

static inline void put_vec4_trials(fixture *f, int64_t id)
{
    const assay_trial_row trials[] = {
        { "block=256", ASSAY_PASS, "", ASSAY_REGIME_HOT, ASSAY_CLOCK_GRAPH, 40, 4400, true },
        { "block=512", ASSAY_PASS, "", ASSAY_REGIME_HOT, ASSAY_CLOCK_GRAPH, 40, 5100, false },
        { "block=1024", ASSAY_LAUNCH_FAILED, "too many", ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE, 0,
          (double)NAN, false },
    };

    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
        assert_ok(assay_store_put_trial(f->store, id, &trials[i]));
}

static inline void put_vec4(fixture *f, int64_t id)
{
    assay_measurement_row event   = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 6000, false);
    assay_measurement_row record  = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 3900, true);
    assay_measurement_row hot     = a_judged(ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 4000, false);
    assay_comparison_row  cold_up = a_comparison(ASSAY_REGIME_COLD, 2.5),
                         hot_up   = a_comparison(ASSAY_REGIME_HOT, 0);

    (void)strcpy(record.tuning, "block=256");
    record.bytes_moved    = 12000000;
    record.is_below_floor = true;
    cold_up.lo            = 2.45;
    cold_up.hi            = 2.55;
    hot_up.is_known       = false;
    hot_up.clock          = ASSAY_CLOCK_NONE;
    (void)strcpy(hot_up.reason, "event: shorter than 30 us");
    begin_checked(f, id);
    put_row(f, id, &event);
    put_row(f, id, &record);
    put_row(f, id, &hot);
    assert_ok(assay_store_put_comparison(f->store, id, &cold_up));
    assert_ok(assay_store_put_comparison(f->store, id, &hot_up));
    put_vec4_kernels(f, id);
    put_vec4_trials(f, id);
    finish_passed(f, id);
}

static inline int64_t write_timed_run(fixture *f)
{
    const int64_t         run   = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row a     = a_point("axpy", "naive", "", 1000000);
    const assay_point_row b     = a_point("axpy", "vec4", "naive", 1000000);
    const int64_t         naive = plan_point(f, run, &a), vec4 = plan_point(f, run, &b);

    put_ceilings(f, run);
    put_naive(f, naive);
    put_vec4(f, vec4);
    assert_ok(assay_store_end_run(f->store, run, 0));
    return run;
}

#endif
