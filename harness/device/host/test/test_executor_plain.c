/* The host device: plain CUDA C++ after translation, and older spellings of it. */
#include "executor_test.h"

assay_launch_fn executor_lambdas, executor_older_spellings, executor_launched_by_function;

static void test_lambdas(void **state)
{
    unsigned out[65];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_lambdas, out, sizeof out);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(out[i], 64 - i + i);
        assert_int_equal(out[64], 64 * 65 / 2);
    }
}

static void test_older_spellings(void **state)
{
    unsigned out[67];

    (void)state;
    run(executor_older_spellings, out, sizeof out);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out[i], 3 * i);
    assert_int_equal(out[65], out[64]);
    assert_int_equal(out[66], out[65] + 1);
}

static void test_launched_by_function(void **state)
{
    unsigned          out[1];
    const assay_fault fault =
        run_for_fault(executor_launched_by_function, NULL, 0, out, sizeof out, NULL);

    (void)state;
    assert_int_equal(fault.kind, ASSAY_FAULT_OTHER);
    if (!strstr(fault.text, "kernel trap_kernel, block"))
        fail_msg("no name in \"%s\"", fault.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lambdas),
        cmocka_unit_test(test_older_spellings),
        cmocka_unit_test(test_launched_by_function),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
