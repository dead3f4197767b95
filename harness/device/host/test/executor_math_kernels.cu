/* Kernels behind test_executor_math.c: intrinsics on the input, one result for each element. */
#include "kernel.h"

static __constant__ const float weights[3] = { 0.25f, 0.5f, 0.25f };
static __device__ unsigned      device_counter;

struct bits {
    unsigned popc, ffs, clz, brev, perm, funnel_l, funnel_r, umulhi;
    int      mulhi, float_bits, to_int_rn, to_int_rd, to_int_ru, to_int_rz, smaller, larger;
    unsigned long long umul64hi, double_bits;
    unsigned           popcll, ffsll, clzll, mixed, sum_rd;
};

static __global__ void bits_kernel(const unsigned *in, bits *out)
{
    const unsigned           x = in[threadIdx.x], y = in[(threadIdx.x + 1) % blockDim.x];
    const int                i = static_cast<int>(x);
    const unsigned long long w = static_cast<unsigned long long>(x) << 32 | y;
    const float              f = static_cast<float>(i) * 0.37f;
    bits                     b {};

    b.popc        = static_cast<unsigned>(__popc(x));
    b.ffs         = static_cast<unsigned>(__ffs(i));
    b.clz         = static_cast<unsigned>(__clz(i));
    b.brev        = __brev(x);
    b.perm        = __byte_perm(x, y, 0x7610);
    b.funnel_l    = __funnelshift_l(x, y, 5);
    b.funnel_r    = __funnelshift_r(x, y, 37);
    b.umulhi      = __umulhi(x, y);
    b.mulhi       = __mulhi(i, static_cast<int>(y));
    b.float_bits  = __float_as_int(__uint_as_float(x & 0x7f7fffffu));
    b.to_int_rn   = __float2int_rn(f);
    b.to_int_rd   = __float2int_rd(f);
    b.to_int_ru   = __float2int_ru(f);
    b.to_int_rz   = __float2int_rz(f);
    b.smaller     = min(i, 12);
    b.larger      = max(i, -12);
    b.umul64hi    = __umul64hi(w, w);
    b.double_bits = static_cast<unsigned long long>(__double_as_longlong(__longlong_as_double(1)));
    b.popcll      = static_cast<unsigned>(__popcll(w));
    b.ffsll       = static_cast<unsigned>(__ffsll(static_cast<long long>(w)));
    b.clzll       = static_cast<unsigned>(__clzll(static_cast<long long>(w)));
    b.mixed       = max(-1, 5u);
    b.sum_rd      = __float_as_uint(__fadd_rd(f, 8388608.0f));
    out[threadIdx.x] = b;
}

ASSAY_LAUNCHER(executor_bits)
{
    bits_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const unsigned *>(args->buf[0]), static_cast<bits *>(args->buf[1]));
    return assay_launch_status();
}

static __global__ void real_kernel(const float *in, float *out)
{
    const float x = __ldg(&in[threadIdx.x]);
    float       sine, cosine;

    __sincosf(x, &sine, &cosine);
    out += 16 * threadIdx.x;
    __stcs(&out[0], __fmaf_rn(x, x, 1.0f));
    out[1]  = __fmul_rn(x, x) + 1.0f;
    out[2]  = __frcp_rn(x);
    out[3]  = __fsqrt_rn(x);
    out[4]  = rsqrtf(x);
    out[5]  = __expf(x);
    out[6]  = __logf(x);
    out[7]  = sine * sine + cosine * cosine;
    out[8]  = __saturatef(x);
    out[9]  = fminf(x, __int_as_float(0x7fc00000));
    out[10] = max(x, 2.0f);
    out[11] = weights[0] + weights[1] * x + weights[2];
    out[12] = static_cast<float>(min(x, 2.0));
    out[13] = __fdividef(x, 4);
    out[14] = sinpif(x) + 2 * cospif(x);
    out[15] =
        static_cast<float>(__float2int_rn(__int_as_float(0x7fc00000)) +
                           (__float2int_rz(3e9f) == 0x7fffffff) + (__float2uint_rz(-5.0f) == 0));
    atomicAdd(&device_counter, 1u);
}

ASSAY_LAUNCHER(executor_real)
{
    real_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const float *>(args->buf[0]), static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

/* Vectors have CUDA's sizes and alignments. */
static __global__ void vector_kernel(const float4 *in, float4 *out)
{
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
    static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
    static_assert(sizeof(int2) == 8 && alignof(int2) == 8, "int2");
    static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
    const float4 v = in[threadIdx.x];
    const int3   i = make_int3(1, 2, 3);

    out[threadIdx.x] = make_float4(v.w, v.z + static_cast<float>(i.z), v.y, v.x);
}

ASSAY_LAUNCHER(executor_vector)
{
    vector_kernel<<<1, 2, 0, stream>>>(static_cast<const float4 *>(args->buf[0]),
                                       static_cast<float4 *>(args->buf[1]));
    return assay_launch_status();
}
