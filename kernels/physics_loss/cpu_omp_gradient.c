/* Second sweep of the threaded CPU variant: the gradient with respect to the fields. Along an axis
 * D^T of g is (g(-1) - g(+1)) / 2h. Beyond a zero_gradient end, g is the end's own cotangent with
 * its sign changed. */
#include "cpu_omp.h"

typedef struct omp_gradient {
    const omp_call     *k;
    const float *const *cotangent;
    float *(*d)[4];
} omp_gradient;

/* A cell's neighbours along each axis and the signs of their cotangents. */
typedef struct omp_neighbours {
    int64_t below[3], above[3];
    float   sign_below[3], sign_above[3];
} omp_neighbours;

static inline void add_axis(const omp_gradient *g, int64_t here, const omp_neighbours *at, int axis,
                            float sum[4])
{
    const float *const *f = g->k->now, *const *cotangent = g->cotangent;
    const int64_t       below = at->below[axis], above = at->above[axis];
    const float         lower = at->sign_below[axis] * g->k->per_two_h[axis];
    const float         upper = at->sign_above[axis] * g->k->per_two_h[axis];

    for (int c = 0; c < 4; c++) {
        const float slope = (f[c][above] - f[c][below]) * g->k->per_two_h[axis];

        sum[1 + axis] += cotangent[c][here] * slope;
        if (c == 1 + axis)
            sum[0] += cotangent[0][here] * slope;
        sum[c] += lower * (cotangent[c][below] * f[1 + axis][below]);
        sum[c] -= upper * (cotangent[c][above] * f[1 + axis][above]);
    }
    sum[1 + axis] += lower * (cotangent[0][below] * f[0][below]);
    sum[1 + axis] -= upper * (cotangent[0][above] * f[0][above]);
}

static inline void one_cell(const omp_gradient *g, int64_t here, const omp_neighbours *at)
{
    const bool is_central = g->k->grid.time == PHYS_CENTRAL;
    float      sum[4];

    for (int c = 0; c < 4; c++) {
        const float by_time = g->cotangent[c][here] * g->k->per_step;

        sum[c] = is_central ? 0 : by_time;
        if (g->d[0][c] != NULL)
            g->d[0][c][here] = -by_time;
        if (g->d[2][c] != NULL)
            g->d[2][c][here] = by_time;
    }
    for (int axis = 0; axis < 3; axis++)
        add_axis(g, here, at, axis, sum);
    for (int c = 0; c < 4; c++)
        g->d[1][c][here] = sum[c];
}

static void set_axis(omp_neighbours *at, int axis, int64_t i, int64_t n, int boundary)
{
    at->sign_below[axis] = i > 0 || boundary == PHYS_PERIODIC ? 1 : -1;
    at->sign_above[axis] = i < n - 1 || boundary == PHYS_PERIODIC ? 1 : -1;
}

static void one_row(const omp_gradient *g, int64_t y, int64_t z)
{
    const phys_grid_spec *grid = &g->k->grid;
    const omp_row         row  = omp_row_of(grid, y, z);
    omp_neighbours        at;

    set_axis(&at, 1, y, grid->ny, grid->boundary[1]);
    set_axis(&at, 2, z, grid->nz, grid->boundary[2]);
    for (int64_t x = 0; x < grid->nx; x++) {
        set_axis(&at, 0, x, grid->nx, grid->boundary[0]);
        at.below[0] = row.here + omp_below(x, grid->nx, grid->boundary[0]);
        at.above[0] = row.here + omp_above(x, grid->nx, grid->boundary[0]);
        at.below[1] = row.y_below + x;
        at.above[1] = row.y_above + x;
        at.below[2] = row.z_below + x;
        at.above[2] = row.z_above + x;
        one_cell(g, row.here + x, &at);
    }
}

void physics_loss_omp_gradient(const omp_call *k, const float *const cotangent[4], float *d[3][4])
{
    const omp_gradient g  = { k, cotangent, d };
    const int64_t      ny = k->grid.ny, rows = ny * k->grid.nz;

#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < rows; i++)
        one_row(&g, i % ny, i / ny);
}
