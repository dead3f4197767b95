/* fused_add_rmsnorm: the residual becomes x + residual, and y is its rmsnorm; and the gradients.
 * Memory bound: forward, two elements are read and two written, with seven flops. docs/norms.md has
 * the mathematics. */
#include "../norms/norms.h"

#include "../../kernels/fused_add_rmsnorm/fused_case.h"

assay_reference_fn
    fused_add_rmsnorm_reference; /* reference/fused_add_rmsnorm/fused_add_rmsnorm.c */

/* Rows that are zeros, tiny, or all the same but one stay so. */
static double adversarial_residual(uint64_t random, int64_t i, const assay_shape *s)
{
    switch (i / s->param[NORMS_COLS] % NORMS_ROW_KINDS) {
    case NORMS_ONE_STEP:
    case NORMS_ZEROS:
        return 0;
    case NORMS_TINY:
        return norms_within(random, 1e-4);
    default:
        return norms_within(random, 2);
    }
}

/* In the backward pass it is the sum, as adversarial as x. */
static assay_fill residual_fill(assay_input input, bool is_back)
{
    const assay_fill adversarial = ASSAY_CUSTOM(adversarial_residual);

    return input == ASSAY_INPUT_ADVERSARIAL && !is_back ? adversarial : norms_x_fill(input);
}

static void fused_add_rmsnorm_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill none = { .kind = ASSAY_FILL_NONE };
    bool             is_back;
    int64_t          n, cols;

    norms_shape(axis, 1e-6, 1, s);
    is_back                = norms_is_back(s);
    n                      = norms_elements(s);
    cols                   = s->param[NORMS_COLS];
    s->buf[FUSED_X]        = norms_buffer("x", ASSAY_IN, s, n, !is_back, norms_x_fill(input));
    s->buf[FUSED_RESIDUAL] = norms_buffer("residual", is_back ? ASSAY_IN : ASSAY_INOUT, s, n, true,
                                          residual_fill(input, is_back));
    s->buf[FUSED_WEIGHT]   = norms_buffer("weight", ASSAY_IN, s, cols, true, NORMS_WEIGHTS);
    s->buf[FUSED_DY]       = norms_buffer("dy", ASSAY_IN, s, n, is_back, NORMS_SIGNED);
    s->buf[FUSED_D_OUT]    = norms_buffer("d_out", ASSAY_IN, s, n, is_back, NORMS_SIGNED);
    s->buf[FUSED_Y]        = norms_buffer("y", ASSAY_OUT, s, n, !is_back, none);
    s->buf[FUSED_D_SUM]    = norms_buffer("d_sum", ASSAY_OUT, s, n, is_back, none);
    s->buf[FUSED_D_WEIGHT] = norms_buffer("d_weight", ASSAY_OUT, s, cols, is_back, none);
    s->flops               = (is_back ? 15.0 : 5.0) * (double)n;
    norms_count_bytes(s);
}

const assay_case assay_case_fused_add_rmsnorm = {
    .name        = "fused_add_rmsnorm",
    .group       = "ops",
    .what        = "a residual gets x added and is normalised, and the way back; fp32, fp16, bf16",
    .version     = 1,
    .axes        = { [NORMS_AXIS_TYPE] = OPS_TYPE_AXIS,
                     [NORMS_AXIS_PASS] = NORMS_AXIS_OF_PASSES,
                     [NORMS_AXIS_SIZE] = NORMS_AXIS_OF_SIZES },
    .inputs      = NORMS_INPUTS,
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = fused_add_rmsnorm_shape,
    .reference   = fused_add_rmsnorm_reference,
    .excluded    = norms_excluded,
    .uncountable = norms_uncountable,
    .tol         = NORMS_TOLERANCE,
    .tol_for     = { { "residual",
                       { .rule = ASSAY_RULE_EXACT,
                         .why  = "the sum of two elements, rounded once: fp32 holds more than twice "
                                 "the digits of a half, so rounding it first changes nothing" } } },
    .variants    = {
        NORMS_PLAIN("fused_add_rmsnorm"),
        NORMS_REGISTERS("fused_add_rmsnorm"),
        NORMS_WARP_ROWS("fused_add_rmsnorm"),
        { .name        = "overwrites_inputs",
          .what        = "wrong: the sum is kept in x as well, which is the caller's",
          .launch      = "fused_add_rmsnorm_overwrites_inputs",
          .unsupported = norms_shown_forward,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(INPUT_CHANGED)) },
        { .name        = "sum_unrounded",
          .what        = "wrong: y is of the sum before it was rounded, not of the residual as stored",
          .launch      = "fused_add_rmsnorm_sum_unrounded",
          .unsupported = norms_shown_in_halves,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        NORMS_PEERS("fused_add_rmsnorm"),
    },
};
