/* Sorting: the result does not depend on the initial order, also with NaN and the ends of the
 * range. */
#include "testing/testing.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

static void test_int64(void **state)
{
    int64_t values[] = { 3, INT64_MAX, INT64_MIN, 0, -1 };

    (void)state;
    assert_int_equal(assay_order_int64(INT64_MIN, INT64_MAX), -1);
    assert_int_equal(assay_order_int64(INT64_MAX, INT64_MIN), 1);
    assert_int_equal(assay_order_int64(7, 7), 0);
    qsort(values, 5, sizeof *values, assay_compare_int64s);
    for (int i = 0; i + 1 < 5; i++)
        assert_true(values[i] < values[i + 1]);
}

static void test_double(void **state)
{
    const double nan      = (double)NAN;
    double       values[] = { nan, 2, -(double)INFINITY, nan, (double)INFINITY, -3 };

    (void)state;
    assert_int_equal(assay_order_double(nan, nan), 0);
    assert_int_equal(assay_order_double(-0.0, 0.0), 0);
    assert_int_equal(assay_order_double(nan, (double)INFINITY), 1);
    assert_int_equal(assay_order_double(1, nan), -1);
    qsort(values, 6, sizeof *values, assay_compare_doubles);
    for (int i = 0; i + 1 < 4; i++)
        assert_true(values[i] < values[i + 1]);
    assert_true(isnan(values[4]) && isnan(values[5]));
}

static void test_text(void **state)
{
    const char *values[] = { "b", "", "\xc3\xa4", "ab", "B" };
    const char *sorted[] = { "", "B", "ab", "b", "\xc3\xa4" };

    (void)state;
    qsort(values, 5, sizeof *values, assay_compare_texts);
    for (int i = 0; i < 5; i++)
        assert_string_equal(values[i], sorted[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int64),
        cmocka_unit_test(test_double),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
