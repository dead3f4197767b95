/* Records what a GPU does: CUPTI's activity records, copied in its completion callback, and the
 * hashes of kernels in loaded modules. */
#include "cupti_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_BYTES = 4 << 20,
    BUFFER_ALIGN = 64,
    MAX_RECORDS  = 4 << 20, /* between two collects; later ones count as dropped */
};

typedef struct records {
    assay_activity *items; /* owned */
    size_t          n, capacity;
} records;

/* A buffer that CUPTI does not use at the moment. */
typedef struct spare {
    struct spare *next;
} spare;

/* CUPTI allows one client per process, so this exists once. The lock protects all that callbacks
 * use. Functions that may call back are never called under it. */
static struct {
    pthread_mutex_t        lock;
    bool                   is_started, has_subscriber;
    CUpti_SubscriberHandle subscriber;
    records                arriving, collected;
    int64_t                n_dropped;
    assay_names            names;
    spare                 *spares; /* owned */
} activity = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void lock(void) { ASSAY_ASSERT(pthread_mutex_lock(&activity.lock) == 0); }

static void unlock(void) { ASSAY_ASSERT(pthread_mutex_unlock(&activity.lock) == 0); }

/* ---- callbacks ---- */

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *max_n_records)
{
    lock();
    spare *found = activity.spares;

    if (found)
        activity.spares = found->next;
    unlock();
    /* Without a buffer CUPTI drops records, and counts them. */
    *buffer        = found ? (uint8_t *)found : aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *size          = *buffer ? BUFFER_BYTES : 0;
    *max_n_records = 0;
}

static bool has_room(records *list)
{
    if (list->n < list->capacity)
        return true;
    const size_t capacity = list->capacity ? 2 * list->capacity : 4096;

    if (capacity > MAX_RECORDS)
        return false;
    assay_activity *items = realloc(list->items, capacity * sizeof *items);

    if (!items)
        return false;
    list->items    = items;
    list->capacity = capacity;
    return true;
}

static void add_record(const CUpti_Activity *record)
{
    assay_activity         converted;
    const assay_conversion result = assay_cupti_convert(record, &activity.names, &converted);

    if (result == ASSAY_CONVERT_OTHER)
        return;
    if (result == ASSAY_CONVERTED && has_room(&activity.arriving))
        activity.arriving.items[activity.arriving.n++] = converted;
    else
        activity.n_dropped++;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t n_valid_bytes)
{
    CUpti_Activity *record    = NULL;
    size_t          n_dropped = 0;

    (void)size;
    if (!buffer)
        return;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &n_dropped) != CUPTI_SUCCESS)
        n_dropped = 0;
    lock();
    activity.n_dropped += (int64_t)n_dropped;
    while (activity.is_started &&
           cuptiActivityGetNextRecord(buffer, n_valid_bytes, &record) == CUPTI_SUCCESS)
        add_record(record);
    spare *returned = (spare *)(void *)buffer;

    if (activity.is_started) {
        returned->next  = activity.spares;
        activity.spares = returned;
    } else {
        free(returned);
    }
    unlock();
}

static void CUPTIAPI note_module(void *context, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                 const void *data)
{
    const CUpti_ResourceData *resource = data;

    (void)context;
    if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED ||
        !resource->resourceDescriptor)
        return;
    const CUpti_ModuleResourceData *module = resource->resourceDescriptor;

    lock();
    (void)assay_names_add_code(&activity.names, module->pCubin, module->cubinSize);
    unlock();
}

/* ---- start and stop ---- */

static const struct {
    CUpti_ActivityKind kind;
    bool               is_api;
} kinds[] = {
    { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, false },
    { CUPTI_ACTIVITY_KIND_MEMCPY, false },
    { CUPTI_ACTIVITY_KIND_MEMSET, false },
    { CUPTI_ACTIVITY_KIND_OVERHEAD, false },
    { CUPTI_ACTIVITY_KIND_RUNTIME, true },
    { CUPTI_ACTIVITY_KIND_DRIVER, true },
    { CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, true },
};

/* Listens for modules. Without that, records have no code hashes but are otherwise complete. If
 * another tool already listens, it gets the records as well. */
static assay_status subscribe(void)
{
    const CUptiResult error = cuptiSubscribe(&activity.subscriber, note_module, NULL);

    activity.has_subscriber = error == CUPTI_SUCCESS;
    if (error == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        return assay_cupti_fail(error, "cuptiSubscribe");
    if (activity.has_subscriber)
        (void)cuptiEnableCallback(1, activity.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                  CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return ASSAY_OK;
}

/* Preferences: an older CUPTI or driver that refuses one still records. */
static void set_preferences(void)
{
#if CUPTI_API_VERSION >= 130000
    uint8_t no   = 0;
    size_t  size = sizeof no;

    (void)cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &size, &no);
#endif
    (void)cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
}

assay_status assay_cupti_activity_start(bool with_api)
{
    assay_status st = ASSAY_OK;

    if (activity.is_started)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "activity records are on already");
    ASSAY_CHECK(assay_cupti_require_driver());
    lock();
    activity.is_started = true;
    unlock();
    ASSAY_CHECK(subscribe());
    set_preferences();
    ASSAY_CUPTI_CHECK(cuptiActivityRegisterCallbacks(give_buffer, take_buffer));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (with_api || !kinds[i].is_api)
            ASSAY_CUPTI_CHECK(cuptiActivityEnable(kinds[i].kind));
    }
out:
    if (st != ASSAY_OK)
        assay_cupti_activity_stop();
    return st;
}

static void free_all(void)
{
    while (activity.spares) {
        spare *next = activity.spares->next;

        free(activity.spares);
        activity.spares = next;
    }
    free(activity.arriving.items);
    free(activity.collected.items);
    memset(&activity.arriving, 0, sizeof activity.arriving);
    memset(&activity.collected, 0, sizeof activity.collected);
    activity.n_dropped = 0;
    assay_names_free(&activity.names);
}

void assay_cupti_activity_stop(void)
{
    if (!activity.is_started)
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        (void)cuptiActivityDisable(kinds[i].kind);
    (void)cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    if (activity.has_subscriber)
        (void)cuptiUnsubscribe(activity.subscriber);
    lock();
    activity.is_started     = false;
    activity.has_subscriber = false;
    free_all();
    unlock();
}

/* ---- collect ---- */

/* Sorts by start; a record that contains another one comes first. */
static int compare(const void *left, const void *right)
{
    const assay_activity *a = left, *b = right;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns ? -1 : 1;
    return (a->correlation_id > b->correlation_id) - (a->correlation_id < b->correlation_id);
}

assay_status assay_cupti_activity_collect(const assay_activity **list, int64_t *n,
                                          int64_t *n_dropped)
{
    assay_status st = ASSAY_OK;

    *list      = NULL;
    *n         = 0;
    *n_dropped = 0;
    ASSAY_REQUIRE(activity.is_started, ASSAY_E_INTERNAL, "activity records are not on");
    ASSAY_CUPTI_CHECK(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    lock();
    const records arrived = activity.arriving;

    activity.arriving   = activity.collected;
    activity.arriving.n = 0;
    activity.collected  = arrived;
    *n_dropped          = activity.n_dropped;
    activity.n_dropped  = 0;
    unlock();
    if (arrived.n > 1)
        qsort(arrived.items, arrived.n, sizeof *arrived.items, compare);
    *list = arrived.items;
    *n    = (int64_t)arrived.n;
out:
    return st;
}
