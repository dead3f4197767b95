/* Physics loss on the CPU in fp32, one thread of OpenMP for each run of planes: the threaded
 * baseline. Rows are walked along x without branches, their two ends apart. */
#include "phys_case.h"
#include "phys_check.h"

assay_launch_fn physics_loss_cpu_omp;

/* What every row needs. Component c: 0 sigma, 1 ux, 2 uy, 3 uz. */
typedef struct omp_call {
    phys_grid_spec grid;
    const float   *now[4], *minus[4], *plus[4]; /* t1; difference in time: plus - minus */
    float         *out[4];                      /* residuals or gradients, NULL: not wanted */
    float          factor[4];                   /* of the outputs: 1 or 2 w / N */
    float          per_step, per_two_h[3];
    int64_t        cells;
} omp_call;

/* One row of cells along x, and the rows around it. */
typedef struct omp_row {
    int64_t here, y_below, y_above, z_below, z_above;
} omp_row;

typedef struct omp_squares {
    double sigma, u;
} omp_squares;

static int64_t one_below(int64_t i, int64_t n, int boundary)
{
    return i > 0 ? i - 1 : boundary == PHYS_PERIODIC ? n - 1 : 0;
}
static int64_t one_above(int64_t i, int64_t n, int boundary)
{
    return i < n - 1 ? i + 1 : boundary == PHYS_PERIODIC ? 0 : n - 1;
}

static omp_row row_of(const phys_grid_spec *g, int64_t y, int64_t z)
{
    return (omp_row) {
        .here    = (z * g->ny + y) * g->nx,
        .y_below = (z * g->ny + one_below(y, g->ny, g->boundary[1])) * g->nx,
        .y_above = (z * g->ny + one_above(y, g->ny, g->boundary[1])) * g->nx,
        .z_below = (one_below(z, g->nz, g->boundary[2]) * g->ny + y) * g->nx,
        .z_above = (one_above(z, g->nz, g->boundary[2]) * g->ny + y) * g->nx,
    };
}

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

    one_cell(k, row, one_below(0, nx, wraps), 0, one_above(0, nx, wraps), sum);
    for (int64_t x = 1; x < nx - 1; x++)
        one_cell(k, row, x - 1, x, x + 1, sum);
    if (nx > 1)
        one_cell(k, row, nx - 2, nx - 1, one_above(nx - 1, nx, wraps), sum);
}

static omp_squares run_rows(const omp_call *k)
{
    const int64_t ny = k->grid.ny, rows = ny * k->grid.nz;
    double        sigma = 0, u = 0;

#pragma omp parallel for schedule(static) reduction(+ : sigma, u)
    for (int64_t i = 0; i < rows; i++) {
        const omp_row row = row_of(&k->grid, i % ny, i / ny);
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

int physics_loss_cpu_omp(const assay_args *args, assay_stream stream)
{
    const phys_grid_spec grid    = phys_case_grid(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const phys_buf       buf     = phys_case_buf(args->buf, args->count);
    const bool           forward = args->param[PHYS_PARAM_PASS] == PHYS_PASS_FORWARD;
    const int            error =
        phys_check(&grid, &weights, &buf, PHYS_NEEDS_FIELDS | (forward ? 0 : PHYS_NEEDS_GRADIENTS));
    const double n           = (double)phys_count_cells(&grid);
    const double one[2]      = { 1, 1 };
    const double gradient[2] = { 2 * weights.w_sigma / n, 2 * weights.w_u / n };
    omp_call     k;
    omp_squares  sum;

    (void)stream;
    if (error != PHYS_OK)
        return error;
    k = call_of(&grid, &buf);
    if (forward)
        set_outputs(&k, buf.r_sigma, buf.r_u, one);
    else
        set_outputs(&k, buf.d_sigma[1], buf.d_u[1], gradient);
    sum = run_rows(&k);
    if (phys_has_losses(&buf)) {
        *buf.loss_sigma = weights.w_sigma / n * sum.sigma;
        *buf.loss_u     = weights.w_u / n * sum.u;
    }
    return PHYS_OK;
}
