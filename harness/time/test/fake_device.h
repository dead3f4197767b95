/* A device whose clock is data, for the tests of the timer: every wait, time and failure is
 * scripted. */
#ifndef ASSAY_TEST_FAKE_DEVICE_H
#define ASSAY_TEST_FAKE_DEVICE_H

#include "time/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares in double, within `tolerance`; cmocka's own comparison uses float. */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* ---- the scripted device: each call appends its letter to the log and moves the clock ---- */

enum {
    LOG_SIZE   = 1 << 20,
    KERNEL_NS  = 100000,
    CALL_NS    = 1000, /* time on the host's clock for each call of the device */
    SM_MHZ     = 1500,
    RECORD_GAP = 700, /* by which an event interval is longer than the record */
    NEVER      = -1,
};

static struct fake {
    char    log[LOG_SIZE];
    size_t  n_log;
    int64_t now_ns;
    int64_t (*kernel_ns)(int64_t launch); /* time of launch number i */
    int64_t n_launches;
    int64_t queued_ns, done_ns, mark_ns[ASSAY_N_MARKS];
    int64_t n_gates;
    bool    gate_is_closed;
    int64_t bad_gates_from, bad_gates_to; /* gates [from, to) time out */
    int64_t deep_gate; /* a gate with more launches than this behind it times out */
    int64_t behind_gate;
    int64_t fail_at;       /* call number that fails */
    int64_t fault_at;      /* launch number that the device refuses */
    int64_t wait_fault_at; /* launch number that faults while it runs */
    bool    is_lost; /* after a fault was reported, every call fails, as after a sticky error */
    bool    has_faulted;
    int64_t n_calls;
    bool    hangs; /* the host waited behind a closed gate */
    double (*sm_mhz)(int64_t launch);
    int     flush_kind;                              /* of the last flush */
    int64_t n_graphs, n_graphs_made, graph_fault_at; /* alive; ever made; which is refused */
    double  recorded_ns[64];                         /* samples not yet collected by the recorder */
    int64_t n_recorded, n_collected;
    int64_t lost_from, lost_to; /* samples, counted from 0, without a record */
} fake;

static inline int64_t constant_ns(int64_t launch)
{
    (void)launch;
    return KERNEL_NS;
}

static inline double constant_mhz(int64_t launch)
{
    (void)launch;
    return SM_MHZ;
}

static inline void reset_fake(void)
{
    memset(&fake, 0, sizeof fake);
    fake.kernel_ns      = constant_ns;
    fake.bad_gates_from = fake.bad_gates_to = NEVER;
    fake.lost_from = fake.lost_to = NEVER;
    fake.fail_at = fake.fault_at = fake.wait_fault_at = fake.graph_fault_at = NEVER;
    fake.sm_mhz                                                             = constant_mhz;
    fake.flush_kind                                                         = NEVER;
    fake.deep_gate                                                          = INT64_MAX;
    assay_status_reset();
}

static inline int64_t fake_now(void) { return fake.now_ns; }

static inline const char *fake_message(void) { return "scripted failure"; }

/* Every call of the device passes through here. */
static inline assay_status called(char letter)
{
    assert_true(fake.n_log + 1 < LOG_SIZE);
    fake.log[fake.n_log++] = letter;
    fake.now_ns += CALL_NS;
    if (fake.is_lost && fake.has_faulted)
        return ASSAY_E_DEVICE;
    return fake.n_calls++ == fake.fail_at ? ASSAY_E_DEVICE : ASSAY_OK;
}

static inline assay_status fake_flush(assay_device *device, assay_flush kind)
{
    (void)device;
    fake.flush_kind = (int)kind;
    return called('F');
}

static inline assay_status fake_close(assay_device *device)
{
    const assay_status st = called('G');

    (void)device;
    assert_false(fake.gate_is_closed);
    fake.gate_is_closed = st == ASSAY_OK;
    fake.behind_gate    = 0;
    fake.n_gates++;
    return st;
}

static inline assay_status fake_open(assay_device *device, bool *was_adequate)
{
    const int64_t      gate = fake.n_gates - 1;
    const assay_status st   = called('O');

    (void)device;
    assert_true(fake.gate_is_closed);
    fake.gate_is_closed = false;
    *was_adequate       = !(gate >= fake.bad_gates_from && gate < fake.bad_gates_to) &&
                    fake.behind_gate <= fake.deep_gate;
    if (fake.n_recorded < (int64_t)(sizeof fake.recorded_ns / sizeof fake.recorded_ns[0]))
        fake.recorded_ns[fake.n_recorded++] =
            (double)(fake.mark_ns[1] - fake.mark_ns[0] - RECORD_GAP);
    return st;
}

static inline assay_status fake_mark(assay_device *device, int slot)
{
    const assay_status st = called((char)('0' + slot));

    (void)device;
    assert_in_range(slot, 0, ASSAY_N_MARKS - 1);
    fake.mark_ns[slot] = fake.queued_ns;
    return st;
}

static inline assay_status fake_elapsed(assay_device *device, double *time_ns)
{
    const assay_status st = called('E');

    (void)device;
    assert_int_equal(fake.done_ns, fake.queued_ns); /* only after a wait */
    *time_ns = (double)(fake.mark_ns[1] - fake.mark_ns[0]);
    return st;
}

static inline assay_status fake_clock_end(assay_device *device)
{
    (void)device;
    assert_true(fake.gate_is_closed); /* after what is timed, before the gate opens */
    return called('C');
}

static inline assay_status fake_sm_clock(assay_device *device, double *mhz)
{
    (void)device;
    assert_int_equal(fake.done_ns, fake.queued_ns);
    *mhz = fake.sm_mhz(fake.n_launches - 1);
    return called('S');
}

static inline assay_status fake_enqueue(assay_device *device, assay_launch_fn *launch,
                                        const assay_args *args, assay_fault *fault)
{
    const assay_status st = called('L');
    const int64_t      i  = fake.n_launches++;

    (void)device;
    memset(fault, 0, sizeof *fault);
    if (i == fake.fault_at) {
        fake.has_faulted = true;
        fault->kind      = ASSAY_FAULT_LAUNCH;
        (void)snprintf(fault->text, sizeof fault->text, "refused");
        return ASSAY_OK;
    }
    fake.behind_gate++;
    fake.queued_ns += fake.kernel_ns(i);
    assert_int_equal(launch(args, NULL), 0);
    return st;
}

static inline assay_status fake_wait(assay_device *device, assay_fault *fault)
{
    (void)device;
    memset(fault, 0, sizeof *fault);
    fake.hangs = fake.hangs || fake.gate_is_closed;
    fake.now_ns += fake.queued_ns - fake.done_ns;
    fake.done_ns = fake.queued_ns;
    if (fake.wait_fault_at != NEVER && fake.n_launches > fake.wait_fault_at) {
        fake.log[fake.n_log++] = 'W';
        fake.has_faulted       = true;
        fault->kind            = ASSAY_FAULT_ADDRESS;
        (void)snprintf(fault->text, sizeof fault->text, "illegal address");
        return ASSAY_OK;
    }
    return called('W');
}

/* ---- graphs ---- */

struct assay_graph {
    int n_calls;
};

static inline assay_status fake_graph_make(assay_device *device, assay_launch_fn *launch,
                                           const assay_args *args, int n_calls, assay_graph **graph,
                                           assay_fault *fault)
{
    const assay_status st = called('M');

    (void)device, (void)launch, (void)args;
    memset(fault, 0, sizeof *fault);
    *graph = NULL;
    if (st != ASSAY_OK)
        return st;
    if (fake.n_graphs_made++ == fake.graph_fault_at) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)snprintf(fault->text, sizeof fault->text, "it cannot be captured");
        return ASSAY_OK;
    }
    *graph = malloc(sizeof **graph);
    assert_non_null(*graph);
    (*graph)->n_calls = n_calls;
    fake.n_graphs++;
    return ASSAY_OK;
}

static inline assay_status fake_graph_launch(assay_device *device, assay_graph *graph)
{
    (void)device;
    for (int i = 0; i < graph->n_calls; i++) {
        fake.behind_gate++;
        fake.queued_ns += fake.kernel_ns(fake.n_launches++);
    }
    return called('Y');
}

static inline void fake_graph_free(assay_device *device, assay_graph *graph)
{
    (void)device;
    fake.n_graphs -= graph != NULL;
    free(graph);
}

/* ---- activity records ---- */

static inline assay_status fake_collect(void *context, double *time_ns, int64_t n)
{
    const assay_status st = called('K');

    assert_ptr_equal(context, &fake);
    assert_int_equal(n, fake.n_recorded);
    for (int64_t i = 0; i < n; i++, fake.n_collected++)
        time_ns[i] = fake.n_collected >= fake.lost_from && fake.n_collected < fake.lost_to
                         ? (double)NAN
                         : fake.recorded_ns[i];
    fake.n_recorded = 0;
    return st;
}

static const assay_recorder fake_recorder = { &fake, fake_collect };

static const assay_device_api fake_api = {
    .abi          = ASSAY_DEVICE_ABI,
    .kind         = "fake",
    .clock_end    = fake_clock_end,
    .sm_clock     = fake_sm_clock,
    .graph_make   = fake_graph_make,
    .graph_launch = fake_graph_launch,
    .graph_free   = fake_graph_free,
    .message      = fake_message,
    .enqueue      = fake_enqueue,
    .wait         = fake_wait,
    .flush_cache  = fake_flush,
    .gate_close   = fake_close,
    .gate_open    = fake_open,
    .mark         = fake_mark,
    .elapsed      = fake_elapsed,
};

static inline assay_status fake_restore(void *context)
{
    assert_ptr_equal(context, &fake);
    return called('R');
}

static inline assay_status fake_spoil(void *context)
{
    assert_ptr_equal(context, &fake);
    return called('P');
}

static inline int launch_nothing(const assay_args *args, assay_stream stream)
{
    (void)args, (void)stream;
    return 0;
}

/* A CPU variant: it spends its time itself. */
static inline int run_on_cpu(const assay_args *args, assay_stream stream)
{
    const int64_t i = fake.n_launches++;

    (void)args, (void)stream;
    fake.now_ns += fake.kernel_ns(i);
    return i == fake.fault_at ? 42 : 0;
}

#endif
