/* The CUDA device without a GPU: its sentences about errors, and about machines that cannot run
 * it. */
#include "device/cuda/device_cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void explains(cudaError_t error, int driver, const char *visible, const char *expected)
{
    char why[512];

    assay_cuda_explain(error, driver, 13000, visible, why, sizeof why);
    if (strstr(why, expected) == NULL)
        fail_msg("'%s' does not say '%s'", why, expected);
}

static void test_reasons_for_no_device(void **state)
{
    char tiny[4] = "xxx";

    (void)state;
    explains(cudaErrorInsufficientDriver, 0, NULL, "no NVIDIA driver");
    explains(cudaErrorInsufficientDriver, 0, "", "no NVIDIA driver");
    explains(cudaErrorInsufficientDriver, 12040, NULL, "supports CUDA 12.4");
    explains(cudaErrorInsufficientDriver, 12040, NULL, "built with CUDA 13.0");
    explains(cudaErrorNoDevice, 13000, NULL, "finds no GPU");
    explains(cudaSuccess, 13000, NULL, "finds no GPU");
    explains(cudaErrorNoDevice, 13000, "", "CUDA_VISIBLE_DEVICES=\"\"");
    explains(cudaErrorNoDevice, 13000, "-1", "CUDA_VISIBLE_DEVICES=\"-1\"");
    explains(cudaErrorSystemDriverMismatch, 13000, NULL, "restart the machine");
    explains(cudaErrorStubLibrary, 0, NULL, "LD_LIBRARY_PATH");
    explains(cudaErrorInitializationError, 13000, NULL, "cudaErrorInitializationError");
    assay_cuda_explain(cudaErrorNoDevice, 0, 0, NULL, NULL, 0);
    assay_cuda_explain(cudaErrorInsufficientDriver, 0, 0, NULL, tiny, sizeof tiny);
    assert_string_equal(tiny, "no ");
}

static void parses(const char *text, const char *expected)
{
    char version[32];

    assay_cuda_parse_driver(text, version, sizeof version);
    assert_string_equal(version, expected);
}

static void test_driver_version_is_found(void **state)
{
    char version[4];

    (void)state;
    parses("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC "
           "2024\n",
           "535.183.01");
    parses("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  "
           "(root@host)\n",
           "580.159.04");
    parses("", "");
    parses("   ", "");
    parses("NVRM version: none 12 x1.2 1.2x", "");
    parses("1.2345678901234567890123456789012345678901234567890", "");
    assay_cuda_parse_driver("x 12.34", version, sizeof version);
    assert_string_equal(version, "");
}

static void judges(cudaError_t returned, cudaError_t left, cudaError_t ended,
                   assay_fault_kind expected, bool expected_whole)
{
    assay_fault found;

    assert_int_equal(assay_cuda_judge_capture(returned, left, ended, &found), expected_whole);
    assert_int_equal(found.kind, expected);
    assert_int_equal(found.text[0] != '\0', expected != ASSAY_FAULT_NONE);
}

static void test_captures_are_judged(void **state)
{
    const cudaError_t ok = cudaSuccess, invalid = cudaErrorStreamCaptureInvalidated;

    (void)state;
    judges(ok, ok, ok, ASSAY_FAULT_NONE, true);
    judges(cudaErrorStreamCaptureUnsupported, ok, invalid, ASSAY_FAULT_HIDDEN_SYNC, false);
    judges(ok, cudaErrorStreamCaptureUnsupported, invalid, ASSAY_FAULT_HIDDEN_SYNC, false);
    judges(cudaErrorStreamCaptureImplicit, ok, invalid, ASSAY_FAULT_HIDDEN_SYNC, false);
    judges(cudaErrorCapturedEvent, ok, ok, ASSAY_FAULT_HIDDEN_SYNC, false);
    judges(ok, ok, invalid, ASSAY_FAULT_HIDDEN_SYNC, false);
    judges(cudaErrorNotSupported, ok, invalid, ASSAY_FAULT_NONE, false);
    judges(cudaErrorNotPermitted, ok, ok, ASSAY_FAULT_NONE, false);
    judges(ok, ok, cudaErrorStreamCaptureUnjoined, ASSAY_FAULT_OTHER, false);
    judges(ok, ok, cudaErrorStreamCaptureIsolation, ASSAY_FAULT_NONE, false);
}

static void test_errors_are_sorted(void **state)
{
    static const struct {
        cudaError_t      error;
        assay_fault_kind unlisted, kind;
        assay_status     status;
    } expected[] = {
        { cudaSuccess, ASSAY_FAULT_OTHER, ASSAY_FAULT_NONE, ASSAY_OK },
        { cudaErrorInvalidConfiguration, ASSAY_FAULT_OTHER, ASSAY_FAULT_LAUNCH, ASSAY_OK },
        { cudaErrorNoKernelImageForDevice, ASSAY_FAULT_OTHER, ASSAY_FAULT_LAUNCH, ASSAY_OK },
        { cudaErrorIllegalAddress, ASSAY_FAULT_LAUNCH, ASSAY_FAULT_ADDRESS, ASSAY_OK },
        { cudaErrorAssert, ASSAY_FAULT_LAUNCH, ASSAY_FAULT_OTHER, ASSAY_OK },
        { cudaErrorLaunchFailure, ASSAY_FAULT_LAUNCH, ASSAY_FAULT_OTHER, ASSAY_OK },
        { cudaErrorUnknown, ASSAY_FAULT_LAUNCH, ASSAY_FAULT_LAUNCH, ASSAY_OK },
        { cudaErrorUnknown, ASSAY_FAULT_OTHER, ASSAY_FAULT_OTHER, ASSAY_OK },
        { (cudaError_t)123456, ASSAY_FAULT_LAUNCH, ASSAY_FAULT_LAUNCH, ASSAY_OK },
        { cudaErrorECCUncorrectable, ASSAY_FAULT_OTHER, ASSAY_FAULT_NONE, ASSAY_E_DEVICE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assay_fault found;

        assert_int_equal(assay_cuda_set_fault(expected[i].error, expected[i].unlisted, &found),
                         expected[i].status);
        assert_int_equal(found.kind, expected[i].kind);
        assert_int_equal(found.text[0] != '\0', expected[i].kind != ASSAY_FAULT_NONE);
    }
    assert_non_null(strstr(assay_cuda_message(), "cudaErrorECCUncorrectable"));
}

static double clock_between(uint64_t cycles, uint64_t time_ns, uint32_t sm)
{
    const assay_clock_reading first  = { .cycles = 1000, .time_ns = 500, .sm = 3 },
                              second = { .cycles = cycles, .time_ns = time_ns, .sm = sm };

    return assay_cuda_mhz(&first, &second);
}

static void test_clock_of_two_readings(void **state)
{
    const assay_clock_reading never = { 0 }, late = { UINT64_MAX, UINT64_MAX, 0, 0 };

    (void)state;
    assert_true(clock_between(1000 + 1980, 500 + 1000, 3) == 1980);
    assert_true(clock_between(1000 + 1, 500 + 1000, 3) == 1);
    assert_true(clock_between(1000 + 3960000000000, 500 + 2000000000000, 3) == 1980);
    assert_true(isnan(clock_between(1000 + 1980, 500 + 1000, 4))); /* another SM */
    assert_true(isnan(clock_between(1000 + 1980, 500, 3)));        /* no time has passed */
    assert_true(isnan(clock_between(1000, 500 + 1000, 3)));        /* no cycles have passed */
    assert_true(isnan(clock_between(1000 + 1980, 499, 3)));        /* it is older than the first */
    assert_true(isnan(clock_between(999, 500 + 1000, 3)));
    assert_true(isnan(assay_cuda_mhz(&never, &never)));
    assert_true(isnan(assay_cuda_mhz(&late, &never)));
}

static char names_nothing;

static void test_no_device_is_survived(void **state)
{
    const assay_device_api *module = assay_module_api();
    assay_device           *none   = (assay_device *)&names_nothing;
    assay_device_info       info;
    assay_status            st;

    (void)state;
    assert_int_equal(module->abi, ASSAY_DEVICE_ABI);
    assert_string_equal(module->kind, "cuda");
    module->close(NULL);
    module->release(NULL, NULL);
    module->graph_free(NULL, NULL);
    st = module->open(1 << 20, &none, &info); /* no machine has that many devices */
    assert_int_equal(st, ASSAY_E_DEVICE);
    assert_null(none);
    assert_string_not_equal(module->message(), "");
}

/* A hole in the table is found here and not only on a GPU. */
static void test_every_function_is_there(void **state)
{
    const assay_device_api *module = assay_module_api();
    const unsigned char    *bytes  = (const unsigned char *)module;
    static const char       empty[sizeof(void (*)(void))];

    (void)state;
    for (size_t at = offsetof(assay_device_api, kind); at < sizeof *module; at += sizeof empty)
        if (memcmp(bytes + at, empty, sizeof empty) == 0)
            fail_msg("the table has a hole at byte %zu", at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reasons_for_no_device),
        cmocka_unit_test(test_driver_version_is_found),
        cmocka_unit_test(test_captures_are_judged),
        cmocka_unit_test(test_errors_are_sorted),
        cmocka_unit_test(test_clock_of_two_readings),
        cmocka_unit_test(test_every_function_is_there),
        cmocka_unit_test(test_no_device_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
