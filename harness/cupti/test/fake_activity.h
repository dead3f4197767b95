/* A stand-in for CUPTI, for the test of recording: it takes the module's calls and hands over
 * the records that a test emits. Needs CUPTI's headers, not its library. */
#ifndef ASSAY_TEST_FAKE_ACTIVITY_H
#define ASSAY_TEST_FAKE_ACTIVITY_H

#include "cupti/module/cupti_internal.h"

#include "testing/testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SLOT       = 256, /* bytes of a record in the fake's buffers */
    FEW_SLOTS  = 64,  /* records that fit into one buffer of the fake */
    LAUNCH     = 211,
    ALL_KINDS  = 7,
    BASE_KINDS = 4,
};

static struct {
    CUpti_BuffersCallbackRequestFunc  request;
    CUpti_BuffersCallbackCompleteFunc complete;
    CUpti_CallbackFunc                listener;
    uint8_t                          *buffer;
    size_t                            n_slots;
    size_t                            n_dropped;
    int                               n_enabled, n_subscribers, n_completed;
    CUpti_ActivityKind                refused_kind;
    CUptiResult                       subscribe_result, attribute_result, flush_result;
    bool                              has_no_driver;
} fake;

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
                           void *data)
{
    (void)data;
    *subscriber = NULL;
    if (fake.subscribe_result != CUPTI_SUCCESS)
        return fake.subscribe_result;
    fake.listener = callback;
    fake.n_subscribers++;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    (void)subscriber;
    fake.listener = NULL;
    fake.n_subscribers--;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    (void)subscriber;
    assert_int_equal(enable, 1);
    assert_int_equal(domain, CUPTI_CB_DOMAIN_RESOURCE);
    assert_int_equal(id, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    (void)attribute, (void)size, (void)value;
    return fake.attribute_result;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    (void)type;
    return fake.attribute_result;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc  request,
                                           CUpti_BuffersCallbackCompleteFunc complete)
{
    fake.request  = request;
    fake.complete = complete;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    if (kind == fake.refused_kind)
        return CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED;
    fake.n_enabled++;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    (void)kind;
    fake.n_enabled = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t n_valid_bytes,
                                       CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + SLOT : buffer;

    if (next >= buffer + n_valid_bytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(void *)next;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *n)
{
    (void)context, (void)stream;
    *n             = fake.n_dropped;
    fake.n_dropped = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
    if (id != LAUNCH)
        return CUPTI_ERROR_INVALID_PARAMETER;
    *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API ? "cudaLaunchKernel_v7000" : "cuLaunchKernel";
    return CUPTI_SUCCESS;
}

static void hand_over(void)
{
    uint8_t *buffer = fake.buffer;

    if (!buffer)
        return;
    fake.buffer = NULL;
    fake.n_completed++;
    fake.complete(NULL, 0, buffer, (size_t)FEW_SLOTS * SLOT, fake.n_slots * SLOT);
}

CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    assert_int_equal(flag, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    hand_over();
    return fake.flush_result;
}

/* Functions of the module's other files. */
assay_status assay_cupti_require_driver(void)
{
    return fake.has_no_driver ? ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "no NVIDIA driver") : ASSAY_OK;
}

assay_status assay_cupti_fail(CUptiResult error, const char *what)
{
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "%s: %d", what, (int)error);
}

/* Emits a record, as if the GPU had done something. */
static void emit(const void *record, size_t size)
{
    size_t n_bytes = 0, max_n = 1;

    assert_true(size <= SLOT);
    if (fake.buffer && fake.n_slots == FEW_SLOTS)
        hand_over();
    if (!fake.buffer) {
        fake.request(&fake.buffer, &n_bytes, &max_n);
        assert_non_null(fake.buffer);
        assert_int_equal((uintptr_t)fake.buffer % 8, 0);
        assert_true(n_bytes >= (size_t)FEW_SLOTS * SLOT);
        assert_int_equal(max_n, 0);
        fake.n_slots = 0;
    }
    memcpy(fake.buffer + fake.n_slots++ * SLOT, record, size);
}

#define EMIT(type, ...)                                                                            \
    do {                                                                                           \
        const type record_ = { __VA_ARGS__ };                                                      \
        emit(&record_, sizeof record_);                                                            \
    } while (0)

static void emit_kernel(const char *name, uint64_t start, uint64_t end)
{
    EMIT(assay_cupti_kernel, .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = name,
         .start = start, .end = end);
}

/* ---- helpers ---- */

static int start_over(void **state)
{
    (void)state;
    assay_cupti_activity_stop();
    memset(&fake, 0, sizeof fake);
    assay_status_reset();
    return 0;
}

static const assay_activity *collect(int64_t expected_n, int64_t expected_n_dropped)
{
    const assay_activity *records   = NULL;
    int64_t               n         = -1;
    int64_t               n_dropped = -1;

    assert_int_equal(assay_cupti_activity_collect(&records, &n, &n_dropped), ASSAY_OK);
    assert_int_equal(n, expected_n);
    assert_int_equal(n_dropped, expected_n_dropped);
    return records;
}

#endif
