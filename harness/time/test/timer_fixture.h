/* Timers on the scripted device: jobs, a run from warm-up to results, times of launches. */
#ifndef ASSAY_TEST_TIMER_FIXTURE_H
#define ASSAY_TEST_TIMER_FIXTURE_H

#include "fake_device.h"

#include "stats/stats.h"

/* ---- running it ---- */

static const assay_args no_args;

static struct outcome {
    assay_measurement_row row;
    assay_samples         samples;
    assay_fault           fault;
} got;

static const assay_timer_job device_job = {
    .api = &fake_api, .launch = launch_nothing, .args = &no_args, .now_ns = fake_now
};
static const assay_timer_job restored_job = { .api     = &fake_api,
                                              .launch  = launch_nothing,
                                              .args    = &no_args,
                                              .restore = fake_restore,
                                              .context = &fake,
                                              .now_ns  = fake_now };
static const assay_timer_job recorded_job = { .api      = &fake_api,
                                              .launch   = launch_nothing,
                                              .args     = &no_args,
                                              .recorder = &fake_recorder,
                                              .now_ns   = fake_now };
static const assay_timer_job cpu_job      = { .launch = run_on_cpu,
                                              .args   = &no_args,
                                              .now_ns = fake_now };

/* The defaults, except that blocks may end on confidence early. */
static inline assay_policy ready_policy(void)
{
    assay_policy policy = assay_policy_default();

    policy.confident_samples = 0;
    return policy;
}

/* Runs warm-up and the policy's blocks; `got` has the results. After a fault there are none. */
static inline assay_status run_metric(const assay_timer_job *job, assay_regime regime,
                                      assay_clock clock, const assay_policy *policy)
{
    assay_timer *timer = NULL;
    assay_status st    = ASSAY_OK;

    assay_samples_free(&got.samples);
    memset(&got, 0, sizeof got);
    fake.n_recorded = 0;
    ASSAY_CHECK(assay_timer_create(job, policy, regime, clock, policy->budget_s, &timer));
    ASSAY_CHECK(assay_timer_warm_up(timer, &got.fault));
    for (int k = 0; k < policy->n_blocks && got.fault.kind == ASSAY_FAULT_NONE; k++)
        ASSAY_CHECK(assay_timer_take_block(timer, 0, k, &got.fault));
    if (got.fault.kind == ASSAY_FAULT_NONE)
        ASSAY_CHECK(assay_timer_finish(timer, &got.row, &got.samples));
out:
    assay_timer_free(timer);
    assert_int_equal(fake.n_graphs, 0);
    return st;
}

/* Runs with the clock that every process has. */
static inline assay_status run(const assay_timer_job *job, assay_regime regime,
                               const assay_policy *policy)
{
    const assay_policy standard = ready_policy();
    const assay_clock  clock    = regime == ASSAY_REGIME_E2E     ? ASSAY_CLOCK_HOST
                                  : regime == ASSAY_REGIME_GRAPH ? ASSAY_CLOCK_GRAPH
                                                                 : ASSAY_CLOCK_EVENT;

    return run_metric(job, regime, clock, policy ? policy : &standard);
}

static inline int setup(void **state)
{
    (void)state;
    reset_fake();
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    assay_samples_free(&got.samples);
    return 0;
}

static inline assay_policy one_block(void)
{
    assay_policy policy = ready_policy();

    policy.n_blocks = 1;
    return policy;
}

/* Asserts that the log is `first` and then `period` over and over. */
static inline void assert_log(const char *first, const char *period)
{
    const size_t n_first = strlen(first), n_period = strlen(period);

    assert_true(fake.n_log > n_first + n_period);
    assert_memory_equal(fake.log, first, n_first);
    assert_int_equal((fake.n_log - n_first) % n_period, 0);
    for (size_t i = n_first; i < fake.n_log; i += n_period)
        assert_memory_equal(fake.log + i, period, n_period);
}

/* ---- times of launches ---- */

static int64_t launch_ns; /* time of every launch, in tests that change it */

static inline int64_t given_ns(int64_t launch)
{
    (void)launch;
    return launch_ns;
}

static inline int64_t noisy_ns(int64_t launch)
{
    return KERNEL_NS + 500 * ((launch * 7919) % 101); /* spread over half the time, no drift */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
