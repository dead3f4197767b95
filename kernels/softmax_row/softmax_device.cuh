/* What the kernels of softmax_row and softmax_row_grad share: a row in vectors, e^x, launches. */
#ifndef SOFTMAX_DEVICE_CUH
#define SOFTMAX_DEVICE_CUH

#include "softmax_case.h"

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_types.cuh"

/* A row as vectors of 16 bytes and the elements before and behind them, wherever it begins. The
 * array itself begins at a multiple of 16 bytes. */
template <typename T> struct softmax_parts {
    static constexpr int SIZE = ops_pack<T>::SIZE;
    int                  head, packs, edges; /* elements before, vectors, elements not in them */

    __device__ softmax_parts(int64_t first, int width)
    {
        const int missing = static_cast<int>((SIZE - first % SIZE) % SIZE);

        head  = min(missing, width);
        packs = (width - head) / SIZE;
        edges = width - packs * SIZE;
    }
    /* The column of an element that is in no vector. */
    __device__ int column(int edge) const { return edge < head ? edge : edge + packs * SIZE; }
};

template <typename T> __device__ inline void softmax_unpack(const ops_pack<T> &pack, float *v)
{
#pragma unroll
    for (int k = 0; k < ops_pack<T>::SIZE; k++)
        v[k] = ops_float(pack.v[k]);
}

template <typename T> __device__ inline ops_pack<T> softmax_packed(const float *v)
{
    ops_pack<T> pack;

#pragma unroll
    for (int k = 0; k < ops_pack<T>::SIZE; k++)
        pack.v[k] = ops_round<T>(v[k]);
    return pack;
}

/* What is taken off the scores: their maximum, but not -inf, which less itself is NaN. */
__device__ inline float softmax_base(float max) { return max == -INFINITY ? 0 : max; }

/* What powers are multiplied by. A row that is masked whole has the sum 0, and results of 0. */
__device__ inline float softmax_scale(float sum) { return sum > 0 ? 1 / sum : 0; }

__device__ inline float softmax_power(float x) { return __expf(x); }

/* ---- rows that share a warp ---- */

/* Where a lane's elements lie: a vector of neighbours, or every lanes-th column. */
template <typename T> struct softmax_lane {
    static constexpr int SIZE = softmax_parts<T>::SIZE;
    int                  width, lanes, lane;

    __device__ bool is_vector() const { return width % SIZE == 0; }
    __device__ void load(const T *row, float *v) const
    {
        if (is_vector() && lane * SIZE < width)
            softmax_unpack(*reinterpret_cast<const ops_pack<T> *>(row + lane * SIZE), v);
        for (int k = 0; k < SIZE && !is_vector(); k++)
            if (lane + k * lanes < width)
                v[k] = ops_float(row[lane + k * lanes]);
    }
    __device__ void store(T *row, const float *v) const
    {
        if (is_vector() && lane * SIZE < width)
            *reinterpret_cast<ops_pack<T> *>(row + lane * SIZE) = softmax_packed<T>(v);
        for (int k = 0; k < SIZE && !is_vector(); k++)
            if (lane + k * lanes < width)
                row[lane + k * lanes] = ops_round<T>(v[k]);
    }
};

/* Of the lanes of a row; all lanes of the warp call it. */
template <typename OP> __device__ inline float softmax_reduce_lanes(float x, int lanes)
{
    for (int offset = lanes / 2; offset > 0; offset /= 2)
        x = OP()(x, __shfl_xor_sync(0xffffffffu, x, offset));
    return x;
}

/* Lanes for a row of a vector each. */
template <typename T> inline int softmax_lanes(int64_t width)
{
    int lanes = 1;

    while (lanes * softmax_parts<T>::SIZE < width)
        lanes *= 2;
    return lanes;
}

/* ---- launches ---- */

/* Threads for `items`, whole warps: up to `most`, and never more than 1024. */
inline unsigned softmax_block(int64_t items, int64_t most)
{
    const int64_t warps = assay_ceil_div(items < most ? items : most, 32);

    return static_cast<unsigned>(32 * (warps < 1 ? 1 : warps > 32 ? 32 : warps));
}

#endif
