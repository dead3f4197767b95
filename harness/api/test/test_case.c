/* case: every enum of case.h has its text and size, and values outside the enum are never used
 * as an index. */
#include "testing/testing.h"

#include "case.h"

#include <string.h>

static void test_types(void **state)
{
    static const struct {
        assay_type  type;
        size_t      size;
        const char *text;
        bool        is_float;
    } want[] = {
        { ASSAY_F32, sizeof(float), "f32", true },
        { ASSAY_F64, sizeof(double), "f64", true },
        { ASSAY_I32, sizeof(int32_t), "i32", false },
        { ASSAY_U32, sizeof(uint32_t), "u32", false },
        { ASSAY_I64, sizeof(int64_t), "i64", false },
        { ASSAY_U64, sizeof(uint64_t), "u64", false },
        { ASSAY_U8, sizeof(uint8_t), "u8", false },
        { ASSAY_F16, 2, "f16", true },
        { ASSAY_BF16, 2, "bf16", true },
        { ASSAY_F8E4M3, 1, "f8e4m3", true },
        { ASSAY_F8E5M2, 1, "f8e5m2", true },
        { ASSAY_I8, 1, "i8", false },
        { ASSAY_I16, 2, "i16", false },
        { ASSAY_U16, 2, "u16", false },
    };

    (void)state;
    assert_int_equal(sizeof want / sizeof *want, ASSAY_N_TYPES);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(assay_type_size(want[i].type), want[i].size);
        assert_string_equal(assay_type_text(want[i].type), want[i].text);
        assert_int_equal(assay_type_is_float(want[i].type), want[i].is_float);
    }
    assert_int_equal(assay_type_size(ASSAY_N_TYPES), 0);
    assert_int_equal(assay_type_size((assay_type)-1), 0);
    assert_false(assay_type_is_float(ASSAY_N_TYPES));
    assert_string_equal(assay_type_text((assay_type)1000), "unknown");
}

/* All texts up to n are set and differ; n itself is unknown. */
#define EXPECT_TEXTS(function, type, n)                                                            \
    do {                                                                                           \
        for (int i_ = 0; i_ < (int)(n); i_++) {                                                    \
            assert_non_null(function((type)i_));                                                   \
            assert_string_not_equal(function((type)i_), "unknown");                                \
            for (int k_ = 0; k_ < i_; k_++)                                                        \
                assert_string_not_equal(function((type)i_), function((type)k_));                   \
        }                                                                                          \
        assert_string_equal(function((type)(n)), "unknown");                                       \
        assert_string_equal(function((type)-1), "unknown");                                        \
    } while (0)

static void test_texts(void **state)
{
    (void)state;
    EXPECT_TEXTS(assay_input_text, assay_input, ASSAY_N_INPUTS);
    EXPECT_TEXTS(assay_verdict_text, assay_verdict, ASSAY_N_VERDICTS);
    EXPECT_TEXTS(assay_rule_text, assay_rule, ASSAY_RULE_OWN + 1);
    EXPECT_TEXTS(assay_growth_text, assay_growth, ASSAY_G_LINEAR + 1);
    EXPECT_TEXTS(assay_lane_text, assay_lane, ASSAY_N_LANES);
    assert_string_equal(assay_input_text(ASSAY_INPUT_ADVERSARIAL), "adversarial");
    assert_string_equal(assay_verdict_text(ASSAY_OUT_OF_BOUNDS), "OUT_OF_BOUNDS");
    assert_string_equal(assay_rule_text(ASSAY_RULE_ULP), "ulp");
    assert_string_equal(assay_growth_text(ASSAY_G_SQRT), "sqrt");
    assert_string_equal(assay_lane_text(ASSAY_LANE_TSAN), "tsan");
}

/* The order is the rank by which a point gets its verdict. */
static void test_verdict_rank(void **state)
{
    (void)state;
    assert_true(ASSAY_NOT_RUN < ASSAY_SKIPPED && ASSAY_SKIPPED < ASSAY_UNSUPPORTED);
    assert_true(ASSAY_UNSUPPORTED < ASSAY_PASS && ASSAY_PASS < ASSAY_SUSPECT);
    assert_true(ASSAY_NONDETERMINISTIC < ASSAY_WRONG_VALUE);
    assert_true(ASSAY_WRONG_VALUE < ASSAY_NOT_FINITE && ASSAY_NOT_FINITE < ASSAY_UNWRITTEN);
    assert_true(ASSAY_N_VERDICTS <= 31); /* sets of them are bits of an unsigned */
}

/* The count stops at the first axis without a name, and never exceeds the room there is. */
static void test_tuning_axes(void **state)
{
    const assay_variant none = { .name = "none" };
    const assay_variant two  = { .tuning = { ASSAY_TUNING("block", 256, 64, 128),
                                             ASSAY_TUNING("tile", 8) } };
    assay_variant       full = two;

    (void)state;
    assert_int_equal(assay_variant_tuning_axes(&none), 0);
    assert_int_equal(assay_variant_tuning_axes(&two), 2);
    assert_int_equal(two.tuning[0].n_values, 3);
    assert_int_equal(two.tuning[0].values[2], 128);
    assert_int_equal(two.tuning[1].n_values, 1);
    for (int t = 0; t <= ASSAY_MAX_TUNING; t++)
        full.tuning[t] = two.tuning[0];
    assert_int_equal(assay_variant_tuning_axes(&full), ASSAY_MAX_TUNING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_verdict_rank),
        cmocka_unit_test(test_tuning_axes),
    };

    return cmocka_run_group_tests_name("case", tests, NULL, NULL);
}
