/* reduction: the sum of n elements in single precision. Memory bound: each element is read once.
 * docs/reduction.md has the pitfalls, which are variants that must fail. */
#include "../ops.h"

#include "../../kernels/reduction/reduction_case.h"

assay_reference_fn reduction_reference; /* reference/reduction/reduction.c */

/* Axes. */
enum {
    TYPE,
    N
};

/* Neighbours of both signs that nearly cancel. */
static double cancelling(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)s;
    return ops_unit(random) + (i % 2 == 0 ? 64 : -64);
}

/* Random: mostly of one sign, so that a sum grows far beyond its terms. */
static assay_fill fill_of(assay_input input)
{
    const assay_fill exact  = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill cancel = ASSAY_CUSTOM(cancelling);
    const assay_fill random = ASSAY_UNIFORM(-1, 3);

    return input == ASSAY_INPUT_EXACT ? exact : input == ASSAY_INPUT_ADVERSARIAL ? cancel : random;
}

static void reduction_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_type type = ops_type(&axis[TYPE]);
    const int64_t    n    = axis[N].i[0];

    s->buf[REDUCTION_X] = (assay_buffer) { "x", ASSAY_IN, type, n, fill_of(input) };
    s->buf[REDUCTION_SUM] =
        (assay_buffer) { .name = "sum", .role = ASSAY_OUT, .type = ASSAY_F32, .count = 1 };
    s->param[REDUCTION_TYPE] = type;
    s->cells                 = n;
    s->flops                 = (double)n;
    s->bytes_read            = (int64_t)assay_type_size(type) * n;
    s->bytes_written         = 4;
}

/* bf16 runs f16's code, so its small edge sizes are fewer. */
static const char *reduction_excluded(const assay_value *axis)
{
    const int64_t n        = axis[N].i[0];
    const bool    is_small = n == 1 || n == 33;

    return is_small && ops_type(&axis[TYPE]) == ASSAY_BF16
               ? "this edge size is checked for other types"
               : NULL;
}

/* ---- variants ---- */

static const char *is_wide(const assay_shape *s)
{
    return s->param[REDUCTION_TYPE] == ASSAY_F32 ? "elements of 32 bits" : NULL;
}

/* Where a fault shows. */
enum {
    FEWEST_ROUNDED = 1023,
    FEWEST_BLOCKS  = 4098,
    MOST_WRONG     = 1 << 20
};

static const char *hardly_rounds(const assay_shape *s)
{
    if (s->cells < FEWEST_ROUNDED || s->cells > MOST_WRONG)
        return "too few terms for an error that must show, or more than it takes";
    return is_wide(s);
}
/* One type is enough for faults that do not depend on the type. */
static const char *one_block(const assay_shape *s)
{
    if (s->param[REDUCTION_TYPE] != ASSAY_F32)
        return "it is the same in every type, and is shown in f32";
    return s->cells < FEWEST_BLOCKS || s->cells > MOST_WRONG ? "few blocks, or more than it takes"
                                                             : NULL;
}
static const char *one_size(const assay_shape *s)
{
    return s->param[REDUCTION_TYPE] == ASSAY_F32 && s->cells == FEWEST_ROUNDED
               ? NULL
               : "it is the same in every type and size, and is shown in f32 with n=1023";
}

#define SIZES                                                                                      \
    {                                                                                              \
        ASSAY_TUNING("block", 256, 512, 1024), ASSAY_TUNING("blocks", 1056, 528, 2112)             \
    }

#define WHY                                                                                        \
    "k additions in a chain err like a walk, by sqrt(k) roundings of the terms' sizes; 2 log2(n) " \
    "allows chains of (2 log2 n)^2 terms, 400 of 2^10 and 2704 of 2^26: a thread's are shorter"

#define NEVER_ENDS "a shuffle that names lanes which are not there does not end under it"

static const assay_unseen unseen[] = {
    { "shuffle_mask", ASSAY_GPU_TOOL_MEMCHECK, NULL, NEVER_ENDS },
    { "shuffle_mask", ASSAY_GPU_TOOL_INITCHECK, NULL, NEVER_ENDS },
    { "shuffle_mask", ASSAY_GPU_TOOL_SYNCCHECK, NULL, NEVER_ENDS },
    { NULL, ASSAY_GPU_TOOL_NONE, NULL, NULL },
};

const assay_case assay_case_reduction = {
    .name        = "reduction",
    .group       = "ops",
    .what        = "sum of n elements, accumulated in single precision",
    .version     = 1,
    .axes        = { [TYPE] = OPS_TYPE_AXIS,
                     [N]    = ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(33), ASSAY_Q(1023), ASSAY_Q(4098), ASSAY_Q(140003), ASSAY_F(1 << 20), ASSAY_F(1 << 26), ASSAY_F(1 << 28)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = reduction_shape,
    .reference   = reduction_reference,
    .excluded    = reduction_excluded,
    .unseen      = unseen,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 2,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_LOG2,
                     .why    = WHY },
    .variants    = {
        { .name     = "two_stage",
          .what     = "blocks leave their sums, a second launch adds them up in one order",
          .launch   = "reduction_two_stage",
          .workspace = "reduction_partial_workspace",
          .baseline = "cub",
          .tuning   = SIZES,
          .flags    = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },
        { .name     = "last_block",
          .what     = "one launch: the last block to end adds up the sums, in one order",
          .launch   = "reduction_last_block",
          .workspace = "reduction_partial_workspace",
          .setup    = "reduction_last_block_setup",
          .teardown = "reduction_last_block_teardown",
          .baseline = "cub",
          .tuning   = SIZES,
          .flags    = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },
        { .name     = "atomic",
          .what     = "a block adds its sum to the result, in whatever order blocks end",
          .launch   = "reduction_atomic",
          .baseline = "cub",
          .tuning   = SIZES,
          .flags    = ASSAY_REPEATABLE },
        { .name     = "words",
          .what     = "16-bit elements go between lanes as 16-bit words, and are added as fp32",
          .launch   = "reduction_words",
          .workspace = "reduction_partial_workspace",
          .baseline = "cub",
          .tuning   = SIZES,
          .flags    = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE,
          .unsupported = is_wide },
        { .name      = "cub",
          .what      = "DeviceReduce of CUB, accumulating in fp32",
          .launch    = "reduction_cub",
          .workspace = "reduction_cub_workspace",
          .flags     = ASSAY_REPEATABLE,
          .gpu_only  = "needs device-wide CUB, which has no host device" },
        { .name = "torch_eager", .peer = { "reduction.py", "eager" }, .baseline = "cub" },
        { .name = "torch_compile", .peer = { "reduction.py", "compile" }, .baseline = "cub" },
        { .name        = "own_type",
          .what        = "wrong: a thread accumulates in fp16 or bf16",
          .launch      = "reduction_own_type",
          .workspace   = "reduction_wrong_workspace",
          .unsupported = hardly_rounds,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "rounded_shuffle",
          .what        = "wrong: sums are rounded to fp16 or bf16 for each shuffle",
          .launch      = "reduction_rounded_shuffle",
          .workspace   = "reduction_wrong_workspace",
          .unsupported = hardly_rounds,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name         = "shuffle_mask",
          .what         = "wrong: a shuffle by the few lanes that have a sum names all lanes",
          .launch       = "reduction_shuffle_mask",
          .workspace    = "reduction_wrong_workspace",
          .unsupported  = one_size,
          .time_limit_s = 20,
          .expect       = { [ASSAY_LANE_CUDA] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) |
                                                ASSAY_BIT(TIMED_OUT),
                            [ASSAY_LANE_HOST] = ASSAY_BIT(DEADLOCK),
                            [ASSAY_LANE_ASAN] = ASSAY_BIT(DEADLOCK),
                            [ASSAY_LANE_TSAN] = ASSAY_BIT(DEADLOCK) } },
        { .name        = "no_fence",
          .what        = "wrong: nothing orders a block's sum and the count that says it is there",
          .launch      = "reduction_no_fence",
          .workspace   = "reduction_wrong_workspace",
          .unsupported = one_block,
          .expect      = { [ASSAY_LANE_CUDA] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE),
                           [ASSAY_LANE_HOST] = ASSAY_BIT(PASS),
                           [ASSAY_LANE_ASAN] = ASSAY_BIT(PASS),
                           [ASSAY_LANE_TSAN] = ASSAY_BIT(RACE) } },
        { .name        = "block_fence",
          .what        = "wrong: the fence between them is of block scope, and another block reads",
          .launch      = "reduction_block_fence",
          .workspace   = "reduction_wrong_workspace",
          .unsupported = one_block,
          .expect      = { [ASSAY_LANE_CUDA] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE),
                           [ASSAY_LANE_HOST] = ASSAY_BIT(PASS),
                           [ASSAY_LANE_ASAN] = ASSAY_BIT(PASS),
                           [ASSAY_LANE_TSAN] = ASSAY_BIT(RACE) } },
    },
};
