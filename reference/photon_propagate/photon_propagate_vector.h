/* Vectors in double. Only for photon_propagate*.c. */
#ifndef PHOTON_PROPAGATE_VECTOR_H
#define PHOTON_PROPAGATE_VECTOR_H

#include "photon_propagate.h"

#include <math.h>

/* Roundings of a kernel, in units of PHOTON_ROUNDOFF and of the magnitude of what they are of.
 * Every operation counts as one, whether a kernel fuses it or not; an ulp counts as two. Library
 * functions as CUDA documents them: logarithm 1 ulp, sine, cosine and arc cosine 2. */
enum {
    E_DOT   = 3, /* three products, or a product and two fused ones: each term goes through three */
    E_CROSS = 3, /* two products, whose errors as a vector are root 2; difference 1 */
    E_COMBINE = 3, /* a u + b v: two products, root 2; sum 1 */
    E_UNIT    = 5, /* root of a dot product, half of 3, and 1; quotient 1; product 1: 4.5 */
    E_TURN    = 4, /* sine and cosine of an exact share of a turn, 2 ulp */
    E_LOG     = 3  /* logarithm, 1 ulp; product 1 */
};

static inline photon_vector vector_sum(photon_vector a, photon_vector b)
{
    return (photon_vector) { a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline photon_vector vector_scaled(double s, photon_vector v)
{
    return (photon_vector) { s * v.x, s * v.y, s * v.z };
}

static inline photon_vector vector_difference(photon_vector a, photon_vector b)
{
    return vector_sum(a, vector_scaled(-1, b));
}

static inline double vector_dot(photon_vector a, photon_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Sum of the magnitudes of the terms of a dot product. */
static inline double vector_dot_size(photon_vector a, photon_vector b)
{
    return fabs(a.x * b.x) + fabs(a.y * b.y) + fabs(a.z * b.z);
}

static inline photon_vector vector_cross(photon_vector a, photon_vector b)
{
    return (photon_vector) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double vector_length(photon_vector v) { return sqrt(vector_dot(v, v)); }

static inline photon_vector vector_unit(photon_vector v)
{
    return vector_scaled(1 / vector_length(v), v);
}

static inline photon_vector vector_at(const float *v)
{
    return (photon_vector) { (double)v[0], (double)v[1], (double)v[2] };
}

#endif
