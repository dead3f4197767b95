/* Sums and maxima over the threads of a warp and of a block, in single precision. All threads get
 * the same result. */
#ifndef ASSAY_OPS_REDUCE_CUH
#define ASSAY_OPS_REDUCE_CUH

#include "kernel.h"

struct ops_add {
    static constexpr float NEUTRAL = 0;
    __device__ float       operator()(float a, float b) const { return a + b; }
};

/* A NaN gets lost in the maximum; it stays in a sum of powers less this maximum. */
struct ops_max {
    static constexpr float NEUTRAL = -INFINITY;
    __device__ float       operator()(float a, float b) const { return fmaxf(a, b); }
};

/* Over each group of LANES neighbouring threads of a warp; all 32 threads call it. */
template <typename OP, int LANES = 32> __device__ inline float ops_reduce_warp(float x)
{
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        x = OP()(x, __shfl_xor_sync(0xffffffffu, x, offset));
    return x;
}

/* Over a block of whole warps; each thread calls it. `slot` is 32 floats of shared memory, which
 * the next call may use at once. */
template <typename OP> __device__ inline float ops_reduce_block(float x, float *slot)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;

    x = ops_reduce_warp<OP>(x);
    __syncthreads(); /* all threads have read what the previous call left */
    if (lane == 0)
        slot[warp] = x;
    __syncthreads();
    return ops_reduce_warp<OP>(lane < n_warps ? slot[lane] : OP::NEUTRAL);
}

/* N sums at once over all threads of a block of whole warps; each thread gets them. `slot` is 32 N
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
    __syncthreads(); /* all threads have read what the previous call left */
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
