/* stats: known answers, edge counts, hostile samples. */
#include "testing/testing.h"

#include "check/fill.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

static void expect_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static assay_summary summary_of(const double *x, int64_t n)
{
    assay_summary s;

    memset(&s, 0x55, sizeof s);
    assert_int_equal(assay_stats_summarize(x, n, &s), ASSAY_OK);
    assert_true(s.n == n);
    return s;
}

static void test_known_summary(void **state)
{
    const double        x[] = { 9, 1, 8, 2, 7, 3, 6, 4, 5, 10 };
    const assay_summary s   = summary_of(x, 10);

    (void)state;
    assert_true(s.min == 1 && s.max == 10 && s.median == 5.5 && s.mean == 5.5);
    expect_near(s.q1, 3.25);
    expect_near(s.q3, 7.75);
    expect_near(s.p05, 1.45);
    expect_near(s.p95, 9.55);
    expect_near(s.stdev, sqrt(82.5 / 9));
    expect_near(s.mad, 2.5);
    assert_true(s.median_lo == 2 && s.median_hi == 9);
    assert_true(x[0] == 9 && x[9] == 10); /* unchanged */
}

static void test_no_samples(void **state)
{
    const assay_summary s = summary_of(NULL, 0);

    (void)state;
    assert_true(isnan(s.min) && isnan(s.p05) && isnan(s.q1) && isnan(s.median) && isnan(s.q3));
    assert_true(isnan(s.p95) && isnan(s.max) && isnan(s.mean) && isnan(s.stdev) && isnan(s.mad));
    assert_true(isnan(s.median_lo) && isnan(s.median_hi));
    assert_true(isnan(assay_stats_quantile(NULL, 0, 0.5)));
}

static void test_one_sample(void **state)
{
    const double        x = 3;
    const assay_summary s = summary_of(&x, 1);

    (void)state;
    assert_true(s.min == 3 && s.median == 3 && s.max == 3 && s.mean == 3 && s.mad == 0);
    assert_true(isnan(s.stdev) && isnan(s.median_lo) && isnan(s.median_hi));
}

/* Counts at which the interval narrows by one order statistic, from tables of the sign test. */
static void test_median_interval(void **state)
{
    static const struct {
        int64_t n;
        double  lo; /* rank from below; 0: none */
    } table[] = { { 5, 0 },  { 6, 1 },  { 8, 1 },   { 9, 2 },   { 11, 2 },  { 12, 3 },
                  { 20, 6 }, { 25, 8 }, { 30, 10 }, { 50, 18 }, { 100, 40 } };
    double x[100];

    (void)state;
    for (int i = 0; i < 100; i++)
        x[i] = i + 1;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const assay_summary s = summary_of(x, table[k].n);

        if (table[k].lo == 0) {
            assert_true(isnan(s.median_lo) && isnan(s.median_hi));
            continue;
        }
        assert_true(s.median_lo == table[k].lo);
        assert_true(s.median_hi == (double)table[k].n + 1 - table[k].lo);
    }
}

/* The interval of 30 samples holds the true median in at least 95 % of many draws. */
static void test_median_interval_covers(void **state)
{
    int n_held = 0;

    (void)state;
    for (uint64_t draw = 0; draw < 2000; draw++) {
        double        x[30];
        assay_summary s;

        for (uint64_t i = 0; i < 30; i++)
            x[i] = exp((double)(assay_random(1, draw, i) >> 11) * 0x1p-53); /* skewed */
        s = summary_of(x, 30);
        n_held += s.median_lo <= exp(0.5) && exp(0.5) <= s.median_hi;
    }
    assert_in_range(n_held, 1880, 1950); /* 95.7 % exactly, with a standard deviation of 9 */
}

static void test_equal_samples_and_offsets(void **state)
{
    double        x[1000];
    assay_summary s;

    (void)state;
    for (int i = 0; i < 1000; i++)
        x[i] = 1e9 + i % 2; /* a sum of squares would lose this variance */
    s = summary_of(x, 1000);
    expect_near(s.stdev, sqrt(250.0 / 999));
    expect_near(s.mean, 1e9 + 0.5);
    for (int i = 0; i < 1000; i++)
        x[i] = 0.1;
    s = summary_of(x, 1000);
    assert_true(s.stdev == 0 && s.mad == 0 && s.median_lo == 0.1 && s.median_hi == 0.1);
}

static void test_quantile(void **state)
{
    const double x[] = { 1, 2, 4, 8 };

    (void)state;
    assert_true(assay_stats_quantile(x, 4, 0) == 1 && assay_stats_quantile(x, 4, 1) == 8);
    assert_true(assay_stats_quantile(x, 4, 0.5) == 3);
    expect_near(assay_stats_quantile(x, 4, 0.9), 6.8);
    assert_true(isnan(assay_stats_quantile(x, 4, -0.1)));
    assert_true(isnan(assay_stats_quantile(x, 4, 1.1)));
    assert_true(isnan(assay_stats_quantile(x, 4, NAN)));
}

static void test_hostile_samples(void **state)
{
    static const double bad[] = { NAN, INFINITY, -INFINITY };
    double              x[3]  = { 1, 2, 3 };
    assay_summary       s     = { .n = 77 };

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        x[1] = bad[k];
        assay_status_reset();
        assert_int_equal(assay_stats_summarize(x, 3, &s), ASSAY_E_INTERNAL);
        assert_non_null(strstr(assay_status_message(), "sample 1 of 3"));
        assert_true(s.n == 77); /* unchanged */
    }
    assay_status_reset();
    assert_int_equal(assay_stats_summarize(x, -1, &s), ASSAY_E_INTERNAL);
    assay_status_reset();
}

/* P(X >= k), as a plain sum of exact terms. */
static double tail(int n, int k, double p)
{
    double sum = 0;

    for (int j = n; j >= k; j--) {
        double term = 1;

        for (int i = 0; i < j; i++)
            term *= (double)(n - i) / (double)(j - i) * p;
        sum += term * pow(1 - p, n - j);
    }
    return sum;
}

static void test_binomial_against_plain_sum(void **state)
{
    static const double ps[]     = { 1e-9, 0.001, 0.1, 0.5, 0.9, 0.999 };
    static const double alphas[] = { 1e-6, 0.025, 0.5 };

    (void)state;
    for (int n = 1; n <= 60; n++)
        for (size_t p = 0; p < 6; p++)
            for (size_t a = 0; a < 3; a++) {
                const int64_t k = assay_stats_binomial_upper(n, ps[p], alphas[a]);

                assert_true(k >= 0 && k <= n);
                /* Only away from ties, where rounding would decide. */
                assert_true(k == 0 || tail(n, (int)k, ps[p]) > alphas[a] * (1 - 1e-9));
                assert_true(k == n || tail(n, (int)k + 1, ps[p]) <= alphas[a] * (1 + 1e-9));
            }
}

static void test_binomial_edges(void **state)
{
    (void)state;
    assert_int_equal(assay_stats_binomial_upper(0, 0.5, 1e-6), 0);
    assert_int_equal(assay_stats_binomial_upper(100, 0, 1e-6), 0);
    assert_int_equal(assay_stats_binomial_upper(100, NAN, 1e-6), 0);
    assert_int_equal(assay_stats_binomial_upper(100, 1, 1e-6), 100);
    assert_int_equal(assay_stats_binomial_upper(INT64_C(1) << 28, 1e-300, 1e-6), 0);
    /* The mean is 2^27 and the standard deviation 8192; this is 4.75 of them. */
    assert_in_range(assay_stats_binomial_upper(INT64_C(1) << 28, 0.5, 1e-6) - (1 << 27), 38000,
                    40000);
}

/* Quantiles of Student's t from printed tables. */
static void test_student_t(void **state)
{
    static const struct {
        int64_t df;
        double  t;
    } rows[] = { { 1, 12.706205 },   { 2, 4.302653 },     { 3, 3.182446 },        { 4, 2.776445 },
                 { 5, 2.570582 },    { 10, 2.228139 },    { 30, 2.042272 },       { 100, 1.983972 },
                 { 1000, 1.962339 }, { 10000, 1.960201 }, { INT64_MAX, 1.960201 } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true(fabs(assay_stats_t975(rows[i].df) - rows[i].t) < 2e-6);
    assert_true(isnan(assay_stats_t975(0)));
    assert_true(isnan(assay_stats_t975(-1)));
}

/* A clock of 32 ns and a time between two ticks: the median jumps, the middle does not. */
static void test_middle_of_ticks(void **state)
{
    double samples[100], few = 0, more = 0;

    (void)state;
    for (int i = 0; i < 100; i++)
        samples[i] = i % 100 < 49 ? 1088 : 1056;
    assert_int_equal(assay_stats_middle(samples, 100, 2, &few), ASSAY_OK);
    for (int i = 0; i < 100; i++)
        samples[i] = i % 100 < 51 ? 1088 : 1056;
    assert_int_equal(assay_stats_middle(samples, 100, 2, &more), ASSAY_OK);
    assert_true(more > few && more - few < 2);
    assert_true(few > 1056 && more < 1088);
}

static void test_middle_is_the_median_elsewhere(void **state)
{
    const double few[] = { 5, 5, 5, 100 };
    double       wide[101], middle = 0;

    (void)state;
    for (int i = 0; i < 101; i++)
        wide[(i * 37) % 101] = i < 51 ? i : 1000 + i;
    assert_int_equal(assay_stats_middle(wide, 101, 2, &middle), ASSAY_OK);
    assert_true(middle == 50);
    assert_int_equal(assay_stats_middle(few, 4, 2, &middle), ASSAY_OK);
    assert_true(middle == 5);
    assert_int_equal(assay_stats_middle(few, 0, 2, &middle), ASSAY_OK);
    assert_true(isnan(middle));
    wide[7] = NAN;
    assert_int_equal(assay_stats_middle(wide, 101, 2, &middle), ASSAY_E_INTERNAL);
    assay_status_reset();
    assert_true(isnan(middle));
}

/* Outliers on either side do not move the middle half. */
static void test_middle_ignores_outliers(void **state)
{
    double samples[40], middle = 0;

    (void)state;
    for (int i = 0; i < 40; i++)
        samples[i] = i < 9 ? 1e9 : 64;
    assert_int_equal(assay_stats_middle(samples, 40, 2, &middle), ASSAY_OK);
    assert_true(middle == 64);
}

static void test_middle_refuses_what_has_no_order(void **state)
{
    double middle, x[] = { 1, NAN, 3 };

    (void)state;
    assert_int_equal(assay_stats_middle(x, 3, 2, &middle), ASSAY_E_INTERNAL);
    x[1] = INFINITY;
    assert_int_equal(assay_stats_middle(x, 3, 2, &middle), ASSAY_E_INTERNAL);
    assert_int_equal(assay_stats_middle(x, -1, 2, &middle), ASSAY_E_INTERNAL);
    assert_true(isnan(middle));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_summary),
        cmocka_unit_test(test_no_samples),
        cmocka_unit_test(test_one_sample),
        cmocka_unit_test(test_median_interval),
        cmocka_unit_test(test_median_interval_covers),
        cmocka_unit_test(test_equal_samples_and_offsets),
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_hostile_samples),
        cmocka_unit_test(test_binomial_against_plain_sum),
        cmocka_unit_test(test_binomial_edges),
        cmocka_unit_test(test_middle_refuses_what_has_no_order),
        cmocka_unit_test(test_student_t),
        cmocka_unit_test(test_middle_of_ticks),
        cmocka_unit_test(test_middle_is_the_median_elsewhere),
        cmocka_unit_test(test_middle_ignores_outliers),
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
