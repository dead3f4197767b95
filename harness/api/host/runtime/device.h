/* The runtime API's devices, errors, streams and events for the host device: what kernels' own host
 * code calls. There is one device, a launch has ended when it returns, and events have no times.
 * Calls that wait are recorded by name: a launcher may wait only if its variant declares that. */
#ifndef ASSAY_HOST_RUNTIME_DEVICE_H
#define ASSAY_HOST_RUNTIME_DEVICE_H

#include "host/device_calls.h"
#include "host/runtime/types.h"

#include <string.h>

#pragma GCC visibility push(hidden)

/* Records a call that waits or allocates: its name, file and line. */
void assay_host_note_wait(const char *call, const char *file, int line);
/* Returns the error of the last launch, and clears it if `is_forgotten`. */
int assay_host_last_error(bool is_forgotten);

#pragma GCC visibility pop

/* ---- errors */

inline cudaError_t cudaGetLastError(void)
{
    return static_cast<cudaError_t>(assay_host_last_error(true));
}
inline cudaError_t cudaPeekAtLastError(void)
{
    return static_cast<cudaError_t>(assay_host_last_error(false));
}
inline const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define X(name, number)                                                                            \
    case name:                                                                                     \
        return #name;
        ASSAY_HOST_ERRORS(X)
#undef X
    }
    return "unrecognized error code";
}
/* The host device has no text for an error but its name. */
inline const char *cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

/* ---- devices */

inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaFree(void *memory, ASSAY_HOST_SITE);

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    if (device != 0)
        return cudaErrorInvalidDevice;
    switch (attribute) {
#define X(name, number, number_here)                                                               \
    case name:                                                                                     \
        return *value = (number_here), cudaSuccess;
        ASSAY_HOST_ATTRIBUTES(X)
#undef X
    }
    return cudaErrorInvalidValue;
}

inline int assay_host_attribute(cudaDeviceAttr attribute)
{
    int value = 0;

    (void)cudaDeviceGetAttribute(&value, attribute, 0);
    return value;
}

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    if (device != 0)
        return cudaErrorInvalidDevice;
    memset(p, 0, sizeof *p);
    strncpy(p->name, "host device", sizeof p->name - 1);
    p->totalGlobalMem              = size_t { 16 } << 30;
    p->totalConstMem               = 65536;
    p->sharedMemPerBlock           = 48 * 1024;
    p->sharedMemPerBlockOptin      = 227 * 1024;
    p->sharedMemPerMultiprocessor  = 228 * 1024;
    p->reservedSharedMemPerBlock   = 1024;
    p->major                       = assay_host_attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor                       = assay_host_attribute(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount         = assay_host_attribute(cudaDevAttrMultiProcessorCount);
    p->warpSize                    = 32;
    p->maxThreadsPerBlock          = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor  = 32;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->l2CacheSize                             = assay_host_attribute(cudaDevAttrL2CacheSize);
    p->memoryBusWidth    = assay_host_attribute(cudaDevAttrGlobalMemoryBusWidth);
    p->cooperativeLaunch = p->concurrentKernels = p->managedMemory = p->unifiedAddressing = 1;
    p->canMapHostMemory = p->integrated = p->asyncEngineCount = 1;
    p->memPitch                                               = 0x7fffffff;
    p->textureAlignment                                       = 512;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2]                       = 64;
    p->maxGridSize[0]                         = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize(ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaDeviceSynchronize", file, line);
    return static_cast<cudaError_t>(assay_host_stream_wait(nullptr));
}
inline cudaError_t cudaDeviceReset(void) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) { return *value = 0, cudaSuccess; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaRuntimeGetVersion(int *version) { return *version = 13000, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int *version) { return *version = 13000, cudaSuccess; }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 0, cudaSuccess; }
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorPeerAccessNotEnabled; }
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    return *least = *greatest = 0, cudaSuccess;
}
inline cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
inline cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* ---- streams and events: everything has ended when it was enqueued */

inline cudaError_t cudaStreamCreate(cudaStream_t *stream, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaStreamCreate", file, line);
    *stream = reinterpret_cast<cudaStream_t>(new char);
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned, ASSAY_HOST_SITE)
{
    return cudaStreamCreate(stream, file, line);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int,
                                                ASSAY_HOST_SITE)
{
    return cudaStreamCreate(stream, file, line);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete reinterpret_cast<char *>(stream);
    return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaStreamSynchronize", file, line);
    return static_cast<cudaError_t>(assay_host_stream_wait(stream));
}
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0)
{
    return cudaSuccess;
}
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                          const cudaStreamAttrValue *)
{
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void *data, unsigned)
{
    return callback(stream, cudaSuccess, data), cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void *data)
{
    return function(data), cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaEventCreate", file, line);
    *event = reinterpret_cast<cudaEvent_t>(new char);
    return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned, ASSAY_HOST_SITE)
{
    return cudaEventCreate(event, file, line);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete reinterpret_cast<char *>(event);
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaEventSynchronize", file, line);
    return cudaSuccess;
}
/* Times on the host device mean nothing: 0. */
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    return *ms = 0, cudaSuccess;
}

#endif
