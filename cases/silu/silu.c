/* silu: x times the logistic function, forward, backward and to fp8, by the kernels of gelu. A
 * variant that must fail computes its exponential in fp16. docs/activations.md has the
 * mathematics. */
#include "../gelu/activation_shape.h"

static void silu_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    activation_shape(axis, input, ACT_SILU, s);
}

static const char *narrow_unseen(const assay_shape *s)
{
    return s->param[ACT_TYPE] == ASSAY_F32
               ? "it should compute in single precision, and here it does"
               : activation_is_not_plain(s);
}

const assay_case assay_case_silu = {
    .name        = "silu",
    .group       = "ops",
    .what        = "x times the logistic function, forward and backward",
    .version     = 1,
    .axes        = { ACT_AXES },
    .inputs      = ACT_INPUTS,
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = silu_shape,
    .reference   = activation_reference,
    .excluded    = activation_excluded,
    .tol         = ACT_TOLERANCE,
    .variants    = {
        ACT_VARIANTS,
        { .name        = "narrow",
          .what        = "wrong: x / (1 + exp(-x)) with every step in fp16 or bf16",
          .launch      = "silu_narrow",
          .unsupported = narrow_unseen,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name = "torch_eager", .peer = { "activations.py", "eager" }, .baseline = "scalar" },
        { .name = "torch_compile", .peer = { "activations.py", "compile" }, .baseline = "scalar" },
    },
};
