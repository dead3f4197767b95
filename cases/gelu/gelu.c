/* gelu: x times the normal distribution, exactly or by tanh, forward, backward and to fp8. Variants
 * that must fail have a constant of too low a precision, another form, or a forgotten tail.
 * docs/activations.md has the mathematics. */
#include "activation_shape.h"

enum {
    AXIS_FORM = ACT_N_AXES
};

static void gelu_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    activation_shape(axis, input, axis[AXIS_FORM].i[0], s);
}

static const char *gelu_excluded(const assay_value *axis)
{
    return axis[ACT_AXIS_OUTPUT].i[0] == ACT_Y_F8 && axis[AXIS_FORM].i[0] == ACT_GELU_TANH
               ? "what fp8 does is judged by erf's form"
               : activation_excluded(axis);
}

/* ---- where wrong variants are right ---- */

static const char *literals_unseen(const assay_shape *s)
{
    return s->param[ACT_FUNCTION] != ACT_GELU_TANH ? "erf has other constants"
                                                   : activation_is_not_plain(s);
}

static const char *f16_literals_unseen(const assay_shape *s)
{
    return s->param[ACT_TYPE] != ASSAY_F32 ? "the change is smaller than the precision of the type"
                                           : literals_unseen(s);
}

static const char *sigmoid_unseen(const assay_shape *s)
{
    return s->param[ACT_FUNCTION] != ACT_GELU_ERF ? "it is shown where erf is asked for"
                                                  : activation_is_not_plain(s);
}

const assay_case assay_case_gelu = {
    .name        = "gelu",
    .group       = "ops",
    .what        = "x times the normal distribution, by erf or by tanh, forward and backward",
    .version     = 1,
    .axes        = { ACT_AXES,
                     [AXIS_FORM] = ASSAY_AXIS("form", ASSAY_AXIS_TEXT, ASSAY_WORD(ACT_GELU_ERF, "erf"),
                                              ASSAY_WORD(ACT_GELU_TANH, "tanh")) },
    .inputs      = ACT_INPUTS,
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = gelu_shape,
    .reference   = activation_reference,
    .excluded    = gelu_excluded,
    .tol         = ACT_TOLERANCE,
    .variants    = {
        ACT_VARIANTS,
        { .name        = "literals_bf16",
          .what        = "wrong: tanh's constants are held in bf16",
          .launch      = "gelu_literals_bf16",
          .unsupported = literals_unseen,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "literals_f16",
          .what        = "wrong: tanh's constants are held in fp16",
          .launch      = "gelu_literals_f16",
          .unsupported = f16_literals_unseen,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "sigmoid_form",
          .what        = "wrong: x * sigmoid(1.702 x) is taken for the function itself",
          .launch      = "gelu_sigmoid_form",
          .unsupported = sigmoid_unseen,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "f8_overflows",
          .what        = "wrong: the conversion to E4M3 does not saturate",
          .launch      = "gelu_f8_overflows",
          .unsupported = activation_is_not_f8,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name = "torch_eager", .peer = { "activations.py", "eager" }, .baseline = "scalar" },
        { .name = "torch_compile", .peer = { "activations.py", "compile" }, .baseline = "scalar" },
    },
};
