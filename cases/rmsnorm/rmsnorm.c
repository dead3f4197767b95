/* rmsnorm: y = x w / sqrt(mean(x^2) + eps) of each row, and its gradients. Memory bound: an element
 * is read and written once, and has six flops. docs/norms.md has the mathematics. */
#include "../norms/norms.h"

#include "../../kernels/rmsnorm/rmsnorm_case.h"

assay_reference_fn rmsnorm_reference; /* reference/rmsnorm/rmsnorm.c */

static void rmsnorm_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill none = { .kind = ASSAY_FILL_NONE };
    bool             is_back;
    int64_t          n, cols;

    norms_shape(axis, 1e-6, axis[NORMS_AXIS_PASS].i[0] == NORMS_FP8 ? 0.004 : 1, s);
    is_back              = norms_is_back(s);
    n                    = norms_elements(s);
    cols                 = s->param[NORMS_COLS];
    s->buf[RMS_X]        = norms_buffer("x", ASSAY_IN, s, n, true, norms_x_fill(input));
    s->buf[RMS_WEIGHT]   = norms_buffer("weight", ASSAY_IN, s, cols, true, NORMS_WEIGHTS);
    s->buf[RMS_DY]       = norms_buffer("dy", ASSAY_IN, s, n, is_back, NORMS_SIGNED);
    s->buf[RMS_Y]        = norms_buffer("y", ASSAY_OUT, s, n, !is_back, none);
    s->buf[RMS_DX]       = norms_buffer("dx", ASSAY_OUT, s, n, is_back, none);
    s->buf[RMS_D_WEIGHT] = norms_buffer("d_weight", ASSAY_OUT, s, cols, is_back, none);
    if (s->param[NORMS_PASS] == NORMS_FP8)
        s->buf[RMS_Y].type = ASSAY_F8E4M3;
    s->flops = (is_back ? 14.0 : 4.0) * (double)n;
    norms_count_bytes(s);
}

static const char *shown_in_f16(const assay_shape *s)
{
    return s->param[NORMS_TYPE] != ASSAY_F16 ? "fp32 and bf16 hold 1e-6 to their own precision"
                                             : norms_shown_forward(s);
}
static const char *shown_in_fp8(const assay_shape *s) { return norms_shown(s, NORMS_FP8); }
static const char *shown_back_in_halves(const assay_shape *s)
{
    return s->param[NORMS_TYPE] == ASSAY_F32 ? "shown for types narrower than that of the sums"
                                             : norms_shown(s, NORMS_BACKWARD);
}

const assay_case assay_case_rmsnorm = {
    .name        = "rmsnorm",
    .group       = "ops",
    .what        = "rows divided by their root mean square, and the way back; fp32, fp16, bf16, to fp8",
    .version     = 1,
    .axes        = { [NORMS_AXIS_TYPE] = OPS_TYPE_AXIS,
                     [NORMS_AXIS_PASS] = ASSAY_AXIS("pass", ASSAY_AXIS_TEXT,
                                                    ASSAY_WORD(NORMS_FORWARD, "forward"),
                                                    ASSAY_WORD(NORMS_BACKWARD, "backward"),
                                                    ASSAY_WORD(NORMS_FP8, "fp8")),
                     [NORMS_AXIS_SIZE] = NORMS_AXIS_OF_SIZES },
    .inputs      = NORMS_INPUTS,
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = rmsnorm_shape,
    .reference   = rmsnorm_reference,
    .excluded    = norms_excluded,
    .uncountable = norms_uncountable,
    .tol         = NORMS_TOLERANCE,
    .variants    = {
        NORMS_PLAIN("rmsnorm"),
        NORMS_REGISTERS("rmsnorm"),
        NORMS_WARP_ROWS("rmsnorm"),
        { .name        = "eps_outside",
          .what        = "wrong: 1 / (sqrt(mean square) + eps)",
          .launch      = "rmsnorm_eps_outside",
          .unsupported = norms_shown_forward,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "eps_forgotten",
          .what        = "wrong: no eps, so that a row of zeros is NaN",
          .launch      = "rmsnorm_eps_forgotten",
          .unsupported = norms_shown_forward,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name        = "eps_in_half",
          .what        = "wrong: eps as a literal of fp16, which has 1.01e-6 for 1e-6",
          .launch      = "rmsnorm_eps_in_half",
          .unsupported = shown_in_f16,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "sum_in_type",
          .what        = "wrong: squares summed in the type of the elements",
          .launch      = "rmsnorm_sum_in_type",
          .unsupported = norms_shown_in_halves,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "fp8_overflow",
          .what        = "wrong: values past 448 become NaN, not 448",
          .launch      = "rmsnorm_fp8_overflow",
          .unsupported = shown_in_fp8,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name        = "weight_in_type",
          .what        = "wrong: the weight's gradient summed in the type of the elements",
          .launch      = "rmsnorm_weight_in_type",
          .workspace   = "rmsnorm_weight_in_type_workspace",
          .unsupported = shown_back_in_halves,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        NORMS_PEERS("rmsnorm"),
    },
};
