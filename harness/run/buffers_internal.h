/* What the files of the buffers share. */
#ifndef ASSAY_BUFFERS_INTERNAL_H
#define ASSAY_BUFFERS_INTERNAL_H

#include "buffers.h"

#include "check/fill.h"

/* One guarded region with its guard type: a buffer, or the workspace (as bytes of fp32). */
typedef struct assay_region {
    const char *name;
    char       *data;
    size_t      bytes;
    assay_type  type;
    int         buffer; /* its place in the shape; behind the last one: the workspace */
} assay_region;

/* Guard zones lie in the allocation of their buffer, where memcheck takes an access to them for
 * right: under it buffers have none, and allocations end where they end. */
static inline size_t assay_place_guard_bytes(assay_place place)
{
    return place.tool == ASSAY_GPU_TOOL_MEMCHECK ? 0 : (size_t)ASSAY_GUARD_BYTES;
}

/* Poison is a write like any other to initcheck: under it what no kernel has written stays so. */
static inline bool assay_place_has_poison(assay_place place)
{
    return place.tool != ASSAY_GPU_TOOL_INITCHECK;
}

/* Memory of a place. A failure of the device has the device's own sentence. */
assay_status assay_place_alloc(assay_place place, size_t bytes, void **memory);
void         assay_place_release(assay_place place, void *memory);
assay_status assay_place_upload(assay_place place, void *to, const void *from, size_t bytes);
assay_status assay_place_download(assay_place place, void *to, const void *from, size_t bytes);
assay_status assay_place_copy(assay_place place, void *to, const void *from, size_t bytes);
assay_status assay_place_set(assay_place place, void *memory, int byte, size_t bytes);
void assay_place_forbid(assay_place place, const void *memory, size_t bytes, bool forbidden);

/* Region b: a buffer, or, behind the last one, the workspace. */
assay_region assay_buffers_region(const assay_buffers *buffers, const assay_shape *shape, int b);
int          assay_buffers_region_count(const assay_buffers *buffers);
/* What its guard zones hold (fill.h), once the buffers are armed. */
int  assay_buffers_guard_number(const assay_buffers *buffers, const assay_region *r, int run);
void assay_buffers_forbid_guards(const assay_buffers *buffers, const assay_region *r,
                                 bool forbidden);
/* Is it brought home at once, with its guard zones, instead of asked for its digest? */
bool assay_buffers_is_small(size_t bytes);
/* Looks at both guard zones of a region; the first finding of all stays. */
assay_status assay_buffers_judge_region(assay_buffers *buffers, const assay_region *r, int run,
                                        assay_verdict *verdict, char *reason, size_t size);
/* `number`: fill.h. */
assay_status assay_buffers_upload_poison(assay_buffers *buffers, void *to, assay_type type,
                                         int64_t count, int number);

/* The digest of memory of this process. */
uint64_t     assay_buffers_digest_here(const void *bytes, size_t n);
assay_status assay_buffers_digest_one(const assay_buffers *buffers, int b, uint64_t *digest);
/* Of memory of the buffers' place. */
assay_status assay_buffers_digest_at(const assay_buffers *buffers, const void *memory, size_t bytes,
                                     uint64_t *digest);

#endif
