/* The timing of points of one group on the device of plain memory: their order, findings during
 * timing, and that no number comes without a verdict. */
#include "run_time_fixture.h"

/* ---- launchers that change while they are timed ---- */

static int breaks_at; /* number of the call, counted over all; 0: never */
static int n_broken, last_broken;
static int n_stale; /* calls that found an INOUT buffer as an earlier call had left it */

static bool is_broken(void)
{
    const bool is_it = breaks_at > 0 && n_calls >= breaks_at;

    n_broken += is_it;
    last_broken = is_it ? n_calls : last_broken;
    return is_it;
}

/* These are right until they break, and wrong from then on. */
LAUNCHER(breaks_values, if (is_broken()) y[3] += 1)
LAUNCHER(breaks_guards, if (is_broken()) y[args->param[0] + 5] = 0)
LAUNCHER(breaks_inputs, if (is_broken())((float *)args->buf[0])[2] = 77)
LAUNCHER(breaks_device, if (is_broken()) toy_gpu.next_fault.kind = ASSAY_FAULT_ADDRESS)
LAUNCHER(breaks_launch, if (is_broken()) return 9)
/* Right when it is launched, wrong when a graph replays it. */
LAUNCHER(breaks_replay, if (toy_gpu.is_replaying) y[3] += 1)
/* Its bits differ in every call. */
LAUNCHER(is_never_the_same, y[1] += 0.00001f * (float)(n_calls % 1000))

/* Writes all but the last element. */
ASSAY_LAUNCHER(leaves_the_last)
{
    float *const  y   = args->buf[1];
    const int64_t n   = args->param[0];
    const float   old = y[n - 1];

    (void)stream;
    compute(args);
    y[n - 1] = old;
    return 0;
}

ASSAY_LAUNCHER(wants_fresh_inputs)
{
    const int32_t *z = args->buf[2];

    (void)stream;
    n_stale += z[0] != 100; /* as it was prepared */
    compute(args);
    return 0;
}

static const assay_tolerance wide = {
    .rule = ASSAY_RULE_BOUND, .c = 4, .u_out = 1, .why = "wide on purpose", .inexact_why = "test"
};

static int start(void **state)
{
    breaks_at = n_stale = n_broken = last_broken = 0;
    return begin(state);
}

/* ---- numbers ---- */

static void a_right_kernel_is_timed(void **state)
{
    const struct {
        assay_regime regime;
        assay_clock  clock;
    } names[] = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT },
                  { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
                  { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH } };

    (void)state;
    check(1);
    time_them(1, 5);
    assert_found(0, ASSAY_PASS, "");
    assert_int_equal(seen.n_checks, 0); /* its digest is known */
    for (int i = 0; i < 3; i++) {
        const seen_measurement *m = measurement(0, names[i].regime, names[i].clock);

        assert_int_equal(m->row.n_blocks, policy.n_blocks);
        assert_int_equal(m->row.n_samples, 6 * policy.n_blocks);
        assert_true(m->row.median_ns == TOY_LAUNCH_NS);
        assert_true(m->row.median_cycles == TOY_LAUNCH_NS); /* 1000 MHz */
        assert_int_equal(m->row.bytes_declared, 16 * N);
        assert_int_equal(m->row.bytes_moved, -1);
        assert_int_equal(m->row.working_set_bytes, 3 * 4 * N); /* no scratch */
        assert_string_equal(m->row.nvml, "no GPU");
        assert_string_equal(m->row.tuning, "");
        for (int k = 0; k < policy.n_blocks; k++)
            assert_int_equal(m->blocks[k].process, 5);
    }
}

static void inputs_are_fresh_before_each_sample(void **state)
{
    (void)state;
    variant(0, "v", "wants_fresh_inputs", 0);
    toy.inputs = ASSAY_INPUT_BIT(RANDOM); /* one class, so one initial value */
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    assert_int_equal(n_stale, 0);
    assert_int_equal(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     1);
    /* If it is declared repeatable, a sample has several calls that use each other's results. */
    start_over(state);
    variant(0, "v", "wants_fresh_inputs", ASSAY_REPEATABLE);
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    assert_true(n_stale > 0);
    assert_int_equal(measurement(0, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT)->row.launches_per_sample,
                     policy.max_calls);
    assert_int_equal(measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->row.launches_per_sample,
                     policy.graph_calls);
}

/* ABBA: block k of the first and the second variant, in the order of the process. */
static void variants_alternate(void **state)
{
    static const int turns[2][2][2] = { { { 0, 3 }, { 1, 2 } }, { { 1, 2 }, { 0, 3 } } };

    for (int process = 0; process < 2; process++) {
        const struct {
            assay_regime regime;
            assay_clock  clock;
        } names[] = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT },
                      { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
                      { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH } };
        double start_s[12];

        (void)end(state);
        (void)start(state);
        variant(1, "w", "right", 0);
        check(2);
        time_them(2, process);
        for (int v = 0; v < 2; v++)
            for (int m = 0; m < 3; m++)
                for (int k = 0; k < 2; k++) {
                    const assay_block *block =
                        &measurement(v, names[m].regime, names[m].clock)->blocks[k];
                    const int order = 3 * turns[process][v][k] + m;

                    assert_int_equal(block->order, order);
                    start_s[order] = block->start_s;
                }
        /* Start times count from one moment, so they are in the same order. */
        for (int order = 0; order < 12; order++)
            assert_true(start_s[order] > (order ? start_s[order - 1] : 0));
    }
}

/* The data of two processes must be at different addresses. */
static void data_lies_elsewhere_in_another_process(void **state)
{
    int64_t most[2];

    (void)state;
    check(1);
    for (int process = 0; process < 2; process++) {
        toy_gpu.most_bytes_used = 0;
        memset(&seen, 0, sizeof seen);
        time_them(1, process);
        most[process] = toy_gpu.most_bytes_used;
    }
    assert_true(most[0] != most[1]);
}

static void what_waits_is_timed_end_to_end(void **state)
{
    (void)state;
    variant(0, "waits", "right", ASSAY_HOST_SYNC);
    toy.variants[1] = (assay_variant) { .name = "cpu", .cpu = right };
    check(2);
    time_them(2, 0);
    assert_int_equal(seen.n_measurements, 2);
    assert_true(measurement(0, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST)->row.n_samples > 0);
    assert_true(measurement(1, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST)->row.n_samples > 0);
    assert_int_equal(seen.verdicts[0].verdict, ASSAY_PASS);
    assert_int_equal(seen.verdicts[1].verdict, ASSAY_PASS);
}

static void the_tuning_is_noted(void **state)
{
    (void)state;
    toy.variants[0].tuning[0] = (assay_tuning)ASSAY_TUNING("block", 256, 64);
    check(1);
    assay_point_tune(&points[0].point, 1);
    time_them(1, 0);
    assert_string_equal(measurement(0, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT)->row.tuning,
                        "block=64");
}

/* ---- what is found meanwhile ---- */

/* Variant 1 of three breaks in the middle of its timing; the others are not affected. */
static void assert_breaks(const char *launch, assay_verdict verdict, const char *words)
{
    void *state = NULL;

    (void)end(&state);
    (void)start(&state);
    variant(1, "breaks", launch, 0);
    variant(2, "w", "right", 0);
    check(3);
    breaks_at = n_calls + 100; /* after the warm-up of all three */
    time_them(3, 0);
    assert_true(n_broken > 0);
    assert_found(1, verdict, words);
}

static void what_breaks_while_timed_has_no_number(void **state)
{
    (void)state;
    assert_breaks("breaks_values", ASSAY_WRONG_VALUE, "element 3");
    assert_found(0, ASSAY_PASS, "");
    assert_found(2, ASSAY_PASS, "");
    assert_breaks("breaks_guards", ASSAY_OUT_OF_BOUNDS, "wrote outside 'y'");
    assert_found(0, ASSAY_PASS, "");
    assert_breaks("breaks_inputs", ASSAY_INPUT_CHANGED, "was changed");
    assert_found(2, ASSAY_PASS, "");
    assert_breaks("breaks_launch", ASSAY_LAUNCH_FAILED, "refused");
    assert_found(0, ASSAY_PASS, "");
    assert_found(2, ASSAY_PASS, "");
    assert_false(runner.is_spent);
}

static void what_is_wrong_when_replayed_has_no_number(void **state)
{
    (void)state;
    variant(0, "v", "breaks_replay", 0);
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_WRONG_VALUE, "element 3");
    assert_int_equal(seen.n_measurements, 0);
}

static void what_only_a_capture_refuses_has_no_graph_time(void **state)
{
    const seen_measurement *m;

    (void)state;
    check(1);
    toy_gpu.refuses_graphs = true;
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    m = measurement(0, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH);
    assert_int_equal(m->row.n_samples, 0);
    assert_true(isnan(m->row.median_ns));
    assert_string_equal(m->row.stop_reason, "no graph");
    assert_true(measurement(0, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT)->row.n_samples > 0);
}

/* Nothing more is done on a lost device. The other points did nothing wrong, and have no numbers
 * either. */
static void a_lost_device_ends_it(void **state)
{
    (void)state;
    assert_breaks("breaks_device", ASSAY_OUT_OF_BOUNDS, "");
    assert_true(runner.is_spent);
    assert_int_equal(seen.n_measurements, 0);
    assert_int_equal(seen.verdicts[0].verdict, ASSAY_PASS);
    assert_int_equal(seen.verdicts[2].verdict, ASSAY_PASS);
    assert_int_equal(n_broken, 1);
    assert_int_equal(n_calls, last_broken);
}

static void what_cannot_be_captured_is_suspect(void **state)
{
    (void)state;
    check(1);
    toy_gpu.forbids_graphs = true;
    time_them(1, 0);
    assert_found(0, ASSAY_SUSPECT, "cannot be captured");
}

/* ---- evidence ---- */

static void other_bits_are_judged_in_full(void **state)
{
    (void)state;
    toy.tol = wide;
    variant(0, "v", "is_never_the_same", 0);
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    assert_int_equal(seen.n_checks,
                     10); /* two outputs: before, after each block, replayed, after */
    /* It is declared to give the same bits every time. */
    for (int draw = 0; draw < ASSAY_N_DRAWS; draw++)
        points[0].judged.of_draw[draw].digest[1]++;
    toy.variants[0] = (assay_variant) { .name = "v", .launch = "right" };
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    toy.variants[0].flags = ASSAY_DETERMINISTIC;
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    assert_found(0, ASSAY_NONDETERMINISTIC, "bit");
}

/* The element that it does not write has another poison than in its check, which breaks no
 * promise. */
static void an_element_of_which_nothing_is_said(void **state)
{
    (void)state;
    leaves_last_open = true;
    variant(0, "v", "leaves_the_last", ASSAY_DETERMINISTIC);
    variant(1, "w", "right", ASSAY_DETERMINISTIC);
    check(2);
    time_them(2, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(seen.verdicts[i].verdict, ASSAY_PASS);
        assert_int_equal(count_measurements(i), 3);
    }
    /* Different bits in another output still break the promise. */
    for (int draw = 0; draw < ASSAY_N_DRAWS; draw++)
        points[0].judged.of_draw[draw].digest[2]++;
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    assert_found(0, ASSAY_NONDETERMINISTIC, "bit");
}

static void what_nobody_judged_is_judged_in_full(void **state)
{
    (void)state;
    check(1);
    points[0].judged = (assay_judged_draws) { .of_draw = { { .is_there = false } } };
    time_them(1, 0);
    assert_found(0, ASSAY_PASS, "");
    assert_int_equal(seen.n_checks, 10); /* before, after each block, replayed and after */
    /* Wrong from the start, so it is not even warmed up. */
    variant(0, "v", "breaks_values", 0);
    breaks_at = 1;
    n_calls   = 0;
    memset(&seen, 0, sizeof seen);
    time_them(1, 0);
    assert_found(0, ASSAY_WRONG_VALUE, "element 3");
    assert_int_equal(n_calls, 1);
}

static void digests_that_fit_do_not_excuse_other_faults(void **state)
{
    (void)state;
    variant(0, "v", "breaks_guards", 0);
    check(1);
    breaks_at = 1;
    time_them(1, 0);
    assert_found(0, ASSAY_OUT_OF_BOUNDS, "wrote outside 'y'");
    assert_int_equal(seen.n_checks, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        TEST(a_right_kernel_is_timed),
        TEST(inputs_are_fresh_before_each_sample),
        TEST(variants_alternate),
        TEST(data_lies_elsewhere_in_another_process),
        TEST(what_waits_is_timed_end_to_end),
        TEST(the_tuning_is_noted),
        TEST(what_breaks_while_timed_has_no_number),
        TEST(what_is_wrong_when_replayed_has_no_number),
        TEST(what_only_a_capture_refuses_has_no_graph_time),
        TEST(a_lost_device_ends_it),
        TEST(what_cannot_be_captured_is_suspect),
        TEST(other_bits_are_judged_in_full),
        TEST(an_element_of_which_nothing_is_said),
        TEST(what_nobody_judged_is_judged_in_full),
        TEST(digests_that_fit_do_not_excuse_other_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
