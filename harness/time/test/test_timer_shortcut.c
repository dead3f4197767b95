/* The timer's pairs of calls, and its unannounced calls, on a scripted device. */
#include "timer_fixture.h"

/* The calls of the device: restore, launch and wait. Before the last launch, outputs are
 * overwritten. */
#define BEFORE_IT     "RLW"
#define THE_LAST_CALL "RPLW"

static const assay_timer_job spoiling_job = { .api     = &fake_api,
                                              .launch  = launch_nothing,
                                              .args    = &no_args,
                                              .spoil   = fake_spoil,
                                              .context = &fake,
                                              .now_ns  = fake_now };

/* Looks for a shortcut in launches of kernel_ns (NULL: constant); the gates from bad_from to bad_to
 * do not hold. Returns how many gates were used. */
static int64_t gates_of_shortcut(int64_t bad_from, int64_t                  bad_to,
                                 int64_t (*kernel_ns)(int64_t launch), bool is_there)
{
    const assay_policy policy = ready_policy();
    assay_timer       *timer  = NULL;
    bool               found  = true;
    char               reason[ASSAY_REASON_SIZE];

    reset_fake();
    assert_int_equal(assay_timer_create(&spoiling_job, &policy, ASSAY_REGIME_COLD,
                                        ASSAY_CLOCK_EVENT, policy.budget_s, &timer),
                     ASSAY_OK);
    fake.bad_gates_from = bad_from;
    fake.bad_gates_to   = bad_to;
    fake.kernel_ns      = kernel_ns ? kernel_ns : fake.kernel_ns;
    assert_int_equal(assay_timer_find_shortcut(timer, &found, reason, sizeof reason, &got.fault),
                     ASSAY_OK);
    assert_int_equal(found, is_there);
    assay_timer_free(timer);
    return fake.n_gates;
}

/* Without a shortcut 4 pairs are enough. If no gate holds, 2 pairs are. */
static void test_shortcut_behind_gates(void **state)
{
    (void)state;
    assert_int_equal(gates_of_shortcut(0, 0, NULL, false), 2 * 4);
    assert_int_equal(gates_of_shortcut(0, 2, NULL, false), 2 * (1 + 4));
    assert_int_equal(gates_of_shortcut(4, INT64_MAX, NULL, false), 2 * 30);
    assert_int_equal(gates_of_shortcut(0, INT64_MAX, NULL, false), 2 * 2);
}

enum {
    LONG_NS = 11000000
};

static int64_t long_ns(int64_t launch) { return LONG_NS + launch % 2 * 100000; }
static int64_t kept_ns(int64_t launch) { return launch % 2 ? LONG_NS / 2 : LONG_NS; }
static int64_t short_kept_ns(int64_t launch) { return launch % 2 ? KERNEL_NS / 2 : KERNEL_NS; }
static int64_t once_long_ns(int64_t launch) { return launch == 2 ? LONG_NS : KERNEL_NS; }
static int64_t once_kept_ns(int64_t launch) { return launch == 1 ? LONG_NS / 2 : LONG_NS; }

/* For long calls two pairs without a gain are enough. The first pair shows whether calls are
 * long. */
static void test_shortcut_of_long_calls(void **state)
{
    (void)state;
    assert_int_equal(gates_of_shortcut(0, 0, long_ns, false), 2 * 2);
    assert_int_equal(gates_of_shortcut(0, 0, once_kept_ns, false), 2 * 3);
    assert_int_equal(gates_of_shortcut(0, 0, once_long_ns, false), 2 * 5);
    assert_int_equal(gates_of_shortcut(0, 0, kept_ns, true), 2 * 6);
    assert_int_equal(gates_of_shortcut(0, 0, short_kept_ns, true), 2 * 15);
}

/* ---- calls that nobody has announced ---- */

static const char *proof_of(const assay_timer_job *job, assay_regime regime, double budget_s)
{
    const assay_policy policy = ready_policy();
    assay_timer       *timer  = NULL;

    reset_fake();
    assert_int_equal(
        assay_timer_create(job, &policy, regime,
                           regime == ASSAY_REGIME_GRAPH ? ASSAY_CLOCK_GRAPH : ASSAY_CLOCK_EVENT,
                           budget_s, &timer),
        ASSAY_OK);
    assert_int_equal(assay_timer_warm_up(timer, &got.fault), ASSAY_OK);
    assert_int_equal(assay_timer_take_block(timer, 0, 0, &got.fault), ASSAY_OK);
    fake.n_log = 0;
    memset(fake.log, 0, sizeof fake.log);
    assert_int_equal(assay_timer_call_unannounced(timer, &got.fault), ASSAY_OK);
    assert_int_equal(got.fault.kind, ASSAY_FAULT_NONE);
    assay_timer_free(timer);
    return fake.log;
}

/* There are fewer than 16 calls before the last, and each is waited for; outputs are overwritten
 * before the last. */
static void test_unannounced_calls(void **state)
{
    assay_timer_job job      = spoiling_job;
    bool            was[17]  = { false };
    int             n_places = 0;

    (void)state;
    job.restore = fake_restore;
    for (int i = 0; i < 400; i++) {
        const char *log   = proof_of(&job, i % 2 ? ASSAY_REGIME_HOT : ASSAY_REGIME_GRAPH, 1);
        int         calls = 0;

        for (; strncmp(log, BEFORE_IT, strlen(BEFORE_IT)) == 0; calls++)
            log += strlen(BEFORE_IT);
        assert_string_equal(log, THE_LAST_CALL);
        assert_true(calls < 16);
        n_places += !was[calls];
        was[calls] = true;
    }
    assert_int_equal(n_places, 16); /* missed once in 10^9 runs */
}

/* A variant that is slower than its block is called only once. */
static void test_unannounced_call_of_a_slow_kernel(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_string_equal(proof_of(&spoiling_job, ASSAY_REGIME_COLD, 1e-4), &THE_LAST_CALL[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shortcut_behind_gates),
        TEST(test_shortcut_of_long_calls),
        TEST(test_unannounced_calls),
        TEST(test_unannounced_call_of_a_slow_kernel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
