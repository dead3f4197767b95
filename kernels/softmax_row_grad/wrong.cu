/* The gradient of a softmax of rows, wrong on purpose: each variant in one way. */
#include "grad_device.cuh"

enum {
    BLOCK = 128
};

enum fault {
    MASKED_NAN,
    ROUNDED_Y
};

template <typename T> static __global__ void softmax_grad_wrong_kernel(fault wrong, grad_rows<T> a)
{
    __shared__ float slot[32];
    const int64_t    begin = static_cast<int64_t>(blockIdx.x) * a.width, end = begin + a.width;
    const int64_t    first = begin + threadIdx.x;
    float            max = -INFINITY, sum = 0, dot = 0;

    for (int64_t i = first; i < end; i += BLOCK)
        max = ops_max()(max, ops_float(a.x[i]));
    max = ops_reduce_block<ops_max>(max, slot);

    const float base = wrong == MASKED_NAN ? max : softmax_base(max);

    for (int64_t i = first; i < end; i += BLOCK)
        sum += softmax_power(ops_float(a.x[i]) - base);

    const float scale = softmax_scale(ops_reduce_block<ops_add>(sum, slot));
    const auto  y     = [=](int64_t i) {
        const float result = softmax_power(ops_float(a.x[i]) - base) * scale;

        return wrong == ROUNDED_Y ? ops_float(ops_round<T>(result)) : result;
    };

    for (int64_t i = first; i < end; i += BLOCK)
        dot = fmaf(y(i), ops_float(a.dy[i]), dot);
    dot = ops_reduce_block<ops_add>(dot, slot);
    for (int64_t i = first; i < end; i += BLOCK)
        a.dx[i] = ops_round<T>(y(i) * (ops_float(a.dy[i]) - dot));
}

template <typename T>
static int launch_wrong(fault wrong, const assay_args *args, assay_stream stream)
{
    const grad_rows<T> a = rows_of<T>(args);

    if (a.rows == 0)
        return 0;
    softmax_grad_wrong_kernel<T><<<static_cast<unsigned>(a.rows), BLOCK, 0, stream>>>(wrong, a);
    return assay_launch_status();
}

#define WRONG(name, fault)                                                                         \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE],                                              \
                           return launch_wrong<T>(fault, args, stream));                           \
    }

WRONG(softmax_row_grad_masked_nan, MASKED_NAN)
WRONG(softmax_row_grad_rounded_y, ROUNDED_Y)
