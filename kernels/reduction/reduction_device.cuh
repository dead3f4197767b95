/* What the kernels of reduction share: a thread's elements, and how many blocks there are. */
#ifndef REDUCTION_DEVICE_CUH
#define REDUCTION_DEVICE_CUH

#include "reduction_case.h"

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_types.cuh"

/* Tuning axes: threads of a block, and the most blocks of a launch. */
enum {
    BLOCK,
    BLOCKS
};

template <typename T> struct reduction_input {
    int64_t  n;
    const T *x;
};

template <typename T> inline reduction_input<T> reduction_input_of(const assay_args *args)
{
    return { args->count[REDUCTION_X], static_cast<const T *>(args->buf[REDUCTION_X]) };
}

inline float *reduction_sum_of(const assay_args *args)
{
    return static_cast<float *>(args->buf[REDUCTION_SUM]);
}

inline unsigned reduction_block(const assay_args *args)
{
    return static_cast<unsigned>(args->tune[BLOCK]);
}

/* As many blocks as give each thread a vector, but at most the tuned number. */
template <typename T> inline unsigned reduction_blocks(const assay_args *args)
{
    const int64_t packs = args->count[REDUCTION_X] / ops_pack<T>::SIZE, most = args->tune[BLOCKS];
    const int64_t blocks = assay_ceil_div(packs, args->tune[BLOCK]);

    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

template <typename T> __device__ inline float reduction_of_pack(const ops_pack<T> &pack)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < ops_pack<T>::SIZE; k++)
        sum += ops_float(pack.v[k]);
    return sum;
}

/* The sum of the thread's vectors, with DEPTH loads in flight at a time, and of one of the last n %
 * SIZE elements. */
template <typename T> __device__ inline float reduction_of_thread(const reduction_input<T> &in)
{
    constexpr int SIZE = ops_pack<T>::SIZE, DEPTH = 4;
    const int64_t t    = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x, packs = in.n / SIZE;
    const auto   *pack = reinterpret_cast<const ops_pack<T> *>(in.x);
    float         sum  = t < in.n % SIZE ? ops_float(in.x[packs * SIZE + t]) : 0;
    int64_t       p    = t;
    ops_pack<T>   v[DEPTH];

    for (; p + (DEPTH - 1) * step < packs; p += DEPTH * step) {
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            v[d] = pack[p + d * step];
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            sum += reduction_of_pack(v[d]);
    }
    for (; p < packs; p += step)
        sum += reduction_of_pack(pack[p]);
    return sum;
}

#endif
