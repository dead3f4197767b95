/* A device whose clock is data, for the tests of the timer: every wait, time and failure is
 * scripted. */
#ifndef ASSAY_TEST_FAKE_DEVICE_H
#define ASSAY_TEST_FAKE_DEVICE_H

#include "timer.h"

#include "stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Within `tolerance`, in double; cmocka's own compares floats. */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* ---- the scripted device: each call appends its letter to the log and moves the clock ---- */

enum {
    LOG_SIZE     = 1 << 20,
    KERNEL_NS    = 100000,
    CALL_NS      = 1000, /* of the host's clock, for each call of the device */
    NEVER        = -1,
    MANY_SAMPLES = 2000,
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
    int64_t deep_gate;                    /* more launches than this behind a gate: it times out */
    int64_t behind_gate;
    int64_t fail_at;       /* call number that fails */
    int64_t fault_at;      /* launch number that the device refuses */
    int64_t wait_fault_at; /* launch number that faults while it runs */
    bool    is_lost;       /* after a fault is reported every call fails, as after a sticky error */
    bool    has_faulted;
    int64_t n_calls;
    bool    hangs; /* waited behind a closed gate */
} fake;

static inline int64_t constant_ns(int64_t launch)
{
    (void)launch;
    return KERNEL_NS;
}

static inline void reset_fake(void)
{
    memset(&fake, 0, sizeof fake);
    fake.kernel_ns      = constant_ns;
    fake.bad_gates_from = fake.bad_gates_to = NEVER;
    fake.fail_at = fake.fault_at = fake.wait_fault_at = NEVER;
    fake.deep_gate                                    = INT64_MAX;
    assay_status_reset();
}

static inline int64_t fake_now(void) { return fake.now_ns; }

static inline const char *fake_message(void) { return "scripted failure"; }

/* Every call of the device passes here. */
static inline assay_status called(char letter)
{
    assert_true(fake.n_log + 1 < LOG_SIZE);
    fake.log[fake.n_log++] = letter;
    fake.now_ns += CALL_NS;
    if (fake.is_lost && fake.has_faulted)
        return ASSAY_E_DEVICE;
    return fake.n_calls++ == fake.fail_at ? ASSAY_E_DEVICE : ASSAY_OK;
}

static inline assay_status fake_flush(assay_device *device)
{
    (void)device;
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

static const assay_device_api fake_api = {
    .abi         = ASSAY_DEVICE_ABI,
    .kind        = "fake",
    .message     = fake_message,
    .enqueue     = fake_enqueue,
    .wait        = fake_wait,
    .flush_cache = fake_flush,
    .gate_close  = fake_close,
    .gate_open   = fake_open,
    .mark        = fake_mark,
    .elapsed     = fake_elapsed,
};

static inline assay_status fake_restore(void *context)
{
    assert_ptr_equal(context, &fake);
    return called('R');
}

static inline int launch_nothing(const assay_args *args, assay_stream stream)
{
    (void)args, (void)stream;
    return 0;
}

/* A CPU variant: it takes its time itself. */
static inline int run_on_cpu(const assay_args *args, assay_stream stream)
{
    const int64_t i = fake.n_launches++;

    (void)args, (void)stream;
    fake.now_ns += fake.kernel_ns(i);
    return i == fake.fault_at ? 42 : 0;
}

/* ---- running it ---- */

static const assay_args no_args;

static struct outcome {
    assay_measurement_row row;
    assay_samples         samples;
    assay_fault           fault;
} got;

static const assay_timer_job device_job = {
    .api = &fake_api, .launch = launch_nothing, .args = &no_args, .now_ns = fake_now
};
static const assay_timer_job restored_job = { .api     = &fake_api,
                                              .launch  = launch_nothing,
                                              .args    = &no_args,
                                              .restore = fake_restore,
                                              .context = &fake,
                                              .now_ns  = fake_now };
static const assay_timer_job cpu_job      = { .launch = run_on_cpu,
                                              .args   = &no_args,
                                              .now_ns = fake_now };

static inline assay_status run(const assay_timer_job *job, const char *regime,
                               const assay_timer_policy *policy)
{
    const assay_timer_policy standard = assay_timer_default();

    assay_samples_free(&got.samples);
    memset(&got, 0, sizeof got);
    return assay_timer_run(job, regime, policy ? policy : &standard, &got.row, &got.samples,
                           &got.fault);
}

static inline int setup(void **state)
{
    (void)state;
    reset_fake();
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    assay_samples_free(&got.samples);
    return 0;
}

/* The log must be `first` and then `period` over and over. */
static inline void assert_log(const char *first, const char *period)
{
    const size_t n_first = strlen(first), n_period = strlen(period);

    assert_true(fake.n_log > n_first + n_period);
    assert_memory_equal(fake.log, first, n_first);
    assert_int_equal((fake.n_log - n_first) % n_period, 0);
    for (size_t i = n_first; i < fake.n_log; i += n_period)
        assert_memory_equal(fake.log + i, period, n_period);
}

/* ---- times of launches ---- */

static int64_t launch_ns; /* of every launch, in the tests that vary it */

static inline int64_t given_ns(int64_t launch)
{
    (void)launch;
    return launch_ns;
}

static inline int64_t noisy_ns(int64_t launch)
{
    return KERNEL_NS + 500 * ((launch * 7919) % 101); /* spread over half the time, no drift */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
