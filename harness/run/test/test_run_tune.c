/* The search over tuning axes on the device of plain memory, whose clock is the launcher's own. */
#include "supervise/decide.h"
#include "testing/run_fixture.h"

/* ---- a launcher with two axes: what a block size costs, and what it breaks ---- */

static struct {
    int64_t block;
    int64_t ns;
} costs[4];
static int64_t wrong_block, lethal_block, greedy_block, refused_block;
static int     n_states, n_stale;

static assay_search from; /* where the search begins */

static int64_t cost_of(int64_t block)
{
    for (int i = 0; i < 4; i++)
        if (costs[i].block == block)
            return costs[i].ns;
    return 0;
}

ASSAY_LAUNCHER(tuned)
{
    float *y = args->buf[1];

    (void)stream;
    compute(args);
    toy_gpu.clock_ns += cost_of(args->tune[0]) - TOY_LAUNCH_NS;
    if (args->tune[0] == wrong_block)
        y[3] += 1;
    if (args->tune[0] == lethal_block)
        toy_gpu.next_fault = (assay_fault) { .kind = ASSAY_FAULT_ADDRESS, .text = "illegal" };
    return args->tune[0] == refused_block ? 9 : 0;
}

ASSAY_WORKSPACE(tuned_workspace) { return args->tune[0] == greedy_block ? (size_t)1 << 30 : 0; }

/* A state that its first trial uses up. */
ASSAY_EXPORT int tuned_set_up(const assay_args *args, void **state)
{
    static int64_t owner;

    n_set_up++;
    n_states++;
    owner  = args->tune[0];
    *state = &owner;
    return 0;
}

ASSAY_EXPORT void tuned_tear_down(void *state)
{
    n_torn_down += state != NULL;
    n_states -= state != NULL;
}

ASSAY_LAUNCHER(tuned_with_state)
{
    n_stale += n_states != 1 || *(int64_t *)args->state != args->tune[0];
    return tuned(args, stream);
}

/* ---- running ---- */

static const assay_tuning blocks    = ASSAY_TUNING("block", 256, 64, 128, 512);
static const assay_tuning one_block = ASSAY_TUNING("block", 64);
static const assay_tuning tiles     = ASSAY_TUNING("tile", 1, 2, 3);

static int start(void **state)
{
    static const int64_t ns[][2] = {
        { 256, 40000 }, { 64, 90000 }, { 128, 35000 }, { 512, 50000 }
    };

    (void)start_over(state);
    for (int i = 0; i < 4; i++) {
        costs[i].block = ns[i][0];
        costs[i].ns    = ns[i][1];
    }
    from        = (assay_search) { .first = 0 };
    wrong_block = lethal_block = greedy_block = refused_block = -1;
    n_states = n_stale = 0;
    toy.variants[0]    = (assay_variant) {
           .name = "v", .launch = "tuned", .workspace = "tuned_workspace", .tuning = { blocks }
    };
    toy_gpu.bytes_allowed = 1 << 24;
    open_runner();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    close_runner();
    assert_int_equal(toy_gpu.bytes_used, 0);
    assert_int_equal(toy_gpu.n_graphs, 0);
    return 0;
}

static void tune(void)
{
    assay_policy      policy = assay_policy_default();
    const assay_point point  = point_of(0, N, true);

    policy.min_samples = policy.max_samples = 6;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(assay_run_tune(&runner, &point, &policy, &from, &sink), ASSAY_OK);
    assert_int_equal(seen.n_checks, 0); /* checks are about trials, not about the point */
    assert_int_equal(seen.n_verdicts, 0);
    assert_int_equal(seen.n_measurements, 0);
}

static const assay_trial_row *trial(const char *tuning)
{
    for (int i = 0; i < seen.n_trials; i++)
        if (strcmp(seen.trials[i].tuning, tuning) == 0)
            return &seen.trials[i];
    fail_msg("no trial of %s", tuning);
    return NULL;
}

static void assert_chosen(const char *tuning)
{
    const int64_t chosen = assay_decide_trial(seen.trials, seen.n_trials);

    if (tuning)
        assert_string_equal(seen.trials[chosen].tuning, tuning);
    else
        assert_int_equal(chosen, -1);
    for (int i = 0; i < seen.n_trials; i++)
        assert_false(seen.trials[i].is_chosen); /* others may follow */
}

/* ---- tests ---- */

static void the_fastest_is_chosen(void **state)
{
    (void)state;
    tune();
    assert_int_equal(seen.n_trials, 4);
    assert_string_equal(seen.trials[0].tuning, "block=256"); /* the default comes first */
    assert_chosen("block=128");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(seen.trials[i].verdict, ASSAY_PASS);
        assert_int_equal(seen.trials[i].regime, ASSAY_REGIME_COLD);
        assert_int_equal(seen.trials[i].clock, ASSAY_CLOCK_EVENT);
        assert_int_equal(seen.trials[i].n_samples, 6);
        assert_true(seen.trials[i].median_ns == (double)costs[i].ns);
    }
}

static void a_wrong_one_is_not_timed(void **state)
{
    (void)state;
    wrong_block = 128; /* it would be the fastest */
    tune();
    assert_int_equal(trial("block=128")->verdict, ASSAY_WRONG_VALUE);
    assert_non_null(strstr(trial("block=128")->reason, "element 3"));
    assert_true(isnan(trial("block=128")->median_ns));
    assert_int_equal(trial("block=128")->n_samples, 0);
    assert_chosen("block=256");
}

/* The event interval of a short kernel would mostly measure itself, so all are read by graph. */
static void short_ones_are_read_by_graph(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        costs[i].ns /= 10;
    tune();
    assert_int_equal(seen.n_trials, 4); /* the default occurs once */
    assert_chosen("block=128");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(seen.trials[i].regime, ASSAY_REGIME_GRAPH);
        assert_int_equal(seen.trials[i].clock, ASSAY_CLOCK_GRAPH);
        assert_true(seen.trials[i].median_ns == (double)costs[i].ns);
    }
    /* The same if the default is wrong. */
    wrong_block = 256;
    tune();
    assert_chosen("block=128");
    assert_int_equal(trial("block=64")->regime, ASSAY_REGIME_GRAPH);
    assert_int_equal(trial("block=128")->regime, ASSAY_REGIME_GRAPH);
}

/* A launcher that waits for its stream behind a gate would wait forever. */
static void what_waits_is_read_end_to_end(void **state)
{
    (void)state;
    toy.variants[0].flags = ASSAY_HOST_SYNC;
    tune();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(seen.trials[i].regime, ASSAY_REGIME_E2E);
        assert_int_equal(seen.trials[i].clock, ASSAY_CLOCK_HOST);
        assert_true(seen.trials[i].median_ns >= 0);
    }
    assert_int_equal(toy_gpu.n_gates, 0);
}

static void what_cannot_be_is_not_chosen(void **state)
{
    (void)state;
    greedy_block  = 128; /* needs more memory than there is */
    refused_block = 256; /* the device refuses it */
    tune();
    assert_int_equal(seen.n_trials, 4);
    assert_int_equal(trial("block=128")->verdict, ASSAY_SKIPPED);
    assert_string_not_equal(trial("block=128")->reason, "");
    assert_int_equal(trial("block=256")->verdict, ASSAY_LAUNCH_FAILED);
    assert_chosen("block=512");
}

static void nothing_is_chosen_where_all_are_wrong(void **state)
{
    (void)state;
    toy.variants[0].tuning[0] = one_block;
    wrong_block               = 64;
    tune();
    assert_int_equal(seen.n_trials, 1);
    assert_chosen(NULL);
}

/* The worker must end, but its findings are handed over. */
static void a_lost_device_ends_the_search(void **state)
{
    (void)state;
    lethal_block = 128;
    tune();
    assert_true(runner.is_spent);
    assert_int_equal(seen.n_trials, 3);
    assert_int_equal(seen.trials[2].verdict, ASSAY_OUT_OF_BOUNDS);
    assert_chosen("block=256");
}

/* The search continues where another process stopped, with the same clock. */
static void a_search_goes_on(void **state)
{
    (void)state;
    from = (assay_search) { .first = 2, .has_time = true, .by_graph = true };
    tune();
    assert_int_equal(seen.n_trials, 2);
    assert_string_equal(seen.trials[0].tuning, "block=128");
    assert_string_equal(seen.trials[1].tuning, "block=512");
    assert_int_equal(seen.trials[0].regime, ASSAY_REGIME_GRAPH);
    from = (assay_search) { .first = 2 };
    tune();
    assert_int_equal(seen.trials[0].regime, ASSAY_REGIME_COLD);
    for (int i = 0; i < 4; i++)
        costs[i].ns /= 10;
    from = (assay_search) { .first = 2, .has_time = true };
    tune();
    assert_int_equal(seen.trials[0].regime, ASSAY_REGIME_COLD);
    from.first = 4;
    tune();
    assert_int_equal(seen.n_trials, 0);
}

static void each_trial_starts_anew(void **state)
{
    (void)state;
    toy.variants[0].launch    = "tuned_with_state";
    toy.variants[0].setup     = "tuned_set_up";
    toy.variants[0].teardown  = "tuned_tear_down";
    toy.variants[0].tuning[1] = tiles;
    tune();
    assert_int_equal(seen.n_trials, 12); /* every combination */
    assert_string_equal(seen.trials[1].tuning, "block=256,tile=2");
    assert_int_equal(n_stale, 0);
    assert_int_equal(n_set_up, 12);
    assert_int_equal(n_torn_down, 12);
    for (int i = 0; i < 12; i++)
        assert_int_equal(seen.trials[i].verdict, ASSAY_PASS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(the_fastest_is_chosen),
        TEST(a_wrong_one_is_not_timed),
        TEST(short_ones_are_read_by_graph),
        TEST(what_waits_is_read_end_to_end),
        TEST(what_cannot_be_is_not_chosen),
        TEST(nothing_is_chosen_where_all_are_wrong),
        TEST(a_lost_device_ends_the_search),
        TEST(each_trial_starts_anew),
        TEST(a_search_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
