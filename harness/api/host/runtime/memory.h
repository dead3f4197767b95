/* The runtime API's memory for the host device, where all memory is the host's. New memory is
 * filled with NaN of every type, since memory of a device may hold anything. */
#ifndef ASSAY_HOST_RUNTIME_MEMORY_H
#define ASSAY_HOST_RUNTIME_MEMORY_H

#include "host/runtime/device.h"

#include <stdlib.h>

inline cudaError_t assay_host_allocate(void **memory, size_t bytes, const char *call,
                                       const char *file, int line)
{
    assay_host_note_wait(call, file, line);
    if (posix_memalign(memory, 256, bytes > 0 ? bytes : 1) != 0)
        return *memory = nullptr, cudaErrorMemoryAllocation;
    memset(*memory, 0xff, bytes);
    return cudaSuccess;
}

/* Overloads that return memory through a pointer of any type. */
#define ASSAY_HOST_ALLOCATE(name, ...)                                                             \
    template <typename T>                                                                          \
    inline cudaError_t name(T **memory, size_t bytes __VA_ARGS__, ASSAY_HOST_SITE)                 \
    {                                                                                              \
        return assay_host_allocate(reinterpret_cast<void **>(memory), bytes, #name, file, line);   \
    }
ASSAY_HOST_ALLOCATE(cudaMalloc)
ASSAY_HOST_ALLOCATE(cudaMallocHost, , unsigned = 0)
ASSAY_HOST_ALLOCATE(cudaHostAlloc, , unsigned)
ASSAY_HOST_ALLOCATE(cudaMallocManaged, , unsigned = 1)
ASSAY_HOST_ALLOCATE(cudaMallocAsync, , cudaStream_t)
#undef ASSAY_HOST_ALLOCATE
template <typename T> inline cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width,
                                                         size_t height, ASSAY_HOST_SITE)
{
    *pitch = (width + 511) / 512 * 512;
    return assay_host_allocate(reinterpret_cast<void **>(memory), *pitch * height,
                               "cudaMallocPitch", file, line);
}

inline cudaError_t assay_host_release(void *memory, const char *call, const char *file, int line)
{
    if (memory)
        assay_host_note_wait(call, file, line);
    free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *memory, const char *file, int line)
{
    return assay_host_release(memory, "cudaFree", file, line);
}
inline cudaError_t cudaFreeHost(void *memory, ASSAY_HOST_SITE)
{
    return assay_host_release(memory, "cudaFreeHost", file, line);
}
inline cudaError_t cudaFreeAsync(void *memory, cudaStream_t, ASSAY_HOST_SITE)
{
    return assay_host_release(memory, "cudaFreeAsync", file, line);
}
inline cudaError_t cudaHostRegister(void *, size_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaHostUnregister(void *) { return cudaSuccess; }
template <typename T> inline cudaError_t cudaHostGetDevicePointer(T **to, void *from, unsigned)
{
    return *to = static_cast<T *>(from), cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = size_t { 16 } << 30;
    return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *about, const void *memory)
{
    *about = { cudaMemoryTypeDevice, 0, const_cast<void *>(memory), const_cast<void *>(memory) };
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr)
{
    return cudaSuccess;
}

inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned = 0,
                                        cudaStream_t = nullptr)
{
    return cudaSuccess;
}
template <typename Place>
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, Place)
{
    return cudaSuccess;
}
template <typename T> inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T *, size_t = 0,
                                                                  unsigned = cudaMemAttachSingle)
{
    return cudaSuccess;
}

/* ---- copies: those that wait, and those on a stream */

inline cudaError_t assay_host_copy(void *to, const void *from, size_t bytes)
{
    if (bytes > 0 && (!to || !from))
        return cudaErrorInvalidValue;
    if (bytes > 0)
        memmove(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t = nullptr)
{
    return assay_host_copy(to, from, bytes);
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                              ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaMemcpy", file, line);
    return assay_host_copy(to, from, bytes);
}
/* Copies between devices; there is only one. */
inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                       cudaStream_t = nullptr)
{
    return assay_host_copy(to, from, bytes);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind,
                                     cudaStream_t = nullptr)
{
    if (width > to_pitch || width > from_pitch)
        return cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height; row++)
        memmove(static_cast<char *>(to) + row * to_pitch,
                static_cast<const char *>(from) + row * from_pitch, width);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaMemcpy2D", file, line);
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind);
}

inline cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t = nullptr)
{
    if (bytes > 0)
        memset(memory, value, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    return cudaMemsetAsync(memory, value, bytes);
}
inline cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width,
                                     size_t height, cudaStream_t = nullptr)
{
    for (size_t row = 0; row < height; row++)
        memset(static_cast<char *>(memory) + row * pitch, value, width);
    return cudaSuccess;
}
inline cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(memory, pitch, value, width, height);
}

/* ---- __device__ and __constant__ variables are variables */

template <typename T>
inline cudaError_t assay_host_symbol(T &symbol, size_t at, size_t bytes, char **place)
{
    *place = reinterpret_cast<char *>(
                 const_cast<char *>(&reinterpret_cast<const volatile char &>(symbol))) +
             at;
    return at <= sizeof(T) && bytes <= sizeof(T) - at ? cudaSuccess : cudaErrorInvalidValue;
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t at = 0,
                                           cudaMemcpyKind = cudaMemcpyHostToDevice,
                                           cudaStream_t   = nullptr)
{
    char             *place;
    const cudaError_t error = assay_host_symbol(symbol, at, bytes, &place);

    return error != cudaSuccess ? error : assay_host_copy(place, from, bytes);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t at = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaMemcpyToSymbol", file, line);
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, at);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t at = 0,
                                             cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                             cudaStream_t   = nullptr)
{
    char             *place;
    const cudaError_t error = assay_host_symbol(symbol, at, bytes, &place);

    return error != cudaSuccess ? error : assay_host_copy(to, place, bytes);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t at = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost, ASSAY_HOST_SITE)
{
    assay_host_note_wait("cudaMemcpyFromSymbol", file, line);
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, at);
}
template <typename P, typename T> inline cudaError_t cudaGetSymbolAddress(P **to, T &symbol)
{
    char *place = nullptr;

    (void)assay_host_symbol(symbol, 0, 0, &place);
    return *to = reinterpret_cast<P *>(place), cudaSuccess;
}
template <typename T> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &)
{
    return *bytes = sizeof(T), cudaSuccess;
}

#endif
