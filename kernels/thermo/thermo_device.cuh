/* Device functions of the thermo kernels: indices, the state of a node, admissibility, primitives.
 * Decisions and indices use rounded arithmetic without contraction, the same on both devices. */
#ifndef ASSAY_THERMO_DEVICE_CUH
#define ASSAY_THERMO_DEVICE_CUH

#include "kernel.h"
#include "thermo.h"

#include <math.h>

/* Extents and spacing of a periodic grid. A grid has fewer than 2^31 nodes. The five fields of one
 * grid may have more values than that, so that products with an index are 64 bits wide. */
struct thermo_grid {
    int   gx, gy, gz;
    float dx;
    float per_dx; /* 1/dx if dx is a power of two: multiplying by it gives the quotient. Else 0 */
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

/* Also right where the compiler may assume that there are no NaN. */
__device__ inline bool thermo_is_finite(float x)
{
    return (__float_as_uint(x) & 0x7f800000u) != 0x7f800000u;
}

#endif
