/* softmax_row: e^x of each row over its sum. Memory bound: each element is read once and written
 * once. docs/softmax_row.md has the pitfalls, which are variants that must fail. */
#include "softmax_rows.h"

assay_reference_fn softmax_row_reference; /* reference/softmax_row/softmax_row.c */

static void softmax_row_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_type type = ops_type(&axis[SOFTMAX_AXIS_TYPE]);
    const int64_t    size = (int64_t)assay_type_size(type);

    softmax_set_size(axis, s);
    s->buf[SOFTMAX_X] = (assay_buffer) { "x", ASSAY_IN, type, s->cells, softmax_scores(input) };
    s->buf[SOFTMAX_Y] =
        (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = type, .count = s->cells };
    s->flops         = 5 * (double)s->cells; /* maximum, difference, power, sum, product */
    s->bytes_read    = size * s->cells;
    s->bytes_written = size * s->cells;
}

/* ---- variants ---- */

static const char *kept_unsupported(const assay_shape *s)
{
    return s->param[SOFTMAX_WIDTH] > SOFTMAX_KEPT ? "a block keeps up to 32768 columns"
                                                  : softmax_many_blocks(s);
}

static const char *skinny_unsupported(const assay_shape *s)
{
    return s->param[SOFTMAX_WIDTH] > SOFTMAX_SKINNY ? "a warp keeps up to 1024 columns" : NULL;
}

static const char *within_128(const assay_shape *s)
{
    return s->param[SOFTMAX_WIDTH] <= 128 ? "reads all of them" : softmax_few(s);
}

/* A sum used as maximum: results are off, or overflow. */
#define TAKEN_FOR_ANOTHER (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))

/* c = 1: the magnitude is the error itself. */
#define WHY                                                                                        \
    "rounded once to y's type; in fp32 e^d errs by 3|d| + 4 roundings, d = x - max, the sum by "   \
    "the mean of those and 4 sqrt(n), a reciprocal and a product by 2; below 2^-126 it may be 0"

const assay_case assay_case_softmax_row = {
    .name        = "softmax_row",
    .group       = "ops",
    .what        = "softmax of each row; -inf is masked, a row that is masked whole gives zeros",
    .version     = 1,
    .axes        = { [SOFTMAX_AXIS_TYPE] = OPS_TYPE_AXIS, [SOFTMAX_AXIS_SIZE] = SOFTMAX_SIZE_AXIS },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = softmax_row_shape,
    .reference   = softmax_row_reference,
    .excluded    = softmax_excluded,
    .tol         = OPS_COUNTED(WHY),
    .variants    = {
        { .name        = "kept",
          .what        = "a block keeps its row in shared memory, an element at a time",
          .launch      = "softmax_row_kept",
          .tuning      = SOFTMAX_BLOCKS(256, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = kept_unsupported },
        { .name        = "online",
          .what        = "any width: maximum and sum in one pass, and the row read once more",
          .launch      = "softmax_row_online",
          .baseline    = "kept",
          .tuning      = SOFTMAX_BLOCKS(256, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = softmax_many_blocks,
          .bytes_moved = softmax_online_bytes },
        { .name        = "vec4",
          .what        = "a block keeps its row in registers, 16 bytes an access",
          .launch      = "softmax_row_vec4",
          .baseline    = "kept",
          .tuning      = SOFTMAX_BLOCKS(256, 128, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = kept_unsupported },
        { .name        = "skinny",
          .what        = "a warp keeps a row, or several, in registers, 16 bytes an access",
          .launch      = "softmax_row_skinny",
          .baseline    = "kept",
          .tuning      = SOFTMAX_BLOCKS(256, 512, 1024),
          .flags       = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = skinny_unsupported },
        { .name = "torch_eager", .peer = { "softmax_row.py", "eager" }, .baseline = "kept" },
        { .name = "torch_compile", .peer = { "softmax_row.py", "compile" }, .baseline = "kept" },
        { .name = "triton", .peer = { "softmax_row.py", "triton" }, .baseline = "kept" },
        { .name        = "only_128",
          .what        = "wrong: reads at most 128 columns, the rest is never written",
          .launch      = "softmax_row_only_128",
          .unsupported = within_128,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(UNWRITTEN)) },
        { .name        = "race",
          .what        = "wrong: the sum may overwrite the maximum before all warps have read it",
          .launch      = "softmax_row_race",
          .unsupported = softmax_few,
          .expect      = { [ASSAY_LANE_CUDA] = ASSAY_BIT(PASS) | TAKEN_FOR_ANOTHER,
                           [ASSAY_LANE_HOST] = TAKEN_FOR_ANOTHER,
                           [ASSAY_LANE_ASAN] = TAKEN_FOR_ANOTHER,
                           [ASSAY_LANE_TSAN] = ASSAY_BIT(RACE) } },
        { .name        = "masked_nan",
          .what        = "wrong: a row that is masked whole is -inf less -inf, NaN",
          .launch      = "softmax_row_masked_nan",
          .unsupported = softmax_few,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name        = "truncated",
          .what        = "wrong: fp16 and bf16 results are cut off, not rounded",
          .launch      = "softmax_row_truncated",
          .unsupported = softmax_rounds_nothing,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "no_max",
          .what        = "wrong: the maximum is not taken off, so that e^900 is an infinity",
          .launch      = "softmax_row_no_max",
          .unsupported = softmax_few,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE) | ASSAY_BIT(WRONG_VALUE)) },
    },
};
