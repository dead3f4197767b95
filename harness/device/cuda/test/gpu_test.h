/* What the tests on a GPU share. A kernel's fault may ruin the device for its process, so each test
 * runs in a process of its own: the program is started again with the name of the test as its
 * argument. */
#ifndef ASSAY_TEST_GPU_TEST_H
#define ASSAY_TEST_GPU_TEST_H

#include "device/cuda/device_cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SKIPPED      = 77,
    TEST_LIMIT_S = 120,
};

/* gpu_test_kernels.cu */
assay_launch_fn test_nothing, test_add_one, test_two_kernels, test_no_kernel, test_cooperative,
    test_too_many_threads, test_forgotten_error, test_swallowed_error, test_far_store,
    test_misaligned_store, test_trap, test_assert, test_stream_wait, test_quiet_wait, test_malloc,
    test_malloc_async, test_read, test_read_persisting;

static const assay_device_api *api;
static assay_device           *device;
static assay_device_info       info;
static assay_fault             fault;

/* One small buffer and one parameter serve all launchers. */
static void      *buffer[1];
static int64_t    count[1] = { 256 };
static int64_t    param[1];
static assay_args args = { .buf = buffer, .count = count, .param = param };

static inline int setup(void **state)
{
    (void)state;
    api = assay_module_api();
    if (api->open(0, &device, &info) != ASSAY_OK) {
        print_message("open: %s\n", api->message());
        return -1;
    }
    return api->alloc(device, 256, &buffer[0]) == ASSAY_OK ? 0 : -1;
}

static inline int teardown(void **state)
{
    (void)state;
    api->release(device, buffer[0]);
    api->close(device);
    device = NULL;
    return 0;
}

/* Fails with the call itself and the device's sentence. */
#define assert_ok(call) check_ok((call), #call, __FILE__, __LINE__)
static inline void check_ok(assay_status st, const char *call, const char *file, int line)
{
    if (st == ASSAY_OK)
        return;
    print_error("%s: %s: %s\n", call, assay_status_text(st), api->message());
    _fail(file, line);
}

/* A launch and the wait for it. */
static inline assay_fault_kind run(assay_launch_fn *launch)
{
    assert_ok(api->enqueue(device, launch, &args, &fault));
    if (fault.kind == ASSAY_FAULT_NONE)
        assert_ok(api->wait(device, &fault));
    if (fault.kind != ASSAY_FAULT_NONE)
        print_message("fault %d: %s\n", (int)fault.kind, fault.text);
    return fault.kind;
}

static inline bool is_said_unusable(void) { return strstr(fault.text, "unusable") != NULL; }

/* ---- one process a test ---- */

static inline int run_one(const struct CMUnitTest *tests, size_t n_tests, const char *name)
{
    for (size_t i = 0; i < n_tests; i++)
        if (strcmp(tests[i].name, name) == 0) {
            const struct CMUnitTest one[] = { tests[i] };

            (void)alarm(TEST_LIMIT_S);
            return cmocka_run_group_tests_name(name, one, NULL, NULL);
        }
    (void)fprintf(stderr, "there is no test '%s'\n", name);
    return 2;
}

/* Returns 0 if the test passed in a process of its own. */
static inline int run_in_child(const char *name)
{
    int         status = 0;
    const pid_t child  = fork();

    if (child < 0) {
        perror("fork");
        return 1;
    }
    if (child == 0) {
        (void)execl("/proc/self/exe", "gpu_test", name, (char *)NULL);
        perror("execl");
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child) {
        perror("waitpid");
        return 1;
    }
    if (WIFSIGNALED(status))
        (void)fprintf(stderr, "%s died of signal %d\n", name, WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

/* The main function of a test program: SKIPPED with the reason if there is no GPU. */
static inline int run_gpu_tests(const struct CMUnitTest *tests, size_t n_tests, int argc,
                                char **argv)
{
    char why[512];
    int  n_failed = 0;

    if (argc > 1)
        return run_one(tests, n_tests, argv[1]);
    if (assay_module_api()->count(why, sizeof why) == 0) {
        (void)printf("skipped: %s\n", why);
        return SKIPPED;
    }
    for (size_t i = 0; i < n_tests; i++)
        n_failed += run_in_child(tests[i].name);
    return n_failed > 0 ? 1 : 0;
}

#define GPU_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
