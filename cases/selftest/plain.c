/* Plain CUDA C++: kernels that the case launches itself, and their authors' host functions. y = 2 x
 * + z. */
#include "case.h"

assay_reference_fn selftest_plain_reference; /* reference/selftest/plain.c */

static void plain_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[0].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill fill    = input == ASSAY_INPUT_EXACT ? integer : real;

    s->buf[0]        = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[1]        = (assay_buffer) { "z", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[2]        = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, n, { .kind = ASSAY_FILL_NONE } };
    s->param[0]      = n;
    s->scalar[0]     = 1;
    s->cells         = n;
    s->flops         = 2 * (double)n;
    s->bytes_read    = 8 * n;
    s->bytes_written = 4 * n;
}

/* All kernels but those of two: one block of `block` threads for as many elements. */
#define EACH(kernel, threads, bytes)                                                               \
    (const assay_kernel[])                                                                         \
    {                                                                                              \
        { .name      = (kernel),                                                                   \
          .grid      = "ceil_div(n, " #threads ")",                                                \
          .block     = #threads,                                                                   \
          .shared    = (bytes),                                                                    \
          .arguments = "x, z, y, n" },                                                             \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }

#define LANES(cuda, host, asan, tsan)                                                              \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (host), [ASSAY_LANE_ASAN] = (asan),        \
        [ASSAY_LANE_TSAN] = (tsan)                                                                 \
    }
#define EVERYWHERE(verdict)                                                                        \
    LANES(ASSAY_BIT(verdict), ASSAY_BIT(verdict), ASSAY_BIT(verdict), ASSAY_BIT(verdict))

static const assay_kernel two_launches[] = {
    { .name = "two::first", .grid = "4", .block = "64", .arguments = "x, y, n" },
    { .name      = "two::second",
      .grid      = "min(4, ceil_div(n, block))",
      .block     = "block",
      .arguments = "z, y, count(y), scalar[0]" },
    { .name = NULL },
};

const assay_case assay_case_selftest_plain = {
    .name        = "selftest_plain",
    .group       = "selftest",
    .what        = "plain CUDA C++, right and broken on purpose",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(1000), ASSAY_Q(4097)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = plain_shape,
    .reference   = selftest_plain_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 1,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_ONE,
                     .why    = "2 x is exact, the sum is rounded once" },
    .variants    = {
        { .name = "by_element", .kernels = EACH("by_element", 256, NULL), .flags = ASSAY_DETERMINISTIC },
        { .name    = "forgets_last",
          .kernels = EACH("by_element_wrong", 256, NULL),
          .expect  = EVERYWHERE(UNWRITTEN) },
        { .name    = "too_many_threads",
          .what    = "__launch_bounds__ say 256",
          .kernels = EACH("by_element", 512, NULL),
          .expect  = EVERYWHERE(LAUNCH_FAILED) },
        { .name    = "through_shared",
          .kernels = EACH("through_shared<128, true>", 128, "128 * 4") },
        { .name    = "missing_barrier",
          .kernels = EACH("through_shared<128, false>", 128, "128 * 4"),
          .expect  = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE) | ASSAY_BIT(RACE)) },
        { .name = "two_launches", .kernels = two_launches, .tuning = { ASSAY_TUNING("block", 64, 128) } },
        { .name = "by_ptx", .kernels = EACH("by_ptx<false>", 64, NULL) },
        { .name    = "by_ptx_wrong",
          .kernels = EACH("by_ptx<true>", 64, NULL),
          .expect  = EVERYWHERE(WRONG_VALUE) },
        { .name = "by_bits", .kernels = EACH("by_bits", 64, NULL), .flags = ASSAY_DETERMINISTIC },
        { .name = "by_copies", .kernels = EACH("by_copies<true>", 128, NULL) },
        /* A GPU may be late, but not always. */
        { .name    = "missing_wait",
          .kernels = EACH("by_copies<false>", 128, NULL),
          .expect  = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                           ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE) | ASSAY_BIT(RACE)) },
        { .name = "called", .launch = "selftest_plain_called" },
        { .name = "large_shared", .launch = "selftest_plain_large" },
        { .name   = "hidden_wait",
          .launch = "selftest_plain_waits",
          .expect = EVERYWHERE(SUSPECT) },
    },
};
