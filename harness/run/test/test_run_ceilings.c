/* Floor, ceilings and kernels of known length. Launchers of this program on the device of plain
 * memory replace the kernels. */
#include "testing/ceiling_fixture.h"
#include "testing/run_fixture.h"

/* ---- a kernel that knows how long it ran ---- */

/* Takes the time that it was asked for and 20 ns more, and reports that. */
ASSAY_LAUNCHER(assay_device_spin)
{
    const uint64_t ns = (uint64_t)args->param[0] + 20;

    (void)stream;
    toy_gpu.clock_ns += args->param[0] + 20 - TOY_LAUNCH_NS;
    memcpy(args->buf[0], &ns, sizeof ns);
    return 0;
}

/* ---- running ---- */

static assay_policy policy;

static int start(void **state)
{
    (void)start_over(state);
    policy             = assay_policy_default();
    policy.min_samples = policy.max_samples = 6;
    broken                                  = NULL;
    is_idle                                 = false;
    launch_ns                               = 2000;
    open_runner();
    runner.info.memory_free_bytes = 6 * (1 << 18); /* room for working sets of 64 and 256 KiB */
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

static const assay_ceiling_row *ceiling(const char *kind, assay_regime regime, assay_clock clock,
                                        int64_t bytes)
{
    for (int i = 0; i < seen.n_ceilings; i++) {
        const assay_ceiling_row *c = &seen.ceilings[i];

        if (strcmp(c->kind, kind) == 0 && c->regime == regime && c->clock == clock &&
            c->working_set_bytes == bytes)
            return c;
    }
    fail_msg("no ceiling %s %s/%s at %lld bytes", kind, assay_regime_text(regime),
             assay_clock_text(clock), (long long)bytes);
    return NULL;
}

/* ---- tests ---- */

static void floor_and_ceilings_by_every_clock(void **state)
{
    static const struct {
        assay_regime regime;
        assay_clock  clock;
    } metrics[]                       = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT },
                                          { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
                                          { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH } };
    static const char *const kinds[]  = { "copy", "read", "write", "triad" };
    static const int         arrays[] = { 2, 1, 1, 3 };

    (void)state;
    assert_int_equal(assay_run_ceilings(&runner, &policy, 60, &sink), ASSAY_OK);
    for (int m = 0; m < 3; m++) {
        const assay_regime       r    = metrics[m].regime;
        const assay_clock        c    = metrics[m].clock;
        const assay_ceiling_row *null = ceiling("null", r, c, 0), *fma = ceiling("fma", r, c, 0);

        assert_true(null->median_ns == TOY_LAUNCH_NS && isnan(null->rate));
        assert_true(fma->rate == assay_ceiling_flops(1 << 20, 128) / 2000 * 1e9);
        for (int k = 0; k < 4; k++)
            for (int64_t bytes = 1 << 16; bytes <= 1 << 18; bytes *= 4) {
                /* Each array has whole 64-byte pieces; the working set is all arrays together. */
                const int64_t count = bytes / arrays[k] / 64 * 16;

                assert_true(ceiling(kinds[k], r, c, bytes)->rate ==
                            (double)(4 * count * arrays[k]) / 2000 * 1e9);
                /* The number depends on the time: a slow machine gets the least. */
                assert_in_range(ceiling(kinds[k], r, c, bytes)->n_samples, 1, 6);
            }
    }
    assert_int_equal(seen.n_ceilings, 3 * (1 + 1 + 4 * 2));
}

static void a_wrong_answer_has_no_rate(void **state)
{
    static const char *const kinds[] = { "copy", "read", "write", "triad", "fma" };

    for (int k = 0; k < 5; k++) {
        (void)stop(state);
        (void)start(state);
        broken = kinds[k];
        assert_failed_with(assay_run_ceilings(&runner, &policy, 60, &sink), ASSAY_E_DEVICE,
                           kinds[k]);
        for (int i = 0; i < seen.n_ceilings; i++)
            assert_string_not_equal(seen.ceilings[i].kind, kinds[k]);
        assert_int_equal(toy_gpu.bytes_used, 0);
    }
}

static void what_is_never_valid_is_left_out(void **state)
{
    (void)state;
    toy_gpu.gates_time_out = true;
    assert_int_equal(assay_run_ceilings(&runner, &policy, 60, &sink), ASSAY_OK);
    assert_int_equal(seen.n_ceilings, 0);
}

static void without_memory_there_is_a_sentence(void **state)
{
    (void)state;
    toy_gpu.bytes_allowed = 1 << 20;
    assert_failed_with(assay_run_ceilings(&runner, &policy, 60, &sink), ASSAY_E_DEVICE_MEMORY,
                       "plain memory failed");
    toy_gpu.bytes_allowed = 0;
}

static const assay_spin_row *spin(const char *name, assay_clock clock)
{
    for (int i = 0; i < seen.n_spins; i++)
        if (strcmp(seen.spins[i].name, name) == 0 && seen.spins[i].clock == clock)
            return &seen.spins[i];
    fail_msg("no row of '%s' by the clock %s", name, assay_clock_text(clock));
    return NULL;
}

static void kernels_that_know_their_length(void **state)
{
    (void)state;
    is_idle = true; /* their results are not checked */
    assert_int_equal(assay_run_spins(&runner, &policy, &sink), ASSAY_OK);
    assert_true(spin("spin 5 us", ASSAY_CLOCK_EVENT)->own_ns == 5020);
    assert_true(spin("spin 5 us", ASSAY_CLOCK_EVENT)->median_ns == 5020);
    assert_true(spin("spin 200 us", ASSAY_CLOCK_GRAPH)->own_ns == 200020);
    assert_true(spin("spin 200 us", ASSAY_CLOCK_GRAPH)->median_ns == 200020);
    assert_int_equal(spin("spin 2 us", ASSAY_CLOCK_GRAPH)->launches_per_sample, policy.graph_calls);
    assert_true(isnan(spin("null", ASSAY_CLOCK_EVENT)->own_ns));
    assert_true(spin("fma", ASSAY_CLOCK_EVENT)->median_ns == 2000);
    assert_true(spin("null", ASSAY_CLOCK_EVENT)->wall_s >= 0);
    for (int i = 0; i < seen.n_spins; i++)
        assert_in_range(seen.spins[i].n_samples, 1, 6);
}

/* A slow card may take long: then larger working sets are left out, never smaller ones. */
static void they_end_in_time(void **state)
{
    (void)state;
    assert_int_equal(assay_run_ceilings(&runner, &policy, 0, &sink), ASSAY_OK);
    (void)ceiling("null", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0);
    (void)ceiling("fma", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0);
    for (int i = 0; i < seen.n_ceilings; i++)
        assert_int_equal(seen.ceilings[i].working_set_bytes, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(floor_and_ceilings_by_every_clock),  TEST(they_end_in_time),
        TEST(a_wrong_answer_has_no_rate),         TEST(what_is_never_valid_is_left_out),
        TEST(without_memory_there_is_a_sentence), TEST(kernels_that_know_their_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
