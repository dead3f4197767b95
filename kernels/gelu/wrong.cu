/* Wrong on purpose, forward: constants or arithmetic in too narrow a type, or another function. One
 * element a thread. */
#include "activation.cuh"

static const unsigned BLOCK = 256;

/* The tanh form with its constants held in the type L. */
template <typename L> struct narrow_literals {
    __device__ float value(float x) const
    {
        const float cube  = ops_float(static_cast<L>(0.044715f));
        const float scale = ops_float(static_cast<L>(0.7978845608f));

        return 0.5f * x * (1.0f + tanhf(scale * (x + cube * x * x * x)));
    }
};

/* The quick approximation where the exact function is asked for. */
struct sigmoid_form {
    __device__ float value(float x) const { return x * logistic2(1.702f * ACT_LOG2_E * x); }
};

/* Every step in the type of the elements. In fp16 exp(-x) is infinite below -11.1. */
template <typename T> struct narrow_steps {
    __device__ float value(float x) const
    {
        const T from = ops_round<T>(x), grown = ops_round<T>(expf(-x));

        return ops_float(from / (ops_round<T>(1.0f) + grown));
    }
};

#define LAUNCHER(name, F)                                                                          \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        OPS_LAUNCH_BY_TYPE(args->param[ACT_TYPE],                                                  \
                           return (act_launch_scalar<F, T, ACT_Y>(F(), args, BLOCK, stream)));     \
    }

LAUNCHER(gelu_literals_bf16, narrow_literals<__nv_bfloat16>)
LAUNCHER(gelu_literals_f16, narrow_literals<__half>)
LAUNCHER(gelu_sigmoid_form, sigmoid_form)

ASSAY_LAUNCHER(silu_narrow)
{
    if (args->param[ACT_TYPE] == ASSAY_F16)
        return act_launch_scalar<narrow_steps<__half>, __half, ACT_Y>({}, args, BLOCK, stream);
    return act_launch_scalar<narrow_steps<__nv_bfloat16>, __nv_bfloat16, ACT_Y>({}, args, BLOCK,
                                                                                stream);
}

/* Converts to E4M3 without saturation: beyond its largest value there is only NaN. */
template <typename T>
static __global__ void f8_overflows_kernel(gelu_erf f, act_call<T, ACT_Y_F8> c)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < c.n)
        c.out[i].__x =
            __nv_cvt_float_to_fp8(c.scale * f.value(ops_float(c.x[i])), __NV_NOSAT, __NV_E4M3);
}

ASSAY_LAUNCHER(gelu_f8_overflows)
{
    const int64_t n = args->count[ACT_OUT];

    if (n == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(
        args->param[ACT_TYPE], f8_overflows_kernel<T>
        <<<assay_blocks_for(n, BLOCK), BLOCK, 0, stream>>>({}, act_call_of<T, ACT_Y_F8>(args)));
    return assay_launch_status();
}
