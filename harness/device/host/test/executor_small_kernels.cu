/* Kernels behind test_executor_small.c: numbers of 4, 6 and 8 bits. */
#include "kernel.h"

/* All headers that stand in for CUDA's, in one file. */
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <curand_kernel.h>
#include <math_constants.h>
#include <mma.h>

#include "host/intrinsics.h"

/* Converts a number to each format by each rounding, then by the constructors. */
static __global__ void small_kernel(const double *in, unsigned char *out)
{
    const cudaRoundMode modes[4] = { cudaRoundNearest, cudaRoundMinInf, cudaRoundPosInf,
                                     cudaRoundZero };
    const double        x        = in[threadIdx.x];

    out += 15 * threadIdx.x;
    for (int i = 0; i < 4; i++) {
        out[i]     = __nv_cvt_double_to_fp4(x, __NV_E2M1, modes[i]);
        out[4 + i] = __nv_cvt_double_to_fp6(x, __NV_E2M3, modes[i]);
        out[8 + i] = __nv_cvt_double_to_fp6(x, __NV_E3M2, modes[i]);
    }
    out[12] = __nv_fp4_e2m1(x).__x;
    out[13] = __nv_fp6_e2m3(x).__x;
    out[14] = __nv_fp6_e3m2(x).__x;
}

ASSAY_LAUNCHER(executor_small)
{
    small_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const double *>(args->buf[0]), static_cast<unsigned char *>(args->buf[1]));
    return assay_launch_status();
}

/* Converts each byte as a number of each format, and two bytes as a pair. */
static __global__ void wide_kernel(float *out)
{
    const auto      bits = static_cast<unsigned char>(threadIdx.x);
    __nv_fp4_e2m1   four;
    __nv_fp6_e2m3   six;
    __nv_fp6_e3m2   other;
    __nv_fp4x2_e2m1 fours;

    out += 5 * threadIdx.x;
    four.__x       = bits & 0xf;
    six.__x        = bits & 0x3f;
    other.__x      = bits & 0x3f;
    fours.__x      = bits;
    const float2 p = static_cast<float2>(fours);
    out[0]         = static_cast<float>(four);
    out[1]         = static_cast<float>(six);
    out[2]         = static_cast<float>(other);
    out[3]         = p.x;
    out[4]         = p.y;
}

ASSAY_LAUNCHER(executor_wide)
{
    wide_kernel<<<1, 256, 0, stream>>>(static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

/* Vectors of two and four numbers of 8 bits must equal single numbers. Returns how many do not. */
template <typename One, typename Two, typename Four>
static __device__ unsigned wrong_vectors(float4 v, __nv_fp8_interpretation_t format)
{
    const One    one[4] = { One(v.x), One(v.y), One(v.z), One(v.w) };
    const Two    two(make_float2(v.x, v.y));
    const Four   four(v);
    const float4 back = static_cast<float4>(four);
    const float2 both = static_cast<float2>(two);
    unsigned     all  = 0;

    for (unsigned i = 0; i < 4; i++)
        all |= static_cast<unsigned>(one[i].__x) << 8 * i;
    return (two.__x != (all & 0xffff)) + (four.__x != all) +
           (back.x != static_cast<float>(one[0])) + (back.w != static_cast<float>(one[3])) +
           (both.y != static_cast<float>(one[1])) +
           (__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, format) != two.__x) +
           (__nv_cvt_halfraw_to_fp8(__half(v.z), __NV_SATFINITE, format) != One(__half(v.z)).__x) +
           (Four(__floats2half2_rn(v.x, v.y), __floats2half2_rn(v.z, v.w)).__x != all);
}

static __global__ void vectors_kernel(const float4 *in, unsigned *out)
{
    const float4 v = in[threadIdx.x];

    out[threadIdx.x] =
        wrong_vectors<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(v, __NV_E4M3) +
        wrong_vectors<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(v, __NV_E5M2);
}

ASSAY_LAUNCHER(executor_fp8_vectors)
{
    vectors_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const float4 *>(args->buf[0]), static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}
