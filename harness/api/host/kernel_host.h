/* Device side of kernel.h under a C++ compiler: the names of kernel_cuda.h and plain CUDA C++ for
 * the host device, so that both devices share one kernel source. */
#ifndef ASSAY_KERNEL_HOST_H
#define ASSAY_KERNEL_HOST_H

#include <algorithm>
#include <limits>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <type_traits>
#include <utility>

#include "host/atomics.h"
#include "host/device_calls.h"
#include "host/host_math.h"
#include "host/vector_types.h"
#include "host/warp.h"

#include "host/cooperative_groups.h"

/* The translator (harness/translate) rewrites launches, shared memory and the keywords that C++
 * lacks. */
#include "host/plain_launch.h"

#define __align__(n) __attribute__((aligned(n)))
/* Not always_inline, so that debuggers and reports of sanitizers show the function. */
#define __forceinline__ inline

/* ---- launches */

/* The grid of a launch through a function, and the line of that launch. */
struct assay_host_grid {
    template <typename Grid> assay_host_grid(const Grid &grid, ASSAY_HOST_SITE)
        : size(grid), from_file(file), from_line(line)
    {
    }
    dim3        size;
    const char *from_file;
    int         from_line;
};

template <typename... P, typename... A>
inline void assay_host_launch_as(bool                   is_co_resident, void (*kernel)(P...),
                                 const assay_host_grid &grid, dim3 block, size_t smem_bytes,
                                 assay_stream stream, A &&...arguments)
{
    assay_launch_request request = assay_host_request(nullptr, grid.from_file, grid.from_line,
                                                      grid.size, block, smem_bytes, stream);

    request.is_co_resident = is_co_resident;
    assay_host_set_configuration(&request);
    kernel(static_cast<P>(arguments)...);
}
template <typename... P, typename... A>
inline void assay_launch_co_resident(void (*kernel)(P...), const assay_host_grid &grid, dim3 block,
                                     size_t smem_bytes, assay_stream stream, A &&...arguments)
{
    assay_host_launch_as(true, kernel, grid, block, smem_bytes, stream, arguments...);
}
/* On the host device one launch ends before the next begins: nothing to wait for, nothing to let
 * begin. */
template <typename... P, typename... A>
inline void assay_launch_dependent(void (*kernel)(P...), const assay_host_grid &grid, dim3 block,
                                   size_t smem_bytes, assay_stream stream, A &&...arguments)
{
    assay_host_launch_as(false, kernel, grid, block, smem_bytes, stream, arguments...);
}
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

/* A small number, but enough that blocks interact. */
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

template <typename... P> inline int assay_allow_shared(void (*kernel)(P...), size_t bytes)
{
    return assay_host_allow_shared(assay_host_key_of(kernel), bytes);
}

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

/* A macro, since the C library has a clock() too. */
#define clock() static_cast<clock_t>(clock64())

/* ---- cached and streaming accesses: plain ones here */

#define ASSAY_HOST_LOAD(name)                                                                      \
    template <typename T> inline T name(const T *p) { return *p; }
ASSAY_HOST_LOAD(__ldg)
ASSAY_HOST_LOAD(__ldca)
ASSAY_HOST_LOAD(__ldcg)
ASSAY_HOST_LOAD(__ldcs)
ASSAY_HOST_LOAD(__ldlu)
#undef ASSAY_HOST_LOAD
/* A volatile load: how a kernel polls a word that another thread writes. */
template <typename T> inline T __ldcv(const T *p, ASSAY_HOST_SITE)
{
    if constexpr (std::is_arithmetic<T>::value)
        return assay_host_load(p, 0, ASSAY_SCOPE_SYSTEM, file, line);
    else
        return *p;
}

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

#endif
