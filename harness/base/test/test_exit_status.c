/* The order of exit statuses, and their numbers, which scripts read. */
#include "testing/testing.h"

#include "exit_status.h"

static const int order[] = { 2, 4, 1, 3, 77, 0 };

static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(ASSAY_EXIT_PASS, 0);
    assert_int_equal(ASSAY_EXIT_REGRESSION, 1);
    assert_int_equal(ASSAY_EXIT_WRONG, 2);
    assert_int_equal(ASSAY_EXIT_CANNOT_TELL, 3);
    assert_int_equal(ASSAY_EXIT_USAGE, 4);
    assert_int_equal(ASSAY_EXIT_SKIPPED, 77);
}

static void test_worse(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(assay_exit_worse(order[i], order[k]), order[i < k ? i : k]);
}

/* A status that no command returns (a signal, a shell's own number) means a broken set-up. */
static void test_unknown(void **state)
{
    (void)state;
    assert_int_equal(assay_exit_worse(139, 0), 4);
    assert_int_equal(assay_exit_worse(1, 139), 4);
    assert_int_equal(assay_exit_worse(139, 2), 2);
    assert_int_equal(assay_exit_worse(-1, 77), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_worse),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
