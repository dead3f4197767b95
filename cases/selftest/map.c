/* Broken on purpose: faults of one element, one index, one pointer. y[i] = a * x[i] + (the next x
 * of the same row, or x[i] itself in the last column).
 *
 * Sizes are not multiples of the block of 256, so that there is a tail to forget. There is no exact
 * input class: there, a value at the bound would be wrong. */
#include "case.h"

assay_reference_fn selftest_map_reference; /* reference/selftest/map.c */

static void map_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    rows    = axis[0].i[0];
    const int64_t    columns = axis[1].i[0];
    const int64_t    n       = rows * columns;
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill indexed = ASSAY_INDEX(1 << 20, 1);

    s->buf[0]        = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n,
                                 input == ASSAY_INPUT_INDEXED ? indexed : real };
    s->buf[1]        = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, n, { .kind = ASSAY_FILL_NONE } };
    s->param[0]      = rows;
    s->param[1]      = columns;
    s->scalar[0]     = 0.75;
    s->cells         = n;
    s->flops         = 2.0 * (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * n;
}

#define EVERYWHERE(verdicts)                                                                       \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }
/* AddressSanitizer sees the access itself, the other lanes see its consequences. */
#define UNDER_ASAN(asan, others)                                                                   \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (others), [ASSAY_LANE_HOST] = (others), [ASSAY_LANE_ASAN] = (asan),    \
        [ASSAY_LANE_TSAN] = (others)                                                               \
    }

const assay_case assay_case_selftest_map = {
    .name        = "selftest_map",
    .group       = "selftest",
    .what        = "broken on purpose: indices, pointers and values",
    .version     = 1,
    .axes        = { ASSAY_AXIS("rows", ASSAY_AXIS_INT, ASSAY_Q(5)),
                     ASSAY_AXIS("columns", ASSAY_AXIS_INT, ASSAY_Q(129), ASSAY_Q(401)) },
    .inputs      = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = map_shape,
    .reference   = selftest_map_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 1,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_ONE,
                     .why    = "the product may be rounded, and the sum is" },
    .variants    = {
        { .name = "right", .launch = "selftest_map_right", .flags = ASSAY_DETERMINISTIC },
        { .name   = "read_past_end",
          .launch = "selftest_map_read_past_end",
          .expect = UNDER_ASAN(ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(NOT_FINITE)) },
        { .name   = "unused_read_past_end",
          .launch = "selftest_map_unused_read_past_end",
          .expect = UNDER_ASAN(ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(PASS)) },
        { .name   = "misaligned",
          .launch = "selftest_map_misaligned",
          /* gcc checks a copy of a whole structure, clang 14 does not. */
          .expect = { [ASSAY_LANE_CUDA] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_HOST] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_ASAN] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_TSAN] = ASSAY_BIT(OUT_OF_BOUNDS) | ASSAY_BIT(PASS) } },
        { .name   = "misaligned_members",
          .launch = "selftest_map_misaligned_members",
          /* A GPU loads two members at once or one by one, as its compiler chooses. */
          .expect = { [ASSAY_LANE_CUDA] = ASSAY_BIT(OUT_OF_BOUNDS) | ASSAY_BIT(PASS),
                      [ASSAY_LANE_HOST] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_ASAN] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_TSAN] = ASSAY_BIT(OUT_OF_BOUNDS) } },
        { .name   = "write_past_end",
          .launch = "selftest_map_write_past_end",
          .expect = EVERYWHERE(ASSAY_BIT(OUT_OF_BOUNDS)) },
        { .name   = "write_before_start",
          .launch = "selftest_map_write_before_start",
          .expect = EVERYWHERE(ASSAY_BIT(OUT_OF_BOUNDS)) },
        { .name   = "wild_pointer",
          .launch = "selftest_map_wild_pointer",
          .expect = { [ASSAY_LANE_CUDA] = ASSAY_BIT(OUT_OF_BOUNDS),
                      [ASSAY_LANE_HOST] = ASSAY_BIT(CRASHED),
                      [ASSAY_LANE_ASAN] = ASSAY_BIT(CRASHED),
                      [ASSAY_LANE_TSAN] = ASSAY_BIT(CRASHED) } },
        { .name   = "swapped_index",
          .launch = "selftest_map_swapped_index",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
        { .name   = "unwritten_tail",
          .launch = "selftest_map_unwritten_tail",
          .expect = EVERYWHERE(ASSAY_BIT(UNWRITTEN)) },
        { .name   = "changed_input",
          .launch = "selftest_map_changed_input",
          .expect = EVERYWHERE(ASSAY_BIT(INPUT_CHANGED)) },
        { .name   = "one_nan",
          .launch = "selftest_map_one_nan",
          .expect = EVERYWHERE(ASSAY_BIT(NOT_FINITE)) },
        /* The counterpart of the next one: a value at the bound is right. */
        { .name   = "at_bound",
          .launch = "selftest_map_at_bound",
          .flags  = ASSAY_DETERMINISTIC,
          .expect = EVERYWHERE(ASSAY_BIT(PASS)) },
        { .name   = "past_bound",
          .launch = "selftest_map_past_bound",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
    },
};
