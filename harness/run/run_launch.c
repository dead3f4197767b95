/* Findings, launches and buffers of one point. */
#include "run_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "device/declared.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* For one run of a kernel, unless the variant sets a limit. */
static const double LAUNCH_LIMIT_S = 60;

/* ---- verdicts ---- */

void assay_run_add_finding(progress *p, assay_verdict verdict, const char *reason)
{
    if (verdict <= p->row.verdict)
        return;
    p->row.verdict = verdict;
    (void)assay_text_set(p->row.reason, sizeof p->row.reason, "%s", reason);
}

bool assay_run_has_failed(const progress *p) { return p->row.verdict > ASSAY_PASS; }

void assay_run_add_fault(progress *p, const assay_fault *fault)
{
    static const assay_verdict verdicts[] = {
        [ASSAY_FAULT_NONE]        = ASSAY_PASS,
        [ASSAY_FAULT_LAUNCH]      = ASSAY_LAUNCH_FAILED,
        [ASSAY_FAULT_ADDRESS]     = ASSAY_OUT_OF_BOUNDS,
        [ASSAY_FAULT_BARRIER]     = ASSAY_DEADLOCK,
        [ASSAY_FAULT_DEADLOCK]    = ASSAY_DEADLOCK,
        [ASSAY_FAULT_MISUSE]      = ASSAY_MISUSE,
        [ASSAY_FAULT_HIDDEN_SYNC] = ASSAY_SUSPECT,
        [ASSAY_FAULT_OTHER]       = ASSAY_CRASHED,
        [ASSAY_FAULT_FLOAT_MODE]  = ASSAY_SUSPECT,
        [ASSAY_FAULT_IDLE]        = ASSAY_SUSPECT,
    };

    if (fault->kind == ASSAY_FAULT_NONE || fault->kind == ASSAY_FAULT_PEER)
        return;
    assay_run_add_finding(p, verdicts[fault->kind], fault->text);
    /* CUDA's errors of a running kernel stay with the context; the error of a refused launch does
     * not. */
    if (fault->kind != ASSAY_FAULT_HIDDEN_SYNC && fault->kind != ASSAY_FAULT_LAUNCH &&
        fault->kind != ASSAY_FAULT_FLOAT_MODE && fault->kind != ASSAY_FAULT_IDLE)
        p->runner->is_spent = true;
}

/* ---- the floating-point mode ---- */

static _Atomic bool pool_was_clean;

static void reset_pool_thread(void)
{
    if (!assay_float_mode_reset(NULL))
        pool_was_clean = false;
}

/* OpenMP keeps its threads, and each keeps its mode. */
static bool reset_pool(const progress *p)
{
    pool_was_clean = true;
    if ((p->variant->flags & ASSAY_THREADED) && assay_each_openmp_thread)
        assay_each_openmp_thread(reset_pool_thread);
    return pool_was_clean;
}

void assay_run_leave_mode(progress *p, const fenv_t *mode, const char *whose)
{
    char what[ASSAY_FLOAT_MODE_SIZE] = "on a thread of OpenMP";
    char reason[ASSAY_REASON_SIZE];
    bool is_clean = assay_float_mode_leave(mode, what);

    is_clean = reset_pool(p) && is_clean;
    if (is_clean)
        return;
    (void)assay_text_set(reason, sizeof reason,
                         "%s leaves the floating-point mode changed (%s): all that runs after it "
                         "in its process computes otherwise; set it back before returning",
                         whose, what);
    assay_run_add_finding(p, ASSAY_SUSPECT, reason);
}

/* A mode that the device has seen changed is a finding; the launch itself counts as any other. */
static void find_mode(progress *p, assay_fault *fault)
{
    if (fault->kind != ASSAY_FAULT_FLOAT_MODE)
        return;
    assay_run_add_fault(p, fault);
    fault->kind = ASSAY_FAULT_NONE;
}

/* ---- launching ---- */

/* Returns how many input classes the point is checked with before this one. */
static int classes_before(const progress *p)
{
    int n = 0;

    for (int input = 0; input < (int)p->inputs->input; input++)
        n += assay_point_wants_input(p->point, (assay_input)input);
    return n;
}

/* From the third launch on, orders are drawn, alternately unfair and fair. Points of the full tier
 * run on all OS threads; unfair schedules run on one. */
static assay_order order_of(const progress *p, int run)
{
    if (run < 2)
        return run == 0 ? ASSAY_ASCENDING : ASSAY_DESCENDING;
    return p->point->tier == ASSAY_QUICK && (classes_before(p) + run) % 2 == 0 ? ASSAY_UNFAIR
                                                                               : ASSAY_SHUFFLED;
}

static const assay_schedule *schedule_of(const progress *p, int run, assay_schedule *schedule)
{
    schedule->order = order_of(p, run);
    schedule->seed  = p->point->seed + (uint64_t)run;
    if (schedule->order == ASSAY_UNFAIR)
        schedule->seed += (uint64_t)p->inputs->input << 32; /* a different one for each class */
    return schedule;
}

double assay_run_launch_limit_s(const progress *p)
{
    return p->variant->time_limit_s > 0 ? p->variant->time_limit_s : LAUNCH_LIMIT_S;
}

/* ---- the first call of a process ---- */

static bool is_of_another_case(const progress *p)
{
    const assay_case *served = p->runner->launched_case;

    return served && served != p->point->definition;
}

static uint32_t bit_of(const progress *p) { return UINT32_C(1) << p->point->variant; }

/* If the process has served another case meanwhile, it is not known whether it had launched this
 * variant before. */
bool assay_run_has_launched(const progress *p)
{
    return is_of_another_case(p) || (p->runner->launched & bit_of(p));
}

static void note_launched(const progress *p)
{
    if (is_of_another_case(p))
        p->runner->launched = UINT32_MAX;
    p->runner->launched |= bit_of(p);
    p->runner->launched_case = p->point->definition;
}

assay_status assay_run_put_first_call(const progress *p)
{
    assay_metric_row row = { .value = p->first_ns, .n_passes = 1 };

    if (isnan(p->first_ns))
        return ASSAY_OK;
    (void)assay_text_set(row.name, sizeof row.name, "%s", ASSAY_FIRST_CALL);
    (void)assay_text_set(row.status, sizeof row.status, "ok");
    (void)assay_text_set(row.replay, sizeof row.replay, "first");
    return assay_run_put(p, ASSAY_ROW_METRIC, &row);
}

/* On a GPU, the time of what was enqueued begins here. It is not the launcher's time, and not a
 * wait for a CPU (base/patience.h). The host device has already run it. */
static assay_status note_kernel(const progress *p)
{
    return p->runner->lane == ASSAY_LANE_CUDA
               ? p->sink->note(p->sink->context, p->place, "kernel", assay_run_launch_limit_s(p))
               : ASSAY_OK;
}

static void note_remark(progress *p, const assay_fault *fault)
{
    if (fault->kind == ASSAY_FAULT_NONE && fault->text[0] && !p->remark[0])
        (void)assay_text_set(p->remark, sizeof p->remark, "%s", fault->text);
}

/* Keeps the device's note on a launch that went well: the first note that it gives. */
static void keep_note(progress *p, const assay_fault *fault)
{
    if (fault->kind == ASSAY_FAULT_NONE && !p->note[0])
        (void)assay_text_set(p->note, sizeof p->note, "%s", fault->text);
}

/* Launches once and waits. */
assay_status assay_run_launch(progress *p, int run, assay_fault *fault)
{
    assay_status            st         = ASSAY_OK;
    const assay_device_api *api        = p->memory.api;
    const bool              is_first   = !assay_run_has_launched(p);
    const int64_t           set_before = assay_run_settings(p);
    double                  began_s    = NAN;
    assay_schedule          schedule;
    fenv_t                  mode;

    memset(fault, 0, sizeof *fault);
    note_launched(p);
    if (assay_variant_is_peer(p->variant))
        return assay_run_ask_peer(p, fault);
    assay_float_mode_enter(&mode);
    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "launch", assay_run_launch_limit_s(p)));
    began_s = assay_clock_s();
    if (!api) {
        const int error = p->launcher.launch(&p->args, NULL);

        if (error) {
            fault->kind = ASSAY_FAULT_LAUNCH;
            (void)assay_text_set(fault->text, sizeof fault->text,
                                 "the CPU variant returned error %d", error);
        }
        goto out;
    }
    api->schedule(p->runner->device, schedule_of(p, run, &schedule));
    st = api->enqueue(p->runner->device, p->launcher.launch, &p->args, fault);
    note_remark(p, fault);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE) {
        ASSAY_CHECK(note_kernel(p));
        st = api->wait(p->runner->device, fault);
        keep_note(p, fault);
    }
    if (st != ASSAY_OK)
        st = ASSAY_FAIL(st, "%s", api->message());
    assay_run_note_launch(p, set_before);
out:
    find_mode(p, fault);
    assay_run_leave_mode(
        p, &mode, assay_variant_is_launched(p->variant) ? "the launcher" : "the CPU variant");
    if (st == ASSAY_OK && is_first)
        p->first_ns = 1e9 * (assay_clock_s() - began_s);
    return st;
}

/* Does the launcher wait or allocate without telling? Also counts its kernels. */
assay_status assay_run_probe(progress *p)
{
    assay_status            st    = ASSAY_OK;
    const assay_device_api *api   = p->memory.api;
    assay_fault             fault = { .kind = ASSAY_FAULT_NONE };
    fenv_t                  mode;

    p->row.launches = -1;
    assay_float_mode_enter(&mode);
    if (!api || (p->variant->flags & ASSAY_HOST_SYNC))
        goto out;
    note_launched(p); /* a capture loads the kernels too */
    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "probe", assay_run_launch_limit_s(p)));
    st = api->probe(p->runner->device, p->launcher.launch, &p->args, &p->row.launches, &fault);
    if (st != ASSAY_OK)
        st = ASSAY_FAIL(st, "%s", api->message());
    assay_run_add_fault(p, &fault);
out:
    assay_run_leave_mode(p, &mode, "the launcher");
    return st;
}

/* ---- buffers and variant state ---- */

void assay_run_bind(progress *p)
{
    const assay_inputs *inputs = p->inputs;

    p->args.buf             = p->buffers.data;
    p->args.count           = p->buffers.count;
    p->args.param           = inputs->shape.param;
    p->args.scalar          = inputs->shape.scalar;
    p->args.tune            = p->variant->tuning[0].name ? p->point->tune : NULL;
    p->args.workspace       = p->buffers.workspace;
    p->args.workspace_bytes = p->buffers.workspace_bytes;
    p->args.state           = p->state;
    p->args.plan            = &p->plan;
}

assay_status assay_run_set_up(progress *p)
{
    assay_status  st              = ASSAY_OK;
    assay_inputs *inputs          = p->inputs;
    size_t        workspace_bytes = 0;
    int           error           = 0;
    fenv_t        mode;

    p->buffers = (assay_buffers) { .n = 0 };
    memcpy(p->buffers.count, inputs->count, sizeof inputs->count);
    assay_run_bind(p);
    p->args.buf = NULL;
    assay_float_mode_enter(&mode);
    if (p->launcher.workspace)
        workspace_bytes = p->launcher.workspace(&p->args);
    ASSAY_CHECK(assay_buffers_create(p->memory, &inputs->shape, workspace_bytes, &p->buffers));
    assay_run_bind(p);
    const int64_t set_before = assay_run_settings(p);

    if (p->variant->kernels)
        ASSAY_CHECK(assay_declared_plan(&p->runner->module, p->point, &inputs->shape, &p->plan));
    if (p->launcher.setup)
        error = p->launcher.setup(&p->args, &p->state);
    assay_run_note_set_up(p, set_before);
    if (error == ASSAY_NOT_HERE) {
        const char *reason = p->state;

        p->state = NULL; /* nothing for teardown */
        ASSAY_REQUIRE(false, ASSAY_E_UNSUPPORTED, "%s", reason ? reason : "without a reason");
    }
    assay_run_bind(p);
    ASSAY_REQUIRE(error == 0, ASSAY_E_DEVICE, "the set-up of '%s' returned error %d",
                  p->variant->name, error);
    p->row.workspace_bytes = (int64_t)workspace_bytes;
    p->row.device_bytes    = p->buffers.total_bytes;
    if (assay_variant_is_peer(p->variant))
        ASSAY_CHECK(assay_run_open_peer(p));
out:
    assay_run_leave_mode(p, &mode, "the set-up");
    return st;
}

void assay_run_tear_down(progress *p)
{
    if (p->launcher.teardown)
        p->launcher.teardown(p->state);
    p->state = NULL;
    assay_declared_free(&p->plan);
    assay_peer_close(p->runner->peer);
    assay_buffers_free(&p->buffers);
}
