/* What the physics loss kernels share: their arguments, neighbours, the residual of a cell and the
 * reduction of the losses. */
#ifndef ASSAY_PHYS_DEVICE_CUH
#define ASSAY_PHYS_DEVICE_CUH

#include "phys_check.h"

/* Where blocks meet to add up the losses within one launch: all zero before and after it. With at
 * most SLOTS blocks each has a slot of its own, and the bits of the losses do not depend on the
 * order of the blocks. */
struct phys_scratch {
    static constexpr unsigned SLOTS = 1024;
    double                    sum[SLOTS][2];
    unsigned                  arrived; /* blocks that have arrived */
};
static_assert(sizeof(phys_scratch) <= PHYS_SCRATCH_BYTES, "the API says how large it is");

/* Everything a kernel needs, passed by value. Component c of a field: 0 sigma, 1 ux, 2 uy, 3 uz.
 * Extents fit in int, with room for one more tile; products with an extent are 64 bits wide. */
struct phys_kernel_args {
    int           nx, ny, nz;
    int           periodic[3];      /* else zero_gradient */
    int           tiles_x, tiles_y; /* of the launch: block b is tile (b % tiles_x, ...) */
    int           planes;           /* planes along z of a block's tile */
    int64_t       cells;
    const float  *now[4];      /* t1 */
    const float  *before[4];   /* t0 */
    const float  *after[4];    /* t2; read with central time only */
    float        *r[2];        /* residuals of sigma and u; NULL: not wanted */
    float        *d[2];        /* gradients at t1; NULL: not wanted */
    float        *d_far[2][2]; /* the same at t0 and t2 */
    double       *loss[2];     /* NULL: not wanted */
    phys_scratch *scratch;     /* NULL: an earlier launch has zeroed the losses */
    float         per_step;    /* 1/dt or 1/2dt */
    float         per_two_h[3];
    float         gradient_factor[2]; /* 2 w / N */
    double        loss_factor[2];     /* w / N */
};

/* V consecutive floats, read and written as one access. */
template <int V> struct alignas(4 * V) phys_vector {
    float at[V];
};

template <int V> __device__ inline phys_vector<V> phys_load(const float *from, int64_t at)
{
    return *reinterpret_cast<const phys_vector<V> *>(from + at);
}

/* For values that are read or written once and not again: they leave the caches first. */
#ifdef __CUDA_ARCH__
template <int V> __device__ inline phys_vector<V> phys_load_once(const float *from, int64_t at)
{
    phys_vector<V> value;

    if constexpr (V == 4) {
        const float4 four = __ldcs(reinterpret_cast<const float4 *>(from + at));

        value = { four.x, four.y, four.z, four.w };
    } else if constexpr (V == 2) {
        const float2 two = __ldcs(reinterpret_cast<const float2 *>(from + at));

        value = { two.x, two.y };
    } else {
        value.at[0] = __ldcs(from + at);
    }
    return value;
}
template <int V> __device__ inline void phys_store(float *to, int64_t at, phys_vector<V> value)
{
    if constexpr (V == 4)
        __stcs(reinterpret_cast<float4 *>(to + at),
               make_float4(value.at[0], value.at[1], value.at[2], value.at[3]));
    else if constexpr (V == 2)
        __stcs(reinterpret_cast<float2 *>(to + at), make_float2(value.at[0], value.at[1]));
    else
        __stcs(to + at, value.at[0]);
}
#else
template <int V> __device__ inline phys_vector<V> phys_load_once(const float *from, int64_t at)
{
    return phys_load<V>(from, at);
}
template <int V> __device__ inline void phys_store(float *to, int64_t at, phys_vector<V> value)
{
    *reinterpret_cast<phys_vector<V> *>(to + at) = value;
}
#endif

/* The neighbour of place i on an axis of n cells. */
__device__ inline int phys_below(int i, int n, int periodic)
{
    return i > 0 ? i - 1 : periodic ? n - 1 : 0;
}
__device__ inline int phys_above(int i, int n, int periodic)
{
    return i < n - 1 ? i + 1 : periodic ? 0 : n - 1;
}

/* The tile of this block. A launch has a grid of one dimension, so that no extent meets the 65535
 * limit. */
struct phys_tile {
    int x, y, z;
};
__device__ inline phys_tile phys_tile_of_block(const phys_kernel_args &a)
{
    const unsigned  row  = blockIdx.x / static_cast<unsigned>(a.tiles_x);
    const unsigned  z    = row / static_cast<unsigned>(a.tiles_y);
    const phys_tile tile = {
        static_cast<int>(blockIdx.x - row * static_cast<unsigned>(a.tiles_x)),
        static_cast<int>(row - z * static_cast<unsigned>(a.tiles_y)),
        static_cast<int>(z),
    };

    return tile;
}

/* What the residual of one cell is made of: values at t1, plain differences in time and space. */
struct phys_cell {
    float now[4], step[4], dx[4], dy[4], dz[4];
};

/* fmaf is written out, so that all fused kernels round alike, whatever the compiler contracts. */
__device__ inline void phys_residual(const phys_kernel_args &a, const phys_cell &cell, float r[4])
{
    const float vx         = cell.now[1] * a.per_two_h[0];
    const float vy         = cell.now[2] * a.per_two_h[1];
    const float vz         = cell.now[3] * a.per_two_h[2];
    float       divergence = cell.dx[1] * a.per_two_h[0];

    divergence = fmaf(cell.dy[2], a.per_two_h[1], divergence);
    divergence = fmaf(cell.dz[3], a.per_two_h[2], divergence);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        r[c] = cell.step[c] * a.per_step;
        r[c] = fmaf(vx, cell.dx[c], r[c]);
        r[c] = fmaf(vy, cell.dy[c], r[c]);
        r[c] = fmaf(vz, cell.dz[c], r[c]);
    }
    r[0] = fmaf(cell.now[0], divergence, r[0]);
}

/* Sums of squares of a thread, in double: exact where the residuals are small integers. */
struct phys_squares {
    double sigma, u;
};
__device__ inline void phys_add_squares(phys_squares *sum, const float r[4])
{
    const double rs = r[0], rx = r[1], ry = r[2], rz = r[3];

    sum->sigma = fma(rs, rs, sum->sigma);
    sum->u     = fma(rx, rx, fma(ry, ry, fma(rz, rz, sum->u)));
}

template <int V>
__device__ inline void phys_add_vector_squares(const phys_vector<V> r[4], phys_squares *sum)
{
#pragma unroll
    for (int v = 0; v < V; v++) {
        const float one[4] = { r[0].at[v], r[1].at[v], r[2].at[v], r[3].at[v] };

        phys_add_squares(sum, one);
    }
}

__device__ inline double phys_warp_sum(double value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(distance));
    return value;
}

/* The sum over a block of whole warps; all threads call it, thread 0 gets it. */
template <int THREADS>
__device__ inline phys_squares phys_block_sum(phys_squares sum, unsigned thread)
{
    constexpr unsigned      WARPS = THREADS / 32;
    __shared__ phys_squares by_warp[WARPS];

    static_assert(THREADS % 32 == 0, "whole warps");
    sum.sigma = phys_warp_sum(sum.sigma);
    sum.u     = phys_warp_sum(sum.u);
    if (thread % 32 == 0)
        by_warp[thread / 32] = sum;
    __syncthreads();
    if (thread >= 32)
        return sum;
    sum       = thread < WARPS ? by_warp[thread] : phys_squares { 0, 0 };
    sum.sigma = phys_warp_sum(sum.sigma);
    sum.u     = phys_warp_sum(sum.u);
    return sum;
}

/* Stores a block's sum in the scratch memory, and returns whether this block is the last one. For
 * one thread of the block. */
__device__ inline bool phys_arrive(phys_scratch *scratch, phys_squares sum)
{
    double *slot = scratch->sum[blockIdx.x % phys_scratch::SLOTS];

    atomicAdd(&slot[0], sum.sigma);
    atomicAdd(&slot[1], sum.u);
    return assay_fetch_add_acq_rel(&scratch->arrived, 1u) + 1 == gridDim.x;
}

/* For the last block: adds up all slots in one order, and zeroes them for the next launch. */
template <int THREADS>
__device__ inline phys_squares phys_collect(phys_scratch *scratch, unsigned thread)
{
    const unsigned used = min(gridDim.x, phys_scratch::SLOTS);
    phys_squares   sum  = { 0, 0 };

    for (unsigned i = thread; i < used; i += THREADS) {
        sum.sigma += __ldcg(&scratch->sum[i][0]);
        sum.u += __ldcg(&scratch->sum[i][1]);
        scratch->sum[i][0] = 0;
        scratch->sum[i][1] = 0;
    }
    if (thread == 0)
        scratch->arrived = 0;
    return phys_block_sum<THREADS>(sum, thread);
}

/* Adds the block's squares to the losses. All threads of the block call it; the block has whole
 * warps. Without scratch memory it is one atomic for each loss, and the losses were zeroed
 * before. */
template <int THREADS>
__device__ inline void phys_add_losses(const phys_kernel_args &a, phys_squares sum, unsigned thread)
{
    __shared__ int is_last[1];

    sum = phys_block_sum<THREADS>(sum, thread);
    if (a.scratch == NULL) {
        if (thread == 0) {
            atomicAdd(a.loss[0], a.loss_factor[0] * sum.sigma);
            atomicAdd(a.loss[1], a.loss_factor[1] * sum.u);
        }
        return;
    }
    if (thread == 0)
        is_last[0] = phys_arrive(a.scratch, sum);
    __syncthreads();
    if (!is_last[0])
        return;
    sum = phys_collect<THREADS>(a.scratch, thread);
    if (thread == 0) {
        *a.loss[0] = a.loss_factor[0] * sum.sigma;
        *a.loss[1] = a.loss_factor[1] * sum.u;
    }
}

/* Writes the wanted residuals of V neighbouring cells. */
template <int V>
__device__ inline void phys_write(const phys_kernel_args &a, int64_t at, const phys_vector<V> r[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const int64_t  place = c == 0 ? at : at + (c - 1) * a.cells;
        phys_vector<V> gradient;

#pragma unroll
        for (int v = 0; v < V; v++)
            gradient.at[v] = a.gradient_factor[c > 0] * r[c].at[v];
        if (a.r[c > 0] != NULL)
            phys_store(a.r[c > 0], place, r[c]);
        if (a.d[c > 0] != NULL)
            phys_store(a.d[c > 0], place, gradient);
    }
}

/* Everything that follows from the differences of one cell. */
__device__ inline void phys_finish_cell(const phys_kernel_args &a, int64_t here,
                                        const phys_cell &cell, phys_squares *sum)
{
    float          r[4];
    phys_vector<1> out[4];

    phys_residual(a, cell, r);
#pragma unroll
    for (int c = 0; c < 4; c++)
        out[c].at[0] = r[c];
    phys_write<1>(a, here, out);
    phys_add_squares(sum, r);
}

#endif
