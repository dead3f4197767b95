/* The host device: asynchronous copies arrive when they must, and not before all threads that
 * should have waited for them did. Also barriers in memory. Mistakes are reported with file and
 * line. */
#include "executor_test.h"

assay_launch_fn executor_stages, executor_zeros, executor_group_copy, executor_no_wait,
    executor_wrong_group, executor_no_barrier, executor_changed_source, executor_global_target,
    executor_past_array, executor_odd_size, executor_odd_source, executor_odd_target,
    executor_arrive, executor_bulk, executor_drop, executor_no_init, executor_many_arrivals,
    executor_few_arrivals;
extern int *executor_copy_line;

enum {
    N_IN    = 4096,
    N_OUT   = 256,
    N_SEEDS = 20
};

static unsigned table[N_IN];

/* No byte is 0, so that zeros are noticed. */
static int fill_table(void **state)
{
    for (unsigned i = 0; i < N_IN; i++)
        table[i] = (i * 2654435761u) | 0x01010101u;
    return setup(state);
}

static assay_fault run_copy(assay_launch_fn *launch, const assay_schedule *schedule, unsigned *out)
{
    api->schedule(device, schedule);
    return run_for_fault(launch, table, sizeof table, out, N_OUT * sizeof *out, NULL);
}

/* ---- what is right, under every schedule and some seeds more */

static void run_all(assay_launch_fn *launch, void (*check)(const unsigned *out))
{
    unsigned out[N_OUT];

    for (unsigned s = 0; s < N_SCHEDULES + N_SEEDS; s++) {
        const assay_schedule drawn = { s % 2 ? ASSAY_UNFAIR : ASSAY_SHUFFLED, 1000 + s };
        const assay_fault fault = run_copy(launch, s < N_SCHEDULES ? &schedules[s] : &drawn, out);

        if (fault.kind != ASSAY_FAULT_NONE)
            fail_msg("fault %d: %s", (int)fault.kind, fault.text);
        check(out);
    }
}

static void check_stages(const unsigned *out)
{
    for (unsigned i = 0; i < 128; i++) {
        unsigned sum = 0;

        for (unsigned stage = 0; stage < 10; stage++) {
            const unsigned *at = &table[(stage * 64 + 63 - i % 64) * 4];

            sum += at[0] + 10 * at[1] + 100 * at[2] + 1000 * at[3];
        }
        assert_int_equal(out[i], sum);
    }
}

static void check_zeros(const unsigned *out)
{
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out[i], 16 - i % 17 + 100 * (8 - i % 9) + 10000 * (4 - i % 5));
}

static void check_group_copy(const unsigned *out)
{
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(out[i], table[i] + table[200 + i % 20] + table[300 + i % 20] +
                                     (table[100] & 0xffffffu));
}

static void check_arrive(const unsigned *out)
{
    for (unsigned i = 0; i < 128; i++)
        assert_int_equal(out[i], table[127 - i] + table[255 - i] + table[383 - i] + table[511 - i]);
}

static void check_bulk(const unsigned *out)
{
    for (unsigned i = 0; i < 64; i++) {
        const unsigned at = 4 * (63 - i);

        assert_int_equal(out[i], table[at] + table[256 + at] + table[512 + at]);
    }
}

static void check_drop(const unsigned *out)
{
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out[i], table[63 - i] + table[(i + 1) % 32] + 1);
}

static void test_copies(void **state)
{
    (void)state;
    run_all(executor_stages, check_stages);
    run_all(executor_zeros, check_zeros);
    run_all(executor_group_copy, check_group_copy);
}

static void test_barriers(void **state)
{
    (void)state;
    run_all(executor_arrive, check_arrive);
    run_all(executor_bulk, check_bulk);
    run_all(executor_drop, check_drop);
}

/* ---- waits that were forgotten */

/* Counts wrong values among 64 copies of 4 bytes; their sources begin at `from`. */
static int count_wrong(assay_launch_fn *launch, const assay_schedule *schedule, unsigned from)
{
    unsigned          out[N_OUT];
    const assay_fault fault   = run_copy(launch, schedule, out);
    int               n_wrong = 0;

    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    for (unsigned i = 0; i < 64; i++)
        n_wrong += out[i] != table[from + i];
    return n_wrong;
}

/* Without a wait, ascending order reads too early for every copy. In a shuffled order at least half
 * of the copies are late on average, so all 64 are in time for one of 2^64 seeds. In descending
 * order none is late: this order finds code that relies on copies being late. */
static void check_forgotten(assay_launch_fn *launch, unsigned from)
{
    int n_wrong = 0;

    assert_int_equal(count_wrong(launch, &schedules[0], from), 64);
    assert_int_equal(count_wrong(launch, &schedules[1], from), 0);
    for (unsigned s = 0; s < N_SEEDS; s++) {
        const int n = count_wrong(launch, &(assay_schedule) { ASSAY_SHUFFLED, s }, from);

        assert_true(n > 0);
        n_wrong += n;
    }
    /* 1280 copies, each wrong with a probability of 1/2 to 3/4: six standard deviations are 108. */
    assert_in_range(n_wrong, 640 - 108, 960 + 108);
}

static void test_forgotten_wait(void **state)
{
    (void)state;
    check_forgotten(executor_no_wait, 0);
    check_forgotten(executor_wrong_group, 64);
}

#ifndef TEST_TSAN
/* This is a race, which ThreadSanitizer reports. */
static void test_forgotten_barrier(void **state)
{
    unsigned out[N_OUT];

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        int n_wrong = 0;

        assert_int_equal(run_copy(executor_no_barrier, &schedules[s], out).kind, ASSAY_FAULT_NONE);
        for (unsigned i = 0; i < 64; i++)
            n_wrong += out[i] != table[63 - i];
        assert_true(n_wrong > 0);
    }
}
#endif

/* The source is read at the moment when the copy arrives. */
static void test_changed_source(void **state)
{
    unsigned out[N_OUT], n_late = 0;

    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        assert_int_equal(run_copy(executor_changed_source, &schedules[s], out).kind,
                         ASSAY_FAULT_NONE);
        for (unsigned i = 0; i < 64; i++) {
            assert_true(out[i] <= 1);
            assert_true(s >= 2 || out[i] == (s == 0));
            n_late += s == 2 ? out[i] : 0;
        }
    }
    assert_in_range(n_late, 1, 63);
}

/* ---- mistakes */

static const struct plant {
    assay_launch_fn *launch;
    assay_fault_kind kind;
    const char      *words;
} plants[] = {
    { executor_global_target, ASSAY_FAULT_ADDRESS, "does not lie in an array of shared memory" },
    { executor_past_array, ASSAY_FAULT_ADDRESS, "does not lie in an array of shared memory" },
    { executor_odd_size, ASSAY_FAULT_MISUSE, "cp.async of 12 bytes" },
    { executor_odd_source, ASSAY_FAULT_ADDRESS, "the source is not aligned" },
    { executor_odd_target, ASSAY_FAULT_ADDRESS, "the destination is not aligned" },
    { executor_no_init, ASSAY_FAULT_MISUSE, "no barrier was initialised here" },
    { executor_many_arrivals, ASSAY_FAULT_MISUSE, "more arrivals in a phase than it expects" },
    { executor_few_arrivals, ASSAY_FAULT_DEADLOCK,
      "48 threads (first 0) in a wait for a barrier in memory (phase 0, 16 arrivals and 0 bytes to "
      "come) at" },
};

static void test_plants(void **state)
{
    unsigned out[N_OUT];

    (void)state;
    for (size_t p = 0; p < sizeof plants / sizeof plants[0]; p++)
        for (int s = 0; s < N_SCHEDULES; s++) {
            const assay_fault fault = run_copy(plants[p].launch, &schedules[s], out);
            char              place[64];

            (void)snprintf(place, sizeof place, "executor_copy_kernels.cu:%d", *executor_copy_line);
            if (fault.kind != plants[p].kind || !strstr(fault.text, plants[p].words) ||
                !strstr(fault.text, place))
                fail_msg("plant %zu: kind %d, \"%s\"", p, (int)fault.kind, fault.text);
            assert_int_equal(run_copy(executor_zeros, &schedules[s], out).kind, ASSAY_FAULT_NONE);
            check_zeros(out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_forgotten_wait),
#ifndef TEST_TSAN
        cmocka_unit_test(test_forgotten_barrier),
#endif
        cmocka_unit_test(test_changed_source),
        cmocka_unit_test(test_plants),
    };

    return cmocka_run_group_tests(tests, fill_table, teardown);
}
