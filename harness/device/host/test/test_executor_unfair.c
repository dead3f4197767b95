/* Unfair schedules of the host device: a warp runs ahead of others, blocks interact in the middle
 * of their work, a thread that waits does not stop the thread that it waits for, and a seed gives
 * the same order again. */
#include "executor_test.h"

assay_launch_fn executor_log, executor_log_many, executor_chain_looks, executor_chain_locks,
    executor_chain_writes, executor_chain_sleeps, executor_lost_update, executor_in_vain;
extern double assay_worker_spin_cpu_s;

enum {
    N_SEEDS     = 20,
    N_REPEATED  = 5,
    BLOCK       = 64,
    WARPS       = BLOCK / 32,
    ROUNDS      = 20,
    MANY_BLOCKS = 80,
    N_LOG       = 2 + MANY_BLOCKS * WARPS * ROUNDS
};

static void run_at(assay_launch_fn *launch, assay_order order, uint64_t seed, unsigned *out,
                   size_t bytes)
{
    api->schedule(device, &(assay_schedule) { order, seed });
    run(launch, out, bytes);
}

static void test_a_seed_repeats_itself(void **state)
{
    static unsigned first[N_LOG], again[N_LOG], other[N_LOG];
    int             n_alike = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_REPEATED; seed++) {
        run_at(executor_log_many, ASSAY_UNFAIR, seed, first, sizeof first);
        run_at(executor_log_many, ASSAY_UNFAIR, seed, again, sizeof again);
        assert_memory_equal(first, again, sizeof first);
        run_at(executor_log_many, ASSAY_UNFAIR, seed + 1000, other, sizeof other);
        n_alike += memcmp(first, other, sizeof first) == 0;
    }
    assert_int_equal(n_alike, 0);
}

/* The most rounds that a warp has done while another has done none. */
static int rounds_ahead(const unsigned *order)
{
    int n_done[WARPS] = { 0 }, ahead = 0;

    for (int i = 0; i < WARPS * ROUNDS; i++) {
        n_done[order[i]]++;
        for (int w = 0; w < WARPS; w++)
            if (n_done[w] == 0 && n_done[order[i]] > ahead)
                ahead = n_done[order[i]];
    }
    return ahead;
}

static void test_a_warp_runs_ahead(void **state)
{
    unsigned out[2 + WARPS * ROUNDS];
    int      n_seen = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        run_at(executor_log, ASSAY_UNFAIR, seed, out, sizeof out);
        n_seen += rounds_ahead(out + 2) >= ROUNDS / 2;
    }
    assert_true(n_seen >= N_SEEDS / 2);
    run_at(executor_log, ASSAY_ASCENDING, 0, out, sizeof out);
    assert_true(rounds_ahead(out + 2) <= 1);
}

/* Under ThreadSanitizer a launch whose blocks are all resident runs on several OS threads. */
static void test_who_waits_lets_others_run(void **state)
{
    static assay_launch_fn *const chains[] = { executor_chain_looks, executor_chain_locks,
                                               executor_chain_writes, executor_chain_sleeps };
    unsigned                      out[2];

    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
            run_at(chains[i], ASSAY_UNFAIR, seed, out, sizeof out);
            assert_int_equal(out[1], 3 * BLOCK * (3 * BLOCK - 1) / 2);
        }
}

/* If blocks run one after the other, none loses what another has added. */
static void test_blocks_meet(void **state)
{
    unsigned out[2];
    int      n_seen = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        run_at(executor_lost_update, ASSAY_UNFAIR, seed, out, sizeof out);
        n_seen += out[0] < 64;
#ifndef TEST_TSAN /* there blocks always have several OS threads */
        run_at(executor_lost_update, ASSAY_SHUFFLED, seed, out, sizeof out);
        assert_int_equal(out[0], 64);
#endif
    }
    assert_true(n_seen >= N_SEEDS / 2);
}

static void test_polling_in_vain_is_a_deadlock(void **state)
{
    unsigned    out[2];
    assay_fault fault;

    (void)state;
    assay_worker_spin_cpu_s = 0.05;
    api->schedule(device, &(assay_schedule) { ASSAY_UNFAIR, 1 });
    fault = run_for_fault(executor_in_vain, NULL, 0, out, sizeof out, NULL);
    assert_int_equal(fault.kind, ASSAY_FAULT_DEADLOCK);
    if (!strstr(fault.text, "poll"))
        fail_msg("\"%s\" does not say \"poll\"", fault.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_seed_repeats_itself),
        cmocka_unit_test(test_a_warp_runs_ahead),
        cmocka_unit_test(test_who_waits_lets_others_run),
        cmocka_unit_test(test_blocks_meet),
        cmocka_unit_test(test_polling_in_vain_is_a_deadlock),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
