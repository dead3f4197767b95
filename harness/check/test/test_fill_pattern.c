/* fill: poison and guard zones of every type. */
#include "testing/testing.h"

#include "check/fill.h"

#include <math.h>
#include <string.h>

static const assay_type all_types[] = { ASSAY_F32, ASSAY_F64, ASSAY_I32, ASSAY_U32,
                                        ASSAY_I64, ASSAY_U64, ASSAY_U8 };
enum {
    N_TYPES = sizeof all_types / sizeof *all_types
};

static void test_poisons_differ_in_every_element(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        const size_t size = assay_type_size(all_types[t]);

        for (int a = 0; a < 256; a++) {
            uint8_t x[3 * 8];

            assay_fill_poison(x, all_types[t], 3, a);
            for (int b = 0; b < 256; b++)
                for (int64_t i = 0; i < 3; i++)
                    assert_int_equal(assay_is_poison(x, all_types[t], i, b), a == b);
            x[size + size - 1] ^= 1; /* one bit of element 1 */
            assert_false(assay_is_poison(x, all_types[t], 1, a));
            assert_true(assay_is_poison(x, all_types[t], 0, a));
            assert_true(assay_is_poison(x, all_types[t], 2, a));
        }
    }
}

static void test_poison_is_nan_that_arithmetic_does_not_give_back(void **state)
{
    volatile float  f[2];
    volatile double d[2];

    (void)state;
    assay_fill_poison((void *)(uintptr_t)f, ASSAY_F32, 2, 1);
    assay_fill_poison((void *)(uintptr_t)d, ASSAY_F64, 2, 1);
    assert_true(isnan(f[0]) && isnan(d[0]));
    f[0] = f[0] + 1;
    d[0] = d[0] + 1;
    assert_true(isnan(f[0]) && isnan(d[0]));
    assert_false(assay_is_poison((const void *)(uintptr_t)f, ASSAY_F32, 0, 1));
    assert_false(assay_is_poison((const void *)(uintptr_t)d, ASSAY_F64, 0, 1));
    assert_true(assay_is_poison((const void *)(uintptr_t)f, ASSAY_F32, 1, 1));
}

static void test_poison_of_nothing_writes_nothing(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        uint8_t x = 0x11;

        assay_fill_poison(&x, all_types[t], 0, 0);
        assert_int_equal(x, 0x11);
    }
}

static void test_guards_are_nan_or_huge_and_differ(void **state)
{
    uint8_t a[ASSAY_GUARD_BYTES], b[ASSAY_GUARD_BYTES];

    (void)state;
    assay_fill_guard(a, sizeof a, ASSAY_F32, 0);
    for (size_t i = 0; i < sizeof a; i += 4) {
        float value;

        memcpy(&value, a + i, sizeof value);
        assert_true(isnan(value));
    }
    assay_fill_guard(a, sizeof a, ASSAY_I64, 0);
    for (size_t i = 0; i < sizeof a; i += 8) {
        int64_t value;

        memcpy(&value, a + i, sizeof value);
        assert_true(value > INT64_C(1) << 60);
    }
    for (size_t t = 0; t < N_TYPES; t++) {
        const size_t size = assay_type_size(all_types[t]);

        assay_fill_guard(a, sizeof a, all_types[t], 0);
        assay_fill_guard(b, sizeof b, all_types[t], 1);
        for (size_t i = 0; i < sizeof a; i += size)
            assert_true(memcmp(a + i, b + i, size) != 0);
        assert_true(memcmp(a, a + size, size) != 0); /* neighbours differ too */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisons_differ_in_every_element),
        cmocka_unit_test(test_poison_is_nan_that_arithmetic_does_not_give_back),
        cmocka_unit_test(test_poison_of_nothing_writes_nothing),
        cmocka_unit_test(test_guards_are_nan_or_huge_and_differ),
    };

    return cmocka_run_group_tests_name("fill_pattern", tests, NULL, NULL);
}
