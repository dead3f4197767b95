/* Norms that are wrong on purpose: one warp takes a row. Here are the faults that all kinds
 * share. */
#ifndef ASSAY_NORMS_WRONG_CUH
#define ASSAY_NORMS_WRONG_CUH

#include "norms_plain.cuh"

enum norms_fault {
    NORMS_EPS_OUTSIDE,   /* added to the root, not to the mean square */
    NORMS_EPS_FORGOTTEN, /* the mean square may be 0 */
    NORMS_EPS_IN_TYPE,   /* a literal of the elements' type */
    NORMS_SUM_IN_TYPE,   /* sums held in the elements' type */
    NORMS_SQUARES_ALONE  /* the variance as mean of squares minus square of the mean */
};

/* A term of a sum as the fault keeps it. */
template <typename T> __device__ inline float norms_kept(float x, norms_fault fault)
{
    return fault == NORMS_SUM_IN_TYPE ? ops_float(ops_round<T>(x)) : x;
}

template <typename T> __device__ inline float norms_wrong_warp(float sum, norms_fault fault)
{
    for (int offset = 16; offset > 0; offset /= 2)
        sum = norms_kept<T>(sum + __shfl_xor_sync(0xffffffffu, sum, offset), fault);
    return sum;
}

template <typename T>
__device__ inline float norms_wrong_mean(const norms_args<T> &a, int64_t row, norms_fault fault)
{
    float sum = 0;

    for (int c = threadIdx.x; c < a.cols; c += 32)
        sum = norms_kept<T>(sum + ops_float(a.x[row + c]), fault);
    return norms_wrong_warp<T>(sum, fault) / a.cols;
}

/* The mean square of x - from. */
template <typename T> __device__ inline float
norms_wrong_square(const norms_args<T> &a, int64_t row, float from, norms_fault fault)
{
    float sum = 0;

    for (int c = threadIdx.x; c < a.cols; c += 32) {
        const float d = ops_float(a.x[row + c]) - from;

        sum = norms_kept<T>(sum + norms_kept<T>(d * d, fault), fault);
    }
    return norms_wrong_warp<T>(sum, fault) / a.cols;
}

template <typename T>
__device__ inline float norms_wrong_r(float square, float eps, norms_fault fault)
{
    if (fault == NORMS_EPS_OUTSIDE)
        return 1 / (sqrtf(square) + eps);
    if (fault == NORMS_EPS_FORGOTTEN)
        return rsqrtf(square);
    return rsqrtf(square + (fault == NORMS_EPS_IN_TYPE ? ops_float(ops_round<T>(eps)) : eps));
}

template <typename T, int KIND> static __global__ void __launch_bounds__(32)
    norms_wrong_forward(norms_args<T> a, norms_fault fault)
{
    const int64_t row    = static_cast<int64_t>(blockIdx.x) * a.cols;
    const float   mean   = KIND == NORMS_LAYER ? norms_wrong_mean(a, row, fault) : 0;
    const bool    lone   = fault == NORMS_SQUARES_ALONE;
    float         square = norms_wrong_square(a, row, lone ? 0 : mean, fault);

    if (lone)
        square -= mean * mean;
    norms_plain_write<T, T, KIND>(a, row, mean, norms_wrong_r<T>(square, a.eps, fault));
}

template <int KIND> static inline int norms_wrong(const assay_args *args, const norms_places &at,
                                                  norms_fault fault, assay_stream stream)
{
    const unsigned grid = assay_blocks_for(args->param[NORMS_ROWS], 1);

    OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], norms_wrong_forward<T, KIND>
                       <<<grid, 32, 0, stream>>>(norms_args_of<T>(args, at), fault));
    return assay_launch_status();
}

#endif
