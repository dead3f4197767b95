/* How samples depend on their order, and the interval of their middle. */
#include "stats/stats.h"
#include "testing/testing.h"

#include <math.h>
#include <stdlib.h>

enum {
    N = 1000
};

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static void lag1_of_known_series(void **state)
{
    const double alternating[] = { 1, -1, 1, -1 };
    const double rising[]      = { 1, 2, 3, 4, 5 };

    (void)state;
    assert_true(fabs(assay_stats_lag1(alternating, 4) - -0.75) < 1e-12);
    assert_true(fabs(assay_stats_lag1(rising, 5) - 0.4) < 1e-12);
}

static void lag1_of_noise(void **state)
{
    uint64_t seed = 7;
    double   white[N], red[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        white[i] = 100 + uniform(&seed);
        red[i]   = i == 0 ? 0 : 0.8 * red[i - 1] + uniform(&seed) - 0.5;
    }
    assert_true(fabs(assay_stats_lag1(white, N)) < 0.1);
    assert_true(fabs(assay_stats_lag1(red, N) - 0.8) < 0.1);
}

static void lag1_says_nothing(void **state)
{
    const double alike[] = { 3, 3, 3, 3 };

    (void)state;
    assert_true(isnan(assay_stats_lag1(alike, 4)));
    assert_true(isnan(assay_stats_lag1(alike, 2)));
    assert_true(isnan(assay_stats_lag1(alike, 0)));
}

static void drift_is_what_a_line_rises_by(void **state)
{
    double x[N];

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 5000 + 0.01 * i + (i % 2 ? 1 : -1);
    assert_true(fabs(assay_stats_drift(x, N) - 9.99) < 0.1);
    for (int i = 0; i < N; i++)
        x[i] = 2e9 - i;
    assert_true(fabs(assay_stats_drift(x, N) - -999.0) < 1e-6);
    assert_true(assay_stats_drift(x, 2) == -1.0);
    assert_true(isnan(assay_stats_drift(x, 1)) && isnan(assay_stats_drift(x, 0)));
}

static void interval_by_ranks(void **state)
{
    uint64_t      seed = 11;
    double        x[N], lo, hi;
    assay_summary s;

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = 1000 + (i % 2 ? 1 : -1) * (1 + 9 * uniform(&seed)); /* no values near the middle */
    assert_int_equal(assay_stats_summarize(x, N, &s), ASSAY_OK);
    assert_string_equal(assay_stats_median_interval(&s, s.median, &lo, &hi), "ranks");
    assert_true(lo == s.median_lo && hi == s.median_hi && lo < hi);
}

/* Two thirds of the samples are on one tick: by ranks the interval would have no width. */
static void interval_by_quartiles(void **state)
{
    double        x[N], lo, hi;
    assay_summary s;

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = i % 3 == 0 ? 1032 : 1000;
    assert_int_equal(assay_stats_summarize(x, N, &s), ASSAY_OK);
    assert_true(s.median_lo == s.median_hi);
    assert_string_equal(assay_stats_median_interval(&s, 1010, &lo, &hi), "quartiles");
    assert_true(fabs((lo + hi) / 2 - 1010) < 1e-9 && hi - lo > 3 && hi - lo < 5);
}

static void no_interval_of_few(void **state)
{
    const double  x[] = { 1, 2, 3, 4, 5 };
    double        lo, hi;
    assay_summary s;

    (void)state;
    assert_int_equal(assay_stats_summarize(x, 5, &s), ASSAY_OK);
    assert_string_equal(assay_stats_median_interval(&s, s.median, &lo, &hi), "");
    assert_true(isnan(lo) && isnan(hi));
    assert_int_equal(assay_stats_summarize(x, 0, &s), ASSAY_OK);
    assert_string_equal(assay_stats_median_interval(&s, s.median, &lo, &hi), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lag1_of_known_series), cmocka_unit_test(lag1_of_noise),
        cmocka_unit_test(lag1_says_nothing),    cmocka_unit_test(drift_is_what_a_line_rises_by),
        cmocka_unit_test(interval_by_ranks),    cmocka_unit_test(interval_by_quartiles),
        cmocka_unit_test(no_interval_of_few),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
