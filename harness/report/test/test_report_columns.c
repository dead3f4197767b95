/* The columns of times and the summary lines of the text report: their width, their digits, and
 * what is shown for a missing value. */
#include "testing/report_timed.h"

#include "report/report_internal.h"

/* A line with every note, and the longest name in use. */
static void test_width(void **state)
{
    fixture              *f    = *state;
    const int64_t         run  = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row a    = a_point("physics_loss", "nonfused", "", 1000000);
    const assay_point_row b    = a_point("physics_loss", "fused_tiled_8x8x4", "nonfused", 1000000);
    const int64_t         base = plan_point(f, run, &a), id = plan_point(f, run, &b);
    assay_measurement_row m  = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 123456, true);
    assay_comparison_row  up = a_comparison(ASSAY_REGIME_COLD, 12.25);
    char                 *text;

    pass_point(f, base, 0.5, 1000);
    m.is_below_floor = true;
    m.n_throttled = m.n_discarded = 100000;
    m.ceiling_bytes_per_s         = 1e9;
    up.clock                      = ASSAY_CLOCK_RECORD;
    (void)strcpy(up.against, "nonfused");
    up.lo = 12.24;
    up.hi = 12.26;
    begin_checked(f, id);
    put_row(f, id, &m);
    assert_ok(assay_store_put_comparison(f->store, id, &up));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_has(text, "near the floor, above the ceiling, 100000 throttled, 100000 discarded");
    assert_has(text, "12.25x [12.24, 12.26]");
    free(text);
}

static void test_uncertainty(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);
    assay_measurement_row m   = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 10000, true);
    char                 *text;

    begin_checked(f, id);
    m.process_spread = 0.5; /* the medians of the processes differ; +- is half of the spread */
    put_row(f, id, &m);
    m       = a_judged(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 10000, true);
    m.q1_ns = m.q3_ns = 10000; /* all samples are one tick of the clock, from one process */
    m.process_spread  = (double)NAN;
    put_row(f, id, &m);
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_non_null(strstr(line_of(text, "naive cold record"), "10.00 us 25 %"));
    assert_non_null(strstr(line_of(text, "naive hot record"), "10.00 us <0.01 %"));
    free(text);
}

/* The text shows which values an interval excludes, however narrow it is. */
static void test_intervals(void **state)
{
    static const struct {
        double      ratio, lo, hi;
        const char *text;
    } intervals[] = {
        { 2, 1.96, 2.04, "2.000x [1.960, 2.040]" },
        { 2, (double)NAN, (double)NAN, "2.000x" },
        { 1, 1, 1, "1.000x [1.000, 1.000]" }, /* the same to the last bit */
        { 1, 0.99998, 1.00002, "1.00000x [0.999980, 1.00002]" },
        { 1.0002, 1.0001, 1.0003, "1.0002x [1.0001, 1.0003]" },
        { 1.00002, 1.00001, 1.00003, "1.00002x [1.00001, 1.00003]" },
        { 1, 1, 1.0000004, "1.0000000x [1.0000000, 1.0000004]" },
        { 1, 1 - 1e-12, 1 + 1e-12, "1.00000000x [1.00000000, 1.00000000]" },
    };
    char text[ASSAY_CELL_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        assert_string_equal(
            assay_format_interval(text, intervals[i].ratio, intervals[i].lo, intervals[i].hi),
            intervals[i].text);
}

static void test_memory(void **state)
{
    fixture          *f       = *state;
    const int64_t     run     = (open_store(f), begin_run(f, "run-1"));
    assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    char             *text;

    for (int n = 1; n <= 2; n++)
        for (int v = 0; v < 2; v++) {
            const assay_point_row p  = a_point("axpy", v ? "sorts" : "none", "", n);
            const int64_t         id = plan_point(f, run, &p);

            verdict.workspace_bytes = v * n * 1000000;
            verdict.peak_bytes      = v ? n * 3000000 : -1;
            verdict.device_bytes    = n * 2000000;
            begin_checked(f, id);
            assert_ok(assay_store_finish_point(f->store, id, &verdict));
        }
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(strstr(text, "memory on the device"), "sorts"),
                        "sorts 2.000 MB 4.000 MB 6.000 MB");
    assert_null(strstr(strstr(text, "memory on the device"), "none "));
    free(text);
}

static void test_against_itself(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);
    assay_comparison_row  aa  = a_comparison(ASSAY_REGIME_COLD, 1.001);
    char                 *text;

    (void)strcpy(aa.kind, "aa");
    (void)strcpy(aa.against, "naive");
    begin_checked(f, id);
    aa.lo = 0.998;
    aa.hi = 1.004;
    assert_ok(assay_store_put_comparison(f->store, id, &aa));
    aa.regime = ASSAY_REGIME_HOT;
    aa.ratio  = 0.96;
    aa.lo     = 0.95;
    aa.hi     = 0.97;
    assert_ok(assay_store_put_comparison(f->store, id, &aa));
    aa.regime   = ASSAY_REGIME_GRAPH;
    aa.is_known = false;
    aa.ratio = aa.lo = aa.hi = (double)NAN;
    (void)strcpy(aa.reason, "no valid sample");
    assert_ok(assay_store_put_comparison(f->store, id, &aa));
    finish_passed(f, id);
    text = report_of(f, 0, "details");
    assert_string_equal(line_of(text, "A/A"),
                        "A/A 3 comparisons of a point with itself: 1 of 2 intervals exclude 1, "
                        "largest |ratio - 1| 4.0 %; 1 cannot be told");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(width), TEST(uncertainty), TEST(intervals), TEST(memory), TEST(against_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
