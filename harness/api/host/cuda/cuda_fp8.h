/* fp8 for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_FP8_H
#define ASSAY_HOST_CUDA_FP8_H
#define __CUDA_FP8_H__ /* of CUDA's own, which its libraries include from beside themselves */

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

/* Their constructors turn a value beyond the largest one into the largest. */
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

/* ---- conversions of bit patterns, one or two at a time; the first of two is the lower */

#define ASSAY_HOST_TO_FP8(name, type, to_float)                                                    \
    inline __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(type a, __nv_saturation_t saturate,         \
                                                       __nv_fp8_interpretation_t interpretation)   \
    {                                                                                              \
        return __nv_cvt_float_to_fp8(to_float, saturate, interpretation);                          \
    }
#define ASSAY_HOST_TO_FP8X2(name, type, one, first, second)                                        \
    inline __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(                                        \
        type a, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation)              \
    {                                                                                              \
        const unsigned low  = __nv_cvt_##one##_to_fp8(first, saturate, interpretation);            \
        const unsigned high = __nv_cvt_##one##_to_fp8(second, saturate, interpretation);           \
                                                                                                   \
        return static_cast<__nv_fp8x2_storage_t>(low | high << 8);                                 \
    }
ASSAY_HOST_TO_FP8(halfraw, __half_raw, assay_to_float(__half(a)))
ASSAY_HOST_TO_FP8(bfloat16raw, __nv_bfloat16_raw, assay_to_float(__nv_bfloat16(a)))
ASSAY_HOST_TO_FP8X2(float2, float2, float, a.x, a.y)
ASSAY_HOST_TO_FP8X2(double2, double2, double, a.x, a.y)
ASSAY_HOST_TO_FP8X2(halfraw2, __half2_raw, halfraw, __half_raw { a.x }, __half_raw { a.y })
ASSAY_HOST_TO_FP8X2(bfloat16raw2, __nv_bfloat162_raw, bfloat16raw, __nv_bfloat16_raw { a.x },
                    __nv_bfloat16_raw { a.y })
#undef ASSAY_HOST_TO_FP8X2
#undef ASSAY_HOST_TO_FP8

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t        a,
                                          __nv_fp8_interpretation_t interpretation)
{
    return __half(interpretation == __NV_E4M3 ? assay_e4m3::to_float(a) : assay_e5m2::to_float(a));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t      a,
                                              __nv_fp8_interpretation_t interpretation)
{
    const auto low  = static_cast<__nv_fp8_storage_t>(a & 0xffu);
    const auto high = static_cast<__nv_fp8_storage_t>(a >> 8);

    return __half2_raw { __nv_cvt_fp8_to_halfraw(low, interpretation).x,
                         __nv_cvt_fp8_to_halfraw(high, interpretation).x };
}

/* ---- two and four numbers; constructors turn a value beyond the largest one into the largest */

typedef unsigned __nv_fp8x4_storage_t;

#define ASSAY_HOST_FP8_VECTORS(WORD, INTERPRETATION)                                               \
    struct __attribute__((aligned(2))) __nv_fp8x2_##WORD {                                         \
        __nv_fp8x2_storage_t __x;                                                                  \
                                                                                                   \
        __nv_fp8x2_##WORD() = default;                                                             \
        explicit __nv_fp8x2_##WORD(float2 a)                                                       \
            : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, INTERPRETATION))                     \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x2_##WORD(double2 a)                                                      \
            : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, INTERPRETATION))                    \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x2_##WORD(__half2 a) : __nv_fp8x2_##WORD(__half22float2(a)) {}            \
        explicit __nv_fp8x2_##WORD(__nv_bfloat162 a) : __nv_fp8x2_##WORD(__bfloat1622float2(a)) {} \
        explicit operator __half2() const                                                          \
        {                                                                                          \
            return __nv_cvt_fp8x2_to_halfraw2(__x, INTERPRETATION);                                \
        }                                                                                          \
        explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }   \
    };                                                                                             \
    struct __attribute__((aligned(4))) __nv_fp8x4_##WORD {                                         \
        __nv_fp8x4_storage_t __x;                                                                  \
                                                                                                   \
        __nv_fp8x4_##WORD() = default;                                                             \
        explicit __nv_fp8x4_##WORD(float4 a)                                                       \
            : __x(both(__nv_fp8x2_##WORD(make_float2(a.x, a.y)),                                   \
                       __nv_fp8x2_##WORD(make_float2(a.z, a.w))))                                  \
        {                                                                                          \
        }                                                                                          \
        explicit __nv_fp8x4_##WORD(double4 a)                                                      \
            : __x(both(__nv_fp8x2_##WORD(make_double2(a.x, a.y)),                                  \
                       __nv_fp8x2_##WORD(make_double2(a.z, a.w))))                                 \
        {                                                                                          \
        }                                                                                          \
        __nv_fp8x4_##WORD(__half2 low, __half2 high)                                               \
            : __x(both(__nv_fp8x2_##WORD(low), __nv_fp8x2_##WORD(high)))                           \
        {                                                                                          \
        }                                                                                          \
        __nv_fp8x4_##WORD(__nv_bfloat162 low, __nv_bfloat162 high)                                 \
            : __x(both(__nv_fp8x2_##WORD(low), __nv_fp8x2_##WORD(high)))                           \
        {                                                                                          \
        }                                                                                          \
        explicit operator float4() const                                                           \
        {                                                                                          \
            __nv_fp8x2_##WORD low, high;                                                           \
                                                                                                   \
            low.__x        = static_cast<__nv_fp8x2_storage_t>(__x & 0xffffu);                     \
            high.__x       = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                         \
            const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);              \
            return make_float4(a.x, a.y, b.x, b.y);                                                \
        }                                                                                          \
                                                                                                   \
      private:                                                                                     \
        static __nv_fp8x4_storage_t both(__nv_fp8x2_##WORD low, __nv_fp8x2_##WORD high)            \
        {                                                                                          \
            return low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16;                    \
        }                                                                                          \
    };
ASSAY_HOST_FP8_VECTORS(e4m3, __NV_E4M3)
ASSAY_HOST_FP8_VECTORS(e5m2, __NV_E5M2)
#undef ASSAY_HOST_FP8_VECTORS

/* A power of two by its exponent alone: 2^(bits - 127), all bits set for NaN. */
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t bits)
{
    return { static_cast<unsigned short>(bits == 0xFFu ? 0x7FFFu : bits == 0 ? 0x40u : bits << 7) };
}

#endif
