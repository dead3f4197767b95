/* Numbers of 4 bits for host compilation, by the documentation of CUDA's header of this name: one
 * or two of them, converted from and to wider types. */
#ifndef ASSAY_HOST_CUDA_FP4_H
#define ASSAY_HOST_CUDA_FP4_H

#include "cuda_fp8.h"
#include "host/small_float.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t; /* the first in the lower half */
typedef enum __nv_fp4_interpretation_t {
    __NV_E2M1
} __nv_fp4_interpretation_t;

inline __nv_fp4_storage_t __nv_cvt_double_to_fp4(double        value, __nv_fp4_interpretation_t,
                                                 cudaRoundMode mode)
{
    return static_cast<__nv_fp4_storage_t>(assay_e2m1::from_double(value, mode));
}
inline __nv_fp4_storage_t __nv_cvt_float_to_fp4(float value, __nv_fp4_interpretation_t format,
                                                cudaRoundMode mode)
{
    return __nv_cvt_double_to_fp4(static_cast<double>(value), format, mode);
}
inline __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 a, __nv_fp4_interpretation_t format,
                                                     cudaRoundMode mode)
{
    const unsigned low  = __nv_cvt_float_to_fp4(a.x, format, mode);
    const unsigned high = __nv_cvt_float_to_fp4(a.y, format, mode);

    return static_cast<__nv_fp4x2_storage_t>(low | high << 4);
}
inline __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t bits, __nv_fp4_interpretation_t)
{
    return __half(assay_e2m1::to_float(bits));
}
inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t      bits,
                                              __nv_fp4_interpretation_t format)
{
    const auto low  = static_cast<__nv_fp4_storage_t>(bits & 0xfu);
    const auto high = static_cast<__nv_fp4_storage_t>(bits >> 4);

    return __half2_raw { __nv_cvt_fp4_to_halfraw(low, format).x,
                         __nv_cvt_fp4_to_halfraw(high, format).x };
}

struct __nv_fp4_e2m1 {
    __nv_fp4_storage_t __x;

    __nv_fp4_e2m1() = default;
    explicit __nv_fp4_e2m1(double value)
        : __x(__nv_cvt_double_to_fp4(value, __NV_E2M1, cudaRoundNearest))
    {
    }
    explicit __nv_fp4_e2m1(float value) : __nv_fp4_e2m1(static_cast<double>(value)) {}
    explicit __nv_fp4_e2m1(__half value) : __nv_fp4_e2m1(assay_to_float(value)) {}
    explicit __nv_fp4_e2m1(__nv_bfloat16 value) : __nv_fp4_e2m1(assay_to_float(value)) {}
    explicit operator float() const { return assay_e2m1::to_float(__x); }
    explicit operator double() const { return static_cast<double>(assay_e2m1::to_float(__x)); }
    explicit operator __half() const { return __half(assay_e2m1::to_float(__x)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(assay_e2m1::to_float(__x)); }
};

struct __nv_fp4x2_e2m1 {
    __nv_fp4x2_storage_t __x;

    __nv_fp4x2_e2m1() = default;
    explicit __nv_fp4x2_e2m1(float2 a)
        : __x(__nv_cvt_float2_to_fp4x2(a, __NV_E2M1, cudaRoundNearest))
    {
    }
    explicit operator __half2() const { return __nv_cvt_fp4x2_to_halfraw2(__x, __NV_E2M1); }
    explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }
};

/* Four, the first in the lowest bits. */
typedef unsigned short __nv_fp4x4_storage_t;
struct __nv_fp4x4_e2m1 {
    __nv_fp4x4_storage_t __x;

    __nv_fp4x4_e2m1() = default;
    explicit __nv_fp4x4_e2m1(float4 a)
        : __x(static_cast<__nv_fp4x4_storage_t>(
              __nv_cvt_float2_to_fp4x2(make_float2(a.x, a.y), __NV_E2M1, cudaRoundNearest) |
              __nv_cvt_float2_to_fp4x2(make_float2(a.z, a.w), __NV_E2M1, cudaRoundNearest) << 8))
    {
    }
};

#endif
