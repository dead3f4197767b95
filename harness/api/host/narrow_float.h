/* Floating-point numbers of 8 and 16 bits for host compilation: conversions from and to fp32 and
 * fp64, to nearest, ties to even, in every rounding mode. CUDA's types in host/cuda are built on
 * them. */
#ifndef ASSAY_HOST_NARROW_FLOAT_H
#define ASSAY_HOST_NARROW_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* From the highest bit down: sign, exponent, fraction. */
template <int EXPONENT_BITS, int FRACTION_BITS, bool HAS_INFINITY> struct assay_narrow {
    static constexpr int      BIAS     = (1 << (EXPONENT_BITS - 1)) - 1;
    static constexpr uint32_t SIGN     = UINT32_C(1) << (EXPONENT_BITS + FRACTION_BITS);
    static constexpr uint32_t INFINITE = SIGN - (UINT32_C(1) << FRACTION_BITS);
    static constexpr uint32_t NAN_BITS = SIGN - 1; /* all bits set: CUDA's canonical NaN */
    static constexpr uint32_t LARGEST  = (HAS_INFINITY ? INFINITE : NAN_BITS) - 1;
    static constexpr int      DROPPED  = 23 - FRACTION_BITS;

    static float to_float(uint32_t bits)
    {
        const uint32_t sign      = (bits & SIGN) != 0 ? UINT32_C(1) << 31 : 0;
        const uint32_t magnitude = bits & (SIGN - 1);
        const uint32_t fraction  = magnitude & ((UINT32_C(1) << FRACTION_BITS) - 1);
        const int      field     = static_cast<int>(magnitude >> FRACTION_BITS);
        uint32_t       wide;

        if (magnitude > LARGEST)
            wide = 0x7F800000u | fraction << DROPPED;
        else if (EXPONENT_BITS == 8) /* an fp32 without its last bits */
            wide = magnitude << DROPPED;
        else if (field == 0)
            wide = bits_of(ldexpf(static_cast<float>(fraction), 1 - BIAS - FRACTION_BITS));
        else
            wide = static_cast<uint32_t>(field - BIAS + 127) << 23 | fraction << DROPPED;
        if (magnitude == NAN_BITS && !HAS_INFINITY)
            wide = 0x7FC00000u;
        return float_of(sign | wide);
    }

    static uint32_t from_float(float value)
    {
        const uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFFu;
        const uint32_t sign     = bits >> 31 != 0 ? SIGN : 0;
        const int      exponent = static_cast<int>(magnitude >> 23) - 127 + BIAS;
        const uint32_t implicit = magnitude >= 0x800000u ? UINT32_C(1) << 23 : 0;
        /* Below the smallest exponent, fewer bits of the fraction remain. */
        const int shift = DROPPED + (exponent < 1 ? 1 - exponent - (implicit == 0) : 0);
        uint32_t  rounded;

        if (magnitude > 0x7F800000u)
            return NAN_BITS;
        if (magnitude == 0x7F800000u || exponent >= 1 << EXPONENT_BITS)
            return sign | past_largest();
        if (shift > 24)
            return sign;
        rounded = round_off(implicit | (magnitude & 0x7FFFFFu), shift);
        /* The implicit bit carries into the exponent, and so may rounding up. */
        rounded += exponent > 1 ? static_cast<uint32_t>(exponent - 1) << FRACTION_BITS : 0;
        return sign | (rounded > LARGEST ? past_largest() : rounded);
    }

    /* Rounds to odd first: to an fp32 whose last bit is set if anything was cut off. Then rounding
     * twice equals rounding once. */
    static uint32_t from_double(double value) { return from_float(to_odd(value)); }

    /* A value beyond the largest one becomes the largest, as is usual for E4M3. */
    static uint32_t saturated(uint32_t bits)
    {
        const uint32_t magnitude = bits & (SIGN - 1);

        return magnitude == past_largest() ? (bits & SIGN) | LARGEST : bits;
    }

    static float to_odd(double value)
    {
        const float near = static_cast<float>(value);
        uint32_t    bits = bits_of(near);

        if (!(static_cast<double>(near) != value) || isnan(value))
            return near;
        if (fabs(static_cast<double>(near)) > fabs(value))
            bits--; /* toward zero */
        return float_of(bits | 1);
    }

    static float float_of(uint32_t bits)
    {
        float value;

        memcpy(&value, &bits, sizeof value);
        return value;
    }
    static uint32_t bits_of(float value)
    {
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        return bits;
    }

  private:
    static constexpr uint32_t past_largest() { return HAS_INFINITY ? INFINITE : NAN_BITS; }

    static uint32_t round_off(uint32_t value, int shift)
    {
        const uint32_t half = UINT32_C(1) << (shift - 1), rest = value & (2 * half - 1);
        const uint32_t kept = value >> shift;

        return kept + (rest > half || (rest == half && (kept & 1) != 0));
    }
};

/* Converts an integer to fp64, rounded to odd: the last bit is set if anything was cut off.
 * Rounding that to a narrow type equals rounding once. */
template <typename I> inline double assay_narrow_of_integer(I value)
{
    const double near = static_cast<double>(value);
    const auto   got = static_cast<long double>(near), wide = static_cast<long double>(value);
    uint64_t     bits;
    double       odd;

    if (got == wide)
        return near;
    memcpy(&bits, &near, sizeof bits);
    bits -= (got > wide) != (near < 0); /* toward zero, if it was rounded away from it */
    bits |= 1;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

/* Returns the bits of `value` rounded to FORMAT in the direction of the mode. */
enum assay_narrow_mode {
    ASSAY_NARROW_RN,
    ASSAY_NARROW_RD,
    ASSAY_NARROW_RU,
    ASSAY_NARROW_RZ
};
template <typename FORMAT>
inline uint32_t assay_narrow_rounded(double value, assay_narrow_mode mode)
{
    const uint32_t bits        = FORMAT::from_double(value);
    const double   near        = static_cast<double>(FORMAT::to_float(bits));
    const bool     is_down     = mode == ASSAY_NARROW_RD || (mode == ASSAY_NARROW_RZ && value > 0);
    const bool     is_negative = (bits & FORMAT::SIGN) != 0;

    if (mode == ASSAY_NARROW_RN || !(is_down ? near > value : near < value))
        return bits;
    if ((bits & (FORMAT::SIGN - 1)) == 0) /* to the first value on the other side of 0 */
        return is_down ? FORMAT::SIGN | 1 : 1;
    return is_down == is_negative ? bits + 1 : bits - 1;
}

using assay_binary16 = assay_narrow<5, 10, true>;
using assay_bfloat16 = assay_narrow<8, 7, true>;
using assay_e4m3     = assay_narrow<4, 3, false>;
using assay_e5m2     = assay_narrow<5, 2, true>;

/* a * b + c of 16-bit values, rounded to odd. The product is exact in fp64, and TwoSum (Knuth)
 * gives what the sum cuts off. */
inline double assay_narrow_fma(double a, double b, double c)
{
    const double product = a * b, sum = product + c;
    const double part = sum - product, rest = (product - (sum - part)) + (c - part);
    uint64_t     bits;
    double       odd;

    if (!(rest != 0) || isnan(rest) || isinf(sum))
        return sum;
    memcpy(&bits, &sum, sizeof bits);
    bits -= (rest < 0) != (sum < 0); /* toward zero, if it was rounded away from it */
    bits |= 1;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

#endif
