/* The text report: known numbers in, known text out. */
#include "testing/report_fixture.h"

#include "report/report_internal.h"

/* ---- reports ---- */

static void test_text(void **state)
{
    fixture *f = *state;
    char    *text;

    (void)write_run(f);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "run "), "run run-1 (number 1 of this file)");
    assert_string_equal(line_of(text, "command"), "command assay check axpy");
    assert_has(line_of(text, "started"), "exit status 2");
    assert_string_equal(line_of(text, "host"), "host node-7, A CPU, 16 CPUs, Linux 6.1.0");
    assert_string_equal(line_of(text, "device"),
                        "device Test GPU 80GB, GPU-1234, lane cuda, cc 9.0, "
                        "80.00 GB, driver 580.1, CUDA 13.0");
    assert_has(line_of(text, "build"), "assay 0.1.0, commit abcdef012345, release, gcc 12.2.0");
    assert_string_equal(line_of(text, "9 points"),
                        "9 points: 3 passed, 2 failed (1 PASS, 1 WRONG_VALUE), 1 broken on purpose "
                        "and found out (1 WRONG_VALUE), 2 skipped, 1 not finished");
    assert_has(text, "`assay resume`");

    assert_has(text, "axpy/vec4/n=65\n      WRONG_VALUE: y[255] is NaN\n");
    assert_string_equal(
        line_of(text, "y, random input"),
        "y, random input: 3 of 1000 elements fail, first at 255: NaN, expected 1.25; "
        "worst err/bound inf by rule bound c=2 g=log2");
    assert_has(text, "assay check --point axpy/vec4/n=65 --seed 18446744073709551615\n");
    assert_lacks(text, "0 of 1000");
    assert_has(text, "PASS, but declared broken: expected NONDETERMINISTIC or RACE\n");
    assert_has(text, "assay check --point broken/no_fence/n=65 --seed 42\n");
    assert_lacks(text, "--point broken/no_tail");

    assert_has(text, "1 point  UNSUPPORTED: needs a multiple of 4 (axpy/vec4)\n");
    assert_has(text, "1 point  SKIPPED: needs 90.0 GB of device memory, 79.0 GB are free "
                     "(zeta/only)\n");
    free(text);
}

static void test_text_tables(void **state)
{
    fixture    *f = *state;
    char       *text;
    const char *axpy, *times;

    (void)write_run(f);
    text = report_of(f, 1, "details");
    axpy = strstr(text, "\naxpy, version 1: y[i] += a * x[i]\n");
    assert_non_null(axpy);
    assert_string_equal(
        line_of(axpy, "variant"),
        "variant points passed failed skipped worst err/bound rule input, output at");
    assert_string_equal(line_of(axpy, "naive"),
                        "naive 2 2 - - 0.310 bound c=2 g=log2 random, y n=64");
    assert_string_equal(line_of(axpy, "vec4"), "vec4 3 1 1 1 inf bound c=2 g=log2 random, y n=65");
    assert_string_equal(
        line_of(axpy, "y on random input:"),
        "y on random input: error <= 2 * (2^-24 * |ref| + 2^-24 * g * sum|terms|), g = log2; "
        "a sum of eight terms");

    times = strstr(axpy, "times per call");
    assert_non_null(times);
    assert_string_equal(line_of(times, "variant"), "variant regime, clock time +- GB/s note");
    assert_has(times, "\n    n=1000000\n");
    assert_string_equal(line_of(times, "naive"),
                        "naive cold event 20.00 us 9.1 % 600.0 few samples");
    assert_string_equal(line_of(times, "vec4"), "vec4 cold event 10.00 us 9.1 % 1200 few samples");
    assert_string_equal(line_of(strstr(times, "vec4") + 1, "vec4"),
                        "vec4 hot event 8.000 us 9.1 % 1500 few samples");
    assert_has(text, "\nbroken, version 1");
    assert_has(text, "\nzeta, version 1");
    assert_lacks(strstr(text, "\nzeta"), "tolerances");
    free(text);
}

/* Hundreds of points that were only checked give one line for each variant. */
static void test_text_is_compact(void **state)
{
    enum {
        N = 96
    };
    fixture          *f   = *state;
    const int64_t     run = (open_store(f), begin_run(f, "run-1"));
    assay_run_row     row = a_run("host-run");
    assay_device_info cpu = { .kind = "host", .name = "A CPU" };
    int64_t           host;
    size_t            n_lines = 0;
    char             *text;

    (void)run;
    assert_ok(assay_store_begin_run(f->store, &row, &cpu, &host));
    for (int i = 0; i < N; i++) {
        const assay_point_row p = a_point("physics_loss", "fused_tiled", "", i);

        pass_point(f, plan_point(f, host, &p), 0.31 - 0.001 * i, 0);
    }
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "96 points"), "96 points: 96 passed");
    assert_string_equal(line_of(text, "fused_tiled"),
                        "fused_tiled 96 96 0.310 bound c=2 g=log2 random, y n=0");
    assert_has(text, "Nothing was timed in this run.\n");
    assert_has(text,
               "This device checks kernels and never times them: only CPU variants have times.\n");
    assert_has(text, "interrupted, or still running");
    assert_lacks(text, "times per call");
    assert_lacks(text, "resume");
    assert_lacks(text, "\nFailed");
    assert_lacks(text, "\nSkipped");
    assert_lacks(text, " \n");
    for (const char *p = text; *p; p++)
        n_lines += *p == '\n';
    assert_true(n_lines < 30);
    free(text);
}

/* The reference's PASS is not counted. */
static void test_text_reference(void **state)
{
    fixture        *f   = *state;
    const int64_t   run = (open_store(f), begin_run(f, "run-1"));
    assay_point_row p   = a_point("axpy", "cpu_ref", "", 64);
    char           *text;

    p.is_reference = true;
    pass_point(f, plan_point(f, run, &p), 0, 1000);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "1 point"), "1 point: 0 passed, 1 of the reference itself");
    assert_has(text, "cpu_ref (the reference)");
    free(text);
}

/* Units, digits, and values that are no numbers. */
static void test_values(void **state)
{
    static const struct {
        double      time_ns;
        const char *text;
    } times[] = {
        { 0, "0 ns" },
        { 1, "1.000 ns" },
        { 999.94, "999.9 ns" },
        { 999.96, "1.000 us" },
        { 6420, "6.420 us" },
        { 64.2e6, "64.20 ms" },
        { 999949e3, "999.9 ms" },
        { 1.5e9, "1.500 s" },
        { 86400e9, "86400 s" },
        { 0.25, "0.2500 ns" },
        { (double)NAN, "NaN" },
        { (double)INFINITY, "inf" },
    };
    static const struct {
        double      value;
        const char *text;
    } numbers[] = {
        { 0.31, "0.310" },    { 0.9996, "1.00" }, { 12345, "12345" },     { 1e-9, "1e-09" },
        { 2.5e8, "2.5e+08" }, { -0.5, "-0.500" }, { 0.00123, "0.00123" },
    };
    char text[ASSAY_CELL_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_string_equal(assay_format_time(text, times[i].time_ns), times[i].text);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_string_equal(assay_format_number(text, numbers[i].value, 3), numbers[i].text);
    assert_string_equal(assay_format_exact(text, 0.1), "0.1");
    assert_string_equal(assay_format_exact(text, 0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(assay_format_bytes(text, 80e9), "80.00 GB");
}

/* A planned run in which nothing has finished reads well when asked for by number. */
static void test_text_nothing_finished(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    char                 *text;

    (void)plan_point(f, run, &p);
    assert_fails(assay_report_write(f->path, 0, "text", stdout), ASSAY_E_NOTHING,
                 "no run has finished a point yet");
    text = report_of(f, run, "details");
    assert_string_equal(line_of(text, "1 point"), "1 point: 0 passed, 1 not finished");
    assert_string_equal(line_of(text, "naive"), "naive 1 1");
    assert_has(text, "Nothing was timed");
    free(text);
}

static void test_errors(void **state)
{
    fixture *f = *state;
    FILE    *full;

    assert_fails(assay_report_write(f->path, 0, "text", stdout), ASSAY_E_DATABASE,
                 "no results yet");
    (void)write_run(f);
    assert_fails(assay_report_write(f->path, 7, "text", stdout), ASSAY_E_NOTHING,
                 "there is no run 7");
    assert_fails(assay_report_write(f->path, 1, "pdf", stdout), ASSAY_E_USAGE, "format 'pdf'");
    for (int i = 0; assay_report_formats[i]; i++) {
        full = fopen("/dev/full", "w");
        assert_non_null(full);
        assert_fails(assay_report_write(f->path, 1, assay_report_formats[i], full), ASSAY_E_IO,
                     "cannot be written");
        (void)fclose(full);
    }
}

/* The terminal obeys nothing in hostile text, and the replay line is safe to paste. */
static void test_text_hostile(void **state)
{
    fixture *f = *state;
    char    *text;

    (void)write_hostile_run(f);
    text = report_of(f, 0, "details");
    for (const char *p = text; *p; p++)
        assert_true((unsigned char)*p >= 0x20 || *p == '\n');
    assert_has(text, "line\\nbreak");
    assert_has(text, "--point evil/a,b/n=0 --seed 42\n");
    assert_lacks(text, "--point evil/<script>");
    assert_has(text, "--point 'evil/<script>alert(1)</script>/n=4' --seed 42\n");
    assert_has(text, "--point $'evil/line\\nbreak/n=2' --seed 42\n");
    assert_has(text, "100% %s%n");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text),   TEST(text_tables),           TEST(text_is_compact), TEST(text_reference),
        TEST(values), TEST(text_nothing_finished), TEST(errors),          TEST(text_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
