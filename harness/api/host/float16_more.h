/* Less used functions that __half and __nv_bfloat16 have in common: saturating arithmetic,
 * unordered comparisons, comparisons of pairs, conversions from and to integers in each rounding
 * mode. Written from the documentation of cuda_fp16.h and cuda_bf16.h. */
#ifndef ASSAY_HOST_FLOAT16_MORE_H
#define ASSAY_HOST_FLOAT16_MORE_H

#include "host/float16.h"

#include <limits>

/* Clamps to 0 through 1; a NaN becomes 0. */
template <typename T> inline T assay_narrow_unit(T a)
{
    const float value = assay_to_float(a);

    return !(value > 0) ? T(0.0f) : value > 1 ? T(1.0f) : a;
}
/* Replaces negative numbers by 0; a NaN stays NaN. */
template <typename T> inline T assay_narrow_relu(T a)
{
    return assay_to_float(a) <= 0 ? T(0.0f) : __hisnan(a) ? T(NAN) : a;
}

/* Defines a function of two numbers, and the same for pairs, named to_both. */
#define ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, function, to_both, value)                            \
    inline NAME function(NAME a, NAME b) { return value; }                                         \
    inline PAIR to_both(PAIR a, PAIR b) { return PAIR(function(a.x, b.x), function(a.y, b.y)); }
#define ASSAY_HOST_FLOAT16_OF_THREE(NAME, PAIR, function, to_both, value)                          \
    inline NAME function(NAME a, NAME b, NAME c) { return value; }                                 \
    inline PAIR to_both(PAIR a, PAIR b, PAIR c)                                                    \
    {                                                                                              \
        return PAIR(function(a.x, b.x, c.x), function(a.y, b.y, c.y));                             \
    }

#define ASSAY_HOST_FLOAT16_MORE(NAME, PAIR, WORD)                                                  \
    ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, __hadd_sat, __hadd2_sat, assay_narrow_unit(a + b))       \
    ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, __hsub_sat, __hsub2_sat, assay_narrow_unit(a - b))       \
    ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, __hmul_sat, __hmul2_sat, assay_narrow_unit(a *b))        \
    ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, __hmax_nan, __hmax2_nan,                                 \
                              __hisnan(a) || __hisnan(b) ? NAME(NAN) : __hmax(a, b))               \
    ASSAY_HOST_FLOAT16_OF_TWO(NAME, PAIR, __hmin_nan, __hmin2_nan,                                 \
                              __hisnan(a) || __hisnan(b) ? NAME(NAN) : __hmin(a, b))               \
    ASSAY_HOST_FLOAT16_OF_THREE(NAME, PAIR, __hfma_sat, __hfma2_sat,                               \
                                assay_narrow_unit(__hfma(a, b, c)))                                \
    ASSAY_HOST_FLOAT16_OF_THREE(NAME, PAIR, __hfma_relu, __hfma2_relu,                             \
                                assay_narrow_relu(__hfma(a, b, c)))                                \
    inline PAIR __hadd2_rn(PAIR a, PAIR b) { return a + b; }                                       \
    inline PAIR __hsub2_rn(PAIR a, PAIR b) { return a - b; }                                       \
    inline PAIR __hmul2_rn(PAIR a, PAIR b) { return a * b; }                                       \
    /* Complex numbers: a * b + c. */                                                              \
    inline PAIR __hcmadd(PAIR a, PAIR b, PAIR c)                                                   \
    {                                                                                              \
        return PAIR(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)),                                      \
                    __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                      \
    }                                                                                              \
    inline NAME &operator++(NAME &a) { return a += NAME(1.0f); }                                   \
    inline NAME &operator--(NAME &a) { return a -= NAME(1.0f); }                                   \
    inline NAME  operator++(NAME &a, int)                                                          \
    {                                                                                              \
        const NAME old = a;                                                                        \
                                                                                                   \
        ++a;                                                                                       \
        return old;                                                                                \
    }                                                                                              \
    inline NAME operator--(NAME &a, int)                                                           \
    {                                                                                              \
        const NAME old = a;                                                                        \
                                                                                                   \
        --a;                                                                                       \
        return old;                                                                                \
    }                                                                                              \
    inline PAIR &operator++(PAIR &a) { return ++a.x, ++a.y, a; }                                   \
    inline PAIR &operator--(PAIR &a) { return --a.x, --a.y, a; }                                   \
    inline PAIR  operator+(PAIR a) { return a; }                                                   \
                                                                                                   \
    inline PAIR __low2##WORD##2(PAIR a) { return PAIR(a.x, a.x); }                                 \
    inline PAIR __high2##WORD##2(PAIR a) { return PAIR(a.y, a.y); }                                \
    inline PAIR __lows2##WORD##2(PAIR a, PAIR b) { return PAIR(a.x, b.x); }                        \
    inline PAIR __highs2##WORD##2(PAIR a, PAIR b) { return PAIR(a.y, b.y); }                       \
    inline PAIR __lowhigh2highlow(PAIR a) { return PAIR(a.y, a.x); }                               \
                                                                                                   \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, exp10, exp10f)                                         \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, log10, log10f)                                         \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, tanh, tanhf)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, tanh_approx, tanhf)

/* ---- comparisons. Names for pairs: ...2 gives the numbers 1 and 0, ...2_mask all bits or none,
 * b...2 whether it holds for both. Those with u also hold for NaN. */

#define ASSAY_HOST_FLOAT16_COMPARE(NAME, PAIR, name, function)                                     \
    inline PAIR __h##name##2(PAIR a, PAIR b)                                                       \
    {                                                                                              \
        return PAIR(NAME(function(a.x, b.x) ? 1.0f : 0.0f),                                        \
                    NAME(function(a.y, b.y) ? 1.0f : 0.0f));                                       \
    }                                                                                              \
    inline unsigned __h##name##2_mask(PAIR a, PAIR b)                                              \
    {                                                                                              \
        return (function(a.x, b.x) ? 0xffffu : 0u) | (function(a.y, b.y) ? 0xffff0000u : 0u);      \
    }                                                                                              \
    inline bool __hb##name##2(PAIR a, PAIR b) { return function(a.x, b.x) && function(a.y, b.y); }
#define ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, name, opposite)                                \
    inline bool __h##name##u(NAME a, NAME b) { return !opposite(a, b); }                           \
    ASSAY_HOST_FLOAT16_COMPARE(NAME, PAIR, name, __h##name)                                        \
    ASSAY_HOST_FLOAT16_COMPARE(NAME, PAIR, name##u, __h##name##u)
#define ASSAY_HOST_FLOAT16_COMPARISONS(NAME, PAIR)                                                 \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, eq, __hne)                                         \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, ne, __heq)                                         \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, lt, __hge)                                         \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, gt, __hle)                                         \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, le, __hgt)                                         \
    ASSAY_HOST_FLOAT16_COMPARE_BOTH(NAME, PAIR, ge, __hlt)                                         \
    inline bool operator<(PAIR a, PAIR b) { return __hblt2(a, b); }                                \
    inline bool operator>(PAIR a, PAIR b) { return __hbgt2(a, b); }                                \
    inline bool operator<=(PAIR a, PAIR b) { return __hble2(a, b); }                               \
    inline bool operator>=(PAIR a, PAIR b) { return __hbge2(a, b); }                               \
    inline PAIR __hisnan2(PAIR a)                                                                  \
    {                                                                                              \
        return PAIR(NAME(__hisnan(a.x) ? 1.0f : 0.0f), NAME(__hisnan(a.y) ? 1.0f : 0.0f));         \
    }

/* ---- conversions */

/* Rounds, then clamps to the limits of the type. A NaN becomes 0, or the highest bit alone in 64
 * bits. */
template <typename To> inline To assay_narrow_to_integer(float value, assay_narrow_mode mode)
{
    const double x       = static_cast<double>(value);
    const double rounded = mode == ASSAY_NARROW_RN   ? nearbyint(x)
                           : mode == ASSAY_NARROW_RD ? floor(x)
                           : mode == ASSAY_NARROW_RU ? ceil(x)
                                                     : trunc(x);
    /* One past the largest: a power of two. */
    const double end = ldexp(1.0, std::numeric_limits<To>::digits);

    if (isnan(x))
        return sizeof(To) == 8 ? static_cast<To>(UINT64_C(1) << 63) : To(0);
    if (rounded >= end)
        return std::numeric_limits<To>::max();
    return rounded <= static_cast<double>(std::numeric_limits<To>::min())
               ? std::numeric_limits<To>::min()
               : static_cast<To>(rounded);
}

template <typename T, typename FORMAT>
inline T assay_narrow_convert(double value, assay_narrow_mode mode)
{
    T result;

    result.__x = static_cast<unsigned short>(assay_narrow_rounded<FORMAT>(value, mode));
    return result;
}

#define ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, type, integer, suffix, mode)                \
    inline NAME __##integer##2##WORD##_##suffix(type a)                                            \
    {                                                                                              \
        return assay_narrow_convert<NAME, FORMAT>(assay_narrow_of_integer(a), mode);               \
    }                                                                                              \
    inline type __##WORD##2##integer##_##suffix(NAME a)                                            \
    {                                                                                              \
        return assay_narrow_to_integer<type>(assay_to_float(a), mode);                             \
    }
#define ASSAY_HOST_FLOAT16_INTEGERS(NAME, FORMAT, WORD, suffix, mode)                              \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, short, short, suffix, mode)                     \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, unsigned short, ushort, suffix, mode)           \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, int, int, suffix, mode)                         \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, unsigned, uint, suffix, mode)                   \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, long long, ll, suffix, mode)                    \
    ASSAY_HOST_FLOAT16_INTEGER(NAME, FORMAT, WORD, unsigned long long, ull, suffix, mode)
#define ASSAY_HOST_FLOAT16_OF_FLOAT(NAME, FORMAT, WORD, suffix, mode)                              \
    inline NAME __float2##WORD##_##suffix(float a)                                                 \
    {                                                                                              \
        return assay_narrow_convert<NAME, FORMAT>(static_cast<double>(a), mode);                   \
    }
#define ASSAY_HOST_FLOAT16_CONVERSIONS(NAME, FORMAT, WORD)                                         \
    ASSAY_HOST_FLOAT16_INTEGERS(NAME, FORMAT, WORD, rn, ASSAY_NARROW_RN)                           \
    ASSAY_HOST_FLOAT16_INTEGERS(NAME, FORMAT, WORD, rd, ASSAY_NARROW_RD)                           \
    ASSAY_HOST_FLOAT16_INTEGERS(NAME, FORMAT, WORD, ru, ASSAY_NARROW_RU)                           \
    ASSAY_HOST_FLOAT16_INTEGERS(NAME, FORMAT, WORD, rz, ASSAY_NARROW_RZ)                           \
    ASSAY_HOST_FLOAT16_OF_FLOAT(NAME, FORMAT, WORD, rd, ASSAY_NARROW_RD)                           \
    ASSAY_HOST_FLOAT16_OF_FLOAT(NAME, FORMAT, WORD, ru, ASSAY_NARROW_RU)                           \
    ASSAY_HOST_FLOAT16_OF_FLOAT(NAME, FORMAT, WORD, rz, ASSAY_NARROW_RZ)                           \
    inline signed char __##WORD##2char_rz(NAME a)                                                  \
    {                                                                                              \
        return assay_narrow_to_integer<signed char>(assay_to_float(a), ASSAY_NARROW_RZ);           \
    }                                                                                              \
    inline unsigned char __##WORD##2uchar_rz(NAME a)                                               \
    {                                                                                              \
        return assay_narrow_to_integer<unsigned char>(assay_to_float(a), ASSAY_NARROW_RZ);         \
    }

#endif
