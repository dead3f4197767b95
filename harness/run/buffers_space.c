/* Operations on the memory space of buffers: on a device, or in this process for CPU variants. */
#include "buffers_internal.h"

#include "check/fill.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 256
};

/* Turns a failed call of the device into a status with the device's sentence. */
static assay_status device_status(assay_memory_space space, assay_status st)
{
    return st == ASSAY_OK ? st : ASSAY_FAIL(st, "%s", space.api->message());
}

assay_status assay_memory_alloc(assay_memory_space space, size_t bytes, void **memory)
{
    if (space.api)
        return device_status(space, space.api->alloc(space.device, bytes, memory));
    *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    return *memory ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "no host memory for %zu bytes", bytes);
}

void assay_memory_release(assay_memory_space space, void *memory)
{
    if (space.api)
        space.api->release(space.device, memory);
    else
        free(memory);
}

assay_status assay_memory_upload(assay_memory_space space, void *to, const void *from, size_t bytes)
{
    if (space.api)
        return device_status(space, space.api->upload(space.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

assay_status assay_memory_download(assay_memory_space space, void *to, const void *from,
                                   size_t bytes)
{
    if (space.api)
        return device_status(space, space.api->download(space.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

void assay_memory_forbid(assay_memory_space space, const void *memory, size_t bytes, bool forbidden)
{
    if (space.api)
        space.api->forbid(space.device, memory, bytes, forbidden);
}

assay_status assay_memory_copy(assay_memory_space space, void *to, const void *from, size_t bytes)
{
    if (space.api)
        return device_status(space, space.api->copy(space.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

assay_status assay_memory_set(assay_memory_space space, void *memory, int byte, size_t bytes)
{
    if (space.api)
        return device_status(space, space.api->set(space.device, memory, byte, bytes));
    memset(memory, byte, bytes);
    return ASSAY_OK;
}

/* Poison is the same at every position. So a first piece is uploaded and then doubled on the
 * device, which saves the bus gigabytes. */
assay_status assay_buffers_upload_poison(assay_buffers *buffers, void *to, assay_type type,
                                         int64_t count, int number)
{
    enum {
        PIECE = 1 << 16
    };
    assay_status st    = ASSAY_OK;
    const size_t size  = assay_type_size(type);
    const size_t bytes = (size_t)count * size;
    const size_t piece = bytes < PIECE ? bytes : PIECE;
    uint64_t     poison[PIECE / sizeof(uint64_t)];

    if (!assay_memory_has_poison(buffers->space))
        return ASSAY_OK;
    assay_fill_poison(poison, type, (int64_t)(piece / size), number);
    ASSAY_CHECK(assay_memory_upload(buffers->space, to, poison, piece));
    for (size_t done = piece; done < bytes;) {
        const size_t next = bytes - done < done ? bytes - done : done;

        ASSAY_CHECK(assay_memory_copy(buffers->space, (char *)to + done, to, next));
        done += next;
    }
out:
    return st;
}

/* ---- between timed samples ---- */

bool assay_buffers_need_restore(const assay_buffers *buffers)
{
    for (int b = 0; b < buffers->n; b++)
        if (buffers->pristine[b])
            return true;
    return false;
}

assay_status assay_buffers_restore(void *context)
{
    assay_status   st      = ASSAY_OK;
    assay_buffers *buffers = context;

    for (int b = 0; b < buffers->n; b++) {
        if (buffers->pristine[b])
            ASSAY_CHECK(assay_memory_copy(buffers->space, buffers->data[b], buffers->pristine[b],
                                          buffers->bytes[b]));
    }
out:
    return st;
}

assay_status assay_buffers_spoil(void *context)
{
    assay_status   st      = ASSAY_OK;
    assay_buffers *buffers = context;

    for (int b = 0; b < buffers->n; b++)
        if (buffers->spoil[b])
            ASSAY_CHECK(assay_memory_set(buffers->space, buffers->data[b], buffers->spoil[b],
                                         buffers->bytes[b]));
out:
    return st;
}
