/* Sums and maxima of the threads of a warp and of a block, in single precision, the same for all.
 */
#ifndef ASSAY_OPS_REDUCE_CUH
#define ASSAY_OPS_REDUCE_CUH

#include "kernel.h"

struct ops_add {
    static constexpr float NEUTRAL = 0;
    __device__ float       operator()(float a, float b) const { return a + b; }
};

/* A NaN gets lost in it; in a sum of powers less this maximum it stays. */
struct ops_max {
    static constexpr float NEUTRAL = -INFINITY;
    __device__ float       operator()(float a, float b) const { return fmaxf(a, b); }
};

/* Of all 32 threads of a warp; each of them calls it. */
template <typename OP> __device__ inline float ops_reduce_warp(float x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x = OP()(x, __shfl_xor_sync(0xffffffffu, x, offset));
    return x;
}

/* Of a block of whole warps; each thread calls it. `slot` are 32 floats of shared memory, which the
 * next call may use at once. */
template <typename OP> __device__ inline float ops_reduce_block(float x, float *slot)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    x = ops_reduce_warp<OP>(x);
    __syncthreads(); /* of the call before, all have read */
    if (lane == 0)
        slot[warp] = x;
    __syncthreads();
    return ops_reduce_warp<OP>(lane < n_warps ? slot[lane] : OP::NEUTRAL);
}

/* Of all threads of a block of whole warps, N sums at once, the same for all. `slot` are 32 N
 * floats of shared memory, which the next call may use at once. */
template <int N> __device__ inline void ops_sum_block(float (&sum)[N], float *slot)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
#pragma unroll
        for (int i = 0; i < N; i++)
            sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], offset);
    if (n_warps == 1)
        return;
    __syncthreads(); /* of the call before, all have read */
#pragma unroll
    for (int i = 0; i < N; i++)
        if (lane == 0)
            slot[32 * i + warp] = sum[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
        sum[i] = lane < n_warps ? slot[32 * i + lane] : 0;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
#pragma unroll
        for (int i = 0; i < N; i++)
            sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], offset);
}

#endif
