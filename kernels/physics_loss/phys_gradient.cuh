/* The gradient with respect to the fields, cell by cell: what a cell's cotangents a (of R_sigma)
 * and b_c (of R_c) contribute to the cell itself and to the cells that its differences read.
 *
 * D^T of g along an axis is (g(-1) - g(+1)) / 2h. Beyond the end of an axis the cotangents are
 * those of the other end (periodic), or those of the end cell with their sign changed
 * (zero_gradient). */
#ifndef ASSAY_PHYS_GRADIENT_CUH
#define ASSAY_PHYS_GRADIENT_CUH

#include "phys_device.cuh"

/* The sign of the cotangents of the neighbour of place i. */
__device__ inline float phys_sign_below(int i, int periodic)
{
    return i > 0 || periodic ? 1.0f : -1.0f;
}
__device__ inline float phys_sign_above(int i, int n, int periodic)
{
    return i < n - 1 || periodic ? 1.0f : -1.0f;
}

/* Adds sign times the flux of a cell along an axis: 1/2h (cotangent u_axis) and, to u_axis, 1/2h (a
 * sigma). D^T is a difference of fluxes. now: sigma, ux, uy, uz of that cell. */
__device__ inline void phys_add_flux(const phys_kernel_args &a, int axis, float sign,
                                     const float cotangent[4], const float now[4], float d[4])
{
    const float scale = sign * a.per_two_h[axis];
    const float speed = scale * now[1 + axis];

#pragma unroll
    for (int c = 0; c < 4; c++)
        d[c] = fmaf(cotangent[c], speed, d[c]);
    d[1 + axis] = fmaf(cotangent[0], scale * now[0], d[1 + axis]);
}

/* What the cell contributes to itself: as a factor of differences, and at t1 through the difference
 * in time (first order). */
__device__ inline void phys_direct(const phys_kernel_args &a, const phys_cell &cell,
                                   const float cotangent[4], bool is_central, float d[4])
{
    float divergence = cell.dx[1] * a.per_two_h[0];

    divergence = fmaf(cell.dy[2], a.per_two_h[1], divergence);
    divergence = fmaf(cell.dz[3], a.per_two_h[2], divergence);
#pragma unroll
    for (int c = 0; c < 4; c++)
        d[c] = is_central ? 0 : cotangent[c] * a.per_step;
    d[0] = fmaf(cotangent[0], divergence, d[0]);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        d[1] = fmaf(cotangent[c] * a.per_two_h[0], cell.dx[c], d[1]);
        d[2] = fmaf(cotangent[c] * a.per_two_h[1], cell.dy[c], d[2]);
        d[3] = fmaf(cotangent[c] * a.per_two_h[2], cell.dz[c], d[3]);
    }
}

/* Writes four components of V neighbouring cells: to[0] is sigma's array, to[1] u's. */
template <int V> __device__ inline void
phys_store_components(float *const to[2], int64_t at, int64_t cells, const phys_vector<V> d[4])
{
    phys_store(to[0], at, d[0]);
#pragma unroll
    for (int c = 0; c < 3; c++)
        phys_store(to[1], at + c * cells, d[1 + c]);
}

/* The gradients at t0 and t2, as far as they are wanted: the cotangents over the time step. */
template <int V> __device__ inline void phys_store_far(const phys_kernel_args &a, int64_t at,
                                                       const phys_vector<V> cotangent[4])
{
#pragma unroll
    for (int far = 0; far < 2; far++) {
        phys_vector<V> d[4];

        if (a.d_far[far][0] == NULL)
            continue;
#pragma unroll
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int v = 0; v < V; v++)
                d[c].at[v] = cotangent[c].at[v] * (far == 0 ? -a.per_step : a.per_step);
        phys_store_components<V>(a.d_far[far], at, a.cells, d);
    }
}

#endif
