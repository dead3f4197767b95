/* What the kernels of softmax_row and softmax_row_grad share: a row in vectors, e^x, launches. */
#ifndef SOFTMAX_DEVICE_CUH
#define SOFTMAX_DEVICE_CUH

#include "softmax_case.h"

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_types.cuh"

/* A row as vectors of 16 bytes plus the elements before and after them; the row may begin anywhere.
 * The array itself begins at a multiple of 16 bytes. */
template <typename T> struct softmax_parts {
    static constexpr int SIZE = ops_pack<T>::SIZE;
    int head, packs, edges; /* elements before the vectors, vectors, elements in no vector */

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

/* N vectors as they are in memory. All loads come before the first use, which is what waits for
 * memory: a conversion next to its load would make each load wait for the one before. */
template <typename T, int N> struct softmax_raw {
    ops_pack<T> pack[N];

    /* Elements beyond the end of a row get the filler. */
    __device__ void fill(float filler)
    {
#pragma unroll
        for (int k = 0; k < N * ops_pack<T>::SIZE; k++)
            element(k) = ops_round<T>(filler);
    }
    __device__ T   &element(int k) { return pack[k / ops_pack<T>::SIZE].v[k % ops_pack<T>::SIZE]; }
    __device__ void unpack(float *v) const
    {
#pragma unroll
        for (int n = 0; n < N; n++)
            softmax_unpack(pack[n], v + n * ops_pack<T>::SIZE);
    }
};

template <typename T> __device__ inline ops_pack<T> softmax_packed(const float *v)
{
    ops_pack<T> pack;

#pragma unroll
    for (int k = 0; k < ops_pack<T>::SIZE; k++)
        pack.v[k] = ops_round<T>(v[k]);
    return pack;
}

/* What is subtracted from the scores: their maximum, but 0 if that is -inf, since -inf less itself
 * is NaN. */
__device__ inline float softmax_base(float max) { return max == -INFINITY ? 0 : max; }

/* What powers are multiplied by. A row that is masked completely has the sum 0, and results of
 * 0. */
__device__ inline float softmax_scale(float sum) { return sum == 0 ? 0 : 1 / sum; }

__device__ inline float softmax_power(float x) { return __expf(x); }

/* ---- rows that a warp keeps, one or several at once ---- */

/* Where a lane's N vectors of a row lie: neighbours in each vector, or every lanes-th column. */
template <typename T, int N> struct softmax_lane {
    static constexpr int SIZE = softmax_parts<T>::SIZE;
    int                  width, lanes, lane;

    __device__ bool is_vector() const { return width % SIZE == 0; }
    __device__ void load(const T *row, softmax_raw<T, N> &raw) const
    {
#pragma unroll
        for (int n = 0; n < N; n++)
            if (is_vector() && at(n) < width)
                raw.pack[n] = *reinterpret_cast<const ops_pack<T> *>(row + at(n));
#pragma unroll
        for (int k = 0; k < N * SIZE; k++)
            if (!is_vector() && lane + k * lanes < width)
                raw.element(k) = row[lane + k * lanes];
    }
    __device__ void store(T *row, const float *v) const
    {
#pragma unroll
        for (int n = 0; n < N; n++)
            if (is_vector() && at(n) < width)
                *reinterpret_cast<ops_pack<T> *>(row + at(n)) = softmax_packed<T>(v + n * SIZE);
#pragma unroll
        for (int k = 0; k < N * SIZE; k++)
            if (!is_vector() && lane + k * lanes < width)
                row[lane + k * lanes] = ops_round<T>(v[k]);
    }
    __device__ int at(int n) const { return (lane + n * lanes) * SIZE; }
};

/* Reduces N rows at once, each over its lanes, so that their shuffles overlap. All lanes of the
 * warp call it. */
template <typename OP, int N> __device__ inline void softmax_reduce_lanes(float (&x)[N], int lanes)
{
    for (int offset = lanes / 2; offset > 0; offset /= 2)
#pragma unroll
        for (int n = 0; n < N; n++)
            x[n] = OP()(x[n], __shfl_xor_sync(0xffffffffu, x[n], offset));
}

template <int N> __device__ inline float softmax_largest(const float *v)
{
    float max = -INFINITY;

#pragma unroll
    for (int k = 0; k < N; k++)
        max = ops_max()(max, v[k]);
    return max;
}

/* Lanes for a row, with N vectors each: a power of 2, and at most a warp. */
template <typename T, int N> inline int softmax_lanes(int64_t width)
{
    int lanes = 1;

    while (lanes < 32 && lanes * N * softmax_parts<T>::SIZE < width)
        lanes *= 2;
    return lanes;
}

/* ---- launches ---- */

/* Threads for `items`, in whole warps: up to `most`, and never more than 1024. */
inline unsigned softmax_block(int64_t items, int64_t most)
{
    const int64_t warps = assay_ceil_div(items < most ? items : most, 32);

    return static_cast<unsigned>(32 * (warps < 1 ? 1 : warps > 32 ? 32 : warps));
}

#endif
