/* Device side of kernel.h under nvcc. host/kernel_host.h spells the same names for the host
 * executor; what is listed here is the language that a kernel of this project may use beyond plain
 * CUDA C++. */
#ifndef ASSAY_KERNEL_CUDA_H
#define ASSAY_KERNEL_CUDA_H

#include <atomic>
#include <climits>
#include <cuda_runtime.h>

template <typename... Parameters, typename... Arguments>
inline void assay_launch_with(cudaLaunchAttribute attribute, void (*kernel)(Parameters...),
                              dim3 grid, dim3 block, size_t smem_bytes, assay_stream stream,
                              Arguments... arguments)
{
    cudaLaunchConfig_t config = {};

    config.gridDim          = grid;
    config.blockDim         = block;
    config.dynamicSmemBytes = smem_bytes;
    config.stream           = stream;
    config.attrs            = &attribute;
    config.numAttrs         = 1;
    /* The launcher reads the error through assay_launch_status(). */
    (void)cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

inline cudaLaunchAttribute assay_co_resident(void)
{
    cudaLaunchAttribute attribute = {};

    attribute.id              = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    return attribute;
}

/* As kernel<<<grid, block, smem_bytes, stream>>>(arguments...), with every block resident at once
 * (grid barriers, queues, persistent loops); more blocks than fit is a launch error. */
template <typename... Parameters, typename... Arguments>
inline void assay_launch_co_resident(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                     size_t smem_bytes, assay_stream stream, Arguments... arguments)
{
    assay_launch_with(assay_co_resident(), kernel, grid, block, smem_bytes, stream, arguments...);
}

/* Kernels wait only in code for 9.0 and later. A device runs code of its own generation wherever
 * the module has it; where it has not, it may run older code, which does not wait. Static, as what
 * follows: modules may have code for different devices. */
static inline bool assay_code_waits(int generation)
{
    const int architectures[] = { __CUDA_ARCH_LIST__ };

    for (const int architecture : architectures)
        if (generation >= 9 && architecture / 100 == generation)
            return true;
    return false;
}

/* Asks each device once, since launches are many; and again where it could not say. */
static inline bool assay_device_code_waits(void)
{
    enum {
        UNKNOWN,
        WAITS,
        WAITS_NOT,
        KNOWN_DEVICES = 64
    };
    static std::atomic<char> known[KNOWN_DEVICES];
    int                      device = 0, generation = 0;
    bool                     waits;

    if (cudaGetDevice(&device) != cudaSuccess)
        return false;
    if (device < KNOWN_DEVICES && known[device].load(std::memory_order_relaxed) != UNKNOWN)
        return known[device].load(std::memory_order_relaxed) == WAITS;
    if (cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, device) !=
        cudaSuccess)
        return false;
    waits = assay_code_waits(generation);
    if (device < KNOWN_DEVICES)
        known[device].store(waits ? WAITS : WAITS_NOT, std::memory_order_relaxed);
    return waits;
}

static inline cudaLaunchAttribute assay_dependent(void)
{
    cudaLaunchAttribute attribute = {};

    attribute.id = cudaLaunchAttributeIgnore;
    if (assay_device_code_waits()) {
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
    }
    return attribute;
}

/* As kernel<<<grid, block, smem_bytes, stream>>>(arguments...), and the kernel may begin before the
 * one launched before it on the stream has ended (programmatic dependent launch), so that its
 * blocks stand ready: only for kernels of which every thread calls assay_grid_dependency_wait()
 * before it touches memory that an earlier launch of the stream reads or writes (but for launches
 * that have completed before this one may begin, because the one between lets it in only then), and
 * that read such memory by plain loads (never __ldg, which takes it for constant while the kernel
 * lives). Where the device has no such launches, a plain one. */
template <typename... Parameters, typename... Arguments>
inline void assay_launch_dependent(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                   size_t smem_bytes, assay_stream stream, Arguments... arguments)
{
    assay_launch_with(assay_dependent(), kernel, grid, block, smem_bytes, stream, arguments...);
}

/* Waits until the kernel launched before this one has completed and its writes are seen here. If
 * that one waits in every thread, too, all earlier ones have completed with it. Returns at once in
 * a kernel that was launched in another way. */
__device__ inline void assay_grid_dependency_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* The next kernel, if assay_launch_dependent() launches it, may begin once every block has
 * called this or ended. It says nothing of what memory holds then. */
__device__ inline void assay_grid_launch_dependents(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* The error of the launches of this launcher: its last line is `return assay_launch_status();` */
inline int assay_launch_status(void) { return static_cast<int>(cudaGetLastError()); }

/* Zeroes memory on the stream; same as a kernel launch for order and errors. */
inline int assay_memset_zero(void *memory, size_t bytes, assay_stream stream)
{
    return static_cast<int>(cudaMemsetAsync(memory, 0, bytes, stream));
}

/* Zeroed device memory for a variant's setup, which its teardown frees: what must outlive one
 * launch and be known before the first. Both wait for the device. */
inline int assay_setup_allocate(void **memory, size_t bytes)
{
    const cudaError_t error = cudaMalloc(memory, bytes);

    return static_cast<int>(error != cudaSuccess ? error : cudaMemset(*memory, 0, bytes));
}
inline void assay_setup_free(void *memory) { (void)cudaFree(memory); }

/* An attribute of the device; 0 or an error number. */
inline int assay_device_attribute(cudaDeviceAttr attribute, int *value)
{
    int               device = 0;
    const cudaError_t error  = cudaGetDevice(&device);

    return static_cast<int>(
        error != cudaSuccess ? error : cudaDeviceGetAttribute(value, attribute, device));
}

/* How many multiprocessors there are, and for how many blocks of the kernel each has room at once.
 * 0 or an error number. */
template <typename... Parameters>
inline int assay_resident_blocks(void (*kernel)(Parameters...), unsigned block, size_t smem_bytes,
                                 int *n_sms, int *per_sm)
{
    const int error = assay_device_attribute(cudaDevAttrMultiProcessorCount, n_sms);

    return error != 0 ? error
                      : static_cast<int>(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                            per_sm, kernel, static_cast<int>(block), smem_bytes));
}

/* Waits for the stream: only for variants that declare ASSAY_HOST_SYNC. */
inline int assay_stream_wait(assay_stream stream)
{
    return static_cast<int>(cudaStreamSynchronize(stream));
}

/* Copies from the device to the host and waits for it: only for variants that declare
 * ASSAY_HOST_SYNC. */
inline int assay_read_back(void *to, const void *from, size_t bytes, assay_stream stream)
{
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);

    return error != cudaSuccess ? static_cast<int>(error) : assay_stream_wait(stream);
}

/* Raises the limit of dynamic shared memory of a kernel (above 48 KiB); 0 or an error number. */
template <typename... Parameters>
inline int assay_allow_shared(void (*kernel)(Parameters...), size_t bytes)
{
    return static_cast<int>(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             bytes < INT_MAX ? static_cast<int>(bytes) : INT_MAX));
}

/* Device-scope atomics with an order, on naturally aligned 4- and 8-byte integers. By nvcc's own
 * functions (12.8 and newer): what <cuda/atomic> brings along takes three seconds to compile. */
template <typename T> __device__ inline T assay_load_acquire(const T *p)
{
    return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline T assay_load_relaxed(const T *p)
{
    return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline void assay_store_release(T *p, T value)
{
    __nv_atomic_store_n(p, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline void assay_store_relaxed(T *p, T value)
{
    __nv_atomic_store_n(p, value, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline T assay_fetch_add_acq_rel(T *p, T value)
{
    return __nv_atomic_fetch_add(p, value, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}
/* For threads that only arrive: the old value is not returned. */
template <typename T> __device__ inline void assay_add_release(T *p, T value)
{
    (void)__nv_atomic_fetch_add(p, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline T assay_fetch_add_relaxed(T *p, T value)
{
    return __nv_atomic_fetch_add(p, value, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
template <typename T> __device__ inline T assay_exchange_acq_rel(T *p, T value)
{
    return __nv_atomic_exchange_n(p, value, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}
/* Compare and exchange; true if it stored. `expected` gets what was there. */
template <typename T>
__device__ inline bool assay_compare_exchange_acq_rel(T *p, T *expected, T desired)
{
    return __nv_atomic_compare_exchange_n(p, expected, desired, false, __NV_ATOMIC_ACQ_REL,
                                          __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}

/* The same for memory that the host sees while the kernel runs: system scope. */
template <typename T> __device__ inline T assay_load_acquire_system(const T *p)
{
    return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
}
template <typename T> __device__ inline void assay_store_release_system(T *p, T value)
{
    __nv_atomic_store_n(p, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

/* Nanoseconds since some start, one clock for the whole device. */
__device__ inline unsigned long long assay_global_time_ns(void)
{
    unsigned long long time_ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_ns));
    return time_ns;
}

#include "kernel_graph.h"

#endif
