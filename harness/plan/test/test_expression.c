/* Expressions of declared launches: values, names, and the words with which others are refused. */
#include "plan/expression.h"
#include "testing/testing.h"

#include <string.h>

static void no_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)axis;
    (void)input;
    (void)s;
}

static const assay_case definition = {
    .name     = "toy",
    .axes     = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1)),
                  ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1)) },
    .shape    = no_shape,
    .variants = { { .name = "a", .launch = "a", .tuning = { ASSAY_TUNING("block", 64, 128) } } },
};

static const assay_point point = { .definition = &definition,
                                   .axis       = { { .i = { 1000 } }, { .i = { 5, 6, 7 } } },
                                   .tune       = { 128 } };

static const assay_shape shape = { .buf         = { { .name = "x", .count = 77 },
                                                    { .name = "y", .count = 9 } },
                                   .param       = { 3, 4 },
                                   .scalar      = { 0.5, 8 },
                                   .param_name  = { [1] = "stride" },
                                   .scalar_name = { [1] = "alpha" } };

static assay_term term_of(const char *text)
{
    assay_term term[2];
    int        n = 0;

    assay_status_reset();
    if (assay_expression_list(text, &point, &shape, term, 2, &n) != ASSAY_OK || n != 1)
        fail_msg("\"%s\": %s", text, assay_status_message());
    return term[0];
}

static void test_integers(void **state)
{
    static const struct {
        const char *text;
        int64_t     value;
    } rows[] = {
        { "1 + 2 * 3", 7 },
        { "(1 + 2) * 3", 9 },
        { "-n + 1", -999 },
        { "n / block", 7 },
        { "n % block", 104 },
        { "ceil_div(n, block)", 8 },
        { "ceil_div(0, 4)", 0 },
        { "min(n, block)", 128 },
        { "max(n, 2 * block)", 1000 },
        { "size.x * size.z", 35 },
        { "count(x) + count(y)", 86 },
        { "param[0] + param[1 - 0]", 7 },
        { "2 * stride", 8 },
        { " 9223372036854775807", INT64_MAX },
        { "2-1-1", 0 },
        { "7/2*2", 6 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const assay_term term = term_of(rows[i].text);

        assert_int_equal(term.kind, ASSAY_TERM_INTEGER);
        assert_true(term.integer == rows[i].value);
    }
}

static void test_reals_and_buffers(void **state)
{
    (void)state;
    assert_true(term_of("scalar[0] * n").real == 500.0);
    assert_true(term_of("alpha").real == 8.0);
    assert_true(term_of("alpha / n").real == 0.008);
    assert_true(term_of("1.5 + 1").real == 2.5);
    assert_true(term_of("1e2 / 8").real == 12.5);
    assert_int_equal(term_of("y").kind, ASSAY_TERM_BUFFER);
    assert_int_equal(term_of("y").buffer, 1);
}

static void test_lists(void **state)
{
    assay_term term[3];
    int        n = -1;

    (void)state;
    assert_int_equal(assay_expression_list("", &point, &shape, term, 3, &n), ASSAY_OK);
    assert_int_equal(n, 0);
    assert_int_equal(assay_expression_list("x, n, 3", &point, &shape, term, 3, &n), ASSAY_OK);
    assert_int_equal(n, 3);
    assert_true(term[2].integer == 3);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        { "m", "no axis, tuning axis, buffer, param or scalar has this name at \"m\"" },
        { "alph", "has this name at \"alph\"" },
        { "count(alpha)", "count takes a buffer" },
        { "n +", "a number or a name is missing" },
        { "n n", "an operator or a comma is missing" },
        { "(n", "')' is missing" },
        { "x + 1", "a buffer is not a number" },
        { "n / 0", "a divisor has to be above 0" },
        { "n % 0", "a divisor has to be above 0" },
        { "size", "needs its extent" },
        { "size.w", "needs its extent" },
        { "count(n)", "count takes a buffer" },
        { "sqrt(n)", "there is no such function" },
        { "param[16]", "no such param or scalar" },
        { "param[-1]", "no such param or scalar" },
        { "9223372036854775807 + 1", "more than 64 bits" },
        { "1.5 % 2", "take whole numbers" },
        { "1, 2, 3", "more than 2 values" },
        { ",", "a number or a name is missing" },
        { "((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))", "too deep" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_term term[2];
        int        n;

        assay_status_reset();
        assert_int_equal(assay_expression_list(rows[i].text, &point, &shape, term, 2, &n),
                         ASSAY_E_CASE);
        if (!strstr(assay_status_message(), rows[i].sentence))
            fail_msg("\"%s\" is not in \"%s\"", rows[i].sentence, assay_status_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_reals_and_buffers),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
