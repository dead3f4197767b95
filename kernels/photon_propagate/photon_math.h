/* Single-precision arithmetic of a step, in C, CUDA C++ and C++. Every product that could be fused
 * with a sum is written out as fused or not, so that all kernels of a device give the same bits,
 * however a step is inlined into them. */
#ifndef PHOTON_MATH_H
#define PHOTON_MATH_H

#include "kernel.h"

#include <math.h>

#if defined(__CUDACC__) || defined(ASSAY_HOST_KERNELS)
#define PHOTON_FUNCTION __device__ inline
#else
#define PHOTON_FUNCTION static inline
#endif

/* A product that is not fused with a sum. */
#if defined(__CUDACC__) && !defined(ASSAY_HOST_KERNELS)
#define photon_mul(a, b) __fmul_rn((a), (b))
#else
#define photon_mul(a, b) ((a) * (b))
#endif

typedef struct photon_vec {
    float x, y, z;
} photon_vec;

PHOTON_FUNCTION photon_vec photon_vec_of(float x, float y, float z)
{
    photon_vec v;

    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

PHOTON_FUNCTION float photon_dot(photon_vec a, photon_vec b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, photon_mul(a.z, b.z)));
}

/* If b changes its sign, the result changes its sign and nothing else. */
PHOTON_FUNCTION photon_vec photon_cross(photon_vec a, photon_vec b)
{
    return photon_vec_of(fmaf(a.y, b.z, -photon_mul(a.z, b.y)),
                         fmaf(a.z, b.x, -photon_mul(a.x, b.z)),
                         fmaf(a.x, b.y, -photon_mul(a.y, b.x)));
}

PHOTON_FUNCTION photon_vec photon_sum(photon_vec a, photon_vec b)
{
    return photon_vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

PHOTON_FUNCTION photon_vec photon_difference(photon_vec a, photon_vec b)
{
    return photon_vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

PHOTON_FUNCTION photon_vec photon_scaled(float s, photon_vec v)
{
    return photon_vec_of(photon_mul(s, v.x), photon_mul(s, v.y), photon_mul(s, v.z));
}

/* a + s v */
PHOTON_FUNCTION photon_vec photon_along(photon_vec a, float s, photon_vec v)
{
    return photon_vec_of(fmaf(s, v.x, a.x), fmaf(s, v.y, a.y), fmaf(s, v.z, a.z));
}

PHOTON_FUNCTION photon_vec photon_unit(photon_vec v)
{
    return photon_scaled(1.0f / sqrtf(photon_dot(v, v)), v);
}

/* Sine and cosine of a share of a full turn. */
PHOTON_FUNCTION void photon_turn(float share, float *sine, float *cosine)
{
#if defined(__CUDACC__) || defined(ASSAY_HOST_KERNELS)
    sincospif(2.0f * share, sine, cosine); /* the product is exact */
#else
    const double angle = 6.283185307179586 * (double)share;

    *sine   = (float)sin(angle);
    *cosine = (float)cos(angle);
#endif
}

#endif
