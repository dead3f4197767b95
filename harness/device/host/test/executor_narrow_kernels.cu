/* Kernels behind test_executor_narrow.c: numbers of 8 and 16 bits. */
#include "kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

/* Converts every pattern to fp32. */
static __global__ void decode_kernel(float *f16, float *bf16, float *e4m3, float *e5m2)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_fp8_e4m3  four;
    __nv_fp8_e5m2  five;

    f16[i]  = __half2float(__ushort_as_half(static_cast<unsigned short>(i)));
    bf16[i] = __bfloat162float(__ushort_as_bfloat16(static_cast<unsigned short>(i)));
    if (i < 256) {
        four.__x = five.__x = static_cast<unsigned char>(i);
        e4m3[i]             = static_cast<float>(four);
        e5m2[i]             = static_cast<float>(five);
    }
}

ASSAY_LAUNCHER(executor_decode)
{
    decode_kernel<<<256, 256, 0, stream>>>(
        static_cast<float *>(args->buf[0]), static_cast<float *>(args->buf[1]),
        static_cast<float *>(args->buf[2]), static_cast<float *>(args->buf[3]));
    return assay_launch_status();
}

/* The same as in test_executor_narrow.c. */
struct encoded {
    unsigned short f16, bf16, f16_of_float, bf16_of_float;
    unsigned char  e4m3, e5m2, e4m3_saturated, e5m2_saturated, e4m3_class, e5m2_class;
};

static __global__ void encode_kernel(const double *in, encoded *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const float narrow = static_cast<float>(in[i]);
    encoded     e {};

    e.f16            = __half_as_ushort(__double2half(in[i]));
    e.bf16           = __bfloat16_as_ushort(__double2bfloat16(in[i]));
    e.f16_of_float   = __half_as_ushort(__float2half(narrow));
    e.bf16_of_float  = __bfloat16_as_ushort(__float2bfloat16(narrow));
    e.e4m3           = __nv_cvt_double_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
    e.e5m2           = __nv_cvt_double_to_fp8(in[i], __NV_NOSAT, __NV_E5M2);
    e.e4m3_saturated = __nv_cvt_double_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
    e.e5m2_saturated = __nv_cvt_double_to_fp8(in[i], __NV_SATFINITE, __NV_E5M2);
    e.e4m3_class     = __nv_fp8_e4m3(in[i]).__x;
    e.e5m2_class     = __nv_fp8_e5m2(in[i]).__x;
    out[i]           = e;
}

ASSAY_LAUNCHER(executor_encode)
{
    const int64_t n = args->param[0];

    encode_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
        static_cast<const double *>(args->buf[0]), static_cast<encoded *>(args->buf[1]), n);
    return assay_launch_status();
}

/* Sum, difference, product, quotient, a * b + c, least and largest of three patterns, and the same
 * for a pair. */
static __global__ void half_kernel(const unsigned short *in, unsigned short *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const __half  a = __ushort_as_half(in[3 * i]), b = __ushort_as_half(in[3 * i + 1]);
    const __half  c    = __ushort_as_half(in[3 * i + 2]);
    const __half2 pair = __hfma2(__halves2half2(a, c), __half2half2(b), __halves2half2(c, a));

    out[10 * i]     = __half_as_ushort(a + b);
    out[10 * i + 1] = __half_as_ushort(__hsub(a, b));
    out[10 * i + 2] = __half_as_ushort(a * b);
    out[10 * i + 3] = __half_as_ushort(a / b);
    out[10 * i + 4] = __half_as_ushort(__hfma(a, b, c));
    out[10 * i + 5] = __half_as_ushort(__hmin(a, b));
    out[10 * i + 6] = __half_as_ushort(__hmax(a, b));
    out[10 * i + 7] = static_cast<unsigned short>(__hlt(a, b) + 2 * __heq(a, b) + 4 * __hisnan(a));
    out[10 * i + 8] = __half_as_ushort(__low2half(pair));
    out[10 * i + 9] = __half_as_ushort(__high2half(pair));
}

ASSAY_LAUNCHER(executor_half)
{
    const int64_t n = args->param[0];

    half_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
        static_cast<const unsigned short *>(args->buf[0]),
        static_cast<unsigned short *>(args->buf[1]), n);
    return assay_launch_status();
}

/* Functions of each pattern. A block adds numbers by shuffles and an atomic; another one adds
 * pairs. */
static __global__ void functions_kernel(unsigned short *out, __half *sum, __half2 *pairs)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const __half   a = __ushort_as_half(static_cast<unsigned short>(i));
    __half         one(1);

    out[8 * i]     = __half_as_ushort(hsqrt(a));
    out[8 * i + 1] = __half_as_ushort(hrsqrt(a));
    out[8 * i + 2] = __half_as_ushort(hrcp(a));
    out[8 * i + 3] = __half_as_ushort(hexp(a));
    out[8 * i + 4] = __half_as_ushort(hlog2(a));
    out[8 * i + 5] = __half_as_ushort(hfloor(a));
    out[8 * i + 6] = __half_as_ushort(hrint(a));
    out[8 * i + 7] = __half_as_ushort(h2trunc(__halves2half2(one, a)).y);
    for (unsigned step = 16; step > 0; step /= 2)
        one += __shfl_xor_sync(0xffffffffu, one, static_cast<int>(step));
    if (threadIdx.x % 32 == 0 && blockIdx.x < 8) {
        atomicAdd(sum, one);
        atomicAdd(pairs, __halves2half2(one, -one));
    }
}

ASSAY_LAUNCHER(executor_functions)
{
    functions_kernel<<<512, 128, 0, stream>>>(static_cast<unsigned short *>(args->buf[0]),
                                              static_cast<__half *>(args->buf[1]),
                                              static_cast<__half2 *>(args->buf[2]));
    return assay_launch_status();
}

static __global__ void bfloat_kernel(const unsigned short *in, unsigned short *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const __nv_bfloat16 a = __ushort_as_bfloat16(in[3 * i]),
                        b = __ushort_as_bfloat16(in[3 * i + 1]);
    const __nv_bfloat16 c = __ushort_as_bfloat16(in[3 * i + 2]);

    out[10 * i]     = __bfloat16_as_ushort(a + b);
    out[10 * i + 1] = __bfloat16_as_ushort(__hsub(a, b));
    out[10 * i + 2] = __bfloat16_as_ushort(a * b);
    out[10 * i + 3] = __bfloat16_as_ushort(a / b);
    out[10 * i + 4] = __bfloat16_as_ushort(__hfma(a, b, c));
    out[10 * i + 5] = __bfloat16_as_ushort(__hmin(a, b));
    out[10 * i + 6] = __bfloat16_as_ushort(__hmax(a, b));
    out[10 * i + 7] = static_cast<unsigned short>(__hlt(a, b) + 2 * __heq(a, b) + 4 * __hisnan(a));
}

ASSAY_LAUNCHER(executor_bfloat)
{
    const int64_t n = args->param[0];

    bfloat_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
        static_cast<const unsigned short *>(args->buf[0]),
        static_cast<unsigned short *>(args->buf[1]), n);
    return assay_launch_status();
}
