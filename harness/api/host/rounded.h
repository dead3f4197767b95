/* Arithmetic and conversions that round down, up or toward zero (__fadd_ru, __double2float_rz,
 * ...).
 */
#ifndef ASSAY_HOST_ROUNDED_H
#define ASSAY_HOST_ROUNDED_H

#include "host_math.h"
#include "integer.h"

#include <fenv.h>

/* Sets the processor's rounding mode while it exists. No other CUDA thread runs meanwhile. */
class assay_host_rounding
{
  public:
    explicit assay_host_rounding(int mode) : before_(fegetround()) { (void)fesetround(mode); }
    ~assay_host_rounding() { (void)fesetround(before_); }
    assay_host_rounding(const assay_host_rounding &)            = delete;
    assay_host_rounding &operator=(const assay_host_rounding &) = delete;

  private:
    int before_;
};

/* Compilers assume that arithmetic does not depend on the rounding mode. So operands and results go
 * through volatile memory, which keeps the operation between the changes of the mode. */
#define ASSAY_HOST_ROUNDED(name, mode, type, expression)                                           \
    inline type name(type a_, type b_, type c_)                                                    \
    {                                                                                              \
        volatile type             a_of_mode = a_, b_of_mode = b_, c_of_mode = c_, result;          \
        const assay_host_rounding rounding(mode);                                                  \
        const type                a = a_of_mode, b = b_of_mode, c = c_of_mode;                     \
                                                                                                   \
        (void)b, (void)c;                                                                          \
        result = expression;                                                                       \
        return result;                                                                             \
    }
#define ASSAY_HOST_ROUNDED_1(name, mode, type, expression)                                         \
    ASSAY_HOST_ROUNDED(assay_host##name, mode, type, expression)                                   \
    inline type name(type a) { return assay_host##name(a, a, a); }
#define ASSAY_HOST_ROUNDED_2(name, mode, type, expression)                                         \
    ASSAY_HOST_ROUNDED(assay_host##name, mode, type, expression)                                   \
    inline type name(type a, type b) { return assay_host##name(a, b, a); }
#define ASSAY_HOST_ROUNDED_3(name, mode, type, expression)                                         \
    ASSAY_HOST_ROUNDED(assay_host##name, mode, type, expression)                                   \
    inline type name(type a, type b, type c) { return assay_host##name(a, b, c); }

#define ASSAY_HOST_ROUNDED_ALL(suffix, mode)                                                       \
    ASSAY_HOST_ROUNDED_2(__fsub_##suffix, mode, float, a - b)                                      \
    ASSAY_HOST_ROUNDED_2(__fmul_##suffix, mode, float, a *b)                                       \
    ASSAY_HOST_ROUNDED_2(__fdiv_##suffix, mode, float, a / b)                                      \
    ASSAY_HOST_ROUNDED_3(__fmaf_##suffix, mode, float, fmaf(a, b, c))                              \
    ASSAY_HOST_ROUNDED_1(__frcp_##suffix, mode, float, 1.0f / a)                                   \
    ASSAY_HOST_ROUNDED_1(__fsqrt_##suffix, mode, float, sqrtf(a))                                  \
    ASSAY_HOST_ROUNDED_2(__dadd_##suffix, mode, double, a + b)                                     \
    ASSAY_HOST_ROUNDED_2(__dsub_##suffix, mode, double, a - b)                                     \
    ASSAY_HOST_ROUNDED_2(__dmul_##suffix, mode, double, a *b)                                      \
    ASSAY_HOST_ROUNDED_2(__ddiv_##suffix, mode, double, a / b)                                     \
    ASSAY_HOST_ROUNDED_3(__fma_##suffix, mode, double, fma(a, b, c))                               \
    ASSAY_HOST_ROUNDED_1(__drcp_##suffix, mode, double, 1.0 / a)                                   \
    ASSAY_HOST_ROUNDED_1(__dsqrt_##suffix, mode, double, sqrt(a))
ASSAY_HOST_ROUNDED_ALL(rd, FE_DOWNWARD)
ASSAY_HOST_ROUNDED_ALL(ru, FE_UPWARD)
ASSAY_HOST_ROUNDED_ALL(rz, FE_TOWARDZERO)
ASSAY_HOST_ROUNDED_2(__fadd_ru, FE_UPWARD, float, a + b)
ASSAY_HOST_ROUNDED_2(__fadd_rz, FE_TOWARDZERO, float, a + b)
#undef ASSAY_HOST_ROUNDED_ALL
#undef ASSAY_HOST_ROUNDED_3
#undef ASSAY_HOST_ROUNDED_2
#undef ASSAY_HOST_ROUNDED_1
#undef ASSAY_HOST_ROUNDED

/* ---- conversions: to nearest, then to the neighbour if that lies on the wrong side */

/* side: whether nearest lies above the value (1), below (-1) or on it (0). */
template <typename F> inline F assay_host_toward(F nearest, int side, int mode)
{
    const F   limit = mode == FE_DOWNWARD ? -HUGE_VALF : mode == FE_UPWARD ? HUGE_VALF : F(0);
    const int wrong = mode == FE_DOWNWARD || (mode == FE_TOWARDZERO && !signbit(nearest)) ? 1 : -1;

    return side == wrong ? static_cast<F>(nextafter(nearest, limit)) : nearest;
}

/* Both a 64-bit integer and what it is rounded to fit exactly in 128 bits. */
template <typename F, typename I> inline F assay_host_of_integer(I value, int mode)
{
    const F                 nearest = static_cast<F>(value);
    const assay_host_int128 exact   = static_cast<assay_host_int128>(value),
                            got     = static_cast<assay_host_int128>(nearest);

    return assay_host_toward(nearest, (got > exact) - (got < exact), mode);
}
inline float assay_host_of_double(double value, int mode)
{
    const float  nearest = static_cast<float>(value);
    const double got     = static_cast<double>(nearest);

    return assay_host_toward(nearest, (got > value) - (got < value), mode);
}

#define ASSAY_HOST_CONVERSIONS(suffix, mode)                                                       \
    inline float __int2float_##suffix(int a) { return assay_host_of_integer<float>(a, mode); }     \
    inline float __uint2float_##suffix(unsigned a)                                                 \
    {                                                                                              \
        return assay_host_of_integer<float>(a, mode);                                              \
    }                                                                                              \
    inline float __ll2float_##suffix(long long a)                                                  \
    {                                                                                              \
        return assay_host_of_integer<float>(a, mode);                                              \
    }                                                                                              \
    inline float __ull2float_##suffix(unsigned long long a)                                        \
    {                                                                                              \
        return assay_host_of_integer<float>(a, mode);                                              \
    }                                                                                              \
    inline double __ll2double_##suffix(long long a)                                                \
    {                                                                                              \
        return assay_host_of_integer<double>(a, mode);                                             \
    }                                                                                              \
    inline double __ull2double_##suffix(unsigned long long a)                                      \
    {                                                                                              \
        return assay_host_of_integer<double>(a, mode);                                             \
    }                                                                                              \
    inline float __double2float_##suffix(double a) { return assay_host_of_double(a, mode); }
ASSAY_HOST_CONVERSIONS(rd, FE_DOWNWARD)
ASSAY_HOST_CONVERSIONS(ru, FE_UPWARD)
ASSAY_HOST_CONVERSIONS(rz, FE_TOWARDZERO)
#undef ASSAY_HOST_CONVERSIONS
inline double __ull2double_rn(unsigned long long a) { return static_cast<double>(a); }

#define ASSAY_HOST_TO_ULL(suffix, round)                                                           \
    inline unsigned long long __double2ull_##suffix(double a)                                      \
    {                                                                                              \
        return assay_host_saturate<unsigned long long>(round(a), 0, 0x1p64);                       \
    }
ASSAY_HOST_TO_ULL(rn, nearbyint)
ASSAY_HOST_TO_ULL(rd, floor)
ASSAY_HOST_TO_ULL(ru, ceil)
ASSAY_HOST_TO_ULL(rz, trunc)
#undef ASSAY_HOST_TO_ULL

#endif
