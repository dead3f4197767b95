/* The host device: barriers of a part of a block, named ones and those of whole warps. Mistakes
 * with them are found and reported with file and line. */
#include "executor_test.h"

assay_launch_fn executor_handover, executor_pair_votes, executor_all_left, executor_group,
    executor_odd_count, executor_no_such_barrier, executor_large_count, executor_no_count,
    executor_two_counts, executor_sync_and_vote, executor_split_warp, executor_left_barrier,
    executor_crossed, executor_left_group, executor_part_of_warp;
extern int *executor_part_line;

enum {
    N_OUT  = 256,
    N_SEED = 20
};

/* The fault's text holds these words, and names the marked lines. */
static void assert_text(const assay_fault *fault, const char *words, int n_lines)
{
    char expected[64];

    if (!strstr(fault->text, words))
        fail_msg("\"%s\" does not say \"%s\"", fault->text, words);
    for (int i = 0; i < n_lines; i++) {
        (void)snprintf(expected, sizeof expected, "executor_part_kernels.cu:%d",
                       executor_part_line[i]);
        if (!strstr(fault->text, expected))
            fail_msg("\"%s\" does not name %s", fault->text, expected);
    }
}

/* ---- what is right, under every schedule and some seeds more */

static void run_all(assay_launch_fn *launch, void (*check)(const unsigned *out))
{
    unsigned out[N_OUT];

    for (unsigned s = 0; s < N_SCHEDULES + N_SEED; s++) {
        const assay_schedule drawn = { s % 2 ? ASSAY_UNFAIR : ASSAY_SHUFFLED, 1000 + s };

        api->schedule(device, s < N_SCHEDULES ? &schedules[s] : &drawn);
        run(launch, out, sizeof out);
        check(out);
    }
}

static void check_handover(const unsigned *out)
{
    for (unsigned i = 0; i < 3 * 64; i++)
        assert_int_equal(out[i], 45 * 1000 + 10 * (63 - i % 64));
}

static void check_votes(const unsigned *out)
{
    for (unsigned i = 0; i < 127; i++)
        assert_int_equal(out[i], i < 64 ? 22 * 4 + 2 : 21 * 4 + 1);
}

static void check_all_left(const unsigned *out)
{
    for (unsigned i = 0; i < 96; i++)
        assert_int_equal(out[i], i < 32 || i >= 80 ? 0xa5a5a5a5u : 32 + (i - 32 + 17) % 48);
}

static void check_group(const unsigned *out)
{
    for (unsigned i = 0; i < 192; i++) {
        const unsigned first = i / 64 * 64, rank = i % 64;

        assert_int_equal(out[i], first + (rank + 40) % 64 + 1000 * (first + 63 - rank) +
                                     1000000u * (first == 64) + 2000000u * (first < 128));
    }
}

static void test_right(void **state)
{
    (void)state;
    run_all(executor_handover, check_handover);
    run_all(executor_pair_votes, check_votes);
    run_all(executor_all_left, check_all_left);
    run_all(executor_group, check_group);
}

/* ---- mistakes */

static const struct plant {
    assay_launch_fn *launch;
    assay_fault_kind kind;
    int              n_lines; /* number of marked lines that the text names */
    const char      *words;
} plants[] = {
    { executor_odd_count, ASSAY_FAULT_MISUSE, 1, "bar.sync 1 with a count of 48 threads at" },
    { executor_odd_count, ASSAY_FAULT_MISUSE, 1, "multiple of the 32 threads of a warp" },
    { executor_no_such_barrier, ASSAY_FAULT_MISUSE, 1, "a block has the barriers 0 to 15" },
    { executor_large_count, ASSAY_FAULT_MISUSE, 1, "the block has fewer threads" },
    { executor_no_count, ASSAY_FAULT_MISUSE, 1, "a thread that only arrives must give a count" },
    { executor_two_counts, ASSAY_FAULT_MISUSE, 2, "while the barrier waits for" },
    { executor_sync_and_vote, ASSAY_FAULT_MISUSE, 2, "meet in barrier 2" },
    { executor_split_warp, ASSAY_FAULT_BARRIER, 2,
      "divergent barrier: thread 0 in bar.sync 2, 32" },
    { executor_left_barrier, ASSAY_FAULT_DEADLOCK, 1,
      "64 threads (first 0) in bar.sync 2, 96 (64 of 96 threads arrived) at" },
    { executor_left_barrier, ASSAY_FAULT_DEADLOCK, 1, "64 threads (first 64) exited" },
    { executor_crossed, ASSAY_FAULT_DEADLOCK, 2,
      "32 threads (first 32) in bar.sync 2, 64 (32 of 64 threads arrived) at" },
    { executor_left_group, ASSAY_FAULT_DEADLOCK, 1, "but threads 96 to 127 have exited" },
    { executor_part_of_warp, ASSAY_FAULT_MISUSE, 1, "not whole warps of the block" },
};

/* Runs each plant under each schedule; afterwards the device works as before. */
static void test_plants(void **state)
{
    unsigned out[N_OUT];

    (void)state;
    for (size_t p = 0; p < sizeof plants / sizeof plants[0]; p++)
        for (int s = 0; s < N_SCHEDULES; s++) {
            assay_fault fault;

            api->schedule(device, &schedules[s]);
            fault = run_for_fault(plants[p].launch, NULL, 0, out, sizeof out, NULL);
            if (fault.kind != plants[p].kind)
                fail_msg("plant %zu: kind %d, \"%s\"", p, (int)fault.kind, fault.text);
            assert_text(&fault, plants[p].words, plants[p].n_lines);
            run(executor_all_left, out, sizeof out);
            check_all_left(out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_plants),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
