/* What the fused kernels for the gradient with respect to the fields share.
 *
 * The gradient at a cell needs the residuals one cell around, and those need fields two cells
 * around. Along an axis, the transpose of the difference is a difference again. A cell's flux is
 * the product of its own cotangents and fields; a cell takes the flux of its neighbour below minus
 * the flux of its neighbour above. Outside a zero_gradient end the flux is minus the end cell's. */
#ifndef ASSAY_FUSED_FIELD_CUH
#define ASSAY_FUSED_FIELD_CUH

#include "phys_launch.h"

/* The cell that place i stands for; i may be outside the axis by any distance. */
__device__ inline int phys_source(int i, int n, int periodic)
{
    if (i >= 0 && i < n)
        return i;
    return periodic ? (i % n + n) % n : i < 0 ? 0 : n - 1;
}

/* The planes of a block: its own, and those whose residuals it computes. The latter are one more on
 * each side, except beyond a zero_gradient end. */
struct phys_range {
    int begin, end;  /* its own */
    int first, last; /* last is included */
};
__device__ inline phys_range phys_range_of(const phys_kernel_args &a, int tile_z)
{
    phys_range p;

    p.begin = tile_z * a.planes;
    p.end   = min(p.begin + a.planes, a.nz);
    p.first = !a.periodic[2] && p.begin == 0 ? p.begin : p.begin - 1;
    p.last  = !a.periodic[2] && p.end == a.nz ? p.end - 1 : p.end;
    return p;
}

/* Component c of the flux along an axis of a cell with cotangents g. v is its velocity along the
 * axis, s its sigma, both over 2h. */
__device__ inline float phys_flux(const float g[4], int c, int axis, float v, float s)
{
    return c == 1 + axis ? fmaf(g[0], s, g[c] * v) : g[c] * v;
}

/* Sum of cotangents times differences along one axis. */
__device__ inline float phys_dot(const float g[4], const float d[4])
{
    return fmaf(g[3], d[3], fmaf(g[2], d[2], fmaf(g[1], d[1], g[0] * d[0])));
}

/* The terms of a cell's gradient that need no neighbour. */
template <bool CENTRAL> __device__ inline void
phys_own_gradient(const phys_kernel_args &a, const phys_cell &cell, const float g[4], float own[4])
{
    float divergence = cell.dx[1] * a.per_two_h[0];

    divergence = fmaf(cell.dy[2], a.per_two_h[1], divergence);
    divergence = fmaf(cell.dz[3], a.per_two_h[2], divergence);
    own[0]     = g[0] * divergence;
    own[1]     = phys_dot(g, cell.dx) * a.per_two_h[0];
    own[2]     = phys_dot(g, cell.dy) * a.per_two_h[1];
    own[3]     = phys_dot(g, cell.dz) * a.per_two_h[2];
    if (!CENTRAL)
#pragma unroll
        for (int c = 0; c < 4; c++)
            own[c] = fmaf(g[c], a.per_step, own[c]);
}

/* Writes gradients of V cells of a plane: to[0] of sigma, to[1] of u. */
template <int V> __device__ inline void phys_store_gradient(float *const to[2], int64_t cells,
                                                            int64_t plane, unsigned column,
                                                            const phys_vector<V> d[4])
{
    phys_store<V>(to[0] + plane, column, d[0]);
#pragma unroll
    for (int c = 1; c < 4; c++)
        phys_store<V>(to[1] + plane + (c - 1) * cells, column, d[c]);
}

/* Writes what follows from the residuals of V cells alone: the gradients at t0 and t2, and the
 * residuals. */
template <int V> __device__ inline void phys_write_plane(const phys_kernel_args &a, int64_t plane,
                                                         unsigned column, const phys_vector<V> r[4])
{
#pragma unroll
    for (int level = 0; level < 2; level++) {
        const float    step = level == 0 ? -a.per_step : a.per_step;
        phys_vector<V> d[4];

        if (a.d_far[level][0] == NULL)
            continue;
#pragma unroll
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int v = 0; v < V; v++)
                d[c].at[v] = step * (a.gradient_factor[c > 0] * r[c].at[v]);
        phys_store_gradient<V>(a.d_far[level], a.cells, plane, column, d);
    }
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (a.r[c > 0] != NULL)
            phys_store<V>(a.r[c > 0] + plane + (c > 0 ? c - 1 : 0) * a.cells, column, r[c]);
}

#endif
