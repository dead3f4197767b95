/* The text report of a timed run: times with regime, clock and flags, and the values behind
 * them. */
#include "testing/report_timed.h"

#include "report/report_internal.h"

static void test_grounds(void **state)
{
    fixture    *f = *state;
    const char *part;
    char       *text;

    (void)write_timed_run(f);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "timing"),
                        "timing 3 processes of 0.250 s a point, 4 blocks of each metric in each, "
                        "until 1.0 % or 100 samples; event clock from 30.00 us on");
    /* five measurements of 0.5 s with 4 samples each: 2 of naive, 3 of vec4 */
    assert_string_equal(line_of(text, "wall time"),
                        "wall time timing alone 2.500 s: 1.250 s a point, at most 1.500 s "
                        "(axpy/vec4/n=1000000)");
    assert_string_equal(line_of(text, "125.0 ms a sample"),
                        "125.0 ms a sample, of which it times 7.180 us (20 samples)");
    assert_string_equal(line_of(text, "A/A"),
                        "A/A 1 comparison of a point with itself: 0 of 1 intervals exclude 1, "
                        "largest |ratio - 1| 0.10 %");
    assert_string_equal(line_of(text, "NVML"),
                        "NVML clock reasons, power and temperature unknown (1 measurement): no "
                        "libnvidia-ml.so.1");
    assert_string_equal(line_of(text, "counters"),
                        "counters 2 not counted (pcie__read_bytes.sum, ...): unsupported: "
                        "device-level: ask for it alone");
    part = strstr(text, "Floor and ceilings");
    assert_string_equal(line_of(part, "regime"),
                        "regime clock working set null kernel copy GB/s read GB/s fp32 Gflop/s");
    assert_string_equal(line_of(part, "cold record -"), "cold record - 1.500 us - - -");
    /* measured twice: the newest counts */
    assert_string_equal(line_of(part, "cold record 16"), "cold record 16.78 MB - 2500 3000 -");
    assert_string_equal(line_of(part, "hot event -"), "hot event - - - - 60000");
    free(text);
}

static void test_times(void **state)
{
    fixture    *f = *state;
    const char *times;
    char       *text;

    (void)write_timed_run(f);
    text  = report_of(f, 0, "details");
    times = strstr(text, "times per call");
    assert_non_null(times);
    assert_string_equal(line_of(times, "variant"),
                        "variant regime, clock time +- GB/s ceiling speed-up note");
    /* of 4 samples: 1.82 * (10500 - 9500) / sqrt(4) / 10000, more than half of 0.42 % */
    assert_string_equal(line_of(times, "naive cold record"),
                        "naive cold record 10.00 us 9.1 % 1200 40.0 % - few samples, 3 throttled, "
                        "2 discarded");
    assert_string_equal(line_of(times, "vec4 cold record"),
                        "vec4 cold record 3.900 us 9.1 % 3077 103 % 2.500x [2.450, 2.550] few "
                        "samples, near the floor, above the ceiling");
    /* the event clock of the same regime is shown, unmarked and without a speed-up */
    assert_string_equal(line_of(times, "vec4 cold event"),
                        "vec4 cold event 6.000 us 9.1 % 2000 66.7 % - few samples");
    assert_has(text, "*: the clock that decides in this regime; no note applies.");
    times = strstr(times, "CANNOT_TELL: no clock decides");
    assert_non_null(times);
    assert_string_equal(line_of(times, "hot"), "hot 1 axpy/vec4/n=1000000 shorter than 30 us");
    times = strstr(times, "other comparisons");
    assert_non_null(times);
    assert_string_equal(line_of(times, "naive"),
                        "naive itself (A/A) cold record 1.001x [0.9980, 1.004] 12 3 NO_DIFFERENCE "
                        "-");
    assert_string_equal(line_of(times, "vec4"),
                        "vec4 naive hot - - 12 3 CANNOT_TELL event: shorter than 30 us");
    free(text);
}

static void test_evidence(void **state)
{
    fixture    *f = *state;
    const char *part;
    char       *text;

    (void)write_timed_run(f);
    text = report_of(f, 0, "details");
    part = strstr(text, "\n  tuning\n");
    assert_non_null(part);
    assert_string_equal(line_of(part, "vec4"), "vec4 3 1 block=256 hot graph 4.400 us 5.100 us");
    part = strstr(part, "sections of a call (hot, record)");
    assert_non_null(part);
    assert_string_equal(line_of(part, "vec4 main"), "vec4 main 1 3.500 us 79.5 %");
    part = strstr(part, "kernels of a call");
    assert_non_null(part);
    assert_string_equal(line_of(part, "variant"),
                        "variant kernel grid block registers local B shared B hot, record code at");
    assert_string_equal(line_of(part, "vec4 1"),
                        "vec4 1 vec4_main 1024x2 256 32 16 1024 3.500 us 9f86d081884c7d65 "
                        "n=1000000");
    assert_string_equal(line_of(part, "vec4 2"),
                        "vec4 2 vec4_tail 1 64 12 0 0 900.0 ns - n=1000000");
    part = strstr(part, "counted in one call (cold), against what is declared");
    assert_non_null(part);
    assert_string_equal(line_of(part, "variant"),
                        "variant declared own DRAM read DRAM written DRAM/declared declared flops "
                        "fp32 flops flops/declared");
    assert_string_equal(line_of(part, "vec4"),
                        "vec4 12.00 MB 12.00 MB 8.100 MB 4.020 MB 1.01 2000000 2000000 1.00");
    part = strstr(part, "counters of one call (cold)");
    assert_non_null(part);
    assert_string_equal(line_of(part, "vec4 dram__bytes_read"),
                        "vec4 dram__bytes_read.sum 8100000 user");
    assert_lacks(part, "pcie__");
    free(text);
}

/* The text at the end of a trace. */
static void test_traced(void **state)
{
    fixture *f = *state;
    char    *text;

    (void)write_timed_run(f);
    text = report_of(f, 0, "sections");
    assert_int_equal(strncmp(text, "axpy/vec4 at n=1000000 passed; sections of a call", 49), 0);
    assert_string_equal(line_of(text, "section"), "section launches a call time a call share");
    assert_string_equal(line_of(text, "main"), "main 1 3.500 us 79.5 %");
    assert_string_equal(line_of(text, "tail"), "tail 1 900.0 ns 20.5 %");
    assert_lacks(text, "naive");
    free(text);
}

static void test_nothing_traced(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);
    char                 *text;

    begin_checked(f, id);
    finish_passed(f, id);
    text = report_of(f, 0, "sections");
    assert_string_equal(text, "The call started nothing on the device: there are no sections.\n");
    free(text);
}

/* The report of a point that passed and has these metrics. */
static char *report_with_metrics(fixture *f, const assay_metric_row *metrics, size_t n,
                                 const char *what)
{
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);

    begin_checked(f, id);
    for (size_t i = 0; i < n; i++)
        assert_ok(assay_store_put_metric(f->store, id, &metrics[i]));
    finish_passed(f, id);
    return report_of(f, 0, what);
}

/* What the host of a peer did stands below the sections. */
static void test_traced_peer(void **state)
{
    static const assay_metric_row metrics[] = {
        { .name   = "calls of cudaLaunchKernel",
          .status = "ok",
          .value  = 53,
          .replay = ASSAY_TOLD_BY_PEER },
        { .name = "retries", .status = "ok", .value = 3, .replay = "check" },
    };
    char *text =
        report_with_metrics(*state, metrics, sizeof metrics / sizeof metrics[0], "sections");

    assert_string_equal(line_of(text, "of the host"), "of the host value");
    assert_string_equal(line_of(text, "calls of"), "calls of cudaLaunchKernel 53.0000");
    assert_lacks(text, "retries");
    free(text);
}

/* A call with hundreds of kernels does not fill the screen. */
static void test_long_call(void **state)
{
    fixture              *f      = *state;
    const int64_t         run    = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p      = a_point("axpy", "naive", "", 64);
    const int64_t         id     = plan_point(f, run, &p);
    assay_launch_row      launch = { .kernel = "k", .grid = { 8, 1, 1 }, .block = { 64, 1, 1 } };
    char                 *text;

    begin_checked(f, id);
    for (launch.ordinal = 0; launch.ordinal < 300; launch.ordinal++)
        assert_ok(assay_store_put_launch(f->store, id, &launch));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "naive 32 "), "naive 32 k 8 64 0 0 0 0 ns n=64");
    assert_string_equal(line_of(text, "naive 33"), "naive 33... more: table launch - - - - - - -");
    assert_lacks(text, " 34 ");
    free(text);
}

/* Equal launches of many points share one line. */
static void test_launches_once(void **state)
{
    fixture         *f      = *state;
    const int64_t    run    = (open_store(f), begin_run(f, "run-1"));
    assay_launch_row launch = { .kernel = "k", .grid = { 8, 1, 1 }, .block = { 64, 1, 1 } };
    char            *text;

    for (int i = 0; i < 40; i++) {
        const assay_point_row p  = a_point("axpy", "naive", "", i);
        const int64_t         id = plan_point(f, run, &p);

        launch.grid[0] = i < 39 ? 8 : 16;
        begin_checked(f, id);
        assert_ok(assay_store_put_launch(f->store, id, &launch));
        finish_passed(f, id);
    }
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(strstr(text, "kernels of a call"), "naive"),
                        "naive 1 k 8 64 0 0 0 - 39 points");
    assert_has(text, "n=39");
    assert_has(text, "Nothing was timed");
    free(text);
}

/* If every sample was invalid, there is a reason and no time. */
static void test_no_valid_sample(void **state)
{
    fixture              *f     = *state;
    const int64_t         run   = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p     = a_point("axpy", "naive", "", 64);
    const int64_t         id    = plan_point(f, run, &p);
    assay_measurement_row m     = a_measurement(ASSAY_REGIME_COLD, 1000);
    const assay_block     block = a_block(0, 0);
    char                 *text;

    m.n_samples = 0;
    m.n_blocks = m.n_processes = 1;
    m.n_throttled              = 77;
    (void)strcpy(m.stop_reason, "throttled");
    (void)strcpy(m.decision, "no valid sample");
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, &m, NULL, NULL, &block));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(strstr(text, "times per call"), "naive"),
                        "naive cold event few samples, mostly throttled, 77 throttled");
    assert_has(text, "no valid sample");
    free(text);
}

/* Facts that a case read from its outputs stand apart from counters; parts of a distribution are
 * left out. */
static void test_facts(void **state)
{
    static const assay_metric_row metrics[] = {
        { .name = "retries", .status = "ok", .value = 3, .replay = "check" },
        { .name = "wait_ns.2e10", .status = "ok", .value = 0.25, .replay = "check" },
        { .name = "dram__bytes.sum", .status = "ok", .value = 64, .replay = "user" },
        { .name = "calls of a.b", .status = "ok", .value = 7, .replay = ASSAY_TOLD_BY_PEER },
    };
    char *text =
        report_with_metrics(*state, metrics, sizeof metrics / sizeof metrics[0], "details");

    assert_string_equal(line_of(strstr(text, "facts: numbers"), "naive"), "naive retries 3.00000");
    assert_string_equal(line_of(strstr(text, "counters of"), "naive"),
                        "naive dram__bytes.sum 64.0000 user");
    assert_has(strstr(text, "facts: numbers"), "calls of a.b");
    assert_null(strstr(text, "2e10"));
    free(text);
}

/* The time of a process's first call stands beside the later times, and apart from counters. */
static void test_first_calls(void **state)
{
    static const assay_metric_row first = {
        .name = ASSAY_FIRST_CALL, .status = "ok", .value = 3e8, .n_passes = 2, .replay = "first"
    };
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);
    assay_measurement_row hot = a_measurement(ASSAY_REGIME_HOT, 2e6);
    char                 *text;

    begin_checked(f, id);
    hot.decides = true;
    put_row(f, id, &hot);
    assert_ok(assay_store_put_metric(f->store, id, &first));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(strstr(text, "first call of"), "naive"),
                        "naive 300.0 ms 2 2.000 ms hot event 150.0");
    assert_null(strstr(text, "counters of"));
    free(text);
    text = report_of(f, 0, "csv");
    assert_has(text, "first_call_ns|ok|300000000.0|2|first|");
    free(text);
}

/* Names with control characters in every new place. */
static void test_hostile(void **state)
{
    fixture             *f       = *state;
    const int64_t        run     = (open_store(f), begin_run(f, "run-1"));
    assay_launch_row     launch  = { .kernel = "\x1b[31mred", .code_hash = "\n" };
    assay_section_row    section = { .name = "\r\x07" };
    assay_metric_row     metric  = { .name = "\x1b]0;x", .status = "failed", .reason = "\t%n%s" };
    assay_comparison_row row     = a_comparison(ASSAY_REGIME_COLD, 1);
    assay_trial_row      trial   = {
               .tuning = "\x7f", .verdict = ASSAY_PASS, .median_ns = 1, .is_chosen = true
    };
    const assay_point_row p  = a_point("axpy", "naive", "", 64);
    const int64_t         id = plan_point(f, run, &p);
    char                 *text;

    row.is_known = false;
    (void)strcpy(row.reason, "\x1b[2J%s%n");
    begin_checked(f, id);
    assert_ok(assay_store_put_launch(f->store, id, &launch));
    assert_ok(assay_store_put_section(f->store, id, &section));
    assert_ok(assay_store_put_metric(f->store, id, &metric));
    assert_ok(assay_store_put_comparison(f->store, id, &row));
    assert_ok(assay_store_put_trial(f->store, id, &trial));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    for (const char *c = text; *c; c++)
        assert_true(((unsigned char)*c >= 0x20 && *c != 0x7f) || *c == '\n');
    assert_has(text, "%s%n");
    free(text);
}

static void test_kernel_names(void **state)
{
    static const struct {
        const char *mangled, *text;
    } names[] = {
        { "axpy_naive", "axpy_naive" },
        { "_Z10axpy_naivefPKfPfl", "axpy_naive" },
        { "_ZN3foo3barILi4EEEvPf", "bar" },
        { "_ZL5localPf", "local" },
        { "_ZN12_GLOBAL__N_15innerEv", "inner" },
        { "_Z", "_Z" },
        { "_Z99short", "_Z99short" },
        { "_Z0x", "_Z0x" },
        { "_ZN", "_ZN" },
        { "_Z99999999999999999999x", "_Z99999999999999999999x" },
        { "", "" },
    };
    char text[ASSAY_CELL_SIZE], longest[400];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(assay_format_kernel(text, names[i].mangled), names[i].text);
    memset(longest, 'k', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(strlen(assay_format_kernel(text, longest)), ASSAY_CELL_SIZE - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(grounds),         TEST(times),       TEST(evidence),    TEST(traced),
        TEST(nothing_traced),  TEST(traced_peer), TEST(long_call),   TEST(launches_once),
        TEST(no_valid_sample), TEST(facts),       TEST(first_calls), TEST(hostile),
        TEST(kernel_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
