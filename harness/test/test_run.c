/* The life of one point, on a device of plain memory whose launchers are this file's functions:
 * every way to a verdict, and that no number comes without PASS. */
#include "run.h"
#include "testing.h"
#include "toy_device.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the case: y = 2x, z += 1 (z is INOUT), with scratch and a prepared input ---- */

enum {
    N = 40
};
static bool wants_nan_mask, exempts_first;

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill fill = ASSAY_INTEGERS(-9, 9, 1);
    const int64_t    n    = axis[0].i[0];

    (void)input;
    s->buf[0]   = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[1]   = (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = n };
    s->buf[2]   = (assay_buffer) { "z", ASSAY_INOUT, ASSAY_I32, n, fill };
    s->buf[3]   = (assay_buffer) { .name = "w", .role = ASSAY_WORK, .type = ASSAY_F32, .count = n };
    s->param[0] = n;
    s->bytes_read = s->bytes_written = 8 * n;
    s->cells                         = n;
}

static void prepare(void *const *in, const int64_t *count, const int64_t *param,
                    const double *scalar)
{
    (void)param, (void)scalar;
    if (count[0] > 0)
        ((float *)in[0])[0] = 100; /* no fill makes this value */
}

static void reference(const assay_reference_args *args)
{
    const float   *x = args->in[0];
    const int32_t *z = args->in[2];

    for (int64_t i = 0; i < args->count[1]; i++) {
        args->expect[1].value[i]     = 2.0 * (double)x[i];
        args->expect[1].magnitude[i] = 2.0 * fabs((double)x[i]);
        args->expect[2].integer[i]   = z[i] + 1;
    }
    if (wants_nan_mask && args->count[1] > 0)
        args->expect[1].law[0] = ASSAY_MUST_BE_NAN;
    if (exempts_first && args->count[1] > 0) {
        args->expect[1].law[0]       = ASSAY_EXEMPT;
        args->expect[1].exempt_share = 1.0 / N;
    }
}

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

/* ---- launchers, found by name ---- */

static int  n_calls, n_set_up, n_torn_down;
static bool breaks_after_timing;

static void compute(const assay_args *args)
{
    const float *x = args->buf[0];
    float       *y = args->buf[1], *w = args->buf[3];
    int32_t     *z = args->buf[2];

    n_calls++;
    for (int64_t i = 0; i < args->param[0]; i++) {
        w[i] = x[i];
        y[i] = w[i] + x[i];
        z[i] += 1;
    }
}

#define LAUNCHER(name, fault)                                                                      \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        float   *y = args->buf[1];                                                                 \
        int32_t *z = args->buf[2];                                                                 \
        (void)stream, (void)y, (void)z;                                                            \
        compute(args);                                                                             \
        fault;                                                                                     \
        return 0;                                                                                  \
    }
LAUNCHER(right, (void)0)
LAUNCHER(wrong, y[3] += 1)
LAUNCHER(makes_nan, y[3] = NAN)
LAUNCHER(writes_behind, y[args->param[0] + 5] = 0)
LAUNCHER(writes_before, z[-1] = 0)
LAUNCHER(changes_input, ((float *)args->buf[0])[2] = 77)
LAUNCHER(depends_on_the_run, y[1] += n_calls % 2 ? 0 : 0.0001f)
LAUNCHER(nan_where_masked, y[0] = NAN)
LAUNCHER(differs_where_exempt, y[0] += 1)
LAUNCHER(uses_workspace, memset(args->workspace, 1, args->workspace_bytes))
LAUNCHER(overruns_workspace, memset(args->workspace, 1, args->workspace_bytes + 1))
LAUNCHER(reports_deadlock, device.next_fault.kind = ASSAY_FAULT_DEADLOCK)
LAUNCHER(breaks_later, y[3] += breaks_after_timing && n_calls > 20 ? 1 : 0)
LAUNCHER(wants_state, *(int *)args->state += 1)

ASSAY_LAUNCHER(leaves_tail)
{
    float next = ((float *)args->buf[1])[args->param[0] - 1];

    (void)stream;
    compute(args);
    ((float *)args->buf[1])[args->param[0] - 1] = next;
    return 0;
}

/* Takes what it left in a work buffer for a sign that all is done. */
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

ASSAY_EXPORT int set_up_state(const assay_args *args, void **state)
{
    static int counter;

    (void)args;
    n_set_up++;
    counter = 0;
    *state  = &counter;
    return 0;
}

ASSAY_EXPORT int set_up_fails(const assay_args *args, void **state)
{
    (void)args, (void)state;
    return 2;
}

ASSAY_EXPORT void tear_down_state(void *state) { n_torn_down += state != NULL; }

static const char *never(const assay_shape *s)
{
    (void)s;
    return "not for these sizes";
}

static assay_case toy;

static const assay_case toy_start = {
    .name        = "toy",
    .what        = "y = 2x, z += 1",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(N)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = shape,
    .reference   = reference,
    .prepare     = prepare,
    .tol         = { .rule = ASSAY_RULE_ULP, .max_ulp = 1, .why = "test" },
};

/* ---- what comes out of it ---- */

static struct {
    int               n_checks, n_measurements, n_verdicts;
    assay_verdict_row verdict;
    double            median_ns;
} seen;

static assay_status see_note(void *context, const char *what, double limit_s)
{
    (void)context, (void)what;
    assert_true(limit_s > 0);
    return ASSAY_OK;
}

static assay_status see_check(void *context, const assay_check_row *row)
{
    (void)context, (void)row;
    seen.n_checks++;
    return ASSAY_OK;
}

static assay_status see_measurement(void *context, const assay_measurement_row *row,
                                    const assay_samples *samples)
{
    (void)context;
    assert_int_equal(row->n_samples, samples->n);
    seen.n_measurements++;
    seen.median_ns = row->median_ns;
    return ASSAY_OK;
}

static assay_status see_verdict(void *context, const assay_verdict_row *row)
{
    (void)context;
    seen.n_verdicts++;
    seen.verdict = *row;
    return ASSAY_OK;
}

/* Runs variant 0 of `toy` at n elements. */
static assay_status run(int64_t n, bool is_timed, bool *is_spent)
{
    static const assay_sink sink = {
        .note = see_note, .check = see_check, .measurement = see_measurement, .verdict = see_verdict
    };
    assay_runner runner = { .lane = ASSAY_LANE_HOST, .policy = assay_timer_default() };
    assay_point  point  = { .definition = &toy, .seed = 3, .is_timed = is_timed };
    assay_status st     = ASSAY_OK;

    runner.module.api    = &memory_api;
    runner.module.handle = dlopen(NULL, RTLD_NOW);
    runner.info.can_time = true;
    runner.policy        = (assay_timer_policy) { .target_relative_error = 0.01,
                                                  .budget_s              = 0.05,
                                                  .min_samples           = 8,
                                                  .max_samples           = 16,
                                                  .n_blocks              = 2 };
    point.axis[0].i[0]   = n;
    memset(&seen, 0, sizeof seen);
    st = assay_run_point(&runner, &point, &sink);
    if (is_spent)
        *is_spent = runner.is_spent;
    for (int input = 0; input < ASSAY_N_INPUTS; input++)
        assay_inputs_free(&runner.inputs[input]);
    (void)dlclose(runner.module.handle);
    return st;
}

static int start_over(void **state)
{
    (void)state;
    memset(&device, 0, sizeof device);
    n_calls = n_set_up = n_torn_down = 0;
    wants_nan_mask = exempts_first = breaks_after_timing = false;
    toy                                                  = toy_start;
    toy.variants[0] = (assay_variant) { .name = "v", .launch = "right" };
    assay_status_reset();
    return 0;
}

static void assert_verdict(const char *launch, assay_verdict verdict, const char *words)
{
    toy.variants[0].launch = launch;
    assert_int_equal(run(N, true, NULL), ASSAY_OK);
    assert_string_equal(assay_verdict_text(seen.verdict.verdict), assay_verdict_text(verdict));
    if (!strstr(seen.verdict.reason, words))
        fail_msg("\"%s\" does not say \"%s\"", seen.verdict.reason, words);
    if (verdict != ASSAY_PASS)
        assert_int_equal(seen.n_measurements, 0); /* no verdict, no number */
}

static void a_right_kernel_passes_and_is_timed(void **state)
{
    (void)state;
    assert_verdict("right", ASSAY_PASS, "");
    assert_int_equal(seen.n_measurements, 2); /* cold and hot */
    assert_true(seen.median_ns > 0);
    assert_int_equal(seen.verdict.launches, 1);
    /* two classes before, the timed one after; two outputs each */
    assert_int_equal(seen.n_checks, 6);
}

static void without_timing_there_is_no_number(void **state)
{
    (void)state;
    assert_int_equal(run(N, false, NULL), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
    assert_int_equal(seen.n_measurements, 0);
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
    toy.tol = (assay_tolerance) { .rule        = ASSAY_RULE_BOUND,
                                  .c           = 4,
                                  .u_out       = 1,
                                  .why         = "wide on purpose",
                                  .inexact_why = "test" };
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

static void workspaces_are_guarded(void **state)
{
    (void)state;
    toy.variants[0].workspace = "wants_100_bytes";
    assert_verdict("uses_workspace", ASSAY_PASS, "");
    assert_int_equal(seen.verdict.workspace_bytes, 100);
    assert_verdict("overruns_workspace", ASSAY_OUT_OF_BOUNDS, "'workspace'");
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

static void a_hidden_wait_is_suspect(void **state)
{
    (void)state;
    device.probe_waits = 1;
    assert_verdict("right", ASSAY_SUSPECT, "it waits");
    toy.variants[0].flags = ASSAY_HOST_SYNC; /* declared: allowed, and timed end to end only */
    assert_verdict("right", ASSAY_PASS, "");
    assert_int_equal(seen.n_measurements, 1);
}

static void outputs_are_checked_again_after_timing(void **state)
{
    (void)state;
    breaks_after_timing = true;
    assert_verdict("breaks_later", ASSAY_WRONG_VALUE, "element 3");
}

static void work_done_once_is_no_work(void **state)
{
    (void)state;
    assert_verdict("works_once", ASSAY_NOT_FINITE, "element 0");
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
    assert_verdict("right", ASSAY_SKIPPED, "no class of input");
}

/* Its kernel exists in another module only. */
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
    assert_int_equal(seen.n_measurements, 1);
    assert_int_equal(device.n_launches, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(a_right_kernel_passes_and_is_timed),
        TEST(without_timing_there_is_no_number),
        TEST(faults_of_values_are_found),
        TEST(stray_writes_are_found),
        TEST(determinism_is_verified_if_declared),
        TEST(must_be_nan_and_exempt_elements),
        TEST(the_cases_own_oracles_count),
        TEST(workspaces_are_guarded),
        TEST(set_up_and_tear_down_are_paired),
        TEST(a_failed_set_up_is_no_verdict),
        TEST(a_missing_symbol_is_no_verdict),
        TEST(faults_of_the_device_are_verdicts),
        TEST(a_hidden_wait_is_suspect),
        TEST(outputs_are_checked_again_after_timing),
        TEST(work_done_once_is_no_work),
        TEST(a_point_without_inputs_is_skipped),
        TEST(what_needs_a_gpu_is_unsupported_elsewhere),
        TEST(empty_points_pass),
        TEST(what_cannot_be_run_has_a_reason),
        TEST(cpu_variants_run_without_a_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
