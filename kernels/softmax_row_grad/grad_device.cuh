/* What the kernels of softmax_row_grad share: the arrays, and an element of the result. */
#ifndef GRAD_DEVICE_CUH
#define GRAD_DEVICE_CUH

#include "softmax_grad_case.h"

#include "../softmax_row/softmax_device.cuh"

template <typename T> struct grad_rows {
    int64_t  rows;
    int      width;
    const T *x, *dy;
    T       *dx;
};

template <typename T> inline grad_rows<T> rows_of(const assay_args *args)
{
    return { args->param[SOFTMAX_ROWS], static_cast<int>(args->param[SOFTMAX_WIDTH]),
             static_cast<const T *>(args->buf[GRAD_X]), static_cast<const T *>(args->buf[GRAD_DY]),
             static_cast<T *>(args->buf[GRAD_DX]) };
}

/* What all threads of a row need to know about it. */
struct grad_sums {
    float base, scale, dot; /* dot: the sum of y dy, times scale */

    __device__ float of(float power, float dy) const { return power * fmaf(dy, scale, -dot); }
};
/* From the sum of powers and the sum of powers times dy. */
__device__ inline grad_sums grad_sums_of(float base, float sum, float dot)
{
    const float scale = softmax_scale(sum);

    return { base, scale, dot * scale * scale };
}

#endif
