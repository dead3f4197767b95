/* compare: the arithmetic against known values, and hostile input. */
#include "compare_fixture.h"

static void test_student(void **state)
{
    (void)state;
    expect_near(assay_student_t(0.05, 1), 12.7062047361747, 1e-10);
    expect_near(assay_student_t(0.05, 4), 2.77644510519779, 1e-10);
    expect_near(assay_student_t(0.01, 10), 3.1692726726169, 1e-10);
    expect_near(assay_student_t(0.05, INFINITY), 1.95996398454005, 1e-10);
    expect_near(assay_student_t(0.05, 1e6), 1.95996635681, 1e-8);
    expect_near(assay_student_p(1, 1), 0.5, 1e-12);
    expect_near(assay_student_p(-1, 1), 0.5, 1e-12);
    expect_near(assay_student_p(sqrt(2), 2), 1 - sqrt(0.5), 1e-12);
    expect_near(assay_f_p(1, 7, 7), 0.5, 1e-12);
    expect_near(assay_f_p(3.2317, 2, 40), 0.05, 1e-4);
    for (double df = 0.7; df < 1e5; df *= 3)
        for (double p = 0.9; p > 1e-12; p *= 0.1)
            expect_near(assay_student_p(assay_student_t(p, df), df), p, 1e-8);
}

static void test_student_edges(void **state)
{
    (void)state;
    assert_true(assay_student_p(0, 3) == 1 && assay_student_p(INFINITY, 3) == 0);
    assert_true(isnan(assay_student_p(NAN, 3)) && isnan(assay_student_p(1, 0)) &&
                isnan(assay_student_p(1, NAN)));
    assert_true(isnan(assay_student_t(0, 3)) && isnan(assay_student_t(1, 3)) &&
                isnan(assay_student_t(NAN, 3)) && isnan(assay_student_t(0.5, -1)));
}

static void test_effect(void **state)
{
    /* ln times: A 0, 1, 2; B 3, 5, 7. Variances 1 and 4, SE^2 = 5/3, df = (5/3)^2 / ((1/3)^2/2 +
     * (4/3)^2/2) = 50/17 */
    pair           p = { .input = { .a = { p.a, 3, 0 }, .b = { p.b, 3, 0 } } };
    assay_compared row;

    (void)state;
    for (int i = 0; i < 3; i++) {
        p.a[i] = (assay_compare_block) { i, exp(i), NAN };
        p.b[i] = (assay_compare_block) { 10 + i, exp(3 + 2 * i), NAN };
    }
    row = compare(&p);
    expect_near(row.time.log_ratio, 4, 1e-12);
    expect_near(row.time.relative, exp(4) - 1, 1e-12);
    expect_near(row.time.se, sqrt(5.0 / 3), 1e-12);
    expect_near(row.time.df, 50.0 / 17, 1e-12);
    expect_near(row.time.spread_a, 1, 1e-12);
    expect_near(row.time.spread_b, 2, 1e-12);
    expect_near(log1p(row.time.lo), 4 - sqrt(5.0 / 3) * assay_student_t(0.05, 50.0 / 17), 1e-9);
    expect_near(log1p(row.time.hi), 4 + sqrt(5.0 / 3) * assay_student_t(0.05, 50.0 / 17), 1e-9);
    expect_near(row.time.p, assay_student_p(4 / sqrt(5.0 / 3), 50.0 / 17), 1e-12);
    assert_true(!row.has_cycles && isnan(row.cycles.p));
}

/* Blocks of one process are one unit, in any order and number. */
static void test_unit_is_the_process(void **state)
{
    pair           p;
    assay_compared one, many;

    (void)state;
    make(&p, 3, 100, 104, 0.001, 1);
    one = compare(&p);
    for (int i = 0; i < 60; i++) {
        p.a[i] = (assay_compare_block) { i % 3, 100 * (1 + 0.001 * (i % 3 - 1)), NAN };
        p.b[i] = (assay_compare_block) { i % 3, 104 * (1 + 0.001 * (i % 3 - 1)), NAN };
    }
    p.input.a.n_blocks = p.input.b.n_blocks = 60;
    many                                    = compare(&p);
    assert_true(many.time.n_a == 3 && many.time.n_b == 3);
    expect_near(many.time.se, one.time.se, 1e-9);
    expect_near(many.time.p, one.time.p, 1e-9);
}

/* ln times are 0 to 6 and 10 to 16. They are trimmed to 5; the winsorized squares are 4 + 4 + 1 + 0
 * + 1 + 4 + 4 = 18. On each side SE^2 is 18 / (5 * 4) and df is 4. */
static void test_trimmed(void **state)
{
    pair           p = { .input = { .a = { p.a, 7, 0 }, .b = { p.b, 7, 0 } } };
    assay_compared row;

    (void)state;
    for (int i = 0; i < 7; i++) {
        p.a[i] = (assay_compare_block) { i, exp(i), NAN };
        p.b[i] = (assay_compare_block) { i, exp(10 + i), NAN };
    }
    row = compare(&p);
    expect_near(row.time.log_ratio, 10, 1e-12);
    expect_near(row.time.se, sqrt(1.8), 1e-12);
    expect_near(row.time.df, 8, 1e-12);
}

/* From 7 processes on, one bad process moves neither effect nor interval much. */
static void test_one_bad_process(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 7, 100, 100.1, 0.001, 1);
    for (int i = 12; i < 14; i++) {
        p.b[i].time_ns *= 1.5;
        p.b[i].cycles *= 1.5;
    }
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_DECIDED, "all of it within 1.00 %", "nothing");
    make(&p, 6, 100, 100.1, 0.001, 1);
    p.b[11].time_ns *= 1.5;
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_WIDE, "reaches across",
           "not even 32 processes would decide");
    make(&p, 6, 100, 100.1, 0.001, 1);
    p.b[11].time_ns *= 1.05;
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_WIDE, "reaches across", "--processes");
}

/* The error of rounding to a tick does not average out. */
static void test_step(void **state)
{
    pair p;

    (void)state;
    make(&p, 16, 2000, 2060, 0.0005, 1);
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_SLOWER);
    p.input.a.step_ns = p.input.b.step_ns = 64;
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_CANNOT_TELL);
    expect_near(compare(&p).time.se, 64.0 / 2030 / sqrt(6), 0.02);
    expect_near(assay_compare_step(32, 2000, 2095), 32, 1e-12);
    expect_near(assay_compare_step(32, 2000, 2096), 4, 1e-12);
}

/* The case's known spread makes a comparison surer, unless this side is far worse. */
static void test_known_spread(void **state)
{
    const assay_compare_rule strict = { 0.01, 0.01, 0.0005 };
    pair                     p;
    assay_compared           row;

    (void)state;
    make(&p, 3, 100, 103, 0.004, 1);
    assert_int_equal(assay_compare_table(&p.input, 1, &strict, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_NOT_SIGNIFICANT, "over the whole table",
           "--processes");
    p.input.known.process_sd = 0.004;
    p.input.known.process_df = 80;
    assert_int_equal(assay_compare_table(&p.input, 1, &strict, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "corrected p", "confirm");
    expect_near(row.time.se, 0.004 * sqrt(2.0 / 3), 0.001);
    /* Both sides depend on one estimate: 2/3 of the squared error has 4 degrees of freedom, 1/6 on
     * each side has 2. */
    p.input.known.process_df = 4;
    row                      = compare(&p);
    expect_near(row.time.df, 1 / (4.0 / 9 / 4 + 2 * (1.0 / 36 / 2)), 0.001);
    p.input.known.process_df = 80;
    p.input.known.process_sd = 0.0005;
    row                      = compare(&p);
    expect_near(row.time.df, 4, 0.001); /* those of the sides alone */
}

static void test_holm(void **state)
{
    pair                p[3];
    assay_compare_input inputs[3];
    assay_compared      rows[3];
    double              least;

    (void)state;
    make(&p[0], 4, 100, 101.2, 0.004, 1);
    make(&p[1], 4, 100, 104, 0.004, 1);
    make(&p[2], 2, 100, 150, 0.004, 1); /* it has no p and does not count */
    for (int i = 0; i < 3; i++)
        inputs[i] = p[i].input;
    assert_int_equal(assay_compare_table(inputs, 3, &rule, rows), ASSAY_OK);
    least = rows[1].time.p;
    assert_true(least < rows[0].time.p);
    expect_near(rows[1].p_corrected, 2 * least, 1e-12);
    expect_near(rows[0].p_corrected, fmax(2 * least, rows[0].time.p), 1e-12);
    assert_true(isnan(rows[2].p_corrected));
    /* Two equal comparisons: the second in order is not corrected less than the first. */
    inputs[0] = inputs[1];
    assert_int_equal(assay_compare_table(inputs, 2, &rule, rows), ASSAY_OK);
    expect_near(rows[0].p_corrected, 2 * least, 1e-12);
    expect_near(rows[1].p_corrected, 2 * least, 1e-12);
    assert_int_equal(assay_compare_table(NULL, 0, &rule, NULL), ASSAY_OK);
}

static void test_unusable_blocks(void **state)
{
    const double   bad[] = { NAN, INFINITY, 0, -5, -INFINITY };
    pair           p;
    assay_compared clean, row;

    (void)state;
    make(&p, 3, 100, 103, 0.001, 1);
    clean = compare(&p);
    for (int i = 0; i < 5; i++)
        p.b[6 + i] = (assay_compare_block) { i, bad[i], 1e9 };
    p.input.b.n_blocks = 11;
    row                = compare(&p);
    assert_true(row.time.n_b == 3 && row.cycles.n_b == 3);
    expect_near(row.time.p, clean.time.p, 1e-12);
    expect_near(row.cycles.p, clean.cycles.p, 1e-12);
    for (int i = 0; i < 6; i++)
        p.b[i].time_ns = bad[i % 5];
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_FEW, "unknown from 3 and 0", "repeat");
}

static void test_extreme_sizes(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 1e-300, 1e300, 0.001, 1);
    row = compare(&p);
    assert_int_equal(row.verdict, ASSAY_COMPARE_SLOWER);
    assert_true(row.time.p >= 0 && row.p_corrected <= 1e-6);
}

static void test_wrong_use(void **state)
{
    const assay_compare_rule rules[] = {
        { 0, 0, 0.01 },     { -1, 0, 0.01 },   { 1, 0, 0.01 },      { NAN, 0, 0.01 },
        { 0.01, -1, 0.01 }, { 0.01, 1, 0.01 }, { 0.01, NAN, 0.01 }, { 0.01, 0, 0 },
        { 0.01, 0, 1 },     { 0.01, 0, NAN },
    };
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 103, 0.001, 1);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        assert_int_equal(assay_compare_table(&p.input, 1, &rules[i], &row), ASSAY_E_USAGE);
        assay_status_reset();
    }
    p.input.a.step_ns = NAN;
    assert_failed_with(assay_compare_table(&p.input, 1, &rule, &row), ASSAY_E_USAGE, "step");
    p.input.a.step_ns  = 0;
    p.input.known.band = -0.1;
    assert_failed_with(assay_compare_table(&p.input, 1, &rule, &row), ASSAY_E_USAGE, "band");
    p.input.known.band      = NAN; /* unknown */
    p.input.known.case_band = -0.1;
    assert_failed_with(assay_compare_table(&p.input, 1, &rule, &row), ASSAY_E_USAGE, "band");
    p.input.known.case_band  = NAN;
    p.input.known.process_sd = INFINITY;
    assert_failed_with(assay_compare_table(&p.input, 1, &rule, &row), ASSAY_E_USAGE, "spread");
    p.input.known.process_sd = NAN;
    assert_int_equal(assay_compare_table(&p.input, 1, &rule, &row), ASSAY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),       cmocka_unit_test(test_student_edges),
        cmocka_unit_test(test_effect),        cmocka_unit_test(test_unit_is_the_process),
        cmocka_unit_test(test_trimmed),       cmocka_unit_test(test_one_bad_process),
        cmocka_unit_test(test_step),          cmocka_unit_test(test_known_spread),
        cmocka_unit_test(test_holm),          cmocka_unit_test(test_unusable_blocks),
        cmocka_unit_test(test_extreme_sizes), cmocka_unit_test(test_wrong_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
