/* The device over the CUDA runtime: opening, memory, evidence and the table of functions. */
#include "device_cuda.h"

#include "device/module_statics.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static assay_status device_alloc(assay_device *device, size_t bytes, void **memory)
{
    size_t      free_bytes = 0, total_bytes = 0;
    cudaError_t error;

    (void)device;
    *memory = NULL;
    /* CUDA gives NULL for 0 bytes. */
    error = cudaMalloc(memory, bytes > 0 ? bytes : 1);
    if (error == cudaSuccess)
        return ASSAY_OK;
    *memory = NULL;
    if (error != cudaErrorMemoryAllocation)
        return assay_cuda_fail(error, "cudaMalloc");
    (void)cudaGetLastError();
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
        (void)cudaGetLastError();
    return assay_cuda_say(ASSAY_E_DEVICE_MEMORY,
                          "the device has no room for %zu bytes (%zu of %zu bytes are free)", bytes,
                          free_bytes, total_bytes);
}

static void device_release(assay_device *device, void *memory)
{
    (void)device;
    /* After a fault every call fails, and the process ends soon: this error can be ignored. */
    if (memory != NULL && cudaFree(memory) != cudaSuccess)
        (void)cudaGetLastError();
}

static assay_status transfer(assay_device *device, void *to, const void *from, size_t bytes,
                             enum cudaMemcpyKind kind, bool waits)
{
    assay_status st = ASSAY_OK;

    if (bytes == 0)
        return ASSAY_OK;
    ASSAY_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, device->stream));
    if (waits)
        ASSAY_CUDA_CHECK(cudaStreamSynchronize(device->stream));
out:
    return st;
}

/* Uploads from pageable memory, as all host memory here is. The driver stages a small piece before
 * it returns (CUDA Driver API, "API synchronization behavior"), so there is no need to wait for it,
 * and most pieces are small. This does not hold if the device reads pageable memory in place. */
static assay_status upload(assay_device *device, void *to, const void *from, size_t bytes)
{
    return transfer(device, to, from, bytes, cudaMemcpyHostToDevice,
                    bytes > 1 << 16 || device->reads_pageable);
}

static assay_status download(assay_device *device, void *to, const void *from, size_t bytes)
{
    return transfer(device, to, from, bytes, cudaMemcpyDeviceToHost, true);
}

static assay_status copy(assay_device *device, void *to, const void *from, size_t bytes)
{
    return transfer(device, to, from, bytes, cudaMemcpyDeviceToDevice, false);
}

static assay_status set(assay_device *device, void *memory, int byte, size_t bytes)
{
    assay_status st = ASSAY_OK;

    if (bytes == 0)
        return ASSAY_OK;
    ASSAY_CUDA_CHECK(cudaMemsetAsync(memory, byte, bytes, device->stream));
out:
    return st;
}

static void forbid(assay_device *device, const void *memory, size_t bytes, bool forbidden)
{
    (void)device, (void)memory, (void)bytes, (void)forbidden;
}

static int64_t free_bytes(assay_device *device)
{
    size_t n_free = 0, n_total = 0;

    (void)device;
    if (cudaMemGetInfo(&n_free, &n_total) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return (int64_t)n_free;
}

static void schedule(assay_device *device, const assay_schedule *order)
{
    (void)device, (void)order;
}

/* ---- evidence ---- */

static assay_status digest(assay_device *device, const void *memory, size_t bytes, uint64_t *sum)
{
    assay_status st = ASSAY_OK;

    *sum = 0;
    if (bytes == 0)
        return ASSAY_OK;
    if (memory == NULL)
        return assay_cuda_say(ASSAY_E_USAGE, "digest of %zu bytes at a null pointer", bytes);
    ASSAY_CUDA_CHECK(cudaMemsetAsync(device->digest, 0, sizeof *device->digest, device->stream));
    ASSAY_CUDA_CHECK_LAUNCH(assay_device_enqueue_digest(memory, bytes, device->digest,
                                                        device->max_blocks, device->stream));
    st = download(device, sum, device->digest, sizeof *sum);
out:
    return st;
}

/* ---- open and close ---- */

static void device_close(assay_device *device)
{
    if (device == NULL)
        return;
    if (device->gate_is_closed)
        __atomic_store_n(&device->gate->opened, device->ticket, __ATOMIC_RELEASE);
    /* As in device_release: these errors add nothing to the fault. */
    if (device->stream != NULL) {
        (void)cudaStreamSynchronize(device->stream);
    }
    for (int i = 0; i < ASSAY_N_MARKS; i++)
        if (device->mark[i] != NULL)
            (void)cudaEventDestroy(device->mark[i]);
    if (device->gate != NULL)
        (void)cudaFreeHost(device->gate);
    if (device->flush != NULL)
        (void)cudaFree(device->flush);
    if (device->digest != NULL)
        (void)cudaFree(device->digest);
    (void)cudaGetLastError();
    free(device);
}

static assay_status make_handles(assay_device *device)
{
    void        *gate           = NULL;
    int          reads_pageable = 0;
    assay_status st             = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaDeviceGetAttribute(
        &reads_pageable, cudaDevAttrPageableMemoryAccessUsesHostPageTables, device->index));
    device->reads_pageable = reads_pageable != 0;
    /* Host code of kernels is compiled with a default stream for each thread; this is that
     * stream. */
    device->stream = cudaStreamPerThread;
    for (int i = 0; i < ASSAY_N_MARKS; i++)
        ASSAY_CUDA_CHECK(cudaEventCreate(&device->mark[i]));
    ASSAY_CUDA_CHECK(cudaHostAlloc(&gate, sizeof *device->gate, cudaHostAllocMapped));
    memset(gate, 0, sizeof *device->gate);
    device->gate = gate;
    gate         = NULL;
    ASSAY_CUDA_CHECK(cudaHostGetDevicePointer(&gate, device->gate, 0));
    device->gate_device = gate;
out:
    return st;
}

/* Part of a GPU (MIG) or a shared one (MPS) may not allow its cache to be configured. Then no other
 * program has made lines persistent in it, or it cannot be changed from here. */
static cudaError_t unless_refused(cudaError_t error)
{
    if (error != cudaErrorNotSupported && error != cudaErrorUnsupportedLimit &&
        error != cudaErrorNotPermitted)
        return error;
    (void)cudaGetLastError();
    return cudaSuccess;
}

/* The flush writes twice the L2. Lines that an earlier user of the device has made persistent would
 * survive it, so they are made ordinary, and no new ones are allowed. */
static assay_status make_flush(assay_device *device)
{
    int          l2_bytes = 0, persisting_bytes = 0;
    assay_status st = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device->index));
    ASSAY_CUDA_CHECK(cudaDeviceGetAttribute(&persisting_bytes, cudaDevAttrMaxPersistingL2CacheSize,
                                            device->index));
    if (persisting_bytes > 0) {
        ASSAY_CUDA_CHECK(unless_refused(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0)));
        ASSAY_CUDA_CHECK(unless_refused(cudaCtxResetPersistingL2Cache()));
    }
    if (l2_bytes <= 0)
        goto out;
    device->flush_bytes = 2 * (size_t)l2_bytes / 16 * 16;
    st                  = device_alloc(device, device->flush_bytes, &device->flush);
out:
    return st;
}

static assay_status make_digest(assay_device *device)
{
    enum {
        BLOCKS_A_SM = 8 /* of 256 threads each: all that an SM holds */
    };
    void        *memory   = NULL;
    int          sm_count = 0;
    assay_status st       = ASSAY_OK;

    ASSAY_CUDA_CHECK(
        cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device->index));
    device->max_blocks = BLOCKS_A_SM * (unsigned)(sm_count > 0 ? sm_count : 1);
    st                 = device_alloc(device, sizeof *device->digest, &memory);
    device->digest     = memory;
out:
    return st;
}

/* A kernel is loaded at its first launch, which may wait for the whole device; behind a closed gate
 * that would never end. */
static assay_status load_kernels(assay_device *device)
{
    bool         was_adequate;
    uint64_t     ignored;
    assay_status st;

    __atomic_store_n(&device->gate->opened, device->ticket + 1, __ATOMIC_RELEASE);
    st = assay_cuda_gate_close(device);
    if (st == ASSAY_OK)
        st = assay_cuda_gate_open(device, &was_adequate);
    /* The write comes first, so that the read finds defined memory. */
    if (st == ASSAY_OK)
        st = assay_cuda_flush_cache(device, ASSAY_FLUSH_WRITE);
    if (st == ASSAY_OK)
        st = assay_cuda_flush_cache(device, ASSAY_FLUSH_READ);
    for (int slot = 0; slot < ASSAY_N_MARKS && st == ASSAY_OK; slot++)
        st = assay_cuda_mark(device, slot);
    if (st == ASSAY_OK)
        st = assay_cuda_clock_end(device);
    /* The digest reads its own sum, which is set to zero before. */
    if (st == ASSAY_OK)
        st = digest(device, device->digest, sizeof *device->digest, &ignored);
    return st;
}

static assay_status device_open(int index, assay_device **opened, assay_device_info *info)
{
    assay_device *device = calloc(1, sizeof *device);
    assay_status  st     = ASSAY_OK;

    *opened = NULL;
    if (device == NULL)
        return assay_cuda_say(ASSAY_E_MEMORY, "out of host memory");
    device->index = index;
    ASSAY_CUDA_CHECK(cudaSetDevice(index));
    st = make_handles(device);
    if (st == ASSAY_OK)
        st = make_flush(device);
    if (st == ASSAY_OK)
        st = make_digest(device);
    if (st == ASSAY_OK)
        st = load_kernels(device);
    /* This comes last, so that the free memory is what cases can use. */
    if (st == ASSAY_OK)
        st = assay_cuda_describe(index, info);
    if (st != ASSAY_OK)
        goto out;
    *opened = device;
    device  = NULL;
out:
    device_close(device);
    return st;
}

/* ---- the table ---- */

static const assay_device_api cuda_api = {
    .abi           = ASSAY_DEVICE_ABI,
    .kind          = "cuda",
    .sanitizer     = ASSAY_SANITIZER,
    .count         = assay_cuda_count,
    .open          = device_open,
    .close         = device_close,
    .message       = assay_cuda_message,
    .alloc         = device_alloc,
    .release       = device_release,
    .upload        = upload,
    .download      = download,
    .copy          = copy,
    .set           = set,
    .forbid        = forbid,
    .schedule      = schedule,
    .enqueue       = assay_cuda_enqueue,
    .wait          = assay_cuda_wait,
    .probe         = assay_cuda_probe,
    .statics       = assay_statics_digest,
    .n_settings    = assay_cuda_n_settings,
    .undo_settings = assay_cuda_undo_settings,
    .free_bytes    = free_bytes,
    .digest        = digest,
    .flush_cache   = assay_cuda_flush_cache,
    .gate_close    = assay_cuda_gate_close,
    .gate_open     = assay_cuda_gate_open,
    .mark          = assay_cuda_mark,
    .elapsed       = assay_cuda_elapsed,
    .clock_end     = assay_cuda_clock_end,
    .sm_clock      = assay_cuda_sm_clock,
    .graph_make    = assay_cuda_graph_make,
    .graph_launch  = assay_cuda_graph_launch,
    .graph_free    = assay_cuda_graph_free,
    .kernel        = assay_cuda_kernel,
    .launch_plan   = assay_cuda_launch_plan,
};

const assay_device_api *assay_module_api(void) { return &cuda_api; }
