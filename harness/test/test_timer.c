/* The timer on a scripted device: what is queued, how it is read, when it stops. */
#include "fake_device.h"

/* ---- order and regimes ---- */

static void test_cold_order(void **state)
{
    (void)state;
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_log("LW", "FG0L1OWE");
    assert_string_equal(got.row.regime, "cold");
    assert_string_equal(got.row.clock, "event");
    assert_int_equal(got.row.launches_per_sample, 1);
}

static void test_restore_comes_first_and_outside(void **state)
{
    (void)state;
    assert_int_equal(run(&restored_job, "cold", NULL), ASSAY_OK);
    assert_log("RLW", "RFG0L1OWE");
    reset_fake();
    assert_int_equal(run(&restored_job, "hot", NULL), ASSAY_OK);
    assert_log("RLW", "RG0L1OWE");
    reset_fake();
    assert_int_equal(run(&restored_job, "e2e", NULL), ASSAY_OK);
    assert_log("RLW", "RWLW");
}

static void test_end_to_end_is_launch_and_wait(void **state)
{
    (void)state;
    assert_int_equal(run(&restored_job, "e2e", NULL), ASSAY_OK);
    assert_string_equal(got.row.clock, "host");
    /* Two calls and the kernel; not the restore and not the wait for it. */
    assert_near(got.row.median_ns, KERNEL_NS + 2 * CALL_NS, 0);
    assert_near(got.row.flush_bytes, 0, 0);
}

static void test_cpu_variant(void **state)
{
    (void)state;
    assert_int_equal(run(&cpu_job, "e2e", NULL), ASSAY_OK);
    assert_near(got.row.median_ns, KERNEL_NS, 0);
    assert_string_equal(got.row.clock, "host");
    assert_int_equal(fake.n_log, 0);
    assert_int_equal(got.row.n_samples + got.row.n_warmup, fake.n_launches);
}

/* The real clock: nothing is known of the values but that they are finite and not negative. */
static void test_cpu_variant_by_the_real_clock(void **state)
{
    assay_timer_job job = cpu_job;

    (void)state;
    job.now_ns = NULL;
    assert_int_equal(run(&job, "e2e", NULL), ASSAY_OK);
    assert_true(got.row.n_samples >= 20 && got.row.n_samples <= MANY_SAMPLES);
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_true(isfinite(got.samples.time_ns[i]) && got.samples.time_ns[i] >= 0);
    assert_true(got.row.wall_s > 0);
}

static void test_launches_per_hot_sample(void **state)
{
    static const struct {
        int64_t kernel_ns, launches;
    } expected[] = { { 1000, 32 }, { 10000, 5 },  { 16000, 4 }, { 49999, 2 },
                     { 50000, 1 }, { 900000, 1 }, { 0, 32 } };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        reset_fake();
        launch_ns      = expected[i].kernel_ns;
        fake.kernel_ns = given_ns;
        assert_int_equal(run(&device_job, "hot", NULL), ASSAY_OK);
        assert_int_equal(got.row.launches_per_sample, expected[i].launches);
        assert_near(got.row.median_ns, (double)launch_ns, 1e-9);
    }
    reset_fake();
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&restored_job, "hot", NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
}

/* ---- when to stop ---- */

static void test_stops_on_confidence(void **state)
{
    (void)state;
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_int_equal(got.row.n_samples, 20);
    assert_int_equal(got.row.n_samples, got.samples.n);
}

static void test_confidence_holds_when_claimed(void **state)
{
    assay_timer_policy policy = assay_timer_default();
    assay_summary      s;

    (void)state;
    policy.target_relative_error = 0.02;
    fake.kernel_ns               = noisy_ns;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_true(got.row.n_samples > 20);
    assert_int_equal(assay_stats_summarize(got.samples.time_ns, got.samples.n, &s), ASSAY_OK);
    assert_true((s.median_hi - s.median_lo) / 2 <= 0.02 * s.median);
    assert_near(got.row.target_relative_error, 0.02, 0);
}

static void test_stops_on_samples(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.max_samples           = 103; /* no multiple of the blocks */
    policy.budget_s              = 1000;
    policy.target_relative_error = 0;
    fake.kernel_ns               = noisy_ns;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "samples");
    assert_int_equal(got.row.n_samples, 103);
    assert_int_equal(got.row.max_samples, 103);
}

static void test_stops_on_budget(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.target_relative_error = 0;
    policy.budget_s              = 0.1;
    fake.kernel_ns               = noisy_ns;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "budget");
    assert_true(got.row.n_samples >= 20);
    assert_int_equal(got.row.n_samples % 4, 0);
    /* At most one round of blocks and the first call more than the budget. */
    assert_in_range((uint64_t)fake.now_ns, 100000000, 102000000);
    assert_near(got.row.wall_s, (double)fake.now_ns * 1e-9, 1e-12);
    assert_near(got.row.budget_s, 0.1, 0);
}

/* Times that never agree, so that neither warm-up nor confidence ends early. */
static int64_t slow_noisy_ns(int64_t launch) { return launch_ns + launch % 3 * (launch_ns / 4); }

static void test_slow_variants_take_few_samples(void **state)
{
    static const struct {
        int64_t kernel_ns, least, most;
    } expected[] = {
        { 20000000, 5, 12 },  /* over budget/20: at least 5, the budget has room for more */
        { 100000000, 5, 5 },  /* 5 take twice the budget */
        { 2000000000, 3, 3 }, /* one takes eight times the budget */
        { 30000000000, 3, 3 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const assay_timer_job *const jobs[]    = { &cpu_job, &device_job };
        const char *const            regimes[] = { "e2e", "cold" };

        for (int k = 0; k < 2; k++) {
            reset_fake();
            launch_ns      = expected[i].kernel_ns;
            fake.kernel_ns = slow_noisy_ns;
            assert_int_equal(run(jobs[k], regimes[k], NULL), ASSAY_OK);
            assert_in_range((uint64_t)got.row.n_samples, (uint64_t)expected[i].least,
                            (uint64_t)expected[i].most);
            assert_int_equal(got.row.min_samples, expected[i].least);
            assert_string_equal(got.row.stop_reason, "budget");
        }
    }
    /* Of a CPU variant slower than its budget only one call is lost to warming up. */
    reset_fake();
    launch_ns      = 2000000000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&cpu_job, "e2e", NULL), ASSAY_OK);
    assert_int_equal(fake.n_launches, 4);
}

static void test_no_confidence_below_six_samples(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.min_samples = 1;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_true(got.row.n_samples >= 6);
}

static int64_t settling_ns(int64_t launch)
{
    return launch < 30 ? KERNEL_NS / 2 * (40 - launch) : KERNEL_NS;
}

static void test_warm_up_waits_for_agreement(void **state)
{
    (void)state;
    fake.kernel_ns = settling_ns;
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_true(got.row.n_warmup >= 30);
    assert_near(got.row.max_ns, KERNEL_NS, 0); /* nothing of the settling is in the samples */
    /* Times that never agree do not keep it for ever. */
    reset_fake();
    launch_ns      = 1000000;
    fake.kernel_ns = slow_noisy_ns;
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_in_range((uint64_t)got.row.n_warmup, 5, 60);
}

/* ---- blocks and statistics ---- */

static void test_blocks_are_equal_and_in_order(void **state)
{
    assay_timer_policy policy = assay_timer_default();
    int64_t            before = 0;

    (void)state;
    fake.kernel_ns               = noisy_ns;
    policy.target_relative_error = 0;
    policy.max_samples           = 100;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.row.n_blocks, 4);
    assert_int_equal(got.samples.n_blocks, 4);
    for (int64_t k = 0; k < 4; k++) {
        assert_int_equal(got.samples.block_end[k] - before, 25);
        before = got.samples.block_end[k];
    }
    /* Time order: sample i is launch number i after the warm-up. */
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_near(got.samples.time_ns[i], (double)noisy_ns(got.row.n_warmup + i), 0);
}

static void test_uneven_blocks(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.min_samples = policy.max_samples = 6;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.samples.n_blocks, 4);
    assert_int_equal(got.samples.block_end[0], 2);
    assert_int_equal(got.samples.block_end[1], 4);
    assert_int_equal(got.samples.block_end[2], 5);
    assert_int_equal(got.samples.block_end[3], 6);
    /* Fewer samples than blocks: a block each. */
    policy.min_samples = policy.max_samples = 3;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.row.n_blocks, 3);
    assert_int_equal(got.samples.block_end[2], 3);
}

enum {
    FIRST_SAMPLE = 6, /* one untimed call and five that agree */
    N_KNOWN      = 101
};

/* 1001..1101 ns in a scattered order, after a steady warm-up. */
static int64_t known_ns(int64_t launch)
{
    return launch < FIRST_SAMPLE ? 1000 : 1001 + ((launch - FIRST_SAMPLE) * 37) % N_KNOWN;
}

static void test_quantiles_of_known_samples(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    fake.kernel_ns               = known_ns;
    policy.min_samples           = N_KNOWN;
    policy.max_samples           = N_KNOWN;
    policy.target_relative_error = 0;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.row.n_warmup, FIRST_SAMPLE);
    assert_near(got.row.min_ns, 1001, 0);
    assert_near(got.row.p05_ns, 1006, 1e-9);
    assert_near(got.row.q1_ns, 1026, 1e-9);
    assert_near(got.row.median_ns, 1051, 1e-9);
    assert_near(got.row.q3_ns, 1076, 1e-9);
    assert_near(got.row.p95_ns, 1096, 1e-9);
    assert_near(got.row.max_ns, 1101, 0);
    assert_near(got.row.mean_ns, 1051, 1e-9);
    /* n (n + 1) / 12 is the variance of n numbers in a row. */
    assert_near(got.row.stdev_ns, sqrt(101.0 * 102.0 / 12.0), 1e-9);
}

static void test_row_is_complete(void **state)
{
    const assay_timer_policy policy = assay_timer_default();
    assay_timer_job          job    = device_job;
    assay_measurement_row    row    = { .bytes_declared = 7, .bytes_moved = 8, .flops = 9 };

    (void)state;
    job.l2_bytes = 50 << 20;
    assert_int_equal(assay_timer_run(&job, "cold", &policy, &row, &got.samples, &got.fault),
                     ASSAY_OK);
    assert_near(row.flush_bytes, 2.0 * (50 << 20), 0);
    assert_int_equal(row.min_samples, 20);
    assert_int_equal(row.max_samples, MANY_SAMPLES);
    assert_near(row.target_relative_error, 0.005, 0);
    assert_near(row.budget_s, 0.25, 0);
    assert_int_equal(row.n_warmup, FIRST_SAMPLE);
    /* The caller's own. */
    assert_int_equal(row.bytes_declared, 7);
    assert_int_equal(row.bytes_moved, 8);
    assert_near(row.flops, 9, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cold_order),
        TEST(test_restore_comes_first_and_outside),
        TEST(test_end_to_end_is_launch_and_wait),
        TEST(test_cpu_variant),
        TEST(test_cpu_variant_by_the_real_clock),
        TEST(test_launches_per_hot_sample),
        TEST(test_stops_on_confidence),
        TEST(test_confidence_holds_when_claimed),
        TEST(test_stops_on_samples),
        TEST(test_stops_on_budget),
        TEST(test_slow_variants_take_few_samples),
        TEST(test_no_confidence_below_six_samples),
        TEST(test_warm_up_waits_for_agreement),
        TEST(test_blocks_are_equal_and_in_order),
        TEST(test_uneven_blocks),
        TEST(test_quantiles_of_known_samples),
        TEST(test_row_is_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
