/* thermo_gas: one Heun step of the gas on a periodic grid, with Rusanov fluxes, pressure work, heat
 * conduction, and NaN for what is inadmissible. What is gained by not storing k1, by tiling and by
 * streaming? docs/thermo_gas.md has the equations. */
#include "case.h"

#include "../sums.h"
#include "thermo_gas_fields.h"

assay_reference_fn thermo_gas_reference; /* reference/thermo_gas/thermo_gas.c */

enum {
    AXIS_GRID,
    AXIS_OUTPUT,
    AXIS_POISON,
    AXIS_LOG
};

/* ---- shape ---- */

static double fill_rho(uint64_t random, int64_t i, const assay_shape *s)
{
    return value_of(THERMO_RHO, i, random, s);
}
static double fill_mom(uint64_t random, int64_t i, const assay_shape *s)
{
    return value_of(THERMO_MOM_X + (int)(i % 3), i / 3, random, s);
}
static double fill_e(uint64_t random, int64_t i, const assay_shape *s)
{
    return value_of(THERMO_E_INT, i, random, s);
}

/* The largest signal speed of a field, |u| + c, by class. */
static double fastest(assay_input input)
{
    switch (input) {
    case ASSAY_INPUT_RANDOM:
        return 5.4; /* rho 0.5, |mom| sqrt(3), e 3 */
    case ASSAY_INPUT_ADVERSARIAL:
        return 11; /* the hot cell, and what one stage makes of it */
    default:
        return 2.2;
    }
}

/* Stable: (|u| + c) dt / dx is below 1/3. A float, so that kernel and reference use the same
 * value. */
static double time_step(const int64_t n[3], assay_input input)
{
    const double most = fmax(fmax((double)n[0], (double)n[1]), (double)n[2]);

    return (double)(float)(0.28 / (fmax(most, 1) * fastest(input)));
}

static void set_fields(assay_shape *s, int first, const char *const name[3], assay_role role)
{
    static assay_fill_fn *const fill[3] = { fill_rho, fill_mom, fill_e };

    for (int f = 0; f < 3; f++) {
        s->buf[first + f] = (assay_buffer) { .name  = name[f],
                                             .role  = role,
                                             .type  = ASSAY_F32,
                                             .count = f == 1 ? 3 * s->cells : s->cells };
        if (role == ASSAY_IN)
            s->buf[first + f].fill = (assay_fill)ASSAY_CUSTOM(fill[f]);
    }
}

/* The log starts empty: entries that no source writes are 0 afterwards. */
static void set_log(assay_shape *s, bool has_log)
{
    const assay_fill zero = ASSAY_INTEGERS(0, 0, 1);
    const assay_role role = has_log ? ASSAY_INOUT : ASSAY_WORK;
    const int64_t    n    = has_log ? GAS_LOG_CAPACITY * GAS_LOG_WORDS : 0;

    s->buf[GAS_BUF_LOG_COUNT] =
        (assay_buffer) { "log_count", role, ASSAY_U32, has_log ? 1 : 0, zero };
    s->buf[GAS_BUF_LOG] = (assay_buffer) { "log", role, ASSAY_U32, n, zero };
}

/* For a cell in a stage: primitives 20, fluxes 3 * (9 + 2 * 5 * 4), pressure work and conduction
 * 25, the update 15. */
enum {
    FLOPS_STAGE = 207
};

static void thermo_gas_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    static const char *const given[3]  = { "rho", "mom", "e" };
    static const char *const first[3]  = { "rho_1", "mom_1", "e_1" };
    static const char *const result[3] = { "rho_2", "mom_2", "e_2" };
    const int64_t           *n         = axis[AXIS_GRID].i;
    const bool               is_both   = axis[AXIS_OUTPUT].i[0] == GAS_OUTPUT_STAGES;

    s->cells = n[0] * n[1] * n[2];
    for (int d = 0; d < 3; d++)
        s->param[GAS_PARAM_GX + d] = n[d];
    s->param[GAS_PARAM_OUTPUT] = axis[AXIS_OUTPUT].i[0];
    s->param[GAS_PARAM_POISON] = axis[AXIS_POISON].i[0];
    s->param[GAS_PARAM_INPUT]  = (int64_t)input;
    s->scalar[GAS_SCALAR_DT]   = time_step(n, input);
    set_fields(s, GAS_BUF_RHO, given, ASSAY_IN);
    set_fields(s, GAS_BUF_RHO_1, first, is_both ? ASSAY_OUT : ASSAY_WORK);
    set_fields(s, GAS_BUF_RHO_2, result, ASSAY_OUT);
    set_log(s, axis[AXIS_LOG].i[0] == 1);
    s->flops         = 2.0 * FLOPS_STAGE * (double)s->cells;
    s->bytes_read    = 20 * s->cells;
    s->bytes_written = (is_both ? 40 : 20) * s->cells;
}

/* Poison and the log concern single cells: small grids show all of it. */
static bool is_poison_grid(const int64_t n[3])
{
    static const int64_t grids[][3] = { { 2, 2, 2 }, { 5, 5, 5 }, { 7, 6, 5 }, { 5, 9, 33 } };

    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        if (n[0] == grids[g][0] && n[1] == grids[g][1] && n[2] == grids[g][2])
            return true;
    return false;
}

static const char *thermo_gas_excluded(const assay_value *axis)
{
    const int64_t *n         = axis[AXIS_GRID].i;
    const bool     is_poison = axis[AXIS_POISON].i[0] != GAS_POISON_NONE;
    const bool     is_both   = axis[AXIS_OUTPUT].i[0] == GAS_OUTPUT_STAGES;
    const bool     has_log   = axis[AXIS_LOG].i[0] == 1;

    if (axis[AXIS_GRID].tier == ASSAY_FULL && (is_poison || is_both || has_log))
        return "stages, poison and the log are checked on small grids";
    if (is_both && n[0] == 37)
        return "the grid with more nodes than 16 bits count is checked by the whole step";
    if ((is_poison || has_log) && !(is_poison_grid(n) && is_both))
        return "poison and the log are checked where both stages are seen, on four grids";
    if (has_log && n[0] != 7)
        return "the log is checked on the grid 7x6x5";
    return NULL;
}

static const char *thermo_gas_input_excluded(const assay_value *axis, assay_input input)
{
    if (axis[AXIS_POISON].i[0] == GAS_POISON_OVERSTEPPED && input == ASSAY_INPUT_EXACT)
        return "the cells beside a hot one are not exact";
    return axis[AXIS_LOG].i[0] == 1 && input == ASSAY_INPUT_ADVERSARIAL
               ? "the entries of several sources have an order that is free"
               : NULL;
}

/* ---- conservation: second oracles ---- */

static const double TOLERANCE_C = 2;

/* c u of the tolerance: all values may be off to the same side. */
static double slack_of(const assay_expected *e, int64_t i)
{
    return TOLERANCE_C * ASSAY_U32_ROUNDOFF * (fabs(e->value[i]) + e->magnitude[i]);
}

/* One component of one field, before and after. */
typedef struct component {
    const float          *from, *to;
    const assay_expected *expected;
    int                   n, c;
} component;

static void add_values(const void *context, int64_t begin, int64_t end, double *sum)
{
    const component *f = context;

    for (int64_t cell = begin; cell < end; cell++) {
        const int64_t i = f->n * cell + f->c;

        sum[0] += (double)f->to[i];
        sum[1] += (double)f->from[i];
        sum[2] += slack_of(f->expected, i);
    }
}

/* Sum of component c of n: conserved. */
static assay_invariant_result conserved(const assay_evidence *e, int given, int result, int c,
                                        int n)
{
    const component f             = { e->in[given], e->out[result], &e->expected[result], n, c };
    double          sum[SUMS_MAX] = { 0 };

    sums_over(e->parallel_for, e->shape->buf[result].count / n, add_values, &f, sum);
    return (assay_invariant_result) { .value = sum[0], .expected = sum[1], .bound = sum[2] };
}

static assay_invariant_result mass(const assay_evidence *e)
{
    return conserved(e, GAS_BUF_RHO, GAS_BUF_RHO_2, 0, 1);
}

/* The component that is nearest to its bound. */
static assay_invariant_result momentum(const assay_evidence *e)
{
    assay_invariant_result worst = conserved(e, GAS_BUF_MOM, GAS_BUF_MOM_2, 0, 3);

    for (int d = 1; d < 3; d++)
        worst = sums_worse(worst, conserved(e, GAS_BUF_MOM, GAS_BUF_MOM_2, d, 3));
    return worst;
}

typedef struct gas_state {
    const int64_t *n; /* extents */
    const float   *rho, *mom, *e;
} gas_state;

/* p div u dx, p = (gamma - 1) e and u = mom / rho: normal cells. */
static void add_work(const void *context, int64_t begin, int64_t end, double *sum)
{
    const gas_state *s         = context;
    const int64_t    stride[3] = { s->n[1] * s->n[2], s->n[2], 1 };

    for (int64_t cell = begin; cell < end; cell++)
        for (int d = 0; d < 3; d++) {
            const int64_t n = s->n[d], at = cell / stride[d] % n;
            const int64_t high = cell + (at + 1 == n ? 1 - n : 1) * stride[d];
            const int64_t low  = cell + (at == 0 ? n - 1 : -1) * stride[d];

            sum[0] += (THERMO_GAMMA - 1) * (double)s->e[cell] *
                      ((double)s->mom[3 * high + d] / (double)s->rho[high] -
                       (double)s->mom[3 * low + d] / (double)s->rho[low]) /
                      2;
        }
}

/* e changes by -dt/2 times the sum of p div u over both stages; U1 is the kernel's own. */
static assay_invariant_result energy(const assay_evidence *e)
{
    const int64_t         *n      = e->shape->param + GAS_PARAM_GX;
    const double           dt     = e->shape->scalar[GAS_SCALAR_DT];
    const double           most   = fmax(fmax((double)n[0], (double)n[1]), (double)n[2]);
    assay_invariant_result sum    = conserved(e, GAS_BUF_E, GAS_BUF_E_2, 0, 1);
    const gas_state        before = { n, e->in[GAS_BUF_RHO], e->in[GAS_BUF_MOM], e->in[GAS_BUF_E] };
    const gas_state        between        = { n, e->out[GAS_BUF_RHO_1], e->out[GAS_BUF_MOM_1],
                                              e->out[GAS_BUF_E_1] };
    double                 work[SUMS_MAX] = { 0 };

    sums_over(e->parallel_for, e->shape->cells, add_work, &before, work);
    sums_over(e->parallel_for, e->shape->cells, add_work, &between, work);
    sum.expected -= dt / 2 * most * work[0];
    return sum;
}

static bool is_whole(const assay_shape *s, assay_input input)
{
    return s->param[GAS_PARAM_POISON] == GAS_POISON_NONE && input != ASSAY_INPUT_ADVERSARIAL;
}
static bool is_whole_in_stages(const assay_shape *s, assay_input input)
{
    return is_whole(s, input) && s->param[GAS_PARAM_OUTPUT] == GAS_OUTPUT_STAGES;
}

static int64_t count_nan(const float *values, int64_t count)
{
    int64_t n = 0;

    for (int64_t i = 0; i < count; i++)
        n += isnan(values[i]) ? 1 : 0;
    return n;
}

/* 7 cells after stage 1 and 25 after stage 2, which a factor tells apart; a cell that becomes
 * inadmissible in stage 1 is alone then. */
static assay_invariant_result poisoned(const assay_evidence *e)
{
    const int64_t n       = e->shape->cells;
    const bool    is_late = e->shape->param[GAS_PARAM_POISON] == GAS_POISON_OVERSTEPPED;

    return (assay_invariant_result) {
        .value    = (double)(1000 * count_nan(e->out[GAS_BUF_RHO_1], n) +
                          count_nan(e->out[GAS_BUF_RHO_2], n)),
        .expected = is_late ? 1007 : 7025,
        .bound    = 0,
    };
}
static bool is_one_poisoned(const assay_shape *s, assay_input input)
{
    const int64_t *n = s->param + GAS_PARAM_GX;

    return s->param[GAS_PARAM_POISON] != GAS_POISON_NONE && input != ASSAY_INPUT_ADVERSARIAL &&
           n[0] >= 5 && n[1] >= 5 && n[2] >= 5;
}

/* ---- the case ---- */

#define TUNE_BLOCK ASSAY_TUNING("block", 256, 64, 128, 512)

/* Bytes that a variant moves by its design: 60 + 80 a cell with k1 stored, 40 + 60 without. */
static int64_t stored_bytes(const assay_shape *s) { return 140 * s->cells; }
static int64_t ssp_bytes(const assay_shape *s) { return 100 * s->cells; }

static const char *keeps_no_log(const assay_shape *s)
{
    return s->buf[GAS_BUF_LOG].count > 0 ? "the log is written from within kernels of our own"
                                         : NULL;
}

#define PEER(word)                                                                                 \
    .peer = { "thermo_gas.py", word }, .baseline = "plain", .unsupported = keeps_no_log

#define POISON_WORDS                                                                               \
    ASSAY_WORD(GAS_POISON_NONE, "none"), ASSAY_WORD(GAS_POISON_NAN, "nan"),                        \
        ASSAY_WORD(GAS_POISON_INFINITE, "infinite"),                                               \
        ASSAY_WORD(GAS_POISON_NEGATIVE_DENSITY, "negative_density"),                               \
        ASSAY_WORD(GAS_POISON_NEGATIVE_ENERGY, "negative_energy"),                                 \
        ASSAY_WORD(GAS_POISON_ENVELOPE_MOMENTUM, "envelope_momentum"),                             \
        ASSAY_WORD(GAS_POISON_ENVELOPE_HOT, "envelope_hot"),                                       \
        ASSAY_WORD(GAS_POISON_ENVELOPE_COLD, "envelope_cold"),                                     \
        ASSAY_WORD(GAS_POISON_OVERSTEPPED, "overstepped")

const assay_case assay_case_thermo_gas = {
    .name        = "thermo_gas",
    .group       = "thermo",
    .what        = "one Heun step of a gas: Rusanov fluxes, pressure work, conduction, NaN poisoning",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(0, 4, 4), ASSAY_QGRID(1, 1, 1),
                   ASSAY_QGRID(2, 2, 2), ASSAY_QGRID(1, 5, 3), ASSAY_QGRID(3, 2, 1),
                   ASSAY_QGRID(5, 5, 5), ASSAY_QGRID(7, 6, 5), ASSAY_QGRID(4, 8, 32),
                   ASSAY_QGRID(3, 7, 31), ASSAY_QGRID(5, 9, 33), ASSAY_QGRID(33, 4, 7), ASSAY_QGRID(37, 17, 18),
                   ASSAY_FGRID(64, 64, 64), ASSAY_FGRID(128, 128, 128),
                   ASSAY_FGRID(192, 192, 192), ASSAY_FGRID(256, 256, 256),
                   ASSAY_FGRID(384, 384, 384), ASSAY_FGRID(512, 512, 512)),
        ASSAY_AXIS("output", ASSAY_AXIS_TEXT, ASSAY_WORD(GAS_OUTPUT_STEP, "step"),
                   ASSAY_WORD(GAS_OUTPUT_STAGES, "stages")),
        ASSAY_AXIS("poison", ASSAY_AXIS_TEXT, POISON_WORDS),
        ASSAY_AXIS("log", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "off"), ASSAY_WORD(1, "on")),
    },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) |
                   ASSAY_INPUT_BIT(ADVERSARIAL) | ASSAY_INPUT_BIT(SMOOTH),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = thermo_gas_shape,
    .reference   = thermo_gas_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 2,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_ONE,
                     .why    = "magnitude: running error bound of the reference, each operation "
                               "rounding once and a sum of n terms n-1 times; c = 2: a reciprocal "
                               "and a product round twice where a quotient rounds once" },
    .excluded       = thermo_gas_excluded,
    .input_excluded = thermo_gas_input_excluded,
    .invariants  = {
        { "mass", "fluxes cancel: the sum of rho is conserved to rounding", mass, is_whole },
        { "momentum", "fluxes cancel: the sums of mom are conserved to rounding", momentum, is_whole },
        { "energy", "the sum of e changes by -dt/2 times the sum of p div u over both stages",
          energy, is_whole_in_stages },
        { "poisoned", "one inadmissible cell poisons 7 cells in stage 1 and 25 in stage 2; one that stage 1 makes "
          "so, itself and 7 in stage 2",
          poisoned, is_one_poisoned },
    },
    .variants    = {
        { .name        = "plain",
          .launch      = "thermo_gas_plain",
          .workspace   = "thermo_gas_plain_workspace",
          .tuning      = { TUNE_BLOCK },
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = stored_bytes },
        { .name        = "ssp",
          .launch      = "thermo_gas_ssp",
          .baseline    = "plain",
          .tuning      = { TUNE_BLOCK },
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = ssp_bytes },
        { .name        = "tiled3d",
          .launch      = "thermo_gas_tiled3d",
          .baseline    = "plain",
          .tuning      = { ASSAY_TUNING("tile_x", 4, 2), ASSAY_TUNING("tile_y", 4, 8) },
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = ssp_bytes },
        { .name        = "stream",
          .launch      = "thermo_gas_stream",
          .baseline    = "plain",
          .tuning      = { ASSAY_TUNING("rows", 8, 4, 16), ASSAY_TUNING("warps", 24, 16), ASSAY_TUNING("unroll", 2, 1), ASSAY_TUNING("planes", 32, 4, 16, 64, 128) },
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = ssp_bytes },
        { .name = "torch_eager", PEER("eager") },
        { .name = "torch_compile", PEER("compile") },
        { .name = "triton", PEER("triton") },
    },
};
