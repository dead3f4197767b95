/* Where a particle is on a periodic grid, and its cloud-in-cell weights. The place is part of the
 * cases' definition: single precision, divided, not contracted. */
#ifndef ASSAY_THERMO_CIC_CUH
#define ASSAY_THERMO_CIC_CUH

#include "thermo_device.cuh"

/* g - G floor(g / G) in 0..G; rounding can give G itself (any g just below 0), and a g far outside
 * can give anything: both mean 0. A g inside already has the quotient 0. */
__device__ inline float thermo_wrap(float g, float extent)
{
    float r = g;

    if (!(g >= 0 && g < extent))
        r = __fsub_rn(g, __fmul_rn(extent, floorf(__fdiv_rn(g, extent))));
    return r >= 0 && r < extent ? r : 0.0f;
}

/* A particle in units of the spacing: its wrapped coordinates. */
struct thermo_place {
    float r[3];
};

__device__ inline thermo_place thermo_place_of(const thermo_grid &g, const float pos[3])
{
    return { { thermo_wrap(__fdiv_rn(pos[0], g.dx), static_cast<float>(g.gx)),
               thermo_wrap(__fdiv_rn(pos[1], g.dx), static_cast<float>(g.gy)),
               thermo_wrap(__fdiv_rn(pos[2], g.dx), static_cast<float>(g.gz)) } };
}

/* The cell of a place: the node at its lower corner, and the distances from it in cells. */
struct thermo_cell {
    int   i, j, k;
    float f[3];
};

__device__ inline thermo_cell thermo_cell_of(const thermo_place &at)
{
    const float x = floorf(at.r[0]), y = floorf(at.r[1]), z = floorf(at.r[2]);

    return { static_cast<int>(x),
             static_cast<int>(y),
             static_cast<int>(z),
             { at.r[0] - x, at.r[1] - y, at.r[2] - z } };
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
