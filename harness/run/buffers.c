/* Buffers of a point, between guard zones. */
#include "buffers_internal.h"

#include "check/fill.h"

#include <stdlib.h>
#include <string.h>

/* ---- create and free ---- */

static assay_status add_guarded(assay_buffers *buffers, size_t bytes, void **base, void **data)
{
    const size_t guard = assay_memory_guard_bytes(buffers->space);
    assay_status st    = assay_memory_alloc(buffers->space, bytes + 2 * guard, base);

    if (st == ASSAY_OK) {
        *data = (char *)*base + guard;
        buffers->total_bytes += (int64_t)(bytes + 2 * guard);
    }
    return st;
}

/* The byte that spoils outputs: it makes NaN. For integers it is not -1, which may well be the
 * right answer. */
static int spoil_byte(const assay_buffer *buffer)
{
    return buffer->role != ASSAY_OUT ? 0 : assay_type_is_float(buffer->type) ? 0xff : 0xa5;
}

assay_status assay_buffers_create(assay_memory_space space, const assay_shape *shape,
                                  size_t workspace_bytes, assay_buffers *buffers)
{
    assay_status st = ASSAY_OK;

    memset(buffers, 0, sizeof *buffers);
    buffers->space = space;
    for (int b = 0; b < assay_shape_buffer_count(shape); b++) {
        const size_t bytes = assay_buffer_bytes(&shape->buf[b]);

        buffers->n        = b + 1;
        buffers->count[b] = shape->buf[b].count;
        buffers->bytes[b] = bytes;
        buffers->spoil[b] = spoil_byte(&shape->buf[b]);
        ASSAY_CHECK(add_guarded(buffers, bytes, &buffers->base[b], &buffers->data[b]));
        if (shape->buf[b].role != ASSAY_INOUT)
            continue;
        ASSAY_CHECK(assay_memory_alloc(space, bytes, &buffers->pristine[b]));
        buffers->total_bytes += (int64_t)bytes;
    }
    if (workspace_bytes > 0)
        ASSAY_CHECK(
            add_guarded(buffers, workspace_bytes, &buffers->workspace_base, &buffers->workspace));
    buffers->workspace_bytes = workspace_bytes;
out:
    if (st != ASSAY_OK)
        assay_buffers_free(buffers);
    return st;
}

static void allow_all(assay_buffers *buffers)
{
    for (int b = 0; b < buffers->n; b++)
        if (buffers->base[b])
            assay_memory_forbid(buffers->space, buffers->base[b],
                                assay_memory_guard_bytes(buffers->space), false);
}

void assay_buffers_free(assay_buffers *buffers)
{
    if (!buffers)
        return;
    allow_all(buffers);
    for (int b = 0; b < buffers->n; b++) {
        assay_memory_release(buffers->space, buffers->base[b]);
        assay_memory_release(buffers->space, buffers->pristine[b]);
    }
    if (buffers->n > 0)
        assay_memory_release(buffers->space, buffers->workspace_base);
    memset(buffers, 0, sizeof *buffers);
}

/* ---- before a run ---- */

assay_region assay_buffers_region(const assay_buffers *buffers, const assay_shape *shape, int b)
{
    if (b == buffers->n)
        return (assay_region) { "workspace", buffers->workspace, buffers->workspace_bytes,
                                ASSAY_F32, ASSAY_MAX_BUFFERS };
    return (assay_region) { shape->buf[b].name, buffers->data[b],
                            assay_buffer_bytes(&shape->buf[b]), shape->buf[b].type, b };
}

int assay_buffers_region_count(const assay_buffers *buffers)
{
    return buffers->n + (buffers->workspace ? 1 : 0);
}

void assay_buffers_forbid_guards(const assay_buffers *buffers, const assay_region *r,
                                 bool forbidden)
{
    const size_t guard = assay_memory_guard_bytes(buffers->space);

    assay_memory_forbid(buffers->space, r->data - guard, guard, forbidden);
    assay_memory_forbid(buffers->space, r->data + r->bytes, guard, forbidden);
}

int assay_buffers_guard_number(const assay_buffers *buffers, const assay_region *r, int run)
{
    return assay_fill_number(run, buffers->armed_input, r->buffer);
}

static assay_status write_guards(assay_buffers *buffers, const assay_region *r, int run)
{
    assay_status  st = ASSAY_OK;
    unsigned char guard[ASSAY_GUARD_BYTES];

    if (assay_memory_guard_bytes(buffers->space) == 0)
        return ASSAY_OK;
    assay_fill_guard(guard, sizeof guard, r->type, assay_buffers_guard_number(buffers, r, run));
    assay_buffers_forbid_guards(buffers, r, false);
    ASSAY_CHECK(
        assay_memory_upload(buffers->space, r->data - ASSAY_GUARD_BYTES, guard, sizeof guard));
    ASSAY_CHECK(assay_memory_upload(buffers->space, r->data + r->bytes, guard, sizeof guard));
    assay_buffers_forbid_guards(buffers, r, true);
out:
    return st;
}

static assay_status arm_buffer(assay_buffers *buffers, const assay_inputs *inputs, int b, int run)
{
    const assay_buffer *buffer = &inputs->shape.buf[b];

    if (inputs->initial[b])
        return assay_memory_upload(buffers->space, buffers->data[b], inputs->initial[b],
                                   assay_buffer_bytes(buffer));
    return assay_buffers_upload_poison(buffers, buffers->data[b], buffer->type, buffer->count,
                                       assay_fill_number(run, inputs->input, b));
}

static bool is_armed_with(const assay_buffers *buffers, const assay_inputs *inputs)
{
    return buffers->is_armed && buffers->armed_seed == inputs->seed &&
           buffers->armed_input == inputs->input;
}

/* An input that the last launch is known to have left unchanged is not uploaded again. */
static bool is_there(const assay_buffers *buffers, const assay_inputs *inputs, int b)
{
    return buffers->is_intact[b] && is_armed_with(buffers, inputs);
}

/* Is an INOUT buffer restored from a copy on the device instead of uploaded? Yes, unless a launch
 * has written into the copy. For CPU variants and small buffers, uploading is faster than the
 * digest of the copy. */
static bool goes_up_once(const assay_buffers *buffers, int b)
{
    return buffers->space.api && !assay_buffers_is_small(buffers->bytes[b]);
}

static assay_status digest_pristine(const assay_buffers *buffers, int b, uint64_t *digest)
{
    return assay_buffers_digest_at(buffers, buffers->pristine[b], buffers->bytes[b], digest);
}

/* Restores the buffer, or uploads it and makes the copy. */
static assay_status arm_inout(assay_buffers *buffers, const assay_inputs *inputs, int b)
{
    assay_status st     = ASSAY_OK;
    void *const  data   = buffers->data[b];
    uint64_t     digest = 0;

    if (goes_up_once(buffers, b) && is_armed_with(buffers, inputs)) {
        ASSAY_CHECK(digest_pristine(buffers, b, &digest));
        if (digest == buffers->pristine_digest[b])
            return assay_memory_copy(buffers->space, data, buffers->pristine[b], buffers->bytes[b]);
    }
    ASSAY_CHECK(assay_memory_upload(buffers->space, data, inputs->initial[b], buffers->bytes[b]));
    ASSAY_CHECK(assay_memory_copy(buffers->space, buffers->pristine[b], data, buffers->bytes[b]));
    if (goes_up_once(buffers, b))
        ASSAY_CHECK(digest_pristine(buffers, b, &buffers->pristine_digest[b]));
out:
    return st;
}

static assay_status digest_armed(assay_buffers *buffers, const assay_inputs *inputs)
{
    assay_status st = ASSAY_OK;

    for (int b = 0; b < buffers->n; b++) {
        if (inputs->shape.buf[b].role != ASSAY_IN || is_there(buffers, inputs, b))
            continue;
        if (assay_buffers_is_small(buffers->bytes[b]))
            buffers->armed_digest[b] =
                assay_buffers_digest_here(inputs->initial[b], buffers->bytes[b]);
        else
            ASSAY_CHECK(assay_buffers_digest_one(buffers, b, &buffers->armed_digest[b]));
    }
    memset(buffers->is_intact, 0, sizeof buffers->is_intact);
    buffers->is_armed    = true;
    buffers->armed_seed  = inputs->seed;
    buffers->armed_input = inputs->input;
out:
    return st;
}

assay_status assay_buffers_arm(assay_buffers *buffers, const assay_inputs *inputs, int run,
                               bool keeps_scratch)
{
    assay_status st = ASSAY_OK;

    if (!is_armed_with(buffers, inputs))
        buffers->is_armed = false; /* until all digests are those of these inputs */
    for (int b = 0; b < buffers->n; b++) {
        if (buffers->pristine[b])
            ASSAY_CHECK(arm_inout(buffers, inputs, b));
        else if ((!keeps_scratch || inputs->shape.buf[b].role != ASSAY_WORK) &&
                 !is_there(buffers, inputs, b))
            ASSAY_CHECK(arm_buffer(buffers, inputs, b, run));
    }
    ASSAY_CHECK(digest_armed(buffers, inputs));
    if (buffers->workspace && !keeps_scratch)
        /* Poisoned as fp32, so that a read before a write shows. A tail below 4 bytes holds no
         * number. */
        ASSAY_CHECK(
            assay_buffers_upload_poison(buffers, buffers->workspace, ASSAY_F32,
                                        (int64_t)(buffers->workspace_bytes / sizeof(float)),
                                        assay_fill_number(run, inputs->input, ASSAY_MAX_BUFFERS)));
    for (int b = 0; b < assay_buffers_region_count(buffers); b++) {
        const assay_region r = assay_buffers_region(buffers, &inputs->shape, b);

        ASSAY_CHECK(write_guards(buffers, &r, run));
    }
out:
    return st;
}
