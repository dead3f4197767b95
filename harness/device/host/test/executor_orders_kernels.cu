/* Kernels behind test_executor_orders.c: what orders a reader after a writer, and what does not.
 * Thread 0 of the first block writes data and then sets a flag; the reader waits for the flag and
 * reads. out[0] is the data, out[1] the flag, out[2] what was read, out[3] a counter. */
#include "kernel.h"

#include <cuda/atomic>

namespace
{
unsigned *output(const assay_args *args) { return static_cast<unsigned *>(args->buf[1]); }

enum {
    DATA,
    FLAG,
    READ,
    COUNT
};

/* The reader is a thread of another block, or of another warp of the same block. */
__device__ bool is_writer(void) { return blockIdx.x == 0 && threadIdx.x == 0; }
__device__ bool is_reader(void)
{
    return blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
}
} // namespace

#define PATTERN(name, ...)                                                                         \
    ASSAY_LAUNCHER(executor_order_##name)                                                          \
    {                                                                                              \
        const int error = assay_memset_zero(output(args), 8 * sizeof(unsigned), stream);           \
        if (error != 0)                                                                            \
            return error;                                                                          \
        assay_launch_co_resident(name##_kernel, __VA_ARGS__, 0, stream, output(args));             \
        return assay_launch_status();                                                              \
    }

/* tells: how the writer sets the flag; sees: the condition that the reader waits for; before: what
 * the reader does after that. */
#define MESSAGE(name, where, tells, sees, before)                                                  \
    static __global__ void name##_kernel(unsigned *out)                                            \
    {                                                                                              \
        [[maybe_unused]] cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(out[FLAG]);    \
        [[maybe_unused]] cuda::atomic_ref<unsigned, cuda::thread_scope_block>  near(out[FLAG]);    \
        if (is_writer()) {                                                                         \
            out[DATA] = 5;                                                                         \
            tells;                                                                                 \
        }                                                                                          \
        if (is_reader()) {                                                                         \
            while (!(sees))                                                                        \
                __nanosleep(10);                                                                   \
            before;                                                                                \
            out[READ] = out[DATA];                                                                 \
        }                                                                                          \
    }                                                                                              \
    PATTERN(name, where)

#define NOTHING (void)0
#define BLOCKS  2, 32
#define WARPS   1, 64

/* ---- between blocks */
MESSAGE(relaxed, BLOCKS, assay_store_relaxed(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
        NOTHING)
MESSAGE(release_acquire, BLOCKS, assay_store_release(out + FLAG, 1u),
        assay_load_acquire(out + FLAG), NOTHING)
MESSAGE(release_relaxed, BLOCKS, assay_store_release(out + FLAG, 1u),
        assay_load_relaxed(out + FLAG), NOTHING)
MESSAGE(relaxed_acquire, BLOCKS, assay_store_relaxed(out + FLAG, 1u),
        assay_load_acquire(out + FLAG), NOTHING)
MESSAGE(fences, BLOCKS, (__threadfence(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence())
MESSAGE(fence_of_writer, BLOCKS, (__threadfence(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), NOTHING)
MESSAGE(fence_of_reader, BLOCKS, assay_store_relaxed(out + FLAG, 1u),
        assay_load_relaxed(out + FLAG), __threadfence())
MESSAGE(fence_acquire, BLOCKS, (__threadfence(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_acquire(out + FLAG), NOTHING)
MESSAGE(release_fence, BLOCKS, assay_store_release(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
        __threadfence())
MESSAGE(fence_too_late, BLOCKS, (assay_store_relaxed(out + FLAG, 1u), __threadfence()),
        assay_load_relaxed(out + FLAG), __threadfence())
/* Regression: a fenced relaxed update once counted as an acquire. */
MESSAGE(fence_then_update, BLOCKS, (__threadfence(), atomicAdd(out + FLAG, 1u)),
        (__threadfence(), atomicAdd(out + FLAG, 0u)), NOTHING)
MESSAGE(fence_around_update, BLOCKS, (__threadfence(), atomicAdd(out + FLAG, 1u)),
        (__threadfence(), atomicAdd(out + FLAG, 0u)), __threadfence())
MESSAGE(written_after_fence, BLOCKS,
        (out[DATA] = 0, __threadfence(), out[DATA] = 5, assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence())
MESSAGE(written_after_release, BLOCKS,
        (out[DATA] = 0, assay_store_release(out + FLAG, 1u), out[DATA] = 5,
         assay_store_release(out + COUNT, 1u)),
        assay_load_acquire(out + FLAG) && assay_load_relaxed(out + COUNT), NOTHING)
MESSAGE(another_word, BLOCKS,
        (assay_store_release(out + FLAG, 1u), assay_store_relaxed(out + COUNT, 1u)),
        assay_load_acquire(out + COUNT), NOTHING)
MESSAGE(same_word_again, BLOCKS,
        (assay_store_release(out + FLAG, 1u), assay_store_relaxed(out + FLAG, 2u)),
        assay_load_acquire(out + FLAG) == 2, NOTHING)
MESSAGE(scoped_fences, BLOCKS,
        (cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device),
         flag.store(1u, cuda::memory_order_relaxed)),
        flag.load(cuda::memory_order_relaxed),
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device))
MESSAGE(acquire_fence_of_writer, BLOCKS,
        (cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device),
         flag.store(1u, cuda::memory_order_relaxed)),
        flag.load(cuda::memory_order_acquire), NOTHING)
MESSAGE(release_fence_of_reader, BLOCKS, flag.store(1u, cuda::memory_order_release),
        flag.load(cuda::memory_order_relaxed),
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device))
MESSAGE(fences_of_block, BLOCKS, (__threadfence_block(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence())
MESSAGE(fence_of_block_of_reader, BLOCKS, (__threadfence(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence_block())
MESSAGE(release_of_block, BLOCKS, near.store(1u, cuda::memory_order_release),
        flag.load(cuda::memory_order_acquire), NOTHING)
MESSAGE(acquire_of_block, BLOCKS, flag.store(1u, cuda::memory_order_release),
        near.load(cuda::memory_order_acquire), NOTHING)
MESSAGE(fences_of_system, BLOCKS, (__threadfence_system(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence_system())
MESSAGE(by_volatile, BLOCKS, (__threadfence(), *(volatile unsigned *)(out + FLAG) = 1u),
        *(volatile unsigned *)(out + FLAG), __threadfence())
MESSAGE(by_volatile_bare, BLOCKS, (*(volatile unsigned *)(out + FLAG) = 1u),
        *(volatile unsigned *)(out + FLAG), NOTHING)
MESSAGE(failed_exchange, BLOCKS, assay_store_release(out + FLAG, 1u),
        atomicCAS(out + FLAG, 7u, 8u) == 1u, NOTHING)
MESSAGE(by_ptx, BLOCKS,
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(out + FLAG)
                     : "memory"),
        assay_load_acquire(out + FLAG), NOTHING)
MESSAGE(by_ptx_fence_of_block, BLOCKS, (__threadfence(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG),
        asm volatile("fence.acq_rel.cta;" ::
                         : "memory"))

/* ---- between warps of a block */
MESSAGE(near_relaxed, WARPS, assay_store_relaxed(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
        NOTHING)
MESSAGE(near_fences, WARPS, (__threadfence_block(), assay_store_relaxed(out + FLAG, 1u)),
        assay_load_relaxed(out + FLAG), __threadfence_block())
MESSAGE(near_scoped, WARPS, near.store(1u, cuda::memory_order_release),
        near.load(cuda::memory_order_acquire), NOTHING)

/* ---- three threads: the second hands on what it has acquired, or by an update what it has not */
#define HANDED_ON(name, tells, sees, hands, gets)                                                  \
    static __global__ void name##_kernel(unsigned *out)                                            \
    {                                                                                              \
        if (threadIdx.x != 0)                                                                      \
            return;                                                                                \
        if (blockIdx.x == 0) {                                                                     \
            out[DATA] = 5;                                                                         \
            tells;                                                                                 \
        } else if (blockIdx.x == 1) {                                                              \
            while (!(sees))                                                                        \
                __nanosleep(10);                                                                   \
            hands;                                                                                 \
        } else {                                                                                   \
            while (!(gets))                                                                        \
                __nanosleep(10);                                                                   \
            out[READ] = out[DATA];                                                                 \
        }                                                                                          \
    }                                                                                              \
    PATTERN(name, 3, 32)

HANDED_ON(handed_on, assay_store_release(out + FLAG, 1u), assay_load_acquire(out + FLAG),
          assay_store_release(out + COUNT, 1u), assay_load_acquire(out + COUNT))
HANDED_ON(handed_on_relaxed, assay_store_release(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
          assay_store_release(out + COUNT, 1u), assay_load_acquire(out + COUNT))
HANDED_ON(updated, assay_store_release(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
          atomicAdd(out + FLAG, 1u), assay_load_acquire(out + FLAG) == 2)
HANDED_ON(overwritten, assay_store_release(out + FLAG, 1u), assay_load_relaxed(out + FLAG),
          assay_store_relaxed(out + FLAG, 2u), assay_load_acquire(out + FLAG) == 2)

/* ---- the last block: each writes its part and counts; who counts last reads all. */
enum class idiom {
    FENCED,     /* the reader has a fence of its own */
    BEHIND,     /* the reader reads after the barrier, without a fence */
    UNFENCED,   /* the writers have no fence either */
    NO_BARRIER, /* the thread that has counted reads at once */
};
template <idiom I> static __device__ void last_block(unsigned *out)
{
    __shared__ bool is_last;
    unsigned       *part = out + 4, sum = 0;

    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x + 1;
        if (I != idiom::UNFENCED)
            __threadfence();
        is_last = atomicAdd(out + COUNT, 1u) == gridDim.x - 1;
        if (I == idiom::FENCED)
            __threadfence();
        for (unsigned i = 0; I == idiom::NO_BARRIER && is_last && i < gridDim.x; i++)
            sum += part[i];
    }
    if (I != idiom::NO_BARRIER)
        __syncthreads();
    else if (threadIdx.x == 0 && is_last)
        out[READ] = sum;
    if (I == idiom::NO_BARRIER || !is_last || threadIdx.x != blockDim.x - 1)
        return;
    for (unsigned i = 0; i < gridDim.x; i++)
        sum += part[i];
    out[READ] = sum;
}
#define LAST_BLOCK(name, which)                                                                    \
    static __global__ void name##_kernel(unsigned *out) { last_block<idiom::which>(out); }         \
    PATTERN(name, 3, 64)
LAST_BLOCK(last_fenced, FENCED)
LAST_BLOCK(last_behind, BEHIND)
LAST_BLOCK(last_unfenced, UNFENCED)
LAST_BLOCK(last_no_barrier, NO_BARRIER)

/* The same for a warp. */
static __global__ void last_warp_kernel(unsigned *out)
{
    __shared__ bool is_last[2];
    const unsigned  warp = threadIdx.x / 32;

    if (threadIdx.x % 32 == 0) {
        out[4 + warp] = warp + 1;
        __threadfence_block();
        is_last[warp] = atomicAdd(out + COUNT, 1u) == 1;
    }
    __syncwarp();
    if (is_last[warp] && threadIdx.x % 32 == 31)
        out[READ] = out[4] + out[5];
}
PATTERN(last_warp, 1, 64)
/* A flag that was seen by a load is not part of the idiom. */
static __global__ void looked_behind_kernel(unsigned *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[DATA] = 5;
        __threadfence();
        assay_store_relaxed(out + FLAG, 1u);
    }
    if (blockIdx.x == 0)
        return;
    if (threadIdx.x == 0)
        while (!assay_load_relaxed(out + FLAG))
            __nanosleep(10);
    __syncthreads();
    if (threadIdx.x == 63)
        out[READ] = out[DATA];
}
PATTERN(looked_behind, 2, 64)

/* ---- waits for volatile words */

/* Two warps alternate as often as the parameter says: each turn ends a wait and writes. */
static __global__ void by_turns_kernel(unsigned *out, unsigned n)
{
    volatile unsigned *turn = out;
    const unsigned     self = threadIdx.x / 32;

    if (threadIdx.x % 32 != 0)
        return;
    for (unsigned i = self; i < n; i += 2) {
        while (*turn != i) {
        }
        __threadfence_block();
        *turn = i + 1;
    }
}
ASSAY_LAUNCHER(executor_by_turns)
{
    const int error = assay_memset_zero(output(args), sizeof(unsigned), stream);

    if (error != 0)
        return error;
    by_turns_kernel<<<1, 64, 0, stream>>>(output(args), static_cast<unsigned>(args->param[0]));
    return assay_launch_status();
}

/* out[1] gets the line of the wait, which never ends. */
static __global__ void never_told_kernel(unsigned *out)
{
    const volatile unsigned *flag = out;

    out[1] = __LINE__ + 1;
    while (*flag == 0)
        ;
}
ASSAY_LAUNCHER(executor_never_told)
{
    const int error = assay_memset_zero(output(args), sizeof(unsigned), stream);

    if (error != 0)
        return error;
    never_told_kernel<<<1, 1, 0, stream>>>(output(args));
    return assay_launch_status();
}
