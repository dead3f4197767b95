/* The CUDA device on a real GPU: gate, flush and marks, and times printed for people to judge. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_test.h"

#include "timer.h"

#include <time.h>

static void sleep_ns(int64_t time_ns)
{
    const struct timespec time = { time_ns / 1000000000, time_ns % 1000000000 };

    assert_int_equal(nanosleep(&time, NULL), 0);
}

static void gpu_gate_holds(void **state)
{
    const int64_t held_ns      = 50000000;
    bool          was_adequate = false;
    double        time_ns      = 0;

    (void)state;
    /* A kernel's first launch loads it, which waits for the device: never behind a closed gate. */
    assert_ok(api->enqueue(device, test_nothing, &args, &fault));
    assert_ok(api->wait(device, &fault));
    /* The wait of the host shows between the marks only if the gate held the second one. */
    assert_ok(api->mark(device, 0));
    assert_ok(api->gate_close(device));
    assert_ok(api->enqueue(device, test_nothing, &args, &fault));
    assert_ok(api->mark(device, 1));
    sleep_ns(held_ns);
    assert_ok(api->gate_open(device, &was_adequate));
    assert_ok(api->wait(device, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_ok(api->elapsed(device, &time_ns));
    print_message("held for %.3f ms\n", time_ns * 1e-6);
    assert_true(was_adequate);
    assert_true(time_ns >= 0.9 * (double)held_ns);
}

static void gpu_gate_times_out(void **state)
{
    bool was_adequate = true;

    (void)state;
    assert_ok(api->gate_close(device));
    assert_ok(api->wait(device, &fault)); /* ends because the gate gives up */
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_ok(api->gate_open(device, &was_adequate));
    assert_false(was_adequate);
    /* The next gate knows nothing of it. */
    assert_ok(api->gate_close(device));
    assert_ok(api->gate_open(device, &was_adequate));
    assert_true(was_adequate);
    assert_ok(api->wait(device, &fault));
}

static void gpu_gate_and_marks_refuse_wrong_use(void **state)
{
    bool was_adequate = true;

    (void)state;
    assert_int_equal(api->gate_open(device, &was_adequate), ASSAY_E_USAGE);
    assert_ok(api->gate_close(device));
    assert_int_equal(api->gate_close(device), ASSAY_E_USAGE);
    assert_int_equal(api->mark(device, -1), ASSAY_E_USAGE);
    assert_int_equal(api->mark(device, ASSAY_N_MARKS), ASSAY_E_USAGE);
    /* Left closed: closing the device must not hang. */
}

/* Printed, never judged. */
static void gpu_times(void **state)
{
    static const char *const regimes[] = { "cold", "hot", "e2e" };
    static const int64_t     lengths[] = { 0, 5000, 20000, 200000 };
    const assay_timer_policy policy    = assay_timer_default();
    const assay_timer_job    job       = { .api      = api,
                                           .device   = device,
                                           .launch   = assay_device_spin,
                                           .args     = &args,
                                           .l2_bytes = info.l2_bytes };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t r = 0; r < sizeof regimes / sizeof regimes[0]; r++) {
            assay_measurement_row row     = { .n_samples = 0 };
            assay_samples         samples = { .n = 0 };

            param[0] = lengths[i];
            assert_ok(assay_timer_run(&job, regimes[r], &policy, &row, &samples, &fault));
            assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
            assert_true(row.n_samples >= 20);
            assert_int_equal(row.n_samples, samples.n);
            print_message("spin %6.1f us, %-4s: median %9.3f us, q1 %9.3f, q3 %9.3f, %4lld samples "
                          "of %2lld, %lld discarded, %lld warm-up, %s, %.3f s\n",
                          (double)lengths[i] * 1e-3, regimes[r], row.median_ns * 1e-3,
                          row.q1_ns * 1e-3, row.q3_ns * 1e-3, (long long)row.n_samples,
                          (long long)row.launches_per_sample, (long long)samples.n_discarded,
                          (long long)row.n_warmup, row.stop_reason, row.wall_s);
            assay_samples_free(&samples);
        }
}

static void gpu_flush(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_ok(api->flush_cache(device));
    assert_ok(api->wait(device, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        GPU_TEST(gpu_gate_holds),
        GPU_TEST(gpu_gate_times_out),
        GPU_TEST(gpu_gate_and_marks_refuse_wrong_use),
        GPU_TEST(gpu_times),
        GPU_TEST(gpu_flush),
    };

    return run_gpu_tests(tests, sizeof tests / sizeof tests[0], argc, argv);
}
