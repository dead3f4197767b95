/* Plain CUDA C++: conversions to narrow types and to whole numbers, and sums rounded up. The
 * outputs are x as f16, bf16, e4m3 and int, and x + z rounded up. The wrong kernels do one of these
 * differently. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

/* Values of FAULT; the names of kernels contain the numbers. */
#define HALF_IS_CUT    1
#define BF16_IS_CUT    2
#define FP8_IS_E5M2    3
#define SUM_IS_NEAREST 4
#define INT_IS_CUT     5

/* By intrinsics. */
template <int FAULT> __global__ void by_intrinsics(const float *x, const float *z, __half *h,
                                                   __nv_bfloat16 *b, __nv_fp8_e4m3 *e, float *up,
                                                   int *k)
{
    const int   i = blockIdx.x * 64 + threadIdx.x;
    const float v = x[i];

    h[i] = FAULT == HALF_IS_CUT ? __float2half_rz(v) : __float2half_rn(v);
    b[i] = FAULT == BF16_IS_CUT ? __float2bfloat16_rz(v) : __float2bfloat16_rn(v);
    e[i].__x =
        __nv_cvt_float_to_fp8(v, __NV_SATFINITE, FAULT == FP8_IS_E5M2 ? __NV_E5M2 : __NV_E4M3);
    up[i] = FAULT == SUM_IS_NEAREST ? __fadd_rn(v, z[i]) : __fadd_ru(v, z[i]);
    k[i]  = FAULT == INT_IS_CUT ? __float2int_rz(v) : __float2int_rn(v);
}
#define INTRINSICS(fault)                                                                          \
    template __global__ void by_intrinsics<fault>(                                                 \
        const float *, const float *, __half *, __nv_bfloat16 *, __nv_fp8_e4m3 *, float *, int *)
INTRINSICS(0);
INTRINSICS(1);
INTRINSICS(2);
INTRINSICS(3);
INTRINSICS(4);
INTRINSICS(5);

/* By inline PTX, two elements a thread. Wrong: pairs are swapped; or whole numbers are
 * truncated. */
template <bool IS_SWAPPED, bool IS_CUT>
__global__ void by_ptx_conversion(const float *x, const float *z, __half *h, __nv_bfloat16 *b,
                                  __nv_fp8_e4m3 *e, float *up, int *k)
{
    const int   i     = 2 * (blockIdx.x * 32 + threadIdx.x);
    const float upper = x[i + !IS_SWAPPED], lower = x[i + IS_SWAPPED];
    unsigned    pair;

    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(upper), "f"(lower));
    *reinterpret_cast<unsigned *>(h + i) = pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(upper), "f"(lower));
    *reinterpret_cast<unsigned *>(b + i) = pair;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 890
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(*reinterpret_cast<unsigned short *>(e + i))
        : "f"(upper), "f"(lower));
#else /* older cards do not have the instruction */
    e[i]     = static_cast<__nv_fp8_e4m3>(lower);
    e[i + 1] = static_cast<__nv_fp8_e4m3>(upper);
#endif
    for (int at = i; at < i + 2; at++) {
        up[at] = __fadd_ru(x[at], z[at]);
        if (IS_CUT)
            asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(k[at]) : "f"(x[at]));
        else
            asm("cvt.rni.s32.f32 %0, %1;" : "=r"(k[at]) : "f"(x[at]));
    }
}
#define PTX(...)                                                                                   \
    template __global__ void by_ptx_conversion<__VA_ARGS__>(                                       \
        const float *, const float *, __half *, __nv_bfloat16 *, __nv_fp8_e4m3 *, float *, int *)
PTX(false, false);
PTX(true, false);
PTX(false, true);
