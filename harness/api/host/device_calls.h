/* Calls from compiled kernel code into the host device. A call during which other threads may run
 * takes the file and line of its caller, for reports. */
#ifndef ASSAY_HOST_DEVICE_CALLS_H
#define ASSAY_HOST_DEVICE_CALLS_H

#include "vector_types.h"

#include <stddef.h>
#include <stdint.h>

/* As default arguments, these name the caller's line. */
#define ASSAY_HOST_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

enum assay_warp_op : unsigned char {
    ASSAY_WARP_SYNC,
    ASSAY_WARP_SHUFFLE,
    ASSAY_WARP_BALLOT,
    ASSAY_WARP_ANY,
    ASSAY_WARP_ALL,
    ASSAY_WARP_MATCH_ANY,
    ASSAY_WARP_MATCH_ALL,
    ASSAY_WARP_ADD,
    ASSAY_WARP_MIN_SIGNED,
    ASSAY_WARP_MAX_SIGNED,
    ASSAY_WARP_MIN_UNSIGNED,
    ASSAY_WARP_MAX_UNSIGNED,
    ASSAY_WARP_AND,
    ASSAY_WARP_OR,
    ASSAY_WARP_XOR,
    ASSAY_WARP_ACTIVE_MASK,
    ASSAY_N_WARP_OPS
};

enum assay_block_op : unsigned char {
    ASSAY_BLOCK_SYNC,
    ASSAY_BLOCK_COUNT,
    ASSAY_BLOCK_AND,
    ASSAY_BLOCK_OR,
    ASSAY_N_BLOCK_OPS
};

/* What a thread tells the scheduler at a point where others may run. */
enum assay_yield : unsigned char {
    ASSAY_YIELD_POLL,  /* it polled: read, and changed nothing */
    ASSAY_YIELD_WRITE, /* it changed memory that others may wait for */
    ASSAY_YIELD_SLEEP, /* it asks that others run first */
};

/* The scope of a memory order. */
enum assay_host_scope : unsigned char {
    ASSAY_SCOPE_BLOCK,
    ASSAY_SCOPE_DEVICE,
    ASSAY_SCOPE_SYSTEM,
};

/* The effects of an atomic or a fence. */
enum : unsigned {
    ASSAY_ATOMIC_READS    = 1,
    ASSAY_ATOMIC_WRITES   = 2,
    ASSAY_ATOMIC_ACQUIRES = 4,
    ASSAY_ATOMIC_RELEASES = 8,
    ASSAY_ATOMIC_IN_ORDER = 16, /* sequentially consistent */
    ASSAY_ATOMIC_UPDATES  = ASSAY_ATOMIC_READS | ASSAY_ATOMIC_WRITES,
    ASSAY_ATOMIC_ACQ_REL  = ASSAY_ATOMIC_ACQUIRES | ASSAY_ATOMIC_RELEASES,
};

/* A kernel launch as the launcher wrote it. */
struct assay_launch_request {
    const char *kernel;
    const char *file;
    int         line;
    const void *function; /* identifies the kernel for cudaFuncSetAttribute */
    dim3        grid, block;
    size_t      dynamic_bytes;
    void       *stream;
    bool        is_co_resident;
    unsigned    max_threads;   /* of a block, by __launch_bounds__; 0: not given */
    bool        allows_shared; /* the most that a block may have without cudaFuncSetAttribute */
    void (*invoke)(void *arguments); /* calls the kernel once, for the thread that runs it */
    void *arguments;
};

/* Each module in a process has an executor of its own. */
#pragma GCC visibility push(hidden)

/* The indices of the running thread. The executor writes them at each switch. */
extern __thread uint3 threadIdx __attribute__((tls_model("initial-exec")));
extern __thread uint3 blockIdx __attribute__((tls_model("initial-exec")));
extern __thread dim3  blockDim __attribute__((tls_model("initial-exec")));
extern __thread dim3  gridDim __attribute__((tls_model("initial-exec")));

constexpr int warpSize = 32;

void assay_host_launch(const assay_launch_request *request);
int  assay_host_launch_status(void);
int  assay_host_stream_wait(void *stream);
int  assay_host_allow_shared(const void *function, size_t bytes);

/* Block barrier with a vote; the vote is of all threads that arrived. */
int assay_host_block_barrier(assay_block_op op, bool predicate, const char *file, int line);
/* Rendezvous of exactly the lanes in mask. `source` is the lane a shuffle reads. */
uint64_t assay_host_warp_exchange(assay_warp_op op, unsigned mask, uint64_t value, unsigned source,
                                  const char *file, int line);
/* The lanes of this warp that arrive at this line before no other lane of the warp can run on. */
unsigned assay_host_active_mask(const char *file, int line);
/* Barrier of the whole grid; a fault unless the launch was co-resident. */
void assay_host_grid_barrier(const char *file, int line);
bool assay_host_grid_is_co_resident(void);

/* The block's array of this key; the first thread that asks allocates it. */
void *assay_host_shared_array(const void *key, size_t bytes, size_t alignment, const char *name,
                              const char *file, int line);
void *assay_host_shared_dynamic(const char *file, int line);

/* Lets another thread run. Does nothing outside a kernel. */
void assay_host_yield(assay_yield kind, const char *file, int line);
/* Ends the launch with a fault: __trap and assert. */
[[noreturn]] void assay_host_trap(const char *what, const char *file, int line);
uint64_t          assay_host_time_ns(void);

/* Kernels are compiled with the sanitizer; the executor learns of it from the build. */
#if defined(__SANITIZE_THREAD__) && !defined(ASSAY_TSAN)
#define ASSAY_TSAN 1
#elif defined(__has_feature) && !defined(ASSAY_TSAN)
#if __has_feature(thread_sanitizer)
#define ASSAY_TSAN 1
#endif
#endif

/* Memory orders, told to ThreadSanitizer by hand, since its atomics have no scopes. Other builds do
 * nothing here. Under ThreadSanitizer the accesses themselves are relaxed, except those that host
 * code may see. `what`: ASSAY_ATOMIC_READS and so on, combined by |. A kernel's access to the word
 * is between begin and end; nothing that waits may be there. */
#ifdef ASSAY_TSAN
void assay_host_fence(unsigned what, assay_host_scope scope);
void assay_host_atomic_begin(const void *p);
void assay_host_atomic_end(const void *p, unsigned what, assay_host_scope scope, const char *file,
                           int line);
constexpr bool assay_host_is_told = true;
#else
inline void assay_host_fence(unsigned, assay_host_scope)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void    assay_host_atomic_begin(const void *) {}
inline void    assay_host_atomic_end(const void *, unsigned, assay_host_scope, const char *, int) {}
constexpr bool assay_host_is_told = false;
#endif

#pragma GCC visibility pop

inline unsigned assay_host_lane(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u;
}

#endif
