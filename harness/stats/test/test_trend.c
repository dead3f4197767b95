/* trend: known slopes and p, what is reported and what is not, and how often a trend is found that
 * is not there. */
#include "compare_simulator.h"
#include "stats/trend.h"
#include "testing/testing.h"

#include <math.h>
#include <string.h>

static double x[3000];

static assay_trend find(int64_t n)
{
    const assay_trend_rule rule = assay_trend_rule_default();
    assay_trend            t;

    memset(&t, 0x55, sizeof t);
    assert_int_equal(assay_trend_find(x, n, &rule, &t), ASSAY_OK);
    assert_true(t.reason[0]);
    return t;
}

static void expect_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("got %.12g, expected %.12g", got, expected);
}

static void test_line(void **state)
{
    assay_trend t;

    (void)state;
    for (int i = 0; i < 10; i++)
        x[i] = 0.5 + 0.01 * i;
    t = find(10);
    expect_near(t.slope, 0.01, 1e-12);
    expect_near(t.slope_lo, 0.01, 1e-12);
    expect_near(t.slope_hi, 0.01, 1e-12);
    expect_near(t.level, 0.59, 1e-12);
    expect_near(t.runs_left, 41, 1e-9);
    /* S = 45, var S = 10 * 9 * 25 / 18 = 125: z = 44 / sqrt(125) = 3.9355 */
    expect_near(t.p, erfc(44 / sqrt(250)) / 2, 1e-12);
    assert_true(t.is_rising && t.is_told && strstr(t.reason, "in about 41 runs"));
}

/* S and its variance by hand: ties shrink it. */
static void test_ties(void **state)
{
    const double v[] = { 0.1, 0.2, 0.2, 0.1, 0.3, 0.4, 0.4, 0.4 };
    /* rising pairs 6+4+4+4+3 = 21, falling 2, ties of 2, 2 and 3 */
    const double variance = (8 * 7 * 21 - 2 * 1 * 9 - 2 * 1 * 9 - 3 * 2 * 11) / 18.0;
    assay_trend  t;

    (void)state;
    memcpy(x, v, sizeof v);
    t = find(8);
    expect_near(t.p, erfc((19 - 1) / sqrt(2 * variance)) / 2, 1e-12);
}

static void test_not_rising(void **state)
{
    assay_trend t;

    (void)state;
    for (int i = 0; i < 50; i++)
        x[i] = 0.7;
    t = find(50);
    assert_true(!t.is_rising && !t.is_told && t.p == 1 && t.slope == 0 && isinf(t.runs_left));
    for (int i = 0; i < 50; i++)
        x[i] = 0.9 - 0.01 * i;
    t = find(50);
    assert_true(!t.is_rising && t.slope < 0 && t.p > 0.99 && isinf(t.runs_left));
    assert_non_null(strstr(t.reason, "not rising"));
}

/* A step in the past has risen, but does not rise any more. */
static void test_step_is_no_trend(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        x[i] = i < 20 ? 0.3 : 0.4;
    assert_false(find(40).is_rising);
}

static void test_creeping_is_told_in_time(void **state)
{
    sim_random random = sim_seed(1);
    int        told   = -1;

    (void)state;
    for (int i = 0; i < 200; i++)
        x[i] = 0.3 + 0.004 * i + 0.02 * sim_normal(&random);
    for (int n = 1; n <= 200 && told < 0; n++)
        if (find(n).is_told)
            told = n;
    assert_true(told > 0 && told < 60); /* the limit is reached at about 175 */
    for (int n = told; n <= 150; n++)
        assert_true(find(n).is_told || n < 60);
    expect_near(find(100).runs_left, 76, 20);
    assert_true(find(100).runs_least <= find(100).runs_left);
}

static void test_horizon(void **state)
{
    assay_trend_rule rule = assay_trend_rule_default();
    assay_trend      t;

    (void)state;
    for (int i = 0; i < 20; i++)
        x[i] = 0.1 + 1e-5 * i;
    t = find(20);
    assert_true(t.is_rising && !t.is_told && strstr(t.reason, "more than 365 runs"));
    rule.horizon = 0;
    assert_int_equal(assay_trend_find(x, 20, &rule, &t), ASSAY_OK);
    assert_true(t.is_told);
}

static void test_at_the_limit(void **state)
{
    assay_trend t;

    (void)state;
    for (int i = 0; i < 20; i++)
        x[i] = 0.95 + 0.01 * i;
    t = find(20);
    assert_true(t.is_rising && !t.is_told && t.runs_left == 0 && strstr(t.reason, "has reached"));
}

static void test_outliers(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        x[i] = i % 7 == 3 ? 0.9 : 0.2;
    assert_false(find(40).is_told);
}

static void test_null(void **state)
{
    sim_random random = sim_seed(2);

    (void)state;
    for (int n = 8; n <= 128; n *= 2) {
        int n_told = 0;

        for (int k = 0; k < 2000; k++) {
            for (int i = 0; i < n; i++)
                x[i] = 0.5 + 0.05 * sim_normal(&random);
            n_told += find(n).is_rising;
        }
        print_message("%3d runs without a trend: told %.2f %%\n", n, n_told / 20.0);
        assert_true(n_told <= 2000 * 0.015);
    }
}

static void test_few_and_not_finite(void **state)
{
    assay_trend t = find(0);

    (void)state;
    assert_true(t.n == 0 && !t.is_told && isnan(t.p) && strstr(t.reason, "needs 8"));
    for (int i = 0; i < 10; i++)
        x[i] = 0.5 + 0.01 * i;
    x[2] = NAN;
    x[4] = INFINITY;
    x[6] = -INFINITY;
    t    = find(10);
    assert_true(t.n == 7 && !t.is_rising);
    x[10] = 0.7;
    t     = find(11);
    assert_true(t.n == 8 && t.is_rising);
}

static void test_longest(void **state)
{
    assay_trend t;

    (void)state;
    for (int i = 0; i < 3000; i++)
        x[i] = i < 1000 ? 0.9 : 0.1 + 1e-4 * (i - 1000);
    t = find(3000); /* the last 2000 */
    assert_true(t.n == ASSAY_TREND_MOST && t.is_rising);
    expect_near(t.slope, 1e-4, 1e-9);
}

static void test_wrong_use(void **state)
{
    const assay_trend_rule rules[] = { { 1, 0, 1 },     { 1, 1, 1 },          { 1, NAN, 1 },
                                       { NAN, 0.1, 1 }, { INFINITY, 0.1, 1 }, { 1, 0.1, -1 },
                                       { 1, 0.1, NAN } };
    assay_trend            t;

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_failed_with(assay_trend_find(x, 10, &rules[i], &t), ASSAY_E_USAGE, "a trend to");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_not_rising),
        cmocka_unit_test(test_step_is_no_trend),
        cmocka_unit_test(test_creeping_is_told_in_time),
        cmocka_unit_test(test_horizon),
        cmocka_unit_test(test_at_the_limit),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_few_and_not_finite),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_wrong_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
