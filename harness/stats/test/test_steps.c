/* steps: what is a step and what is not, sizes and places, and how often one is found that is not
 * there. */
#include "compare_simulator.h"
#include "stats/steps.h"
#include "testing/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = ASSAY_STEPS_MOST + 1
};

static double      x[MOST];
static assay_steps got;

static int start_over(void **state)
{
    (void)state;
    memset(&got, 0, sizeof got);
    return 0;
}

static int tidy(void **state)
{
    (void)state;
    assay_steps_free(&got);
    assert_true(got.n == 0 && !got.steps);
    assay_steps_free(&got);
    assay_steps_free(NULL);
    return 0;
}

static void find(int64_t n, double threshold)
{
    assay_steps_free(&got);
    memset(&got, 0x55, sizeof got);
    assert_int_equal(assay_steps_find(x, n, threshold, &got), ASSAY_OK);
}

/* n values of `level`, with normal noise. */
static void fill(sim_random *random, int64_t begin, int64_t end, double level, double noise)
{
    for (int64_t i = begin; i < end; i++)
        x[i] = level * exp(noise * sim_normal(random));
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("got %.10g, expected %.10g", value, expected);
}

/* ---- without noise ---- */

static void test_constant(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 100; i++)
        x[i] = 42;
    for (int64_t n = 0; n <= 100; n++) {
        find(n, 0);
        assert_true(got.n == 0 && !got.is_drift);
    }
    assert_true(got.noise == ASSAY_STEPS_LEAST_NOISE);
}

static void test_one_step(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 30; i++)
        x[i] = i < 20 ? 100 : 103;
    find(30, 0);
    assert_true(got.n == 1 && !got.is_drift);
    assert_true(got.steps[0].index == 20 && got.steps[0].earliest == 20 &&
                got.steps[0].latest == 20);
    assert_true(got.steps[0].n_before == 20 && got.steps[0].n_after == 10);
    expect_near(got.steps[0].relative, 0.03, 1e-12);
    expect_near(got.steps[0].before, 100, 1e-9);
    expect_near(got.steps[0].after, 103, 1e-9);
    assert_true(got.steps[0].evidence > 1 && got.steps[0].lo < 0.03 && got.steps[0].hi > 0.03);
}

/* Two points that stay at a level are a step. A single one is not, at any place. */
static void test_two_points_at_least(void **state)
{
    (void)state;
    for (int place = 0; place < 20; place++) {
        for (int64_t i = 0; i < 20; i++)
            x[i] = i == place ? 150 : 100;
        find(20, 0);
        if (got.n != 0)
            fail_msg("one point at %d is no step", place);
    }
    for (int64_t i = 0; i < 20; i++)
        x[i] = i >= 18 ? 150 : 100;
    find(20, 0);
    assert_true(got.n == 1 && got.steps[0].index == 18);
    for (int64_t i = 0; i < 20; i++)
        x[i] = i < 2 ? 150 : 100;
    find(20, 0);
    assert_true(got.n == 1 && got.steps[0].index == 2);
}

static void test_too_short(void **state)
{
    (void)state;
    x[0] = x[1] = 1;
    x[2]        = 5;
    find(3, 0);
    assert_true(got.n == 0);
    find(0, 0);
    assert_true(got.n == 0 && isnan(got.noise));
}

/* ---- with noise ---- */

static void test_two_steps(void **state)
{
    sim_random random = sim_seed(3);

    (void)state;
    fill(&random, 0, 20, 100, 0.005);
    fill(&random, 20, 40, 104, 0.005);
    fill(&random, 40, 60, 98, 0.005);
    find(60, 0);
    assert_true(got.n == 2 && !got.is_drift);
    assert_true(labs((long)got.steps[0].index - 20) <= 1);
    assert_true(labs((long)got.steps[1].index - 40) <= 1);
    expect_near(got.steps[0].relative, 0.04, 0.006);
    expect_near(got.steps[1].relative, -6.0 / 104, 0.006);
    expect_near(got.noise, 0.005, 0.0025);
    assert_true(got.steps[0].earliest <= 20 && got.steps[0].latest >= 20);
}

/* +3 % at 1 % of noise, 30 points before and 10 after. */
static void test_planted(void **state)
{
    sim_random random  = sim_seed(4);
    int        n_found = 0, n_inside = 0;

    (void)state;
    for (int k = 0; k < 1000; k++) {
        fill(&random, 0, 30, 100, 0.01);
        fill(&random, 30, 40, 103, 0.01);
        find(40, 0);
        for (int64_t i = 0; i < got.n; i++)
            if (labs((long)got.steps[i].index - 30) <= 3) {
                n_found++;
                n_inside += got.steps[i].earliest <= 30 && got.steps[i].latest >= 30;
            }
    }
    print_message(
        "+3 %% at 1 %%, 30 + 10 points: found %.1f %%, its range holds the place %.1f %%\n",
        0.1 * n_found, 100.0 * n_inside / n_found);
    assert_true(n_found >= 950);
    assert_true(n_inside * 100 >= n_found * 90);
}

static void test_drift(void **state)
{
    sim_random random = sim_seed(5);

    (void)state;
    for (int64_t i = 0; i < 100; i++)
        x[i] = 100 * exp(0.001 * (double)i + 0.005 * sim_normal(&random));
    find(100, 0);
    assert_true(got.n == 0 && got.is_drift);
    expect_near(got.drift_relative, exp(0.099) - 1, 0.01);
}

static void test_threshold(void **state)
{
    sim_random random = sim_seed(6);

    (void)state;
    fill(&random, 0, 40, 100, 0.001);
    fill(&random, 40, 80, 100.6, 0.001);
    fill(&random, 80, 120, 105, 0.001);
    find(120, 0);
    assert_true(got.n == 2);
    find(120, 0.01);
    assert_true(got.n == 1 && got.steps[0].index == 80 && got.steps[0].n_before == 80);
    find(120, 0.5);
    assert_true(got.n == 0);
}

/* More than half of the differences are 0, but the noise is not. */
static void test_quantised(void **state)
{
    sim_random random  = sim_seed(7);
    int        n_false = 0, n_found = 0;

    (void)state;
    for (int k = 0; k < 1000; k++) {
        for (int64_t i = 0; i < 40; i++)
            x[i] = sim_uniform(&random) < 0.15 ? 102 : 100;
        find(40, 0);
        n_false += got.n > 0 || got.is_drift;
        for (int64_t i = 30; i < 40; i++)
            x[i] *= 1.06;
        find(40, 0);
        n_found += got.n > 0;
    }
    print_message("quantised: false %.1f %%, +6 %% (3 ticks) found %.1f %%\n", 0.1 * n_false,
                  0.1 * n_found);
    assert_true(n_false <= 50);
    assert_true(n_found >= 950);
}

/* ---- how often a step is found that does not exist ---- */

static double rate_of_null(int64_t n, double outliers, uint64_t seed)
{
    sim_random random  = sim_seed(seed);
    int        n_false = 0;

    for (int k = 0; k < 1000; k++) {
        fill(&random, 0, n, 100, 0.01);
        for (int64_t i = 0; i < n; i++)
            if (sim_uniform(&random) < outliers)
                x[i] *= 1.05 + 0.5 * sim_uniform(&random);
        find(n, 0);
        n_false += got.n > 0 || got.is_drift;
    }
    return n_false / 1000.0;
}

static void test_null(void **state)
{
    const int64_t lengths[] = { 6, 10, 20, 50, 100, 200 };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const double clean = rate_of_null(lengths[i], 0, 100 + i);
        const double dirty = rate_of_null(lengths[i], 0.01, 200 + i);

        print_message("%3d points: false steps %.1f %%, with 1 %% of outliers %.1f %%\n",
                      (int)lengths[i], 100 * clean, 100 * dirty);
        assert_true(clean <= 0.05);
        assert_true(dirty <= 0.05);
    }
}

/* ---- limits ---- */

static void test_longest(void **state)
{
    sim_random random = sim_seed(8);

    (void)state;
    fill(&random, 0, 1500, 100, 0.01);
    fill(&random, 1500, MOST, 103, 0.01);
    find(ASSAY_STEPS_MOST, 0);
    assert_true(got.n == 1 && labs((long)got.steps[0].index - 1500) <= 3);
    assay_steps_free(&got);
    assert_failed_with(assay_steps_find(x, MOST, 0, &got), ASSAY_E_USAGE, "at most 2000");
    assert_true(got.n == 0 && !got.steps);
}

static void test_wrong_use(void **state)
{
    const double bad[] = { 0, -1, NAN, INFINITY };

    (void)state;
    for (int i = 0; i < 10; i++)
        x[i] = 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        x[7] = bad[i];
        assert_failed_with(assay_steps_find(x, 10, 0, &got), ASSAY_E_USAGE, "value 7");
    }
    x[7] = 1;
    assert_failed_with(assay_steps_find(x, 10, -0.1, &got), ASSAY_E_USAGE, "threshold");
    assert_failed_with(assay_steps_find(x, 10, NAN, &got), ASSAY_E_USAGE, "threshold");
    assert_failed_with(assay_steps_find(x, -1, 0, &got), ASSAY_E_USAGE, "-1 values");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_over, tidy)
    const struct CMUnitTest tests[] = {
        TEST(test_constant),  TEST(test_one_step),  TEST(test_two_points_at_least),
        TEST(test_too_short), TEST(test_two_steps), TEST(test_planted),
        TEST(test_drift),     TEST(test_threshold), TEST(test_quantised),
        TEST(test_null),      TEST(test_longest),   TEST(test_wrong_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
