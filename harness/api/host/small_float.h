/* Floating-point numbers of 4 and 6 bits for host compilation, which have neither infinity nor NaN.
 * cuda/cuda_fp4.h and cuda/cuda_fp6.h are built on them. */
#ifndef ASSAY_HOST_SMALL_FLOAT_H
#define ASSAY_HOST_SMALL_FLOAT_H

#include <math.h>

#ifndef ASSAY_HOST_HAS_ROUND_MODE
#define ASSAY_HOST_HAS_ROUND_MODE
enum cudaRoundMode {
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf
};
#endif

/* From the highest bit down: sign, exponent, fraction. */
template <int EXPONENT_BITS, int FRACTION_BITS> struct assay_small {
    static constexpr int      BIAS    = (1 << (EXPONENT_BITS - 1)) - 1;
    static constexpr unsigned SIGN    = 1u << (EXPONENT_BITS + FRACTION_BITS);
    static constexpr unsigned LARGEST = SIGN - 1;

    static double value_of(unsigned magnitude)
    {
        const int field    = static_cast<int>(magnitude >> FRACTION_BITS);
        const int fraction = static_cast<int>(magnitude & ((1u << FRACTION_BITS) - 1u));

        return field == 0 ? ldexp(fraction, 1 - BIAS - FRACTION_BITS)
                          : ldexp(fraction + (1 << FRACTION_BITS), field - BIAS - FRACTION_BITS);
    }
    static float to_float(unsigned bits)
    {
        const float size = static_cast<float>(value_of(bits & LARGEST));

        return (bits & SIGN) != 0 ? -size : size;
    }
    /* A value beyond the largest one, and NaN, become the largest value. */
    static unsigned from_double(double value, cudaRoundMode mode)
    {
        const double   size  = fabs(value);
        const unsigned sign  = signbit(value) ? SIGN : 0;
        unsigned       below = 0;

        if (!(size < value_of(LARGEST)))
            return isnan(value) ? LARGEST : sign | LARGEST;
        while (value_of(below + 1) <= size)
            below++;
        return sign | (below + (goes_up(size, below, sign != 0, mode) ? 1 : 0));
    }

  private:
    /* Is it rounded away from zero? A tie goes to the even pattern. */
    static bool goes_up(double size, unsigned below, bool is_negative, cudaRoundMode mode)
    {
        const double low = value_of(below), high = value_of(below + 1);

        if (size == low || mode == cudaRoundZero)
            return false;
        if (mode != cudaRoundNearest)
            return (mode == cudaRoundMinInf) == is_negative;
        return size - low > high - size || (size - low == high - size && below % 2 != 0);
    }
};

using assay_e2m1 = assay_small<2, 1>;
using assay_e2m3 = assay_small<2, 3>;
using assay_e3m2 = assay_small<3, 2>;

#endif
