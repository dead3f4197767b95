/* A GPU for sessions. */
#include "photon_runtime.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>

struct photon_runtime {
    int          device;
    cudaStream_t stream[PHOTON_STREAMS];
    cudaEvent_t  mark[PHOTON_MARKS];
};

/* The caller is told. The runtime's own record of the error must go: the next launch of this thread
 * would find it and report it as its own. */
static bool is_done(cudaError_t error)
{
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error == cudaSuccess;
}

/* The current device is a property of the thread. */
static bool select_device(const photon_runtime *r) { return is_done(cudaSetDevice(r->device)); }

/* Streams that do not wait for the legacy stream; the legacy stream does not wait for them
 * either. */
static bool create_all(photon_runtime *r)
{
    for (int i = 0; i < PHOTON_STREAMS; i++)
        if (!is_done(cudaStreamCreateWithFlags(&r->stream[i], cudaStreamNonBlocking)))
            return false;
    for (int i = 0; i < PHOTON_MARKS; i++)
        if (!is_done(cudaEventCreateWithFlags(&r->mark[i], cudaEventDisableTiming)))
            return false;
    return true;
}

int photon_runtime_current(void)
{
    int device = -1; /* none */

    return is_done(cudaGetDevice(&device)) ? device : -1;
}

photon_session_status photon_runtime_open(int device, photon_runtime **runtime)
{
    int             count = 0;
    photon_runtime *r;

    *runtime = NULL;
    if (!is_done(cudaGetDeviceCount(&count)) || device < 0 || device >= count)
        return PHOTON_SESSION_NO_DEVICE;
    r = calloc(1, sizeof *r);
    if (!r)
        return PHOTON_SESSION_NO_MEMORY;
    r->device = device;
    if (!select_device(r) || !create_all(r)) {
        photon_runtime_close(r);
        return PHOTON_SESSION_NO_DEVICE;
    }
    *runtime = r;
    return PHOTON_SESSION_OK;
}

void photon_runtime_close(photon_runtime *r)
{
    if (!r)
        return;
    (void)select_device(r); /* errors here were reported by an earlier call: they stick */
    for (int i = 0; i < PHOTON_MARKS; i++)
        if (r->mark[i])
            (void)is_done(cudaEventDestroy(r->mark[i]));
    for (int i = 0; i < PHOTON_STREAMS; i++)
        if (r->stream[i])
            (void)is_done(cudaStreamDestroy(r->stream[i]));
    free(r);
}

int photon_runtime_block(const photon_runtime *r)
{
    (void)r;
    return 256;
}

void *photon_runtime_alloc(photon_runtime *r, size_t bytes)
{
    void *memory = NULL;

    return select_device(r) && is_done(cudaMalloc(&memory, bytes > 0 ? bytes : 1)) ? memory : NULL;
}

void photon_runtime_release(photon_runtime *r, void *memory)
{
    if (memory && select_device(r))
        (void)is_done(cudaFree(memory));
}

void *photon_runtime_pin(photon_runtime *r, size_t bytes)
{
    void *memory = NULL;

    return select_device(r) && is_done(cudaHostAlloc(&memory, bytes > 0 ? bytes : 1,
                                                     cudaHostAllocMapped | cudaHostAllocPortable))
               ? memory
               : NULL;
}

void photon_runtime_unpin(photon_runtime *r, void *memory)
{
    if (memory && select_device(r))
        (void)is_done(cudaFreeHost(memory));
}

static bool holds_byte(const photon_runtime *r, const char *byte)
{
    struct cudaPointerAttributes a;

    return is_done(cudaPointerGetAttributes(&a, byte)) && a.type == cudaMemoryTypeDevice &&
           a.device == r->device;
}

/* Looks at the first byte and the last: they are in one allocation, unless the caller's sizes are
 * wrong. */
bool photon_runtime_holds(const photon_runtime *r, const void *memory, size_t bytes)
{
    const char *const first = memory;

    return (uintptr_t)memory % sizeof(uint32_t) == 0 && bytes > 0 && select_device(r) &&
           holds_byte(r, first) && holds_byte(r, first + bytes - 1);
}

bool photon_runtime_copy(photon_runtime *r, photon_stream stream, void *to, const void *from,
                         size_t bytes)
{
    return bytes == 0 ||
           (select_device(r) &&
            is_done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, r->stream[stream])));
}

bool photon_runtime_zero(photon_runtime *r, photon_stream stream, void *memory, size_t bytes)
{
    return bytes == 0 ||
           (select_device(r) && is_done(cudaMemsetAsync(memory, 0, bytes, r->stream[stream])));
}

bool photon_runtime_mark(photon_runtime *r, photon_stream stream, int mark)
{
    return select_device(r) && is_done(cudaEventRecord(r->mark[mark], r->stream[stream]));
}

bool photon_runtime_is_past(photon_runtime *r, int mark)
{
    return select_device(r) && is_done(cudaEventQuery(r->mark[mark]));
}

bool photon_runtime_wait(photon_runtime *r, photon_stream stream)
{
    return select_device(r) && is_done(cudaStreamSynchronize(r->stream[stream]));
}

bool photon_runtime_plan(photon_runtime *r, session_launch *launch)
{
    return select_device(r) && is_done((cudaError_t)session_plan(launch));
}

bool photon_runtime_launch(photon_runtime *r, const session_launch *launch)
{
    if (!select_device(r))
        return false;
    (void)cudaGetLastError(); /* an earlier error is not this launch's */
    return is_done((cudaError_t)session_start(launch, r->stream[PHOTON_STREAM_PROPAGATE]));
}

photon_resident photon_runtime_resident(photon_runtime *r)
{
    cudaError_t error;

    if (!select_device(r))
        return PHOTON_RESIDENT_FAILED;
    error = cudaStreamQuery(r->stream[PHOTON_STREAM_PROPAGATE]);
    if (error == cudaErrorNotReady) {
        (void)is_done(error);
        return PHOTON_RESIDENT_RUNS;
    }
    return is_done(error) ? PHOTON_RESIDENT_ENDED : PHOTON_RESIDENT_FAILED;
}

void photon_runtime_join(photon_runtime *r) { (void)r; }
