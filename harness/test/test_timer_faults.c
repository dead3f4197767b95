/* The timer on a scripted device: gates that time out, faults, failures and wrong use. */
#include "fake_device.h"

/* ---- gates ---- */

static void test_inadequate_samples_are_left_out(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.min_samples = policy.max_samples = 40;
    fake.bad_gates_from                     = 10; /* some way into the samples */
    fake.bad_gates_to                       = 13;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.samples.n, 40);
    assert_int_equal(got.samples.n_discarded, 3);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_int_equal(fake.n_gates, 5 + 40 + 3);
}

static void test_gate_that_never_holds(void **state)
{
    (void)state;
    fake.bad_gates_from = 0;
    fake.bad_gates_to   = INT64_MAX;
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "gate");
    assert_int_equal(got.row.n_samples, 0);
    assert_int_equal(got.row.n_blocks, 0);
    assert_true(isnan(got.row.median_ns));
    assert_in_range((uint64_t)got.samples.n_discarded, 1, 20);
}

static void test_gate_that_fails_later(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.target_relative_error = 0;
    policy.budget_s              = 1000;
    fake.kernel_ns               = noisy_ns;
    fake.bad_gates_from          = 1500;
    fake.bad_gates_to            = INT64_MAX;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "gate");
    assert_true(got.row.n_samples > 20);
    assert_int_equal(got.samples.n_discarded, 8 + got.samples.n / 4);
}

static void test_fewer_launches_behind_a_gate_that_overflows(void **state)
{
    (void)state;
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    fake.deep_gate = 10;
    assert_int_equal(run(&device_job, "hot", NULL), ASSAY_OK);
    assert_int_equal(got.row.launches_per_sample, 8);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_near(got.row.median_ns, 1000, 1e-9);
}

/* ---- faults and failures ---- */

static void assert_no_samples(void)
{
    assert_null(got.samples.time_ns);
    assert_null(got.samples.block_end);
    assert_int_equal(got.samples.n, 0);
    assert_false(fake.gate_is_closed);
    assert_false(fake.hangs);
}

static void test_fault_ends_the_timing(void **state)
{
    static const char *const regimes[] = { "cold", "hot", "e2e" };

    (void)state;
    /* In the first call, in the warm-up and in a sample; refused and while running; and with a
     * device that is lost afterwards. */
    for (int r = 0; r < 3; r++)
        for (int64_t at = 0; at < 25; at++)
            for (int kind = 0; kind < 4; kind++) {
                reset_fake();
                *(kind % 2 ? &fake.fault_at : &fake.wait_fault_at) = at;
                fake.is_lost                                       = kind >= 2;
                assert_int_equal(run(&device_job, regimes[r], NULL), ASSAY_OK);
                assert_int_equal(got.fault.kind,
                                 kind % 2 ? ASSAY_FAULT_LAUNCH : ASSAY_FAULT_ADDRESS);
                assert_string_equal(got.fault.text, kind % 2 ? "refused" : "illegal address");
                assert_no_samples();
            }
}

static void test_fault_within_a_batch_of_launches(void **state)
{
    (void)state;
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    fake.fault_at  = 500;
    assert_int_equal(run(&device_job, "hot", NULL), ASSAY_OK);
    assert_int_equal(got.fault.kind, ASSAY_FAULT_LAUNCH);
    assert_int_equal(fake.n_launches, 501); /* nothing is launched after it */
    /* Refused behind the gate: the gate opens, and what was queued runs out. */
    assert_memory_equal(fake.log + fake.n_log - 3, "LOW", 3);
    assert_no_samples();
}

static void test_cpu_variant_that_fails(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 20; at++) {
        reset_fake();
        fake.fault_at = at;
        assert_int_equal(run(&cpu_job, "e2e", NULL), ASSAY_OK);
        assert_int_equal(got.fault.kind, ASSAY_FAULT_LAUNCH);
        assert_non_null(strstr(got.fault.text, "42"));
        assert_no_samples();
    }
}

/* Every call of the device and of restore fails once: the run fails with the device's sentence and
 * leaves no gate closed. */
static void test_every_failure_is_a_status(void **state)
{
    static const char *const regimes[] = { "cold", "hot", "e2e" };

    (void)state;
    for (int r = 0; r < 3; r++)
        for (int64_t at = 0; at < 100; at++) {
            reset_fake();
            fake.fail_at = at;
            assert_int_equal(run(&restored_job, regimes[r], NULL), ASSAY_E_DEVICE);
            assert_int_equal(got.fault.kind, ASSAY_FAULT_NONE);
            if (fake.log[fake.n_log - 1] != 'R')
                assert_string_equal(assay_status_message(), "scripted failure");
            else
                assert_non_null(strstr(assay_status_message(), "restore"));
            assert_no_samples();
        }
}

/* ---- wrong use ---- */

static void test_regime_must_exist_and_fit(void **state)
{
    static const char *const unknown[] = { "", "warm", "COLD", "cold ", "e2e2" };

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_int_equal(run(&device_job, unknown[i], NULL), ASSAY_E_USAGE);
    assert_int_equal(run(&cpu_job, "cold", NULL), ASSAY_E_USAGE);
    assert_int_equal(run(&cpu_job, "hot", NULL), ASSAY_E_USAGE);
    assert_int_equal(fake.n_launches, 0);
}

static void test_policy_must_make_sense(void **state)
{
    const assay_timer_policy good  = assay_timer_default();
    assay_timer_policy       bad[] = { good, good, good, good, good, good, good, good, good };

    (void)state;
    bad[0].target_relative_error = NAN;
    bad[1].target_relative_error = -0.1;
    bad[2].budget_s              = NAN;
    bad[3].budget_s              = -1;
    bad[4].budget_s              = INFINITY;
    bad[5].min_samples           = 0;
    bad[6].max_samples           = good.min_samples - 1;
    bad[7].n_blocks              = 0;
    bad[8].min_samples           = INT64_MIN;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assay_status_reset();
        assert_int_equal(run(&device_job, "cold", &bad[i]), ASSAY_E_USAGE);
        assert_string_not_equal(assay_status_message(), "");
    }
    assert_int_equal(fake.n_launches, 0);
}

static void test_no_budget_still_measures(void **state)
{
    assay_timer_policy policy = assay_timer_default();

    (void)state;
    policy.budget_s = 0;
    assert_int_equal(run(&device_job, "cold", &policy), ASSAY_OK);
    assert_int_equal(got.row.n_samples, 3);
    assert_string_equal(got.row.stop_reason, "budget");
}

static void test_samples_free(void **state)
{
    static const assay_samples empty;

    (void)state;
    assay_samples_free(NULL);
    assert_int_equal(run(&device_job, "cold", NULL), ASSAY_OK);
    assert_non_null(got.samples.time_ns);
    assay_samples_free(&got.samples);
    assert_memory_equal(&got.samples, &empty, sizeof empty);
    assay_samples_free(&got.samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_inadequate_samples_are_left_out),
        TEST(test_gate_that_never_holds),
        TEST(test_gate_that_fails_later),
        TEST(test_fewer_launches_behind_a_gate_that_overflows),
        TEST(test_fault_ends_the_timing),
        TEST(test_fault_within_a_batch_of_launches),
        TEST(test_cpu_variant_that_fails),
        TEST(test_every_failure_is_a_status),
        TEST(test_regime_must_exist_and_fit),
        TEST(test_policy_must_make_sense),
        TEST(test_no_budget_still_measures),
        TEST(test_samples_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
