/* Where a particle is on a periodic grid, and its cloud-in-cell weights. The place is part of the
 * cases' definition: computed in single precision, by division, without contraction. */
#ifndef ASSAY_THERMO_CIC_CUH
#define ASSAY_THERMO_CIC_CUH

#include "thermo_device.cuh"

/* g - G floor(g / G), in 0..G. Rounding can give G itself (for any g just below 0), and a g far
 * outside can give anything: both become 0. For a g inside the quotient is already 0. */
__device__ inline float thermo_wrap(float g, float extent)
{
    float r = g;

    if (!(g >= 0 && g < extent))
        r = __fsub_rn(g, __fmul_rn(extent, floorf(__fdiv_rn(g, extent))));
    return r >= 0 && r < extent ? r : 0.0f;
}

/* The same on three axes. Most particles are inside, so that a warp takes one branch. */
__device__ inline void thermo_wrap_vector(float g[3], const float extent[3])
{
    const bool is_inside = g[0] >= 0 && g[0] < extent[0] && g[1] >= 0 && g[1] < extent[1] &&
                           g[2] >= 0 && g[2] < extent[2];

    if (!is_inside)
        for (int d = 0; d < 3; d++)
            g[d] = thermo_wrap(g[d], extent[d]);
}

/* A particle in units of the spacing: its wrapped coordinates. */
struct thermo_place {
    float r[3];
};

/* The branch on the kind of dx is taken once for the three axes, and is the same in all threads. */
__device__ inline thermo_place thermo_place_of(const thermo_grid &g, const float pos[3])
{
    const float  extent[3] = { static_cast<float>(g.gx), static_cast<float>(g.gy),
                               static_cast<float>(g.gz) };
    thermo_place at;

    if (g.per_dx > 0)
        for (int d = 0; d < 3; d++)
            at.r[d] = __fmul_rn(pos[d], g.per_dx);
    else
        for (int d = 0; d < 3; d++)
            at.r[d] = __fdiv_rn(pos[d], g.dx);
    thermo_wrap_vector(at.r, extent);
    return at;
}

/* The cell of a place: the node at its lower corner, and the distances from it in cells. */
struct thermo_cell {
    int   i, j, k;
    float f[3];
};

/* A place is at or above 0, so truncation rounds down. */
__device__ inline thermo_cell thermo_cell_of(const thermo_place &at)
{
    const int i = static_cast<int>(at.r[0]), j = static_cast<int>(at.r[1]),
              k = static_cast<int>(at.r[2]);

    return { i,
             j,
             k,
             { at.r[0] - static_cast<float>(i), at.r[1] - static_cast<float>(j),
               at.r[2] - static_cast<float>(k) } };
}

/* Corner c of a cell lies at its upper x, y, z node where bit 2, 1, 0 of c is set. */
enum {
    THERMO_N_CORNERS = 8
};

__device__ inline int thermo_corner_node(const thermo_grid &g, const thermo_cell &cell, int c)
{
    return thermo_node(g, c & 4 ? thermo_next(cell.i, g.gx) : cell.i,
                       c & 2 ? thermo_next(cell.j, g.gy) : cell.j,
                       c & 1 ? thermo_next(cell.k, g.gz) : cell.k);
}

__device__ inline float thermo_corner_weight(const float f[3], int c)
{
    return (c & 4 ? f[0] : 1 - f[0]) * (c & 2 ? f[1] : 1 - f[1]) * (c & 1 ? f[2] : 1 - f[2]);
}

#endif
