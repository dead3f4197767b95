/* Physics loss on the CPU in fp32, the threaded baseline: each OpenMP thread takes a run of planes.
 * Rows are walked along x without branches; their two ends are handled apart. */
#include "cpu_omp.h"
#include "phys_case.h"
#include "phys_check.h"

#include <stdlib.h>

assay_launch_fn physics_loss_cpu_omp;

typedef struct omp_squares {
    double sigma, u;
} omp_squares;

/* The cell at place x of the row; its neighbours along x are at left and right. */
static inline void one_cell(const omp_call *k, const omp_row *row, int64_t left, int64_t x,
                            int64_t right, omp_squares *sum)
{
    const float *const *f    = k->now;
    const int64_t       here = row->here + x;
    float               r[4], divergence = 0;

    for (int c = 0; c < 4; c++) {
        const float dx = (f[c][row->here + right] - f[c][row->here + left]) * k->per_two_h[0];
        const float dy = (f[c][row->y_above + x] - f[c][row->y_below + x]) * k->per_two_h[1];
        const float dz = (f[c][row->z_above + x] - f[c][row->z_below + x]) * k->per_two_h[2];

        r[c] = (k->plus[c][here] - k->minus[c][here]) * k->per_step + f[1][here] * dx +
               f[2][here] * dy + f[3][here] * dz;
        divergence += c == 1 ? dx : c == 2 ? dy : c == 3 ? dz : 0;
    }
    r[0] += f[0][here] * divergence;
    for (int c = 0; c < 4; c++)
        if (k->out[c] != NULL)
            k->out[c][here] = k->factor[c] * r[c];
    sum->sigma += (double)r[0] * (double)r[0];
    for (int c = 1; c < 4; c++)
        sum->u += (double)r[c] * (double)r[c];
}

static void one_row(const omp_call *k, const omp_row *row, omp_squares *sum)
{
    const int64_t nx    = k->grid.nx;
    const int     wraps = k->grid.boundary[0];

    one_cell(k, row, omp_below(0, nx, wraps), 0, omp_above(0, nx, wraps), sum);
    for (int64_t x = 1; x < nx - 1; x++)
        one_cell(k, row, x - 1, x, x + 1, sum);
    if (nx > 1)
        one_cell(k, row, nx - 2, nx - 1, omp_above(nx - 1, nx, wraps), sum);
}

static omp_squares run_rows(const omp_call *k)
{
    const int64_t ny = k->grid.ny, rows = ny * k->grid.nz;
    double        sigma = 0, u = 0;

#pragma omp parallel for schedule(static) reduction(+ : sigma, u)
    for (int64_t i = 0; i < rows; i++) {
        const omp_row row = omp_row_of(&k->grid, i % ny, i / ny);
        omp_squares   sum = { 0, 0 };

        one_row(k, &row, &sum);
        sigma += sum.sigma;
        u += sum.u;
    }
    return (omp_squares) { sigma, u };
}

static void set_components(const float *to[4], const float *sigma, const float *u, int64_t cells)
{
    to[0] = sigma;
    for (int c = 0; c < 3; c++)
        to[1 + c] = u + c * cells;
}

static void set_outputs(omp_call *k, float *sigma, float *u, const double factor[2])
{
    for (int c = 0; c < 4; c++) {
        k->out[c]    = c == 0 ? sigma : u == NULL ? NULL : u + (c - 1) * k->cells;
        k->factor[c] = (float)factor[c > 0];
    }
}

/* Residuals, or gradients with respect to them. */
static omp_squares run_residuals(omp_call *k, float *sigma, float *u, const double factor[2])
{
    set_outputs(k, sigma, u, factor);
    return run_rows(k);
}

static omp_call call_of(const phys_grid_spec *grid, const phys_buf *buf)
{
    const bool   is_central = grid->time == PHYS_CENTRAL;
    const double h[3]       = { grid->hx, grid->hy, grid->hz };
    omp_call     k          = { .grid = *grid, .cells = phys_count_cells(grid) };

    set_components(k.now, buf->sigma_t1, buf->u_t1, k.cells);
    set_components(k.minus, buf->sigma_t0, buf->u_t0, k.cells);
    set_components(k.plus, is_central ? buf->sigma_t2 : buf->sigma_t1,
                   is_central ? buf->u_t2 : buf->u_t1, k.cells);
    k.per_step = (float)(1 / ((is_central ? 2 : 1) * grid->dt));
    for (int axis = 0; axis < 3; axis++)
        k.per_two_h[axis] = (float)(1 / (2 * h[axis]));
    return k;
}

/* ---- the gradient with respect to the fields: two sweeps, with the cotangents in memory between
 * them */

static void set_gradients(const phys_grid_spec *grid, const phys_buf *buf, int64_t cells,
                          float *d[3][4])
{
    for (int level = 0; level < 3; level++) {
        const bool is_wanted = phys_wants_level(grid, level);

        for (int c = 0; c < 4; c++)
            d[level][c] = !is_wanted ? NULL
                          : c == 0   ? buf->d_sigma[level]
                                     : buf->d_u[level] + (c - 1) * cells;
    }
}

/* A variant on the CPU gets no workspace: allocating its memory is part of its time. */
static int run_field(omp_call *k, const phys_buf *buf, const double factor[2], omp_squares *sum)
{
    float *cotangents = malloc(4 * (size_t)k->cells * sizeof(float));
    float *d[3][4];

    if (cotangents == NULL)
        return PHYS_INVALID_WORKSPACE;
    *sum = run_residuals(k, cotangents, cotangents + k->cells, factor);
    set_gradients(&k->grid, buf, k->cells, d);
    physics_loss_omp_gradient(
        k, (const float *const[4]) { k->out[0], k->out[1], k->out[2], k->out[3] }, d);
    free(cotangents);
    return PHYS_OK;
}

/* ---- the variant */

int physics_loss_cpu_omp(const assay_args *args, assay_stream stream)
{
    const phys_grid_spec grid    = phys_case_grid(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const phys_buf       buf     = phys_case_buf(args->buf, args->count);
    const bool           forward = args->param[PHYS_PARAM_PASS] == PHYS_PASS_FORWARD;
    int                  error =
        phys_check(&grid, &weights, &buf, PHYS_NEEDS_FIELDS | (forward ? 0 : PHYS_NEEDS_GRADIENTS));
    const double n           = (double)phys_count_cells(&grid);
    const double one[2]      = { 1, 1 };
    const double gradient[2] = { 2 * weights.w_sigma / n, 2 * weights.w_u / n };
    omp_call     k;
    omp_squares  sum = { 0, 0 };

    (void)stream;
    if (error != PHYS_OK)
        return error;
    k = call_of(&grid, &buf);
    if (!forward && grid.vjp == PHYS_VJP_FIELD)
        error = run_field(&k, &buf, gradient, &sum);
    else
        sum = forward ? run_residuals(&k, buf.r_sigma, buf.r_u, one)
                      : run_residuals(&k, buf.d_sigma[1], buf.d_u[1], gradient);
    if (error == PHYS_OK && phys_has_losses(&buf)) {
        *buf.loss_sigma = weights.w_sigma / n * sum.sigma;
        *buf.loss_u     = weights.w_u / n * sum.u;
    }
    return error;
}
