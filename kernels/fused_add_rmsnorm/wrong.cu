/* fused_add_rmsnorm, wrong on purpose: each launcher has a mistake that the check must find. */
#include "../norms/norms_plain.cuh"

#include "fused_places.cuh"

/* The sum is kept in x for the second pass: the caller's input is overwritten. */
template <typename T> static __global__ void __launch_bounds__(256)
    overwrites_inputs_kernel(norms_args<T> a)
{
    __shared__ float slot[32];
    const int64_t    row = static_cast<int64_t>(blockIdx.x) * a.cols;
    T *const         x   = const_cast<T *>(a.x);

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        x[row + c]          = ops_round<T>(ops_float(x[row + c]) + ops_float(a.residual[row + c]));
        a.residual[row + c] = x[row + c];
    }
    norms_plain_write<T, T, NORMS_RMS>(a, row, 0, norms_plain_r<T, NORMS_RMS>(a, row, 0, slot));
}

/* The normalised sum is not the stored one: the next layer sees another number. */
template <typename T> static __global__ void __launch_bounds__(256)
    sum_unrounded_kernel(norms_args<T> a)
{
    __shared__ float slot[32];
    const int64_t    row    = static_cast<int64_t>(blockIdx.x) * a.cols;
    float            sum[1] = { 0 };

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float x = ops_float(a.x[row + c]) + ops_float(a.residual[row + c]);

        sum[0] += x * x;
    }
    ops_sum_block(sum, slot);

    const float r = rsqrtf(sum[0] / a.cols + a.eps);

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float x = ops_float(a.x[row + c]) + ops_float(a.residual[row + c]);

        static_cast<T *>(a.y)[row + c] = ops_round<T>(x * r * ops_float(a.weight[c]));
        a.residual[row + c]            = ops_round<T>(x);
    }
}

#define FUSED_WRONG(name)                                                                          \
    ASSAY_LAUNCHER(fused_add_rmsnorm_##name)                                                       \
    {                                                                                              \
        const unsigned grid = assay_blocks_for(args->param[NORMS_ROWS], 1);                        \
                                                                                                   \
        OPS_LAUNCH_BY_TYPE(                                                                        \
            args->param[NORMS_TYPE], name##_kernel<T>                                              \
            <<<grid, 256, 0, stream>>>(norms_args_of<T>(args, fused_places(args))));               \
        return assay_launch_status();                                                              \
    }
FUSED_WRONG(overwrites_inputs)
FUSED_WRONG(sum_unrounded)
