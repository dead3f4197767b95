/* Device side of kernel.h under nvcc: the functions that kernels and launchers may use besides
 * plain CUDA C++. host/kernel_host.h has the same names for the host device. Functions that return
 * int return 0 or CUDA's error number, unless they say something else. */
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

/* A cooperative launch: as kernel<<<grid, block, smem_bytes, stream>>>(arguments...), with all
 * blocks resident at once (for grid barriers, queues, persistent loops). More blocks than fit are a
 * launch error. */
template <typename... Parameters, typename... Arguments>
inline void assay_launch_co_resident(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                     size_t smem_bytes, assay_stream stream, Arguments... arguments)
{
    assay_launch_with(assay_co_resident(), kernel, grid, block, smem_bytes, stream, arguments...);
}

/* Has this module code for this generation of devices (9 is compute capability 9.x) in which
 * assay_grid_dependency_wait() waits? Only code for 9.0 and later waits. A device runs code of its
 * own generation if the module has it. Otherwise it may run older code, which does not wait. This
 * function and the next one are static, since modules may have code for different devices. */
static inline bool assay_code_waits(int generation)
{
    const int architectures[] = { __CUDA_ARCH_LIST__ };

    for (const int architecture : architectures)
        if (generation >= 9 && architecture / 100 == generation)
            return true;
    return false;
}

/* The same for the current device. The answer is kept, since launches are many; it is asked for
 * again if the device gave none. */
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

/* Programmatic dependent launch: as kernel<<<grid, block, smem_bytes, stream>>>(arguments...), but
 * the kernel may begin before the preceding kernel of the stream has ended, so that its blocks are
 * ready. On a device without such launches, a plain launch. Two conditions hold for the kernel.
 * First, every thread calls assay_grid_dependency_wait() before it touches memory that an earlier
 * launch of the stream reads or writes. The exception is memory of launches that have surely
 * completed by then, because the kernel between them and this one calls
 * assay_grid_launch_dependents() only after they have. Second, it reads such memory by plain loads,
 * never by __ldg, which takes memory for constant while the kernel runs. */
template <typename... Parameters, typename... Arguments>
inline void assay_launch_dependent(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                   size_t smem_bytes, assay_stream stream, Arguments... arguments)
{
    assay_launch_with(assay_dependent(), kernel, grid, block, smem_bytes, stream, arguments...);
}

/* Waits until the preceding kernel of the stream has completed and its writes are visible here. If
 * that kernel waits in every thread too, all kernels before it have completed as well. Returns at
 * once in a kernel that was launched in another way. */
__device__ inline void assay_grid_dependency_wait(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* Lets the next kernel begin, if assay_launch_dependent() launched it, once every block has called
 * this or ended. It makes no writes visible. */
__device__ inline void assay_grid_launch_dependents(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Returns the error of the launches of this launcher, whose last line is `return
 * assay_launch_status();`. */
inline int assay_launch_status(void) { return static_cast<int>(cudaGetLastError()); }

/* Enqueues the zeroing of memory on the stream. Order and errors are as of a kernel launch. */
inline int assay_memset_zero(void *memory, size_t bytes, assay_stream stream)
{
    return static_cast<int>(cudaMemsetAsync(memory, 0, bytes, stream));
}

/* Zeroed device memory that a variant's setup allocates in *memory and its teardown frees. It
 * outlives the calls. Both functions wait for the device. */
inline int assay_setup_allocate(void **memory, size_t bytes)
{
    const cudaError_t error = cudaMalloc(memory, bytes);

    return static_cast<int>(error != cudaSuccess ? error : cudaMemset(*memory, 0, bytes));
}
inline void assay_setup_free(void *memory) { (void)cudaFree(memory); }

/* Reads an attribute of the current device. */
inline int assay_device_attribute(cudaDeviceAttr attribute, int *value)
{
    int               device = 0;
    const cudaError_t error  = cudaGetDevice(&device);

    return static_cast<int>(
        error != cudaSuccess ? error : cudaDeviceGetAttribute(value, attribute, device));
}

/* Reads the number of multiprocessors (SMs), and how many blocks of the kernel are resident on each
 * at once. */
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

/* Allows a kernel so many bytes of dynamic shared memory. Needed above 48 KiB. */
template <typename... Parameters>
inline int assay_allow_shared(void (*kernel)(Parameters...), size_t bytes)
{
    return static_cast<int>(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             bytes < INT_MAX ? static_cast<int>(bytes) : INT_MAX));
}

/* Atomic operations of device scope with a memory order, on naturally aligned integers of 4 and 8
 * bytes. They use nvcc's built-in functions (12.8 and newer), since <cuda/atomic> takes three
 * seconds to compile. */
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
/* Adds without returning the old value, for threads that only arrive. */
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
/* Compares and exchanges; true if it stored. `expected` gets the value that was there. */
template <typename T>
__device__ inline bool assay_compare_exchange_acq_rel(T *p, T *expected, T desired)
{
    return __nv_atomic_compare_exchange_n(p, expected, desired, false, __NV_ATOMIC_ACQ_REL,
                                          __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}

/* The same with system scope, for memory that the host reads or writes while the kernel runs. */
template <typename T> __device__ inline T assay_load_acquire_system(const T *p)
{
    return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
}
template <typename T> __device__ inline void assay_store_release_system(T *p, T value)
{
    __nv_atomic_store_n(p, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

/* Returns the nanoseconds since some fixed moment. The clock is the same for the whole device. */
__device__ inline unsigned long long assay_global_time_ns(void)
{
    unsigned long long time_ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_ns));
    return time_ns;
}

#include "kernel_graph.h"

#endif
