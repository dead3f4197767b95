/* The CUDA device on a real GPU: facts, memory, evidence, faults, the probe and graphs. Without a
 * GPU it exits with 77. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_test.h"

#include "testing/evidence_test.h"

enum {
    LEN = 1 << 20
};

/* ---- facts and memory ---- */

static void gpu_facts(void **state)
{
    (void)state;
    print_message("%s %s %s driver %s, CUDA %d of runtime %d, cc %d, %d SMs, %d kHz, memory %d "
                  "kHz x %d bits, ECC %d, %lld of %lld bytes free, L2 %lld\n",
                  info.name, info.uuid, info.pci_bus_id, info.driver, info.driver_cuda_version,
                  info.runtime_version, info.compute_capability, info.sm_count, info.sm_clock_khz,
                  info.memory_clock_khz, info.memory_bus_bits, info.ecc,
                  (long long)info.memory_free_bytes, (long long)info.memory_bytes,
                  (long long)info.l2_bytes);
    assert_string_equal(info.kind, "cuda");
    assert_string_not_equal(info.name, "");
    assert_int_equal(strlen(info.uuid), strlen("GPU-00000000-0000-0000-0000-000000000000"));
    assert_string_not_equal(info.pci_bus_id, "");
    assert_true(info.compute_capability >= 50 && info.sm_count > 0 && info.l2_bytes > 0);
    assert_true(info.memory_free_bytes > 0 && info.memory_free_bytes < info.memory_bytes);
    assert_true(info.memory_bus_bits > 0);
    assert_true(info.driver_cuda_version >= info.runtime_version / 1000 * 1000);
}

static void gpu_round_trip(void **state)
{
    static unsigned char sent[LEN], received[LEN];
    void                *a = NULL, *b = NULL;

    (void)state;
    for (size_t i = 0; i < LEN; i++)
        sent[i] = (unsigned char)(i * 31 + i / 256);
    assert_ok(api->alloc(device, LEN, &a));
    assert_ok(api->alloc(device, LEN, &b));
    for (size_t bytes = LEN; bytes > 0; bytes = bytes / 7) {
        memset(received, 0, sizeof received);
        assert_ok(api->upload(device, a, sent, bytes));
        assert_ok(api->copy(device, b, a, bytes));
        assert_ok(api->download(device, received, b, bytes));
        assert_memory_equal(sent, received, bytes);
    }
    assert_ok(api->upload(device, NULL, NULL, 0));
    assert_ok(api->copy(device, NULL, NULL, 0));
    assert_ok(api->download(device, NULL, NULL, 0));
    api->release(device, a);
    api->release(device, b);
}

static void gpu_memory_limits(void **state)
{
    void  *empty[2] = { NULL, NULL }, *huge = &fault;
    size_t far_too_much = (size_t)1 << 50;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_ok(api->alloc(device, 0, &empty[i]));
        assert_non_null(empty[i]);
        assert_int_equal((uintptr_t)empty[i] % 256, 0);
    }
    assert_ptr_not_equal(empty[0], empty[1]);
    assert_int_equal(api->alloc(device, far_too_much, &huge), ASSAY_E_DEVICE_MEMORY);
    print_message("%s\n", api->message());
    assert_null(huge);
    assert_non_null(strstr(api->message(), "no room"));
    /* The error is over: the next launch does not report it. */
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
    api->release(device, empty[0]);
    api->release(device, empty[1]);
    api->release(device, NULL);
}

static void gpu_free_bytes(void **state)
{
    const size_t  bytes  = (size_t)256 << 20;
    const int64_t before = api->free_bytes(device);
    void         *memory = NULL;

    (void)state;
    assert_true(before > 0 && before <= info.memory_bytes);
    assert_ok(api->alloc(device, bytes, &memory));
    /* Other programs may free memory at the same time, but hardly half of this much. */
    print_message("free: %lld, after alloc %lld\n", (long long)before,
                  (long long)api->free_bytes(device));
    assert_true(api->free_bytes(device) <= before - (int64_t)bytes / 2);
    api->release(device, memory);
}

/* ---- evidence ---- */

/* The digest covers work that was enqueued before. */
static void gpu_digest_waits(void **state)
{
    const size_t         bytes  = (size_t)64 << 20;
    unsigned char *const filled = calloc(bytes, 1);
    void                *a = NULL, *b = NULL;
    uint64_t             of_a = 0, of_b = 0, before = 0;

    (void)state;
    assert_non_null(filled);
    assert_ok(api->alloc(device, bytes, &a));
    assert_ok(api->alloc(device, bytes, &b));
    assert_ok(api->upload(device, b, filled, bytes));
    assert_ok(api->digest(device, b, bytes, &before));
    for (size_t i = 0; i < bytes; i++)
        filled[i] = (unsigned char)(i * 31 + i / 256);
    assert_ok(api->upload(device, a, filled, bytes));
    param[0] = 20000000; /* ns; the copy has to wait this long */
    assert_ok(api->enqueue(device, assay_device_spin, &args, &fault));
    assert_ok(api->copy(device, b, a, bytes));
    assert_ok(api->digest(device, b, bytes, &of_b));
    assert_ok(api->digest(device, a, bytes, &of_a));
    assert_true(of_b != before);
    assert_true(of_a == of_b);
    free(filled);
    api->release(device, a);
    api->release(device, b);
}

/* ---- launches and faults ---- */

static void gpu_launch(void **state)
{
    unsigned char value = 41;

    (void)state;
    assert_ok(api->upload(device, buffer[0], &value, 1));
    assert_int_equal(run(test_add_one), ASSAY_FAULT_NONE);
    assert_ok(api->download(device, &value, buffer[0], 1));
    assert_int_equal(value, 42);
    assert_string_equal(fault.text, "");
    assert_int_equal(api->enqueue(device, NULL, &args, &fault), ASSAY_E_USAGE);
}

static void gpu_launch_refused(void **state)
{
    assay_launch_fn *const refused[] = { test_too_many_threads, test_forgotten_error };

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run(refused[i]), ASSAY_FAULT_LAUNCH);
        assert_non_null(strstr(fault.text, "cudaErrorInvalid"));
        assert_false(is_said_unusable());
        assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
    }
}

/* A fault that cannot be undone: the device says so, and every later call fails without a crash. */
static void assert_ruins(assay_launch_fn *launch, assay_fault_kind kind)
{
    void *more = NULL;

    assert_int_equal(run(launch), kind);
    assert_true(is_said_unusable());
    assert_int_not_equal(api->alloc(device, 256, &more), ASSAY_OK);
    (void)api->enqueue(device, test_nothing, &args, &fault);
    if (fault.kind == ASSAY_FAULT_NONE)
        (void)api->wait(device, &fault);
    assert_int_not_equal(fault.kind, ASSAY_FAULT_NONE);
}

static void gpu_far_store(void **state)
{
    (void)state;
    assert_ruins(test_far_store, ASSAY_FAULT_ADDRESS);
}

static void gpu_misaligned_store(void **state)
{
    (void)state;
    assert_ruins(test_misaligned_store, ASSAY_FAULT_ADDRESS);
}

static void gpu_trap(void **state)
{
    (void)state;
    assert_ruins(test_trap, ASSAY_FAULT_OTHER);
}

static void gpu_assert(void **state)
{
    (void)state;
    assert_ruins(test_assert, ASSAY_FAULT_OTHER);
}

/* ---- probe ---- */

static void probes(assay_launch_fn *launch, assay_fault_kind kind, int expected)
{
    int launches = -2;

    assert_ok(api->probe(device, launch, &args, &launches, &fault));
    if (fault.kind != ASSAY_FAULT_NONE)
        print_message("fault %d: %s\n", (int)fault.kind, fault.text);
    assert_int_equal(fault.kind, kind);
    assert_int_equal(launches, expected);
    /* The device works afterwards, whatever the probe found. */
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
}

static void probes_wait(assay_launch_fn *launch, const char *words)
{
    int launches = -2;

    assert_ok(api->probe(device, launch, &args, &launches, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_HIDDEN_SYNC);
    assert_int_equal(launches, 1);
    assert_non_null(strstr(fault.text, words));
}

static void gpu_probe(void **state)
{
    (void)state;
    probes(test_nothing, ASSAY_FAULT_NONE, 1);
    probes(test_two_kernels, ASSAY_FAULT_NONE, 2);
    probes(test_no_kernel, ASSAY_FAULT_NONE, 0);
    probes(test_cooperative, ASSAY_FAULT_NONE, 1);
    probes(test_too_many_threads, ASSAY_FAULT_LAUNCH, -1);
}

static void gpu_probe_finds_waits(void **state)
{
    (void)state;
    probes_wait(test_stream_wait, "it calls cudaStreamSynchronize");
    probes_wait(test_quiet_wait, "it calls cudaDeviceSynchronize");
    probes(test_malloc, ASSAY_FAULT_HIDDEN_SYNC, -1);
    probes(test_malloc_async, ASSAY_FAULT_HIDDEN_SYNC, 1);
    probes(test_nothing, ASSAY_FAULT_NONE, 1);
}

static void gpu_probe_runs_the_launcher_once(void **state)
{
    unsigned char value    = 0;
    int           launches = 0;

    (void)state;
    assert_ok(api->upload(device, buffer[0], &value, 1));
    assert_ok(api->probe(device, test_add_one, &args, &launches, &fault));
    assert_ok(api->download(device, &value, buffer[0], 1));
    assert_int_equal(value, 1);
}

/* ---- graphs ---- */

static unsigned char value_of_buffer(void)
{
    unsigned char value = 0;

    assert_ok(api->download(device, &value, buffer[0], 1));
    return value;
}

static void gpu_graph_runs_every_call(void **state)
{
    const unsigned char zero  = 0;
    assay_graph        *graph = NULL;

    (void)state;
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
    assert_ok(api->upload(device, buffer[0], &zero, 1));
    assert_ok(api->graph_make(device, test_add_one, &args, 20, &graph, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_non_null(graph);
    assert_int_equal(value_of_buffer(), 0); /* the graph was made and has not run */
    assert_ok(api->graph_launch(device, graph));
    assert_ok(api->wait(device, &fault));
    assert_int_equal(value_of_buffer(), 20);
    for (int i = 0; i < 3; i++)
        assert_ok(api->graph_launch(device, graph));
    assert_ok(api->wait(device, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(value_of_buffer(), 80);
    api->graph_free(device, graph);
    api->graph_free(device, NULL);
}

static void gpu_error_that_is_cleared(void **state)
{
    (void)state;
    assert_ok(api->enqueue(device, test_swallowed_error, &args, &fault));
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_non_null(strstr(fault.text, "met and cleared cudaErrorInvalid"));
    assert_ok(api->enqueue(device, test_nothing, &args, &fault));
    assert_string_equal(fault.text, "");
    assert_ok(api->wait(device, &fault));
}

/* Launchers that can be captured: some with kernels, one with a fill among them, one without
 * kernels. */
static void gpu_graph_of_other_launchers(void **state)
{
    assay_launch_fn *const launchers[] = { test_two_kernels, test_cooperative, test_no_kernel };

    (void)state;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        assay_graph *graph = NULL;

        assert_int_equal(run(launchers[i]), ASSAY_FAULT_NONE);
        assert_ok(api->graph_make(device, launchers[i], &args, 3, &graph, &fault));
        if (fault.kind != ASSAY_FAULT_NONE || graph == NULL)
            fail_msg("launcher %zu: fault %d: %s", i, (int)fault.kind, fault.text);
        assert_ok(api->graph_launch(device, graph));
        assert_ok(api->wait(device, &fault));
        if (fault.kind != ASSAY_FAULT_NONE)
            fail_msg("graph of launcher %zu: fault %d: %s", i, (int)fault.kind, fault.text);
        api->graph_free(device, graph);
    }
}

static int add_one_every_other_time(const assay_args *given, assay_stream stream)
{
    static int n;

    return n++ % 2 ? 0 : test_add_one(given, stream);
}

static void gpu_graph_refused(void **state)
{
    static const struct {
        const char      *name;
        assay_launch_fn *launch;
        assay_fault_kind kind; /* NONE: any fault */
    } refused[] = {
        { "stream wait", test_stream_wait, ASSAY_FAULT_HIDDEN_SYNC },
        { "quiet wait", test_quiet_wait, ASSAY_FAULT_HIDDEN_SYNC },
        { "malloc", test_malloc, ASSAY_FAULT_HIDDEN_SYNC },
        { "malloc async", test_malloc_async, ASSAY_FAULT_HIDDEN_SYNC },
        { "too many threads", test_too_many_threads, ASSAY_FAULT_NONE },
        { "forgotten error", test_forgotten_error, ASSAY_FAULT_NONE },
        { "every other call", add_one_every_other_time, ASSAY_FAULT_IDLE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_graph *graph = (assay_graph *)buffer;

        if (api->graph_make(device, refused[i].launch, &args, 2, &graph, &fault) != ASSAY_OK)
            fail_msg("%s: %s", refused[i].name, api->message());
        print_message("%s: fault %d: %s\n", refused[i].name, (int)fault.kind, fault.text);
        if (fault.kind == ASSAY_FAULT_NONE ||
            (refused[i].kind != ASSAY_FAULT_NONE && fault.kind != refused[i].kind))
            fail_msg("%s: fault %d", refused[i].name, (int)fault.kind);
        if (graph != NULL)
            fail_msg("%s: there is a graph", refused[i].name);
        /* The device works afterwards, whatever was found. */
        if (run(test_nothing) != ASSAY_FAULT_NONE)
            fail_msg("%s: nothing runs any more", refused[i].name);
    }
}

static void gpu_graph_wrong_use(void **state)
{
    assay_graph *graph = (assay_graph *)buffer;

    (void)state;
    assert_int_equal(api->graph_make(device, NULL, &args, 1, &graph, &fault), ASSAY_E_USAGE);
    assert_null(graph);
    assert_int_equal(api->graph_make(device, test_nothing, &args, 0, &graph, &fault),
                     ASSAY_E_USAGE);
    assert_null(graph);
    assert_int_equal(api->graph_launch(device, NULL), ASSAY_E_USAGE);
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        GPU_TEST(gpu_facts),
        GPU_TEST(gpu_round_trip),
        GPU_TEST(gpu_memory_limits),
        GPU_TEST(gpu_free_bytes),
        GPU_TEST(evidence_digests_are_known),
        GPU_TEST(evidence_digest_sees_every_byte),
        GPU_TEST(evidence_of_nothing),
        GPU_TEST(gpu_digest_waits),
        GPU_TEST(gpu_launch),
        GPU_TEST(gpu_launch_refused),
        GPU_TEST(gpu_far_store),
        GPU_TEST(gpu_misaligned_store),
        GPU_TEST(gpu_trap),
        GPU_TEST(gpu_assert),
        GPU_TEST(gpu_probe),
        GPU_TEST(gpu_probe_finds_waits),
        GPU_TEST(gpu_probe_runs_the_launcher_once),
        GPU_TEST(gpu_graph_runs_every_call),
        GPU_TEST(gpu_graph_of_other_launchers),
        GPU_TEST(gpu_graph_refused),
        GPU_TEST(gpu_error_that_is_cleared),
        GPU_TEST(gpu_graph_wrong_use),
    };

    return run_gpu_tests(tests, sizeof tests / sizeof tests[0], argc, argv);
}
