/* Wrong on purpose, each variant in one way: threads of a block that do not cooperate correctly. A
 * block sums a segment: each thread sums its share, then half of the threads add the shares of the
 * other half, and so on. */
#include "kernel.h"

#include <cub/block/block_reduce.cuh>

namespace
{
/* Not more: newer ThreadSanitizers distinguish about 250 threads, and miss races among more. */
const unsigned BLOCK = 128;
const unsigned WARP  = 32;
/* In cycles; on the host in ns: long compared with the differences between the warps of a block. */
const long long DELAY = 200000;

struct segments {
    int64_t      n, length;
    const float *x;
    float       *sum;
};

segments segments_of(const assay_args *args)
{
    return segments { args->count[1], args->param[0], static_cast<const float *>(args->buf[0]),
                      static_cast<float *>(args->buf[1]) };
}

__device__ float share_of_thread(const segments &s)
{
    const float *x     = s.x + blockIdx.x * s.length;
    float        share = 0.0f;

    for (int64_t k = threadIdx.x; k < s.length; k += BLOCK)
        share += x[k];
    return share;
}

/* Adds up partial[0] to partial[n - 1]; all threads have written and passed a barrier. */
__device__ void add_up(float *partial, unsigned n)
{
    for (unsigned half = n / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
}

/* Makes a warp late for certain: what others read from it too early is not there yet. */
__device__ void be_late(void)
{
    const long long start = clock64();

    while (clock64() - start < DELAY)
        __nanosleep(1000);
}
} // namespace

/* The launcher `name` of the kernel `name_kernel`, with a block for every segment. */
#define LAUNCHER(name)                                                                             \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        const segments s = segments_of(args);                                                      \
                                                                                                   \
        name##_kernel<<<static_cast<unsigned>(s.n), BLOCK, 0, stream>>>(s);                        \
        return assay_launch_status();                                                              \
    }

static __global__ void selftest_sum_right_kernel(segments s)
{
    __shared__ float partial[BLOCK];

    partial[threadIdx.x] = share_of_thread(s);
    __syncthreads();
    add_up(partial, BLOCK);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_right)

/* ---- barriers */

/* No barrier after the first halving: threads 0 to 31 add what 32 to 63 have not computed yet. */
static __global__ void selftest_sum_missing_barrier_kernel(segments s)
{
    __shared__ float partial[BLOCK];

    partial[threadIdx.x] = share_of_thread(s);
    __syncthreads();
    if (threadIdx.x >= BLOCK / 4)
        be_late();
    if (threadIdx.x < BLOCK / 2)
        partial[threadIdx.x] += partial[threadIdx.x + BLOCK / 2];
    add_up(partial, BLOCK / 2);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_missing_barrier)

/* CUB sums the first half of the shares and then the second through the same memory, without a
 * barrier in between: thread 0 may not yet have read what the others overwrite. */
static __global__ void selftest_sum_reused_storage_kernel(segments s)
{
    using reduce = cub::BlockReduce<float, BLOCK>;
    __shared__ typename reduce::TempStorage storage[1];
    const float                             share = share_of_thread(s);

    const float first  = reduce(storage[0]).Sum(threadIdx.x < BLOCK / 2 ? share : 0.0f);
    const float second = reduce(storage[0]).Sum(threadIdx.x < BLOCK / 2 ? 0.0f : share);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = first + second;
}
LAUNCHER(selftest_sum_reused_storage)

/* Each warp's share goes through shared memory, and every warp adds them all up. */
static __device__ float sum_of_block(float value, float *of_warp)
{
    float all = 0.0f;

    for (unsigned lanes = WARP / 2; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, lanes);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads();
    for (unsigned w = 0; w < BLOCK / WARP; w++)
        all += of_warp[w];
    return all;
}

/* The same twice, through the same memory: a warp that has gone on overwrites what another still
 * reads. */
static __global__ void selftest_sum_reused_sums_kernel(segments s)
{
    __shared__ float of_warp[BLOCK / WARP];
    const float      share = share_of_thread(s);

    const float first  = sum_of_block(threadIdx.x % 2 == 0 ? share : 0.0f, of_warp);
    const float second = sum_of_block(threadIdx.x % 2 == 0 ? 0.0f : share, of_warp);
    /* In some launches the last warp is the late one. */
    if (threadIdx.x == BLOCK - 1)
        s.sum[blockIdx.x] = first + second;
}
LAUNCHER(selftest_sum_reused_sums)

/* The same in a block in which one thread has slept until another arrived. */
static __global__ void selftest_sum_reused_sums_slept_kernel(segments s)
{
    __shared__ float    of_warp[BLOCK / WARP];
    __shared__ unsigned is_begun;
    const float         share = share_of_thread(s);

    if (threadIdx.x == 0)
        is_begun = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&is_begun, 1u);
    if (threadIdx.x == BLOCK / 2)
        do
            __nanosleep(20);
        while (atomicAdd(&is_begun, 0u) == 0);
    __syncthreads();
    const float first  = sum_of_block(threadIdx.x % 2 == 0 ? share : 0.0f, of_warp);
    const float second = sum_of_block(threadIdx.x % 2 == 0 ? 0.0f : share, of_warp);
    if (threadIdx.x == BLOCK - 1)
        s.sum[blockIdx.x] = first + second;
}
LAUNCHER(selftest_sum_reused_sums_slept)

/* One half of the block waits after it has written, the other half before. */
static __global__ void selftest_sum_divergent_barrier_kernel(segments s)
{
    __shared__ float partial[BLOCK];

    partial[threadIdx.x] = 0.0f;
    __syncthreads();
    if (threadIdx.x < BLOCK / 2) {
        partial[threadIdx.x] = share_of_thread(s);
        __syncthreads();
    } else {
        __syncthreads();
        be_late();
        partial[threadIdx.x] = share_of_thread(s);
    }
    add_up(partial, BLOCK);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_divergent_barrier)

/* The last 32 elements are added without any barrier, as if the lanes of a warp ran in lockstep. */
static __global__ void selftest_sum_assumed_lockstep_kernel(segments s)
{
    __shared__ float partial[BLOCK];

    partial[threadIdx.x] = share_of_thread(s);
    __syncthreads();
    for (unsigned half = BLOCK / 2; half >= WARP; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    for (unsigned half = WARP / 2; half > 0; half /= 2)
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_assumed_lockstep)

/* ---- memory */

/* Adds to shared memory that was never set to zero. */
static __global__ void selftest_sum_uninitialised_shared_kernel(segments s)
{
    __shared__ float partial[BLOCK];

    partial[threadIdx.x] += share_of_thread(s);
    __syncthreads();
    add_up(partial, BLOCK);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_uninitialised_shared)

/* Clears one element more than the array has. */
static __global__ void selftest_sum_shared_past_end_kernel(segments s)
{
    const unsigned   n = BLOCK + 4;
    __shared__ float partial[n];

    partial[threadIdx.x] = share_of_thread(s);
    if (threadIdx.x == 0)
        for (unsigned i = BLOCK; i <= n; i++)
            partial[i] = 0.0f;
    __syncthreads();
    add_up(partial, BLOCK);
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = partial[0];
}
LAUNCHER(selftest_sum_shared_past_end)

/* Every thread of the block loads, adds and stores: updates are lost. */
static __global__ void selftest_sum_plain_add_kernel(segments s)
{
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = 0.0f;
    __syncthreads();
    s.sum[blockIdx.x] += share_of_thread(s);
}
LAUNCHER(selftest_sum_plain_add)

/* Right, but rounded in the order in which the threads come. The delay differs in each run, and the
 * variant claims to be deterministic. */
static __global__ void selftest_sum_order_of_atomics_kernel(segments s)
{
    if (threadIdx.x == 0)
        s.sum[blockIdx.x] = 0.0f;
    __syncthreads();
    __nanosleep(static_cast<unsigned>(assay_global_time_ns() / WARP * (threadIdx.x + 1)) % 4096);
    atomicAdd(&s.sum[blockIdx.x], share_of_thread(s));
}
LAUNCHER(selftest_sum_order_of_atomics)

/* ---- blocks */

/* Two blocks share a segment. Each reads the sum and writes it back, both atomically; what the
 * other adds in between is lost. */
static __global__ void selftest_sum_lost_update_kernel(segments s)
{
    for (unsigned half = 0; half < 2; half++) {
        const unsigned segment = (blockIdx.x + half) % gridDim.x;
        float          share   = 0.0f;

        for (long long k = 2 * threadIdx.x + half; k < s.length; k += 2 * WARP)
            share += s.x[segment * s.length + k];
        for (unsigned lanes = WARP / 2; lanes > 0; lanes /= 2)
            share += __shfl_xor_sync(0xffffffffu, share, lanes);
        if (threadIdx.x == 0)
            atomicExch(&s.sum[segment], atomicAdd(&s.sum[segment], 0.0f) + share);
    }
}
ASSAY_LAUNCHER(selftest_sum_lost_update)
{
    const segments s = segments_of(args);
    const int error  = assay_memset_zero(s.sum, sizeof(float) * static_cast<size_t>(s.n), stream);

    if (error != 0)
        return error;
    selftest_sum_lost_update_kernel<<<static_cast<unsigned>(s.n), WARP, 0, stream>>>(s);
    return assay_launch_status();
}
