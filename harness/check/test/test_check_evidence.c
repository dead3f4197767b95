/* check, the case's own comparers, invariants and facts. */
#include "check_fixture.h"

#include "check/check_definition.h"

/* Passes unless the first element is 0; -1 stands for a comparer that returns an invalid
 * verdict. */
static assay_verdict first_is_not_zero(const assay_evidence *e, char *reason, size_t size)
{
    const float first = ((const float *)e->out[0])[0];

    if (first == -1)
        return ASSAY_SKIPPED;
    if (first != 0)
        return ASSAY_PASS;
    if (e->expected[0].terms == 1)
        (void)snprintf(reason, size, "the first element is 0");
    return ASSAY_WRONG_VALUE;
}

static void make(fixture *f)
{
    fixture_make(f, ASSAY_F32, 10, 2, sum_tolerance);
    fixture_fill_right(f);
    f->definition.compare = first_is_not_zero;
}

static assay_verdict compared(fixture *f)
{
    memset(&f->row, 0x55, sizeof f->row);
    assert_int_equal(assay_check_compare(&f->data, &f->row), ASSAY_OK);
    assert_string_equal(f->row.output, "*");
    return f->row.verdict;
}

static void test_comparer_sees_every_run(void **state)
{
    fixture f;

    (void)state;
    make(&f);
    assert_int_equal(compared(&f), ASSAY_PASS);
    assert_string_equal(f.row.reason, "");
    f32(&f, 1)[0] = 0;
    assert_int_equal(compared(&f), ASSAY_WRONG_VALUE);
    assert_string_equal(f.row.reason, "the first element is 0 (not in run 0)");
    f.expected[0].terms = 2; /* a comparer that gives no reason */
    assert_int_equal(compared(&f), ASSAY_WRONG_VALUE);
    expect_reason(&f, "gave no reason");
    fixture_free(&f);
}

static void test_comparer_and_determinism(void **state)
{
    fixture f;

    (void)state;
    make(&f);
    f32(&f, 1)[5] = 99; /* the comparer accepts it */
    assert_int_equal(compared(&f), ASSAY_PASS);
    f.variant.flags = ASSAY_DETERMINISTIC;
    assert_int_equal(compared(&f), ASSAY_NONDETERMINISTIC);
    expect_reason(&f, "element 5 of y");
    fixture_free(&f);
}

/* If the comparer judges other outputs, this one is judged element by element. */
static void test_comparer_of_other_outputs(void **state)
{
    fixture f;

    (void)state;
    make(&f);
    f.definition.tol_for[0] =
        (assay_output_tolerance) { "z", { .rule = ASSAY_RULE_OWN, .why = "a multiset" } };
    assert_false(assay_check_is_compared(&f.definition, "y"));
    f32(&f, 1)[5]   = 99;
    f.variant.flags = ASSAY_DETERMINISTIC;
    assert_int_equal(compared(&f), ASSAY_PASS);
    assert_string_equal(f.row.why, "a multiset");
    f.definition.tol_for[0].output = "y";
    assert_int_equal(compared(&f), ASSAY_NONDETERMINISTIC);
    fixture_free(&f);
}

static void test_comparer_that_finds_nothing_is_refused(void **state)
{
    fixture f;

    (void)state;
    make(&f);
    f32(&f, 1)[0] = -1;
    assay_status_reset();
    assert_int_equal(assay_check_compare(&f.data, &f.row), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), "SKIPPED"));
    assay_status_reset();
    fixture_free(&f);
}

/* ---- invariants ---- */

/* Compares the first element of run r with its expected value; the bound is the second element. */
static assay_invariant_result first_within_second(const assay_evidence *e)
{
    const float *out = e->out[0];

    return (assay_invariant_result) { .value = out[0], .expected = 10, .bound = out[1] };
}

static bool never(const assay_shape *shape, assay_input input)
{
    (void)shape;
    (void)input;
    return false;
}

static assay_verdict measured(fixture *f, float a0, float a1, float b0, float b1)
{
    f32(f, 0)[0] = a0;
    f32(f, 0)[1] = a1;
    f32(f, 1)[0] = b0;
    f32(f, 1)[1] = b1;
    memset(&f->row, 0x55, sizeof f->row);
    assert_int_equal(assay_check_invariant(&f->data, 0, &f->row), ASSAY_OK);
    assert_true(f->row.is_invariant && (f->row.verdict == ASSAY_PASS) == !f->row.reason[0]);
    return f->row.verdict;
}

static void test_invariants(void **state)
{
    fixture f;

    (void)state;
    make(&f);
    f.definition.invariants[0] =
        (assay_invariant) { "mass", "nothing is lost", first_within_second, NULL };
    assert_int_equal(measured(&f, 10, 0, 11, 2), ASSAY_PASS);
    assert_true(f.row.worst_ratio == 0.5 && f.row.max_abs_error == 1 && f.row.n_failed == 0);
    assert_string_equal(f.row.output, "mass");
    assert_string_equal(f.row.why, "nothing is lost");
    assert_int_equal(measured(&f, 10, 0, 13, 2), ASSAY_WRONG_VALUE);
    assert_true(f.row.worst_ratio == 1.5 && f.row.n_failed == 1 && f.row.first_bad_value == 13);
    expect_reason(&f, "mass is 13 in run 1 of 2, expected 10 +- 2 (err/bound 1.5)");
    assert_int_equal(measured(&f, NAN, 1, 10, 1), ASSAY_WRONG_VALUE);
    assert_int_equal(measured(&f, INFINITY, 1, 10, 1), ASSAY_WRONG_VALUE);
    assert_int_equal(measured(&f, 10, NAN, 10, 1), ASSAY_WRONG_VALUE);
    assert_int_equal(measured(&f, 10, INFINITY, 10, 1), ASSAY_WRONG_VALUE); /* accepts any value */
    assert_int_equal(measured(&f, 10, -1, 10, 1), ASSAY_WRONG_VALUE);
    assert_true(f.row.worst_ratio == INFINITY);
    f.definition.invariants[0].applies = never;
    assert_int_equal(measured(&f, NAN, 1, 10, 1), ASSAY_SKIPPED);
    fixture_free(&f);
}

/* ---- facts ---- */

static double element(const assay_evidence *e, int64_t which)
{
    return (double)((const float *)e->out[0])[which];
}

static void test_facts_are_of_the_last_run(void **state)
{
    static const assay_fact facts[] = { { "first", element, 0 }, { "fourth", element, 3 }, { 0 } };
    fixture                 f;
    double                  value = 0;

    (void)state;
    make(&f);
    f.definition.facts = facts;
    f32(&f, 0)[3]      = 5;
    f32(&f, 1)[3]      = 7;
    assert_int_equal(assay_check_fact(&f.data, 1, &value), ASSAY_OK);
    assert_true(value == 7);
    fixture_free(&f);
}

static void expect_refused(const assay_fact *facts, assay_input input, const char *words)
{
    const assay_case c = {
        .name = "made_up", .inputs = ASSAY_INPUT_BIT(RANDOM), .facts = facts, .facts_input = input
    };

    assay_status_reset();
    assert_int_equal(assay_definition_check_facts(&c), words ? ASSAY_E_CASE : ASSAY_OK);
    if (words)
        assert_non_null(strstr(assay_status_message(), words));
    assay_status_reset();
}

static void test_facts_are_defined_soundly(void **state)
{
    const assay_fact sound[]    = { { "a", element, 0 }, { "b", element, 0 }, { 0 } };
    const assay_fact nameless[] = { { "two words", element, 0 }, { 0 } };
    const assay_fact unread[]   = { { "a", NULL, 0 }, { 0 } };
    const assay_fact twice[]    = { { "a", element, 0 }, { "a", element, 1 }, { 0 } };

    (void)state;
    expect_refused(sound, ASSAY_INPUT_RANDOM, NULL);
    expect_refused(sound, ASSAY_INPUT_EXACT, "facts_input: 'exact' is not among its inputs");
    expect_refused(nameless, ASSAY_INPUT_RANDOM, "'two words' needs a proper name");
    expect_refused(unread, ASSAY_INPUT_RANDOM, "'a' needs a proper name and a function");
    expect_refused(twice, ASSAY_INPUT_RANDOM, "two are called 'a'");
}

static void expect_roles(const char *rate_fact, const char *rate_along, const char *input_fact,
                         const char *words)
{
    const assay_fact facts[] = { { "a", element, 0 }, { "b", element, 1 }, { 0 } };
    const assay_case c       = { .name        = "made_up",
                                 .inputs      = ASSAY_INPUT_BIT(RANDOM),
                                 .facts       = facts,
                                 .facts_input = ASSAY_INPUT_RANDOM,
                                 .rate_fact   = rate_fact,
                                 .rate_along  = rate_along,
                                 .input_fact  = input_fact };

    assay_status_reset();
    assert_int_equal(assay_definition_check_facts(&c), words ? ASSAY_E_CASE : ASSAY_OK);
    if (words)
        assert_non_null(strstr(assay_status_message(), words));
    assay_status_reset();
}

static void test_roles_name_facts(void **state)
{
    (void)state;
    expect_roles("b", "a", NULL, NULL);
    expect_roles("b", NULL, "a", NULL);
    expect_roles("c", NULL, NULL, "rate_fact: 'c' is not one of its facts");
    expect_roles(NULL, "", NULL, "rate_along: '' is not one of its facts");
    expect_roles(NULL, NULL, "c", "input_fact: 'c' is not one of its facts");
    expect_roles("b", NULL, "b", "input_fact: 'b' is its rate_fact or rate_along, too");
    expect_roles(NULL, "b", "b", "input_fact: 'b' is its rate_fact or rate_along, too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparer_sees_every_run),
        cmocka_unit_test(test_comparer_and_determinism),
        cmocka_unit_test(test_comparer_of_other_outputs),
        cmocka_unit_test(test_comparer_that_finds_nothing_is_refused),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_facts_are_of_the_last_run),
        cmocka_unit_test(test_facts_are_defined_soundly),
        cmocka_unit_test(test_roles_name_facts),
    };

    return cmocka_run_group_tests_name("check_evidence", tests, NULL, NULL);
}
