/* layernorm: y = (x - mean) w / sqrt(mean((x - mean)^2) + eps) + b of each row, and its gradients.
 * Memory bound: an element is read and written once, and has eight flops. docs/norms.md has the
 * mathematics. */
#include "../norms/norms.h"

#include "../../kernels/layernorm/layernorm_case.h"

assay_reference_fn layernorm_reference; /* reference/layernorm/layernorm.c */

static void layernorm_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill none = { .kind = ASSAY_FILL_NONE };
    bool             is_back;
    int64_t          n, cols;

    norms_shape(axis, 1e-5, 1, s);
    is_back                = norms_is_back(s);
    n                      = norms_elements(s);
    cols                   = s->param[NORMS_COLS];
    s->buf[LAYER_X]        = norms_buffer("x", ASSAY_IN, s, n, true, norms_x_fill(input));
    s->buf[LAYER_WEIGHT]   = norms_buffer("weight", ASSAY_IN, s, cols, true, NORMS_WEIGHTS);
    s->buf[LAYER_BIAS]     = norms_buffer("bias", ASSAY_IN, s, cols, !is_back, NORMS_SIGNED);
    s->buf[LAYER_DY]       = norms_buffer("dy", ASSAY_IN, s, n, is_back, NORMS_SIGNED);
    s->buf[LAYER_Y]        = norms_buffer("y", ASSAY_OUT, s, n, !is_back, none);
    s->buf[LAYER_DX]       = norms_buffer("dx", ASSAY_OUT, s, n, is_back, none);
    s->buf[LAYER_D_WEIGHT] = norms_buffer("d_weight", ASSAY_OUT, s, cols, is_back, none);
    s->buf[LAYER_D_BIAS]   = norms_buffer("d_bias", ASSAY_OUT, s, cols, is_back, none);
    s->flops               = (is_back ? 20.0 : 8.0) * (double)n;
    norms_count_bytes(s);
}

static const char *no_welford(const assay_shape *s)
{
    return norms_is_back(s) ? "its backward pass would be plain's" : NULL;
}

/* In bf16, squares of neighbouring numbers are far apart: sums of few of them are exact. */
static const char *shown_where_squares_cancel(const assay_shape *s)
{
    return s->param[NORMS_TYPE] == ASSAY_BF16 && s->param[NORMS_COLS] < 1000
               ? "sums of few squares of bf16 are exact in fp32"
               : norms_shown_forward(s);
}

const assay_case assay_case_layernorm = {
    .name        = "layernorm",
    .group       = "ops",
    .what        = "rows less their mean, divided by their deviation, and the way back; fp32, fp16, bf16",
    .version     = 1,
    .axes        = { [NORMS_AXIS_TYPE] = OPS_TYPE_AXIS,
                     [NORMS_AXIS_PASS] = NORMS_AXIS_OF_PASSES,
                     [NORMS_AXIS_SIZE] = NORMS_AXIS_OF_SIZES },
    .inputs      = NORMS_INPUTS,
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = layernorm_shape,
    .reference   = layernorm_reference,
    .excluded    = norms_excluded,
    .uncountable = norms_uncountable,
    .tol         = NORMS_TOLERANCE,
    .variants    = {
        NORMS_PLAIN("layernorm"),
        { .name        = "welford",
          .what        = "as plain, with mean and variance from one reading",
          .launch      = "layernorm_welford",
          .baseline    = "plain",
          .tuning      = NORMS_TUNING_PLAIN,
          .unsupported = no_welford,
          .flags       = NORMS_FLAGS },
        NORMS_REGISTERS("layernorm"),
        NORMS_WARP_ROWS("layernorm"),
        { .name        = "squares_alone",
          .what        = "wrong: the variance as mean of squares less square of mean",
          .launch      = "layernorm_squares_alone",
          .unsupported = shown_where_squares_cancel,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE)) },
        { .name        = "eps_forgotten",
          .what        = "wrong: no eps, so that a row of zeros is NaN",
          .launch      = "layernorm_eps_forgotten",
          .unsupported = norms_shown_forward,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE)) },
        { .name        = "sum_in_type",
          .what        = "wrong: mean and variance summed in the type of the elements",
          .launch      = "layernorm_sum_in_type",
          .unsupported = norms_shown_in_halves,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE)) },
        NORMS_PEERS("layernorm"),
    },
};
