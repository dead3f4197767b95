/* The timer under clock event reasons. NVML's answers follow a script in time (linked with
 * --wrap). */
#include "timer_fixture.h"

#include <time.h>

/* ---- the card ---- */

static struct card {
    int64_t always;                  /* reasons that always hold; -1: unknown */
    int64_t from_ns, to_ns, reasons; /* further ones that hold from..to */
    int64_t n_polls, n_rests;
} card;

static char        handle;
static assay_nvml *nvml_of_the_card(void) { return (assay_nvml *)(void *)&handle; }

static bool is_held(void) { return fake.now_ns >= card.from_ns && fake.now_ns < card.to_ns; }

int64_t __wrap_assay_nvml_reasons(assay_nvml *nvml);
void    __wrap_assay_nvml_read(assay_nvml *nvml, assay_nvml_reading *reading);

int64_t __wrap_assay_nvml_reasons(assay_nvml *nvml)
{
    assert_ptr_equal(nvml, nvml_of_the_card());
    assert_false(fake.gate_is_closed); /* never within a sample */
    card.n_polls++;
    fake.now_ns += 20000;
    return card.always < 0 ? -1 : is_held() ? card.always | card.reasons : card.always;
}

void __wrap_assay_nvml_read(assay_nvml *nvml, assay_nvml_reading *reading)
{
    assert_ptr_equal(nvml, nvml_of_the_card());
    fake.now_ns += 1000000;
    *reading = (assay_nvml_reading) { .reasons       = 0,
                                      .sm_mhz        = 1980,
                                      .memory_mhz    = 2619,
                                      .temperature_c = 41,
                                      .power_w       = (double)fake.now_ns * 1e-6,
                                      .energy_j      = 5000 + (double)fake.now_ns * 1e-9 };
}

/* While the timer rests, the fake clock goes on. */
int __wrap_nanosleep(const struct timespec *pause, struct timespec *left);

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left)
{
    (void)left;
    card.n_rests++;
    fake.now_ns += (int64_t)pause->tv_sec * 1000000000 + pause->tv_nsec;
    return 0;
}

static const int64_t SLOW_NS = 2 * KERNEL_NS; /* while the clock is held back */

static int64_t held_back_ns(int64_t launch)
{
    (void)launch;
    return is_held() ? SLOW_NS : KERNEL_NS;
}

/* Times that hardly ever repeat, so that no block ends on confidence. */
static int64_t held_back_unevenly_ns(int64_t launch)
{
    return held_back_ns(launch) + launch * 7919 % 10007;
}

static assay_timer_job job;

static int start(void **state)
{
    card     = (struct card) { .from_ns = INT64_MAX, .to_ns = INT64_MAX };
    job      = device_job;
    job.nvml = nvml_of_the_card();
    (void)setup(state);
    fake.kernel_ns = held_back_ns;
    return 0;
}

static void hold(int64_t reasons, double from_s, double to_s)
{
    card.reasons = reasons;
    card.from_ns = (int64_t)(from_s * 1e9);
    card.to_ns   = (int64_t)(to_s * 1e9);
}

/* A block that lasts as long as its budget. */
static assay_policy long_block(void)
{
    assay_policy policy = one_block();

    fake.kernel_ns               = held_back_unevenly_ns;
    policy.max_samples           = 100000;
    policy.target_relative_error = 0;
    return policy;
}

static void assert_all_fast(void)
{
    for (int64_t i = 0; i < got.samples.n; i++)
        assert_near(got.samples.time_ns[i], KERNEL_NS, 10007);
}

/* ---- tests ---- */

static void test_what_the_card_did_is_noted(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    card.always = 0x2; /* clocks set by an application are no throttling */
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    for (int k = 0; k < 2; k++) {
        const assay_block *b = &got.samples.blocks[k];

        assert_int_equal(b->reasons, 0x2);
        assert_int_equal(b->n_throttled, 0);
        assert_int_equal(b->n_samples, 20);
        assert_int_equal(b->memory_mhz, 2619);
        assert_int_equal(b->temperature_c, 41);
        assert_true(b->power_after_w > b->power_before_w);
        assert_near(b->energy_j, (b->power_after_w - b->power_before_w) * 1e-3, 1e-9);
    }
}

static void test_throttled_samples_are_counted_and_left_out(void **state)
{
    static const unsigned reasons[] = { ASSAY_NVML_SW_POWER_CAP, ASSAY_NVML_HW_SLOWDOWN,
                                        ASSAY_NVML_SW_THERMAL, ASSAY_NVML_HW_THERMAL,
                                        ASSAY_NVML_HW_POWER_BRAKE };

    (void)state;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        assay_policy policy;

        (void)start(state);
        policy      = long_block();
        card.always = 0x1;
        hold((int64_t)reasons[i], 0.050, 0.103);
        assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
        assert_all_fast(); /* at both ends, too */
        assert_true(got.row.n_throttled > 20 && got.row.n_throttled < 200);
        assert_int_equal(card.n_rests, 1);
        assert_int_equal(got.row.n_samples + got.row.n_throttled + got.row.n_warmup,
                         fake.n_launches);
        assert_int_equal(got.samples.blocks[0].reasons, 0x1 | reasons[i]);
        assert_int_equal(got.samples.blocks[0].n_throttled, got.row.n_throttled);
        /* The budget does not run while the card rests. */
        assert_true(got.row.n_samples > 1500);
    }
}

static void test_all_throttled_is_no_number(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    hold(ASSAY_NVML_HW_THERMAL, 0, 1e6);
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_samples, 0);
    assert_int_equal(got.samples.n, 0);
    assert_int_equal(got.row.n_blocks, 2);
    assert_true(got.row.n_throttled > 0);
    assert_string_equal(got.row.stop_reason, "throttled");
    assert_true(isnan(got.row.median_ns));
    assert_true(isnan(got.samples.blocks[1].median_ns));
    /* The timer waits for the card, but at most half a second in a block. */
    assert_in_range((uint64_t)card.n_rests, 20, 22);
    assert_true((double)fake.now_ns <= (1.05 * policy.budget_s + 2 * 0.55) * 1e9);
}

/* Many samples were taken, and all were left out because the clock was held back. Their gates did
 * hold, so a few gates that do not hold are no reason to give up. */
static void test_failed_gates_after_the_throttled(void **state)
{
    const assay_policy policy = one_block();
    int64_t            n_throttled, n_gates;

    hold(ASSAY_NVML_SW_POWER_CAP, 0.0028, 0.02);
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    n_throttled = got.row.n_throttled;
    n_gates     = fake.n_gates - got.row.n_samples;
    (void)start(state);
    hold(ASSAY_NVML_SW_POWER_CAP, 0.0028, 0.02);
    fake.bad_gates_from = n_gates;
    fake.bad_gates_to   = n_gates + 4;
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_throttled, n_throttled);
    assert_int_equal(got.row.n_discarded, 4);
    assert_true(got.row.n_samples >= 20);
    assert_string_equal(got.row.stop_reason, "confidence");
}

/* The block is shorter than the time between two polls; the reasons are polled before its last
 * samples count. */
static void test_what_ends_a_block_is_looked_at(void **state)
{
    const assay_policy policy = one_block();

    (void)state;
    hold(ASSAY_NVML_SW_POWER_CAP, 0.0028, 0.02);
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_all_fast();
    assert_true(got.row.n_throttled >= 20);
    assert_true(got.row.n_samples >= 20);
    assert_string_equal(got.row.stop_reason, "confidence");
}

static void test_one_throttled_block_of_two(void **state)
{
    assay_policy policy = ready_policy();

    (void)state;
    hold(ASSAY_NVML_SW_POWER_CAP, 0.006, 1e6); /* after the first block's 20 samples */
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.samples.blocks[0].n_samples, 20);
    assert_int_equal(got.samples.blocks[0].n_throttled, 0);
    assert_int_equal(got.samples.blocks[1].n_samples, 0);
    assert_true(got.samples.blocks[1].n_throttled > 0);
    assert_string_equal(got.row.stop_reason, "throttled"); /* the weaker of the two reasons */
    assert_int_equal(got.row.n_samples, 20);
}

static void test_policy_names_the_reasons(void **state)
{
    assay_policy policy = ready_policy();

    (void)state;
    hold(ASSAY_NVML_SW_POWER_CAP, 0, 1e6);
    policy.invalid_reasons = ASSAY_NVML_HW_THERMAL;
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.row.n_throttled, 0);
    assert_int_equal(got.row.n_samples, 40);
    assert_int_equal(got.samples.blocks[0].reasons, ASSAY_NVML_SW_POWER_CAP);
}

static void test_unknown_reasons_invalidate_nothing(void **state)
{
    const assay_policy policy = ready_policy();

    (void)state;
    card.always = -1;
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    assert_int_equal(got.samples.blocks[0].reasons, -1);
    assert_int_equal(got.row.n_throttled, 0);
    assert_int_equal(got.row.n_samples, 40);
}

static void test_polls_are_rare(void **state)
{
    const assay_policy policy = long_block();

    (void)state;
    assert_int_equal(run(&job, ASSAY_REGIME_COLD, &policy), ASSAY_OK);
    /* Polled every 10 ms of 0.2 s, and at both ends. */
    assert_in_range((uint64_t)card.n_polls, 15, 30);
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_the_card_did_is_noted),
        TEST(test_throttled_samples_are_counted_and_left_out),
        TEST(test_all_throttled_is_no_number),
        TEST(test_failed_gates_after_the_throttled),
        TEST(test_what_ends_a_block_is_looked_at),
        TEST(test_one_throttled_block_of_two),
        TEST(test_policy_names_the_reasons),
        TEST(test_unknown_reasons_invalidate_nothing),
        TEST(test_polls_are_rare),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
