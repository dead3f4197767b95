/* The timer on a scripted device: the budget, blocks in time order, and the statistics of a row. */
#include "timer_fixture.h"

/* ---- the budget ---- */

/* As noisy as the fixture's times, but they hardly ever repeat, so that confidence in the median is
 * never total. */
static int64_t uneven_ns(int64_t launch) { return KERNEL_NS + 5 * (launch * 7919 % 10007); }

static void test_budget_is_respected(void **state)
{
    static const double budgets_s[] = { 0.05, 0.1, 0.25, 1 };

    (void)state;
    for (size_t i = 0; i < sizeof budgets_s / sizeof budgets_s[0]; i++)
        for (int n_blocks = 1; n_blocks <= 4; n_blocks++) {
            assay_policy policy = ready_policy();

            reset_fake();
            policy.target_relative_error = 0;
            policy.max_samples           = 1000000;
            policy.budget_s              = budgets_s[i];
            policy.n_blocks              = n_blocks;
            policy.max_warmup            = 1000000;
            policy.warm_agreement = 0.001; /* never reached: the warm-up takes its whole share */
            fake.kernel_ns        = uneven_ns;
            assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
            assert_string_equal(got.row.stop_reason, "budget");
            /* Time beyond the budget: the first call, one sample at the end of each stage, and
             * rewarming. */
            assert_true((double)fake.now_ns >= budgets_s[i] * 1e9 - n_blocks * 160e3);
            assert_true((double)fake.now_ns <= budgets_s[i] * 1e9 + n_blocks * 4 * 160e3 + 400e3);
            assert_near(got.row.wall_s, (double)fake.now_ns * 1e-9, 1e-12);
        }
}

/* Times that never agree, so that neither warm-up nor confidence ends early. */
static int64_t slow_noisy_ns(int64_t launch) { return launch_ns + launch % 3 * (launch_ns / 4); }

static void test_slow_variants_take_few_samples(void **state)
{
    static const struct {
        int64_t kernel_ns, least, most;
    } expected[] = {
        { 20000000, 3, 5 },   /* more than a twentieth of the block's 0.1 s: at least 3 */
        { 40000000, 3, 3 },   /* 3 samples take more than the block has */
        { 200000000, 1, 1 },  /* one sample takes twice the block's time */
        { 3000000000, 1, 1 }, /* one sample takes thirty times the block's time */
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const assay_timer_job *const jobs[]    = { &cpu_job, &device_job };
        const assay_regime           regimes[] = { ASSAY_REGIME_E2E, ASSAY_REGIME_COLD };

        for (int k = 0; k < 2; k++) {
            reset_fake();
            launch_ns      = expected[i].kernel_ns;
            fake.kernel_ns = slow_noisy_ns;
            assert_int_equal(run(jobs[k], regimes[k], NULL), ASSAY_OK);
            for (int64_t b = 0; b < got.samples.n_blocks; b++)
                assert_in_range((uint64_t)got.samples.blocks[b].n_samples,
                                (uint64_t)expected[i].least, (uint64_t)expected[i].most);
            assert_string_equal(got.row.stop_reason, "budget");
        }
    }
}

/* If a kernel is slower than its budget, each repetition is a sample. */
static void test_slow_variants_are_not_warmed_for_long(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    launch_ns      = 2000000000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&cpu_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_int_equal(fake.n_launches, 1 + 2); /* two blocks with one sample each */
    reset_fake();
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_int_equal(fake.n_launches, 2 + 2); /* one call was made to read the clocks */
    /* Records are collected by rounds; a round of a slow kernel has one sample. */
    reset_fake();
    fake.kernel_ns = given_ns;
    assert_int_equal(run_metric(&recorded_job, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_OK);
    assert_int_equal(fake.n_launches, 2 + 2);
}

/* ---- blocks ---- */

static void assert_block_adds_up(const assay_block *block, int64_t first)
{
    assay_summary s;

    assert_int_equal(assay_stats_summarize(got.samples.time_ns + first, block->n_samples, &s),
                     ASSAY_OK);
    assert_near(block->median_ns, s.median, 0);
    assert_near(block->median_cycles, s.median * SM_MHZ * 1e-3, 1e-6);
    assert_near(block->sm_clock_mhz, SM_MHZ, 0);
    assert_int_equal(block->n_throttled, 0);
    assert_int_equal(block->n_discarded, 0);
}

static void test_blocks_add_up_in_time_order(void **state)
{
    assay_policy policy = ready_policy();
    int64_t      launch, n = 0;

    (void)state;
    fake.kernel_ns               = noisy_ns;
    policy.target_relative_error = 0;
    policy.max_samples           = 50;
    policy.n_blocks              = 4;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_blocks, 4);
    assert_int_equal(got.samples.n_blocks, 4);
    launch = got.row.n_warmup - 3 * policy.rewarm; /* of the first sample */
    for (int64_t k = 0; k < 4; k++) {
        const assay_block *block = &got.samples.blocks[k];

        assert_int_equal(block->n_samples, 50);
        assert_int_equal(block->order, k);
        assert_int_equal(block->process, 0);
        assert_true(block->start_s > (k ? block[-1].start_s : 0));
        assert_block_adds_up(block, n);
        for (int64_t i = 0; i < 50; i++)
            assert_near(got.samples.time_ns[n + i], (double)noisy_ns(launch + i), 0);
        n += 50;
        launch += 50 + policy.rewarm;
    }
    assert_int_equal(got.samples.n, n);
    assert_int_equal(got.row.n_samples, n);
    assert_int_equal(fake.n_launches, got.row.n_warmup + n);
}

/* Process and order come from the caller. Without NVML nothing is known of the card. */
static void test_what_a_block_notes(void **state)
{
    const assay_policy policy = one_block();
    assay_timer       *timer  = NULL;

    (void)state;
    assert_int_equal(
        assay_timer_create(&device_job, &policy, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 0.1, &timer),
        ASSAY_OK);
    assert_int_equal(assay_timer_warm_up(timer, &got.fault), ASSAY_OK);
    assert_int_equal(assay_timer_take_block(timer, 7, 11, &got.fault), ASSAY_OK);
    assert_int_equal(assay_timer_finish(timer, &got.row, &got.samples), ASSAY_OK);
    assay_timer_free(timer);
    assert_int_equal(got.samples.blocks[0].process, 7);
    assert_int_equal(got.samples.blocks[0].order, 11);
    assert_int_equal(got.samples.blocks[0].reasons, -1);
    assert_int_equal(got.samples.blocks[0].temperature_c, -1);
    assert_int_equal(got.samples.blocks[0].memory_mhz, -1);
    assert_true(isnan(got.samples.blocks[0].power_before_w));
    assert_true(isnan(got.samples.blocks[0].power_after_w));
    assert_true(isnan(got.samples.blocks[0].energy_j));
}

/* Blocks of two metrics of one point alternate; their start times count from the job's origin. */
static void test_starts_count_from_the_origin(void **state)
{
    const assay_policy policy = ready_policy();
    assay_timer_job    job    = device_job;
    assay_timer       *timers[2];
    double             began_s[4], warmed_s;

    (void)state;
    job.origin_ns = 2000000;
    fake.now_ns   = 5000000;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(assay_timer_create(&job, &policy, i ? ASSAY_REGIME_HOT : ASSAY_REGIME_COLD,
                                            ASSAY_CLOCK_EVENT, 0.1, &timers[i]),
                         ASSAY_OK);
        assert_int_equal(assay_timer_warm_up(timers[i], &got.fault), ASSAY_OK);
    }
    for (int k = 0; k < 4; k++) {
        began_s[k] = (double)(fake.now_ns - job.origin_ns) * 1e-9;
        assert_int_equal(assay_timer_take_block(timers[k % 2], 0, k, &got.fault), ASSAY_OK);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(assay_timer_finish(timers[i], &got.row, &got.samples), ASSAY_OK);
        assert_near(got.samples.blocks[0].start_s, began_s[i], 1e-15);
        /* Samples begin after the calls that warm up again. */
        warmed_s = got.samples.blocks[1].start_s - began_s[2 + i];
        assert_true(warmed_s >= policy.rewarm * KERNEL_NS * 1e-9);
        assert_true(warmed_s < 2 * policy.rewarm * KERNEL_NS * 1e-9);
        assay_samples_free(&got.samples);
        assay_timer_free(timers[i]);
    }
}

/* Without an origin, start times count from the timer's first call. */
static void test_starts_count_from_the_first_call(void **state)
{
    const assay_policy policy = one_block();
    int64_t            warm_up_ns;
    assay_timer       *timer = NULL;

    (void)state;
    fake.now_ns = 5000000;
    assert_int_equal(
        assay_timer_create(&device_job, &policy, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0.1, &timer),
        ASSAY_OK);
    fake.now_ns += 1000000;
    warm_up_ns = fake.now_ns;
    assert_int_equal(assay_timer_warm_up(timer, &got.fault), ASSAY_OK);
    warm_up_ns = fake.now_ns - warm_up_ns;
    fake.now_ns += 3000000; /* another metric is being timed */
    assert_int_equal(assay_timer_take_block(timer, 0, 0, &got.fault), ASSAY_OK);
    assert_int_equal(assay_timer_finish(timer, &got.row, &got.samples), ASSAY_OK);
    assay_timer_free(timer);
    assert_near(got.samples.blocks[0].start_s, (double)(warm_up_ns + 3000000) * 1e-9, 1e-15);
}

/* Takes one block and drops its samples. */
static void test_measure_in_one_go(void **state)
{
    assay_policy          policy = ready_policy();
    assay_measurement_row row    = { .n_samples = 0 };

    (void)state;
    policy.n_blocks = 5;
    assert_int_equal(assay_timer_measure(&device_job, &policy, ASSAY_REGIME_GRAPH,
                                         ASSAY_CLOCK_GRAPH, 0.1, &row, &got.fault),
                     ASSAY_OK);
    assert_int_equal(row.n_blocks, 1);
    assert_int_equal(row.n_samples, 20);
    assert_near(row.median_ns, KERNEL_NS, 0);
    assert_int_equal(fake.n_graphs, 0);
    fake.wait_fault_at = fake.n_launches;
    assert_int_equal(assay_timer_measure(&device_job, &policy, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT,
                                         0.1, &row, &got.fault),
                     ASSAY_OK);
    assert_int_equal(got.fault.kind, ASSAY_FAULT_ADDRESS);
}

/* ---- statistics ---- */

enum {
    FIRST_SAMPLE = 6, /* one untimed call, and five that agree */
    N_KNOWN      = 101
};

/* 1001..1101 ns in a scattered order, after a steady warm-up. */
static int64_t known_ns(int64_t launch)
{
    return launch < FIRST_SAMPLE ? 1000 : 1001 + ((launch - FIRST_SAMPLE) * 37) % N_KNOWN;
}

static void test_quantiles_of_known_samples(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    fake.kernel_ns               = known_ns;
    policy.min_samples           = N_KNOWN;
    policy.max_samples           = N_KNOWN;
    policy.target_relative_error = 0;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_warmup, FIRST_SAMPLE);
    assert_near(got.row.min_ns, 1001, 0);
    assert_near(got.row.p05_ns, 1006, 1e-9);
    assert_near(got.row.q1_ns, 1026, 1e-9);
    assert_near(got.row.median_ns, 1051, 1e-9);
    assert_near(got.row.q3_ns, 1076, 1e-9);
    assert_near(got.row.p95_ns, 1096, 1e-9);
    assert_near(got.row.max_ns, 1101, 0);
    assert_near(got.row.mean_ns, 1051, 1e-9);
    /* n (n + 1) / 12 is the variance of n consecutive integers. */
    assert_near(got.row.stdev_ns, sqrt(101.0 * 102.0 / 12.0), 1e-9);
}

/* A kernel of 150000 cycles while the clock changes: its time changes, its cycles do not. */
static double moving_mhz(int64_t launch) { return 1000 + 10.0 * (double)(launch % 50); }

static int64_t cycles_ns(int64_t launch) { return (int64_t)(150000e3 / moving_mhz(launch)); }

static void test_cycles_are_those_of_each_samples_clock(void **state)
{
    const assay_policy policy = one_block();

    (void)state;
    fake.kernel_ns = cycles_ns;
    fake.sm_mhz    = moving_mhz;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_true(got.row.max_ns > 1.05 * got.row.min_ns);
    assert_near(got.row.median_cycles, 150000, 2);
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_near(got.samples.time_ns[i] * got.samples.sm_clock_mhz[i] * 1e-3, 150000, 2);
}

/* Three processes of 2, 1 and 1 blocks, one of them without a valid sample. */
static void test_processes_are_told_apart(void **state)
{
    double        times[]  = { 100, 102, 104, 110, 112, 200 };
    double        clocks[] = { 1000, NAN, 1000, 2000, 1000, NAN };
    assay_block   blocks[] = { { .n_samples = 2, .process = 0, .n_throttled = 3 },
                               { .n_samples = 1, .process = 0 },
                               { .n_samples = 0, .process = 1, .n_discarded = 4 },
                               { .n_samples = 3, .process = 2, .n_throttled = 1 } };
    assay_samples samples  = {
         .time_ns = times, .sm_clock_mhz = clocks, .n = 6, .blocks = blocks, .n_blocks = 4
    };
    assay_measurement_row row = { .n_samples = 0 };

    (void)state;
    assert_int_equal(assay_samples_summarize(&samples, &row), ASSAY_OK);
    assert_int_equal(row.n_samples, 6);
    assert_int_equal(row.n_blocks, 4);
    assert_int_equal(row.n_processes, 3);
    assert_int_equal(row.n_throttled, 4);
    assert_int_equal(row.n_discarded, 4);
    assert_near(row.median_ns, 107, 0);
    assert_near(row.process_spread, (112.0 - 102) / 107, 1e-12);
    assert_near(row.sm_clock_mhz, 1000, 0);
    assert_near(row.median_cycles, 108, 1e-9); /* of 100, 104, 112 and 220 */
    /* One process has no spread. */
    samples.n        = 3;
    samples.n_blocks = 2;
    assert_int_equal(assay_samples_summarize(&samples, &row), ASSAY_OK);
    assert_int_equal(row.n_processes, 1);
    assert_true(isnan(row.process_spread));
}

static void test_weaker_reason(void **state)
{
    static const char *const weakest_first[] = { "throttled", "gate", "budget", "samples",
                                                 "confidence" };

    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            assert_string_equal(assay_timer_weaker_reason(weakest_first[i], weakest_first[k]),
                                weakest_first[i < k ? i : k]);
}

static void test_row_is_complete(void **state)
{
    const assay_policy policy = one_block();
    assay_timer_job    job    = device_job;

    (void)state;
    job.l2_bytes = 50 << 20;
    got.row      = (assay_measurement_row) { .n_samples = 0 };
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_near(got.row.flush_bytes, 2.0 * (50 << 20), 0);
    assert_memory_equal(&got.row.policy, &policy, sizeof policy);
    assert_int_equal(got.row.n_warmup, FIRST_SAMPLE);
    assert_int_equal(got.row.n_processes, 1);
    assert_near(got.row.sm_clock_mhz, SM_MHZ, 0);
    assert_near(got.row.median_cycles, KERNEL_NS * 1.5, 1e-6);
    assert_int_equal(run(&job, ASSAY_REGIME_HOT, &policy), ASSAY_OK);
    assert_near(got.row.flush_bytes, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_budget_is_respected),
        TEST(test_slow_variants_take_few_samples),
        TEST(test_slow_variants_are_not_warmed_for_long),
        TEST(test_blocks_add_up_in_time_order),
        TEST(test_what_a_block_notes),
        TEST(test_starts_count_from_the_origin),
        TEST(test_starts_count_from_the_first_call),
        TEST(test_measure_in_one_go),
        TEST(test_quantiles_of_known_samples),
        TEST(test_cycles_are_those_of_each_samples_clock),
        TEST(test_processes_are_told_apart),
        TEST(test_weaker_reason),
        TEST(test_row_is_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
