/* Device functions of the thermo kernels: indices, the state of a node, admissibility, primitives.
 * Decisions and indices use rounded arithmetic without contraction, the same on both devices. */
#ifndef ASSAY_THERMO_DEVICE_CUH
#define ASSAY_THERMO_DEVICE_CUH

#include "kernel.h"
#include "thermo.h"

#include <math.h>

/* Extents and spacing of a periodic grid. A grid has fewer than 2^31 nodes; five fields of one may
 * have more values than that, so products with an index are 64 bits wide. */
struct thermo_grid {
    int   gx, gy, gz;
    float dx;
    float per_dx; /* 1/dx where dx is a power of two: a product with it is the quotient. Else 0 */
};

inline thermo_grid thermo_grid_of(const int64_t extent[3], float dx)
{
    int exponent;

    return { static_cast<int>(extent[0]), static_cast<int>(extent[1]), static_cast<int>(extent[2]),
             dx, frexpf(dx, &exponent) == 0.5f ? 1 / dx : 0 };
}

__device__ inline int thermo_node(const thermo_grid &g, int i, int j, int k)
{
    return (i * g.gy + j) * g.gz + k;
}

/* The neighbour of place i on an axis of n nodes. */
__device__ inline int thermo_next(int i, int n) { return i + 1 == n ? 0 : i + 1; }
__device__ inline int thermo_previous(int i, int n) { return (i == 0 ? n : i) - 1; }

/* Conserved values of a node, and the arrays they are kept in. */
struct thermo_state {
    float rho, mom[3], e;
};
struct thermo_fields {
    float *rho, *mom, *e;
};
struct thermo_const_fields {
    const float *rho, *mom, *e;
};

__device__ inline thermo_state thermo_load(const thermo_const_fields &f, int node)
{
    const int64_t m = 3 * static_cast<int64_t>(node);

    return { f.rho[node], { f.mom[m], f.mom[m + 1], f.mom[m + 2] }, f.e[node] };
}

__device__ inline void thermo_store(const thermo_fields &f, int node, const thermo_state &u)
{
    const int64_t m = 3 * static_cast<int64_t>(node);

    f.rho[node] = u.rho;
    for (int d = 0; d < 3; d++)
        f.mom[m + d] = u.mom[d];
    f.e[node] = u.e;
}

__device__ inline float thermo_quiet_nan() { return __uint_as_float(0x7fc00000u); }

/* Also where the compiler may assume that there are no NaN. */
__device__ inline bool thermo_is_finite(float x)
{
    return (__float_as_uint(x) & 0x7f800000u) != 0x7f800000u;
}

__device__ inline bool thermo_is_finite(const thermo_state &u)
{
    return thermo_is_finite(u.rho) && thermo_is_finite(u.mom[0]) && thermo_is_finite(u.mom[1]) &&
           thermo_is_finite(u.mom[2]) && thermo_is_finite(u.e);
}

__device__ inline float thermo_square(const float v[3])
{
    return __fadd_rn(__fadd_rn(__fmul_rn(v[0], v[0]), __fmul_rn(v[1], v[1])),
                     __fmul_rn(v[2], v[2]));
}

/* Does the gas of a node exist? In the low-density envelope, |rho| <= rho_min, its momentum and
 * energy must be small too; above it, its energy must not be negative. */
__device__ inline bool thermo_is_admissible(const thermo_state &u)
{
    constexpr float rho_min = static_cast<float>(THERMO_RHO_MIN);

    if (!thermo_is_finite(u))
        return false;
    if (fabsf(u.rho) > rho_min)
        return u.rho > rho_min && u.e >= 0;
    return __fsqrt_rn(thermo_square(u.mom)) <= rho_min &&
           u.e >= -static_cast<float>(THERMO_E_BELOW) && u.e <= static_cast<float>(THERMO_E_ABOVE);
}

/* What follows from the conserved values of an admissible node: velocity, pressure, temperature and
 * the fastest signal |u| + c. In the envelope density and energy are raised to where the quotients
 * make sense; the conserved values stay what they are. */
struct thermo_primitives {
    float u[3], p, temperature, signal;
};

__device__ inline thermo_primitives thermo_primitives_of(const thermo_state &u)
{
    constexpr float   rho_min = static_cast<float>(THERMO_RHO_MIN);
    const bool        is_low  = u.rho <= rho_min;
    const float       rho     = is_low ? rho_min : u.rho;
    const float       e       = is_low && !(u.e > 0) ? 0.0f : u.e;
    thermo_primitives q;

    for (int d = 0; d < 3; d++)
        q.u[d] = __fdiv_rn(u.mom[d], rho);
    q.p           = static_cast<float>(THERMO_GAMMA - 1) * e;
    q.temperature = __fdiv_rn(e, rho); /* c_v = 1 */
    q.signal      = __fsqrt_rn(thermo_square(q.u)) +
               __fsqrt_rn(__fdiv_rn(static_cast<float>(THERMO_GAMMA) * q.p, rho));
    return q;
}

#endif
