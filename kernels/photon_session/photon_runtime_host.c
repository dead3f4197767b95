/* The host device for sessions. Device memory is host memory, and a copy is done when its call
 * returns. The launch of the resident kernel returns only when it ends, so the kernel has a thread
 * of its own. */
#include "photon_runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct photon_runtime {
    session_launch launch;
    pthread_t      thread;
    bool           has_thread;
    atomic_int     resident; /* photon_resident */
};

int photon_runtime_current(void) { return 0; }

photon_session_status photon_runtime_open(int device, photon_runtime **runtime)
{
    *runtime = NULL;
    if (device != 0)
        return PHOTON_SESSION_NO_DEVICE;
    *runtime = calloc(1, sizeof **runtime);
    if (!*runtime)
        return PHOTON_SESSION_NO_MEMORY;
    atomic_store(&(*runtime)->resident, PHOTON_RESIDENT_ENDED);
    return PHOTON_SESSION_OK;
}

void photon_runtime_close(photon_runtime *r) { free(r); }

int photon_runtime_block(const photon_runtime *r)
{
    (void)r;
    return 64;
}

/* Aligned like device memory, and never empty. */
void *photon_runtime_alloc(photon_runtime *r, size_t bytes)
{
    const size_t alignment = 256;

    (void)r;
    return aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
}

void photon_runtime_release(photon_runtime *r, void *memory)
{
    (void)r;
    free(memory);
}

void *photon_runtime_pin(photon_runtime *r, size_t bytes) { return photon_runtime_alloc(r, bytes); }

void photon_runtime_unpin(photon_runtime *r, void *memory) { photon_runtime_release(r, memory); }

/* Host memory does not tell whose it is. */
bool photon_runtime_holds(const photon_runtime *r, const void *memory, size_t bytes)
{
    (void)r;
    return memory && bytes > 0 && (uintptr_t)memory % sizeof(uint32_t) == 0;
}

/* Copies what the kernel meanwhile changes by atomics: in whole words. */
static void copy_changing(uint64_t *to, const uint64_t *from, size_t bytes)
{
    for (size_t k = 0; k < bytes / sizeof *to; k++)
        to[k] = __atomic_load_n(&from[k], __ATOMIC_RELAXED);
}

bool photon_runtime_copy(photon_runtime *r, photon_stream stream, void *to, const void *from,
                         size_t bytes)
{
    (void)r;
    if (stream == PHOTON_STREAM_REDUCE)
        copy_changing(to, from, bytes);
    else if (bytes > 0)
        memcpy(to, from, bytes);
    return true;
}

bool photon_runtime_zero(photon_runtime *r, photon_stream stream, void *memory, size_t bytes)
{
    (void)r, (void)stream;
    memset(memory, 0, bytes);
    return true;
}

bool photon_runtime_mark(photon_runtime *r, photon_stream stream, int mark)
{
    (void)r, (void)stream, (void)mark;
    return true;
}

bool photon_runtime_is_past(photon_runtime *r, int mark)
{
    (void)r, (void)mark;
    return true;
}

bool photon_runtime_wait(photon_runtime *r, photon_stream stream)
{
    (void)r, (void)stream;
    return true;
}

static void *reside(void *context)
{
    photon_runtime *const r     = context;
    const bool            works = session_start(&r->launch, NULL) == 0 && session_await(NULL) == 0;

    atomic_store(&r->resident, works ? PHOTON_RESIDENT_ENDED : PHOTON_RESIDENT_FAILED);
    return NULL;
}

bool photon_runtime_plan(photon_runtime *r, session_launch *launch)
{
    (void)r;
    return session_plan(launch) == 0;
}

bool photon_runtime_launch(photon_runtime *r, const session_launch *launch)
{
    r->launch = *launch;
    atomic_store(&r->resident, PHOTON_RESIDENT_RUNS);
    r->has_thread = pthread_create(&r->thread, NULL, reside, r) == 0;
    if (!r->has_thread)
        atomic_store(&r->resident, PHOTON_RESIDENT_FAILED);
    return r->has_thread;
}

photon_resident photon_runtime_resident(photon_runtime *r)
{
    return (photon_resident)atomic_load(&r->resident);
}

void photon_runtime_join(photon_runtime *r)
{
    if (r->has_thread)
        (void)pthread_join(r->thread, NULL); /* the thread was created and not joined */
    r->has_thread = false;
}
