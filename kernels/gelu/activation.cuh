/* Activations and their derivatives in single precision, and the elements of a call. */
#ifndef GELU_ACTIVATION_CUH
#define GELU_ACTIVATION_CUH

#include "../ops/ops_types.cuh"
#include "gelu_case.h"

/* 2^x and 1/x within 2 ulp, one instruction each. __expf and __fdividef take six more for subnormal
 * numbers, which are 0 here. With 2 bytes an element there is time for few instructions. */
__device__ inline float short_exp2(float x)
{
    float power;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}
__device__ inline float short_reciprocal(float x)
{
    float reciprocal;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(x));
    return reciprocal;
}

static constexpr float ACT_LOG2_E = 1.4426950408889634f;

/* 1 / (1 + 2^-x): the logistic function of x / log2(e). Where 2^-x is infinite it is 0. */
__device__ inline float logistic2(float x) { return short_reciprocal(1.0f + short_exp2(-x)); }

/* sqrt(2 pi) times the density of the normal distribution. */
__device__ inline float bell(float x) { return short_exp2(-0.5f * ACT_LOG2_E * x * x); }

struct gelu_erf {
    static __device__ float cumulative(float x)
    {
        return 0.5f * (1.0f + erff(0.70710678118654752f * x));
    }
    __device__ float value(float x) const { return x * cumulative(x); }
    __device__ float slope(float x) const
    {
        return fmaf(x, 0.39894228040143268f * bell(x), cumulative(x));
    }
};

/* For 16-bit results: erf by formula 7.1.26 of Abramowitz and Stegun, from one exponential, which
 * the density uses too. Its error, 1.5e-7, is far below the rounding of such a result, and it takes
 * two thirds of erff's instructions. */
struct gelu_erf_short {
    struct parts {
        float exponential, cumulative;
    };

    static __device__ parts parts_of(float x)
    {
        const float exponential = bell(x);
        const float t           = short_reciprocal(fmaf(0.23164189f, fabsf(x), 1.0f));
        float       sum         = fmaf(1.061405429f, t, -1.453152027f);

        sum = fmaf(sum, t, 1.421413741f);
        sum = fmaf(sum, t, -0.284496736f);
        sum = fmaf(sum, t, 0.254829592f) * t * 0.5f * exponential;
        return { exponential, x < 0 ? sum : 1.0f - sum };
    }
    __device__ float value(float x) const { return x * parts_of(x).cumulative; }
    __device__ float slope(float x) const
    {
        const parts at = parts_of(x);

        return fmaf(x, 0.39894228040143268f * at.exponential, at.cumulative);
    }
};

/* (1 + tanh(u)) / 2 is the logistic function of 2 u, which loses no accuracy where tanh is near
 * -1. */
struct gelu_tanh {
    static constexpr float ONE  = 1.5957691216057308f;   /* 2 sqrt(2 / pi) */
    static constexpr float CUBE = 0.071354816272600245f; /* 0.044715 times that */

    static __device__ float cumulative(float x)
    {
        return logistic2(x * fmaf(ACT_LOG2_E * CUBE, x * x, ACT_LOG2_E * ONE));
    }
    __device__ float value(float x) const { return x * cumulative(x); }
    __device__ float slope(float x) const
    {
        const float s = cumulative(x);

        return fmaf(x * s * (1.0f - s), fmaf(3 * CUBE, x * x, ONE), s);
    }
};

struct silu {
    __device__ float value(float x) const { return x * logistic2(ACT_LOG2_E * x); }
    __device__ float slope(float x) const
    {
        const float s = logistic2(ACT_LOG2_E * x);

        return s * fmaf(x, 1.0f - s, 1.0f);
    }
};

/* ---- the elements of a call ---- */

template <typename T, int OUTPUT> struct act_result {
    using type = T;
};
template <typename T> struct act_result<T, ACT_Y_F8> {
    using type = __nv_fp8_e4m3;
};

template <typename T, int OUTPUT> struct act_call {
    using result = typename act_result<T, OUTPUT>::type;
    int64_t  n;
    float    scale;
    const T *x, *d_y;
    result  *out;
};

template <typename T, int OUTPUT> act_call<T, OUTPUT> act_call_of(const assay_args *args)
{
    using result = typename act_result<T, OUTPUT>::type;
    return { args->count[ACT_OUT], static_cast<float>(args->scalar[ACT_SCALE]),
             static_cast<const T *>(args->buf[ACT_X]), static_cast<const T *>(args->buf[ACT_D_Y]),
             static_cast<result *>(args->buf[ACT_OUT]) };
}

/* What is stored for x. The conversion to E4M3 saturates. */
template <int OUTPUT, typename F>
__device__ inline float act_apply(const F &f, float x, float d_y, float scale)
{
    if constexpr (OUTPUT == ACT_D_X)
        return d_y * f.slope(x);
    else
        return OUTPUT == ACT_Y_F8 ? scale * f.value(x) : f.value(x);
}

template <typename F, typename T, int OUTPUT>
__device__ inline void act_one(const F &f, const act_call<T, OUTPUT> &c, int64_t i)
{
    const float d_y = OUTPUT == ACT_D_X ? ops_float(c.d_y[i]) : 0.0f;

    c.out[i] = ops_round<typename act_call<T, OUTPUT>::result>(
        act_apply<OUTPUT>(f, ops_float(c.x[i]), d_y, c.scale));
}

/* One element a thread. */
template <typename F, typename T, int OUTPUT>
static __global__ void act_scalar_kernel(F f, act_call<T, OUTPUT> c)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < c.n)
        act_one(f, c, i);
}

template <typename F, typename T, int OUTPUT>
int act_launch_scalar(F f, const assay_args *args, unsigned block, assay_stream stream)
{
    const act_call<T, OUTPUT> c = act_call_of<T, OUTPUT>(args);

    if (c.n == 0)
        return 0;
    act_scalar_kernel<F, T, OUTPUT><<<assay_blocks_for(c.n, block), block, 0, stream>>>(f, c);
    return assay_launch_status();
}

/* Launches CALL with OUTPUT for the value of args->param[ACT_OUTPUT]. */
#define ACT_BY_OUTPUT(output, ...)                                                                 \
    switch (output) {                                                                              \
    case ACT_Y: {                                                                                  \
        constexpr int OUTPUT = ACT_Y;                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    case ACT_Y_F8: {                                                                               \
        constexpr int OUTPUT = ACT_Y_F8;                                                           \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    default: {                                                                                     \
        constexpr int OUTPUT = ACT_D_X;                                                            \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    }

#endif
