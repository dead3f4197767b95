/* softmax_row_grad: the gradient of softmax_row with respect to its scores, from the scores: powers
 * are computed again, as in a kernel that has kept nothing. docs/softmax_row.md */
#include "../softmax_row/softmax_rows.h"

#include "../../kernels/softmax_row_grad/softmax_grad_case.h"

assay_reference_fn softmax_row_grad_reference; /* reference/softmax_row_grad/softmax_row_grad.c */

/* In odd rows the values lie close together far from 0, so that dy less its mean cancels; in others
 * they are spread wide. */
static double hard_slope(uint64_t random, int64_t i, const assay_shape *s)
{
    const double unit = ops_unit(random);

    if (i / s->param[SOFTMAX_WIDTH] % 2 == 1)
        return 100 + unit;
    return (2 * unit - 1) * ldexp(1, (int)(random % 8));
}

static assay_fill slopes(assay_input input)
{
    const assay_fill exact  = ASSAY_INTEGERS(-8, 8, 1);
    const assay_fill hard   = ASSAY_CUSTOM(hard_slope);
    const assay_fill random = ASSAY_UNIFORM(-1, 1);

    return input == ASSAY_INPUT_EXACT ? exact : input == ASSAY_INPUT_ADVERSARIAL ? hard : random;
}

static void softmax_row_grad_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_type type = ops_type(&axis[SOFTMAX_AXIS_TYPE]);
    const int64_t    size = (int64_t)assay_type_size(type);

    softmax_set_size(axis, s);
    s->buf[GRAD_X]  = (assay_buffer) { "x", ASSAY_IN, type, s->cells, softmax_scores(input) };
    s->buf[GRAD_DY] = (assay_buffer) { "dy", ASSAY_IN, type, s->cells, slopes(input) };
    s->buf[GRAD_DX] =
        (assay_buffer) { .name = "dx", .role = ASSAY_OUT, .type = type, .count = s->cells };
    s->flops         = 9 * (double)s->cells; /* those of y, two for a sum, difference and product */
    s->bytes_read    = 2 * size * s->cells;
    s->bytes_written = size * s->cells;
}

/* ---- variants ---- */

static const char *vec4_unsupported(const assay_shape *s)
{
    return s->param[SOFTMAX_WIDTH] > SOFTMAX_GRAD_KEPT ? "a block keeps up to 16384 columns"
                                                       : softmax_many_blocks(s);
}

static const char *skinny_unsupported(const assay_shape *s)
{
    return s->param[SOFTMAX_WIDTH] > SOFTMAX_GRAD_SKINNY ? "a warp keeps up to 512 columns" : NULL;
}

/* c = 1: the magnitude is the error itself. */
#define WHY                                                                                        \
    "rounded once to dx's type; in fp32 y errs as softmax_row's, each term of the sum of y dy by " \
    "that, a product and 4 sqrt(n), the result by y's error, the sum's and 2 roundings"

const assay_case assay_case_softmax_row_grad = {
    .name        = "softmax_row_grad",
    .group       = "ops",
    .what        = "gradient of a softmax of each row from its scores; of masked rows it is zero",
    .version     = 1,
    .axes        = { [SOFTMAX_AXIS_TYPE] = OPS_TYPE_AXIS, [SOFTMAX_AXIS_SIZE] = SOFTMAX_SIZE_AXIS },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = softmax_row_grad_shape,
    .reference   = softmax_row_grad_reference,
    .excluded    = softmax_excluded,
    .tol         = OPS_COUNTED(WHY),
    .variants    = {
        { .name        = "online",
          .what        = "any width: maximum and both sums in one pass, and the rows read once more",
          .launch      = "softmax_row_grad_online",
          .tuning      = SOFTMAX_BLOCKS(256, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = softmax_many_blocks,
          .bytes_moved = softmax_online_bytes },
        { .name        = "vec4",
          .what        = "a block keeps its row in registers, 16 bytes an access",
          .launch      = "softmax_row_grad_vec4",
          .baseline    = "online",
          .tuning      = SOFTMAX_BLOCKS(256, 128, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = vec4_unsupported },
        { .name        = "skinny",
          .what        = "a warp keeps a row, or several, in registers, 16 bytes an access",
          .launch      = "softmax_row_grad_skinny",
          .baseline    = "online",
          .tuning      = SOFTMAX_BLOCKS(256, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = skinny_unsupported },
        { .name = "torch_eager", .peer = { "softmax_row.py", "eager" }, .baseline = "online" },
        { .name = "torch_compile", .peer = { "softmax_row.py", "compile" }, .baseline = "online" },
        { .name        = "masked_nan",
          .what        = "wrong: a row that is masked whole is -inf less -inf, NaN",
          .launch      = "softmax_row_grad_masked_nan",
          .unsupported = softmax_few,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name        = "rounded_y",
          .what        = "wrong: takes the softmax as a 16-bit type has rounded it",
          .launch      = "softmax_row_grad_rounded_y",
          .unsupported = softmax_rounds_nothing,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
    },
};
