/* kernel: grids cover all items, have at least one block, and are refused if they are too large. */
#include "testing/testing.h"

#include "kernel.h"

static void test_ceil_div(void **state)
{
    (void)state;
    assert_int_equal(assay_ceil_div(-1, 256), 0);
    assert_int_equal(assay_ceil_div(0, 256), 0);
    assert_int_equal(assay_ceil_div(1, 256), 1);
    assert_int_equal(assay_ceil_div(256, 256), 1);
    assert_int_equal(assay_ceil_div(257, 256), 2);
    assert_int_equal(assay_ceil_div(7, 1), 7);
    assert_int_equal(assay_ceil_div(7, INT64_MAX), 1);
    /* Here n + size - 1 would overflow a 64-bit integer. */
    assert_int_equal(assay_ceil_div(INT64_MAX, 2), INT64_MAX / 2 + 1);
}

static void test_blocks_for(void **state)
{
    const int64_t most = (int64_t)INT32_MAX * 256;

    (void)state;
    assert_int_equal(assay_blocks_for(-1, 256), 1);
    assert_int_equal(assay_blocks_for(0, 256), 1);
    assert_int_equal(assay_blocks_for(256, 256), 1);
    assert_int_equal(assay_blocks_for(257, 256), 2);
    assert_int_equal(assay_blocks_for(most, 256), INT32_MAX);
    assert_int_equal(assay_blocks_for(most + 1, 256), 0);
    assert_int_equal(assay_blocks_for(INT64_MAX, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ceil_div),
        cmocka_unit_test(test_blocks_for),
    };

    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
