/* The host device behind device.h: memory, launches that are refused as by CUDA, counts, evidence,
 * and what it does not do. */
#include "executor_test.h"

#include "testing/evidence_test.h"

#include <math.h>
#include <sys/resource.h>

assay_launch_fn executor_shape, executor_forgotten_error, executor_other_stream,
    executor_three_launches, executor_wait, executor_own_error, executor_trap;

/* If there is no memory for the threads of a kernel, that is a status and no fault of the kernel.
 * This is the first test, since then no memory is kept from an earlier launch. */
static void test_no_memory_for_threads(void **state)
{
#if defined(TEST_ASAN) || defined(TEST_TSAN)
    (void)state; /* the sanitizers' own memory counts as well */
    skip();
#else
    const int64_t    param[9]  = { 2, 1, 1, 64, 1, 1, 0, 0, 0 };
    void            *buffer[2] = { device_memory(4), device_memory(4) };
    const int64_t    count[2]  = { 4, 4 };
    const assay_args args      = { .buf = buffer, .count = count, .param = param };
    struct rlimit    all, little;
    assay_fault      fault, late;
    assay_status     st;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_AS, &all), 0);
    little          = all;
    little.rlim_cur = 1 << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    (void)api->enqueue(device, executor_shape, &args, &fault);
    st = api->wait(device, &late);
    assert_int_equal(setrlimit(RLIMIT_AS, &all), 0);
    assert_int_equal(st, ASSAY_E_MEMORY);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(late.kind, ASSAY_FAULT_NONE);
    assert_non_null(strstr(api->message(), "no memory to run the kernel in"));
    assay_status_reset();
    assert_int_equal(api->enqueue(device, executor_shape, &args, &fault), ASSAY_OK);
    assert_int_equal(api->wait(device, &late), ASSAY_OK);
    assert_int_equal(late.kind, ASSAY_FAULT_NONE);
    api->release(device, buffer[0]);
    api->release(device, buffer[1]);
#endif
}

/* ---- facts and memory */

static void test_open(void **state)
{
    assay_device     *other;
    assay_device_info info;
    char              why[64] = "unset";

    (void)state;
    assert_int_equal(api->abi, ASSAY_DEVICE_ABI);
    assert_string_equal(api->kind, "host");
    assert_int_equal(api->count(why, sizeof why), 1);
    assert_string_equal(why, "");
    assert_int_equal(api->open(0, &other, &info), ASSAY_OK);
    assert_string_equal(info.kind, "host");
    assert_true(info.name[0] != '\0');
    assert_true(info.memory_bytes > 0);
    assert_true(info.memory_free_bytes > 0 && info.memory_free_bytes <= info.memory_bytes);
    assert_false(info.can_time);
    api->close(other);
    assert_int_equal(api->open(1, &other, &info), ASSAY_E_USAGE);
    assert_null(other);
    assert_non_null(strstr(api->message(), "one host device"));
    assay_status_reset();
    api->close(NULL);
    api->release(device, NULL);
}

/* A made-up name would put these times beside those of another CPU. */
static void test_open_without_files(void **state)
{
    assay_device     *other;
    assay_device_info info;
    struct rlimit     all, none;
    assay_status      st;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
    none          = all;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    st = api->open(0, &other, &info);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
    assert_int_equal(st, ASSAY_E_DEVICE);
    assert_null(other);
    assert_non_null(strstr(api->message(), "cannot read the CPU's name in /proc/cpuinfo"));
    assay_status_reset();
}

static void test_memory(void **state)
{
    static const size_t sizes[] = { 0, 1, 7, 255, 256, 257, 4099 };
    char                from[4099], to[4099];
    void               *memory, *second;

    (void)state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char)(i * 7 % 251);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i];

        memory = device_memory(n);
        second = device_memory(n);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 256, 0);
        memset(to, 0, sizeof to);
        assert_int_equal(api->upload(device, memory, from, n), ASSAY_OK);
        assert_int_equal(api->copy(device, second, memory, n), ASSAY_OK);
        /* The harness reads memory that kernels may not touch. */
        api->forbid(device, second, n, true);
        assert_int_equal(api->download(device, to, second, n), ASSAY_OK);
        api->forbid(device, second, n, false);
        assert_memory_equal(from, to, n);
        for (size_t k = n; k < sizeof to; k++)
            assert_int_equal(to[k], 0);
        api->release(device, memory);
        api->release(device, second);
    }
    assert_int_equal(api->alloc(device, SIZE_MAX / 2, &memory), ASSAY_E_DEVICE_MEMORY);
    assert_null(memory);
    assay_status_reset();
    assert_int_equal(api->upload(device, NULL, from, 1), ASSAY_E_USAGE);
    assay_status_reset();
}

/* ---- launches */

/* param of executor_shape: grid, block, dynamic bytes, allowed bytes, co-resident. Then the error,
 * and words of its text. */
static const struct shape {
    int64_t     param[9];
    int         error;
    const char *words;
} shapes[] = {
    { { 1, 1, 1, 1024, 1, 1, 0, 0, 0 }, 0, "" },
    { { 1, 1, 1, 16, 1, 64, 0, 0, 0 }, 0, "" },
    { { 3, 2, 5, 4, 3, 2, 48 * 1024, 0, 0 }, 0, "" },
    { { 1, 1, 65535, 1, 1, 1, 0, 0, 0 }, 0, "" },
    { { 16, 1, 1, 256, 1, 1, 0, 0, 1 }, 0, "" },
    { { 1, 1, 1, 1025, 1, 1, 0, 0, 0 }, 9, "at most 1024 threads" },
    { { 1, 1, 1, 32, 33, 1, 0, 0, 0 }, 9, "at most 1024 threads" },
    { { 1, 1, 1, 1, 1, 65, 0, 0, 0 }, 9, "at most 64 in z" },
    { { 1, 1, 1, 65536, 65536, 1, 0, 0, 0 }, 9, "at most 1024 threads" },
    { { 0, 1, 1, 32, 1, 1, 0, 0, 0 }, 9, "a dimension is 0" },
    { { 1, 0, 1, 32, 1, 1, 0, 0, 0 }, 9, "a dimension is 0" },
    { { 1, 1, 1, 32, 1, 0, 0, 0, 0 }, 9, "a dimension is 0" },
    { { 1, 65536, 1, 1, 1, 1, 0, 0, 0 }, 9, "65535 in y and z" },
    { { 1, 1, 65536, 1, 1, 1, 0, 0, 0 }, 9, "65535 in y and z" },
    { { 0x80000000ll, 1, 1, 1, 1, 1, 0, 0, 0 }, 9, "2147483647 blocks in x" },
    { { 1, 1, 1, 1, 1, 1, 48 * 1024 + 1, 0, 0 }, 1, "49153 bytes of dynamic shared memory" },
    { { 1, 1, 1, 1, 1, 1, 0, 227 * 1024 + 1, 0 }, 1, "returned by the launcher" },
    { { 1, 1, 1, 1, 1, 1, 0, -1, 0 }, 1, "returned by the launcher" },
    { { 1000, 1, 1, 1024, 1, 1, 0, 0, 1 }, 720, "cannot be resident at once" },
    /* From here on the kernel's limit is raised. */
    { { 1, 1, 1, 1, 1, 1, 227 * 1024, 227 * 1024, 0 }, 0, "" },
    { { 1, 1, 1, 1, 1, 1, 227 * 1024 + 1, 227 * 1024, 0 }, 1, "this kernel may have 232448" },
};

static void test_shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const int64_t    *p = shapes[i].param;
        unsigned          n;
        char              number[32];
        const assay_fault fault = run_for_fault(executor_shape, NULL, 0, &n, sizeof n, p);

        if (shapes[i].error == 0) {
            if (fault.kind != ASSAY_FAULT_NONE)
                fail_msg("shape %zu: %s", i, fault.text);
            assert_int_equal(n, p[0] * p[1] * p[2] * p[3] * p[4] * p[5]);
            continue;
        }
        (void)snprintf(number, sizeof number, "launch error %d: ", shapes[i].error);
        assert_int_equal(fault.kind, ASSAY_FAULT_LAUNCH);
        if (!strstr(fault.text, number) || !strstr(fault.text, shapes[i].words))
            fail_msg("shape %zu: \"%s\" is not %s%s", i, fault.text, number, shapes[i].words);
    }
}

static void assert_refused(assay_launch_fn *launch, const char *words)
{
    unsigned          n[32];
    const assay_fault fault = run_for_fault(launch, NULL, 0, n, sizeof n, NULL);

    assert_int_equal(fault.kind, ASSAY_FAULT_LAUNCH);
    if (!strstr(fault.text, words))
        fail_msg("\"%s\" does not say \"%s\"", fault.text, words);
}

static void test_launcher_mistakes(void **state)
{
    (void)state;
    assert_refused(executor_forgotten_error, "launch error 9: block (2000,1,1)");
    assert_refused(executor_other_stream, "launch error 400: the launch is not on the stream");
    assert_refused(executor_own_error, "launch error 42: returned by the launcher");
}

/* Runs the probe on a buffer of 32 numbers. */
static assay_fault probe(assay_launch_fn *launch, int *launches, const int64_t *param)
{
    void            *buffer[2] = { NULL, device_memory(32 * sizeof(unsigned)) };
    const int64_t    count[2]  = { 0, 32 };
    const assay_args args      = { .buf = buffer, .count = count, .param = param };
    const unsigned   zero[32]  = { 0 };
    assay_fault      fault;

    assert_int_equal(api->upload(device, buffer[1], zero, sizeof zero), ASSAY_OK);
    assert_int_equal(api->probe(device, launch, &args, launches, &fault), ASSAY_OK);
    api->release(device, buffer[1]);
    return fault;
}

static void test_probe(void **state)
{
    int         launches;
    assay_fault fault = probe(executor_three_launches, &launches, NULL);

    (void)state;
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(launches, 3);
    fault = probe(executor_wait, &launches, NULL);
    assert_int_equal(fault.kind, ASSAY_FAULT_HIDDEN_SYNC);
    assert_non_null(strstr(fault.text, "ASSAY_HOST_SYNC"));
    assert_int_equal(launches, 1);
    fault = probe(executor_forgotten_error, &launches, NULL);
    assert_int_equal(fault.kind, ASSAY_FAULT_LAUNCH);
    /* Nothing is left of the error. */
    fault = probe(executor_three_launches, &launches, NULL);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(launches, 3);
}

/* After a fault nothing runs and waiting fails, until the fault has been reported once. */
static void test_sticky_fault(void **state)
{
    void            *buffer[2] = { NULL, device_memory(32 * sizeof(unsigned)) };
    const int64_t    count[2]  = { 0, 32 };
    const assay_args args      = { .buf = buffer, .count = count };
    unsigned         n[32]     = { 0 };
    assay_fault      fault;

    (void)state;
    assert_int_equal(api->upload(device, buffer[1], n, sizeof n), ASSAY_OK);
    assert_int_equal(api->enqueue(device, executor_trap, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->enqueue(device, executor_three_launches, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->enqueue(device, executor_wait, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_LAUNCH);
    assert_non_null(strstr(fault.text, "launch error 719"));
    assert_int_equal(api->download(device, n, buffer[1], sizeof n), ASSAY_OK);
    assert_int_equal(n[0], 0);
    assert_int_equal(api->wait(device, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_OTHER);
    assert_non_null(strstr(fault.text, "__trap()"));
    assert_int_equal(api->wait(device, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->enqueue(device, executor_three_launches, &args, &fault), ASSAY_OK);
    assert_int_equal(api->wait(device, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->download(device, n, buffer[1], sizeof n), ASSAY_OK);
    assert_int_equal(n[0], 1 + 2 + 3);
    api->release(device, buffer[1]);
}

/* ---- evidence */

/* The harness reads memory that kernels may not touch. */
static void test_evidence_of_forbidden_memory(void **state)
{
    static const unsigned char bytes[5000] = { 3, 1, 4 };
    const size_t               n           = sizeof bytes;
    const unsigned char        changed     = 5;
    void                      *memory      = device_memory(n);
    uint64_t                   before, after;

    (void)state;
    assert_int_equal(api->upload(device, memory, bytes, n), ASSAY_OK);
    assert_int_equal(api->digest(device, memory, n, &before), ASSAY_OK);
    api->forbid(device, memory, n, true);
    assert_int_equal(api->digest(device, memory, n, &after), ASSAY_OK);
    assert_true(before == after);
    assert_int_equal(api->upload(device, (char *)memory + n - 1, &changed, 1), ASSAY_OK);
    assert_int_equal(api->digest(device, memory, n, &after), ASSAY_OK);
    assert_true(before != after);
    api->forbid(device, memory, n, false);
    api->release(device, memory);
}

static void test_free_bytes(void **state)
{
    (void)state;
    assert_true(api->free_bytes(device) > 0);
}

static void test_no_timing(void **state)
{
    const assay_args args = { .buf = NULL };
    bool             was_adequate;
    double           time_ns, mhz = 1;
    assay_graph     *graph = (assay_graph *)&was_adequate;
    assay_fault      fault = { .kind = ASSAY_FAULT_OTHER };

    (void)state;
    assert_int_equal(api->flush_cache(device, ASSAY_FLUSH_WRITE), ASSAY_E_UNSUPPORTED);
    assert_non_null(strstr(api->message(), "its times mean nothing"));
    assert_int_equal(api->flush_cache(device, ASSAY_FLUSH_READ), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->gate_close(device), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->gate_open(device, &was_adequate), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->mark(device, 0), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->elapsed(device, &time_ns), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->clock_end(device), ASSAY_E_UNSUPPORTED);
    assert_int_equal(api->sm_clock(device, &mhz), ASSAY_E_UNSUPPORTED);
    assert_true(isnan(mhz));
    assert_int_equal(api->graph_make(device, executor_wait, &args, 1, &graph, &fault),
                     ASSAY_E_UNSUPPORTED);
    assert_null(graph);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->graph_launch(device, NULL), ASSAY_E_UNSUPPORTED);
    api->graph_free(device, NULL);
    assay_status_reset();
}

/* Closing the last device ends the OS threads; opening a device again starts them again. */
static void test_reopen(void **state)
{
    unsigned n;

    for (int i = 0; i < 3; i++) {
        const int64_t param[9] = { 40, 1, 1, 256, 1, 1, 0, 0, 0 };

        run_param(executor_shape, NULL, 0, &n, sizeof n, param);
        assert_int_equal(n, 40 * 256);
        assert_int_equal(teardown(state), 0);
        assert_int_equal(setup(state), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory_for_threads),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_without_files),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_launcher_mistakes),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_sticky_fault),
        cmocka_unit_test(evidence_digests_are_known),
        cmocka_unit_test(evidence_digest_sees_every_byte),
        cmocka_unit_test(evidence_of_nothing),
        cmocka_unit_test(test_evidence_of_forbidden_memory),
        cmocka_unit_test(test_free_bytes),
        cmocka_unit_test(test_no_timing),
        cmocka_unit_test(test_reopen),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
