/* The timer on a scripted device: what is queued, how it is read, when warm-up and blocks end. */
#include "timer_fixture.h"

/* ---- order and regimes ---- */

static void test_cold_order(void **state)
{
    (void)state;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_log("LW", "FG0L1COWSE");
    assert_int_equal(got.row.regime, ASSAY_REGIME_COLD);
    assert_int_equal(got.row.clock, ASSAY_CLOCK_EVENT);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(fake.flush_kind, ASSAY_FLUSH_WRITE);
}

static void test_kind_of_flush(void **state)
{
    assay_policy policy = assay_policy_default();

    (void)state;
    policy.flush_kind = ASSAY_FLUSH_READ;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(fake.flush_kind, ASSAY_FLUSH_READ);
    assert_int_equal(got.row.policy.flush_kind, ASSAY_FLUSH_READ);
}

static void test_restore_comes_first_and_outside(void **state)
{
    (void)state;
    assert_int_equal(run(&restored_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_log("RLW", "RFG0L1COWSE");
    reset_fake();
    assert_int_equal(run(&restored_job, ASSAY_REGIME_HOT, NULL), ASSAY_OK);
    assert_log("RLW", "RG0L1COWSE");
    reset_fake();
    assert_int_equal(run(&restored_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_log("RLWM", "RG0Y1COWSE"); /* one call, since inputs are restored before each sample */
    reset_fake();
    assert_int_equal(run(&restored_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_log("RLW", "RWLW");
}

/* Outputs are not spoiled in regimes that keep the caches as a call leaves them. */
static void test_outputs_are_spoiled_before_the_flush(void **state)
{
    assay_timer_job job = restored_job;

    (void)state;
    job.spoil = fake_spoil;
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_log("RPLW", "RPFG0L1COWSE");
    reset_fake();
    assert_int_equal(run(&job, ASSAY_REGIME_HOT, NULL), ASSAY_OK);
    assert_log("RLW", "RG0L1COWSE");
    reset_fake();
    assert_int_equal(run(&job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_log("RLWM", "RG0Y1COWSE");
    reset_fake();
    assert_int_equal(run(&job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_log("RPLW", "RPWLW");
}

static void test_end_to_end_is_launch_and_wait(void **state)
{
    (void)state;
    assert_int_equal(run(&restored_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_int_equal(got.row.clock, ASSAY_CLOCK_HOST);
    /* The sample holds two calls of the device and the kernel, not the restore and the wait for
     * it. */
    assert_near(got.row.median_ns, KERNEL_NS + 2 * CALL_NS, 0);
    assert_near(got.row.flush_bytes, 0, 0);
    assert_true(isnan(got.row.sm_clock_mhz));
    assert_true(isnan(got.row.median_cycles));
}

static void test_cpu_variant(void **state)
{
    (void)state;
    assert_int_equal(run(&cpu_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_near(got.row.median_ns, KERNEL_NS, 0);
    assert_int_equal(got.row.clock, ASSAY_CLOCK_HOST);
    assert_int_equal(fake.n_log, 0);
    assert_int_equal(got.row.n_samples + got.row.n_warmup, fake.n_launches);
}

/* With the real clock, values are only known to be finite and not negative. */
static void test_cpu_variant_by_the_real_clock(void **state)
{
    assay_timer_job job = cpu_job;

    (void)state;
    job.now_ns = NULL;
    assert_int_equal(run(&job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_true(got.row.n_samples >= 40 && got.row.n_samples <= 2000);
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_true(isfinite(got.samples.time_ns[i]) && got.samples.time_ns[i] >= 0);
    assert_true(got.row.wall_s > 0);
}

static const struct {
    int64_t kernel_ns, launches;
} batches[] = { { 1000, 32 }, { 10000, 5 },  { 16000, 4 }, { 49999, 2 },
                { 50000, 1 }, { 900000, 1 }, { 0, 32 } };

static void test_launches_per_hot_sample(void **state)
{
    assay_timer_job repeatable = restored_job;

    (void)state;
    repeatable.is_repeatable = true;
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++)
        for (int k = 0; k < 2; k++) {
            reset_fake();
            launch_ns      = batches[i].kernel_ns;
            fake.kernel_ns = given_ns;
            assert_int_equal(run(k ? &repeatable : &device_job, ASSAY_REGIME_HOT, NULL), ASSAY_OK);
            assert_int_equal(got.row.launches_per_sample, batches[i].launches);
            assert_near(got.row.median_ns, (double)launch_ns, 1e-9);
        }
}

/* Equal samples end a block only when there are many. */
static void test_confidence_takes_many(void **state)
{
    assay_policy policy = assay_policy_default();

    (void)state;
    policy.n_blocks = 1;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_int_equal(got.row.n_samples, policy.confident_samples);
}

/* If inputs are restored before each sample, a sample has one call. A cold sample always has
 * one. */
static void test_calls_that_stay_alone(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&restored_job, ASSAY_REGIME_HOT, NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(run(&restored_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(run(&device_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
    assert_int_equal(run_metric(&recorded_job, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 1);
}

static void test_graph_is_made_again_for_more_calls(void **state)
{
    (void)state;
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_log("LWMG0Y1COWSEM", "G0Y1COWSE"); /* first with one call, then with all */
    assert_int_equal(got.row.launches_per_sample, 20);
    assert_int_equal(got.row.policy.graph_calls, 20);
    assert_int_equal(fake.n_graphs_made, 2);
    assert_near(got.row.median_ns, 1000, 1e-9);
    assert_int_equal(got.row.regime, ASSAY_REGIME_GRAPH);
    assert_int_equal(got.row.clock, ASSAY_CLOCK_GRAPH);
    /* As many calls as fit into the longest graph. */
    reset_fake();
    launch_ns      = 900000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 4);
    assert_near(got.row.median_ns, 900000, 1e-9);
    /* One call is long enough, so there is one graph with one call. */
    reset_fake();
    launch_ns      = 5000000;
    fake.kernel_ns = given_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
    assert_log("LWM", "G0Y1COWSE");
    assert_int_equal(fake.n_graphs_made, 1);
}

/* ---- records ---- */

static void test_records_are_collected_by_rounds(void **state)
{
    const assay_policy policy = one_block();
    char               first[16], period[16 * 9 + 2];

    (void)state;
    for (int i = 0; i < 16; i++)
        memcpy(period + (ptrdiff_t)i * 9, "FG0L1COWS", 9);
    memcpy(period + 16 * 9, "K", 2);
    assert_int_equal(run_metric(&recorded_job, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_OK);
    /* A kernel whose time is not yet known is sampled one at a time. */
    (void)snprintf(first, sizeof first, "LW%.9sK", period);
    assert_log(first, period);
    assert_int_equal(got.row.clock, ASSAY_CLOCK_RECORD);
    assert_near(got.row.median_ns, KERNEL_NS - RECORD_GAP, 0);
    assert_near(got.row.median_cycles, (KERNEL_NS - RECORD_GAP) * 1.5, 1e-6);
    assert_int_equal(got.row.n_samples, 32); /* 20 were asked for, in rounds of 16 */
}

static void test_lost_records_are_left_out(void **state)
{
    const assay_policy policy = one_block();

    (void)state;
    fake.lost_from = 19; /* in the first round after that of the warm-up */
    fake.lost_to   = 24;
    assert_int_equal(run_metric(&recorded_job, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_OK);
    assert_int_equal(got.row.n_discarded, 5);
    assert_int_equal(got.row.n_samples, 2 * 16 - 5);
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_near(got.samples.time_ns[i], KERNEL_NS - RECORD_GAP, 0);
    /* No record arrives. */
    reset_fake();
    fake.lost_from = 0;
    fake.lost_to   = INT64_MAX;
    assert_int_equal(run_metric(&recorded_job, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_OK);
    assert_int_equal(got.row.n_samples, 0);
    assert_string_equal(got.row.stop_reason, "gate");
    assert_true(isnan(got.row.median_ns));
}

/* ---- warm-up ---- */

static int64_t settling_ns(int64_t launch)
{
    return launch < 30 ? KERNEL_NS / 2 * (40 - launch) : KERNEL_NS;
}

static double settling_mhz(int64_t launch)
{
    return launch < 40 ? 1000 + 20.0 * (double)launch : 1800;
}

/* Times that never agree, so that neither warm-up nor confidence ends early. */
static int64_t slow_noisy_ns(int64_t launch) { return launch_ns + launch % 3 * (launch_ns / 4); }

static void test_warm_up_waits_for_agreement(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    fake.kernel_ns = settling_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_in_range((uint64_t)got.row.n_warmup, 30, 40);
    assert_near(got.row.max_ns, KERNEL_NS, 0); /* no sample is from before the time settled */
    /* The time is steady at once, but the clock is not. */
    reset_fake();
    policy.warm_agreement = 0.01;
    fake.sm_mhz           = settling_mhz;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_in_range((uint64_t)got.row.n_warmup, 40, 50);
    assert_near(got.row.sm_clock_mhz, 1800, 0);
}

/* If times never agree, the warm-up ends after its share of the budget, or after a number of
 * calls. */
static void test_warm_up_ends(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    launch_ns      = 1000000;
    fake.kernel_ns = slow_noisy_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_in_range((uint64_t)got.row.n_warmup, 38, 46); /* 50 ms of about 1.25 ms each */
    reset_fake();
    fake.kernel_ns    = slow_noisy_ns;
    policy.max_warmup = 17;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_warmup, 17);
    reset_fake();
    fake.kernel_ns    = slow_noisy_ns;
    policy.warm_share = 0;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_warmup, 2); /* the first call, and one whose time is read */
}

/* ---- when a block ends ---- */

static void test_stops_on_confidence(void **state)
{
    const assay_policy policy = one_block();

    (void)state;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_int_equal(got.row.n_samples, 20);
    assert_int_equal(got.row.n_samples, got.samples.n);
}

static void test_confidence_holds_when_claimed(void **state)
{
    assay_policy  policy = one_block();
    assay_summary s;

    (void)state;
    policy.target_relative_error = 0.02;
    fake.kernel_ns               = noisy_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_true(got.row.n_samples > 20);
    assert_int_equal(assay_stats_summarize(got.samples.time_ns, got.samples.n, &s), ASSAY_OK);
    assert_true((s.median_hi - s.median_lo) / 2 <= 0.02 * s.median);
    assert_near(got.row.policy.target_relative_error, 0.02, 0);
}

static void test_stops_on_samples(void **state)
{
    assay_policy policy = assay_policy_default();

    (void)state;
    policy.max_samples           = 103;
    policy.budget_s              = 1000;
    policy.target_relative_error = 0;
    fake.kernel_ns               = noisy_ns;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "samples");
    assert_int_equal(got.row.n_samples, 2 * 103);
    assert_int_equal(got.row.policy.max_samples, 103);
}

static void test_no_confidence_below_six_samples(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    policy.min_samples = 1;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_true(got.row.n_samples >= 6 && got.row.n_samples < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cold_order),
        TEST(test_kind_of_flush),
        TEST(test_confidence_takes_many),
        TEST(test_restore_comes_first_and_outside),
        TEST(test_outputs_are_spoiled_before_the_flush),
        TEST(test_end_to_end_is_launch_and_wait),
        TEST(test_cpu_variant),
        TEST(test_cpu_variant_by_the_real_clock),
        TEST(test_launches_per_hot_sample),
        TEST(test_calls_that_stay_alone),
        TEST(test_graph_is_made_again_for_more_calls),
        TEST(test_records_are_collected_by_rounds),
        TEST(test_lost_records_are_left_out),
        TEST(test_warm_up_waits_for_agreement),
        TEST(test_warm_up_ends),
        TEST(test_stops_on_confidence),
        TEST(test_confidence_holds_when_claimed),
        TEST(test_stops_on_samples),
        TEST(test_no_confidence_below_six_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
