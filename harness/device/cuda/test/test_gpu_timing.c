/* The CUDA device on a real GPU: gate, flush, marks and clocks. Times are printed for people to
 * judge. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_test.h"

#include "device/device_ceilings.h"
#include "time/timer.h"

#include <math.h>
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
    /* The first launch of a kernel loads it, which waits for the device, so it must not be behind a
     * closed gate. */
    assert_ok(api->enqueue(device, test_nothing, &args, &fault));
    assert_ok(api->wait(device, &fault));
    /* The host's wait is between the marks only if the gate held the second one. */
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
    assert_ok(api->wait(device, &fault)); /* it ends because the gate times out */
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_ok(api->gate_open(device, &was_adequate));
    assert_false(was_adequate);
    /* The time-out has no effect on the next gate. */
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
    /* The gate is left closed: closing the device must not hang. */
}

static void gpu_flush(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        assert_ok(api->flush_cache(device, ASSAY_FLUSH_WRITE));
        assert_ok(api->flush_cache(device, ASSAY_FLUSH_READ));
    }
    assert_ok(api->wait(device, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->flush_cache(device, (assay_flush)2), ASSAY_E_USAGE);
    assert_int_equal(api->flush_cache(device, (assay_flush)-1), ASSAY_E_USAGE);
}

/* ---- lines that persist in the L2 ---- */

static double time_of_reading(assay_launch_fn *launch, const assay_args *of, assay_regime regime)
{
    const assay_policy    policy = assay_policy_default();
    const assay_timer_job job    = { .api           = api,
                                     .device        = device,
                                     .launch        = launch,
                                     .args          = of,
                                     .is_repeatable = true,
                                     .l2_bytes      = info.l2_bytes };
    assay_measurement_row row    = { .n_samples = 0 };

    assert_ok(assay_timer_measure(&job, &policy, regime, ASSAY_CLOCK_EVENT, 0.5, &row, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    return row.median_ns;
}

/* Data of a quarter of the L2's size is to persist from call to call. A cold call reads it as
 * slowly as without persistence. */
static void gpu_flush_ends_persistence(void **state)
{
    int64_t    bytes    = info.l2_bytes / 4;
    void      *large[1] = { NULL };
    assay_args of       = { .buf = large, .count = count, .param = &bytes };
    int        most     = 0;
    double     cold_ns, asked_ns, hot_ns;

    (void)state;
    assert_int_equal(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0),
                     cudaSuccess);
    if (most < bytes)
        skip();
    assert_ok(api->alloc(device, (size_t)bytes, &large[0]));
    assert_int_equal(cudaMemset(large[0], 0, (size_t)bytes), cudaSuccess);
    cold_ns = time_of_reading(test_read, &of, ASSAY_REGIME_COLD);
    hot_ns  = time_of_reading(test_read, &of, ASSAY_REGIME_HOT);
    assert_int_equal(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)bytes),
                     cudaSuccess);
    asked_ns = time_of_reading(test_read_persisting, &of, ASSAY_REGIME_COLD);
    print_message("%lld bytes: cold %.1f us, hot %.1f us, cold and asked to persist %.1f us\n",
                  (long long)bytes, cold_ns * 1e-3, hot_ns * 1e-3, asked_ns * 1e-3);
    api->release(device, large[0]);
    assert_true(asked_ns > 0.9 * cold_ns);
}

/* ---- the spin's own reading ---- */

static uint64_t spin(int64_t time_ns)
{
    uint64_t length_ns = 0;

    param[0] = time_ns;
    assert_int_equal(run(assay_device_spin), ASSAY_FAULT_NONE);
    assert_ok(api->download(device, &length_ns, buffer[0], sizeof length_ns));
    return length_ns;
}

static void gpu_spin_reads_its_length(void **state)
{
    static const int64_t lengths_ns[] = { 0, 2000, 5000, 20000, 200000 };
    void                *none[1]      = { NULL };
    const assay_args     without[]    = { { .buf = NULL, .param = param },
                                          { .buf = none, .param = param } };

    (void)state;
    for (size_t i = 0; i < sizeof lengths_ns / sizeof lengths_ns[0]; i++) {
        const uint64_t read_ns = spin(lengths_ns[i]);

        print_message("spin of %lld ns read %llu ns\n", (long long)lengths_ns[i],
                      (unsigned long long)read_ns);
        if (read_ns < (uint64_t)lengths_ns[i])
            fail_msg("a spin of %lld ns ended after %llu", (long long)lengths_ns[i],
                     (unsigned long long)read_ns);
    }
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        assert_ok(api->enqueue(device, assay_device_spin, &without[i], &fault));
        assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
        assert_ok(api->wait(device, &fault));
        assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    }
}

/* ---- the SM's clock ---- */

/* Reads the clock around one gated launch. */
static double clock_around(assay_launch_fn *launch, const assay_args *its_args)
{
    bool   was_adequate = false;
    double mhz          = -1;

    assert_ok(api->gate_close(device));
    assert_ok(api->enqueue(device, launch, its_args, &fault));
    assert_ok(api->clock_end(device));
    assert_ok(api->gate_open(device, &was_adequate));
    assert_ok(api->wait(device, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_true(was_adequate);
    assert_ok(api->sm_clock(device, &mhz));
    return mhz;
}

/* Once after work that keeps one SM busy last, and once after work that keeps all of them busy. */
static void gpu_clock_is_read(void **state)
{
    enum {
        N = 200
    };
    static const struct {
        const char      *name;
        assay_launch_fn *launch;
        int64_t          count, param; /* of one call */
    } kernels[] = {
        { "null", assay_device_null, 1, 0 },
        { "spin 5 us", assay_device_spin, 1, 5000 },
        { "spin 100 us", assay_device_spin, 1, 100000 },
        { "fma, few blocks", assay_ceiling_fma, 1 << 14, 100 },
        { "fma, many blocks", assay_ceiling_fma, 1 << 22, 20 },
    };
    void            *memory[1] = { NULL };
    int64_t          n[1] = { 0 }, p[1] = { 0 };
    const assay_args its_args = { .buf = memory, .count = n, .param = p };

    (void)state;
    assert_ok(api->alloc(device, sizeof(float) << 22, &memory[0]));
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        double least = INFINITY, most = -INFINITY, sum = 0;
        int    n_known = 0;

        n[0] = kernels[k].count;
        p[0] = kernels[k].param;
        /* The first launch of a kernel loads it, so it must not be behind a closed gate. */
        assert_ok(api->enqueue(device, kernels[k].launch, &its_args, &fault));
        assert_ok(api->wait(device, &fault));
        for (int i = 0; i < N; i++) {
            const double mhz = clock_around(kernels[k].launch, &its_args);

            if (isnan(mhz))
                continue;
            if (!(mhz > 50 && mhz < 10000))
                fail_msg("%s: no SM runs at %g MHz", kernels[k].name, mhz);
            least = fmin(least, mhz);
            most  = fmax(most, mhz);
            sum += mhz;
            n_known++;
        }
        print_message("clock around %-16s: %.1f MHz, %.1f to %.1f, known %d of %d\n",
                      kernels[k].name, sum / n_known, least, most, n_known, N);
        if (n_known == 0)
            fail_msg("%s: gate and clock never ran on one SM", kernels[k].name);
    }
    api->release(device, memory[0]);
}

/* Without a second reading there is only the one from before, which is older. */
static void gpu_clock_needs_both_readings(void **state)
{
    bool   was_adequate = false;
    double mhz          = 0;

    (void)state;
    (void)clock_around(assay_device_null, &args);
    assert_ok(api->gate_close(device));
    assert_ok(api->gate_open(device, &was_adequate));
    assert_ok(api->wait(device, &fault));
    assert_ok(api->sm_clock(device, &mhz));
    assert_true(isnan(mhz));
}

/* ---- times: printed, never judged ---- */

static void print_time(int64_t length_ns, assay_regime regime, assay_clock clock)
{
    const assay_policy    policy  = assay_policy_default();
    const assay_timer_job job     = { .api           = api,
                                      .device        = device,
                                      .launch        = assay_device_spin,
                                      .args          = &args,
                                      .is_repeatable = true,
                                      .l2_bytes      = info.l2_bytes };
    assay_timer          *timer   = NULL;
    assay_measurement_row row     = { .n_samples = 0 };
    assay_samples         samples = { .n = 0 };
    uint64_t              read_ns = 0;

    param[0] = length_ns;
    assert_ok(assay_timer_create(&job, &policy, regime, clock, 0.2, &timer));
    assert_ok(assay_timer_warm_up(timer, &fault));
    for (int block = 0; block < 3; block++)
        assert_ok(assay_timer_take_block(timer, 0, block, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_ok(assay_timer_finish(timer, &row, &samples));
    assay_timer_free(timer);
    assert_ok(api->download(device, &read_ns, buffer[0], sizeof read_ns));
    print_message("spin %6.1f us (read %9.3f), %-5s by %-5s: median %9.3f us, q1 %9.3f, q3 %9.3f, "
                  "%5lld samples of %3lld calls, %lld discarded, %lld warm-up, %.1f MHz, %s, %.3f "
                  "s\n",
                  (double)length_ns * 1e-3, (double)read_ns * 1e-3, assay_regime_text(regime),
                  assay_clock_text(clock), row.median_ns * 1e-3, row.q1_ns * 1e-3, row.q3_ns * 1e-3,
                  (long long)row.n_samples, (long long)row.launches_per_sample,
                  (long long)row.n_discarded, (long long)row.n_warmup, row.sm_clock_mhz,
                  row.stop_reason, row.wall_s);
    if (row.n_samples == 0 || row.n_samples != samples.n)
        fail_msg("spin %lld, %s by %s: %lld samples in the row, %lld kept", (long long)length_ns,
                 assay_regime_text(regime), assay_clock_text(clock), (long long)row.n_samples,
                 (long long)samples.n);
    assay_samples_free(&samples);
}

static void gpu_times(void **state)
{
    static const struct {
        assay_regime regime;
        assay_clock  clock;
    } metrics[]                       = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT },
                                          { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
                                          { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH },
                                          { ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST } };
    static const int64_t lengths_ns[] = { 0, 2000, 5000, 20000, 200000 };

    (void)state;
    for (size_t i = 0; i < sizeof lengths_ns / sizeof lengths_ns[0]; i++)
        for (size_t m = 0; m < sizeof metrics / sizeof metrics[0]; m++)
            print_time(lengths_ns[i], metrics[m].regime, metrics[m].clock);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        GPU_TEST(gpu_gate_holds),
        GPU_TEST(gpu_gate_times_out),
        GPU_TEST(gpu_gate_and_marks_refuse_wrong_use),
        GPU_TEST(gpu_flush),
        GPU_TEST(gpu_flush_ends_persistence),
        GPU_TEST(gpu_spin_reads_its_length),
        GPU_TEST(gpu_clock_is_read),
        GPU_TEST(gpu_clock_needs_both_readings),
        GPU_TEST(gpu_times),
    };

    return run_gpu_tests(tests, sizeof tests / sizeof tests[0], argc, argv);
}
