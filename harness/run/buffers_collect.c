/* After a run: stray writes, changed inputs, and outputs copied to the host. */
#include "buffers_internal.h"

#include "base/kept_memory.h"
#include "check/check.h"
#include "check/fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- guard zones ---- */

/* `guard`: what the guard zone holds now. */
static void judge_guard(assay_buffers *buffers, const assay_region *r, bool behind, int run,
                        const unsigned char *guard, assay_verdict *verdict, char *reason,
                        size_t size)
{
    const size_t  there  = assay_memory_guard_bytes(buffers->space);
    const int64_t offset = there == 0
                               ? -1
                               : assay_check_guard(guard, ASSAY_GUARD_BYTES, r->type,
                                                   assay_buffers_guard_number(buffers, r, run));

    if (offset < 0 || *verdict == ASSAY_OUT_OF_BOUNDS)
        return;
    *verdict = ASSAY_OUT_OF_BOUNDS;
    (void)snprintf(reason, size, "wrote outside '%s': byte %" PRId64 " %s its %zu bytes", r->name,
                   behind ? offset : ASSAY_GUARD_BYTES - offset,
                   behind ? "behind the end of" : "before the start of", r->bytes);
}

assay_status assay_buffers_judge_region(assay_buffers *buffers, const assay_region *r, int run,
                                        assay_verdict *verdict, char *reason, size_t size)
{
    assay_status  st = ASSAY_OK;
    unsigned char guard[ASSAY_GUARD_BYTES];

    if (assay_memory_guard_bytes(buffers->space) == 0)
        return ASSAY_OK;
    assay_buffers_forbid_guards(buffers, r, false);
    for (int behind = 0; behind < 2; behind++) {
        const char *from = behind ? r->data + r->bytes : r->data - ASSAY_GUARD_BYTES;

        ASSAY_CHECK(assay_memory_download(buffers->space, guard, from, sizeof guard));
        judge_guard(buffers, r, behind, run, guard, verdict, reason, size);
    }
out:
    return st;
}

/* ---- small buffers: the start of a copy costs more than its bytes ---- */

bool assay_buffers_is_small(size_t bytes) { return bytes <= 1 << 16; }

/* Copies a region with both guard zones to the host, and checks the zones. The caller gives the
 * memory back. */
static assay_status fetch_region(assay_buffers *buffers, const assay_region *r, int run,
                                 unsigned char **home, assay_verdict *verdict, char *reason,
                                 size_t size)
{
    assay_status st     = ASSAY_OK;
    const size_t around = assay_memory_guard_bytes(buffers->space);
    const size_t bytes  = r->bytes + 2 * around;

    *home = assay_kept_take(bytes);
    ASSAY_REQUIRE(*home, ASSAY_E_MEMORY, "no host memory for %zu bytes of '%s'", bytes, r->name);
    assay_buffers_forbid_guards(buffers, r, false);
    ASSAY_CHECK(assay_memory_download(buffers->space, *home, r->data - around, bytes));
    judge_guard(buffers, r, false, run, *home, verdict, reason, size);
    judge_guard(buffers, r, true, run, *home + bytes - around, verdict, reason, size);
out:
    return st;
}

/* ---- contents ---- */

static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t n)
{
    size_t i = 0;

    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* Is the input unchanged since it was armed? */
static bool find_change(const assay_inputs *inputs, int b, const void *home, assay_verdict *verdict,
                        char *reason, size_t size)
{
    const assay_buffer *buffer = &inputs->shape.buf[b];
    const size_t        bytes  = assay_buffer_bytes(buffer);

    if (memcmp(home, inputs->initial[b], bytes) == 0)
        return true;
    if (*verdict != ASSAY_PASS)
        return false;
    *verdict = ASSAY_INPUT_CHANGED;
    (void)snprintf(reason, size, "input '%s' was changed, first at element %zu", buffer->name,
                   first_difference(home, inputs->initial[b], bytes) /
                       assay_type_size(buffer->type));
    return false;
}

static void share(assay_collected *collected, const assay_collected *first, int b)
{
    collected->out[b]       = first->out[b];
    collected->is_shared[b] = true;
}

/* Takes a small buffer, whose contents are at `content`. */
static assay_status keep_small(assay_buffers *buffers, const assay_inputs *inputs, int b,
                               const unsigned char *content, const assay_collected *first,
                               assay_collected *collected, assay_verdict *verdict, char *reason,
                               size_t size)
{
    assay_status st    = ASSAY_OK;
    const size_t bytes = buffers->bytes[b];

    if (inputs->shape.buf[b].role == ASSAY_IN) {
        buffers->is_intact[b] = find_change(inputs, b, content, verdict, reason, size);
    } else if (first && first->out[b] && memcmp(first->out[b], content, bytes) == 0) {
        share(collected, first, b);
    } else {
        collected->out[b] = assay_kept_take(bytes);
        ASSAY_REQUIRE(collected->out[b], ASSAY_E_MEMORY, "no host memory for %zu bytes of '%s'",
                      bytes, inputs->shape.buf[b].name);
        memcpy(collected->out[b], content, bytes);
    }
out:
    return st;
}

/* Does its digest already tell all about this buffer? */
static assay_status is_known(assay_buffers *buffers, const assay_inputs *inputs, int b,
                             const assay_collected *first, assay_collected *collected, bool *known)
{
    assay_status st    = ASSAY_OK;
    const bool   is_in = inputs->shape.buf[b].role == ASSAY_IN;

    *known = false;
    if (!buffers->space.api)
        return ASSAY_OK;
    ASSAY_CHECK(assay_buffers_digest_one(buffers, b, &collected->digest[b]));
    if (is_in) {
        *known = buffers->is_intact[b] = collected->digest[b] == buffers->armed_digest[b];
    } else if (first && first->out[b] && collected->digest[b] == first->digest[b]) {
        share(collected, first, b);
        *known = true;
    }
out:
    return st;
}

/* Copies a large buffer to the host. Outputs are handed over; inputs are compared and dropped. */
static assay_status keep_large(assay_buffers *buffers, const assay_inputs *inputs, int b,
                               const assay_collected *first, assay_collected *collected,
                               assay_verdict *verdict, char *reason, size_t size)
{
    assay_status st    = ASSAY_OK;
    const size_t bytes = buffers->bytes[b];
    void        *home  = NULL;
    bool         known = false;

    ASSAY_CHECK(is_known(buffers, inputs, b, first, collected, &known));
    if (known)
        goto out;
    home = assay_kept_take(bytes);
    ASSAY_REQUIRE(home, ASSAY_E_MEMORY, "no host memory for %zu bytes of '%s'", bytes,
                  inputs->shape.buf[b].name);
    ASSAY_CHECK(assay_memory_download(buffers->space, home, buffers->data[b], bytes));
    if (inputs->shape.buf[b].role == ASSAY_IN) {
        (void)find_change(inputs, b, home, verdict, reason, size);
    } else {
        collected->out[b] = home;
        home              = NULL;
    }
out:
    assay_kept_give(home);
    return st;
}

/* Checks the guard zones of all regions before anything else. */
static assay_status judge_all_guards(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                     unsigned char **homes, assay_verdict *verdict, char *reason,
                                     size_t size)
{
    assay_status st = ASSAY_OK;

    for (int b = 0; b < assay_buffers_region_count(buffers); b++) {
        const assay_region r = assay_buffers_region(buffers, &inputs->shape, b);

        ASSAY_CHECK(assay_buffers_is_small(r.bytes)
                        ? fetch_region(buffers, &r, run, &homes[b], verdict, reason, size)
                        : assay_buffers_judge_region(buffers, &r, run, verdict, reason, size));
    }
out:
    return st;
}

assay_status assay_buffers_collect(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                   const assay_collected *first, assay_collected *collected,
                                   assay_verdict *verdict, char *reason, size_t reason_size)
{
    assay_status   st                           = ASSAY_OK;
    unsigned char *homes[ASSAY_MAX_BUFFERS + 1] = {
        NULL
    }; /* small regions on the host, with guard zones */

    *verdict   = ASSAY_PASS;
    *collected = (assay_collected) { .out = { NULL } };
    ASSAY_CHECK(judge_all_guards(buffers, inputs, run, homes, verdict, reason, reason_size));
    for (int b = 0; b < buffers->n; b++) {
        if (inputs->shape.buf[b].role == ASSAY_WORK)
            continue;
        ASSAY_CHECK(homes[b] ? keep_small(buffers, inputs, b,
                                          homes[b] + assay_memory_guard_bytes(buffers->space),
                                          first, collected, verdict, reason, reason_size)
                             : keep_large(buffers, inputs, b, first, collected, verdict, reason,
                                          reason_size));
    }
out:
    for (int b = 0; b <= ASSAY_MAX_BUFFERS; b++)
        assay_kept_give(homes[b]);
    return st;
}

void assay_collected_free(assay_collected *collected)
{
    if (!collected)
        return;
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++)
        if (!collected->is_shared[b])
            assay_kept_give(collected->out[b]);
    memset(collected, 0, sizeof *collected);
}
