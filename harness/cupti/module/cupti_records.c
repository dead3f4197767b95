/* Converts CUPTI's activity records. */
#include "cupti_internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Index 0 stands for values that a newer CUPTI may add. */
#define TEXT_OF(table, index)                                                                      \
    ((size_t)(index) < sizeof(table) / sizeof(table)[0] ? (table)[index] : (table)[0])

static const char *const copies[] = {
    "memcpy",
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOD] = "memcpy HtoD",
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOH] = "memcpy DtoH",
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOA] = "memcpy HtoA",
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOH] = "memcpy AtoH",
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOA] = "memcpy AtoA",
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOD] = "memcpy AtoD",
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOA] = "memcpy DtoA",
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOD] = "memcpy DtoD",
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOH] = "memcpy HtoH",
    [CUPTI_ACTIVITY_MEMCPY_KIND_PTOP] = "memcpy PtoP",
};

static const char *const waits[] = {
    "synchronize",
    [CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE]   = "event synchronize",
    [CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT]   = "stream wait event",
    [CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE]  = "stream synchronize",
    [CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE] = "context synchronize",
};

/* CUPTI numbers its own kinds of work in the upper half; 1 is the driver's compiler. */
static const char *const overheads[] = {
    "overhead",
    "activity buffer flush",
    "instrumentation",
    "CUPTI resources",
    "module loading",
    "lazy function loading",
    "command buffer full",
    "activity buffer request",
    "unified memory activity start",
};

static const char *overhead_name(uint32_t kind)
{
    return kind == CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER ? "driver compiler"
                                                           : TEXT_OF(overheads, kind >> 16);
}

/* "cudaLaunchKernel_v7000"; NULL: out of memory. */
static const char *api_name(const CUpti_ActivityAPI *record, assay_names *names)
{
    const CUpti_CallbackDomain domain = record->kind == CUPTI_ACTIVITY_KIND_RUNTIME
                                            ? CUPTI_CB_DOMAIN_RUNTIME_API
                                            : CUPTI_CB_DOMAIN_DRIVER_API;
    const char                *name   = NULL;
    char                       text[32];

    if (cuptiGetCallbackName(domain, record->cbid, &name) == CUPTI_SUCCESS && name)
        return name;
    (void)snprintf(text, sizeof text, "call %u", (unsigned)record->cbid);
    const assay_name *entry = assay_names_get(names, text);

    return entry ? entry->text : NULL;
}

static bool convert_kernel(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    assay_cupti_kernel from;

    memcpy(&from, record, sizeof from);
    const assay_name *name = assay_names_get(names, from.name ? from.name : "(unnamed kernel)");

    if (!name)
        return false;
    *to = (assay_activity) {
        .kind           = ASSAY_ACTIVITY_KERNEL,
        .name           = name->text,
        .start_ns       = (int64_t)from.start,
        .end_ns         = (int64_t)from.end,
        .correlation_id = from.correlationId,
        .device         = from.deviceId,
        .context        = from.contextId,
        .stream         = from.streamId,
        .grid           = { (uint32_t)from.gridX, (uint32_t)from.gridY, (uint32_t)from.gridZ },
        .block          = { (uint32_t)from.blockX, (uint32_t)from.blockY, (uint32_t)from.blockZ },
        .registers      = from.registersPerThread,
        .local_bytes    = from.localMemoryPerThread,
        .static_shared_bytes  = (uint32_t)from.staticSharedMemory,
        .dynamic_shared_bytes = (uint32_t)from.dynamicSharedMemory,
        .graph_id             = from.graphId,
    };
    memcpy(to->code_hash, name->code_hash, sizeof to->code_hash);
    return true;
}

static bool convert_memcpy(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    assay_cupti_memcpy from;

    (void)names;
    memcpy(&from, record, sizeof from);
    *to = (assay_activity) {
        .kind           = ASSAY_ACTIVITY_MEMCPY,
        .name           = TEXT_OF(copies, from.copyKind),
        .start_ns       = (int64_t)from.start,
        .end_ns         = (int64_t)from.end,
        .correlation_id = from.correlationId,
        .device         = from.deviceId,
        .context        = from.contextId,
        .stream         = from.streamId,
        .bytes          = from.bytes,
        .graph_id       = from.graphId,
    };
    return true;
}

static bool convert_memset(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    assay_cupti_memset from;

    (void)names;
    memcpy(&from, record, sizeof from);
    *to = (assay_activity) {
        .kind           = ASSAY_ACTIVITY_MEMSET,
        .name           = "memset",
        .start_ns       = (int64_t)from.start,
        .end_ns         = (int64_t)from.end,
        .correlation_id = from.correlationId,
        .device         = from.deviceId,
        .context        = from.contextId,
        .stream         = from.streamId,
        .bytes          = from.bytes,
        .graph_id       = from.graphId,
    };
    return true;
}

static bool convert_api(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    CUpti_ActivityAPI from;

    memcpy(&from, record, sizeof from);
    *to = (assay_activity) {
        .kind           = ASSAY_ACTIVITY_API,
        .name           = api_name(&from, names),
        .start_ns       = (int64_t)from.start,
        .end_ns         = (int64_t)from.end,
        .correlation_id = from.correlationId,
        .process        = from.processId,
        .thread         = from.threadId,
    };
    return to->name;
}

static bool convert_sync(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    assay_cupti_sync from;

    (void)names;
    memcpy(&from, record, sizeof from);
    *to = (assay_activity) {
        .kind           = ASSAY_ACTIVITY_SYNC,
        .name           = TEXT_OF(waits, from.type),
        .start_ns       = (int64_t)from.start,
        .end_ns         = (int64_t)from.end,
        .correlation_id = from.correlationId,
        .context        = from.contextId,
        .stream         = from.streamId,
    };
    return true;
}

static bool convert_overhead(const CUpti_Activity *record, assay_names *names, assay_activity *to)
{
    assay_cupti_overhead from;

    (void)names;
    memcpy(&from, record, sizeof from);
    *to = (assay_activity) {
        .kind     = ASSAY_ACTIVITY_OVERHEAD,
        .name     = overhead_name((uint32_t)from.overheadKind),
        .start_ns = (int64_t)from.start,
        .end_ns   = (int64_t)from.end,
    };
    if (from.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        to->thread = from.objectId.pt.threadId;
    return true;
}

static const struct {
    CUpti_ActivityKind kind;
    bool (*convert)(const CUpti_Activity *record, assay_names *names, assay_activity *to);
} conversions[] = {
    { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, convert_kernel },
    { CUPTI_ACTIVITY_KIND_KERNEL, convert_kernel },
    { CUPTI_ACTIVITY_KIND_MEMCPY, convert_memcpy },
    { CUPTI_ACTIVITY_KIND_MEMSET, convert_memset },
    { CUPTI_ACTIVITY_KIND_RUNTIME, convert_api },
    { CUPTI_ACTIVITY_KIND_DRIVER, convert_api },
    { CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, convert_sync },
    { CUPTI_ACTIVITY_KIND_OVERHEAD, convert_overhead },
};

assay_conversion assay_cupti_convert(const CUpti_Activity *record, assay_names *names,
                                     assay_activity *activity)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        if (conversions[i].kind != record->kind)
            continue;
        if (!conversions[i].convert(record, names, activity))
            return ASSAY_CONVERT_LOST;
        if (activity->process == 0)
            activity->process = (uint32_t)getpid();
        return activity->start_ns == 0 && activity->end_ns == 0 ? ASSAY_CONVERT_LOST
                                                                : ASSAY_CONVERTED;
    }
    return ASSAY_CONVERT_OTHER;
}
