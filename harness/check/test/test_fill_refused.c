/* fill: fills that make no sense, and values that a type cannot hold. */
#include "testing/testing.h"

#include "check/fill.h"

#include <math.h>
#include <string.h>

static assay_shape shape_of(assay_type type, int64_t count, assay_fill fill)
{
    assay_shape s = { 0 };

    s.buf[0] = (assay_buffer) { "x", ASSAY_IN, type, count, fill };
    s.buf[1] = (assay_buffer) { "y", ASSAY_IN, type, count, fill };
    return s;
}

static void expect_case_error(assay_type type, assay_fill fill, const char *words)
{
    const assay_shape s = shape_of(type, 100, fill);
    double            to[100];

    assay_status_reset();
    assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), words));
    assert_non_null(strstr(assay_status_message(), "'x'"));
    assay_status_reset();
}

static void test_senseless_fills_are_refused(void **state)
{
    (void)state;
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_UNIFORM(1, 1), "lo < hi");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_UNIFORM(2, 1), "lo < hi");
    expect_case_error(ASSAY_F64, (assay_fill)ASSAY_UNIFORM(NAN, 1), "lo < hi");
    expect_case_error(ASSAY_F64, (assay_fill)ASSAY_UNIFORM(-1e308, 1e308), "finite");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_UNIFORM(1e39, 1e40), "no value of the type");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_UNIFORM(1.00000001, 1.00000002),
                      "no value of the type");
    expect_case_error(ASSAY_I32, (assay_fill)ASSAY_UNIFORM(0.25, 0.75), "no value of the type");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INTEGERS(2, 1, 1), "lo <= hi");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INTEGERS(0.5, 3, 1), "integers");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INTEGERS(0, 0x1p60, 1), "2^53");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INTEGERS(0, 3, 0), "factor");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INDEX(0, 1), "period");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INDEX(2.5, 1), "period");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_INDEX(8, 0), "factor");
    expect_case_error(ASSAY_F32, (assay_fill)ASSAY_CUSTOM(NULL), "function");
    expect_case_error((assay_type)99, (assay_fill)ASSAY_UNIFORM(0, 1), "type");
    expect_case_error(ASSAY_F32, (assay_fill) { .kind = (assay_fill_kind)99 }, "fill");
}

static double third_is_bad(uint64_t random, int64_t index, const assay_shape *shape)
{
    (void)random;
    return index == 3 ? shape->scalar[0] : 1;
}

static void test_values_an_integer_cannot_hold(void **state)
{
    static const struct {
        assay_type type;
        double     bad;
    } table[] = { { ASSAY_U8, 256 },     { ASSAY_U8, -1 },      { ASSAY_I32, 0x1p31 },
                  { ASSAY_U32, -0.5 },   { ASSAY_U32, 0x1p32 }, { ASSAY_I64, 0x1p63 },
                  { ASSAY_U64, 0x1p64 }, { ASSAY_I32, NAN },    { ASSAY_I32, INFINITY },
                  { ASSAY_I8, 128 },     { ASSAY_I8, -129 },    { ASSAY_I16, 32768 },
                  { ASSAY_I16, -32769 }, { ASSAY_U16, 65536 },  { ASSAY_U16, -1 } };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        assay_shape s = shape_of(table[k].type, 10, (assay_fill)ASSAY_CUSTOM(third_is_bad));
        double      to[10];

        s.scalar[0] = table[k].bad;
        assay_status_reset();
        assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_E_CASE);
        assert_non_null(strstr(assay_status_message(), "element 3"));
        assert_non_null(strstr(assay_status_message(), assay_type_text(table[k].type)));
    }
    assay_status_reset();
    expect_case_error(ASSAY_U8, (assay_fill)ASSAY_INDEX(1000, 10), "element 26 ");
}

/* A range beyond the largest value is filled up to that value and not refused. */
static void test_uniform_past_the_largest(void **state)
{
    static const struct {
        assay_type type;
        double     largest;
    } table[] = { { ASSAY_F16, 65504 }, { ASSAY_F8E4M3, 448 }, { ASSAY_F8E5M2, 57344 } };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const double      ends = table[k].largest * 1.1;
        const assay_shape s = shape_of(table[k].type, 1000, (assay_fill)ASSAY_UNIFORM(-ends, ends));
        uint16_t          to[1000];
        double            most = 0;

        assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_OK);
        for (int i = 0; i < 1000; i++)
            most = fmax(most, fabs(assay_type_load(table[k].type, to, i)));
        assert_true(most == table[k].largest);
    }
}

/* 2^(fraction bits + 1) + 1 is the first whole number that would be rounded. */
static void test_whole_numbers_a_narrow_type_cannot_hold(void **state)
{
    static const struct {
        assay_type  type;
        double      most;
        const char *words;
    } table[] = {
        { ASSAY_F16, 2048, "the value 2049, which f16 cannot hold" },
        { ASSAY_BF16, 256, "the value 257, which bf16 cannot hold" },
        { ASSAY_F8E4M3, 16, "the value 17, which f8e4m3 cannot hold" },
        { ASSAY_F8E5M2, 8, "the value 9, which f8e5m2 cannot hold" },
    };

    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        static double     to[3000];
        const assay_shape s =
            shape_of(table[k].type, 3000, (assay_fill)ASSAY_INDEX(table[k].most + 1, 1));

        assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_OK);
        assert_true(assay_type_load(table[k].type, to, (int64_t)table[k].most) == table[k].most);
        expect_case_error(table[k].type,
                          (assay_fill)ASSAY_INTEGERS(table[k].most + 1, table[k].most + 1, 1),
                          table[k].words);
        expect_case_error(table[k].type, (assay_fill)ASSAY_INTEGERS(1, 1, 1e6), "cannot hold");
    }
}

static void test_negative_count_is_refused(void **state)
{
    const assay_shape s = shape_of(ASSAY_F32, -1, (assay_fill)ASSAY_UNIFORM(0, 1));
    float             to[1];

    (void)state;
    assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_E_CASE);
    assay_status_reset();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_senseless_fills_are_refused),
        cmocka_unit_test(test_values_an_integer_cannot_hold),
        cmocka_unit_test(test_whole_numbers_a_narrow_type_cannot_hold),
        cmocka_unit_test(test_uniform_past_the_largest),
        cmocka_unit_test(test_negative_count_is_refused),
    };

    return cmocka_run_group_tests_name("fill_refused", tests, NULL, NULL);
}
