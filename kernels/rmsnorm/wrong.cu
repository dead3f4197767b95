/* rmsnorm, wrong on purpose: each launcher has a mistake that the check must find. */
#include "../norms/norms_wrong.cuh"

#include "rms_places.cuh"

#define RMS_WRONG(name, fault)                                                                     \
    ASSAY_LAUNCHER(rmsnorm_##name)                                                                 \
    {                                                                                              \
        return norms_wrong<NORMS_RMS>(args, RMS_PLACES, (fault), stream);                          \
    }
RMS_WRONG(eps_outside, NORMS_EPS_OUTSIDE)
RMS_WRONG(eps_forgotten, NORMS_EPS_FORGOTTEN)
RMS_WRONG(eps_in_half, NORMS_EPS_IN_TYPE)
RMS_WRONG(sum_in_type, NORMS_SUM_IN_TYPE)

/* Values beyond the largest E4M3, 448, become its NaN. */
template <typename T> static __global__ void __launch_bounds__(256)
    fp8_overflow_kernel(norms_args<T> a)
{
    __shared__ float          slot[32];
    const int64_t             row = static_cast<int64_t>(blockIdx.x) * a.cols;
    const float               r   = norms_plain_r<T, NORMS_RMS>(a, row, 0, slot);
    __nv_fp8_storage_t *const y   = static_cast<__nv_fp8_storage_t *>(a.y) + row;

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x)
        y[c] = __nv_cvt_float_to_fp8(ops_float(a.x[row + c]) * r * ops_float(a.weight[c]) *
                                         a.per_scale,
                                     __NV_NOSAT, __NV_E4M3);
}

ASSAY_LAUNCHER(rmsnorm_fp8_overflow)
{
    const unsigned grid = assay_blocks_for(args->param[NORMS_ROWS], 1);

    OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], fp8_overflow_kernel<T>
                       <<<grid, 256, 0, stream>>>(norms_args_of<T>(args, RMS_PLACES)));
    return assay_launch_status();
}

/* A thread sums a column in the type of the elements, as a loop over an array of gradients does. */
template <typename T> static __global__ void __launch_bounds__(256)
    weight_in_type_kernel(norms_args<T> a, const norms_of_row *of_row, T *d_weight)
{
    const int c   = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
    T         sum = ops_round<T>(0);

    if (c >= a.cols)
        return;
    for (int64_t row = 0; row < a.rows; row++) {
        const float z = ops_float(a.x[row * a.cols + c]) * of_row[row].r;

        sum = ops_round<T>(ops_float(sum) + ops_float(a.dy[row * a.cols + c]) * z);
    }
    d_weight[c] = sum;
}

ASSAY_WORKSPACE(rmsnorm_weight_in_type_workspace)
{
    return static_cast<size_t>(args->param[NORMS_ROWS]) * sizeof(norms_of_row);
}

ASSAY_LAUNCHER(rmsnorm_weight_in_type)
{
    norms_of_row *const of_row = static_cast<norms_of_row *>(args->workspace);
    const unsigned      grid   = assay_blocks_for(args->param[NORMS_ROWS], 1);
    const unsigned      across = assay_blocks_for(args->param[NORMS_COLS], 256);

    OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], {
        const norms_args<T> a = norms_args_of<T>(args, RMS_PLACES);

        norms_plain_dx<T, NORMS_RMS><<<grid, 256, 0, stream>>>(a, of_row);
        weight_in_type_kernel<T>
            <<<across, 256, 0, stream>>>(a, of_row, norms_buffer<T>(args, RMS_D_WEIGHT));
    });
    return assay_launch_status();
}
