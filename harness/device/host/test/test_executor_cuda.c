/* The host device and the parts of namespace cuda that plain kernels use: barriers, pipelines,
 * atomics, and names of std. */
#include "executor_test.h"

assay_launch_fn executor_cuda_barrier, executor_cuda_bytes, executor_thread_pipeline,
    executor_block_pipeline, executor_sized_pipeline, executor_role_pipeline,
    executor_no_consumer_wait, executor_cuda_atomics, executor_cuda_std, executor_runtime;

enum {
    N_IN    = 4096,
    N_OUT   = 256,
    N_SEEDS = 20
};

static unsigned table[N_IN];

static int fill_table(void **state)
{
    for (unsigned i = 0; i < N_IN; i++)
        table[i] = i * 2654435761u;
    return setup(state);
}

/* Stages of 64 values, read in reverse. */
static void check_stages(const unsigned *out, unsigned n_threads)
{
    for (unsigned i = 0; i < n_threads; i++) {
        unsigned sum = 0;

        for (unsigned stage = 0; stage < 6; stage++)
            sum += table[64 * stage + 63 - i];
        assert_int_equal(out[i], sum);
    }
}

static void run_all(assay_launch_fn *launch, unsigned n_threads)
{
    unsigned out[N_OUT];

    for (unsigned s = 0; s < N_SCHEDULES + N_SEEDS; s++) {
        const assay_schedule drawn = { s % 2 ? ASSAY_UNFAIR : ASSAY_SHUFFLED, 1000 + s };

        api->schedule(device, s < N_SCHEDULES ? &schedules[s] : &drawn);
        run_param(launch, table, sizeof table, out, sizeof out, NULL);
        check_stages(out, n_threads);
    }
}

static void test_barriers(void **state)
{
    (void)state;
    run_all(executor_cuda_barrier, 32);
    run_all(executor_cuda_bytes, 64);
}

static void test_pipelines(void **state)
{
    (void)state;
    run_all(executor_thread_pipeline, 64);
    run_all(executor_block_pipeline, 64);
    run_all(executor_sized_pipeline, 64);
    run_all(executor_role_pipeline, 64);
}

/* As for cp.async: it always shows in ascending order, and is missed in a shuffled one for one of
 * 2^64 seeds. */
static void test_forgotten_wait(void **state)
{
    unsigned out[N_OUT];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        int n_wrong = 0;

        api->schedule(device, &schedules[s]);
        run_param(executor_no_consumer_wait, table, sizeof table, out, sizeof out, NULL);
        for (unsigned i = 0; i < 64; i++)
            n_wrong += out[i] != table[i];
        assert_true((n_wrong == 0) == (schedules[s].order == ASSAY_DESCENDING));
    }
}

/* The same as in executor_cuda_kernels.cu. */
struct counters {
    int                sum;
    unsigned           bits, mask, odd;
    unsigned long long wide;
    float              real;
    int                low, high, swapped, by_operator;
    unsigned           turn, guarded;
    unsigned           scans, plain;
};

static void test_atomics(void **state)
{
    struct counters c;

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        api->schedule(device, &schedules[s]);
        run(executor_cuda_atomics, &c, sizeof c);
        assert_int_equal(c.sum, 255 * 128 - 256);
        assert_int_equal(c.bits, 0xffffffffu);
        assert_int_equal(c.mask, 0x80000000u);
        assert_int_equal(c.odd, 0);
        assert_true(c.wide == 256ull << 33);
        assert_true(c.real == 64.0f);
        assert_int_equal(c.low, -255);
        assert_int_equal(c.high, 255);
        assert_int_equal(c.swapped, 512);
        assert_int_equal(c.by_operator, 3 * 256);
        assert_int_equal(c.guarded, 256);
        assert_int_equal(c.turn, 4);
        assert_int_equal(c.plain, 10);
    }
}

static void test_std(void **state)
{
    const unsigned expected[8] = { 30, 0xffffffffu, 1, 540, 7, 0x3f800000u, 412, 35 };
    unsigned       out[8];

    (void)state;
    run(executor_cuda_std, out, sizeof out);
    assert_memory_equal(out, expected, sizeof expected);
}

static void test_runtime(void **state)
{
    const unsigned expected[8] = { 1, 1, 2, 5, 1, 1, 1, 1 };
    unsigned       out[8];

    (void)state;
    run(executor_runtime, out, sizeof out);
    assert_memory_equal(out, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_pipelines),
        cmocka_unit_test(test_forgotten_wait),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_std),
        cmocka_unit_test(test_runtime),
    };

    return cmocka_run_group_tests(tests, fill_table, teardown);
}
