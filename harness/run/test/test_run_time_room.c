/* The timing of points of one group: as many at once as fit on the device, and by activity records
 * if the process has them. */
#include "run_time_fixture.h"

/* ---- memory ---- */

ASSAY_WORKSPACE(megabytes)
{
    (void)args;
    return 8 << 20;
}

static void as_many_at_once_as_there_is_room_for(void **state)
{
    int64_t one;

    (void)state;
    variant(1, "w", "right", 0);
    variant(2, "x", "right", 0);
    check(3);
    one = toy_gpu.most_bytes_used;
    for (int n = 1; n <= 3; n++) {
        memset(&seen, 0, sizeof seen);
        toy_gpu.bytes_allowed = n * one + one / 2;
        time_them(3, 0);
        for (int i = 0; i < 3; i++) {
            assert_found(i, ASSAY_PASS, "");
            assert_int_equal(seen.verdicts[i].peak_bytes, one);
        }
        /* The last block of the first point comes after the blocks of the points that fit beside
         * it. */
        assert_int_equal(measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->blocks[1].order,
                         6 * n - 1);
        assert_int_equal(toy_gpu.bytes_used, 0);
    }
    toy_gpu.bytes_allowed = 0;
}

/* A point that is too large for the device does not affect the others. */
static void what_does_not_fit_alone_is_skipped(void **state)
{
    int64_t one;

    (void)state;
    variant(2, "x", "right", 0);
    check(1);
    one             = toy_gpu.most_bytes_used;
    toy.variants[1] = (assay_variant) { .name = "w", .launch = "right", .workspace = "megabytes" };
    check(3);
    for (int n = 1; n <= 3; n++) {
        memset(&seen, 0, sizeof seen);
        toy_gpu.bytes_allowed = n * one + one / 2;
        time_them(3, 0);
        assert_found(0, ASSAY_PASS, "");
        assert_found(1, ASSAY_SKIPPED, "no room to time it: ");
        assert_found(2, ASSAY_PASS, "");
        assert_int_equal(toy_gpu.bytes_used, 0);
    }
    toy_gpu.bytes_allowed = one - 1;
    memset(&seen, 0, sizeof seen);
    time_them(3, 0);
    for (int i = 0; i < 3; i++)
        assert_found(i, ASSAY_SKIPPED, "no room to time it: ");
    toy_gpu.bytes_allowed = 0;
}

/* The limit covers what the variant allows for a call and what the policy gives to a block. */
static void limits_follow_the_budget_and_the_variant(void **state)
{
    double by_default, with_budget;

    (void)state;
    check(1);
    time_them(1, 0);
    by_default = seen.longest_limit_s;
    assert_true(by_default < 600);
    policy.budget_s = 3000;
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    with_budget = seen.longest_limit_s;
    assert_true(with_budget > 1000 && with_budget < 1000 + by_default);
    toy.variants[0].time_limit_s = 2000;
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    assert_true(seen.longest_limit_s > with_budget + 2000);
}

/* The second of two processes takes as many calls in a sample as the first. */
static void processes_agree_on_the_calls_behind_a_sample(void **state)
{
    (void)state;
    variant(0, "v", "right", ASSAY_REPEATABLE);
    check(1);
    time_them(1, 0);
    assert_int_equal(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     policy.max_calls);
    points[0].calls = (assay_calls) { .hot = 5, .graph = 3 };
    memset(&seen, 0, sizeof seen);
    time_them(1, 1);
    assert_int_equal(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     5);
    assert_int_equal(measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->row.launches_per_sample,
                     3);
    assert_int_equal(measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->blocks[1].calls, 3);
    assert_int_equal(measurement(0, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     1);
    /* Even if it would take fewer by itself; the row keeps the policy of the run. */
    policy.sample_target_ns = 1;
    policy.graph_target_ns  = 1;
    points[0].calls         = (assay_calls) { .hot = 7, .graph = 6 };
    memset(&seen, 0, sizeof seen);
    time_them(1, 1);
    assert_int_equal(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     7);
    assert_int_equal(measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->row.launches_per_sample,
                     6);
    assert_memory_equal(&measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.policy, &policy,
                        sizeof policy);
}

/* ---- records ---- */

static assay_activity records[256];
static int            n_gates_before;

static void put(int64_t *n, const char *name, int64_t ns)
{
    static int64_t now_ns;

    records[*n] = (assay_activity) {
        .kind = ASSAY_ACTIVITY_KERNEL, .name = name, .start_ns = now_ns, .end_ns = now_ns + ns
    };
    now_ns += ns + 10;
    ++*n;
}

/* Collects a record of each gate since the last time, and of the work behind it. */
static assay_status collect(const assay_activity **found, int64_t *n, int64_t *n_dropped)
{
    *n = *n_dropped = 0;
    for (; n_gates_before < toy_gpu.n_gates; n_gates_before++) {
        put(n, "assay_own_gate", 100);
        put(n, "_Z5rightPKf", 300);
        put(n, "_Z5afterPKf", 200);
        put(n, "assay_own_clock", 100);
    }
    *found = records;
    return ASSAY_OK;
}

static void records_are_clocks_of_their_own(void **state)
{
    const assay_cupti_api cupti  = { .activity_collect = collect };
    assay_record_source  *source = calloc(1, sizeof *source);

    (void)state;
    assert_non_null(source);
    source->cupti   = &cupti;
    runner.records  = source;
    n_gates_before  = 0;
    toy.variants[1] = (assay_variant) { .name = "cpu", .cpu = right };
    check(2);
    time_them(2, 0);
    assert_int_equal(seen.n_measurements, 2);
    assert_true(measurement(0, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD)->row.median_ns == 510);
    assert_true(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD)->row.median_ns == 510);
    assert_int_equal(seen.n_launches, 2); /* of one call */
    assert_string_equal(seen.launches[0].kernel, "_Z5rightPKf");
    assert_true(seen.launches[1].time_ns == 200);
    assert_int_equal(seen.verdicts[1].verdict, ASSAY_PASS); /* a CPU's work has no records */
    runner.records = NULL;
    assay_record_source_free(source);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(as_many_at_once_as_there_is_room_for),
        TEST(what_does_not_fit_alone_is_skipped),
        TEST(limits_follow_the_budget_and_the_variant),
        TEST(processes_agree_on_the_calls_behind_a_sample),
        TEST(records_are_clocks_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
