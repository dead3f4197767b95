/* Device side of kernel.h under a C++ compiler: the names of kernel_cuda.h and plain CUDA C++ for
 * the host executor, so that one kernel source serves both. */
#ifndef ASSAY_KERNEL_HOST_H
#define ASSAY_KERNEL_HOST_H

/* Before the qualifiers below, which the standard headers use as names of attributes. */
#include <algorithm>
#include <limits>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include "host/atomics.h"
#include "host/device_calls.h"
#include "host/host_math.h"
#include "host/vector_types.h"
#include "host/warp.h"

#include "host/cooperative_groups.h"

#ifdef ASSAY_TRANSLATED
/* The translator rewrites plain CUDA C++: launches, shared memory and the words that C++ has not.
 */
#include "host/plain_launch.h"
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __noinline__ __attribute__((noinline))
/* The compiler names this word when a kernel declares shared memory without ASSAY_SHARED. */
#define __shared__   use_ASSAY_SHARED_or_ASSAY_SHARED_DYNAMIC_for_shared_memory
#endif
#define __align__(n) __attribute__((aligned(n)))
/* Not always_inline: a debugger and the sanitizers' reports should see the function. */
#define __forceinline__ inline

/* ---- launches */

#ifdef ASSAY_TRANSLATED
#define ASSAY_LAUNCH(kernel, grid, block, smem_bytes, stream, ...)                                 \
    kernel<<<(grid), (block), (smem_bytes), (stream)>>>(__VA_ARGS__)
#define ASSAY_LAUNCH_CO_RESIDENT(kernel, grid, block, smem_bytes, stream, ...)                     \
    (assay_host_configure_co_resident(#kernel, __FILE__, __LINE__, (grid), (block), (smem_bytes),  \
                                      (stream)),                                                   \
     (kernel)(__VA_ARGS__))
#else
/* The launch of one kernel with parameters P; arguments convert as in a call. */
template <typename... P> class assay_host_launcher
{
  public:
    assay_host_launcher(void (*kernel)(P...), const assay_launch_request &request)
        : kernel_(kernel), request_(request)
    {
    }
    void operator()(P... arguments)
    {
        call all { kernel_, std::tuple<P...>(arguments...) };

        request_.function  = reinterpret_cast<const void *>(kernel_);
        request_.invoke    = invoke;
        request_.arguments = &all;
        assay_host_launch(&request_);
    }

  private:
    struct call {
        void (*kernel)(P...);
        std::tuple<P...> arguments;
    };
    static void invoke(void *arguments)
    {
        call_kernel(*static_cast<const call *>(arguments), std::index_sequence_for<P...>());
    }
    /* Without std::apply, whose frames would stand in every report of a sanitizer. */
    template <size_t... I> static void call_kernel(const call &all, std::index_sequence<I...>)
    {
        all.kernel(std::get<I>(all.arguments)...);
    }
    void (*kernel_)(P...);
    assay_launch_request request_;
};

template <typename... P> inline assay_host_launcher<P...>
assay_host_prepare(void (*kernel)(P...), const char *name, bool is_co_resident, dim3 grid,
                   dim3 block, size_t dynamic_bytes, assay_stream stream, ASSAY_HOST_SITE)
{
    assay_launch_request request {};

    request.kernel         = name;
    request.file           = file;
    request.line           = line;
    request.grid           = grid;
    request.block          = block;
    request.dynamic_bytes  = dynamic_bytes;
    request.stream         = stream;
    request.is_co_resident = is_co_resident;
    return assay_host_launcher<P...>(kernel, request);
}

#define ASSAY_LAUNCH(kernel, grid, block, smem_bytes, stream, ...)                                 \
    assay_host_prepare(kernel, #kernel, false, (grid), (block), (smem_bytes), (stream))(__VA_ARGS__)
#define ASSAY_LAUNCH_CO_RESIDENT(kernel, grid, block, smem_bytes, stream, ...)                     \
    assay_host_prepare(kernel, #kernel, true, (grid), (block), (smem_bytes), (stream))(__VA_ARGS__)
#endif
/* Launches follow one another here: nothing to wait for, and nobody to let begin. */
#define ASSAY_LAUNCH_DEPENDENT ASSAY_LAUNCH
inline void assay_grid_dependency_wait(void) {}
inline void assay_grid_launch_dependents(void) {}

inline int assay_launch_status(void) { return assay_host_launch_status(); }

inline int assay_memset_zero(void *memory, size_t bytes, assay_stream)
{
    if (bytes > 0)
        memset(memory, 0, bytes);
    return 0;
}

inline int assay_setup_allocate(void **memory, size_t bytes)
{
    *memory = calloc(1, bytes);
    return *memory != nullptr ? 0 : 2; /* cudaErrorMemoryAllocation */
}
inline void assay_setup_free(void *memory) { free(memory); }

/* Few, but enough to meet each other. */
template <typename... P>
inline int assay_resident_blocks(void (*)(P...), unsigned, size_t, int *n_sms, int *per_sm)
{
    *n_sms = *per_sm = 2;
    return 0;
}

inline int assay_stream_wait(assay_stream stream) { return assay_host_stream_wait(stream); }

inline int assay_read_back(void *to, const void *from, size_t bytes, assay_stream stream)
{
    const int error = assay_stream_wait(stream);

    if (error == 0)
        memcpy(to, from, bytes);
    return error;
}

/* ---- shared memory: the address of the static variable names the array, one per instantiation */

#ifdef ASSAY_TRANSLATED
#define ASSAY_SHARED(T, name, n) __shared__ T name[n]
#define ASSAY_SHARED_DYNAMIC(T, name)                                                              \
    extern __shared__ unsigned char assay_dynamic_shared[];                                        \
    T                              *name = reinterpret_cast<T *>(assay_dynamic_shared)
#define ASSAY_HOST_KEY_OF(kernel) assay_host_key_of(kernel)
#else
#define ASSAY_SHARED(T, name, n)                                                                   \
    static const char assay_shared_key_of_##name = 0;                                              \
    T *const          name                       = static_cast<T *>(assay_host_shared_array(       \
                                       &assay_shared_key_of_##name, sizeof(T) * (n), alignof(T), #name, __FILE__, __LINE__))
#define ASSAY_SHARED_DYNAMIC(T, name)                                                              \
    T *const name = static_cast<T *>(assay_host_shared_dynamic(__FILE__, __LINE__))
#define ASSAY_HOST_KEY_OF(kernel) reinterpret_cast<const void *>(kernel)
#endif

inline int assay_host_allow_shared_of(const void *key, int64_t bytes)
{
    return assay_host_allow_shared(key, bytes < 0 ? SIZE_MAX : static_cast<size_t>(bytes));
}
#define ASSAY_ALLOW_SHARED(kernel, bytes)                                                          \
    assay_host_allow_shared_of(ASSAY_HOST_KEY_OF(kernel), static_cast<int64_t>(bytes))

/* ---- block barriers */

inline void __syncthreads(ASSAY_HOST_SITE)
{
    (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, file, line);
}
inline int __syncthreads_count(int predicate, ASSAY_HOST_SITE)
{
    return assay_host_block_barrier(ASSAY_BLOCK_COUNT, predicate != 0, file, line);
}
inline int __syncthreads_and(int predicate, ASSAY_HOST_SITE)
{
    return assay_host_block_barrier(ASSAY_BLOCK_AND, predicate != 0, file, line);
}
inline int __syncthreads_or(int predicate, ASSAY_HOST_SITE)
{
    return assay_host_block_barrier(ASSAY_BLOCK_OR, predicate != 0, file, line);
}

/* ---- time */

inline void __nanosleep(unsigned, ASSAY_HOST_SITE)
{
    assay_host_yield(ASSAY_YIELD_SLEEP, file, line);
}

inline unsigned long long assay_global_time_ns(ASSAY_HOST_SITE)
{
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return assay_host_time_ns();
}

inline long long clock64(ASSAY_HOST_SITE)
{
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return static_cast<long long>(assay_host_time_ns());
}

/* The C library has a clock() of its own. */
#define clock() static_cast<clock_t>(clock64())

/* ---- cached and streaming accesses: plain ones here */

#define ASSAY_HOST_LOAD(name)                                                                      \
    template <typename T> inline T name(const T *p) { return *p; }
ASSAY_HOST_LOAD(__ldg)
ASSAY_HOST_LOAD(__ldca)
ASSAY_HOST_LOAD(__ldcg)
ASSAY_HOST_LOAD(__ldcs)
ASSAY_HOST_LOAD(__ldlu)
ASSAY_HOST_LOAD(__ldcv)
#undef ASSAY_HOST_LOAD

#define ASSAY_HOST_STORE(name)                                                                     \
    template <typename T> inline void name(T *p, typename std::enable_if<true, T>::type value)     \
    {                                                                                              \
        *p = value;                                                                                \
    }
ASSAY_HOST_STORE(__stwb)
ASSAY_HOST_STORE(__stcg)
ASSAY_HOST_STORE(__stcs)
ASSAY_HOST_STORE(__stwt)
#undef ASSAY_HOST_STORE

/* ---- failures that a kernel asks for */

inline void __trap(ASSAY_HOST_SITE) { assay_host_trap("__trap()", file, line); }

#undef assert
#ifdef NDEBUG
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition)                                                                          \
    ((condition) ? static_cast<void>(0)                                                            \
                 : assay_host_trap("assertion failed: " #condition, __FILE__, __LINE__))
#endif

#endif
