/* What the two sweeps of the threaded CPU variant share: the residuals, and from their cotangents
 * the gradient with respect to the fields. */
#ifndef ASSAY_PHYS_CPU_OMP_H
#define ASSAY_PHYS_CPU_OMP_H

#include "phys_loss.h"

#include <stdbool.h>

/* What every row needs. Component c: 0 sigma, 1 ux, 2 uy, 3 uz. */
typedef struct omp_call {
    phys_grid_spec grid;
    const float   *now[4], *minus[4], *plus[4]; /* t1; difference in time: plus - minus */
    float         *out[4];                      /* residuals or gradients; NULL: not wanted */
    float          factor[4];                   /* of the outputs: 1, or 2 w / N */
    float          per_step, per_two_h[3];
    int64_t        cells;
} omp_call;

/* One row of cells along x, and the rows around it. */
typedef struct omp_row {
    int64_t here, y_below, y_above, z_below, z_above;
} omp_row;

static inline int64_t omp_below(int64_t i, int64_t n, int boundary)
{
    return i > 0 ? i - 1 : boundary == PHYS_PERIODIC ? n - 1 : 0;
}
static inline int64_t omp_above(int64_t i, int64_t n, int boundary)
{
    return i < n - 1 ? i + 1 : boundary == PHYS_PERIODIC ? 0 : n - 1;
}

static inline omp_row omp_row_of(const phys_grid_spec *g, int64_t y, int64_t z)
{
    return (omp_row) {
        .here    = (z * g->ny + y) * g->nx,
        .y_below = (z * g->ny + omp_below(y, g->ny, g->boundary[1])) * g->nx,
        .y_above = (z * g->ny + omp_above(y, g->ny, g->boundary[1])) * g->nx,
        .z_below = (omp_below(z, g->nz, g->boundary[2]) * g->ny + y) * g->nx,
        .z_above = (omp_above(z, g->nz, g->boundary[2]) * g->ny + y) * g->nx,
    };
}

/* The gradient with respect to the fields from the cotangents of the residuals. d[level][c] is NULL
 * where it is not wanted. */
void physics_loss_omp_gradient(const omp_call *k, const float *const cotangent[4], float *d[3][4]);

#endif
