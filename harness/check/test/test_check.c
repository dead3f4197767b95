/* check, one element and one output: inputs that fool other checkers must not fool this one. */
#include "check_fixture.h"

static bool holds(const assay_tolerance *tol, assay_type type, double got, double expected,
                  double magnitude, double terms)
{
    double     ratio = -1;
    const bool ok    = assay_check_element(tol, type, got, expected, magnitude, terms, &ratio);

    assert_true(isnan(ratio) ? isnan(got) || isnan(expected) : ok == (ratio <= 1));
    return ok;
}

/* ---- one element ---- */

static void test_bound_is_the_formula(void **state)
{
    static const struct {
        assay_growth growth;
        double       terms, g;
    } table[] = {
        { ASSAY_G_ONE, 1000, 1 },   { ASSAY_G_LOG2, 1, 1 },     { ASSAY_G_LOG2, 2, 1 },
        { ASSAY_G_LOG2, 1024, 10 }, { ASSAY_G_SQRT, 1024, 32 }, { ASSAY_G_LINEAR, 77, 77 }
    };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        assay_tolerance tol   = sum_tolerance;
        const double    bound = 2 * (0x1p-24 * 4 + 0x1p-24 * table[k].g * 100);
        double          ratio;

        tol.growth = table[k].growth;
        assert_true(holds(&tol, ASSAY_F64, 4 + bound * (1 - 1e-9), 4, 100, table[k].terms));
        assert_true(holds(&tol, ASSAY_F64, 4 - bound * (1 - 1e-9), 4, 100, table[k].terms));
        assert_false(holds(&tol, ASSAY_F64, 4 + bound * (1 + 1e-9), 4, 100, table[k].terms));
        assert_false(holds(&tol, ASSAY_F64, 4 - bound * (1 + 1e-9), 4, 100, table[k].terms));
        (void)assay_check_element(&tol, ASSAY_F64, 4 + bound / 2, 4, 100, table[k].terms, &ratio);
        assert_true(fabs(ratio - 0.5) < 1e-6);
    }
}

static void test_unordered_and_infinite_fail(void **state)
{
    static const double     specials[] = { NAN, INFINITY, -INFINITY };
    assay_tolerance         exact      = { .rule = ASSAY_RULE_EXACT, .why = "bits" };
    const assay_tolerance  *rules[]    = { &sum_tolerance, &ulp_tolerance, &exact };
    static const assay_type types[]    = { ASSAY_F32, ASSAY_F64 };

    (void)state;
    for (int rule = 0; rule < 3; rule++)
        for (int t = 0; t < 2; t++)
            for (int a = 0; a < 3; a++) {
                assert_false(holds(rules[rule], types[t], specials[a], 1, 1e30, 1e6));
                assert_false(holds(rules[rule], types[t], 1, specials[a], 1e30, 1e6));
                for (int b = 0; b < 3; b++)
                    assert_int_equal(
                        holds(rules[rule], types[t], specials[a], specials[b], 1e30, 1e6),
                        a == b && a > 0);
            }
}

/* A bound that is not a number must not accept any value. */
static void test_vacuous_bound_fails(void **state)
{
    (void)state;
    assert_false(holds(&sum_tolerance, ASSAY_F32, 1, 2, INFINITY, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 1, 2, NAN, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 1, 2, -1e30, 1));
}

static void test_small_outputs_and_cancellation(void **state)
{
    (void)state;
    /* Values far below any absolute tolerance: zero is still wrong. */
    assert_false(holds(&sum_tolerance, ASSAY_F32, 0, 1e-9, 1e-9, 1000));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 0, 1e-30, 1e-30, 1000));
    /* 1e6 cancels to 1e-3: the error that a sum of such terms may have is allowed, and no more. */
    assert_true(holds(&sum_tolerance, ASSAY_F32, 1e-3 + 0.1, 1e-3, 1e6, 2));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 1e-3 + 0.2, 1e-3, 1e6, 2));
    /* If the magnitude is 0, only exactly zero is right. */
    assert_true(holds(&sum_tolerance, ASSAY_F32, -0.0, 0, 0, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 0x1p-149, 0, 0, 1));
}

static void test_denormals(void **state)
{
    (void)state;
    /* The reference is between two denormals: the nearest one is right, the next one is not. */
    assert_true(holds(&sum_tolerance, ASSAY_F32, 0x1p-149, 1.4 * 0x1p-149, 0, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 0x1p-148, 1.4 * 0x1p-149, 0, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, 0, 1.4 * 0x1p-149, 0, 1));
    assert_true(assay_check_ulp(ASSAY_F32, 0x1p-149, -0x1p-149) == 2);
    assert_true(assay_check_ulp(ASSAY_F32, 0x1p-126, 0x1p-126 - 0x1p-149) == 1);
    assert_true(assay_check_ulp(ASSAY_F64, 0x1p-1074, 0) == 1);
    assert_true(assay_check_ulp(ASSAY_F32, 0, 0x1p-151) == 0); /* rounds to 0 */
}

static void test_ulp_distance(void **state)
{
    (void)state;
    assert_true(assay_check_ulp(ASSAY_F32, 0.0, -0.0) == 0);
    assert_true(assay_check_ulp(ASSAY_F32, 1, 1) == 0);
    assert_true(assay_check_ulp(ASSAY_F32, 0x1.000002p0, 1) == 1);
    assert_true(assay_check_ulp(ASSAY_F32, 0x1.fffffep-1, 1) == 1);
    assert_true(assay_check_ulp(ASSAY_F32, 1, 1 + 0x1p-25) == 0); /* rounded first */
    assert_true(assay_check_ulp(ASSAY_F64, 1, 1 + 0x1p-50) == 4);
    assert_true(assay_check_ulp(ASSAY_F32, -3, 3) == 2.0 * 0x40400000);
    assert_true(assay_check_ulp(ASSAY_F64, -INFINITY, -INFINITY) == 0);
    assert_true(assay_check_ulp(ASSAY_F32, 0x1.fffffep127, INFINITY) == INFINITY);
    assert_true(assay_check_ulp(ASSAY_F32, NAN, 1) == INFINITY);
    assert_true(assay_check_ulp(ASSAY_F32, NAN, NAN) == INFINITY);
    assert_true(assay_check_ulp(ASSAY_F64, -1.7e308, 1.7e308) > 1.8e19);
    assert_true(holds(&ulp_tolerance, ASSAY_F32, 0x1.000002p0, 1, 0, 1));
    assert_false(holds(&ulp_tolerance, ASSAY_F32, 0x1.000004p0, 1, 0, 1));
}

/* A value that fp32 cannot hold must be infinite, except for the largest value if the bound allows
 * it. */
static void test_overflow(void **state)
{
    const double largest = 0x1.fffffep127;

    (void)state;
    assert_true(holds(&sum_tolerance, ASSAY_F32, INFINITY, 1e39, 1e39, 1));
    assert_true(holds(&ulp_tolerance, ASSAY_F32, INFINITY, 1e39, 0, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, -INFINITY, 1e39, 1e39, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, largest, 1e39, 1e39, 1));
    assert_false(holds(&ulp_tolerance, ASSAY_F32, largest, 1e39, 0, 1));
    assert_true(holds(&sum_tolerance, ASSAY_F32, largest, 0x1.ffffffp127, 0x1.ffffffp127, 1));
    assert_false(holds(&sum_tolerance, ASSAY_F32, INFINITY, largest, largest, 1e6));
    assert_false(holds(&ulp_tolerance, ASSAY_F32, INFINITY, largest, 0, 1));
}

static void test_exact(void **state)
{
    const assay_tolerance exact = { .rule = ASSAY_RULE_EXACT, .why = "bits" };

    (void)state;
    assert_true(holds(&exact, ASSAY_F32, (double)0.1f, 0.1, 0, 1)); /* rounded to the type */
    assert_false(holds(&exact, ASSAY_F64, (double)0.1f, 0.1, 0, 1));
    assert_true(holds(&exact, ASSAY_F32, -0.0, 0, 0, 1));
    assert_false(holds(&exact, ASSAY_F32, 0x1.000002p0, 1, 1e30, 1));
    assert_false(holds(&sum_tolerance, ASSAY_I32, 1000001, 1000000, 1e30, 1)); /* integers */
}

static void test_exact_class_means_exact(void **state)
{
    assay_case c = { .name = "made_up", .tol = sum_tolerance };

    (void)state;
    c.tol_for[0] = (assay_output_tolerance) { "z", ulp_tolerance };
    assert_int_equal(assay_check_tolerance(&c, "y", ASSAY_F32, ASSAY_INPUT_RANDOM).rule,
                     ASSAY_RULE_BOUND);
    assert_int_equal(assay_check_tolerance(&c, "z", ASSAY_F32, ASSAY_INPUT_RANDOM).rule,
                     ASSAY_RULE_ULP);
    assert_int_equal(assay_check_tolerance(&c, "y", ASSAY_F32, ASSAY_INPUT_EXACT).rule,
                     ASSAY_RULE_EXACT);
    assert_int_equal(assay_check_tolerance(&c, "z", ASSAY_F32, ASSAY_INPUT_EXACT).rule,
                     ASSAY_RULE_EXACT);
    assert_non_null(assay_check_tolerance(&c, "z", ASSAY_F32, ASSAY_INPUT_EXACT).why);
    c.tol.inexact_why = "divides";
    assert_int_equal(assay_check_tolerance(&c, "y", ASSAY_F32, ASSAY_INPUT_EXACT).rule,
                     ASSAY_RULE_BOUND);
}

static void test_roundoff_of_the_outputs_type(void **state)
{
    const assay_case c = {
        .name = "made_up",
        .tol = { .rule = ASSAY_RULE_BOUND, .c = 1, .u_out = ASSAY_U_OF_TYPE, .why = "rounded once" }
    };

    (void)state;
    assert_true(assay_check_tolerance(&c, "y", ASSAY_BF16, ASSAY_INPUT_RANDOM).u_out ==
                ASSAY_BF16_ROUNDOFF);
    assert_true(assay_check_tolerance(&c, "y", ASSAY_F32, ASSAY_INPUT_RANDOM).u_out ==
                ASSAY_U32_ROUNDOFF);
    assert_int_equal(assay_check_tolerance(&c, "y", ASSAY_F16, ASSAY_INPUT_EXACT).rule,
                     ASSAY_RULE_EXACT);
}

/* ---- guard zones and exemptions ---- */

static void test_guard_damage_is_located(void **state)
{
    static const assay_type types[] = { ASSAY_F32, ASSAY_F64,    ASSAY_I64,   ASSAY_I16,
                                        ASSAY_U16, ASSAY_F16,    ASSAY_BF16,  ASSAY_U8,
                                        ASSAY_I8,  ASSAY_F8E4M3, ASSAY_F8E5M2 };
    uint8_t                 zone[3 * ASSAY_GUARD_BYTES / 2];

    const int this    = assay_fill_number(0, ASSAY_INPUT_EXACT, 2);
    const int another = assay_fill_number(1, ASSAY_INPUT_EXACT, 2);

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        assay_fill_guard(zone, sizeof zone, types[t], this);
        assert_int_equal(assay_check_guard(zone, sizeof zone, types[t], this), -1);
        assert_int_equal(assay_check_guard(zone, sizeof zone, types[t], another), 0);
        assert_int_equal(assay_check_guard(zone, 0, types[t], another), -1);
        for (size_t at = 0; at < sizeof zone; at += 997) {
            zone[at] ^= 0x10;
            assert_int_equal(assay_check_guard(zone, sizeof zone, types[t], this), (int64_t)at);
            assert_int_equal(assay_check_guard(zone, at, types[t], this), -1);
            zone[at] ^= 0x10;
        }
        memmove(zone, zone + 64, 64); /* guard bytes of another position */
        assert_true(assay_check_guard(zone, sizeof zone, types[t], this) >= 0 ||
                    assay_type_size(types[t]) == 1);
    }
}

static void test_exempt_limit(void **state)
{
    (void)state;
    assert_int_equal(assay_check_exempt_limit(1000, 0), 0);
    assert_int_equal(assay_check_exempt_limit(0, 0.5), 0);
    /* P(X >= 2) = 4.995e-5, P(X >= 3) = 1.66e-7. */
    assert_int_equal(assay_check_exempt_limit(1000, 1e-5), 2);
    assert_int_equal(assay_check_exempt_limit(3, 0.5), 3);
    assert_in_range(assay_check_exempt_limit(1000000, 1e-3), 1140, 1165);
}

/* ---- types of 8 and 16 bits ---- */

static void test_narrow_values_by_their_own_steps(void **state)
{
    static const struct {
        assay_type type;
        double     step, roundoff; /* above 1 */
    } table[] = {
        { ASSAY_F16, 0x1p-10, ASSAY_F16_ROUNDOFF },
        { ASSAY_BF16, 0x1p-7, ASSAY_BF16_ROUNDOFF },
        { ASSAY_F8E4M3, 0x1p-3, ASSAY_F8E4M3_ROUNDOFF },
        { ASSAY_F8E5M2, 0x1p-2, ASSAY_F8E5M2_ROUNDOFF },
    };
    const assay_tolerance one   = { .rule = ASSAY_RULE_ULP, .max_ulp = 1, .why = "test" };
    const assay_tolerance exact = { .rule = ASSAY_RULE_EXACT, .why = "test" };

    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const assay_type      type = table[t].type;
        const double          step = table[t].step, third = 1 + step / 3, half = step / 2;
        const assay_tolerance bound = {
            .rule = ASSAY_RULE_BOUND, .c = 1, .u_out = table[t].roundoff, .why = "test"
        };

        assert_true(assay_check_ulp(type, 1 + 3 * step, 1) == 3);
        assert_true(assay_check_ulp(type, 1, third) == 0); /* the reference is rounded first */
        assert_true(holds(&one, type, 1 + step, third, 0, 1));
        assert_false(holds(&one, type, 1 + 2 * step, third, 0, 1));
        assert_true(holds(&exact, type, 1, third, 0, 1));
        assert_false(holds(&exact, type, 1 + step, third, 0, 1));
        assert_true(holds(&bound, type, 1, 1 + half * 0.99, 0, 1));
        assert_false(holds(&bound, type, 1, 1 + half * 1.5, 0, 1)); /* as by truncation */
        /* Half of the smallest value is allowed on top. */
        assert_true(holds(&bound, type, 0, assay_type_smallest(type) / 2, 0, 1));
        assert_false(holds(&bound, type, 0, assay_type_smallest(type) * 0.9, 0, 1));
    }
}

/* Values more than half a step past the largest one are infinity, or E4M3's NaN. A result that
 * saturates is right only if its reference does, too. */
static void test_narrow_values_past_the_largest(void **state)
{
    static const struct {
        assay_type type;
        double     largest, beyond;
    } table[]                       = { { ASSAY_F16, 65504, INFINITY },
                                        { ASSAY_BF16, 0x1.FEp127, INFINITY },
                                        { ASSAY_F8E4M3, 448, NAN },
                                        { ASSAY_F8E5M2, 57344, INFINITY } };
    static const assay_rule rules[] = { ASSAY_RULE_BOUND, ASSAY_RULE_ULP, ASSAY_RULE_EXACT };

    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            const assay_tolerance tol = {
                .rule = rules[r], .c = 1, .u_out = 0x1p-8, .max_ulp = 1, .why = "test"
            };
            double ratio;

            assert_true(assay_check_element(&tol, table[t].type, table[t].beyond,
                                            2 * table[t].largest, 0, 1, &ratio));
            assert_true(ratio == 0);
            assert_false(assay_check_element(&tol, table[t].type, table[t].largest,
                                             2 * table[t].largest, 0, 1, &ratio));
            assert_false(
                assay_check_element(&tol, table[t].type, table[t].beyond, 1, 0, 1, &ratio));
            assert_false(
                assay_check_element(&tol, table[t].type, table[t].beyond, NAN, 0, 1, &ratio));
            assert_true(holds(&tol, table[t].type, table[t].largest, table[t].largest, 0, 1));
        }
}

/* ---- whole outputs ---- */

static void test_right_outputs_pass(void **state)
{
    static const assay_type types[] = { ASSAY_F32,    ASSAY_F64, ASSAY_I32,  ASSAY_I64,
                                        ASSAY_U8,     ASSAY_F16, ASSAY_BF16, ASSAY_F8E4M3,
                                        ASSAY_F8E5M2, ASSAY_I8,  ASSAY_I16,  ASSAY_U16 };

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int n_runs = 1; n_runs <= 3; n_runs++) {
            fixture f;

            fixture_make(&f, types[t], 1000, n_runs, sum_tolerance);
            f.variant.flags = ASSAY_DETERMINISTIC;
            fixture_fill_right(&f);
            EXPECT_VERDICT(&f, ASSAY_PASS);
            assert_true(f.row.n_failed == 0 && f.row.count == 1000 && f.row.first_bad_index == -1);
            assert_true(f.row.n_runs == n_runs && f.row.seed == 42 && f.row.n_exempt == 0);
            assert_true(f.row.worst_ratio >= 0 && f.row.worst_ratio < 1);
            assert_string_equal(f.row.output, "y");
            assert_true(f.row.rule ==
                        (assay_type_is_float(types[t]) ? ASSAY_RULE_BOUND : ASSAY_RULE_EXACT));
            fixture_free(&f);
        }
}

static void test_row_numbers(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F64, 4, 2, sum_tolerance);
    f.expected[0].terms = 16;
    for (int i = 0; i < 4; i++) {
        f.expected[0].value[i]     = i + 1;
        f.expected[0].magnitude[i] = 10;
        for (int r = 0; r < 2; r++)
            ((double *)f.run[r])[i] = i + 1;
    }
    ((double *)f.run[1])[2] = 3.5;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_true(f.row.n_failed == 1 && f.row.first_bad_index == 2);
    assert_true(f.row.first_bad_value == 3.5 && f.row.first_bad_expected == 3);
    assert_true(f.row.max_abs_error == 0.5 && f.row.max_abs_expected == 4);
    assert_true(f.row.max_ulp_error == 0x1p50);
    assert_true(fabs(f.row.relative_l2 - 0.5 / sqrt(30)) < 1e-15);
    assert_true(fabs(f.row.worst_ratio - 0.5 / (2 * 0x1p-24 * 43)) < 1e-6 * f.row.worst_ratio);
    assert_true(f.row.terms == 16 && f.row.c == 2 && f.row.u_out == 0x1p-24);
    expect_reason(&f,
                  "element 2 is 3.5 in run 1 of 2, expected 3 +- 5.13e-06 (err/bound 9.75e+04)");
    expect_reason(&f, "1 of 4 fail");
    fixture_free(&f);
}

/* The norm neither overflows nor underflows. */
static void test_relative_l2_of_extreme_values(void **state)
{
    static const double scales[] = { 1e300, 1, 1e-300, 0x1p-1060 };

    (void)state;
    for (int s = 0; s < 4; s++) {
        fixture f;

        fixture_make(&f, ASSAY_F64, 100, 1, sum_tolerance);
        for (int i = 0; i < 100; i++) {
            f.expected[0].value[i]  = 2 * scales[s];
            ((double *)f.run[0])[i] = scales[s];
        }
        EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
        assert_true(fabs(f.row.relative_l2 - 0.5) < 1e-12);
        fixture_free(&f);
    }
}

/* Errors in one range of exponents, values in another. */
static void test_relative_l2_across_ranges(void **state)
{
    static const struct {
        double expected[2], got[2], ratio;
    } table[] = {
        { { 0x1p-440, 0 }, { 0x1p-440, 0x1p-500 }, 0x1p-60 },
        { { 0x1p500, 0 }, { 0x1p500, 0x1p440 }, 0x1p-60 },
        { { 0x1p451, 0x1p450 }, { 0x1p451, 0 }, 0.44721359549995794 }, /* 1 / sqrt(5) */
        { { 0x1p-450, 0x1p-451 }, { 0x1p-450, 0 }, 0.44721359549995794 },
    };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        fixture f;

        fixture_make(&f, ASSAY_F64, 2, 1, sum_tolerance);
        memcpy(f.expected[0].value, table[k].expected, sizeof table[k].expected);
        memcpy(f.run[0], table[k].got, sizeof table[k].got);
        EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
        assert_true(fabs(f.row.relative_l2 - table[k].ratio) <= 1e-15 * table[k].ratio);
        fixture_free(&f);
    }
}

/* An average would not show it. */
static void test_one_bad_element_in_16_million(void **state)
{
    enum {
        N = 1 << 24
    };
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, N, 2, sum_tolerance);
    f.expected[0].terms = 1024;
    fixture_fill_right(&f);
    EXPECT_VERDICT(&f, ASSAY_PASS);
    f32(&f, 1)[N - 7] += 0x1p-14f;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_true(f.row.n_failed == 1 && f.row.first_bad_index == N - 7);
    assert_true(f.row.relative_l2 < 1e-7);
    f32(&f, 0)[5] = NAN; /* the graver finding is reported */
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assert_true(f.row.n_failed == 2 && f.row.first_bad_index == 5);
    fixture_free(&f);
}

static void test_not_finite(void **state)
{
    static const float bad[] = { NAN, INFINITY, -INFINITY };

    (void)state;
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 2; r++) {
            fixture f;

            fixture_make(&f, ASSAY_F32, 100, 2, sum_tolerance);
            fixture_fill_right(&f);
            f32(&f, r)[17] = bad[k];
            EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
            assert_true(f.row.n_failed == 1 && f.row.first_bad_index == 17);
            assert_true(f.row.worst_ratio == INFINITY && f.row.max_abs_error == INFINITY);
            assert_true(f.row.relative_l2 == INFINITY);
            expect_reason(&f, "element 17 is ");
            fixture_free(&f);
        }
}

static void test_no_elements(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 0, 2, sum_tolerance);
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_true(f.row.count == 0 && f.row.n_failed == 0 && isnan(f.row.worst_ratio));
    f.out[0][0] = f.out[1][0] = NULL;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    fixture_free(&f);
}

static void test_may_be_nan(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 1000, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[9] = f.expected[0].law[12] = ASSAY_MAY_BE_NAN;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_int_equal(f.row.n_exempt, 0);
    f32(&f, 0)[9] = NAN;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE); /* a share of 0 allows no difference */
    expect_reason(&f, "1 of 1000 elements are exempt and differ");
    f.expected[0].exempt_share = 1e-5;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_int_equal(f.row.n_exempt, 1);
    f32(&f, 0)[12] = 7; /* neither NaN nor within the tolerance */
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_true(f.row.first_bad_index == 12 && f.row.n_failed == 1);
    f32(&f, 0)[12] = INFINITY;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assay_fill_poison(f32(&f, 0) + 12, ASSAY_F32, 1, poison_of(&f, 0));
    EXPECT_VERDICT(&f, ASSAY_UNWRITTEN);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound_is_the_formula),
        cmocka_unit_test(test_unordered_and_infinite_fail),
        cmocka_unit_test(test_vacuous_bound_fails),
        cmocka_unit_test(test_small_outputs_and_cancellation),
        cmocka_unit_test(test_denormals),
        cmocka_unit_test(test_ulp_distance),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_exact_class_means_exact),
        cmocka_unit_test(test_roundoff_of_the_outputs_type),
        cmocka_unit_test(test_guard_damage_is_located),
        cmocka_unit_test(test_exempt_limit),
        cmocka_unit_test(test_narrow_values_by_their_own_steps),
        cmocka_unit_test(test_narrow_values_past_the_largest),
        cmocka_unit_test(test_right_outputs_pass),
        cmocka_unit_test(test_row_numbers),
        cmocka_unit_test(test_relative_l2_of_extreme_values),
        cmocka_unit_test(test_relative_l2_across_ranges),
        cmocka_unit_test(test_one_bad_element_in_16_million),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_may_be_nan),
    };

    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
