/* A database with content for every part of the page: sizes, variants, regimes, earlier runs,
 * another driver, enough samples to be thinned out, sections, counters, names that are markup or
 * escapes. */
#ifndef ASSAY_TEST_REPORT_PAGE_H
#define ASSAY_TEST_REPORT_PAGE_H

#include "testing/report_timed.h"

enum {
    PAGE_RUNS    = 5,
    PAGE_SIZES   = 6,
    PAGE_BLOCKS  = 6,
    PAGE_SAMPLES = 120,
    PAGE_LONG    = 24000, /* samples of the longest measurement */
    LARGE_POINTS = 250,   /* of a large run; each has four measurements */
    LARGE_EACH   = 1002,  /* samples of each measurement: a multiple of the number of blocks */
};

/* Pseudo-random numbers, the same in every run. */
static inline double page_noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24) - 0.5;
}

static inline int64_t page_begin_run(fixture *f, int k)
{
    assay_device_info device = a_device();
    assay_run_row     run    = a_run("");
    int64_t           id     = 0;

    (void)snprintf(run.uuid, sizeof run.uuid, "page-run-%d", k);
    (void)snprintf(run.git_commit, sizeof run.git_commit, "%07xabcdef", 0x1234567 * (k + 1));
    (void)snprintf(run.host, sizeof run.host, "%s", "node \"7\", </script><b>rack</b>\n2");
    (void)snprintf(device.driver, sizeof device.driver, k < 3 ? "570.86" : "580.1");
    if (k == 0) /* another card of the same kind */
        (void)snprintf(device.uuid, sizeof device.uuid, "GPU-5678");
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    return id;
}

/* Writes n samples with outliers, a clock that sinks in the middle, and PAGE_BLOCKS blocks over
 * three processes. */
static inline void page_measure(fixture *f, int64_t point, assay_measurement_row m, int64_t n)
{
    double     *samples = calloc((size_t)n, sizeof *samples);
    double     *clocks  = calloc((size_t)n, sizeof *clocks);
    assay_block blocks[PAGE_BLOCKS];
    uint64_t    state = (uint64_t)m.median_ns;

    assert_non_null(samples);
    assert_non_null(clocks);
    for (int64_t i = 0; i < n; i++) {
        const bool is_slow = i > n / 2 && i < 2 * n / 3;

        clocks[i]  = is_slow ? 1905 : 1980;
        samples[i] = m.median_ns * (1 + 0.02 * page_noise(&state) + (is_slow ? 0.03 : 0) +
                                    (i % 37 == 36 ? 0.12 : 0));
    }
    for (int b = 0; b < PAGE_BLOCKS; b++) {
        blocks[b]           = a_block(n / PAGE_BLOCKS, b / 2);
        blocks[b].median_ns = m.median_ns * (1 + 0.01 * (b % 3 - 1));
    }
    m.n_samples = n;
    m.n_blocks  = PAGE_BLOCKS;
    assert_ok(assay_store_put_measurement(f->store, point, &m, samples, clocks, blocks));
    free(samples);
    free(clocks);
}

static inline assay_measurement_row page_row(assay_regime regime, assay_clock clock, double ns,
                                             int64_t n, bool decides)
{
    assay_measurement_row m = a_judged(regime, clock, ns, decides);

    m.bytes_declared    = 12 * n;
    m.working_set_bytes = 8 * n;
    m.flops             = 2.0 * (double)n;
    m.is_below_floor    = ns < 4500;
    return m;
}

/* Writes one kernel, another kernel twice, a section for each, and a twentieth more traffic than
 * the case declares. */
static inline void page_kernels(fixture *f, int64_t id, int64_t n, double ns)
{
    const double            tail       = 400 + 0.04 * ns;
    const assay_launch_row  launch     = { .kernel    = "_ZN12_GLOBAL__N_19vec4_mainILi4EEEvPKfPf",
                                           .grid      = { (int)(n / 1024), 1, 1 },
                                           .block     = { 256, 1, 1 },
                                           .registers = 32,
                                           .time_ns   = ns - tail };
    assay_launch_row        twice      = { .kernel    = "vec4_tail",
                                           .grid      = { 1, 1, 1 },
                                           .block     = { 256, 1, 1 },
                                           .registers = 16,
                                           .time_ns   = 400 };
    const assay_section_row sections[] = { { "main", 1, ns - tail, (ns - tail) / ns },
                                           { "tail", 1, tail, tail / ns } };
    const assay_metric_row  metrics[]  = {
          { "dram__bytes_read.sum", "ok", "", 8.4 * (double)n, 2, "user" },
          { "dram__bytes_write.sum", "ok", "", 4.2 * (double)n, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "ok", "", 0, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "ok", "", 0, 2, "user" },
          { "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "ok", "", (double)n, 2, "user" },
          { "pcie__read_bytes.sum", "unsupported", "device-level: ask for it alone", (double)NAN, 0,
            "user" },
    };

    assert_ok(assay_store_put_launch(f->store, id, &launch));
    for (twice.ordinal = 1; twice.ordinal <= 2; twice.ordinal++)
        assert_ok(assay_store_put_launch(f->store, id, &twice));
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        assert_ok(assay_store_put_section(f->store, id, &sections[i]));
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        assert_ok(assay_store_put_metric(f->store, id, &metrics[i]));
}

/* `factor`: how much slower than a copy at full rate. The record decides in the cold regime; no
 * clock decides in the hot one. */
static inline void page_point(fixture *f, int64_t run, const char *case_name, const char *variant,
                              int64_t n, double factor, int k)
{
    const bool            is_base = strcmp(variant, "naive") == 0;
    const assay_point_row row     = a_point(case_name, variant, is_base ? "" : "naive", n);
    const int64_t         id      = plan_point(f, run, &row);
    const double          ns =
        (1800 + 12.0 * (double)n / 2800.0 * factor) * (k == PAGE_RUNS - 1 ? 1.06 : 1 + 0.004 * k);
    assay_comparison_row cold   = a_comparison(ASSAY_REGIME_COLD, 1.35 / factor),
                         hot    = a_comparison(ASSAY_REGIME_HOT, 0);
    const assay_check_row check = a_check(pow(10, -0.7 * factor) * log2((double)n) / 5);

    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    page_measure(f, id, page_row(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, ns + 2100, n, false),
                 PAGE_SAMPLES);
    page_measure(f, id, page_row(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, ns, n, true),
                 n == 1 << 24 && is_base ? PAGE_LONG : PAGE_SAMPLES);
    page_measure(f, id, page_row(ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, ns * 0.9 + 900, n, false),
                 PAGE_SAMPLES);
    if (!is_base) {
        cold.lo      = cold.ratio * 0.97;
        cold.hi      = cold.ratio * 1.04;
        hot.is_known = false;
        hot.clock    = ASSAY_CLOCK_NONE;
        (void)strcpy(hot.reason, "event: shorter than 30 us");
        assert_ok(assay_store_put_comparison(f->store, id, &cold));
        assert_ok(assay_store_put_comparison(f->store, id, &hot));
        page_kernels(f, id, n, ns);
    }
    finish_passed(f, id);
}

/* A point of a case with four axes; the last, kind, has one value. */
static inline assay_point_row page_stencil_row(const char *variant, int64_t n, int side, int pass)
{
    static const char *const names[] = { "n", "side", "pass", "kind" };
    const char *const texts[] = { NULL, side ? "open" : "closed", pass ? "backward" : "forward",
                                  "plain" };
    assay_point_row   p =
        a_point("stencil", variant, strcmp(variant, "plain") == 0 ? "" : "plain", n);

    p.n_axes = 4;
    (void)strcpy(p.rate_fact, "useful");
    (void)strcpy(p.rate_along, "warps");
    (void)snprintf(p.variant_what, sizeof p.variant_what, "%s & its planes", variant);
    for (int a = 1; a < p.n_axes; a++) {
        p.axis[a].kind = ASSAY_AXIS_TEXT;
        (void)snprintf(p.axis[a].name, sizeof p.axis[a].name, "%s", names[a]);
        (void)snprintf(p.axis[a].text, sizeof p.axis[a].text, "%s", texts[a]);
    }
    (void)snprintf(p.key, sizeof p.key, "stencil/%s/n=%d/side=%s/pass=%s/kind=plain", variant,
                   (int)n, texts[1], texts[2]);
    return p;
}

/* Writes shares, a size and a histogram as facts that a check read. Also writes a search over
 * values of chunk and tile, which chose chunk=128. */
static inline void page_facts(fixture *f, int64_t id, int64_t n, double ns, int v)
{
    const assay_metric_row facts[] = {
        { "useful", "ok", "", 0.5 + 0.25 * v, 0, "check" },
        { "warps", "ok", "", (double)(n / 32), 0, "check" },
        { "wait.2e03", "ok", "", 0, 0, "check" },
        { "wait.2e04", "ok", "", 0.25, 0, "check" },
        { "wait.2e05", "ok", "", 0, 0, "check" },
        { "wait.2e06", "ok", "", 0.75, 0, "check" },
    };
    assay_trial_row trial = { .verdict   = ASSAY_PASS,
                              .regime    = ASSAY_REGIME_HOT,
                              .clock     = ASSAY_CLOCK_GRAPH,
                              .n_samples = 30 };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        assert_ok(assay_store_put_metric(f->store, id, &facts[i]));
    for (int k = 0; v == 1 && k < 2 * 3; k++) {
        trial.is_chosen = k == 2;
        trial.median_ns = ns * (1 + 0.1 * abs(k - 2));
        (void)snprintf(trial.tuning, sizeof trial.tuning, "chunk=%d,tile=%d", 32 << k % 3,
                       1 + k / 3);
        assert_ok(assay_store_put_trial(f->store, id, &trial));
    }
}

/* Writes more configurations than one figure can show: 3 sizes, 2 sides, 2 passes, with 3 variants
 * each. One point of the smallest size is missing. */
static inline void page_stencil(fixture *f, int64_t run)
{
    static const char *const variants[] = { "plain", "tiled", "fused" };

    for (int i = 0; i < 3 * 2 * 2 * 3; i++) {
        const int             v = i % 3, pass = i / 3 % 2, side = i / 6 % 2, size = i / 12;
        const int64_t         n   = (int64_t)1 << (18 + 2 * size);
        const assay_point_row row = page_stencil_row(variants[v], n, side, pass);
        const double ns = (5000 + 0.01 * (double)n) * (1 - 0.2 * v + 0.5 * pass + 0.1 * side);
        const assay_check_row check = a_check(0.1 * (1 + v + pass));
        assay_comparison_row  cold =
            a_comparison(ASSAY_REGIME_COLD, 1 / (1 - 0.2 * v + 0.01 * size) - 0.4 * pass);

        int64_t id;

        if (size == 0 && side && pass)
            continue;
        id = plan_point(f, run, &row);
        (void)strcpy(cold.against, variants[0]);
        assert_ok(assay_store_begin_point(f->store, id));
        assert_ok(assay_store_put_check(f->store, id, &check));
        page_measure(f, id, page_row(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, ns, n, true),
                     PAGE_SAMPLES);
        page_facts(f, id, n, ns, v);
        if (v > 0)
            assert_ok(assay_store_put_comparison(f->store, id, &cold));
        finish_passed(f, id);
    }
}

/* Writes every hostile string as variant, axis, reason of an output and reason of a point. */
static inline void page_hostile(fixture *f, int64_t run)
{
    for (size_t i = 0; i < N_HOSTILE; i++) {
        assay_point_row p = a_point(i % 3 ? "evil" : "evil </script><script>alert('case')</script>",
                                    hostile[i], "", (int64_t)i);

        (void)snprintf(p.axis[0].name, sizeof p.axis[0].name, "n%s", hostile[i]);
        if (i % 2)
            pass_point(f, plan_point(f, run, &p), 0.5, 1000);
        else
            fail_point(f, plan_point(f, run, &p), hostile[i]);
    }
}

static inline void page_outcomes(fixture *f, int64_t run)
{
    assay_point_row p = a_point("broken", "no_tail", "", 65);
    int64_t         broken, skipped;

    p.expect = ASSAY_BIT(WRONG_VALUE);
    broken   = plan_point(f, run, &p);
    p        = a_point("axpy", "vec4", "naive", 63);
    skipped  = plan_point(f, run, &p);
    p        = a_point("axpy", "vec4", "naive", 62);
    (void)plan_point(f, run, &p); /* never finished */
    fail_point(f, broken, "the tail is missing");
    skip_point(f, skipped, ASSAY_UNSUPPORTED, "needs a multiple of 4");
}

/* One run with a million samples. */
static inline void write_large_database(fixture *f)
{
    static const char *const variants[] = { "naive", "vec4", "strided", "tiled", "fused" };
    int64_t                  run;

    open_store(f);
    run = page_begin_run(f, 0);
    put_ceilings(f, run);
    for (int i = 0; i < LARGE_POINTS; i++) {
        const char           *variant = variants[i % 5];
        const int64_t         n       = (int64_t)1000 * (i / 5 + 1);
        const assay_point_row row     = a_point("axpy", variant, i % 5 ? "naive" : "", n);
        const assay_check_row check   = a_check(0.5);
        const int64_t         id      = plan_point(f, run, &row);
        const double          ns      = 2000 + 1.37 * (double)n;

        assert_ok(assay_store_begin_point(f->store, id));
        assert_ok(assay_store_put_check(f->store, id, &check));
        for (int m = 0; m < 4; m++)
            page_measure(f, id,
                         page_row(m / 2 ? ASSAY_REGIME_HOT : ASSAY_REGIME_COLD,
                                  m % 2 ? ASSAY_CLOCK_RECORD : ASSAY_CLOCK_EVENT, ns + 100 * m, n,
                                  m % 2),
                         LARGE_EACH);
        if (i % 5)
            page_kernels(f, id, n, ns);
        finish_passed(f, id);
    }
    assert_ok(assay_store_end_run(f->store, run, 0));
}

/* Returns the newest run, which reports show. `is_hostile`: it has names that are markup. */
static inline int64_t write_page_database(fixture *f, bool is_hostile)
{
    int64_t run = 0;

    open_store(f);
    for (int k = 0; k < PAGE_RUNS; k++) {
        run = page_begin_run(f, k);
        put_ceilings(f, run);
        for (int s = 0; s < PAGE_SIZES; s++) {
            page_point(f, run, "axpy", "naive", (int64_t)1 << (14 + 2 * s), 1.35, k);
            page_point(f, run, "axpy", "vec4", (int64_t)1 << (14 + 2 * s), 1, k);
            page_point(f, run, "axpy", "strided", (int64_t)1 << (14 + 2 * s), 2.9, k);
        }
        if (k == PAGE_RUNS - 1) {
            page_stencil(f, run);
            page_outcomes(f, run);
            if (is_hostile)
                page_hostile(f, run);
        }
        assert_ok(assay_store_end_run(f->store, run, 2));
    }
    return run;
}

#endif
