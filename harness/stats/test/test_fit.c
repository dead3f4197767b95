/* fit: known curves are found, intervals hold their values as often as they claim, and a curve that
 * cannot be known is reported as unknown. */
#include "testing/testing.h"

#include "compare_simulator.h"
#include "stats/fit.h"
#include "status.h"

#include <math.h>

enum {
    MOST_SIZES = 32,
    DRAWS      = 1000
};

typedef struct curve {
    double a, b, c;
    double first, step; /* sizes: first, first * step, ... */
    int    n;
    double noise; /* standard deviation of the relative errors */
} curve;

typedef struct data {
    double x[MOST_SIZES], t[MOST_SIZES];
} data;

/* The sizes of the published fit of time over grid side; a curve that starts flat; one that is
 * nearly constant; one of two parameters. */
static const curve published = { 1.241e-4, 1.459, 0.260, 32, 2, 10, 0.02 };
static const curve linear    = { 3, 1, 5000, 1000, 4, 7, 0.03 };
static const curve flat      = { 1e-3, 2, 800, 16, 2, 8, 0.01 };
static const curve pure      = { 12, 1.5, 0, 10, 3, 8, 0.05 };

static data draw(const curve *k, sim_random *random)
{
    data   d = { .x = { 0 } };
    double x = k->first;

    for (int i = 0; i < k->n; i++, x *= k->step) {
        d.x[i] = x;
        d.t[i] = (k->a * pow(x, k->b) + k->c) * (1 + (random ? k->noise * sim_normal(random) : 0));
    }
    return d;
}

static void expect_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static bool holds(const assay_fit_number *number, double value)
{
    return number->lo <= value && value <= number->hi;
}

static bool is_ordered(const assay_fit_number *number)
{
    return 0 <= number->lo && number->lo <= number->value && number->value <= number->hi;
}

static void test_exact(void **state)
{
    static const curve *const curves[] = { &published, &linear, &flat };

    (void)state;
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        const curve    *k   = curves[i];
        const data      d   = draw(k, NULL);
        const assay_fit fit = assay_fit_curve(d.x, d.t, k->n);

        assert_true(fit.is_known);
        expect_near(fit.a.value, k->a, 1e-5);
        expect_near(fit.b.value, k->b, 1e-6);
        expect_near(fit.c.value, k->c, 1e-6);
        assert_true(is_ordered(&fit.a) && is_ordered(&fit.b) && is_ordered(&fit.c));
        assert_true(fit.b.hi - fit.b.lo < 1e-4 && fit.scatter < 1e-6);
    }
}

/* The share of 1000 draws has a standard deviation of 0.007 around 0.95. */
static void expect_coverage(const curve *k, double least_c, double most_c)
{
    sim_random random = sim_seed(7);
    int        n_a = 0, n_b = 0, n_c = 0;

    for (int i = 0; i < DRAWS; i++) {
        const data      d   = draw(k, &random);
        const assay_fit fit = assay_fit_curve(d.x, d.t, k->n);

        assert_true(fit.is_known);
        assert_true(is_ordered(&fit.a) && is_ordered(&fit.b) && is_ordered(&fit.c));
        n_a += holds(&fit.a, k->a);
        n_b += holds(&fit.b, k->b);
        n_c += holds(&fit.c, k->c);
    }
    print_message("held: a %d, b %d, c %d of %d\n", n_a, n_b, n_c, DRAWS);
    assert_true(n_a >= 930 && n_a <= 970);
    assert_true(n_b >= 930 && n_b <= 970);
    assert_true(n_c >= least_c * DRAWS && n_c <= most_c * DRAWS);
}

static void test_covers_published(void **state)
{
    (void)state;
    expect_coverage(&published, 0.93, 0.97);
}

static void test_covers_linear(void **state)
{
    (void)state;
    expect_coverage(&linear, 0.93, 0.97);
}

static void test_covers_flat(void **state)
{
    (void)state;
    expect_coverage(&flat, 0.93, 0.97);
}

/* If c is 0, half of the fits end there; among the others as many miss as elsewhere. */
static void test_covers_at_the_limit(void **state)
{
    (void)state;
    expect_coverage(&pure, 0.96, 0.995);
}

/* For a constant with noise, at most about one draw in twenty looks like growth. */
static void test_constant(void **state)
{
    const curve k      = { 0, 1, 3000, 64, 2, 8, 0.02 };
    sim_random  random = sim_seed(3);
    int         n      = 0;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        const data d = draw(&k, &random);

        n += assay_fit_curve(d.x, d.t, k.n).is_known;
    }
    print_message("took for growth: %d of %d\n", n, DRAWS);
    assert_true(n <= 70);
}

/* Other units scale a and c, and change nothing else. */
static void test_units(void **state)
{
    sim_random      random = sim_seed(11);
    const data      d      = draw(&published, &random);
    const assay_fit fit    = assay_fit_curve(d.x, d.t, published.n);
    data            e      = d;
    assay_fit       other;

    (void)state;
    for (int i = 0; i < published.n; i++) {
        e.x[i] *= 3;
        e.t[i] *= 1e9;
    }
    other = assay_fit_curve(e.x, e.t, published.n);
    expect_near(other.b.value, fit.b.value, 1e-6);
    expect_near(other.b.lo, fit.b.lo, 1e-6);
    expect_near(other.b.hi, fit.b.hi, 1e-6);
    expect_near(other.a.value, 1e9 * fit.a.value * pow(3, -fit.b.value), 1e-5);
    expect_near(other.c.value, 1e9 * fit.c.value, 1e-6);
    expect_near(other.c.lo, 1e9 * fit.c.lo, 1e-5);
    expect_near(other.c.hi, 1e9 * fit.c.hi, 1e-5);
}

/* ---- what cannot be told ---- */

static void expect_unknown(const double *x, const double *t, int64_t n, const char *why)
{
    const assay_fit fit = assay_fit_curve(x, t, n);

    assert_false(fit.is_known);
    assert_string_equal(fit.why, why);
    assert_true(isnan(fit.a.value) && isnan(fit.b.lo) && isnan(fit.c.hi) && isnan(fit.scatter));
}

static void test_few_sizes(void **state)
{
    const double x[] = { 1, 2, 4, 4, 1 }, t[] = { 1, 2, 4, 4.1, 1.1 };

    (void)state;
    for (int n = 0; n <= 5; n++)
        expect_unknown(x, t, n, "fewer than 4 sizes");
}

static void test_no_growth(void **state)
{
    const double x[] = { 1, 2, 4, 8, 16 }, same[] = { 3, 3, 3, 3, 3 }, falls[] = { 9, 7, 5, 3, 1 };

    (void)state;
    expect_unknown(x, same, 5, "no growth: a constant fits as well");
    expect_unknown(x, falls, 5, "no growth: a constant fits as well");
}

/* Only the last point rises, and any large exponent explains that. */
static void test_no_upper_limit(void **state)
{
    const double x[] = { 1, 2, 4, 8, 16, 32 }, t[] = { 10, 10.1, 9.9, 10, 10.05, 90 };

    (void)state;
    expect_unknown(x, t, 6, "the exponent has no upper limit");
}

static void test_hostile(void **state)
{
    const double bad[]  = { 0, -1, NAN, INFINITY, -INFINITY };
    const double far[]  = { 1e-300, 1e-100, 1e100, 1e300 };
    const double good[] = { 1, 2, 3, 4 };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const double x[] = { 1, 2, 3, bad[i] };

        expect_unknown(x, good, 4, "sizes and times must be above 0");
        expect_unknown(good, x, 4, "sizes and times must be above 0");
    }
    assert_false(assay_fit_curve(good, far, 4).is_known);
    assert_false(assay_fit_curve(far, far, 4).is_known);
}

/* ---- slopes ---- */

static void test_slope(void **state)
{
    const double x[] = { 1, 2, 4, 8 }, t[] = { 3, 6 * 1.1, 12 / 1.1, 24 };
    double       error;

    (void)state;
    /* deviations of ln x: -1.5, -0.5, 0.5, 1.5 times ln 2; sum of squares 5 ln(2)^2 */
    expect_near(assay_fit_slope(x, t, 4, &error), 1 - log(1.1) / (5 * log(2)), 1e-12);
    /* the remainders of +-ln 1.1 in the middle: 2 ln(1.1)^2 - ln(1.1)^2 / 5 */
    expect_near(error, log(1.1) * sqrt(1.8 / 2) / (log(2) * sqrt(5)), 1e-12);
    assert_true(isnan(assay_fit_slope(x, t, 2, &error)) && isnan(error));
}

static void test_slope_unknown(void **state)
{
    const double x[] = { 1, 2, 2 }, good[] = { 1, 2, 3 }, bad[] = { 1, 0, 3 };
    double       error = 0;

    (void)state;
    assert_true(isnan(assay_fit_slope(x, good, 3, &error)) && isnan(error));
    assert_true(isnan(assay_fit_slope(good, bad, 3, &error)) && isnan(error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_covers_published),
        cmocka_unit_test(test_covers_linear),
        cmocka_unit_test(test_covers_flat),
        cmocka_unit_test(test_covers_at_the_limit),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_few_sizes),
        cmocka_unit_test(test_no_growth),
        cmocka_unit_test(test_no_upper_limit),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_slope_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
