/* The text report that people see first. */
#include "testing/report_timed.h"

/* Writes a point of `naive` or `vec4` into a run of an open store; `vec4` has twice the speed of
 * its baseline. */
static void put_point(fixture *f, int64_t run, const char *variant, int size,
                      assay_measurement_row *m)
{
    const assay_point_row p =
        a_point("axpy", variant, strcmp(variant, "vec4") == 0 ? "naive" : "", size);
    const int64_t              id = plan_point(f, run, &p);
    const assay_comparison_row up = a_comparison(ASSAY_REGIME_HOT, 2);

    double      times[100], clocks[100];
    assay_block block = a_block(100, 0);

    for (int i = 0; i < 100; i++) {
        times[i]  = m->median_ns;
        clocks[i] = 1980;
    }
    block.median_ns = m->median_ns;
    m->n_samples    = 100;
    m->n_blocks = m->n_processes = 1;
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, m, times, clocks, &block));
    if (strcmp(variant, "vec4") == 0)
        assert_ok(assay_store_put_comparison(f->store, id, &up));
    finish_passed(f, id);
}

static int64_t put_run(fixture *f)
{
    const int64_t         run   = (open_store(f), begin_run(f, "run-1"));
    assay_measurement_row slow  = a_judged(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 10000, true);
    assay_measurement_row quick = a_judged(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 5000, true);

    put_point(f, run, "naive", 64, &slow);
    put_point(f, run, "vec4", 64, &quick);
    quick.process_spread = 0.6;
    put_point(f, run, "naive", 4096, &quick);
    return run;
}

static void test_lines(void **state)
{
    fixture *f    = *state;
    char    *text = (put_run(f), report_of(f, 0, "text"));

    assert_has(text, "\n3 points: 3 passed\n");
    assert_string_equal(line_of(strstr(text, "axpy:"), "naive"), "naive 2 0.500 bound c=2 g=log2");
    assert_has(text, "\n    n=64\n");
    assert_string_equal(line_of(strstr(text, "    n=64"), "naive"),
                        "naive 10.00 us 1.8 % hot - 40.0 % -");
    assert_string_equal(line_of(strstr(text, "    n=64"), "vec4"),
                        "vec4 5.000 us 1.8 % hot 2.00x 80.0 % -");
    /* a time that cannot be trusted has the reason beside it */
    assert_string_equal(line_of(strstr(text, "    n=4096"), "naive"),
                        "naive 5.000 us 30 % hot - 80.0 % noise");
    assert_has(text, "--details\n");
    assert_lacks(text, "tolerances\n");
    for (const char *line = strstr(text, "axpy:"); *line; line += *line == '\n') {
        const size_t n = strcspn(line, "\n");

        if (n > 80)
            fail_msg("%d characters: %.*s", (int)n, (int)n, line);
        line += n;
    }
    free(text);
}

/* Only times that can be trusted have a star. */
static void test_star(void **state)
{
    fixture *f     = *state;
    char    *text  = (put_run(f), report_of(f, 0, "details"));
    char    *times = strstr(text, "times per call");

    assert_non_null(times);
    assert_string_equal(line_of(times, "vec4"),
                        "vec4 hot record * 5.000 us 1.8 % 2400 80.0 % 2.000x [1.960, 2.040] -");
    assert_string_equal(line_of(strstr(times, "n=4096"), "naive"),
                        "naive hot record 5.000 us 30 % 2400 80.0 % - noise");
    free(text);
}

/* Without times and with one size, there are no headings, and the axes are shown once. */
static void test_one_size(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    assay_measurement_row m   = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 10000, true);
    char                 *text;

    put_point(f, run, "naive", 64, &m);
    text = report_of(f, 0, "text");
    assert_has(text, "\n  n=64\n");
    assert_lacks(text, "\n    n=64\n");
    assert_string_equal(line_of(strstr(text, "  n=64"), "naive"),
                        "naive 10.00 us 1.8 % cold 40.0 %");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(lines), TEST(star), TEST(one_size) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
