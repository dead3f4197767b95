/* physarum: one step of agents that follow and lay a trail on a grid. What do 55 launches a step
 * cost compared with a fused step, and does the fused step compute the same model? The map is
 * discontinuous and chaotic, so that one step from a given state is compared; physarum_run times
 * many steps. docs/physarum.md. */
#include "physarum_variants.h"

#include "../../reference/physarum/physarum.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn physarum_reference; /* reference/physarum/physarum.c */
assay_prepare_fn   physarum_prepare;
assay_launch_fn    physarum_cpu_ref;

enum {
    AXIS_SEMANTICS,
    AXIS_GRID,
    AXIS_AGENTS,
    AXIS_BLUR,
    AXIS_STEP
};

static physarum_point point_of(const assay_value *axis)
{
    return (physarum_point) {
        .width     = axis[AXIS_GRID].i[0],
        .height    = axis[AXIS_GRID].i[1],
        .agents    = axis[AXIS_AGENTS].i[0],
        .semantics = axis[AXIS_SEMANTICS].i[0],
        .blur      = axis[AXIS_BLUR].i[0],
        .start     = axis[AXIS_STEP].i[0],
        .steps     = 1,
    };
}

static void physarum_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const physarum_point p = point_of(axis);

    physarum_set_shape(&p, input, s);
}

static const char *physarum_uncountable(const assay_value *axis)
{
    const physarum_point p = point_of(axis);

    return physarum_uncountable_sizes(&p);
}

static const char *physarum_excluded(const assay_value *axis)
{
    const physarum_point p = point_of(axis);

    return physarum_excluded_sizes(&p);
}

static const char *physarum_input_excluded(const assay_value *axis, assay_input input)
{
    const physarum_point p = point_of(axis);

    return physarum_excluded_input(&p, input);
}

/* ---- second oracles ---- */

/* The worst err / bound of the field, compared with the field that follows from the agents as the
 * kernel left them. No cell is exempt here, whatever the agents in doubt have done. */
static assay_invariant_result field_given_agents(const assay_evidence *e)
{
    const physarum_model m = physarum_model_of(e->shape->param, e->shape->scalar, e->parallel_for);
    const int64_t        cells = m.height * m.width;
    const float         *out   = e->out[PHYSARUM_BUF_NEW_FIELD];
    double              *value = calloc((size_t)cells, sizeof *value);
    double              *size  = calloc((size_t)cells, sizeof *size);
    double               worst = value && size ? 0 : NAN;

    if (value && size)
        physarum_next_field(&m, e->in[PHYSARUM_BUF_FIELD], e->out[PHYSARUM_BUF_NEW_POS],
                            &(physarum_field_out) { .value = value, .magnitude = size });
    for (int64_t i = 0; i < cells && value && size; i++) {
        const double bound = ASSAY_U32_ROUNDOFF * (fabs(value[i]) + size[i]);
        const double err   = fabs((double)out[i] - value[i]);

        if (!(err <= worst * bound))
            worst = err / bound;
    }
    free(value);
    free(size);
    return (assay_invariant_result) { .value = worst, .expected = 0, .bound = 1 };
}

/* On a torus a mean loses nothing. Every cell may be off by its bound, relative to the sum since
 * the field is nowhere negative: (FIELD_ROUNDINGS + 1) u, and a rounding for each deposit in a
 * cell. n deposits are at most n in one cell. */
static assay_invariant_result mass(const assay_evidence *e)
{
    const physarum_model m        = physarum_model_of(e->shape->param, e->shape->scalar, NULL);
    const int64_t        cells    = m.height * m.width;
    const double         before   = physarum_sum(e->in[PHYSARUM_BUF_FIELD], cells);
    const double         expected = (1 - m.decay) * (before + m.deposit * (double)m.agents);
    const double         relative = (PHYSARUM_FIELD_ROUNDINGS + 1) * ASSAY_U32_ROUNDOFF;
    const double         crowd    = (double)m.agents * ASSAY_U32_ROUNDOFF;

    return (assay_invariant_result) {
        .value    = physarum_sum(e->out[PHYSARUM_BUF_NEW_FIELD], cells),
        .expected = expected,
        .bound    = expected * (relative + fmin(crowd, 1e-5)),
    };
}

/* ---- the case ---- */

#define WHY_POSITION                                                                               \
    "two roundings of the sum, two of the extent where it wrapped; a kernel may keep directions "  \
    "as vectors, whose heading is off by 32 u at most (sine, rotation, normalisation, arctangent)"
#define WHY_FIELD                                                                                  \
    "32 roundings of the terms' magnitudes (24 additions, products, constants) in any order, and " \
    "one for each deposit into a cell, at the size of that cell"
#define TOLERANCE(reason)                                                                          \
    {                                                                                              \
        .rule = ASSAY_RULE_BOUND, .c = 1, .u_out = ASSAY_U32_ROUNDOFF,                             \
        .u_acc = ASSAY_U32_ROUNDOFF, .why = (reason)                                               \
    }

const assay_case assay_case_physarum = {
    .name           = "physarum",
    .what           = "one step of trail-following agents: sense, turn, move, deposit, blur, decay",
    .version        = 1,
    .axes           = {
        PHYSARUM_AXIS_SEMANTICS,
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1), ASSAY_QGRID(3, 2, 1),
                   ASSAY_QGRID(33, 17, 1), ASSAY_QGRID(128, 9, 1), ASSAY_QGRID(256, 32, 1),
                   PHYSARUM_REAL_GRIDS),
        ASSAY_AXIS("agents", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(6), ASSAY_Q(257),
                   ASSAY_Q(1023), PHYSARUM_REAL_AGENTS),
        ASSAY_AXIS("blur", ASSAY_AXIS_INT, ASSAY_Q(3), ASSAY_Q(5)),
        ASSAY_AXIS("step", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(10), ASSAY_Q(100),
                   ASSAY_F(200)),
    },
    .inputs         = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED) |
                      ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = physarum_shape,
    .reference      = physarum_reference,
    .prepare        = physarum_prepare,
    .uncountable = physarum_uncountable,
    .excluded = physarum_excluded,
    .input_excluded = physarum_input_excluded,
    .tol            = TOLERANCE(WHY_POSITION),
    .tol_for        = { { "new_field", TOLERANCE(WHY_FIELD) } },
    .invariants     = {
        { "field_given_agents",
          "worst err/bound of the field against the one that the kernel's own agents make",
          field_given_agents, NULL },
        { "mass", "on a torus the field's sum is (1 - decay) (sum before + deposits)", mass,
          physarum_is_on_torus },
    },
    .variants       = {
        { .name = "cpu_ref", .cpu = physarum_cpu_ref, .flags = ASSAY_IS_REFERENCE },
        { .name = "cpu_omp", PHYSARUM_CPU_OMP },
        { .name = "ops", PHYSARUM_OPS },
        { .name = "two_kernel", PHYSARUM_TWO_KERNEL },
        { .name = "fused", PHYSARUM_FUSED },
        { .name = "fused_torch", PHYSARUM_FUSED_TORCH },
        { .name = "torch_eager", PHYSARUM_PEER_OF_TORCH("eager") },
        { .name = "torch_compile", PHYSARUM_PEER_OF_TORCH("compile") },
        { .name = "triton", PHYSARUM_PEER_OF_TRITON },
    },
};
