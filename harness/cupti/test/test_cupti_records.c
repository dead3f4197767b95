/* Recording with a stand-in for CUPTI: each kind of record, lost records, and everything that
 * CUPTI can refuse. */
#include <stdio.h>

#ifndef ASSAY_TEST_CUPTI
int main(void)
{
    (void)puts("skipped: built without CUPTI's headers");
    return 77;
}
#else

#include "cupti/cupti_code.h"
#include "fake_activity.h"

/* ---- kinds of records ---- */

static void kernels_are_kept_in_full(void **state)
{
    char name[] = "_Z4axpyf";

    (void)state;
    assert_int_equal(assay_cupti_activity_start(true), ASSAY_OK);
    assert_int_equal(fake.n_enabled, ALL_KINDS);
    EMIT(assay_cupti_kernel, .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = name,
         .start = 1795836815000000001, .end = 1795836815000000102, .deviceId = 1, .contextId = 2,
         .streamId = 7, .correlationId = 99, .gridX = 1, .gridY = 2, .gridZ = 3, .blockX = 4,
         .blockY = 5, .blockZ = 6, .registersPerThread = 255, .localMemoryPerThread = 32,
         .staticSharedMemory = 1024, .dynamicSharedMemory = 200000, .graphId = 11);
    const assay_activity *r = collect(1, 0);

    name[0] = 'X'; /* CUPTI's text may change; the copy stays */
    assert_int_equal(r->kind, ASSAY_ACTIVITY_KERNEL);
    assert_string_equal(r->name, "_Z4axpyf");
    assert_true(r->start_ns == 1795836815000000001 && r->end_ns == 1795836815000000102);
    assert_int_equal(r->device, 1);
    assert_int_equal(r->context, 2);
    assert_int_equal(r->stream, 7);
    assert_int_equal(r->correlation_id, 99);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(r->grid[i], 1 + i);
        assert_int_equal(r->block[i], 4 + i);
    }
    assert_int_equal(r->registers, 255);
    assert_int_equal(r->local_bytes, 32);
    assert_int_equal(r->static_shared_bytes, 1024);
    assert_int_equal(r->dynamic_shared_bytes, 200000);
    assert_int_equal(r->graph_id, 11);
    assert_int_equal(r->process, getpid());
    assert_string_equal(r->code_hash, "");
}

static void emit_one_of_each(void)
{
    EMIT(assay_cupti_memcpy, .kind = CUPTI_ACTIVITY_KIND_MEMCPY,
         .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, .bytes = 4096, .start = 10, .end = 20,
         .streamId = 7, .correlationId = 1);
    EMIT(assay_cupti_memcpy, .kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = 200, .start = 11,
         .end = 20);
    EMIT(assay_cupti_memset, .kind = CUPTI_ACTIVITY_KIND_MEMSET, .bytes = 256, .start = 12,
         .end = 20, .streamId = 7);
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_RUNTIME, .cbid = LAUNCH, .start = 13,
         .end = 20, .processId = 5, .threadId = 6, .correlationId = 2);
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_DRIVER, .cbid = LAUNCH, .start = 14,
         .end = 20);
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_DRIVER, .cbid = 9999, .start = 15,
         .end = 20);
    EMIT(assay_cupti_sync, .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
         .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, .start = 16, .end = 20,
         .streamId = 7);
    EMIT(assay_cupti_overhead, .kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
         .overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, .start = 17, .end = 20,
         .objectKind = CUPTI_ACTIVITY_OBJECT_THREAD, .objectId.pt = { 5, 6 });
    EMIT(assay_cupti_overhead, .kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
         .overheadKind = CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, .start = 18, .end = 20);
    EMIT(assay_cupti_overhead, .kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
         .overheadKind = (CUpti_ActivityOverheadKind)(77 << 16), .start = 19, .end = 20);
    /* A kind that was not requested. */
    EMIT(CUpti_ActivityAPI, .kind = CUPTI_ACTIVITY_KIND_DEVICE, .start = 20, .end = 21);
}

static void each_kind_has_its_name(void **state)
{
    static const struct {
        assay_activity_kind kind;
        const char         *name;
    } expected[] = {
        { ASSAY_ACTIVITY_MEMCPY, "memcpy DtoH" },
        { ASSAY_ACTIVITY_MEMCPY, "memcpy" },
        { ASSAY_ACTIVITY_MEMSET, "memset" },
        { ASSAY_ACTIVITY_API, "cudaLaunchKernel_v7000" },
        { ASSAY_ACTIVITY_API, "cuLaunchKernel" },
        { ASSAY_ACTIVITY_API, "call 9999" },
        { ASSAY_ACTIVITY_SYNC, "stream synchronize" },
        { ASSAY_ACTIVITY_OVERHEAD, "instrumentation" },
        { ASSAY_ACTIVITY_OVERHEAD, "driver compiler" },
        { ASSAY_ACTIVITY_OVERHEAD, "overhead" },
    };
    const int64_t n = sizeof expected / sizeof expected[0];

    (void)state;
    assert_int_equal(assay_cupti_activity_start(true), ASSAY_OK);
    emit_one_of_each();
    const assay_activity *records = collect(n, 0);

    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(records[i].kind, expected[i].kind);
        assert_string_equal(records[i].name, expected[i].name);
        assert_int_equal(records[i].start_ns, 10 + i);
        assert_int_equal(records[i].end_ns, 20);
        assert_true(records[i].process != 0);
    }
    assert_int_equal(records[0].bytes, 4096);
    assert_int_equal(records[2].bytes, 256);
    assert_int_equal(records[3].process, 5);
    assert_int_equal(records[3].thread, 6);
    assert_int_equal(records[3].correlation_id, 2);
    assert_int_equal(records[6].stream, 7);
    assert_int_equal(records[7].thread, 6);
}

/* ---- collecting ---- */

static void records_are_sorted_and_given_once(void **state)
{
    enum {
        N = 3 * FEW_SLOTS + 5,
    };

    (void)state;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    assert_int_equal(fake.n_enabled, BASE_KINDS);
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < N; i++)
            emit_kernel("k", 1 + (i * 37 + round) % N, 1000);
        const assay_activity *records = collect(N, 0);

        for (int64_t i = 0; i < N; i++)
            assert_int_equal(records[i].start_ns, 1 + i);
        (void)collect(0, 0);
    }
    assert_int_equal(fake.n_completed, 12);
}

static void outer_records_come_first(void **state)
{
    (void)state;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    emit_kernel("inner", 5, 6);
    emit_kernel("outer", 5, 9);
    assert_string_equal(collect(2, 0)->name, "outer");
}

static void lost_records_are_counted(void **state)
{
    (void)state;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    emit_kernel("no time stamps", 0, 0);
    emit_kernel("kept", 5, 6);
    emit_kernel(NULL, 7, 8);
    fake.n_dropped                = 40;
    const assay_activity *records = collect(2, 41);

    assert_string_equal(records[0].name, "kept");
    assert_string_equal(records[1].name, "(unnamed kernel)");
    (void)collect(0, 0);
}

/* ---- code hashes ---- */

/* The smallest cubin with one function, "k". */
static size_t make_cubin(unsigned char *bytes)
{
    static const unsigned char head[]  = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    static const char          names[] = "\0.text.k";

    memset(bytes, 0, 300);
    memcpy(bytes, head, sizeof head);
    bytes[40]      = 64; /* the sections' headers are at 64, 64 bytes each, 2 of them, names in 0 */
    bytes[58]      = 64;
    bytes[60]      = 2;
    bytes[64 + 24] = 192;
    bytes[64 + 32] = sizeof names;
    memcpy(bytes + 192, names, sizeof names);
    bytes[128]      = 1;
    bytes[128 + 4]  = 1;
    bytes[128 + 24] = 210;
    bytes[128 + 32] = 4;
    memcpy(bytes + 210, "code", 4);
    return 300;
}

static void a_loaded_module_gives_its_kernels_hashes(void **state)
{
    unsigned char            bytes[300];
    char                     expected[32];
    CUpti_ModuleResourceData module   = { .moduleId = 1, .pCubin = (const char *)bytes };
    CUpti_ResourceData       resource = { .resourceDescriptor = &module };

    (void)state;
    module.cubinSize = make_cubin(bytes);
    (void)snprintf(expected, sizeof expected, "%016llx",
                   (unsigned long long)assay_code_hash("code", 4));
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    fake.listener(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &resource);
    emit_kernel("k", 1, 2);
    assert_string_equal(collect(1, 0)->code_hash, "");
    fake.listener(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
    emit_kernel("k", 1, 2);
    assert_string_equal(collect(1, 0)->code_hash, expected);
    /* Modules without a readable cubin do no harm. */
    module.pCubin = NULL;
    fake.listener(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
    resource.resourceDescriptor = NULL;
    fake.listener(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
    emit_kernel("k", 1, 2);
    assert_string_equal(collect(1, 0)->code_hash, expected);
}

/* ---- refusals ---- */

static void preferences_may_fail(void **state)
{
    (void)state;
    fake.attribute_result = CUPTI_ERROR_UNKNOWN;
    fake.subscribe_result = CUPTI_ERROR_UNKNOWN;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    emit_kernel("k", 1, 2);
    (void)collect(1, 0);
}

static void a_refused_start_leaves_nothing_on(void **state)
{
    (void)state;
    fake.refused_kind = CUPTI_ACTIVITY_KIND_MEMSET;
    assert_failed_with(assay_cupti_activity_start(false), ASSAY_E_UNSUPPORTED,
                       "cuptiActivityEnable");
    assert_int_equal(fake.n_enabled, 0);
    assert_int_equal(fake.n_subscribers, 0);
    fake.refused_kind     = CUPTI_ACTIVITY_KIND_INVALID;
    fake.subscribe_result = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    assert_failed_with(assay_cupti_activity_start(false), ASSAY_E_UNSUPPORTED, "cuptiSubscribe");
    fake.subscribe_result = CUPTI_SUCCESS;
    fake.has_no_driver    = true;
    assert_failed_with(assay_cupti_activity_start(false), ASSAY_E_UNSUPPORTED, "driver");
    fake.has_no_driver = false;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    assert_failed_with(assay_cupti_activity_start(false), ASSAY_E_INTERNAL, "on already");
    emit_kernel("k", 1, 2);
    (void)collect(1, 0);
}

static void a_failed_flush_is_a_failure(void **state)
{
    const assay_activity *records = NULL;
    int64_t               n = 5, n_dropped = 5;

    (void)state;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    fake.flush_result = CUPTI_ERROR_UNKNOWN;
    assert_failed_with(assay_cupti_activity_collect(&records, &n, &n_dropped), ASSAY_E_UNSUPPORTED,
                       "cuptiActivityFlushAll");
    assert_null(records);
    assert_int_equal(n, 0);
}

/* CUPTI may give a buffer back after the end, and recording may begin again. */
static void a_late_buffer_is_freed(void **state)
{
    (void)state;
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    emit_kernel("k", 1, 2);
    uint8_t *late = fake.buffer;

    fake.buffer = NULL;
    assay_cupti_activity_stop();
    fake.complete(NULL, 0, late, (size_t)FEW_SLOTS * SLOT, SLOT);
    fake.complete(NULL, 0, NULL, 0, 0);
    assert_int_equal(assay_cupti_activity_start(false), ASSAY_OK);
    (void)collect(0, 0);
    emit_kernel("k", 1, 2);
    (void)collect(1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(kernels_are_kept_in_full, start_over),
        cmocka_unit_test_setup(each_kind_has_its_name, start_over),
        cmocka_unit_test_setup(records_are_sorted_and_given_once, start_over),
        cmocka_unit_test_setup(outer_records_come_first, start_over),
        cmocka_unit_test_setup(lost_records_are_counted, start_over),
        cmocka_unit_test_setup(a_loaded_module_gives_its_kernels_hashes, start_over),
        cmocka_unit_test_setup(preferences_may_fail, start_over),
        cmocka_unit_test_setup(a_refused_start_leaves_nothing_on, start_over),
        cmocka_unit_test_setup(a_failed_flush_is_a_failure, start_over),
        cmocka_unit_test_setup(a_late_buffer_is_freed, start_over),
    };
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);

    (void)start_over(NULL);
    return n_failed;
}

#endif
