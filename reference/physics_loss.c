/* Physics loss in double, from the definition: D_d f = (f(+1) - f(-1)) / 2h with the boundary's
 * neighbours, R_s = dt s + sum_d u_d D_d s + s sum_d D_d u_d, R_c = dt u_c + sum_d u_d D_d u_c. */
#include "physics_loss.h"

#include "../kernels/physics_loss/phys_case.h"
#include "../kernels/physics_loss/phys_check.h"

#include <math.h>
#include <string.h>

assay_reference_fn physics_loss_reference;
assay_prepare_fn   physics_loss_prepare;
assay_launch_fn    physics_loss_cpu_ref;

/* One component at one level, in either precision. */
typedef struct field {
    const float  *single;
    const double *full;
} field;

typedef struct state {
    field t0[4], t1[4], t2[4];
} state;

/* A sum with the sum of its terms' magnitudes. */
typedef struct term_sum {
    double value, magnitude;
} term_sum;

/* The cells a difference reads: itself and its neighbours along each axis. */
typedef struct stencil {
    int64_t here, plus[3], minus[3];
} stencil;

static double at(field f, int64_t cell)
{
    return f.full != NULL ? f.full[cell] : (double)f.single[cell];
}

static void add(term_sum *sum, double term)
{
    sum->value += term;
    sum->magnitude += fabs(term);
}

/* Place `step` (+1 or -1) cells from place i on an axis of n cells. */
static int64_t neighbour(int64_t i, int64_t step, int64_t n, int boundary)
{
    const int64_t to = i + step;

    if (boundary == PHYS_PERIODIC)
        return (to + n) % n;
    return to < 0 ? 0 : to >= n ? n - 1 : to;
}

static int64_t cell_number(const phys_grid_spec *g, const int64_t at_xyz[3])
{
    return (at_xyz[2] * g->ny + at_xyz[1]) * g->nx + at_xyz[0];
}

static stencil stencil_at(const phys_grid_spec *g, const int64_t xyz[3])
{
    const int64_t n[3] = { g->nx, g->ny, g->nz };
    stencil       s    = { .here = cell_number(g, xyz) };

    for (int d = 0; d < 3; d++) {
        int64_t other[3] = { xyz[0], xyz[1], xyz[2] };

        other[d]   = neighbour(xyz[d], 1, n[d], g->boundary[d]);
        s.plus[d]  = cell_number(g, other);
        other[d]   = neighbour(xyz[d], -1, n[d], g->boundary[d]);
        s.minus[d] = cell_number(g, other);
    }
    return s;
}

static double space_difference(const phys_grid_spec *g, field f, const stencil *s, int axis)
{
    const double h[3] = { g->hx, g->hy, g->hz };

    return (at(f, s->plus[axis]) - at(f, s->minus[axis])) / (2 * h[axis]);
}

static double time_difference(const phys_grid_spec *g, const state *fields, int c, int64_t cell)
{
    if (g->time == PHYS_CENTRAL)
        return (at(fields->t2[c], cell) - at(fields->t0[c], cell)) / (2 * g->dt);
    return (at(fields->t1[c], cell) - at(fields->t0[c], cell)) / g->dt;
}

/* The residuals of one cell: r[0] of sigma, r[1..3] of u. */
static void residuals_at(const phys_grid_spec *g, const state *fields, const stencil *s,
                         term_sum r[4])
{
    for (int c = 0; c < 4; c++) {
        r[c] = (term_sum) { 0, 0 };
        add(&r[c], time_difference(g, fields, c, s->here));
        for (int d = 0; d < 3; d++)
            add(&r[c], at(fields->t1[1 + d], s->here) * space_difference(g, fields->t1[c], s, d));
    }
    for (int d = 0; d < 3; d++)
        add(&r[0], at(fields->t1[0], s->here) * space_difference(g, fields->t1[1 + d], s, d));
}

typedef void visit_fn(void *to, int64_t cell, const term_sum r[4]);

static void for_each_cell(const phys_grid_spec *g, const state *fields, int64_t z_begin,
                          int64_t z_end, visit_fn *visit, void *to)
{
    for (int64_t z = z_begin; z < z_end; z++)
        for (int64_t y = 0; y < g->ny; y++)
            for (int64_t x = 0; x < g->nx; x++) {
                const int64_t xyz[3] = { x, y, z };
                const stencil s      = stencil_at(g, xyz);
                term_sum      r[4];

                residuals_at(g, fields, &s, r);
                visit(to, s.here, r);
            }
}

static void set_components(field to[4], const float *sigma, const float *u, int64_t cells)
{
    to[0] = (field) { .single = sigma };
    for (int c = 0; c < 3; c++)
        to[1 + c] = (field) { .single = u == NULL ? NULL : u + c * cells };
}

static state state_of(const phys_grid_spec *g, const phys_buf *buf)
{
    const int64_t cells = g->nx * g->ny * g->nz;
    state         s;

    set_components(s.t0, buf->sigma_t0, buf->u_t0, cells);
    set_components(s.t1, buf->sigma_t1, buf->u_t1, cells);
    set_components(s.t2, buf->sigma_t2, buf->u_t2, cells);
    return s;
}

/* ---- double fields */

static void store_double(void *to, int64_t cell, const term_sum r[4])
{
    double *const *out = to;

    for (int c = 0; c < 4; c++)
        out[c][cell] = r[c].value;
}

void physics_loss_residuals(const phys_grid_spec *grid, const physics_loss_fields *fields,
                            double *const r[4])
{
    double *out[4];
    state   s;

    for (int c = 0; c < 4; c++) {
        s.t0[c] = (field) { .full = fields->t0[c] };
        s.t1[c] = (field) { .full = fields->t1[c] };
        s.t2[c] = (field) { .full = fields->t2[c] };
        out[c]  = r[c];
    }
    for_each_cell(grid, &s, 0, grid->nz, store_double, out);
}

/* ---- C API: fp32 fields, outputs rounded once */

typedef struct buf_outputs {
    float  *r[4], *d[4]; /* NULL: not wanted */
    double  factor[4];   /* 2 w / N */
    double  squares[2];  /* sums of R^2: of sigma, of u */
    int64_t cells;
} buf_outputs;

static void store_rounded(void *to, int64_t cell, const term_sum r[4])
{
    buf_outputs *out = to;

    for (int c = 0; c < 4; c++) {
        if (out->r[c] != NULL)
            out->r[c][cell] = (float)r[c].value;
        if (out->d[c] != NULL)
            out->d[c][cell] = (float)(out->factor[c] * r[c].value);
        out->squares[c > 0] += r[c].value * r[c].value;
    }
}

static void set_outputs(float *to[4], float *sigma, float *u, int64_t cells)
{
    to[0] = sigma;
    for (int c = 0; c < 3; c++)
        to[1 + c] = u == NULL ? NULL : u + c * cells;
}

int cpu_phys_loss_forward(const phys_grid_spec *grid, const phys_weights *weights,
                          const phys_buf *buf)
{
    const int   error = phys_check(grid, weights, buf, PHYS_NEEDS_FIELDS | PHYS_NEEDS_LOSSES);
    buf_outputs out   = { .squares = { 0, 0 } };
    state       fields;

    if (error != PHYS_OK)
        return error;
    out.cells = grid->nx * grid->ny * grid->nz;
    set_outputs(out.r, buf->r_sigma, buf->r_u, out.cells);
    fields = state_of(grid, buf);
    for_each_cell(grid, &fields, 0, grid->nz, store_rounded, &out);
    *buf->loss_sigma = weights->w_sigma / (double)out.cells * out.squares[0];
    *buf->loss_u     = weights->w_u / (double)out.cells * out.squares[1];
    return PHYS_OK;
}

int cpu_phys_loss_backward(const phys_grid_spec *grid, const phys_weights *weights,
                           const phys_buf *buf)
{
    const int   error = phys_check(grid, weights, buf, PHYS_NEEDS_FIELDS | PHYS_NEEDS_GRADIENTS);
    buf_outputs out   = { .squares = { 0, 0 } };
    state       fields;

    if (error != PHYS_OK)
        return error;
    if (grid->vjp == PHYS_VJP_FIELD)
        return PHYS_NOT_SUPPORTED;
    out.cells = grid->nx * grid->ny * grid->nz;
    set_outputs(out.d, buf->d_sigma[1], buf->d_u[1], out.cells);
    for (int c = 0; c < 4; c++)
        out.factor[c] = 2 * (c == 0 ? weights->w_sigma : weights->w_u) / (double)out.cells;
    fields = state_of(grid, buf);
    for_each_cell(grid, &fields, 0, grid->nz, store_rounded, &out);
    return PHYS_OK;
}

/* ---- the case */

/* What the parameters mean, said here once more and not taken from the kernels: a mistake shared by
 * both would be invisible. */
static phys_grid_spec grid_of(const int64_t *param, const double *scalar)
{
    return (phys_grid_spec) { .nx       = param[PHYS_PARAM_NX],
                              .ny       = param[PHYS_PARAM_NY],
                              .nz       = param[PHYS_PARAM_NZ],
                              .hx       = scalar[PHYS_SCALAR_HX],
                              .hy       = scalar[PHYS_SCALAR_HY],
                              .hz       = scalar[PHYS_SCALAR_HZ],
                              .dt       = scalar[PHYS_SCALAR_DT],
                              .boundary = { (int)param[PHYS_PARAM_BOUNDARY_X],
                                            (int)param[PHYS_PARAM_BOUNDARY_Y],
                                            (int)param[PHYS_PARAM_BOUNDARY_Z] },
                              .time     = (int)param[PHYS_PARAM_TIME],
                              .vjp      = (int)param[PHYS_PARAM_VJP],
                              .levels   = (int)param[PHYS_PARAM_LEVELS] };
}

int physics_loss_cpu_ref(const assay_args *args, assay_stream stream)
{
    const phys_grid_spec grid    = grid_of(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const phys_buf       buf     = phys_case_buf(args->buf, args->count);
    int                  error   = PHYS_OK;

    (void)stream;
    if (args->param[PHYS_PARAM_PASS] != PHYS_PASS_BACKWARD)
        error = cpu_phys_loss_forward(&grid, &weights, &buf);
    if (error == PHYS_OK && args->param[PHYS_PARAM_PASS] != PHYS_PASS_FORWARD)
        error = cpu_phys_loss_backward(&grid, &weights, &buf);
    return error;
}

/* What the harness asks for is spread over threads; the C API above stays plain loops. */
enum {
    MAX_SLABS = 64
};

typedef struct preparation {
    const phys_grid_spec *grid;
    const state          *fields;
    buf_outputs           out;
} preparation;

static void prepare_slab(void *context, int64_t slab, int64_t z_begin, int64_t z_end)
{
    const preparation *all = context;
    buf_outputs        out = all->out;

    (void)slab;
    for_each_cell(all->grid, all->fields, z_begin, z_end, store_rounded, &out);
}

/* backward: the residuals that the non-fused variant starts from are the rounded true ones. */
void physics_loss_prepare(const assay_prepare_args *args)
{
    const phys_grid_spec grid   = grid_of(args->param, args->scalar);
    const phys_buf       buf    = phys_case_buf(args->in, args->count);
    const state          fields = state_of(&grid, &buf);
    preparation          all    = { .grid = &grid, .fields = &fields };

    if (args->param[PHYS_PARAM_PASS] != PHYS_PASS_BACKWARD)
        return;
    all.out.cells = grid.nx * grid.ny * grid.nz;
    set_outputs(all.out.r, buf.r_sigma, buf.r_u, all.out.cells);
    args->parallel_for(grid.nz, (grid.nz + MAX_SLABS - 1) / MAX_SLABS, prepare_slab, &all);
}

typedef struct expectation {
    assay_expected *r_sigma, *r_u, *d_sigma, *d_u;
    double          factor[2];
    int64_t         cells;
    term_sum        losses[2];
} expectation;

typedef struct expectation_by_slab {
    const phys_grid_spec *grid;
    const state          *fields;
    expectation           whole;
    term_sum              losses[MAX_SLABS][2]; /* merged in order: the same with any threads */
} expectation_by_slab;

static void expect_value(assay_expected *e, int64_t i, term_sum sum, double factor)
{
    if (e->value == NULL)
        return;
    e->value[i]     = factor * sum.value;
    e->magnitude[i] = fabs(factor) * sum.magnitude;
}

/* A computed residual is off by at most E = c n u M (M: its magnitude sum, n: its terms), so its
 * square is off by at most 2|R|E + E^2 = c n u M (2|R| + c n u M). */
static void add_square(term_sum *loss, term_sum r, double terms)
{
    const double relative = PHYS_TOLERANCE_C * terms * 0x1p-24;

    loss->value += r.value * r.value;
    loss->magnitude += r.magnitude * (2 * fabs(r.value) + relative * r.magnitude);
}

static void store_expected(void *to, int64_t cell, const term_sum r[4])
{
    expectation *e = to;

    expect_value(e->r_sigma, cell, r[0], 1);
    expect_value(e->d_sigma, cell, r[0], e->factor[0]);
    add_square(&e->losses[0], r[0], PHYS_TERMS_SIGMA);
    for (int c = 0; c < 3; c++) {
        expect_value(e->r_u, c * e->cells + cell, r[1 + c], 1);
        expect_value(e->d_u, c * e->cells + cell, r[1 + c], e->factor[1]);
        add_square(&e->losses[1], r[1 + c], PHYS_TERMS_U);
    }
}

static void expect_slab(void *context, int64_t slab, int64_t z_begin, int64_t z_end)
{
    expectation_by_slab *all = context;
    expectation          e   = all->whole;

    for_each_cell(all->grid, all->fields, z_begin, z_end, store_expected, &e);
    memcpy(all->losses[slab], e.losses, sizeof e.losses);
}

/* Slabs that were not needed hold zeros. */
static void merge_losses(expectation_by_slab *all)
{
    for (int slab = 0; slab < MAX_SLABS; slab++)
        for (int l = 0; l < 2; l++) {
            all->whole.losses[l].value += all->losses[slab][l].value;
            all->whole.losses[l].magnitude += all->losses[slab][l].magnitude;
        }
}

void physics_loss_reference(const assay_reference_args *args)
{
    const phys_grid_spec grid    = grid_of(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const double         cells   = (double)(grid.nx * grid.ny * grid.nz);
    assay_expected      *to      = args->expect;
    state                fields;
    expectation_by_slab  all = {
         .grid   = &grid,
         .fields = &fields,
         .whole  = { .r_sigma = &to[PHYS_BUF_R_SIGMA],
                     .r_u     = &to[PHYS_BUF_R_U],
                     .d_sigma = &to[PHYS_BUF_D_SIGMA],
                     .d_u     = &to[PHYS_BUF_D_U],
                     .factor  = { 2 * weights.w_sigma / cells, 2 * weights.w_u / cells },
                     .cells   = grid.nx * grid.ny * grid.nz },
    };
    const expectation *const e = &all.whole;

    set_components(fields.t0, args->in[PHYS_BUF_SIGMA_T0], args->in[PHYS_BUF_U_T0], e->cells);
    set_components(fields.t1, args->in[PHYS_BUF_SIGMA_T1], args->in[PHYS_BUF_U_T1], e->cells);
    set_components(fields.t2, args->in[PHYS_BUF_SIGMA_T2], args->in[PHYS_BUF_U_T2], e->cells);
    args->parallel_for(grid.nz, (grid.nz + MAX_SLABS - 1) / MAX_SLABS, expect_slab, &all);
    merge_losses(&all);
    if (args->count[PHYS_BUF_LOSS_SIGMA] > 0) {
        expect_value(&to[PHYS_BUF_LOSS_SIGMA], 0, e->losses[0], weights.w_sigma / cells);
        expect_value(&to[PHYS_BUF_LOSS_U], 0, e->losses[1], weights.w_u / cells);
    }
    to[PHYS_BUF_R_SIGMA].terms = to[PHYS_BUF_D_SIGMA].terms = PHYS_TERMS_SIGMA;
    to[PHYS_BUF_R_U].terms = to[PHYS_BUF_D_U].terms = PHYS_TERMS_U;
    to[PHYS_BUF_LOSS_SIGMA].terms                   = PHYS_TERMS_SIGMA;
    to[PHYS_BUF_LOSS_U].terms                       = PHYS_TERMS_U;
}
