/* Operations on the memory of buffers: on a device, or in this process for CPU variants. */
#include "buffers_internal.h"

#include "check/fill.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 256
};

/* Turns a failed call of the device into a status with the device's sentence. */
static assay_status device_status(assay_place place, assay_status st)
{
    return st == ASSAY_OK ? st : ASSAY_FAIL(st, "%s", place.api->message());
}

assay_status assay_place_alloc(assay_place place, size_t bytes, void **memory)
{
    if (place.api)
        return device_status(place, place.api->alloc(place.device, bytes, memory));
    *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    return *memory ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "no host memory for %zu bytes", bytes);
}

void assay_place_release(assay_place place, void *memory)
{
    if (place.api)
        place.api->release(place.device, memory);
    else
        free(memory);
}

assay_status assay_place_upload(assay_place place, void *to, const void *from, size_t bytes)
{
    if (place.api)
        return device_status(place, place.api->upload(place.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

assay_status assay_place_download(assay_place place, void *to, const void *from, size_t bytes)
{
    if (place.api)
        return device_status(place, place.api->download(place.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

void assay_place_forbid(assay_place place, const void *memory, size_t bytes, bool forbidden)
{
    if (place.api)
        place.api->forbid(place.device, memory, bytes, forbidden);
}

assay_status assay_place_copy(assay_place place, void *to, const void *from, size_t bytes)
{
    if (place.api)
        return device_status(place, place.api->copy(place.device, to, from, bytes));
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

assay_status assay_place_set(assay_place place, void *memory, int byte, size_t bytes)
{
    if (place.api)
        return device_status(place, place.api->set(place.device, memory, byte, bytes));
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

    if (!assay_place_has_poison(buffers->place))
        return ASSAY_OK;
    assay_fill_poison(poison, type, (int64_t)(piece / size), number);
    ASSAY_CHECK(assay_place_upload(buffers->place, to, poison, piece));
    for (size_t done = piece; done < bytes;) {
        const size_t next = bytes - done < done ? bytes - done : done;

        ASSAY_CHECK(assay_place_copy(buffers->place, (char *)to + done, to, next));
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
            ASSAY_CHECK(assay_place_copy(buffers->place, buffers->data[b], buffers->pristine[b],
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
            ASSAY_CHECK(assay_place_set(buffers->place, buffers->data[b], buffers->spoil[b],
                                        buffers->bytes[b]));
out:
    return st;
}
