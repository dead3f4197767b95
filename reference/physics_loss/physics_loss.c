/* The physics loss reference: the CPU calls of the C API and the case's expectations, from the
 * residuals of physics_loss_residual.c and the gradients of physics_loss_gradient.c. */
#include "physics_loss_internal.h"

#include "../../kernels/physics_loss/phys_case.h"
#include "../../kernels/physics_loss/phys_check.h"

#include <stdlib.h>
#include <string.h>

assay_reference_fn physics_loss_reference;
assay_prepare_fn   physics_loss_prepare;
assay_launch_fn    physics_loss_cpu_ref;

static void set_components(physics_field to[4], const float *sigma, const float *u, int64_t cells)
{
    to[0] = (physics_field) { .single = sigma };
    for (int c = 0; c < 3; c++)
        to[1 + c] = (physics_field) { .single = u == NULL ? NULL : u + c * cells };
}

static physics_state state_of(const phys_grid_spec *g, const phys_buf *buf)
{
    const int64_t cells = g->nx * g->ny * g->nz;
    physics_state s;

    set_components(s.t[0], buf->sigma_t0, buf->u_t0, cells);
    set_components(s.t[1], buf->sigma_t1, buf->u_t1, cells);
    set_components(s.t[2], buf->sigma_t2, buf->u_t2, cells);
    return s;
}

/* The gradient of w/N sum R^2 with respect to R is 2 w/N R. */
static physics_problem problem_of(const phys_grid_spec *grid, const phys_weights *weights,
                                  const physics_state *fields)
{
    const double cells = (double)(grid->nx * grid->ny * grid->nz);

    return (physics_problem) {
        .grid   = grid,
        .fields = fields,
        .factor = { 2 * weights->w_sigma / cells, 2 * weights->w_u / cells },
    };
}

/* ---- C API: fp32 fields, outputs rounded once */

typedef struct buf_outputs {
    const physics_problem *problem;
    float                 *r[4], *d[3][4]; /* d by level; NULL: not wanted */
    double                 squares[2];     /* sums of R^2: of sigma, of u */
} buf_outputs;

static void set_outputs(float *to[4], float *sigma, float *u, int64_t cells)
{
    to[0] = sigma;
    for (int c = 0; c < 3; c++)
        to[1 + c] = u == NULL ? NULL : u + c * cells;
}

static void store_rounded(float *const to[4], int64_t cell, const physics_sum from[4])
{
    for (int c = 0; c < 4; c++)
        if (to[c] != NULL)
            to[c][cell] = (float)from[c].value;
}

static void store_residuals(void *to, const int64_t xyz[3])
{
    buf_outputs          *out = to;
    const physics_stencil s   = physics_stencil_at(out->problem->grid, xyz);
    physics_sum           r[4];

    physics_residuals_at(out->problem->grid, out->problem->fields, &s, r);
    store_rounded(out->r, s.here, r);
    for (int c = 0; c < 4; c++)
        out->squares[c > 0] += r[c].value * r[c].value;
}

int cpu_phys_loss_forward(const phys_grid_spec *grid, const phys_weights *weights,
                          const phys_buf *buf)
{
    const int       error = phys_check(grid, weights, buf, PHYS_NEEDS_FIELDS | PHYS_NEEDS_LOSSES);
    buf_outputs     out   = { .squares = { 0, 0 } };
    physics_state   fields;
    physics_problem problem;

    if (error != PHYS_OK)
        return error;
    fields      = state_of(grid, buf);
    problem     = problem_of(grid, weights, &fields);
    out.problem = &problem;
    set_outputs(out.r, buf->r_sigma, buf->r_u, grid->nx * grid->ny * grid->nz);
    physics_for_each_cell(grid, 0, grid->nz, store_residuals, &out);
    *buf->loss_sigma = problem.factor[0] / 2 * out.squares[0];
    *buf->loss_u     = problem.factor[1] / 2 * out.squares[1];
    return PHYS_OK;
}

/* The gradients of one cell as the grid asks for them: those with respect to the residuals take the
 * place of t1. */
static void gradients_at(const physics_problem *p, const int64_t xyz[3], physics_sum d[3][4])
{
    if (p->grid->vjp == PHYS_VJP_FIELD) {
        physics_gradient_at(p, xyz, d);
    } else {
        const physics_stencil s = physics_stencil_at(p->grid, xyz);
        physics_sum           r[4];

        physics_residuals_at(p->grid, p->fields, &s, r);
        memset(d, 0, 3 * sizeof d[0]);
        for (int c = 0; c < 4; c++)
            physics_add_scaled(&d[1][c], r[c], p->factor[c > 0]);
    }
}

static void store_gradients(void *to, const int64_t xyz[3])
{
    const buf_outputs *out  = to;
    const int64_t      cell = physics_stencil_at(out->problem->grid, xyz).here;
    physics_sum        d[3][4];

    gradients_at(out->problem, xyz, d);
    for (int level = 0; level < 3; level++)
        store_rounded(out->d[level], cell, d[level]);
}

int cpu_phys_loss_backward(const phys_grid_spec *grid, const phys_weights *weights,
                           const phys_buf *buf)
{
    const int     error = phys_check(grid, weights, buf, PHYS_NEEDS_FIELDS | PHYS_NEEDS_GRADIENTS);
    buf_outputs   out   = { .squares = { 0, 0 } };
    physics_state fields;
    physics_problem problem;

    if (error != PHYS_OK)
        return error;
    fields      = state_of(grid, buf);
    problem     = problem_of(grid, weights, &fields);
    out.problem = &problem;
    for (int level = 0; level < 3; level++)
        if (phys_wants_level(grid, level))
            set_outputs(out.d[level], buf->d_sigma[level], buf->d_u[level],
                        grid->nx * grid->ny * grid->nz);
    physics_for_each_cell(grid, 0, grid->nz, store_gradients, &out);
    return PHYS_OK;
}

/* ---- the case */

/* The meaning of the parameters, written here again and not taken from the kernels: a mistake
 * shared by both would be invisible. */
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

/* Work for the harness is spread over threads; the C API above stays plain loops. */
enum {
    MAX_SLABS = 64
};

static void prepare_slab(void *context, int64_t slab, int64_t z_begin, int64_t z_end)
{
    const buf_outputs *all = context;
    buf_outputs        out = *all;

    (void)slab;
    physics_for_each_cell(out.problem->grid, z_begin, z_end, store_residuals, &out);
}

/* backward: the residuals that the non-fused variant starts from are the true ones, rounded. */
void physics_loss_prepare(const assay_prepare_args *args)
{
    const phys_grid_spec  grid    = grid_of(args->param, args->scalar);
    const phys_weights    weights = phys_case_weights(args->scalar);
    const phys_buf        buf     = phys_case_buf(args->in, args->count);
    const physics_state   fields  = state_of(&grid, &buf);
    const physics_problem problem = problem_of(&grid, &weights, &fields);
    buf_outputs           all     = { .problem = &problem };

    if (args->param[PHYS_PARAM_PASS] != PHYS_PASS_BACKWARD)
        return;
    set_outputs(all.r, buf.r_sigma, buf.r_u, grid.nx * grid.ny * grid.nz);
    args->parallel_for(grid.nz, (grid.nz + MAX_SLABS - 1) / MAX_SLABS, prepare_slab, &all);
}

typedef struct expectation {
    const physics_problem *problem;
    assay_expected        *expect; /* by buffer */
    physics_sum            losses[2];
    bool                   has_residuals, has_gradients;
} expectation;

typedef struct expectation_by_slab {
    expectation whole;
    physics_sum losses[MAX_SLABS][2]; /* merged in order: the same with any threads */
} expectation_by_slab;

static void expect_value(assay_expected *e, int64_t i, physics_sum sum)
{
    if (e->value == NULL)
        return;
    e->value[i]     = sum.value;
    e->magnitude[i] = sum.magnitude;
}

/* The four components of one cell: sigma's buffer and u's. */
static void expect_components(assay_expected *expect, int sigma, int u, int64_t cell, int64_t cells,
                              const physics_sum from[4])
{
    expect_value(&expect[sigma], cell, from[0]);
    for (int c = 0; c < 3; c++)
        expect_value(&expect[u], c * cells + cell, from[1 + c]);
}

/* A computed residual is off by at most E = c n u M (M: its magnitude sum, n: its terms), so its
 * square is off by at most 2|R|E + E^2 = c n u M (2|R| + c n u M). */
static void add_square(physics_sum *loss, physics_sum r, double terms)
{
    const double relative = PHYS_TOLERANCE_C * terms * 0x1p-24;

    loss->value += r.value * r.value;
    loss->magnitude += r.magnitude * (2 * fabs(r.value) + relative * r.magnitude);
}

static void expect_cell(void *to, const int64_t xyz[3])
{
    expectation          *e     = to;
    const phys_grid_spec *grid  = e->problem->grid;
    const physics_stencil s     = physics_stencil_at(grid, xyz);
    const int64_t         cells = grid->nx * grid->ny * grid->nz;
    physics_sum           r[4], d[3][4];

    if (e->has_residuals) {
        physics_residuals_at(grid, e->problem->fields, &s, r);
        expect_components(e->expect, PHYS_BUF_R_SIGMA, PHYS_BUF_R_U, s.here, cells, r);
        for (int c = 0; c < 4; c++)
            add_square(&e->losses[c > 0], r[c], c == 0 ? PHYS_TERMS_SIGMA : PHYS_TERMS_U);
    }
    if (e->has_gradients) {
        gradients_at(e->problem, xyz, d);
        expect_components(e->expect, PHYS_BUF_D_SIGMA_T0, PHYS_BUF_D_U_T0, s.here, cells, d[0]);
        expect_components(e->expect, PHYS_BUF_D_SIGMA, PHYS_BUF_D_U, s.here, cells, d[1]);
        expect_components(e->expect, PHYS_BUF_D_SIGMA_T2, PHYS_BUF_D_U_T2, s.here, cells, d[2]);
    }
}

static void expect_slab(void *context, int64_t slab, int64_t z_begin, int64_t z_end)
{
    expectation_by_slab *all = context;
    expectation          e   = all->whole;

    physics_for_each_cell(e.problem->grid, z_begin, z_end, expect_cell, &e);
    memcpy(all->losses[slab], e.losses, sizeof e.losses);
}

/* Slabs that were not needed hold zeros. */
static void expect_losses(const expectation_by_slab *all, assay_expected *expect)
{
    for (int l = 0; l < 2; l++) {
        const double factor = all->whole.problem->factor[l] / 2;
        physics_sum  loss   = { 0, 0 };

        for (int slab = 0; slab < MAX_SLABS; slab++)
            physics_add_scaled(&loss, all->losses[slab][l], factor);
        expect_value(&expect[l == 0 ? PHYS_BUF_LOSS_SIGMA : PHYS_BUF_LOSS_U], 0, loss);
    }
}

static void set_terms(assay_expected *expect, bool is_field)
{
    expect[PHYS_BUF_R_SIGMA].terms = expect[PHYS_BUF_LOSS_SIGMA].terms = PHYS_TERMS_SIGMA;
    expect[PHYS_BUF_R_U].terms = expect[PHYS_BUF_LOSS_U].terms = PHYS_TERMS_U;
    expect[PHYS_BUF_D_SIGMA].terms    = is_field ? PHYS_TERMS_FIELD_SIGMA : PHYS_TERMS_SIGMA;
    expect[PHYS_BUF_D_U].terms        = is_field ? PHYS_TERMS_FIELD_U : PHYS_TERMS_U;
    expect[PHYS_BUF_D_SIGMA_T0].terms = expect[PHYS_BUF_D_SIGMA_T2].terms = PHYS_TERMS_SIGMA;
    expect[PHYS_BUF_D_U_T0].terms = expect[PHYS_BUF_D_U_T2].terms = PHYS_TERMS_U;
}

/* Cotangents of all cells, so that six neighbours need not compute them again. */
typedef struct all_cotangents {
    const physics_problem *problem;
    double                *memory; /* NULL: no memory, and each is computed where it is needed */
    double                *value[4], *magnitude[4];
} all_cotangents;

static void store_cotangents(void *to, const int64_t xyz[3])
{
    all_cotangents *all  = to;
    const int64_t   cell = physics_stencil_at(all->problem->grid, xyz).here;
    physics_sum     cotangent[4];

    physics_cotangents_at(all->problem, xyz, cotangent);
    for (int c = 0; c < 4; c++) {
        all->value[c][cell]     = cotangent[c].value;
        all->magnitude[c][cell] = cotangent[c].magnitude;
    }
}

static void cotangents_slab(void *context, int64_t slab, int64_t z_begin, int64_t z_end)
{
    const all_cotangents *all = context;

    (void)slab;
    physics_for_each_cell(all->problem->grid, z_begin, z_end, store_cotangents, context);
}

/* The caller frees memory. */
static void create_cotangents(all_cotangents *all, const assay_reference_args *args)
{
    const phys_grid_spec *grid  = all->problem->grid;
    const int64_t         cells = grid->nx * grid->ny * grid->nz;

    all->memory = malloc(8 * (size_t)cells * sizeof(double));
    if (all->memory == NULL)
        return;
    for (int c = 0; c < 4; c++) {
        all->value[c]     = all->memory + c * cells;
        all->magnitude[c] = all->memory + (4 + c) * cells;
    }
    args->parallel_for(grid->nz, (grid->nz + MAX_SLABS - 1) / MAX_SLABS, cotangents_slab, all);
}

/* The expected outputs, cell by cell. */
static void expect_all(const assay_reference_args *args, const physics_problem *problem)
{
    const phys_grid_spec *grid = problem->grid;
    expectation_by_slab   all  = {
           .whole = { .problem       = problem,
                      .expect        = args->expect,
                      .has_residuals = args->param[PHYS_PARAM_PASS] != PHYS_PASS_BACKWARD,
                      .has_gradients = args->param[PHYS_PARAM_PASS] != PHYS_PASS_FORWARD },
    };

    args->parallel_for(grid->nz, (grid->nz + MAX_SLABS - 1) / MAX_SLABS, expect_slab, &all);
    if (all.whole.has_residuals)
        expect_losses(&all, args->expect);
    set_terms(args->expect, grid->vjp == PHYS_VJP_FIELD);
}

/* The gradient with respect to the fields, in two sweeps if there is memory for the first. */
static void expect_field(const assay_reference_args *args, const physics_problem *problem)
{
    all_cotangents  all   = { .problem = problem };
    physics_problem known = *problem;

    create_cotangents(&all, args);
    if (all.memory != NULL) {
        known.given      = (const double *const *)all.value;
        known.magnitudes = (const double *const *)all.magnitude;
    }
    expect_all(args, &known);
    free(all.memory);
}

void physics_loss_reference(const assay_reference_args *args)
{
    const phys_grid_spec  grid    = grid_of(args->param, args->scalar);
    const phys_weights    weights = phys_case_weights(args->scalar);
    physics_state         fields;
    const physics_problem problem = problem_of(&grid, &weights, &fields);

    for (int level = 0; level < 3; level++)
        set_components(fields.t[level], args->in[PHYS_BUF_SIGMA_T0 + level],
                       args->in[PHYS_BUF_U_T0 + level], grid.nx * grid.ny * grid.nz);
    if (grid.vjp == PHYS_VJP_FIELD)
        expect_field(args, &problem);
    else
        expect_all(args, &problem);
}
