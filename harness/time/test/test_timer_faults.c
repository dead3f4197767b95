/* The timer on a scripted device: gates that time out, faults, failures and wrong use. */
#include "timer_fixture.h"

static const assay_regime regimes[] = { ASSAY_REGIME_COLD, ASSAY_REGIME_HOT, ASSAY_REGIME_GRAPH,
                                        ASSAY_REGIME_E2E };

enum {
    N_REGIMES = sizeof regimes / sizeof regimes[0]
};

/* ---- gates ---- */

static void test_inadequate_samples_are_left_out(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    policy.min_samples = policy.max_samples = 40;
    fake.bad_gates_from                     = 10; /* some way into the samples */
    fake.bad_gates_to                       = 13;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.samples.n, 40);
    assert_int_equal(got.row.n_discarded, 3);
    assert_int_equal(got.samples.blocks[0].n_discarded, 3);
    assert_string_equal(got.row.stop_reason, "confidence");
    assert_int_equal(fake.n_gates, 5 + 40 + 3);
}

static void test_gate_that_never_holds(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    fake.bad_gates_from = 0;
    fake.bad_gates_to   = INT64_MAX;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "gate");
    assert_int_equal(got.row.n_samples, 0);
    assert_int_equal(got.row.n_blocks, policy.n_blocks);
    assert_true(isnan(got.row.median_ns));
    assert_true(isnan(got.samples.blocks[0].median_ns));
    assert_int_equal(got.row.n_discarded, 2 * policy.n_blocks);
}

static void test_gate_that_fails_later(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    policy.target_relative_error = 0;
    policy.budget_s              = 1000;
    policy.max_warmup            = 10;
    fake.kernel_ns               = noisy_ns;
    fake.bad_gates_from          = 500;
    fake.bad_gates_to            = INT64_MAX;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_string_equal(got.row.stop_reason, "gate");
    assert_true(got.row.n_samples > 480);
    assert_int_equal(got.row.n_discarded, got.row.n_samples + 1);
}

static void test_fewer_launches_behind_a_gate_that_overflows(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        reset_fake();
        launch_ns      = 1000;
        fake.kernel_ns = given_ns;
        fake.deep_gate = 9;
        assert_int_equal(run(&device_job, k ? ASSAY_REGIME_GRAPH : ASSAY_REGIME_HOT, NULL),
                         ASSAY_OK);
        assert_int_equal(got.row.launches_per_sample, k ? 5 : 8);
        assert_string_equal(got.row.stop_reason, "confidence");
        assert_near(got.row.median_ns, 1000, 1e-9);
    }
    assert_int_equal(fake.n_graphs_made, 4); /* of 1, 20, 10 and 5 calls */
}

/* ---- faults and failures ---- */

static void assert_no_samples(void)
{
    assert_null(got.samples.time_ns);
    assert_null(got.samples.blocks);
    assert_int_equal(got.samples.n, 0);
    assert_false(fake.gate_is_closed);
    assert_false(fake.hangs);
}

static void test_fault_ends_the_timing(void **state)
{
    (void)state;
    /* The fault is in the first call, in the warm-up or in a sample. It is a refused launch or a
     * fault while running, and the device may be lost afterwards. */
    for (int r = 0; r < N_REGIMES; r++)
        for (int64_t at = 0; at < 25; at++)
            for (int kind = 0; kind < 4; kind++) {
                /* The launch of a graph refuses none of the launches that it holds. */
                if (kind % 2 && at > 0 && regimes[r] == ASSAY_REGIME_GRAPH)
                    continue;
                reset_fake();
                *(kind % 2 ? &fake.fault_at : &fake.wait_fault_at) = at;
                fake.is_lost                                       = kind >= 2;
                if (run(&device_job, regimes[r], NULL) != ASSAY_OK)
                    fail_msg("%s, fault %d at %d: %s", assay_regime_text(regimes[r]), kind, (int)at,
                             assay_status_message());
                assert_int_equal(got.fault.kind,
                                 kind % 2 ? ASSAY_FAULT_LAUNCH : ASSAY_FAULT_ADDRESS);
                assert_string_equal(got.fault.text, kind % 2 ? "refused" : "illegal address");
                assert_no_samples();
            }
}

static void test_fault_in_a_recorded_round(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    for (int64_t at = 0; at < 40; at++)
        for (int kind = 0; kind < 4; kind++) {
            reset_fake();
            *(kind % 2 ? &fake.fault_at : &fake.wait_fault_at) = at;
            fake.is_lost                                       = kind >= 2;
            assert_int_equal(
                run_metric(&recorded_job, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, &policy),
                ASSAY_OK);
            assert_int_equal(got.fault.kind, kind % 2 ? ASSAY_FAULT_LAUNCH : ASSAY_FAULT_ADDRESS);
            assert_int_not_equal(fake.log[fake.n_log - 1], 'K'); /* no records are requested */
            assert_no_samples();
        }
}

/* A launcher that cannot be captured into a graph, at the first graph and when a graph of more
 * calls is made. */
static void test_graph_that_cannot_be_made(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 2; at++) {
        reset_fake();
        launch_ns           = 1000;
        fake.kernel_ns      = given_ns;
        fake.graph_fault_at = at;
        assert_int_equal(run(&device_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_OK);
        assert_int_equal(got.fault.kind, ASSAY_FAULT_HIDDEN_SYNC);
        assert_string_equal(got.fault.text, "it cannot be captured");
        assert_int_equal(fake.log[fake.n_log - 1], 'M');
        assert_no_samples();
    }
}

static void test_fault_within_a_batch_of_launches(void **state)
{
    (void)state;
    launch_ns      = 1000;
    fake.kernel_ns = given_ns;
    fake.fault_at  = 500;
    assert_int_equal(run(&device_job, ASSAY_REGIME_HOT, NULL), ASSAY_OK);
    assert_int_equal(got.fault.kind, ASSAY_FAULT_LAUNCH);
    assert_int_equal(fake.n_launches, 501); /* nothing is launched after the fault */
    /* It was refused behind the gate: the gate opens, and the queued work runs to its end. */
    assert_memory_equal(fake.log + fake.n_log - 3, "LOW", 3);
    assert_no_samples();
}

static void test_cpu_variant_that_fails(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 20; at++) {
        reset_fake();
        fake.fault_at = at;
        assert_int_equal(run(&cpu_job, ASSAY_REGIME_E2E, NULL), ASSAY_OK);
        assert_int_equal(got.fault.kind, ASSAY_FAULT_LAUNCH);
        assert_non_null(strstr(got.fault.text, "42"));
        assert_no_samples();
    }
}

static void assert_fails_at(const assay_timer_job *job, assay_regime regime, assay_clock clock,
                            int64_t at)
{
    const assay_policy policy = ready_policy();

    reset_fake();
    fake.fail_at = at;
    assert_int_equal(run_metric(job, regime, clock, &policy), ASSAY_E_DEVICE);
    assert_int_equal(got.fault.kind, ASSAY_FAULT_NONE);
    if (fake.log[fake.n_log - 1] == 'R')
        assert_non_null(strstr(assay_status_message(), "restore"));
    else if (fake.log[fake.n_log - 1] == 'K')
        assert_non_null(strstr(assay_status_message(), "collect"));
    else
        assert_string_equal(assay_status_message(), "scripted failure");
    assert_no_samples();
}

/* Each call of the device, of restore and of the recorder fails once. The run then fails with the
 * device's sentence, and no gate stays closed. */
static void test_every_failure_is_a_status(void **state)
{
    assay_timer_job job = restored_job;

    (void)state;
    job.recorder = &fake_recorder;
    for (int64_t at = 0; at < 150; at++) {
        assert_fails_at(&job, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, at);
        assert_fails_at(&job, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, at);
        assert_fails_at(&job, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, at);
        assert_fails_at(&job, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, at);
        assert_fails_at(&job, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, at);
    }
}

/* ---- wrong use ---- */

static void test_metric_must_exist_and_fit(void **state)
{
    static const struct {
        assay_regime regime;
        assay_clock  clock;
    } unknown[] = {
        { ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE },    { ASSAY_REGIME_NONE, ASSAY_CLOCK_EVENT },
        { ASSAY_REGIME_COLD, ASSAY_CLOCK_GRAPH },   { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_EVENT },
        { ASSAY_REGIME_E2E, ASSAY_CLOCK_EVENT },    { ASSAY_REGIME_COLD, ASSAY_CLOCK_HOST },
        { ASSAY_REGIME_COLD, ASSAY_CLOCK_NONE },    { ASSAY_REGIME_HOT, ASSAY_CLOCK_PEER },
        { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_RECORD }, { ASSAY_N_REGIMES, ASSAY_CLOCK_EVENT },
        { ASSAY_REGIME_HOT, ASSAY_N_CLOCKS },
    };
    const assay_policy policy = ready_policy();

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_int_equal(run_metric(&recorded_job, unknown[i].regime, unknown[i].clock, &policy),
                         ASSAY_E_USAGE);
    assert_int_equal(run(&cpu_job, ASSAY_REGIME_COLD, NULL), ASSAY_E_USAGE);
    assert_int_equal(run(&cpu_job, ASSAY_REGIME_HOT, NULL), ASSAY_E_USAGE);
    assert_int_equal(run(&cpu_job, ASSAY_REGIME_GRAPH, NULL), ASSAY_E_USAGE);
    assert_int_equal(run_metric(&device_job, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, &policy),
                     ASSAY_E_USAGE);
    assert_int_equal(fake.n_launches, 0);
}

/* Writes a number into a field of any of the policy's types. */
static void set_field(assay_policy *policy, size_t offset, size_t size, bool is_real, double value)
{
    char         *field  = (char *)policy + offset;
    const int     number = isnan(value) ? 0 : (int)value;
    const int64_t wide   = number;

    if (is_real)
        memcpy(field, &value, sizeof value);
    else if (size == sizeof number)
        memcpy(field, &number, sizeof number);
    else
        memcpy(field, &wide, sizeof wide);
}

#define FIELD(name, is_real)                                                                       \
    offsetof(assay_policy, name), sizeof(((assay_policy *)0)->name), is_real

static void test_policy_must_make_sense(void **state)
{
    static const struct {
        size_t offset, size;
        bool   is_real;
        double value;
    } bad[] = {
        { FIELD(n_processes, false), 0 },
        { FIELD(n_blocks, false), 0 },
        { FIELD(n_blocks, false), -1 },
        { FIELD(budget_s, true), NAN },
        { FIELD(budget_s, true), -1 },
        { FIELD(budget_s, true), INFINITY },
        { FIELD(target_relative_error, true), NAN },
        { FIELD(target_relative_error, true), -0.1 },
        { FIELD(min_samples, false), 0 },
        { FIELD(min_samples, false), -5 },
        { FIELD(max_samples, false), 19 }, /* below the least */
        { FIELD(max_calls, false), 0 },
        { FIELD(graph_calls, false), 0 },
        { FIELD(graph_target_ns, true), -1 },
        { FIELD(max_calls, false), 1001 },
        { FIELD(sample_target_ns, true), NAN },
        { FIELD(sample_target_ns, true), -1 },
        { FIELD(warm_window, false), 0 },
        { FIELD(warm_window, false), 65 },
        { FIELD(max_warmup, false), 0 },
        { FIELD(rewarm, false), -1 },
        { FIELD(warm_agreement, true), NAN },
        { FIELD(warm_agreement, true), -0.01 },
        { FIELD(warm_share, true), 1 },
        { FIELD(warm_share, true), NAN },
        { FIELD(flush_kind, false), 2 },
        { FIELD(flush_kind, false), -1 },
        { FIELD(short_ns, true), NAN },
        { FIELD(short_ns, true), -1 },
        { FIELD(clock_tie, true), NAN },
        { FIELD(clock_tie, true), -1 },
        { FIELD(floor_factor, true), NAN },
        { FIELD(ceiling_margin, true), -0.1 },
        { FIELD(ceiling_margin, true), NAN },
        { FIELD(clock_gap_ns, true), NAN },
        { FIELD(clock_gap_share, true), NAN },
    };
    const assay_policy good = ready_policy();

    (void)state;
    assert_int_equal(assay_policy_check(&good), ASSAY_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assay_policy policy = good;

        set_field(&policy, bad[i].offset, bad[i].size, bad[i].is_real, bad[i].value);
        assay_status_reset();
        if (run(&device_job, ASSAY_REGIME_COLD, &policy) != ASSAY_E_USAGE)
            fail_msg("policy %zu is accepted", i);
        assert_string_not_equal(assay_status_message(), "");
    }
    assert_int_equal(fake.n_launches, 0);
}

static void test_blocks_want_a_warm_timer(void **state)
{
    const assay_policy    policy = ready_policy();
    assay_timer          *timer  = NULL;
    assay_measurement_row row    = { .n_samples = 0 };
    assay_samples         samples;
    assay_fault           fault;

    (void)state;
    assert_int_equal(
        assay_timer_create(&device_job, &policy, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0.1, &timer),
        ASSAY_OK);
    assert_int_equal(assay_timer_take_block(timer, 0, 0, &fault), ASSAY_E_INTERNAL);
    assert_int_equal(assay_timer_finish(timer, &row, &samples), ASSAY_E_INTERNAL);
    assert_int_equal(fake.n_launches, 0);
    assay_timer_free(timer);
    assay_timer_free(NULL);
}

static void test_no_budget_still_measures(void **state)
{
    assay_policy policy = one_block();

    (void)state;
    policy.budget_s = 0;
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_samples, 1);
    assert_string_equal(got.row.stop_reason, "budget");
}

static void test_samples_free(void **state)
{
    static const assay_samples empty;

    (void)state;
    assay_samples_free(NULL);
    assert_int_equal(run(&device_job, ASSAY_REGIME_COLD, NULL), ASSAY_OK);
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
        TEST(test_fault_in_a_recorded_round),
        TEST(test_graph_that_cannot_be_made),
        TEST(test_fault_within_a_batch_of_launches),
        TEST(test_cpu_variant_that_fails),
        TEST(test_every_failure_is_a_status),
        TEST(test_metric_must_exist_and_fit),
        TEST(test_policy_must_make_sense),
        TEST(test_blocks_want_a_warm_timer),
        TEST(test_no_budget_still_measures),
        TEST(test_samples_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
