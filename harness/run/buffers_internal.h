/* What the files of the buffers share. */
#ifndef ASSAY_BUFFERS_INTERNAL_H
#define ASSAY_BUFFERS_INTERNAL_H

#include "buffers.h"

#include "check/fill.h"

/* A region between guard zones, with the type of its guards: a buffer, or the workspace (as bytes
 * of fp32). */
typedef struct assay_region {
    const char *name;
    char       *data;
    size_t      bytes;
    assay_type  type;
    int         buffer; /* index in the shape; after the last one: the workspace */
} assay_region;

/* Bytes of a guard zone. Zones are part of their buffer's allocation, so memcheck would take an
 * access to them for right. Under memcheck buffers have no zones and end where their allocation
 * ends. */
static inline size_t assay_memory_guard_bytes(assay_memory_space space)
{
    return space.tool == ASSAY_GPU_TOOL_MEMCHECK ? 0 : (size_t)ASSAY_GUARD_BYTES;
}

/* May buffers be poisoned? Initcheck takes poison for data, so under initcheck memory that no
 * kernel has written is left unwritten. */
static inline bool assay_memory_has_poison(assay_memory_space space)
{
    return space.tool != ASSAY_GPU_TOOL_INITCHECK;
}

/* Operations on memory. If the device fails, the status has the device's sentence. */
assay_status assay_memory_alloc(assay_memory_space space, size_t bytes, void **memory);
void         assay_memory_release(assay_memory_space space, void *memory);
assay_status assay_memory_upload(assay_memory_space space, void *to, const void *from,
                                 size_t bytes);
assay_status assay_memory_download(assay_memory_space space, void *to, const void *from,
                                   size_t bytes);
assay_status assay_memory_copy(assay_memory_space space, void *to, const void *from, size_t bytes);
assay_status assay_memory_set(assay_memory_space space, void *memory, int byte, size_t bytes);
void         assay_memory_forbid(assay_memory_space space, const void *memory, size_t bytes,
                                 bool forbidden);

/* Region b: a buffer or, after the last one, the workspace. */
assay_region assay_buffers_region(const assay_buffers *buffers, const assay_shape *shape, int b);
int          assay_buffers_region_count(const assay_buffers *buffers);
/* The number (fill.h) of its guard zones, once the buffers are armed. */
int  assay_buffers_guard_number(const assay_buffers *buffers, const assay_region *r, int run);
void assay_buffers_forbid_guards(const assay_buffers *buffers, const assay_region *r,
                                 bool forbidden);
/* Is a buffer of this size copied at once with its guard zones, instead of digested? */
bool assay_buffers_is_small(size_t bytes);
/* Checks both guard zones of a region. The first finding of all is kept. */
assay_status assay_buffers_judge_region(assay_buffers *buffers, const assay_region *r, int run,
                                        assay_verdict *verdict, char *reason, size_t size);
/* `number`: fill.h. */
assay_status assay_buffers_upload_poison(assay_buffers *buffers, void *to, assay_type type,
                                         int64_t count, int number);

/* The digest of memory of this process. */
uint64_t     assay_buffers_digest_here(const void *bytes, size_t n);
assay_status assay_buffers_digest_one(const assay_buffers *buffers, int b, uint64_t *digest);
/* The digest of memory in which the buffers are. */
assay_status assay_buffers_digest_at(const assay_buffers *buffers, const void *memory, size_t bytes,
                                     uint64_t *digest);

#endif
