/* calibration: rates, band and one-sidedness of made-up records. */
#include "compare_fixture.h"

static assay_compared row_of(double log_ratio, assay_compare_verdict verdict)
{
    return (assay_compared) {
        .verdict = verdict,
        .time = { .n_a = 3, .n_b = 3, .log_ratio = log_ratio, .spread_a = 0.003, .spread_b = 0.001 }
    };
}

static void test_calibrate(void **state)
{
    assay_compared    rows[22];
    assay_calibration c;

    (void)state;
    for (int i = 0; i < 20; i++)
        rows[i] = row_of(i % 2 ? 0.002 : -0.002, ASSAY_COMPARE_SAME);
    rows[3].verdict = ASSAY_COMPARE_SLOWER;
    rows[4].verdict = ASSAY_COMPARE_CANNOT_TELL;
    rows[20] = row_of(NAN, ASSAY_COMPARE_CANNOT_TELL); /* it has no effect, so it does not count */
    assert_int_equal(assay_calibrate(rows, 21, &c), ASSAY_OK);
    assert_true(c.n == 20 && c.n_slower == 1 && c.n_faster == 0 && c.n_cannot_tell == 1 &&
                c.n_same == 18);
    expect_near(c.slower_rate, 0.05, 1e-12);
    expect_near(c.slower_upper, 0.2161, 1e-3); /* 1 of 20 by Clopper and Pearson */
    expect_near(c.process_sd, sqrt(5e-6), 1e-9);
    assert_true(c.process_df == 80);
    /* chi squared (0.05, 20) = 10.851 */
    expect_near(log1p(c.band), 2.5758 * 0.002 * sqrt(20 / 10.851), 2e-3);
    assert_false(c.is_one_sided);
    assert_non_null(strstr(c.reason, "from 20 comparisons"));
    rows[5].time.log_ratio = 0.1; /* the band holds every effect that was seen */
    assert_int_equal(assay_calibrate(rows, 20, &c), ASSAY_OK);
    assert_true(c.band >= c.largest_effect);
}

/* Trimmed processes give no degrees of freedom. */
static void test_spread_of_trimmed(void **state)
{
    assay_compared    row = row_of(0.001, ASSAY_COMPARE_SAME);
    assay_calibration c;

    (void)state;
    row.time.n_a = 10;
    row.time.n_b = 1; /* one process has no spread */
    assert_int_equal(assay_calibrate(&row, 1, &c), ASSAY_OK);
    assert_true(c.process_df == 5);
    expect_near(c.process_sd, 0.003, 1e-9);
}

static void test_calibrate_long(void **state)
{
    static assay_compared rows[400];
    assay_calibration     c;

    (void)state;
    for (int i = 0; i < 400; i++)
        rows[i] = row_of(1e-5 * (i + 1) * (i % 2 ? 1 : -1), ASSAY_COMPARE_SAME);
    assert_int_equal(assay_calibrate(rows, 400, &c), ASSAY_OK);
    /* P(X >= 400) = 0.99^400 = 0.018, P(X >= 399) = 0.09: the 400th of 400 */
    expect_near(log1p(c.band), 0.004, 1e-9);
    assert_int_equal(assay_calibrate(rows, 298, &c), ASSAY_OK);
    assert_true(log1p(c.band) > 0.00298); /* too short for an order statistic */
}

static void test_calibrate_one_sided(void **state)
{
    assay_compared    rows[10];
    assay_calibration c;

    (void)state;
    for (int i = 0; i < 10; i++)
        rows[i] = row_of(0.001 + 1e-5 * i, ASSAY_COMPARE_SAME);
    assert_int_equal(assay_calibrate(rows, 10, &c), ASSAY_OK);
    assert_true(c.is_one_sided && strstr(c.reason, "slower one"));
    expect_near(c.sidedness, 2.0 / 1024, 1e-9);
    assert_true(assay_compare_sidedness(0, 0) == 1 && assay_compare_sidedness(4, 4) == 1);
    expect_near(assay_compare_sidedness(17, 0), 2 * pow(0.5, 17), 1e-9);
    expect_near(assay_compare_sidedness(0, 17), 2 * pow(0.5, 17), 1e-9);
}

static void test_calibrate_short(void **state)
{
    assay_compared    rows[4];
    assay_calibration c;

    (void)state;
    assert_int_equal(assay_calibrate(NULL, 0, &c), ASSAY_OK);
    assert_true(c.n == 0 && isnan(c.band) && isnan(c.slower_rate) && c.slower_upper == 1);
    for (int i = 0; i < 4; i++)
        rows[i] = row_of(0.001, ASSAY_COMPARE_SAME);
    assert_int_equal(assay_calibrate(rows, 4, &c), ASSAY_OK);
    assert_true(isnan(c.band) && strstr(c.reason, "needs 5"));
    /* An unknown band stays unknown. */
    assert_true(isnan(c.band));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calibrate),       cmocka_unit_test(test_spread_of_trimmed),
        cmocka_unit_test(test_calibrate_long),  cmocka_unit_test(test_calibrate_one_sided),
        cmocka_unit_test(test_calibrate_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
