/* Speed-ups: the pairing of blocks, the clock for both variants, and how often the interval
 * holds the truth. */
#include "speedup_fixture.h"

/* ---- pairs ---- */

static void even_blocks_give_the_exact_ratio(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 250e3);
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_true(got.is_known);
    assert_near(got.ratio, 2.5, 1e-12); /* above 1: a is faster */
    assert_near(got.lo, 2.5, 1e-12);
    assert_near(got.hi, 2.5, 1e-12);
    assert_int_equal(got.n_pairs, 6);
    assert_int_equal(got.n_processes, 3);
    assert_int_equal(got.regime, ASSAY_REGIME_COLD);
    assert_int_equal(got.clock, ASSAY_CLOCK_EVENT);
    assert_string_equal(got.reason, "");
}

/* Only a peer has its clock, so each variant keeps the clock that decides for it. */
static void against_a_peer_each_keeps_its_clock(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 20e3);
    add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 18e3);
    add_even(&b, ASSAY_REGIME_HOT, ASSAY_CLOCK_PEER, 1.8e6);
    assert_true(compare(ASSAY_REGIME_HOT));
    assert_true(got.is_known);
    assert_int_equal(got.clock, ASSAY_CLOCK_PEER);
    assert_near(got.ratio, 100, 1e-9);
    assert_true(b.rows[0].decides);
    assert_string_equal(b.rows[0].decision, "peer: events of its own process, without a gate");
    /* The event clock does not decide for a time as short as this. */
    a.rows[1].n_samples = 0;
    assert_unknown(ASSAY_REGIME_HOT, "too short for events");
}

/* A peer computes on the same card, whose limits are known by the event clock; so these apply. */
static void a_peer_has_the_ceilings_of_events(void **state)
{
    const assay_ceiling_row ceilings[] = {
        { "copy", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 1 << 20, 40, 1e3, 3e12 },
        { "null", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 0, 40, 2e3, (double)NAN },
        { "copy", ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 1 << 20, 40, 1e3, 9e12 },
    };

    (void)state;
    add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_PEER, 1e6);
    a.rows[0].working_set_bytes = 1 << 20;
    assay_decide_limits(&a.rows[0], ceilings, 3);
    assert_near(a.rows[0].ceiling_bytes_per_s, 3e12, 1);
    assert_near(a.rows[0].floor_ns, 2e3, 1e-9);
    assert_false(a.rows[0].is_below_floor);
}

/* All processes agree, since all samples lie on one tick. The interval is therefore not narrower
 * than that tick allows. */
static void one_tick_is_not_an_exact_ratio(void **state)
{
    const double half_tick = 16.0 / 1600;

    (void)state;
    add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 1600);
    add_even(&b, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 1600);
    add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 4000);
    add_even(&b, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 4000);
    a.rows[0].q1_ns = a.rows[0].q3_ns = 1600;
    b.rows[0].q1_ns = b.rows[0].q3_ns = 1600;
    a.rows[0].launches_per_sample = b.rows[0].launches_per_sample = 1;
    assert_true(compare(ASSAY_REGIME_HOT));
    assert_int_equal(got.clock, ASSAY_CLOCK_RECORD);
    assert_near(got.ratio, 1, 1e-12);
    assert_near(log(got.hi), sqrt(2) * half_tick, 1e-12);
    assert_near(log(got.lo), -sqrt(2) * half_tick, 1e-12);
    /* One variant's samples lie on several ticks; a sample of many calls divides the tick. */
    a.rows[0].q3_ns = 1632;
    assert_true(compare(ASSAY_REGIME_HOT));
    assert_near(log(got.hi), half_tick, 1e-12);
    b.rows[0].launches_per_sample = 8;
    assert_true(compare(ASSAY_REGIME_HOT));
    assert_near(log(got.hi), half_tick / 8, 1e-12);
}

/* A drift that both have, block by block, does not change the ratio. */
static void common_drift_cancels(void **state)
{
    assay_samples *s, *t;

    (void)state;
    s = add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    t = add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 200e3);
    for (int k = 0; k < 9; k++) {
        add_block(s, k / 3, 100e3 * (1 + 0.1 * k));
        add_block(t, k / 3, 200e3 * (1 + 0.1 * k));
    }
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_near(got.ratio, 2, 1e-12);
    assert_near(got.lo, 2, 1e-9);
    assert_near(got.hi, 2, 1e-9);
}

/* The k-th block of one variant is paired with the k-th block of the other in the same process;
 * a block without a partner is left out. */
static void only_pairs_count(void **state)
{
    static const struct {
        int    process;
        double a_us, b_us; /* 0: a block without a valid sample; -1: no block */
    } table[] = {
        { 0, 100, 200 }, { 0, 0, 999 },  { 0, 100, 400 }, /* the second block is left out */
        { 1, 100, 300 }, { 1, 100, -1 },                  /* b has fewer blocks */
        { 2, 100, -1 },                                   /* b has no such process */
        { 3, -1, 777 },                                   /* a has no such process */
        { 4, 100, 0 },                                    /* process 4 has no pair */
    };
    assay_samples *s, *t;

    (void)state;
    s = add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    t = add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 200e3);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].a_us >= 0)
            add_block(s, table[i].process, table[i].a_us * 1e3);
        if (table[i].b_us >= 0)
            add_block(t, table[i].process, table[i].b_us * 1e3);
    }
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_int_equal(got.n_pairs, 3);
    assert_int_equal(got.n_processes, 2);
    /* The mean over processes of each process's mean log-ratio. */
    assert_near(got.ratio, exp(((log(2) + log(4)) / 2 + log(3)) / 2), 1e-12);
    assert_true(isnan(got.lo) && isnan(got.hi)); /* two processes give no interval */
}

static void the_interval_is_students(void **state)
{
    static const double ratios[] = { 2, 2.2, 2.1 };
    double              mean = 0, squares = 0, half;
    assay_samples      *s, *t;

    (void)state;
    s = add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    t = add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 210e3);
    for (int p = 0; p < 3; p++) {
        add_block(s, p, 100e3);
        add_block(t, p, 100e3 * ratios[p]);
        mean += log(ratios[p]) / 3;
    }
    for (int p = 0; p < 3; p++)
        squares += (log(ratios[p]) - mean) * (log(ratios[p]) - mean);
    half = 4.302652729911275 * sqrt(squares / 2 / 3); /* Student's t with 2 degrees of freedom */
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_near(got.ratio, exp(mean), 1e-12);
    assert_near(got.lo, exp(mean - half), 1e-6);
    assert_near(got.hi, exp(mean + half), 1e-6);
}

static void fewer_than_three_processes_have_no_interval(void **state)
{
    for (int n = 1; n <= 2; n++) {
        assay_samples *s, *t;

        (void)start_over(state);
        s = add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
        t = add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 200e3);
        for (int k = 0; k < 4 * n; k++) {
            add_block(s, k / 4, 100e3 + k);
            add_block(t, k / 4, 200e3);
        }
        assert_true(compare(ASSAY_REGIME_COLD));
        assert_true(got.is_known);
        assert_int_equal(got.n_processes, n);
        assert_near(got.ratio, 2, 1e-3);
        assert_true(isnan(got.lo) && isnan(got.hi));
    }
}

static void without_a_pair_nothing_is_known(void **state)
{
    (void)state;
    add_block(add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3), 0, 100e3);
    add_block(add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 200e3), 1, 200e3);
    assert_unknown(ASSAY_REGIME_COLD, "no two blocks of one process");
}

/* ---- the clock ---- */

static void short_ones_are_compared_by_record(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8e3);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 13e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 10e3);
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_int_equal(got.clock, ASSAY_CLOCK_RECORD);
    assert_near(got.ratio, 2, 1e-12);
}

/* For one variant the record decides, for the other the event. */
static void one_clock_for_both(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8e3);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1010e3);
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_int_equal(got.clock, ASSAY_CLOCK_RECORD); /* one is short */
    assert_near(got.ratio, 202, 1e-9);
    (void)start_over(state);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 500e3);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 490e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1010e3);
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_int_equal(got.clock, ASSAY_CLOCK_EVENT); /* both are long */
    assert_near(got.ratio, 2, 1e-12);
}

static void without_one_clock_nothing_is_known(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8e3);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000e3);
    assert_unknown(ASSAY_REGIME_COLD,
                   "too short for events, and there are no records of the other");
    (void)start_over(state);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000e3);
    assert_unknown(ASSAY_REGIME_COLD, "too short for events, and there are no records");
    (void)start_over(state);
    add_even(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8e3);
    add_even(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 40e3);
    assert_unknown(ASSAY_REGIME_COLD, "event and record disagree");
}

/* In every combination: if one variant takes less than 30 us, the event clock never gives the
 * speed-up. */
static void never_the_event_below_30_us(void **state)
{
    static const double us[] = { 3, 10, 29.9, 30, 31, 100, 1000 };
    enum {
        N = sizeof us / sizeof us[0]
    };

    for (int i = 0; i < N * N * 9; i++) {
        const double a_us = us[i % N], b_us = us[i / N % N];
        const int    records = i / N / N; /* records of each: none, shorter, longer */

        (void)start_over(state);
        add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, a_us * 1e3);
        add_even(&b, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, b_us * 1e3);
        if (records % 3)
            add_even(&a, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD,
                     a_us * (records % 3 == 1 ? 900 : 1003));
        if (records / 3)
            add_even(&b, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD,
                     b_us * (records / 3 == 1 ? 900 : 1003));
        assert_true(compare(ASSAY_REGIME_HOT));
        if (got.is_known && (a_us < 30 || b_us < 30))
            assert_int_equal(got.clock, ASSAY_CLOCK_RECORD);
        if (a_us >= 30 && b_us >= 30 && records == 0)
            assert_true(got.is_known);
    }
}

static void regimes_are_compared_each_for_itself(void **state)
{
    (void)state;
    add_even(&a, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, 2e3);
    add_even(&b, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, 3e3);
    add_even(&a, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, 50e3);
    assert_false(compare(ASSAY_REGIME_COLD)); /* neither variant has a clock that decides */
    assert_true(compare(ASSAY_REGIME_GRAPH));
    assert_int_equal(got.clock, ASSAY_CLOCK_GRAPH);
    assert_near(got.ratio, 1.5, 1e-12);
    assert_unknown(ASSAY_REGIME_E2E, "not measured in this regime");
    add_even(&b, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, 100e3);
    assert_true(compare(ASSAY_REGIME_E2E));
    assert_near(got.ratio, 2, 1e-12);
    b.rows[b.n - 1].n_samples = 0;
    assert_unknown(ASSAY_REGIME_E2E, "no valid sample");
}

/* ---- does the interval hold the truth as often as it claims? ---- */

static uint64_t seed;

static double uniform(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    const double u = uniform();

    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * uniform());
}

/* Each process has an offset for each variant, each block has some noise, and both variants
 * share the drift of the machine. */
static bool holds_the_truth(int n_processes, double truth)
{
    assay_samples *s, *t;

    (void)start_over(NULL);
    s = add(&a, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    t = add(&b, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    for (int p = 0; p < n_processes; p++) {
        const double level = 0.003 * normal();

        for (int k = 0; k < 4; k++) {
            const double machine = 0.02 * normal();

            add_block(s, p, 100e3 * exp(machine + level + 0.001 * normal()));
            add_block(t, p, 100e3 * truth * exp(machine + 0.001 * normal()));
        }
    }
    assert_true(compare(ASSAY_REGIME_COLD));
    assert_true(got.is_known && got.lo <= got.ratio && got.ratio <= got.hi);
    return got.lo <= truth && truth <= got.hi;
}

static void the_interval_holds_the_truth(void **state)
{
    static const int processes[] = { 3, 5, 10 };
    enum {
        TRIALS = 2000
    };

    (void)state;
    seed = 20261128;
    for (int i = 0; i < 3; i++) {
        int n = 0;

        for (int trial = 0; trial < TRIALS; trial++)
            n += holds_the_truth(processes[i], 1.07);
        /* 95 %, within four standard deviations of the simulation. */
        if (n < 1861 || n > 1939)
            fail_msg("%d processes: the truth is held %d times of %d", processes[i], n, TRIALS);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(against_a_peer_each_keeps_its_clock),
        TEST(a_peer_has_the_ceilings_of_events),
        TEST(even_blocks_give_the_exact_ratio),
        TEST(one_tick_is_not_an_exact_ratio),
        TEST(common_drift_cancels),
        TEST(only_pairs_count),
        TEST(the_interval_is_students),
        TEST(fewer_than_three_processes_have_no_interval),
        TEST(without_a_pair_nothing_is_known),
        TEST(short_ones_are_compared_by_record),
        TEST(one_clock_for_both),
        TEST(without_one_clock_nothing_is_known),
        TEST(never_the_event_below_30_us),
        TEST(regimes_are_compared_each_for_itself),
        TEST(the_interval_holds_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
