/* Counting without a GPU: passes, values by name, and a status for everything that CUPTI can
 * refuse. */
#include "fake_cupti.h"

/* ---- without any failure ---- */

static void user_replay_resets_before_each_pass(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    usual_metrics(metrics);
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
    assert_int_equal(n_passes, 2);
    assert_string_equal(fake.log, "rw[(lw)]rw[(lw)]");
    assert_int_equal(call.n_resets, 2);
    assert_int_equal(call.n_launches, 2);
    assert_all(metrics, ASSAY_METRIC_OK, "");
    assert_true(metrics[0].value == 10);
    assert_metric(&metrics[N - 1], ASSAY_METRIC_UNSUPPORTED, "GH100 has no such metric");
}

/* Counts are summed over kernels; any other metric is the mean over the kernels that have a
 * value. */
static void kernel_replay_adds_kernels_up(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    fake.n_ranges = 3; /* 10, 20, 30 */
    usual_metrics(metrics);
    assert_int_equal(count(ASSAY_REPLAY_KERNEL, metrics, N, &n_passes), ASSAY_OK);
    assert_string_equal(fake.log, "rw[lw]");
    assert_true(fake.max_ranges >= 256);
    assert_all(metrics, ASSAY_METRIC_OK, "");
    assert_true(metrics[0].value == 60);
    assert_true(metrics[1].value == 20);
    assert_true(metrics[2].value == 10);
    assert_true(metrics[3].value == 20);
}

static void one_opening_counts_many_calls(void **state)
{
    assay_metric_value metrics[N], swapped;
    assay_counters    *counters = NULL;
    int                n_passes = 0;

    (void)state;
    usual_metrics(metrics);
    assert_int_equal(
        assay_cupti_counters_open(0, ASSAY_REPLAY_USER, metrics, N, &n_passes, &counters),
        ASSAY_OK);
    assert_non_null(counters);
    swapped    = metrics[0];
    metrics[0] = metrics[N - 1];
    metrics[1] = swapped;
    for (int i = 0; i < 3; i++) {
        metrics[1].value = 0;
        assert_int_equal(
            assay_cupti_counters_measure(counters, reset_call, launch_call, &call, metrics, 2),
            ASSAY_OK);
        assert_metric(&metrics[0], ASSAY_METRIC_UNSUPPORTED, "no such metric");
        assert_true(metrics[1].value == 10);
    }
    assert_int_equal(call.n_launches, 6);
    assay_cupti_counters_close(counters);
}

static void a_metric_must_have_been_asked_for(void **state)
{
    assay_metric_value metric = { .name = "a__count.sum" }, other = { .name = "a__other.sum" };
    assay_counters    *counters = NULL;
    int                n_passes = 0;

    (void)state;
    assert_int_equal(
        assay_cupti_counters_open(0, ASSAY_REPLAY_USER, &metric, 1, &n_passes, &counters),
        ASSAY_OK);
    assert_int_equal(
        assay_cupti_counters_measure(counters, reset_call, launch_call, &call, &other, 1),
        ASSAY_OK);
    assert_metric(&other, ASSAY_METRIC_FAILED, "not asked for");
    assay_cupti_counters_close(counters);
}

static void a_metric_without_a_value_fails_alone(void **state)
{
    assay_metric_value metrics[2] = { { .name = "a__none.sum" }, { .name = "a__count.sum" } };
    int                n_passes   = 0;

    (void)state;
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, 2, &n_passes), ASSAY_OK);
    assert_metric(&metrics[0], ASSAY_METRIC_FAILED, "no value");
    assert_metric(&metrics[1], ASSAY_METRIC_OK, "");
}

static void what_the_device_lacks_is_left_out(void **state)
{
    assay_metric_value metrics[2] = { { .name = "gone__x.sum" }, { .name = "a__count.sum" } };
    int                n_passes   = 0;

    (void)state;
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, 2, &n_passes), ASSAY_OK);
    assert_metric(&metrics[0], ASSAY_METRIC_UNSUPPORTED, "this device does not offer it");
    assert_metric(&metrics[1], ASSAY_METRIC_OK, "");
}

static void what_does_not_fit_is_left_out(void **state)
{
    assay_metric_value metrics[3] = { { .name = "clash__a.sum" },
                                      { .name = "clash__b.sum" },
                                      { .name = "a__count.sum" } };
    int                n_passes   = 0;

    (void)state;
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, 3, &n_passes), ASSAY_OK);
    assert_metric(&metrics[0], ASSAY_METRIC_OK, "");
    assert_metric(&metrics[1], ASSAY_METRIC_UNSUPPORTED, "does not go with");
    assert_metric(&metrics[2], ASSAY_METRIC_OK, "");
}

static void device_level_metrics_need_no_availability(void **state)
{
    assay_metric_value pcie[2]  = { { .name = "pcie__a.sum" }, { .name = "pcie__b.sum" } };
    assay_metric_value mixed[2] = { { .name = "pcie__a.sum" }, { .name = "a__count.sum" } };
    assay_counters    *counters = NULL;
    int                n_passes = 0;

    (void)state;
    assert_int_equal(assay_cupti_counters_open(0, ASSAY_REPLAY_USER, pcie, 2, &n_passes, &counters),
                     ASSAY_OK);
    assert_non_null(counters);
    assert_string_equal(fake.log, "");
    assay_cupti_counters_close(counters);
    assert_int_equal(
        assay_cupti_counters_open(0, ASSAY_REPLAY_USER, mixed, 2, &n_passes, &counters), ASSAY_OK);
    assert_string_equal(fake.log, "aa");
    assay_cupti_counters_close(counters);
    assert_metric(&mixed[0], ASSAY_METRIC_UNSUPPORTED, "device-level: ask for it alone");
    assert_int_equal(mixed[1].status, ASSAY_METRIC_OK);
}

static void nothing_countable_opens_nothing(void **state)
{
    assay_metric_value metric   = { .name = "bad__name.sum" };
    assay_counters    *counters = (assay_counters *)1;
    int                n_passes = -1;

    (void)state;
    assert_int_equal(
        assay_cupti_counters_open(0, ASSAY_REPLAY_USER, &metric, 1, &n_passes, &counters),
        ASSAY_OK);
    assert_null(counters);
    assert_int_equal(n_passes, 0);
}

/* ---- what CUPTI refuses ---- */

/* Wherever CUPTI refuses, counting ends with a status for each metric, and the run goes on. */
static void every_refusal_is_a_status(void **state)
{
    static const char *const calls[] = {
        "cuptiProfilerInitialize",
        "cuptiProfilerDeviceSupported",
        "cuptiProfilerGetCounterAvailability",
        "cuptiRangeProfilerEnable",
        "cuptiRangeProfilerGetCounterDataSize",
        "cuptiRangeProfilerCounterDataImageInitialize",
        "cuptiRangeProfilerSetConfig",
        "cuptiRangeProfilerStart",
        "cuptiRangeProfilerPushRange",
        "cuptiRangeProfilerPopRange",
        "cuptiRangeProfilerStop",
        "cuptiRangeProfilerDecodeData",
        "cuptiRangeProfilerGetCounterDataInfo",
        "cuptiProfilerHostEvaluateToGpuValues",
    };
    static const struct {
        CUptiResult         result;
        assay_metric_status status;
        const char         *words;
    } refusals[] = {
        { CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, ASSAY_METRIC_NO_PERMISSION,
          "NVreg_RestrictProfilingToAdminUsers=0" },
        { CUPTI_ERROR_HARDWARE_BUSY, ASSAY_METRIC_FAILED, "another profiler holds the counters" },
        { CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED, "MIG" },
        { CUPTI_ERROR_UNKNOWN, ASSAY_METRIC_FAILED, ": error 999" },
    };

    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
            assay_metric_value metrics[N];
            int                n_passes = 0;

            (void)start_test(state);
            fake.fails_at = calls[c];
            fake.result   = refusals[r].result;
            usual_metrics(metrics);
            assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
            assert_string_equal(assay_status_message(), "");
            assert_all(metrics, refusals[r].status, refusals[r].words);
            if (refusals[r].result == CUPTI_ERROR_UNKNOWN)
                assert_all(metrics, refusals[r].status, calls[c]);
            (void)end_test(state);
        }
    }
}

/* A range that was begun is ended, as the log shows; the caller gets the first status back. */
static void a_range_that_fails_is_ended(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    usual_metrics(metrics);
    call.launch = ASSAY_E_INTERNAL;
    assert_failed_with(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_E_INTERNAL,
                       "the launch failed while it was counted");
    assert_string_equal(fake.log, "rw[(l)]");
    call.launch = ASSAY_OK;
    call.reset  = ASSAY_E_DEVICE_MEMORY;
    assert_failed_with(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_E_DEVICE_MEMORY,
                       "what prepares the launch failed");
    assert_string_equal(fake.log, "r");
    call.reset       = ASSAY_OK;
    fake.wait_status = ASSAY_E_DEVICE;
    assert_int_equal(count(ASSAY_REPLAY_KERNEL, metrics, N, &n_passes), ASSAY_E_DEVICE);
    assert_string_equal(fake.log, "rw");
}

/* Measurements are independent: an earlier refusal or failed launch has no effect. */
static void counting_goes_on_after_a_failure(void **state)
{
    assay_metric_value metric   = { .name = "a__count.sum" };
    assay_counters    *counters = NULL;
    int                n_passes = 0;

    (void)state;
#define MEASURE() assay_cupti_counters_measure(counters, reset_call, launch_call, &call, &metric, 1)
    assert_int_equal(
        assay_cupti_counters_open(0, ASSAY_REPLAY_USER, &metric, 1, &n_passes, &counters),
        ASSAY_OK);
    fake.fails_at = "cuptiRangeProfilerStart";
    fake.result   = CUPTI_ERROR_HARDWARE_BUSY;
    assert_int_equal(MEASURE(), ASSAY_OK);
    assert_metric(&metric, ASSAY_METRIC_FAILED, "another profiler");
    assert_int_equal(MEASURE(), ASSAY_OK);
    fake.fails_at = NULL;
    assert_int_equal(MEASURE(), ASSAY_OK); /* the metric keeps the status that the caller set */
    assert_metric(&metric, ASSAY_METRIC_FAILED, "another profiler");
    metric      = (assay_metric_value) { .name = "a__count.sum", .value = NAN };
    call.launch = ASSAY_E_DEVICE;
    assert_int_equal(MEASURE(), ASSAY_E_DEVICE);
    assert_int_equal(metric.status, ASSAY_METRIC_OK);
    assert_true(isnan(metric.value));
    call.launch = ASSAY_OK;
    assert_int_equal(MEASURE(), ASSAY_OK);
    assert_metric(&metric, ASSAY_METRIC_OK, "");
    assay_cupti_counters_close(counters);
#undef MEASURE
}

/* ---- numbers of CUPTI that are not believed ---- */

static void numbers_that_cannot_be_are_refused(void **state)
{
    static const struct {
        size_t      n_ranges, n_dropped;
        bool        is_endless;
        const char *words;
    } rows[] = {
        { 1, 3, false, "lost 3 ranges" },
        { 0, 0, false, "launched no kernel" },
        { 2, 0, false, "2 ranges for one" },
        { 1, 0, true, "not done after 3 launches for 2 passes" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_metric_value metrics[N];
        int                n_passes = 0;

        (void)start_test(state);
        fake.n_ranges   = rows[i].n_ranges;
        fake.n_dropped  = rows[i].n_dropped;
        fake.is_endless = rows[i].is_endless;
        usual_metrics(metrics);
        assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
        assert_all(metrics, ASSAY_METRIC_FAILED, rows[i].words);
        assert_metric(&metrics[N - 1], ASSAY_METRIC_UNSUPPORTED, "no such metric");
    }
}

/* ---- where counting is not possible at all ---- */

static void a_device_that_cannot_be_profiled_says_why(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    fake.is_confidential = true;
    usual_metrics(metrics);
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
    assert_all(metrics, ASSAY_METRIC_UNSUPPORTED, "confidential computing");
    assert_int_equal(call.n_launches, 0);
}

static void a_chip_newer_than_cupti_is_unsupported(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    fake.fails_at = "cuptiProfilerHostInitialize";
    fake.result   = CUPTI_ERROR_INVALID_CHIP_NAME;
    usual_metrics(metrics);
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
    assert_all(metrics, ASSAY_METRIC_UNSUPPORTED, "does not know the chip GH100");
    usual_metrics(metrics);
    assert_failed_with(assay_cupti_counters_validate("GH100", metrics, N, &n_passes), ASSAY_E_USAGE,
                       "it knows GH100");
}

static void an_old_library_says_so(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    fake.version = ASSAY_CUPTI_RANGE_API - 1;
    usual_metrics(metrics);
    assert_int_equal(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_OK);
    assert_all(metrics, ASSAY_METRIC_UNSUPPORTED, "older than CUDA 12.6");
    assert_failed_with(assay_cupti_counters_validate("GH100", metrics, N, &n_passes),
                       ASSAY_E_UNSUPPORTED, "older than CUDA 12.6");
    assert_failed_with(assay_cupti_counters_list("GH100", "", NULL, NULL), ASSAY_E_UNSUPPORTED,
                       "older than CUDA 12.6");
}

static void counting_needs_a_context(void **state)
{
    assay_metric_value metrics[N];
    int                n_passes = 0;

    (void)state;
    fake.has_no_context = true;
    usual_metrics(metrics);
    assert_failed_with(count(ASSAY_REPLAY_USER, metrics, N, &n_passes), ASSAY_E_DEVICE,
                       "no context");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_test, end_test)
    const struct CMUnitTest tests[] = {
        TEST(user_replay_resets_before_each_pass),
        TEST(kernel_replay_adds_kernels_up),
        TEST(one_opening_counts_many_calls),
        TEST(a_metric_must_have_been_asked_for),
        TEST(a_metric_without_a_value_fails_alone),
        TEST(what_the_device_lacks_is_left_out),
        TEST(what_does_not_fit_is_left_out),
        TEST(device_level_metrics_need_no_availability),
        TEST(nothing_countable_opens_nothing),
        TEST(every_refusal_is_a_status),
        TEST(a_range_that_fails_is_ended),
        TEST(counting_goes_on_after_a_failure),
        TEST(numbers_that_cannot_be_are_refused),
        TEST(a_device_that_cannot_be_profiled_says_why),
        TEST(a_chip_newer_than_cupti_is_unsupported),
        TEST(an_old_library_says_so),
        TEST(counting_needs_a_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
