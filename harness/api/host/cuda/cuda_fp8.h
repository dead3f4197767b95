/* fp8 for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_FP8_H
#define ASSAY_HOST_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char  __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef enum __nv_saturation_t {
    __NV_NOSAT,
    __NV_SATFINITE
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

template <typename F> inline __nv_fp8_storage_t assay_fp8_of(float value, bool saturates)
{
    const uint32_t bits = F::from_float(value);

    return static_cast<__nv_fp8_storage_t>(saturates && !isnan(value) ? F::saturated(bits) : bits);
}

inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t interpretation)
{
    return interpretation == __NV_E4M3
               ? assay_fp8_of<assay_e4m3>(value, saturate == __NV_SATFINITE)
               : assay_fp8_of<assay_e5m2>(value, saturate == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t interpretation)
{
    return __nv_cvt_float_to_fp8(assay_e4m3::to_odd(value), saturate, interpretation);
}

/* Past the largest value their constructors give the largest. */
#define ASSAY_HOST_FP8(NAME, FORMAT)                                                               \
    struct NAME {                                                                                  \
        __nv_fp8_storage_t __x;                                                                    \
                                                                                                   \
        NAME() = default;                                                                          \
        explicit NAME(float value) : __x(assay_fp8_of<FORMAT>(value, true)) {}                     \
        explicit NAME(double value) : __x(assay_fp8_of<FORMAT>(FORMAT::to_odd(value), true)) {}    \
        explicit NAME(__half value) : NAME(assay_to_float(value)) {}                               \
        explicit NAME(__nv_bfloat16 value) : NAME(assay_to_float(value)) {}                        \
        template <typename I, typename = std::enable_if_t<std::is_integral<I>::value>>             \
        explicit NAME(I value) : NAME(static_cast<double>(value))                                  \
        {                                                                                          \
        }                                                                                          \
        explicit operator float() const { return FORMAT::to_float(__x); }                          \
        explicit operator double() const { return static_cast<double>(FORMAT::to_float(__x)); }    \
        explicit operator __half() const { return __half(FORMAT::to_float(__x)); }                 \
        explicit operator __nv_bfloat16() const { return __nv_bfloat16(FORMAT::to_float(__x)); }   \
    };

ASSAY_HOST_FP8(__nv_fp8_e4m3, assay_e4m3)
ASSAY_HOST_FP8(__nv_fp8_e5m2, assay_e5m2)
#undef ASSAY_HOST_FP8

#endif
