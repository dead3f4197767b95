/* thermo_gather: particles take velocity and heat from the gas around them, feel gravity, and move.
 * How much does their order matter? docs/thermo.md has the definition. */
#include "../thermo/thermo_particles.h"
#include "thermo_gather_inputs.h"

#include "../../kernels/thermo/thermo.h"

assay_reference_fn thermo_gather_reference; /* reference/thermo_gather/thermo_gather.c */
assay_prepare_fn   thermo_gather_prepare;

enum {
    AXIS_GRID,
    AXIS_N,
    AXIS_PARTICLES,
    AXIS_NEGATIVE_RHO
};

/* ---- shape ---- */

static void set_buffers(assay_shape *s, assay_input input, int64_t n, int64_t cells)
{
    const fills      f    = fills_of(input, dx_of(s));
    const assay_fill none = { 0 }; /* .prepare writes it */

    s->buf[GATHER_BUF_POS]      = (assay_buffer) { "pos", ASSAY_IN, ASSAY_F32, 3 * n, f.pos };
    s->buf[GATHER_BUF_MASS]     = (assay_buffer) { "mass", ASSAY_IN, ASSAY_F32, n, f.mass };
    s->buf[GATHER_BUF_RHO]      = (assay_buffer) { "rho", ASSAY_IN, ASSAY_F32, cells, f.rho };
    s->buf[GATHER_BUF_MOM]      = (assay_buffer) { "mom", ASSAY_IN, ASSAY_F32, 3 * cells, f.mom };
    s->buf[GATHER_BUF_E_INT]    = (assay_buffer) { "e_int", ASSAY_IN, ASSAY_F32, cells, f.e };
    s->buf[GATHER_BUF_PHI]      = (assay_buffer) { "phi", ASSAY_IN, ASSAY_F32, cells, f.phi };
    s->buf[GATHER_BUF_ORDER]    = (assay_buffer) { "order", ASSAY_IN, ASSAY_I32, n, none };
    s->buf[GATHER_BUF_NEW_POS]  = (assay_buffer) { "new_pos", ASSAY_OUT, ASSAY_F32, 3 * n, none };
    s->buf[GATHER_BUF_NEW_VEL]  = (assay_buffer) { "new_vel", ASSAY_OUT, ASSAY_F32, 3 * n, none };
    s->buf[GATHER_BUF_NEW_HEAT] = (assay_buffer) { "new_heat", ASSAY_OUT, ASSAY_F32, n, none };
    s->bytes_read               = 16 * n + 24 * cells;
    s->bytes_written            = 28 * n;
}

/* Arithmetic of a particle: place 9, weights 15, five sums of eight products 80, three slopes of
 * four 36 and their weights 12, quotients 4, velocity, position and heat 13. */
enum {
    FLOPS_PARTICLE = 9 + 15 + 80 + 48 + 17
};

static void thermo_gather_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *g = axis[AXIS_GRID].i;

    for (int d = 0; d < 3; d++)
        s->param[GATHER_PARAM_GX + d] = g[d];
    s->param[GATHER_PARAM_NEGATIVE_RHO] = axis[AXIS_NEGATIVE_RHO].i[0];
    s->param[GATHER_PARAM_PARTICLES]    = axis[AXIS_PARTICLES].i[0];
    s->param[GATHER_PARAM_IS_EXACT]     = input == ASSAY_INPUT_EXACT;
    s->scalar[GATHER_SCALAR_DX]         = (double)(float)(1.0 / (double)longest_side(g));
    s->scalar[GATHER_SCALAR_DT]         = input == ASSAY_INPUT_EXACT ? 1.0 / 64 : (double)0.01f;
    s->cells                            = axis[AXIS_N].i[0];
    s->flops                            = FLOPS_PARTICLE * (double)s->cells;
    set_buffers(s, input, s->cells, g[0] * g[1] * g[2]);
}

static const char *thermo_gather_uncountable(const assay_value *axis)
{
    return thermo_uncountable_sizes(axis[AXIS_GRID].i, axis[AXIS_N].i[0]);
}

static const char *thermo_gather_excluded(const assay_value *axis)
{
    const int64_t *g       = axis[AXIS_GRID].i;
    const int64_t  cells   = g[0] * g[1] * g[2];
    const int64_t  n       = axis[AXIS_N].i[0];
    const bool     is_full = axis[AXIS_GRID].tier == ASSAY_FULL;

    if (g[0] < 1 || g[1] < 1 || g[2] < 1)
        return "a grid without cells";
    if (is_full != (axis[AXIS_N].tier == ASSAY_FULL))
        return "a small grid with many particles, or a large one with few";
    if (!is_full)
        return n < 2 && axis[AXIS_PARTICLES].i[0] == GATHER_SORTED ? "one particle has no order"
                                                                   : NULL;
    if (axis[AXIS_NEGATIVE_RHO].i[0] == THERMO_NEGATIVE_RHO_POISON)
        return "the same work as `zero`: for small sizes";
    return thermo_excluded_load(cells, n);
}

static const char *thermo_gather_input_excluded(const assay_value *axis, assay_input input)
{
    return thermo_excluded_input(axis[AXIS_GRID].i, input);
}

/* ---- the wrap, also where the element rule has exemptions ---- */

/* New positions that are outside the domain, or further from the reference, the short way around,
 * than the bound. */
static assay_invariant_result inside_domain(const assay_evidence *e)
{
    const assay_shape     *s      = e->shape;
    const assay_expected  *want   = &e->expected[GATHER_BUF_NEW_POS];
    const float           *pos    = e->out[GATHER_BUF_NEW_POS];
    assay_invariant_result result = { 0, 0, 0 };

    for (int64_t i = 0; i < s->buf[GATHER_BUF_NEW_POS].count; i++) {
        const float  length = (float)extent_of(s, i % 3) * (float)dx_of(s);
        const double off    = fabs((double)pos[i] - want->value[i]);
        const double around = fmin(off, fabs((double)length - off));
        const double bound =
            ASSAY_U32_ROUNDOFF * (fabs(want->value[i]) + (double)length + want->magnitude[i]);

        if (want->law[i] != ASSAY_MUST_BE_NAN &&
            !(pos[i] >= 0 && pos[i] < length && around <= bound))
            result.value++;
    }
    return result;
}

/* ---- variants ---- */

static int64_t nodes_of(const assay_shape *s) { return s->buf[GATHER_BUF_RHO].count; }

/* A particle: pos and mass 16, results 28. A node: 24, packed 32. */
static int64_t plain_bytes(const assay_shape *s) { return 44 * s->cells + 24 * nodes_of(s); }
static int64_t order_bytes(const assay_shape *s) { return 48 * s->cells + 24 * nodes_of(s); }
static int64_t packed_bytes(const assay_shape *s)
{
    return 44 * s->cells + (24 + 32 + 32) * nodes_of(s);
}

/* Tuning of all variants but sorted_order. Warps that an SM shall hold: fewer leave each thread
 * more registers, and so more loads in flight. */
#define BLOCKS_AND_WARPS(...)                                                                      \
    {                                                                                              \
        ASSAY_TUNING("block", 128, 256, 512), ASSAY_TUNING("warps", __VA_ARGS__)                   \
    }

#define PEER(word) .peer = { "thermo_gather.py", word }, .baseline = "plain"

/* ---- the case ---- */

#define WHY                                                                                        \
    "the reference derives the error of each value along with it, from 13 roundings of a sum of "  \
    "eight weighted nodes, 11 of a slope, and one of each operation after; c = 1"

const assay_case assay_case_thermo_gather = {
    .name    = "thermo_gather",
    .group   = "thermo",
    .what    = "particles take velocity and heat from the grid, feel gravity, move and wrap",
    .version = 2,
    .axes    = {
        THERMO_AXIS_GRID,
        THERMO_AXIS_N,
        ASSAY_AXIS("particles", ASSAY_AXIS_TEXT, ASSAY_WORD(GATHER_RANDOM, "random"),
                   ASSAY_WORD(GATHER_SORTED, "sorted")),
        ASSAY_AXIS("negative_rho", ASSAY_AXIS_TEXT, ASSAY_WORD(THERMO_NEGATIVE_RHO_ZERO, "zero"),
                   ASSAY_WORD(THERMO_NEGATIVE_RHO_POISON, "poison")),
    },
    .inputs         = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = thermo_gather_shape,
    .reference      = thermo_gather_reference,
    .prepare        = thermo_gather_prepare,
    .uncountable    = thermo_gather_uncountable,
    .excluded       = thermo_gather_excluded,
    .input_excluded = thermo_gather_input_excluded,
    .tol            = { .rule   = ASSAY_RULE_BOUND,
                        .c      = 1,
                        .u_out  = ASSAY_U32_ROUNDOFF,
                        .u_acc  = ASSAY_U32_ROUNDOFF,
                        .growth = ASSAY_G_ONE,
                        .why    = WHY },
    .invariants     = { { "inside", "new positions outside the domain, or off around its edge",
                          inside_domain, NULL } },
    .variants       = {
        { .name        = "plain",
          .launch      = "thermo_gather_plain",
          .tuning      = BLOCKS_AND_WARPS(24, 32, 40),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = plain_bytes },
        { .name        = "sorted_order",
          .launch      = "thermo_gather_sorted_order",
          .baseline    = "plain",
          .tuning      = { THERMO_BLOCKS },
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = order_bytes },
        { .name        = "staged",
          .launch      = "thermo_gather_staged",
          .baseline    = "plain",
          .tuning      = BLOCKS_AND_WARPS(32, 24, 40),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = plain_bytes },
        { .name        = "packed",
          .launch      = "thermo_gather_packed",
          .workspace   = "thermo_gather_packed_workspace",
          .baseline    = "plain",
          .tuning      = BLOCKS_AND_WARPS(40, 24, 32),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .bytes_moved = packed_bytes },
        { .name = "torch_eager", PEER("eager") },
        { .name = "torch_compile", PEER("compile") },
        { .name = "triton", PEER("triton") },
    },
};
