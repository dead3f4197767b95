/* From command lines to requests: which stages, which points, how, which outputs, and what the
 * supervisor is told. */
#include "request_fixture.h"

#include "base/parallel.h"
#include "command/command_run.h"
#include "command/gate_internal.h"
#include "time/timer.h"

static bool tier_on(const assay_run_request *request, const char *device, assay_tier tier)
{
    return assay_run_request_selection(request, device).tiers[tier];
}

/* ---- stages and points of each command ---- */

static const struct expected {
    const char    *verb;
    assay_run_kind kind;
    bool           times, counts, traces, tunes, full_tier_only, needs_gpu;
    bool           quick, full_on_host, full_on_cuda; /* tiers without --tier */
    bool           more_of_quick, more_of_full;       /* points that get more than a check */
} table[] = {
    { "check", ASSAY_RUN_CHECK, .quick = true, .full_on_cuda = true },
    { "bench", ASSAY_RUN_BENCH, .times = true, .full_on_host = true, .full_on_cuda = true,
      .more_of_quick = true, .more_of_full = true },
    { "profile", ASSAY_RUN_PROFILE, .counts = true, .needs_gpu = true, .full_on_host = true,
      .full_on_cuda = true, .more_of_quick = true, .more_of_full = true },
    { "trace", ASSAY_RUN_TRACE, .traces = true, .needs_gpu = true, .full_on_host = true,
      .full_on_cuda = true, .more_of_quick = true, .more_of_full = true },
    { "run", ASSAY_RUN_RUN, .times = true, .counts = true, .full_tier_only = true, .quick = true,
      .full_on_host = true, .full_on_cuda = true, .more_of_full = true },
};

static void test_stages(void **state)
{
    (void)state;
    assert_int_equal(sizeof table / sizeof table[0], ASSAY_N_RUN_KINDS);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct expected  *e       = &table[i];
        const assay_run_request request = request_of(e->verb, e->kind);
        const assay_stages     *s       = &request.stages;

        assert_string_equal(request.verb, e->verb);
        assert_int_equal(s->times, e->times);
        assert_int_equal(s->counts, e->counts);
        assert_int_equal(s->traces, e->traces);
        assert_false(s->tunes);
        assert_int_equal(s->full_tier_only, e->full_tier_only);
        assert_int_equal(assay_run_request_needs_gpu(&request), e->needs_gpu);
    }
}

static void test_points(void **state)
{
    const assay_point quick = { .tier = ASSAY_QUICK }, full = { .tier = ASSAY_FULL };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct expected  *e       = &table[i];
        const assay_run_request request = request_of(e->verb, e->kind);

        assert_int_equal(tier_on(&request, "host", ASSAY_QUICK), e->quick);
        assert_int_equal(tier_on(&request, "cuda", ASSAY_QUICK), e->quick);
        assert_int_equal(tier_on(&request, "host", ASSAY_FULL), e->full_on_host);
        assert_int_equal(tier_on(&request, "cuda", ASSAY_FULL), e->full_on_cuda);
        assert_int_equal(assay_run_request_wants_more(&request, &quick), e->more_of_quick);
        assert_int_equal(assay_run_request_wants_more(&request, &full), e->more_of_full);
    }
}

/* A tier that was named is used on every device. */
static void test_named_tier(void **state)
{
    assay_run_request request = request_of("check --tier full", ASSAY_RUN_CHECK);

    (void)state;
    assert_false(tier_on(&request, "host", ASSAY_QUICK));
    assert_true(tier_on(&request, "host", ASSAY_FULL));
    request = request_of("bench --tier quick", ASSAY_RUN_BENCH);
    assert_true(tier_on(&request, "cuda", ASSAY_QUICK));
    assert_false(tier_on(&request, "cuda", ASSAY_FULL));
    request = request_of("check --tier all", ASSAY_RUN_CHECK);
    assert_true(tier_on(&request, "host", ASSAY_QUICK) && tier_on(&request, "host", ASSAY_FULL));
}

/* Only the verbs that runs store name a kind. */
static void test_kinds_by_verb(void **state)
{
    assay_run_kind kind;

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_true(assay_run_kind_find(table[i].verb, &kind));
        assert_int_equal(kind, table[i].kind);
    }
    assert_false(assay_run_kind_find("gate", &kind));
    assert_false(assay_run_kind_find("import", &kind));
    assert_false(assay_run_kind_find("", &kind));
}

/* ---- defaults, and what was said ---- */

static void test_defaults(void **state)
{
    const assay_run_request request = request_of("bench", ASSAY_RUN_BENCH);
    const assay_policy      policy  = assay_timing_policy(&request.timing);
    const assay_policy      usual   = assay_policy_default();

    (void)state;
    assert_int_equal(policy.n_processes, usual.n_processes);
    assert_true(policy.budget_s == usual.budget_s);
    assert_true(policy.target_relative_error == usual.target_relative_error);
    assert_int_equal(policy.flush_kind, usual.flush_kind);
    assert_int_equal(request.selection.seed, 1);
    assert_int_equal(request.shard.count, 0);
    assert_int_equal(request.n_keys, 0);
    assert_string_equal(request.target.device, "auto");
    assert_int_equal(request.target.gpu, -1);
    assert_null(request.target.kernels);
    assert_null(request.counting.metrics);
    assert_string_equal(request.counting.replay, "user");
    assert_true(request.budget_s == 0);
    assert_false(request.in_process || request.timing.against_itself);
    assert_string_equal(request.outputs.database, "results/assay.db");
    assert_true(request.outputs.makes_folder);
    assert_string_equal(request.outputs.trace, "trace.json");
    assert_int_equal(request.outputs.gbench.n, 0);
    assert_false(request.outputs.is_quiet || request.outputs.is_part);
    assert_null(request.known_failures);
    assert_null(request.reason);
    assert_null(request.repeats);
    assert_int_equal(request.argc, 2);
    assert_string_equal(request.argv[1], "bench");
}

static void test_said_of_timing(void **state)
{
    const assay_run_request request =
        request_of("bench axpy --variant vec4 --axis n=64 --seed 7 --shard 2/7 --device host "
                   "--gpu 3 --kernels mine.so --processes 5 --time 1s --target-error 0.2 "
                   "--flush read",
                   ASSAY_RUN_BENCH);
    const assay_policy policy = assay_timing_policy(&request.timing);

    (void)state;
    assert_int_equal(request.selection.n_cases, 1);
    assert_string_equal(request.selection.cases[0], "axpy");
    assert_string_equal(request.selection.variants[0], "vec4");
    assert_string_equal(request.selection.axes[0], "n=64");
    assert_int_equal(request.selection.seed, 7);
    assert_int_equal(request.shard.index, 2);
    assert_int_equal(request.shard.count, 7);
    assert_string_equal(request.target.device, "host");
    assert_int_equal(request.target.gpu, 3);
    assert_string_equal(request.target.kernels, "mine.so");
    assert_int_equal(policy.n_processes, 5);
    assert_true(policy.budget_s == 1.0);
    assert_true(policy.target_relative_error == 0.2 / 100);
    assert_int_equal(policy.flush_kind, ASSAY_FLUSH_READ);
}

static void test_said_of_the_rest(void **state)
{
    assay_run_request request =
        request_of("bench --tune --against-itself --in-process --budget 2m --db my.db --quiet "
                   "--reason pr --known-failures known.txt",
                   ASSAY_RUN_BENCH);

    (void)state;
    assert_true(request.stages.tunes && request.timing.against_itself && request.in_process);
    assert_false(request.is_tuned);
    assert_true(request_of("check --tuned", ASSAY_RUN_CHECK).is_tuned);
    assert_true(request.budget_s == 120);
    assert_string_equal(request.outputs.database, "my.db");
    assert_false(request.outputs.makes_folder);
    assert_true(request.outputs.is_quiet);
    assert_string_equal(request.reason, "pr");
    assert_string_equal(request.known_failures, "known.txt");
    request = request_of("profile --metrics memory --replay kernel", ASSAY_RUN_PROFILE);
    assert_string_equal(request.counting.metrics, "memory");
    assert_string_equal(request.counting.replay, "kernel");
    request = request_of("trace --output mine.json", ASSAY_RUN_TRACE);
    assert_string_equal(request.outputs.trace, "mine.json");
}

/* ---- what the supervisor is told ---- */

static void test_supervisor(void **state)
{
    static const assay_target gpu       = { .module_path  = "/modules/cuda.so",
                                            .device_index = 1,
                                            .lane         = ASSAY_LANE_CUDA,
                                            .info         = { .kind = "cuda", .can_time = true } };
    bool                      is_traced = false;

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct expected        *e       = &table[i];
        const assay_run_request       request = request_of(e->verb, e->kind);
        const assay_supervise_options options =
            assay_run_supervise_options(&request, &gpu, &is_traced);

        assert_int_equal(options.times, e->times);
        assert_int_equal(options.metrics != NULL, e->counts);
        assert_int_equal(options.trace != NULL, e->traces);
        assert_false(options.tunes || options.against_itself || options.kernel_replay);
        assert_false(options.in_process || options.is_quiet);
        assert_string_equal(options.module_path, gpu.module_path);
        assert_int_equal(options.device_index, 1);
        assert_true(options.is_cuda && options.can_time);
        assert_ptr_equal(options.is_traced, &is_traced);
        if (e->counts)
            assert_string_equal(options.metrics, "core");
        if (e->traces)
            assert_string_equal(options.trace, "trace.json");
    }
}

static void test_supervisor_what_was_said(void **state)
{
    static const assay_target host = { .info = { .kind = "host" } };
    assay_run_request         request =
        request_of("bench --tune --against-itself --in-process --budget 2m --quiet --processes 5",
                   ASSAY_RUN_BENCH);
    assay_supervise_options options = assay_run_supervise_options(&request, &host, NULL);

    (void)state;
    assert_true(options.tunes && options.against_itself && options.in_process && options.is_quiet);
    assert_true(options.budget_s == 120);
    assert_int_equal(options.policy.n_processes, 5);
    assert_false(options.is_cuda || options.can_time);
    request = request_of("profile --metrics memory --replay kernel", ASSAY_RUN_PROFILE);
    options = assay_run_supervise_options(&request, &host, NULL);
    assert_string_equal(options.metrics, "memory");
    assert_true(options.kernel_replay);
}

static void test_supervisor_jobs(void **state)
{
    const int64_t            one = ASSAY_BESIDE_BYTES, plenty = INT64_C(1) << 40;
    const int                n_processors = assay_parallel_processors();
    const int                two          = n_processors < 2 ? n_processors : 2;
    const int                six          = n_processors < 6 ? n_processors : 6;
    static const char *const said[]       = { "check axpy", "check axpy --jobs 7" };
    const struct {
        const char *kind;
        int64_t     free_bytes;
        int         n_jobs[2]; /* for each command line of `said` */
    } expected[] = {
        { "host", plenty, { n_processors, 7 } },
        { "host", 2 * one, { two, 7 } },
        { "host", one - 1, { 1, 7 } },
        { "cuda", plenty, { six, 7 } },
        { "cuda", one, { 1, 7 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        for (int k = 0; k < 2; k++) {
            assay_target target = { .info = { .memory_free_bytes = expected[i].free_bytes } };
            const assay_run_request request = request_of(said[k], ASSAY_RUN_CHECK);

            (void)snprintf(target.info.kind, sizeof target.info.kind, "%s", expected[i].kind);
            assert_int_equal(assay_run_supervise_options(&request, &target, NULL).n_jobs,
                             expected[i].n_jobs[k]);
        }
}

/* ---- gate ---- */

static void test_gate(void **state)
{
    const assay_cli cli = parse("gate --baseline main axpy --processes 5 --tune --quiet --gpu 2");
    const assay_run_request *both[2];
    assay_run_request        check, timing;

    (void)state;
    assay_gate_requests(&cli, &check, &timing);
    assert_string_equal(check.verb, "check");
    assert_false(check.stages.times || check.stages.counts || check.stages.traces);
    assert_true(tier_on(&check, "host", ASSAY_QUICK) && tier_on(&check, "cuda", ASSAY_FULL));
    assert_false(tier_on(&check, "host", ASSAY_FULL));
    assert_string_equal(timing.verb, "bench");
    assert_true(timing.stages.times && timing.stages.tunes);
    assert_false(timing.stages.counts || timing.stages.traces);
    assert_false(tier_on(&timing, "host", ASSAY_QUICK));
    assert_true(tier_on(&timing, "host", ASSAY_FULL));
    both[0] = &check;
    both[1] = &timing;
    for (int i = 0; i < 2; i++) {
        assert_true(both[i]->outputs.is_part && both[i]->outputs.is_quiet);
        assert_string_equal(both[i]->selection.cases[0], "axpy");
        assert_int_equal(both[i]->target.gpu, 2);
        assert_int_equal(both[i]->timing.n_processes, 5);
        assert_int_equal(both[i]->n_keys, 0);
        assert_null(both[i]->repeats);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_named_tier),
        cmocka_unit_test(test_kinds_by_verb),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_said_of_timing),
        cmocka_unit_test(test_said_of_the_rest),
        cmocka_unit_test(test_supervisor),
        cmocka_unit_test(test_supervisor_what_was_said),
        cmocka_unit_test(test_supervisor_jobs),
        cmocka_unit_test(test_gate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
