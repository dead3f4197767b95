/* Kernels behind test_executor_reports.c: mistakes that a sanitizer of the build finds. A marked
 * statement notes its line, which the report must name. */
#include "kernel.h"

#include <cub/cub.cuh>
#include <cuda_pipeline.h>

extern "C" __attribute__((visibility("default"))) int *executor_report_line;
int                                                   *executor_report_line;

/* Atomic: many threads note the same line. */
#define MARKED(statement)                                                                          \
    do {                                                                                           \
        __atomic_store_n(executor_report_line, __LINE__, __ATOMIC_RELAXED);                        \
        statement;                                                                                 \
    } while (0)

static unsigned *output(const assay_args *args) { return static_cast<unsigned *>(args->buf[1]); }

#define PLANT(name, grid, block)                                                                   \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        name##_kernel<<<grid, block, 0, stream>>>(output(args));                                   \
        return assay_launch_status();                                                              \
    }

/* The last two threads write past the array. */
static __global__ void shared_overflow_kernel(unsigned *out)
{
    __shared__ unsigned before[4];
    __shared__ unsigned values[30];
    unsigned           *first = values; /* the compiler's own check of bounds covers only arrays */

    before[threadIdx.x % 4] = 0;
    MARKED(first[threadIdx.x] = threadIdx.x);
    out[threadIdx.x] = values[0];
}
PLANT(shared_overflow, 1, 32)

/* The dynamic part has the size that the launch gives, which is 0 here. */
static __global__ void dynamic_overflow_kernel(unsigned *out)
{
    extern __shared__ __align__(16) unsigned values[];

    MARKED(out[threadIdx.x] = values[threadIdx.x]);
}
PLANT(dynamic_overflow, 1, 32)

/* The buffer has 32 elements. */
static __global__ void heap_overflow_kernel(unsigned *out) { MARKED(out[threadIdx.x] = 1); }
PLANT(heap_overflow, 1, 33)

static __global__ void misaligned_kernel(unsigned *out)
{
    MARKED(reinterpret_cast<uint4 *>(out + 1)->x = 1);
}
PLANT(misaligned, 1, 1)

static __global__ void race_in_block_kernel(unsigned *out)
{
    __shared__ unsigned values[32];

    values[threadIdx.x] = threadIdx.x;
    MARKED(out[threadIdx.x] = values[31 - threadIdx.x]);
}
PLANT(race_in_block, 1, 32)

static __global__ void race_in_warp_kernel(unsigned *out)
{
    __shared__ unsigned values[32];

    values[threadIdx.x] = threadIdx.x;
    /* Only half of the warp meets. */
    __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
    MARKED(out[threadIdx.x] = values[31 - threadIdx.x]);
}
PLANT(race_in_warp, 1, 32)

static __global__ void race_of_blocks_kernel(unsigned *out)
{
    if (threadIdx.x == 0)
        MARKED(out[0] = out[0] + 1);
}
PLANT(race_of_blocks, 8, 32)

/* More threads than ThreadSanitizer can tell apart at a time, after they have met more than
 * once. */
static __global__ void race_in_large_block_kernel(unsigned *out)
{
    __shared__ unsigned values[1024];

    for (unsigned i = 0; i < 3; i++) {
        values[threadIdx.x] = i;
        __syncthreads();
    }
    MARKED(out[0] = out[0] + values[1023 - threadIdx.x]);
}
PLANT(race_in_large_block, 1, 1024)

/* Many blocks, whose threads reuse contexts; each thread makes an acquire before. */
static __global__ void race_of_many_kernel(unsigned *out)
{
    (void)assay_load_acquire(&out[1]);
    MARKED(if (blockIdx.x == 63) out[0] = out[0] + 1);
}
PLANT(race_of_many, 64, 256)

/* The flag is atomic, but orders nothing without a fence. */
static __global__ void missing_fence_kernel(unsigned *out)
{
    if (blockIdx.x == 0) {
        out[0] = 5;
        assay_store_relaxed(&out[1], 1u);
        return;
    }
    while (assay_load_relaxed(&out[1]) != 1)
        __nanosleep(10);
    MARKED(out[2] = out[0]);
}
ASSAY_LAUNCHER(executor_missing_fence)
{
    assay_launch_co_resident(missing_fence_kernel, 2, 1, 0, stream, output(args));
    return assay_launch_status();
}

/* Halves of the block that met separately have not met each other. */
static __global__ void race_of_parts_kernel(unsigned *out)
{
    __shared__ unsigned values[64];

    values[threadIdx.x] = threadIdx.x;
    (void)assay_host_named_barrier(ASSAY_NAMED_SYNC, threadIdx.x / 32, 32, true, false, __FILE__,
                                   __LINE__);
    MARKED(if (values[63 - threadIdx.x] > 99) out[0] = 1);
}
PLANT(race_of_parts, 1, 64)

/* Each thread waits for its own copy and reads another's. */
static __global__ void race_of_copies_kernel(unsigned *out)
{
    __shared__ unsigned values[32];

    __pipeline_memcpy_async(&values[threadIdx.x], &out[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    MARKED(out[threadIdx.x] = values[31 - threadIdx.x]);
}
PLANT(race_of_copies, 1, 32)

/* The phase that is waited for was over before the other thread wrote. */
static __global__ void race_after_phase_kernel(unsigned *out)
{
    __shared__ unsigned     values[2];
    __shared__ __mbarrier_t barriers[1];

    if (threadIdx.x == 0)
        __mbarrier_init(barriers, 2);
    __syncthreads();
    (void)__mbarrier_arrive(barriers);
    values[threadIdx.x] = threadIdx.x;
    assay_host_mbarrier_wait(barriers, false, __FILE__, __LINE__);
    MARKED(out[threadIdx.x] = values[1 - threadIdx.x]);
}
PLANT(race_after_phase, 1, 2)

/* This is not a mistake by itself: half of the threads leave before the barrier. */
static __global__ void early_exit_kernel(unsigned *out)
{
    if (threadIdx.x >= 16)
        return;
    MARKED(__syncthreads());
    out[threadIdx.x] = 0;
}
PLANT(early_exit, 1, 32)

/* CUB's storage is used again without a barrier. The block has two warps, each with storage of its
 * own if the collective is one of a warp. */
template <typename Use> static __global__ void cub_kernel(unsigned *out)
{
    __shared__ typename Use::type::TempStorage storage[2];
    typename Use::type collective(storage[Use::IS_OF_WARP ? threadIdx.x / 32 : 0]);
    unsigned           items[2] = { threadIdx.x, threadIdx.x + 1 };

    Use::use(collective, items);
    MARKED(Use::use(collective, items));
    if (threadIdx.x < 32)
        out[threadIdx.x] = items[0];
}
#define CUB_PLANT(name, is_of_warp, statement, ...)                                                \
    struct use_##name {                                                                            \
        using type                       = __VA_ARGS__;                                            \
        static constexpr bool IS_OF_WARP = is_of_warp;                                             \
        static void           use(type &collective, unsigned (&items)[2]) { statement; }           \
    };                                                                                             \
    ASSAY_LAUNCHER(executor_cub_##name)                                                            \
    {                                                                                              \
        cub_kernel<use_##name><<<1, 64, 0, stream>>>(output(args));                                \
        return assay_launch_status();                                                              \
    }
CUB_PLANT(block_reduce, false, items[0] = collective.Sum(items[0]), cub::BlockReduce<unsigned, 64>)
CUB_PLANT(warp_reduce, true, items[0] = collective.Sum(items[0]), cub::WarpReduce<unsigned>)
CUB_PLANT(block_scan, false, collective.InclusiveSum(items, items), cub::BlockScan<unsigned, 64>)
CUB_PLANT(warp_scan, true, collective.ExclusiveSum(items[0], items[0]), cub::WarpScan<unsigned>)
CUB_PLANT(exchange, false, collective.BlockedToStriped(items), cub::BlockExchange<unsigned, 64, 2>)
CUB_PLANT(radix_sort, false, collective.Sort(items), cub::BlockRadixSort<unsigned, 64, 2>)
CUB_PLANT(shuffle, false, collective.Rotate(items[0], items[0]), cub::BlockShuffle<unsigned, 64>)
CUB_PLANT(discontinuity, false, collective.FlagHeads(items, items, cub::Inequality()),
          cub::BlockDiscontinuity<unsigned, 64>)
