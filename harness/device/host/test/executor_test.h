/* What the tests of the host device share: a device, and one call that runs a launcher. */
#ifndef ASSAY_TEST_EXECUTOR_TEST_H
#define ASSAY_TEST_EXECUTOR_TEST_H

#include "device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sanitizer of this build. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEST_TSAN 1
#elif __has_feature(address_sanitizer)
#define TEST_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TEST_TSAN 1
#endif

static const assay_device_api *api;
static assay_device           *device;

/* Reads all that another process writes until it ends; too long a text is cut off. */
static inline void read_all(int input, char *text, size_t size)
{
    size_t  used = 0;
    ssize_t n;

    while (used < size - 1 && (n = read(input, text + used, size - 1 - used)) > 0)
        used += (size_t)n;
    text[used] = '\0';
}

static inline int setup(void **state)
{
    assay_device_info info;

    (void)state;
    api = assay_module_api();
    if (api->open(0, &device, &info) != ASSAY_OK) {
        print_message("open: %s\n", api->message());
        return -1;
    }
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    api->close(device);
    device = NULL;
    return 0;
}

/* Every schedule that a test is repeated under. */
static const assay_schedule schedules[] = {
    { ASSAY_ASCENDING, 0 }, { ASSAY_DESCENDING, 0 }, { ASSAY_SHUFFLED, 1 }, { ASSAY_SHUFFLED, 2 },
    { ASSAY_SHUFFLED, 77 }, { ASSAY_UNFAIR, 1 },     { ASSAY_UNFAIR, 2 },   { ASSAY_UNFAIR, 77 },
};
enum {
    N_SCHEDULES = (int)(sizeof schedules / sizeof schedules[0])
};

static inline void *device_memory(size_t bytes)
{
    void *memory;

    assert_int_equal(api->alloc(device, bytes, &memory), ASSAY_OK);
    return memory;
}

/* Runs the launcher on buffers of these sizes (buf[0] in, buf[1] out, filled with 0xA5 before).
 * Returns the fault of enqueue, or else that of wait. */
static inline assay_fault run_for_fault(assay_launch_fn *launch, const void *in, size_t in_bytes,
                                        void *out, size_t out_bytes, const int64_t *param)
{
    void            *buffer[2] = { device_memory(in_bytes), device_memory(out_bytes) };
    const int64_t    count[2]  = { (int64_t)in_bytes, (int64_t)out_bytes };
    const assay_args args      = { .buf = buffer, .count = count, .param = param };
    assay_fault      fault, late;

    memset(out, 0xa5, out_bytes);
    assert_int_equal(api->upload(device, buffer[0], in, in_bytes), ASSAY_OK);
    assert_int_equal(api->upload(device, buffer[1], out, out_bytes), ASSAY_OK);
    assert_int_equal(api->enqueue(device, launch, &args, &fault), ASSAY_OK);
    assert_int_equal(api->wait(device, &late), ASSAY_OK);
    assert_int_equal(api->download(device, out, buffer[1], out_bytes), ASSAY_OK);
    api->release(device, buffer[0]);
    api->release(device, buffer[1]);
    return fault.kind != ASSAY_FAULT_NONE ? fault : late;
}

static inline void run_param(assay_launch_fn *launch, const void *in, size_t in_bytes, void *out,
                             size_t out_bytes, const int64_t *param)
{
    const assay_fault fault = run_for_fault(launch, in, in_bytes, out, out_bytes, param);

    if (fault.kind != ASSAY_FAULT_NONE)
        fail_msg("fault %d: %s", (int)fault.kind, fault.text);
}

static inline void run(assay_launch_fn *launch, void *out, size_t out_bytes)
{
    run_param(launch, NULL, 0, out, out_bytes, NULL);
}

#endif
