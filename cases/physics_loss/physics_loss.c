/* physics_loss: residuals of transport equations on a grid, their weighted mean squares, and the
 * gradient with respect to the residuals or the fields. What does fusing all of it into one kernel
 * gain over kernels that pass intermediates through memory? docs/physics_loss.md has the
 * mathematics. */
#include "physics_loss.h"

#include "../../kernels/physics_loss/phys_case.h"

assay_reference_fn physics_loss_reference; /* reference/physics_loss/physics_loss.c */
assay_prepare_fn   physics_loss_prepare;
assay_launch_fn    physics_loss_cpu_ref;
assay_launch_fn    physics_loss_cpu_omp; /* kernels/physics_loss/cpu_omp.c */

enum {
    AXIS_GRID,
    AXIS_BOUNDARY,
    AXIS_TIME,
    AXIS_VJP,
    AXIS_LEVELS,
    AXIS_PASS
};

/* Words of the axis `boundary`, by place: the modes of the x, y and z axis. */
static const int BOUNDARIES[][3] = {
    { PHYS_PERIODIC, PHYS_PERIODIC, PHYS_PERIODIC },
    { PHYS_ZERO_GRADIENT, PHYS_ZERO_GRADIENT, PHYS_ZERO_GRADIENT },
    { PHYS_PERIODIC, PHYS_ZERO_GRADIENT, PHYS_PERIODIC },
    { PHYS_ZERO_GRADIENT, PHYS_PERIODIC, PHYS_PERIODIC },
};
enum {
    BOUNDARY_MIXED = 2, /* two mixed ones, so that every pair of axes differs in one of them */
    BOUNDARY_MIXED_X
};

/* ---- shape ---- */

static const double TWO_PI = 6.283185307179586476925;

static void set_scalars(assay_shape *s, const int64_t n[3], assay_input input)
{
    const double  exact[4]  = { 0.5, 0.25, 0.125, 0.25 };
    const double  smooth[4] = { TWO_PI / (double)n[0], TWO_PI / (double)n[1], TWO_PI / (double)n[2],
                                1e-3 };
    const double  other[4]  = { 0.11, 0.17, 0.13, 0.05 };
    const double *h         = input == ASSAY_INPUT_EXACT    ? exact
                              : input == ASSAY_INPUT_SMOOTH ? smooth
                                                            : other;

    for (int i = 0; i < 4; i++)
        s->scalar[PHYS_SCALAR_HX + i] = h[i];
    /* Exact: w / N is exactly 1 and 2. */
    s->scalar[PHYS_SCALAR_W_SIGMA] = input == ASSAY_INPUT_EXACT ? (double)s->cells : 1.1;
    s->scalar[PHYS_SCALAR_W_U]     = input == ASSAY_INPUT_EXACT ? 2 * (double)s->cells : 0.8;
}

static void set_fields(assay_shape *s, assay_input input, bool is_central)
{
    static const char *const sigma[3] = { "sigma_t0", "sigma_t1", "sigma_t2" };
    static const char *const u[3]     = { "u_t0", "u_t1", "u_t2" };

    for (int level = 0; level < 3; level++) {
        const int64_t n = level < 2 || is_central ? s->cells : 0;

        s->buf[PHYS_BUF_SIGMA_T0 + level] =
            (assay_buffer) { sigma[level], ASSAY_IN, ASSAY_F32, n,
                             physics_loss_fill(input, level, true) };
        s->buf[PHYS_BUF_U_T0 + level] = (assay_buffer) { u[level], ASSAY_IN, ASSAY_F32, 3 * n,
                                                         physics_loss_fill(input, level, false) };
    }
}

/* A buffer that a pass does not use has no elements. */
static assay_buffer output(const char *name, assay_type type, int64_t count, bool is_used)
{
    return (assay_buffer) {
        .name  = name,
        .role  = is_used ? ASSAY_OUT : ASSAY_WORK,
        .type  = type,
        .count = is_used ? count : 0,
    };
}

static void set_results(assay_shape *s, int64_t pass, bool is_central)
{
    const int64_t n           = s->cells;
    const bool    is_all      = s->param[PHYS_PARAM_LEVELS] == PHYS_LEVELS_ALL;
    const bool    is_forward  = pass == PHYS_PASS_FORWARD;
    const bool    is_backward = pass == PHYS_PASS_BACKWARD;

    s->buf[PHYS_BUF_R_SIGMA]    = output("r_sigma", ASSAY_F32, n, is_forward);
    s->buf[PHYS_BUF_R_U]        = output("r_u", ASSAY_F32, 3 * n, is_forward);
    s->buf[PHYS_BUF_D_SIGMA]    = output("d_sigma", ASSAY_F32, n, !is_forward);
    s->buf[PHYS_BUF_D_U]        = output("d_u", ASSAY_F32, 3 * n, !is_forward);
    s->buf[PHYS_BUF_D_SIGMA_T0] = output("d_sigma_t0", ASSAY_F32, n, is_all);
    s->buf[PHYS_BUF_D_U_T0]     = output("d_u_t0", ASSAY_F32, 3 * n, is_all);
    s->buf[PHYS_BUF_D_SIGMA_T2] = output("d_sigma_t2", ASSAY_F32, n, is_all && is_central);
    s->buf[PHYS_BUF_D_U_T2]     = output("d_u_t2", ASSAY_F32, 3 * n, is_all && is_central);
    s->buf[PHYS_BUF_LOSS_SIGMA] = output("loss_sigma", ASSAY_F64, 1, !is_backward);
    s->buf[PHYS_BUF_LOSS_U]     = output("loss_u", ASSAY_F64, 1, !is_backward);
    if (is_backward) { /* given to the non-fused variant: .prepare computes them */
        const assay_fill none = ASSAY_UNIFORM(0, 1);

        s->buf[PHYS_BUF_R_SIGMA] = (assay_buffer) { "r_sigma", ASSAY_IN, ASSAY_F32, n, none };
        s->buf[PHYS_BUF_R_U]     = (assay_buffer) { "r_u", ASSAY_IN, ASSAY_F32, 3 * n, none };
    }
}

/* Arithmetic of a cell. Residual: 16 scaled differences (32), twelve u D f and their sums (24), div
 * u and its product (4). Loss: squares and their sums. Cotangents: a, b. Gradient with respect to
 * the fields from a, b and the differences: products to be differenced (13), D^T of twelve of them
 * and of three more into the sums (45), a div u, a D_d s and b_c D_d u_c into them (26). Backward
 * has no differences yet: twelve scaled ones, and div u. Time: a product and a sum for each
 * component at t1 (first order), a product at each further level. */
enum {
    FLOPS_RESIDUAL    = 60,
    FLOPS_LOSS        = 8,
    FLOPS_COTANGENT   = 4,
    FLOPS_FIELD       = 84,
    FLOPS_DIFFERENCES = 26,
    FLOPS_TIME        = 8,
    FLOPS_LEVEL       = 4
};

/* Levels besides t1 at which a gradient is written. */
static int64_t further_levels(const assay_shape *s)
{
    if (s->param[PHYS_PARAM_LEVELS] != PHYS_LEVELS_ALL)
        return 0;
    return s->param[PHYS_PARAM_TIME] == PHYS_CENTRAL ? 2 : 1;
}

static int64_t field_arrays(const assay_shape *s)
{
    return s->param[PHYS_PARAM_TIME] == PHYS_CENTRAL ? 12 : 8;
}

static double flops_of_cell(const assay_shape *s)
{
    const int64_t pass     = s->param[PHYS_PARAM_PASS];
    const bool    is_field = s->param[PHYS_PARAM_VJP] == PHYS_VJP_FIELD;
    int64_t       flops    = 0;

    if (pass != PHYS_PASS_BACKWARD)
        flops += FLOPS_RESIDUAL + FLOPS_LOSS;
    if (pass != PHYS_PASS_FORWARD)
        flops += FLOPS_COTANGENT;
    if (is_field)
        flops += FLOPS_FIELD + (pass == PHYS_PASS_BACKWARD ? FLOPS_DIFFERENCES : 0) +
                 (s->param[PHYS_PARAM_TIME] == PHYS_CENTRAL ? 0 : FLOPS_TIME) +
                 FLOPS_LEVEL * further_levels(s);
    return (double)flops;
}

/* backward starts from the given residuals and, with respect to the fields, also from t1. */
static void set_work(assay_shape *s)
{
    const bool    is_backward = s->param[PHYS_PARAM_PASS] == PHYS_PASS_BACKWARD;
    const int64_t from        = s->param[PHYS_PARAM_VJP] == PHYS_VJP_FIELD ? 8 : 4;

    s->flops         = flops_of_cell(s) * (double)s->cells;
    s->bytes_read    = 4 * (is_backward ? from : field_arrays(s)) * s->cells;
    s->bytes_written = 16 * (1 + further_levels(s)) * s->cells + (is_backward ? 0 : 16);
}

static void physics_loss_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *n          = axis[AXIS_GRID].i;
    const int64_t  pass       = axis[AXIS_PASS].i[0];
    const bool     is_central = axis[AXIS_TIME].i[0] == PHYS_CENTRAL;

    s->cells = n[0] * n[1] * n[2];
    for (int d = 0; d < 3; d++) {
        s->param[PHYS_PARAM_NX + d]         = n[d];
        s->param[PHYS_PARAM_BOUNDARY_X + d] = BOUNDARIES[axis[AXIS_BOUNDARY].i[0]][d];
    }
    s->param[PHYS_PARAM_TIME]   = axis[AXIS_TIME].i[0];
    s->param[PHYS_PARAM_VJP]    = axis[AXIS_VJP].i[0];
    s->param[PHYS_PARAM_LEVELS] = axis[AXIS_LEVELS].i[0];
    s->param[PHYS_PARAM_PASS]   = pass;
    set_scalars(s, n, input);
    set_fields(s, input, is_central);
    set_results(s, pass, is_central);
    set_work(s);
}

/* Points of the quick tier that would find nothing new: `both` with all levels computes what the
 * other passes do. In the stand-alone programs of cases/physics_loss/test every mixture of the
 * three boundaries is combined with every pass and level, on more grids than these. */
static const char *mixed_excluded(const assay_value *axis)
{
    const int64_t *n = axis[AXIS_GRID].i;

    if (axis[AXIS_GRID].tier == ASSAY_FULL || n[0] == 1 || n[1] == 1 || n[2] == 1 ||
        n[0] * n[1] * n[2] > 4000)
        return "mixed boundaries are checked on small grids that have all three axes";
    if (axis[AXIS_PASS].i[0] != PHYS_PASS_BOTH ||
        (axis[AXIS_VJP].i[0] == PHYS_VJP_FIELD && axis[AXIS_LEVELS].i[0] != PHYS_LEVELS_ALL))
        return "mixed boundaries are checked where most is computed: pass=both, and all levels";
    return NULL;
}

static const char *field_excluded(const assay_value *axis)
{
    const int64_t *n       = axis[AXIS_GRID].i;
    const bool     is_all  = axis[AXIS_LEVELS].i[0] == PHYS_LEVELS_ALL;
    const bool     is_both = axis[AXIS_PASS].i[0] == PHYS_PASS_BOTH;

    if (axis[AXIS_GRID].tier == ASSAY_QUICK && n[0] * n[1] * n[2] > 1000 && is_all != is_both)
        return "edge sizes of several tiles: all levels with pass=both, t1 with pass=backward";
    return NULL;
}

static const char *physics_loss_excluded(const assay_value *axis)
{
    const int64_t *n = axis[AXIS_GRID].i;

    if (n[0] < 1 || n[1] < 1 || n[2] < 1)
        return "a mean over no cells is not defined";
    if (axis[AXIS_PASS].i[0] == PHYS_PASS_FORWARD && axis[AXIS_VJP].i[0] != PHYS_VJP_RESIDUAL)
        return "forward writes no gradient: it is there once, under vjp=residual";
    if (axis[AXIS_LEVELS].i[0] != PHYS_LEVELS_T1 && axis[AXIS_VJP].i[0] != PHYS_VJP_FIELD)
        return "a gradient with respect to the residuals has no levels";
    if (axis[AXIS_BOUNDARY].i[0] >= BOUNDARY_MIXED)
        return mixed_excluded(axis);
    return axis[AXIS_VJP].i[0] == PHYS_VJP_FIELD ? field_excluded(axis) : NULL;
}

/* Bytes by design. Non-fused, floats a cell: derivatives 8 (12) in and 16 out, residuals 20 in and
 * 4 out, loss 4 in. Gradient with respect to the residuals: 4 out if the loss kernel writes it, or
 * 4 in and 4 out alone. Gradient with respect to the fields: 8 in, and 4 out for each level. */
static int64_t nonfused_bytes(const assay_shape *s)
{
    const int64_t pass     = s->param[PHYS_PARAM_PASS];
    const bool    is_field = s->param[PHYS_PARAM_VJP] == PHYS_VJP_FIELD;
    const int64_t forward  = pass == PHYS_PASS_BACKWARD ? 0 : field_arrays(s) + 16 + 20 + 4 + 4;
    int64_t       backward = 0;

    if (is_field)
        backward = 8 + 4 * (1 + further_levels(s));
    else if (pass != PHYS_PASS_FORWARD)
        backward = pass == PHYS_PASS_BACKWARD ? 4 + 4 : 4;
    return 4 * (forward + backward) * s->cells;
}

/* Fused kernels start from the fields in every pass. */
static int64_t fused_bytes(const assay_shape *s)
{
    return 4 * (field_arrays(s) + 4 * (1 + further_levels(s))) * s->cells;
}

/* ---- the case ---- */

/* The box is the tile of 8 x 8 x 4 cells with one cell around it. */
static const char *residual_only(const assay_shape *s)
{
    return s->param[PHYS_PARAM_VJP] == PHYS_VJP_FIELD
               ? "a halo of one: the gradient with respect to the fields needs fields two cells "
                 "around"
               : NULL;
}

/* u = 2^-24. A plain difference rounds once and is scaled by a rounded constant: 3 roundings; the
 * product with u_d or s is the 4th; a sum of n terms adds n - 1 in any order. R_sigma: n = 7, 10
 * roundings; R_c: n = 4, 7. c n u M with c = 2.5 allows 17 and 10, where M is the sum of the terms'
 * magnitudes. Fused multiply-adds only save roundings.
 *
 * Cotangents: the rounded factor and its product are 2 more, 12 and 9 roundings of |factor| M. A
 * gradient at another level divides by a step: 14 and 11. c = 3 allows 21 and 12.
 *
 * Gradient with respect to the fields: a cotangent's error is relative to |factor| M, not to the
 * cotangent. So the reference puts |factor| M into the magnitudes in the cotangent's place. A term
 * is a cotangent (at most 12 roundings) times a difference (3, product 1), or times a value and a
 * scale (product, rounded constant, its product: 3): 16 at most. Sigma has n = 10 terms, u n = 13
 * (one fewer with central time): 25 and 28 roundings; c n = 30 and 39. */
#define WHY_RESIDUAL                                                                               \
    "each term carries at most 4 roundings, a sum of n terms n-1 more: 10 (n=7) and 7 (n=4) "      \
    "roundings of the terms' magnitudes at most, c n = 17.5 and 10"
#define WHY_GRADIENT                                                                               \
    "residuals: 10 (n=7) and 7 (n=4) roundings, factor 2, step 2: 14 and 11, c n = 21 and 12; "    \
    "fields: a term 16, n-1 sums: 25 (n=10) and 28 (n=13), c n = 30 and 39; cotangents enter "     \
    "the magnitudes with those of their residuals' terms"
#define WHY_LOSS                                                                                   \
    "squares of residuals off by at most E = c n u M: 2|R|E + E^2 summed by the reference as the " \
    "magnitude; sums in double add 2^-53 N, which c n = 17.5 and 10 over 10 and 7 roundings cover"
#define TOLERANCE_OF(name, factor, roundoff, reason)                                               \
    {                                                                                              \
        (name),                                                                                    \
        {                                                                                          \
            .rule = ASSAY_RULE_BOUND, .c = (factor), .u_out = (roundoff),                          \
            .u_acc = ASSAY_U32_ROUNDOFF, .growth = ASSAY_G_LINEAR, .why = (reason)                 \
        }                                                                                          \
    }
#define GRADIENT(name) TOLERANCE_OF(name, PHYS_GRADIENT_C, ASSAY_U32_ROUNDOFF, WHY_GRADIENT)
#define LOSS(name)     TOLERANCE_OF(name, PHYS_TOLERANCE_C, ASSAY_U64_ROUNDOFF, WHY_LOSS)

const assay_case assay_case_physics_loss = {
    .name        = "physics_loss",
    .what        = "transport residuals, weighted mean squares and their gradient, fp32",
    .version     = 2,
    .axes        = {
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(0, 4, 4), ASSAY_QGRID(1, 1, 1),
                   ASSAY_QGRID(1, 5, 4), ASSAY_QGRID(6, 1, 5), ASSAY_QGRID(5, 4, 1),
                   ASSAY_QGRID(2, 2, 2), ASSAY_QGRID(5, 6, 7), ASSAY_QGRID(7, 7, 3),
                   ASSAY_QGRID(8, 8, 4), ASSAY_QGRID(9, 9, 5), ASSAY_QGRID(60, 9, 3), ASSAY_QGRID(36, 17, 5),
                   ASSAY_QGRID(33, 17, 9), ASSAY_QGRID(68, 17, 3), ASSAY_FGRID(64, 64, 64), ASSAY_FGRID(96, 96, 96),
                   ASSAY_FGRID(128, 128, 128), ASSAY_FGRID(192, 192, 192),
                   ASSAY_FGRID(256, 256, 256), ASSAY_FGRID(384, 384, 384)),
        ASSAY_AXIS("boundary", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "periodic"),
                   ASSAY_WORD(1, "zero_gradient"), ASSAY_WORD(BOUNDARY_MIXED, "mixed"),
                   ASSAY_WORD(BOUNDARY_MIXED_X, "mixed_x")),
        ASSAY_AXIS("time", ASSAY_AXIS_TEXT, ASSAY_WORD(PHYS_FIRST_ORDER, "first_order"),
                   ASSAY_WORD(PHYS_CENTRAL, "central")),
        ASSAY_AXIS("vjp", ASSAY_AXIS_TEXT, ASSAY_WORD(PHYS_VJP_RESIDUAL, "residual"),
                   ASSAY_WORD(PHYS_VJP_FIELD, "field")),
        ASSAY_AXIS("levels", ASSAY_AXIS_TEXT, ASSAY_WORD(PHYS_LEVELS_T1, "t1"),
                   ASSAY_WORD(PHYS_LEVELS_ALL, "all")),
        ASSAY_AXIS("pass", ASSAY_AXIS_TEXT, ASSAY_WORD(PHYS_PASS_FORWARD, "forward"),
                   ASSAY_WORD(PHYS_PASS_BACKWARD, "backward"),
                   ASSAY_WORD(PHYS_PASS_BOTH, "both")),
    },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED) |
                   ASSAY_INPUT_BIT(ADVERSARIAL) | ASSAY_INPUT_BIT(SMOOTH),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = physics_loss_shape,
    .reference   = physics_loss_reference,
    .prepare     = physics_loss_prepare,
    .excluded    = physics_loss_excluded,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = PHYS_TOLERANCE_C,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_LINEAR,
                     .why    = WHY_RESIDUAL },
    .tol_for     = { GRADIENT("d_sigma"), GRADIENT("d_u"), GRADIENT("d_sigma_t0"),
                     GRADIENT("d_u_t0"), GRADIENT("d_sigma_t2"), GRADIENT("d_u_t2"),
                     LOSS("loss_sigma"), LOSS("loss_u") },
    .invariants  = {
        { "mean_square_sigma", "the loss is the weighted mean square of the residuals written",
          physics_loss_mean_square_sigma, physics_loss_has_loss },
        { "mean_square_u", "the loss is the weighted mean square of the residuals written",
          physics_loss_mean_square_u, physics_loss_has_loss },
        { "linear_in_sigma", "sigma times its gradient, over all levels, is twice its loss",
          physics_loss_linear_in_sigma, physics_loss_has_all_levels },
    },
    .variants    = {
        { .name = "cpu_ref", .cpu = physics_loss_cpu_ref, .flags = ASSAY_IS_REFERENCE },
        { .name = "cpu_omp", .cpu = physics_loss_cpu_omp, .flags = ASSAY_THREADED },
        { .name        = "nonfused",
          .launch      = "physics_loss_nonfused",
          .workspace   = "physics_loss_nonfused_workspace",
          .tuning      = { ASSAY_TUNING("block", 256, 128, 512) },
          .bytes_moved = nonfused_bytes },
        { .name        = "fused_pointwise",
          .launch      = "physics_loss_fused_pointwise",
          .setup       = "physics_loss_fused_setup",
          .teardown    = "physics_loss_fused_teardown",
          .baseline    = "nonfused",
          .tuning      = { ASSAY_TUNING("block", 256, 64, 128, 512) },
          .bytes_moved = fused_bytes },
        { .name        = "fused_tiled",
          .launch      = "physics_loss_fused_tiled",
          .setup       = "physics_loss_fused_setup",
          .teardown    = "physics_loss_fused_teardown",
          .baseline    = "nonfused",
          .tuning      = { ASSAY_TUNING("tile_x", 64, 32), ASSAY_TUNING("tile_y", 8, 16),
                           ASSAY_TUNING("blocks", 512, 256, 1024, 2048) },
          .bytes_moved = fused_bytes },
        { .name        = "fused_stream",
          .launch      = "physics_loss_fused_stream",
          .setup       = "physics_loss_fused_setup",
          .teardown    = "physics_loss_fused_teardown",
          .baseline    = "nonfused",
          .tuning      = { ASSAY_TUNING("shape", 1, 2, 3, 4, 5), ASSAY_TUNING("waves", 1, 2, 4) },
          .bytes_moved = fused_bytes },
        { .name        = "fused_tiled_8x8x4",
          .launch      = "physics_loss_fused_tiled_8x8x4",
          .setup       = "physics_loss_fused_setup",
          .teardown    = "physics_loss_fused_teardown",
          .baseline    = "nonfused",
          .unsupported = residual_only,
          .bytes_moved = fused_bytes },
        { .name = "torch_eager", .peer = { "physics_loss.py", "eager" }, .baseline = "nonfused" },
        { .name = "torch_compile", .peer = { "physics_loss.py", "compile" }, .baseline = "nonfused" },
    },
};
