/* CUDA's mathematical functions beyond the C library and host_math.h: norms, the inverse error
 * functions, the normal distribution, Bessel functions of imaginary arguments. Computed in long
 * double and rounded, which is more accurate than CUDA promises. */
#ifndef ASSAY_HOST_SPECIAL_H
#define ASSAY_HOST_SPECIAL_H

#include "host_math.h"

typedef long double assay_host_wide;

/* ---- norms: infinite if a member is infinite, even if another one is NaN */

inline assay_host_wide assay_host_norm(int n, const double *values)
{
    assay_host_wide sum         = 0;
    bool            is_infinite = false;

    for (int i = 0; i < n; i++) {
        sum += static_cast<assay_host_wide>(values[i]) * static_cast<assay_host_wide>(values[i]);
        is_infinite = is_infinite || isinf(values[i]);
    }
    return is_infinite ? static_cast<assay_host_wide>(HUGE_VAL) : sqrtl(sum);
}
inline assay_host_wide assay_host_norm(int n, const float *values)
{
    double sum         = 0;
    bool   is_infinite = false;

    for (int i = 0; i < n; i++) {
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
        is_infinite = is_infinite || isinf(values[i]);
    }
    return is_infinite ? HUGE_VALF : sqrt(sum);
}

#define ASSAY_HOST_NORMS(type, suffix)                                                             \
    inline type norm##suffix(int n, const type *values)                                            \
    {                                                                                              \
        return static_cast<type>(assay_host_norm(n, values));                                      \
    }                                                                                              \
    inline type rnorm##suffix(int n, const type *values)                                           \
    {                                                                                              \
        return static_cast<type>(1 / assay_host_norm(n, values));                                  \
    }                                                                                              \
    inline type rhypot##suffix(type a, type b)                                                     \
    {                                                                                              \
        const type values[] = { a, b };                                                            \
                                                                                                   \
        return rnorm##suffix(2, values);                                                           \
    }                                                                                              \
    inline type norm4d##suffix(type a, type b, type c, type d)                                     \
    {                                                                                              \
        const type values[] = { a, b, c, d };                                                      \
                                                                                                   \
        return norm##suffix(4, values);                                                            \
    }                                                                                              \
    inline type rnorm4d##suffix(type a, type b, type c, type d)                                    \
    {                                                                                              \
        const type values[] = { a, b, c, d };                                                      \
                                                                                                   \
        return rnorm##suffix(4, values);                                                           \
    }
ASSAY_HOST_NORMS(float, f)
ASSAY_HOST_NORMS(double, )
#undef ASSAY_HOST_NORMS
inline double norm3d(double a, double b, double c)
{
    const double values[] = { a, b, c };

    return norm(3, values);
}
inline double rnorm3d(double a, double b, double c)
{
    const double values[] = { a, b, c };

    return rnorm(3, values);
}

/* ---- inverse error functions: a first guess, then steps of Halley's method, each of which triples
 * the correct digits */

inline assay_host_wide assay_host_halley(assay_host_wide y, assay_host_wide excess)
{
    /* 2 / sqrt(pi) exp(-y^2) is the slope of erf. */
    const assay_host_wide step = excess * expl(y * y) * 0.88622692545275801364908L;

    return y - step / (1 + y * step);
}

/* For |x| <= 0.5, where erf has the full relative accuracy. */
inline assay_host_wide assay_host_erfinv_inner(assay_host_wide x)
{
    /* The first terms of the series. */
    assay_host_wide y =
        x * (0.88622692545275801L + x * x * (0.23201366653465450L + x * x * 0.12755617530559799L));

    for (int i = 0; i < 3; i++)
        y = assay_host_halley(y, erfl(y) - x);
    return y;
}

/* Solves erfc(y) = z for 0 < z <= 0.5, where erfc has the full relative accuracy. The first guess
 * is rational (Abramowitz and Stegun 26.2.23). */
inline assay_host_wide assay_host_erfcinv_tail(assay_host_wide z)
{
    const assay_host_wide t     = sqrtl(-2 * logl(z / 2));
    const assay_host_wide above = 2.515517L + t * (0.802853L + t * 0.010328L);
    const assay_host_wide below = 1 + t * (1.432788L + t * (0.189269L + t * 0.001308L));
    assay_host_wide       y     = (t - above / below) * 0.70710678118654752440084L;

    for (int i = 0; i < 3; i++)
        y = assay_host_halley(y, z - erfcl(y));
    return y;
}

/* Solves erf(y) = x, given below = 1 + x and above = 1 - x with full relative accuracy. */
inline assay_host_wide assay_host_erf_inverse(assay_host_wide x, assay_host_wide below,
                                              assay_host_wide above)
{
    if (!(below >= 0 && above >= 0))
        return static_cast<assay_host_wide>(NAN);
    if (below == 0 || above == 0)
        return copysignl(static_cast<assay_host_wide>(HUGE_VAL), x);
    if (fabsl(x) <= 0.5L)
        return assay_host_erfinv_inner(x);
    return x > 0 ? assay_host_erfcinv_tail(above) : -assay_host_erfcinv_tail(below);
}

inline assay_host_wide assay_host_erfinv(assay_host_wide x)
{
    return assay_host_erf_inverse(x, 1 + x, 1 - x);
}
inline assay_host_wide assay_host_erfcinv(assay_host_wide z)
{
    return assay_host_erf_inverse(1 - z, 2 - z, z);
}
inline assay_host_wide assay_host_normcdf(assay_host_wide x)
{
    return erfcl(x * -0.70710678118654752440084L) / 2;
}
inline assay_host_wide assay_host_normcdfinv(assay_host_wide p)
{
    return -1.41421356237309504880169L * assay_host_erfcinv(2 * p);
}

/* exp(x^2) erfc(x). For large x by the asymptotic series, which reaches full accuracy long before
 * its terms grow again. */
inline assay_host_wide assay_host_erfcx(assay_host_wide x)
{
    assay_host_wide term = 1, sum = 1;

    if (x < 10)
        return expl(x * x) * erfcl(x);
    for (int i = 1; i < 30; i++) {
        term *= -(2 * i - 1) / (2 * x * x);
        sum += term;
    }
    return sum / (x * 1.77245385090551602729817L);
}

/* ---- modified Bessel functions of order 0 and 1, by their series: all its terms are positive */

inline assay_host_wide assay_host_bessel(int order, assay_host_wide x)
{
    const assay_host_wide square = x * x / 4;
    assay_host_wide       term = order == 0 ? 1 : x / 2, sum = term;

    if (fabsl(x) > 720) /* past the largest fp64 */
        return isnan(x) || order == 0 ? fabsl(x) * HUGE_VAL : x * HUGE_VAL;
    for (int k = 1; fabsl(term) > fabsl(sum) * 1e-22L; k++) {
        term *= square / (static_cast<assay_host_wide>(k) * (k + order));
        sum += term;
    }
    return sum;
}

#define ASSAY_HOST_SPECIAL(name, value)                                                            \
    inline double name(double x) { return static_cast<double>(value); }                            \
    inline float  name##f(float x) { return static_cast<float>(value); }                           \
    inline float  name(float x) { return name##f(x); }
ASSAY_HOST_SPECIAL(erfinv, assay_host_erfinv(x))
ASSAY_HOST_SPECIAL(erfcinv, assay_host_erfcinv(x))
ASSAY_HOST_SPECIAL(normcdf, assay_host_normcdf(x))
ASSAY_HOST_SPECIAL(normcdfinv, assay_host_normcdfinv(x))
ASSAY_HOST_SPECIAL(erfcx, assay_host_erfcx(x))
#undef ASSAY_HOST_SPECIAL
inline double cyl_bessel_i0(double x) { return static_cast<double>(assay_host_bessel(0, x)); }
inline double cyl_bessel_i1(double x) { return static_cast<double>(assay_host_bessel(1, x)); }
inline float  cyl_bessel_i0f(float x) { return static_cast<float>(assay_host_bessel(0, x)); }
inline float  cyl_bessel_i1f(float x) { return static_cast<float>(assay_host_bessel(1, x)); }

/* ---- overloads for fp32; __ddiv and the like are in host_math.h */

inline float fdividef(float a, float b) { return a / b; }
inline float exp10(float x) { return powf(10.0f, x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline float rhypot(float a, float b) { return rhypotf(a, b); }

#endif
