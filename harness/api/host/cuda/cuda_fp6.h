/* Numbers of 6 bits for host compilation, by the documentation of CUDA's header of this name:
 * conversions from and to fp32 and fp64. */
#ifndef ASSAY_HOST_CUDA_FP6_H
#define ASSAY_HOST_CUDA_FP6_H

#include "cuda_fp8.h"
#include "host/small_float.h"

typedef unsigned char  __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef enum __nv_fp6_interpretation_t {
    __NV_E2M3,
    __NV_E3M2
} __nv_fp6_interpretation_t;

inline __nv_fp6_storage_t
__nv_cvt_double_to_fp6(double value, __nv_fp6_interpretation_t interpretation, cudaRoundMode mode)
{
    return static_cast<__nv_fp6_storage_t>(interpretation == __NV_E2M3
                                               ? assay_e2m3::from_double(value, mode)
                                               : assay_e3m2::from_double(value, mode));
}
inline __nv_fp6_storage_t
__nv_cvt_float_to_fp6(float value, __nv_fp6_interpretation_t interpretation, cudaRoundMode mode)
{
    return __nv_cvt_double_to_fp6(static_cast<double>(value), interpretation, mode);
}
inline __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t        bits,
                                          __nv_fp6_interpretation_t interpretation)
{
    return __half(interpretation == __NV_E2M3 ? assay_e2m3::to_float(bits)
                                              : assay_e3m2::to_float(bits));
}

#define ASSAY_HOST_FP6(NAME, FORMAT)                                                               \
    struct NAME {                                                                                  \
        __nv_fp6_storage_t __x;                                                                    \
                                                                                                   \
        NAME() = default;                                                                          \
        explicit NAME(double value)                                                                \
            : __x(static_cast<__nv_fp6_storage_t>(FORMAT::from_double(value, cudaRoundNearest)))   \
        {                                                                                          \
        }                                                                                          \
        explicit NAME(float value) : NAME(static_cast<double>(value)) {}                           \
        explicit NAME(__half value) : NAME(assay_to_float(value)) {}                               \
        explicit NAME(__nv_bfloat16 value) : NAME(assay_to_float(value)) {}                        \
        explicit operator float() const { return FORMAT::to_float(__x); }                          \
        explicit operator double() const { return static_cast<double>(FORMAT::to_float(__x)); }    \
        explicit operator __half() const { return __half(FORMAT::to_float(__x)); }                 \
        explicit operator __nv_bfloat16() const { return __nv_bfloat16(FORMAT::to_float(__x)); }   \
    };
ASSAY_HOST_FP6(__nv_fp6_e2m3, assay_e2m3)
ASSAY_HOST_FP6(__nv_fp6_e3m2, assay_e3m2)
#undef ASSAY_HOST_FP6

#endif
