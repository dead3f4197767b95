/* Evidence without copies: digests of inputs and outputs, and guard zones. */
#include "buffers_internal.h"

#include "base/parallel.h"
#include "check/fill.h"

#include <stdatomic.h>
#include <string.h>

enum {
    CHUNK = 1 << 16 /* words */
};

typedef struct digest_job {
    const unsigned char *bytes;
    size_t               n_bytes;
    _Atomic uint64_t     sum; /* integer sums: the order of the chunks does not matter */
} digest_job;

/* The digest of device.h, for memory of this process. */
static void digest_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    digest_job *job = context;
    uint64_t    sum = 0;

    (void)chunk;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        const size_t at   = i * sizeof(uint32_t);
        const size_t left = job->n_bytes - at;
        uint32_t     word = 0;
        uint64_t     z;

        memcpy(&word, job->bytes + at, left < sizeof word ? left : sizeof word);
        z = ((uint64_t)i << 32 | word) + 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        sum += z ^ z >> 31;
    }
    atomic_fetch_add(&job->sum, sum);
}

uint64_t assay_buffers_digest_here(const void *bytes, size_t n)
{
    digest_job job = { .bytes = bytes, .n_bytes = n };

    assay_parallel_for((int64_t)((n + sizeof(uint32_t) - 1) / sizeof(uint32_t)), CHUNK,
                       digest_chunk, &job);
    return atomic_load(&job.sum);
}

assay_status assay_buffers_digest_at(const assay_buffers *buffers, const void *memory, size_t bytes,
                                     uint64_t *digest)
{
    const assay_memory_space space = buffers->space;
    assay_status             st    = ASSAY_OK;

    if (space.api == NULL) {
        *digest = assay_buffers_digest_here(memory, bytes);
        goto out;
    }
    st = space.api->digest(space.device, memory, bytes, digest);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", space.api->message());
out:
    return st;
}

assay_status assay_buffers_digest_one(const assay_buffers *buffers, int b, uint64_t *digest)
{
    return assay_buffers_digest_at(buffers, buffers->data[b], buffers->bytes[b], digest);
}

assay_status assay_buffers_digest(assay_buffers *buffers, const assay_inputs *inputs,
                                  bool of_outputs, uint64_t digest[ASSAY_MAX_BUFFERS])
{
    assay_status st = ASSAY_OK;

    memset(digest, 0, ASSAY_MAX_BUFFERS * sizeof *digest);
    for (int b = 0; b < buffers->n; b++) {
        const assay_role role      = inputs->shape.buf[b].role;
        const bool       is_output = role == ASSAY_OUT || role == ASSAY_INOUT;

        if (of_outputs ? is_output : role == ASSAY_IN)
            ASSAY_CHECK(assay_buffers_digest_one(buffers, b, &digest[b]));
    }
out:
    return st;
}

assay_status assay_buffers_download(const assay_buffers *buffers, int b, void *to, size_t size)
{
    const assay_memory_space space = buffers->space;
    const size_t             bytes = buffers->bytes[b] < size ? buffers->bytes[b] : size;
    assay_status             st    = ASSAY_OK;

    if (space.api == NULL) {
        memcpy(to, buffers->data[b], bytes);
        goto out;
    }
    st = space.api->download(space.device, to, buffers->data[b], bytes);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", space.api->message());
out:
    return st;
}

assay_status assay_buffers_rearm(assay_buffers *buffers, const assay_inputs *inputs, int run)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_buffers_restore(buffers));
    for (int b = 0; b < buffers->n; b++) {
        const assay_buffer *buffer = &inputs->shape.buf[b];

        if (buffer->role == ASSAY_OUT)
            ASSAY_CHECK(assay_buffers_upload_poison(buffers, buffers->data[b], buffer->type,
                                                    buffer->count,
                                                    assay_fill_number(run, inputs->input, b)));
    }
out:
    return st;
}

assay_status assay_buffers_judge_guards(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                        assay_verdict *verdict, char *reason, size_t reason_size)
{
    assay_status st = ASSAY_OK;

    *verdict = ASSAY_PASS;
    for (int b = 0; b < assay_buffers_region_count(buffers); b++) {
        const assay_region r = assay_buffers_region(buffers, &inputs->shape, b);

        ASSAY_CHECK(assay_buffers_judge_region(buffers, &r, run, verdict, reason, reason_size));
    }
out:
    return st;
}
