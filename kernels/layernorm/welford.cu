/* layernorm by Welford's recurrence: one read of the row gives mean and variance, a second read
 * writes y. Any width. */
#include "../norms/norms_plain.cuh"

#include "layer_places.cuh"

/* Of n numbers: their mean, and the sum of their squared distances from it. */
struct moments {
    float n, mean, squares;
};

__device__ static inline void add_number(moments &m, float x)
{
    const float d = x - m.mean;

    m.n += 1;
    m.mean += d / m.n;
    m.squares += d * (x - m.mean);
}

/* The moments of both sets together; an empty set counts for nothing. */
__device__ static inline moments merged(const moments &a, const moments &b)
{
    const float n = a.n + b.n, share = n > 0 ? b.n / n : 0, d = b.mean - a.mean;

    return { n, a.mean + d * share, a.squares + b.squares + d * d * a.n * share };
}

/* Merged in an order in which both sides of each exchange compute the same. */
__device__ static inline moments merged_warp(moments m)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const moments other = { __shfl_xor_sync(0xffffffffu, m.n, offset),
                                __shfl_xor_sync(0xffffffffu, m.mean, offset),
                                __shfl_xor_sync(0xffffffffu, m.squares, offset) };

        m = (threadIdx.x & static_cast<unsigned>(offset)) ? merged(other, m) : merged(m, other);
    }
    return m;
}

/* Merged over all threads of a block of whole warps. */
__device__ static inline moments merged_block(moments m, moments *slot)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    m = merged_warp(m);
    if (lane == 0)
        slot[warp] = m;
    __syncthreads();
    return merged_warp(lane < blockDim.x / 32 ? slot[lane] : moments { 0, 0, 0 });
}

template <typename T> static __global__ void __launch_bounds__(1024)
    layernorm_welford_kernel(norms_args<T> a)
{
    __shared__ moments slot[32];
    const int64_t      row = static_cast<int64_t>(blockIdx.x) * a.cols;
    moments            m   = { 0, 0, 0 };

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x)
        add_number(m, ops_float(a.x[row + c]));
    m = merged_block(m, slot);
    norms_plain_write<T, T, NORMS_LAYER>(a, row, m.mean, rsqrtf(m.squares / a.cols + a.eps));
}

ASSAY_LAUNCHER(layernorm_welford)
{
    const unsigned grid  = assay_blocks_for(args->param[NORMS_ROWS], 1);
    const unsigned block = norms_plain_block(args);

    if (args->param[NORMS_ROWS] > 0 && args->param[NORMS_COLS] > 0)
        OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], layernorm_welford_kernel<T>
                           <<<grid, block, 0, stream>>>(norms_args_of<T>(args, LAYER_PLACES)));
    return assay_launch_status();
}
