/* The check of one point, on a device of plain memory whose launchers are this file's functions:
 * every way to a verdict. */
#include "testing/run_fixture.h"

#include <fenv.h>

static assay_invariant_result sum_of_y(const assay_evidence *e)
{
    const float           *x = e->in[0], *y = e->out[1];
    assay_invariant_result r = { 0, 0, 1e-9 };

    for (int64_t i = 0; i < e->shape->buf[1].count; i++) {
        r.value += (double)y[i];
        r.expected += 2.0 * (double)x[i];
    }
    return r;
}

static assay_verdict refuse(const assay_evidence *e, char *reason, size_t size)
{
    (void)e, (void)size;
    (void)strcpy(reason, "not a multiset");
    return ASSAY_WRONG_VALUE;
}

static double half_of_first(const assay_evidence *e, int64_t which)
{
    assert_int_equal(which, 7);
    return (double)((const float *)e->out[1])[0] / 2;
}

static double silent(const assay_evidence *e, int64_t which)
{
    (void)e, (void)which;
    return (double)NAN;
}

/* ---- launchers, found by name ---- */

static const assay_tolerance wide = {
    .rule = ASSAY_RULE_BOUND, .c = 4, .u_out = 1, .why = "wide on purpose", .inexact_why = "test"
};
static bool    cannot_time;
static int64_t free_at_start; /* of device memory when the run began; 0: the device is no GPU */

LAUNCHER(a_little_off, y[1] += 0.0001f)
LAUNCHER(wrong, y[3] += 1)
LAUNCHER(makes_nan, y[3] = NAN)
LAUNCHER(writes_behind, y[args->param[0] + 5] = 0)
LAUNCHER(writes_before, z[-1] = 0)
LAUNCHER(changes_input, ((float *)args->buf[0])[2] = 77)
LAUNCHER(depends_on_the_run, y[1] += n_calls % 2 ? 0 : 0.0001f)
LAUNCHER(nan_where_masked, y[0] = NAN)
LAUNCHER(differs_where_exempt, y[0] += 1)
LAUNCHER(uses_workspace, if (args->workspace) memset(args->workspace, 1, args->workspace_bytes))
LAUNCHER(overruns_workspace, memset(args->workspace, 1, args->workspace_bytes + 1))
LAUNCHER(reports_deadlock, toy_gpu.next_fault.kind = ASSAY_FAULT_DEADLOCK)
LAUNCHER(wants_state, *(int *)args->state += 1)

ASSAY_LAUNCHER(leaves_tail)
{
    float next = ((float *)args->buf[1])[args->param[0] - 1];

    (void)stream;
    compute(args);
    ((float *)args->buf[1])[args->param[0] - 1] = next;
    return 0;
}

ASSAY_LAUNCHER(rounds_down)
{
    (void)stream;
    compute(args);
    return fesetround(FE_DOWNWARD);
}

/* Takes its own mark in a work buffer as a sign that all work is done. */
ASSAY_LAUNCHER(works_once)
{
    float *w = args->buf[3];

    (void)stream;
    if (w[0] == 12345)
        return 0;
    compute(args);
    w[0] = 12345;
    return 0;
}

ASSAY_LAUNCHER(is_refused)
{
    (void)args, (void)stream;
    return 9;
}

ASSAY_WORKSPACE(wants_100_bytes)
{
    assert_int_equal(args->param[0], args->count[1]);
    return 100;
}

static const char *never(const assay_shape *s)
{
    (void)s;
    return "not for these sizes";
}

/* Runs variant 0 of `toy` at n elements. */
static assay_status run(int64_t n, bool is_timed, bool *is_spent)
{
    const assay_point point = point_of(0, n, is_timed);
    assay_status      st    = ASSAY_OK;

    open_runner();
    runner.info.can_time = !cannot_time;
    if (free_at_start > 0)
        runner.lane = ASSAY_LANE_CUDA;
    runner.info.memory_free_bytes = free_at_start;
    memset(&seen, 0, sizeof seen);
    st = assay_run_point(&runner, &point, &sink);
    if (is_spent)
        *is_spent = runner.is_spent;
    close_runner();
    assert_int_equal(seen.n_measurements, 0); /* a check has no numbers */
    return st;
}

static int start(void **state)
{
    cannot_time   = false;
    free_at_start = 0;
    return start_over(state);
}

static void assert_verdict(const char *launch, assay_verdict verdict, const char *words)
{
    toy.variants[0].launch = launch;
    assert_int_equal(run(N, true, NULL), ASSAY_OK);
    assert_string_equal(assay_verdict_text(seen.verdict.verdict), assay_verdict_text(verdict));
    if (!strstr(seen.verdict.reason, words))
        fail_msg("\"%s\" does not say \"%s\"", seen.verdict.reason, words);
    assert_int_equal(seen.n_verdicts, 1);
    /* Only right outputs are kept to be compared with during timing. */
    assert_int_equal(seen.verdict.judged.of_draw[0].is_there, verdict == ASSAY_PASS);
}

static void a_right_kernel_passes(void **state)
{
    assay_judged judged;

    (void)state;
    assert_verdict("right", ASSAY_PASS, "");
    assert_int_equal(seen.verdict.launches, 1);
    assert_int_equal(seen.n_checks, 4); /* two classes of two outputs */
    /* Equal answers have equal digests, different ones do not. */
    judged = seen.verdict.judged.of_draw[0];
    assert_memory_not_equal(&judged.digest[1], &judged.digest[2], sizeof judged.digest[1]);
    assert_int_equal(judged.digest[0], 0); /* an input */
    assert_verdict("uses_workspace", ASSAY_PASS, "");
    assert_memory_equal(seen.verdict.judged.of_draw[0].digest, judged.digest, sizeof judged.digest);
    toy.tol = wide;
    assert_verdict("a_little_off", ASSAY_PASS, "");
    assert_true(seen.verdict.judged.of_draw[0].digest[1] != judged.digest[1]); /* 'y', not 'z' */
    assert_true(seen.verdict.judged.of_draw[0].digest[2] == judged.digest[2]);
}

static void what_is_not_timed_is_not_kept(void **state)
{
    (void)state;
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
    assert_false(seen.verdict.judged.of_draw[0].is_there);
}

/* The host device checks points; a point that is to be timed is skipped. */
static void a_device_without_a_clock_times_nothing(void **state)
{
    (void)state;
    cannot_time = true;
    assert_int_equal(run(N, true, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_SKIPPED);
    assert_non_null(strstr(seen.verdict.reason, "never times"));
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
}

static void faults_of_values_are_found(void **state)
{
    (void)state;
    assert_verdict("wrong", ASSAY_WRONG_VALUE, "element 3");
    assert_verdict("makes_nan", ASSAY_NOT_FINITE, "element 3");
    assert_verdict("leaves_tail", ASSAY_UNWRITTEN, "39");
}

static void stray_writes_are_found(void **state)
{
    (void)state;
    assert_verdict("writes_behind", ASSAY_OUT_OF_BOUNDS, "wrote outside 'y': byte 2");
    assert_verdict("writes_before", ASSAY_OUT_OF_BOUNDS, "before the start of its 160 bytes");
    assert_verdict("changes_input", ASSAY_INPUT_CHANGED, "'x' was changed, first at element 2");
}

static void determinism_is_verified_if_declared(void **state)
{
    (void)state;
    toy.tol = wide;
    assert_verdict("depends_on_the_run", ASSAY_PASS, "");
    toy.variants[0].flags = ASSAY_DETERMINISTIC;
    assert_verdict("depends_on_the_run", ASSAY_NONDETERMINISTIC, "");
}

static void must_be_nan_and_exempt_elements(void **state)
{
    (void)state;
    wants_nan_mask = true;
    assert_verdict("right", ASSAY_WRONG_VALUE, "element 0");
    assert_verdict("nan_where_masked", ASSAY_PASS, "");
    wants_nan_mask = false;
    assert_verdict("differs_where_exempt", ASSAY_WRONG_VALUE, "element 0");
    exempts_first = true;
    assert_verdict("differs_where_exempt", ASSAY_PASS, "");
}

static void the_cases_own_oracles_count(void **state)
{
    (void)state;
    toy.invariants[0] = (assay_invariant) { .name = "sum", .why = "linear", .measure = sum_of_y };
    assert_verdict("right", ASSAY_PASS, "");
    toy.compare = refuse;
    assert_verdict("right", ASSAY_WRONG_VALUE, "not a multiset");
}

static void facts_of_a_right_check_are_read(void **state)
{
    static const assay_fact facts[] = { { "half", half_of_first, 7 },
                                        { "silent", silent, 0 },
                                        { NULL, NULL, 0 } };

    (void)state;
    toy.facts       = facts;
    toy.facts_input = ASSAY_INPUT_RANDOM;
    assert_verdict("right", ASSAY_PASS, "");
    assert_int_equal(seen.n_metrics, 1); /* from one class; a NaN is no fact */
    assert_string_equal(seen.metrics[0].name, "half");
    assert_string_equal(seen.metrics[0].status, "ok");
    assert_string_equal(seen.metrics[0].replay, "check");
    assert_true(seen.metrics[0].value == 100); /* as prepared */
    seen.n_metrics = 0;
    assert_verdict("wrong", ASSAY_WRONG_VALUE, "");
    assert_int_equal(seen.n_metrics, 0);
    toy.input_fact = "half";
    assert_verdict("right", ASSAY_PASS, "");
    assert_string_equal(seen.metrics[0].replay, "input");
}

static void workspaces_are_guarded(void **state)
{
    (void)state;
    toy.variants[0].workspace = "wants_100_bytes";
    assert_verdict("uses_workspace", ASSAY_PASS, "");
    assert_int_equal(seen.verdict.workspace_bytes, 100);
    assert_verdict("overruns_workspace", ASSAY_OUT_OF_BOUNDS, "'workspace'");
}

static void a_changed_float_mode_is_suspect(void **state)
{
    (void)state;
    assert_verdict("rounds_down", ASSAY_SUSPECT,
                   "the launcher leaves the floating-point mode changed (does not round to "
                   "nearest)");
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_verdict("right", ASSAY_PASS, "");
}

static assay_reference_fn *right_reference;

static void reference_that_rounds_down(const assay_reference_args *args)
{
    right_reference(args);
    (void)fesetround(FE_DOWNWARD);
}

static void a_reference_that_changes_the_float_mode_is_refused(void **state)
{
    (void)state;
    right_reference = toy.reference;
    toy.reference   = reference_that_rounds_down;
    assert_failed_with(run(N, false, NULL), ASSAY_E_CASE,
                       "its reference leaves the floating-point mode changed");
    assert_int_equal(fegetround(), FE_TONEAREST);
    toy.reference = right_reference;
}

static void set_up_and_tear_down_are_paired(void **state)
{
    (void)state;
    toy.variants[0].setup    = "set_up_state";
    toy.variants[0].teardown = "tear_down_state";
    assert_verdict("wants_state", ASSAY_PASS, "");
    assert_true(n_set_up > 0);
    assert_int_equal(n_set_up, n_torn_down);
}

static void a_failed_set_up_is_no_verdict(void **state)
{
    (void)state;
    toy.variants[0].setup = "set_up_fails";
    assert_failed_with(run(N, false, NULL), ASSAY_E_DEVICE, "set-up of 'v' returned error 2");
    assert_int_equal(seen.n_verdicts, 0);
}

static void what_a_set_up_misses_is_a_reason(void **state)
{
    (void)state;
    toy.variants[0].setup    = "set_up_misses_a_library";
    toy.variants[0].teardown = "tear_down_state";
    assert_verdict("wants_state", ASSAY_UNSUPPORTED, "libtoy is not here");
    assert_int_equal(n_calls, 0);
}

static void a_missing_symbol_is_no_verdict(void **state)
{
    (void)state;
    toy.variants[0].launch = "no_such_launcher";
    assert_failed_with(run(N, false, NULL), ASSAY_E_CASE, "no_such_launcher");
    assert_int_equal(seen.n_verdicts, 0);
}

static void faults_of_the_device_are_verdicts(void **state)
{
    bool is_spent = false;

    (void)state;
    assert_verdict("is_refused", ASSAY_LAUNCH_FAILED, "refused");
    toy.variants[0].launch = "reports_deadlock";
    assert_int_equal(run(N, false, &is_spent), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_DEADLOCK);
    assert_true(is_spent);
}

static void a_wrong_answer_has_the_remark_of_its_device(void **state)
{
    (void)state;
    toy_gpu.remark = "the launcher has met an error";
    assert_verdict("wrong", ASSAY_WRONG_VALUE, "; the launcher has met an error");
    assert_verdict("right", ASSAY_PASS, "");
}

static void a_hidden_wait_is_suspect(void **state)
{
    (void)state;
    toy_gpu.probe_waits = 1;
    assert_verdict("right", ASSAY_SUSPECT, "it waits");
    toy.variants[0].flags = ASSAY_HOST_SYNC; /* declared: allowed, but timed end to end only */
    assert_verdict("right", ASSAY_PASS, "");
}

static void work_done_once_is_no_work(void **state)
{
    (void)state;
    assert_verdict("works_once", ASSAY_WRONG_VALUE, "element 0");
}

static const char *exclude_every_class(const assay_value *axis, assay_input input)
{
    (void)axis, (void)input;
    return "never";
}

static void a_point_without_inputs_is_skipped(void **state)
{
    (void)state;
    toy.input_excluded = exclude_every_class;
    assert_verdict("right", ASSAY_SKIPPED, "no input class");
}

/* The kernel exists only in another module. */
static void what_needs_a_gpu_is_unsupported_elsewhere(void **state)
{
    (void)state;
    toy.variants[0].gpu_only = "wgmma";
    assert_verdict("no_such_launcher", ASSAY_UNSUPPORTED, "wgmma");
}

static void empty_points_pass(void **state)
{
    (void)state;
    assert_int_equal(run(0, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
}

/* Other processes take device memory and give it back, so an earlier amount of free memory means
 * nothing. */
static void device_memory_counts_as_it_is_now(void **state)
{
    (void)state;
    free_at_start         = INT64_C(1) << 40;
    toy_gpu.bytes_allowed = 1 << 12;
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_SKIPPED);
    assert_non_null(strstr(seen.verdict.reason, "GB of device memory"));
    free_at_start         = 1 << 12;
    toy_gpu.bytes_allowed = 1 << 24;
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
}

static void what_cannot_be_run_has_a_reason(void **state)
{
    (void)state;
    assert_int_equal(run(INT64_C(1) << 50, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_SKIPPED);
    assert_non_null(strstr(seen.verdict.reason, "GB of host memory"));
    toy.variants[0].unsupported = never;
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_UNSUPPORTED);
    assert_string_equal(seen.verdict.reason, "not for these sizes");
    assert_int_equal(n_calls, 0);
}

static void cpu_variants_run_without_a_device(void **state)
{
    (void)state;
    toy.variants[0] = (assay_variant) { .name = "c", .cpu = right };
    assert_int_equal(run(N, true, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
    assert_int_equal(toy_gpu.n_launches, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start)
    const struct CMUnitTest tests[] = {
        TEST(a_right_kernel_passes),
        TEST(what_is_not_timed_is_not_kept),
        TEST(a_device_without_a_clock_times_nothing),
        TEST(faults_of_values_are_found),
        TEST(stray_writes_are_found),
        TEST(determinism_is_verified_if_declared),
        TEST(must_be_nan_and_exempt_elements),
        TEST(the_cases_own_oracles_count),
        TEST(facts_of_a_right_check_are_read),
        TEST(workspaces_are_guarded),
        TEST(set_up_and_tear_down_are_paired),
        TEST(a_failed_set_up_is_no_verdict),
        TEST(what_a_set_up_misses_is_a_reason),
        TEST(a_missing_symbol_is_no_verdict),
        TEST(faults_of_the_device_are_verdicts),
        TEST(a_wrong_answer_has_the_remark_of_its_device),
        TEST(a_hidden_wait_is_suspect),
        TEST(work_done_once_is_no_work),
        TEST(a_changed_float_mode_is_suspect),
        TEST(a_reference_that_changes_the_float_mode_is_refused),
        TEST(a_point_without_inputs_is_skipped),
        TEST(what_needs_a_gpu_is_unsupported_elsewhere),
        TEST(empty_points_pass),
        TEST(device_memory_counts_as_it_is_now),
        TEST(what_cannot_be_run_has_a_reason),
        TEST(cpu_variants_run_without_a_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
