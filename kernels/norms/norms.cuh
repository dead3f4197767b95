/* What the kernels of the norms share: their arguments, and the sums over rows. KIND says which
 * norm: NORMS_LAYER subtracts a mean, NORMS_FUSED adds a residual first. */
#ifndef ASSAY_NORMS_CUH
#define ASSAY_NORMS_CUH

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_types.cuh"

#include "norms_case.h"

enum norms_kind {
    NORMS_RMS,
    NORMS_LAYER,
    NORMS_FUSED
};

/* Arrays that a kind does not have are NULL: only NORMS_LAYER has a bias, only NORMS_FUSED has
 * residual and d_out. In the backward pass x is what was normalised. */
template <typename T> struct norms_args {
    const T *x, *weight, *bias, *dy, *d_out;
    T       *residual, *dx;
    void    *y;
    int64_t  rows;
    int      cols;
    float    eps, per_scale, per_cols;
    bool     is_aligned; /* each row begins at a multiple of 16 bytes, and its length is one */
};

/* Places of the arrays among a case's buffers; NORMS_NONE where the case has no such array. */
struct norms_places {
    int x, residual, weight, bias, dy, d_out, y, dx, d_weight, d_bias;
};

enum {
    NORMS_NONE = -1
};

template <typename T> static inline T *norms_buffer(const assay_args *args, int place)
{
    return place == NORMS_NONE ? nullptr : static_cast<T *>(args->buf[place]);
}

template <typename T>
static inline norms_args<T> norms_args_of(const assay_args *args, const norms_places &at)
{
    const int64_t cols = args->param[NORMS_COLS];

    return { norms_buffer<const T>(args, at.x),
             norms_buffer<const T>(args, at.weight),
             norms_buffer<const T>(args, at.bias),
             norms_buffer<const T>(args, at.dy),
             norms_buffer<const T>(args, at.d_out),
             norms_buffer<T>(args, at.residual),
             norms_buffer<T>(args, at.dx),
             norms_buffer<void>(args, at.y),
             args->param[NORMS_ROWS],
             static_cast<int>(cols),
             static_cast<float>(args->scalar[NORMS_EPS]),
             static_cast<float>(1 / args->scalar[NORMS_SCALE]),
             cols > 0 ? 1 / static_cast<float>(cols) : 0,
             cols * static_cast<int64_t>(sizeof(T)) % 16 == 0 };
}

/* Memory between the kernels of the backward pass. */
struct norms_partial {
    float  *weight, *bias; /* [n][cols]; only NORMS_LAYER has bias */
    int64_t n;
};

/* Bytes of `n` partial sums. */
static inline size_t norms_partial_bytes(int kind, int64_t n, int64_t cols)
{
    return static_cast<size_t>((kind == NORMS_LAYER ? 2 : 1) * n * cols) * sizeof(float);
}

static inline norms_partial norms_partial_at(void *memory, int kind, int64_t n, int64_t cols)
{
    float *const at = static_cast<float *>(memory);

    return { at, kind == NORMS_LAYER ? at + n * cols : nullptr, n };
}

/* The last stage of the sums over rows, always in the same order. A block takes as many columns as
 * it is wide, with a power of two of threads for each. The total of no partial sums is 0. */
template <typename T> static __global__ void __launch_bounds__(1024)
    norms_sum_columns(const float *partial, T *total, int64_t n, int cols)
{
    __shared__ float share[1024];
    const unsigned   wide = blockDim.x, own = threadIdx.y * wide + threadIdx.x;
    const int        col = static_cast<int>(blockIdx.x * wide + threadIdx.x);
    float            sum = 0;

#pragma unroll 8
    for (int64_t k = threadIdx.y; k < n; k += blockDim.y)
        sum += col < cols ? partial[k * cols + col] : 0;
    share[own] = sum;
    for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half)
            share[own] += share[own + half * wide];
    }
    if (threadIdx.y == 0 && col < cols)
        total[col] = ops_round<T>(share[own]);
}

/* Each thread adds at least four partial sums. Many partial sums are spread over more blocks of
 * fewer columns each: 8 floats are the least that memory gives. */
template <typename T> static inline void norms_total(const norms_partial &partial, T *d_weight,
                                                     T *d_bias, int cols, assay_stream stream)
{
    const unsigned wide = partial.n > 32 ? 8 : 32;
    const unsigned grid = assay_blocks_for(cols, wide);
    dim3           block(wide, 1);

    while (4 * block.y < partial.n && block.y * wide < 1024)
        block.y *= 2;
    norms_sum_columns<T><<<grid, block, 0, stream>>>(partial.weight, d_weight, partial.n, cols);
    if (d_bias)
        norms_sum_columns<T><<<grid, block, 0, stream>>>(partial.bias, d_bias, partial.n, cols);
}

#endif
