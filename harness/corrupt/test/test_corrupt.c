/* Are wrongly accepted answers and unneeded waivers found? The case of this test can be given
 * too wide a bound. */
#include "testing/testing.h"

#include "check/check.h"
#include "corrupt/corrupt.h"
#include "corrupt/corruptions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = 48
};

static void shape_of(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->buf[0] = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, axis[0].i[0], ASSAY_UNIFORM(1, 2) };
    s->buf[1] = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, axis[0].i[0], { 0 } };
    s->buf[2] = (assay_buffer) { "n", ASSAY_OUT, ASSAY_I32, axis[0].i[0], { 0 } };
    s->cells  = axis[0].i[0];
}

/* y = 3 x; n is 7 times the place. */
static void reference(const assay_reference_args *args)
{
    const float *x = args->in[0];

    for (int64_t i = 0; i < args->count[0]; i++) {
        args->expect[1].value[i]     = 3 * (double)x[i];
        args->expect[1].magnitude[i] = 3 * (double)x[i];
        args->expect[2].integer[i]   = 7 * i + 1;
    }
}

static int cpu(const assay_args *args, assay_stream stream)
{
    (void)args;
    (void)stream;
    return 0;
}

static const assay_case sound = {
    .name        = "triple",
    .what        = "three times",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(N)) },
    .inputs      = ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = shape_of,
    .reference   = reference,
    .tol         = { .rule = ASSAY_RULE_BOUND, .c = 2, .u_out = 0x1p-24, .why = "rounding" },
    .variants    = { { .name = "cpu", .cpu = cpu } },
};

static assay_corrupt_result result;

static void judge(const assay_case *c)
{
    const assay_point point = { .definition = c, .axis = { c->axes[0].values[0] }, .seed = 5 };

    assay_status_reset();
    assert_int_equal(assay_check_definition(c), ASSAY_OK);
    assert_int_equal(assay_corrupt_judge(&point, 1, &result), ASSAY_OK);
}

/* Returns the number of faults, and their report in `text`. */
static int faults(bool is_whole, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    int   n;

    assert_non_null(out);
    n = assay_corrupt_print_faults(out, &result, is_whole);
    assert_int_equal(fclose(out), 0);
    return n;
}

static void expect_state(int output, assay_corruption k, assay_corrupt_state state)
{
    if (assay_corrupt_state_of(&result, output, (int)k) != state)
        fail_msg("'%s' of output '%s' is in state %d", assay_corruption_text(k),
                 result.output[output], (int)assay_corrupt_state_of(&result, output, (int)k));
}

static void test_rejects_all(void **state)
{
    char text[4096] = "";

    (void)state;
    judge(&sound);
    assert_int_equal(result.n_outputs, 2);
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
        expect_state(0, (assay_corruption)k, ASSAY_CORRUPT_REJECTED);
    expect_state(1, ASSAY_CORRUPT_ONE_NAN, ASSAY_CORRUPT_NONE);
    expect_state(1, ASSAY_CORRUPT_PRECISION, ASSAY_CORRUPT_NONE);
    expect_state(1, ASSAY_CORRUPT_STALE, ASSAY_CORRUPT_NONE); /* the same for each seed */
    expect_state(1, ASSAY_CORRUPT_PAST_BOUND, ASSAY_CORRUPT_REJECTED);
    assert_int_equal(faults(true, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void test_finds_a_wide_bound(void **state)
{
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.tol.u_out = 0.05;
    judge(&c);
    expect_state(0, ASSAY_CORRUPT_PRECISION, ASSAY_CORRUPT_ACCEPTED);
    expect_state(0, ASSAY_CORRUPT_ZEROS, ASSAY_CORRUPT_REJECTED);
    expect_state(0, ASSAY_CORRUPT_PAST_BOUND, ASSAY_CORRUPT_REJECTED);
    assert_int_equal(faults(true, text, sizeof text), 1);
    assert_non_null(strstr(text, "ACCEPTED: 'precision' of output 'y' is accepted at 1 of 1 "
                                 "points, first at triple/cpu/n=48"));
}

/* Accepts every output. The harness itself still refuses values that are not finite. */
static assay_verdict compare_nothing(const assay_evidence *e, char *reason, size_t size)
{
    (void)e;
    (void)reason;
    (void)size;
    return ASSAY_PASS;
}

static void test_finds_a_blind_comparer(void **state)
{
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.compare = compare_nothing;
    judge(&c);
    for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
        expect_state(0, (assay_corruption)k, ASSAY_CORRUPT_ACCEPTED);
    assert_true(faults(true, text, sizeof text) > ASSAY_N_CORRUPTIONS);
}

static bool never(const assay_value *axis)
{
    (void)axis;
    return false;
}

static void test_waives(void **state)
{
    static const assay_waiver waivers[] = {
        { "y", ASSAY_CORRUPT_PRECISION, "a rough estimate is asked for", NULL },
        { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
    };
    static const assay_waiver elsewhere[] = {
        { "y", ASSAY_CORRUPT_PRECISION, "a rough estimate is asked for", never },
        { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
    };
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.tol.u_out = 0.05;
    c.waivers   = waivers;
    judge(&c);
    expect_state(0, ASSAY_CORRUPT_PRECISION, ASSAY_CORRUPT_WAIVED);
    assert_int_equal(faults(true, text, sizeof text), 0);
    c.waivers = elsewhere;
    judge(&c);
    expect_state(0, ASSAY_CORRUPT_PRECISION, ASSAY_CORRUPT_ACCEPTED);
}

static void test_wants_no_waiver_for_nothing(void **state)
{
    static const assay_waiver waivers[] = {
        { "y", ASSAY_CORRUPT_ZEROS, "it could be", NULL },
        { "z", ASSAY_CORRUPT_ZEROS, "there is no such output", NULL },
        { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
    };
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.waivers = waivers;
    judge(&c);
    assert_int_equal(faults(true, text, sizeof text), 2);
    assert_non_null(strstr(text, "NOT NEEDED: the waiver of 'zeros' of output 'y' of triple"));
    assert_non_null(strstr(text, "NOT NEEDED: the waiver of 'zeros' of output 'z' of triple"));
    assert_int_equal(faults(false, text, sizeof text), 0); /* other points may need them */
}

static assay_invariant_result never_holds(const assay_evidence *e)
{
    (void)e;
    return (assay_invariant_result) { .value = 1, .expected = 0, .bound = 0.5 };
}

static void test_finds_that_nothing_is_right(void **state)
{
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.invariants[0] = (assay_invariant) { "odd", "it says so", never_holds, NULL };
    judge(&c);
    assert_int_equal(faults(true, text, sizeof text), 1);
    assert_non_null(strstr(text, "REFUSED: triple/cpu/n=48, random input: the reference itself is "
                                 "WRONG_VALUE in 'odd'"));
}

static void say_nothing(const assay_reference_args *args)
{
    reference(args);
    memset(args->expect[2].law, ASSAY_ANYTHING, (size_t)args->count[2]);
}

static void test_finds_an_output_that_nothing_shows(void **state)
{
    assay_case c          = sound;
    char       text[4096] = "";

    (void)state;
    c.reference = say_nothing;
    judge(&c);
    assert_int_equal(faults(true, text, sizeof text), 1);
    assert_non_null(strstr(text, "UNTRIED: no wrong answer could be made of output 'n' of triple"));
}

static void test_past_the_bound_by_one_step(void **state)
{
    static const assay_rule rules[] = { ASSAY_RULE_BOUND, ASSAY_RULE_ULP, ASSAY_RULE_EXACT };

    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        double               expected = 3.7, magnitude = 3.7, ratio;
        uint8_t              law   = ASSAY_COMPARE;
        float                truth = 3.7F, out = 3.7F;
        const assay_buffer   buffer = { "y", ASSAY_OUT, ASSAY_F32, 1, { 0 } };
        const assay_expected e      = {
                 .value = &expected, .magnitude = &magnitude, .law = &law, .terms = 1
        };
        const assay_tolerance tol = {
            .rule = rules[r], .c = 2, .u_out = 0x1p-18, .max_ulp = 3, .why = "made up"
        };
        const assay_right right = {
            .buffer = &buffer, .expected = &e, .tol = tol, .truth = &truth
        };

        assert_null(assay_corruptions[ASSAY_CORRUPT_PAST_BOUND](&right, &out, 0));
        assert_true(out < truth);
        assert_false(
            assay_check_element(&tol, ASSAY_F32, (double)out, expected, magnitude, 1, &ratio));
        out = nextafterf(out, truth);
        assert_true(
            assay_check_element(&tol, ASSAY_F32, (double)out, expected, magnitude, 1, &ratio));
    }
}

static void test_exchanges_rows_and_columns(void **state)
{
    static const int32_t was[]  = { 0, 1, 2, 3, 4, 5, 6 };
    static const int32_t want[] = { 0, 3, 1, 4, 2, 5, 6 }; /* elements after the matrix stay */
    const assay_buffer   buffer = { "n", ASSAY_OUT, ASSAY_I32, 7, { 0 } };
    const assay_right    right  = { .buffer = &buffer, .truth = was, .n_rows = 2 };
    int32_t              out[7];

    (void)state;
    memcpy(out, was, sizeof out);
    assert_null(assay_corruptions[ASSAY_CORRUPT_TRANSPOSED](&right, out, 0));
    assert_memory_equal(out, want, sizeof out);
}

static void test_waivers_are_defined_well(void **state)
{
    static const struct {
        assay_waiver waivers[3];
        const char  *words;
    } wrong[] = {
        { { { "y", ASSAY_CORRUPT_ZEROS, "", NULL } }, "'zeros' of output 'y' needs a reason" },
        { { { "y", ASSAY_N_CORRUPTIONS, "because", NULL } }, "names an unknown corruption" },
        { { { "y", ASSAY_CORRUPT_SIGN, "because", NULL },
            { "y", ASSAY_CORRUPT_SIGN, "again", NULL } },
          "'sign' of output 'y' is listed twice" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assay_case c = sound;

        c.waivers = wrong[i].waivers;
        assay_status_reset();
        assert_failed_with(assay_check_definition(&c), ASSAY_E_CASE, wrong[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejects_all),
        cmocka_unit_test(test_finds_a_wide_bound),
        cmocka_unit_test(test_finds_a_blind_comparer),
        cmocka_unit_test(test_waives),
        cmocka_unit_test(test_wants_no_waiver_for_nothing),
        cmocka_unit_test(test_finds_that_nothing_is_right),
        cmocka_unit_test(test_finds_an_output_that_nothing_shows),
        cmocka_unit_test(test_past_the_bound_by_one_step),
        cmocka_unit_test(test_exchanges_rows_and_columns),
        cmocka_unit_test(test_waivers_are_defined_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
