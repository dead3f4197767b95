/* What the cases of single constructs share: kernels/selftest/constructs. Each construct has a
 * variant with its right kernel, NAME, and one with a planted bug, NAME_wrong. */
#ifndef SELFTEST_CONSTRUCTS_H
#define SELFTEST_CONSTRUCTS_H

#include "case.h"

/* reference/selftest/constructs.c: of pairs_shape, and of sums of 64 whole numbers. */
assay_reference_fn selftest_constructs_reference, selftest_constructs_sums_reference;

/* ---- what is computed */

/* y = 2 x + the partner's x: within each 64 elements, 63 is the partner of 0, 62 of 1, and so
 * on. */
static inline void pairs_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[0].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);

    s->buf[0] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, input == ASSAY_INPUT_EXACT ? integer : real };
    s->buf[1]   = (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = n };
    s->buf[2]   = (assay_buffer) { .name = "w", .role = ASSAY_WORK, .type = ASSAY_F32, .count = n };
    s->param[0] = n;
    s->cells    = n;
    s->flops    = 2 * (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * n;
}

/* y = the sum of 64 whole numbers from 0 to 7. */
static inline void sums_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[0].i[0];
    const assay_fill integer = ASSAY_INTEGERS(0, 7, 1);

    (void)input;
    s->buf[0] = (assay_buffer) { "x", ASSAY_IN, ASSAY_I32, n, integer };
    s->buf[1] = (assay_buffer) { "y", ASSAY_OUT, ASSAY_I32, n / 64, { .kind = ASSAY_FILL_NONE } };
    s->cells  = n;
    s->flops  = (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * (n / 64);
}

#define BLOCKS_OF_64                                                                               \
    {                                                                                              \
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(640))                                              \
    }
#define PAIRS_TOLERANCE                                                                            \
    {                                                                                              \
        .rule = ASSAY_RULE_BOUND, .c = 1, .u_out = ASSAY_U32_ROUNDOFF,                             \
        .u_acc = ASSAY_U32_ROUNDOFF, .growth = ASSAY_G_ONE,                                        \
        .why = "2 x is exact, the sum is rounded once"                                             \
    }
#define SUMS_TOLERANCE                                                                             \
    {                                                                                              \
        .rule = ASSAY_RULE_EXACT, .why = "sums of whole numbers"                                   \
    }

/* ---- what is expected */

#define LANES(cuda, host, asan, tsan)                                                              \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (host), [ASSAY_LANE_ASAN] = (asan),        \
        [ASSAY_LANE_TSAN] = (tsan)                                                                 \
    }
#define EVERYWHERE(verdicts) LANES(verdicts, verdicts, verdicts, verdicts)
#define WRONG_VALUE          EVERYWHERE(ASSAY_BIT(WRONG_VALUE))

/* The verdicts for a value that is read too early. */
#define EARLY (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))
/* A race, or a copy that is not waited for. A GPU may be in time; some order of threads of the host
 * device is not. ThreadSanitizer sees both accesses, unless the value was wrong before. */
#define RACE LANES(ASSAY_BIT(PASS) | EARLY, EARLY, EARLY, EARLY | ASSAY_BIT(RACE))
/* A race that only few orders of threads turn into a wrong value. */
#define RARE_RACE                                                                                  \
    LANES(ASSAY_BIT(PASS) | EARLY, ASSAY_BIT(PASS) | EARLY, ASSAY_BIT(PASS) | EARLY,               \
          EARLY | ASSAY_BIT(RACE))
/* A race that no order of threads turns into a wrong value if they switch only at barriers and
 * atomics: ThreadSanitizer sees it. */
#define HIDDEN_RACE                                                                                \
    LANES(ASSAY_BIT(PASS) | EARLY, ASSAY_BIT(PASS), ASSAY_BIT(PASS), ASSAY_BIT(RACE))
/* Lanes that are not in their mask, or not there: a GPU may run it as it was meant. */
#define MISUSE                                                                                     \
    LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(MISUSE), ASSAY_BIT(MISUSE),          \
          ASSAY_BIT(MISUSE))

/* ---- variants */

/* One launch, with `threads` for 64 elements. */
#define LAUNCHED(kernel, threads, bytes, operands)                                                 \
    (const assay_kernel[])                                                                         \
    {                                                                                              \
        { .name      = (kernel),                                                                   \
          .grid      = "n / 64",                                                                   \
          .block     = #threads,                                                                   \
          .shared    = (bytes),                                                                    \
          .arguments = (operands) },                                                               \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }
#define ONE(variant, kernel, threads, bytes)                                                       \
    {                                                                                              \
        .name = #variant, .kernels = LAUNCHED(kernel, threads, bytes, "x, y")                      \
    }
#define ONE_WRONG(variant, kernel, threads, bytes, bug, ...)                                       \
    {                                                                                              \
        .name = #variant "_wrong", .what = (bug),                                                  \
        .kernels = LAUNCHED(kernel, threads, bytes, "x, y"), .expect = __VA_ARGS__                 \
    }
/* The kernels NAME<false> and NAME<true>. */
#define BOTH_WITH(construct, bytes, bug, ...)                                                      \
    ONE(construct, #construct "<false>", 64, bytes),                                               \
        ONE_WRONG(construct, #construct "<true>", 64, bytes, bug, __VA_ARGS__)
#define BOTH(construct, bug, ...) BOTH_WITH(construct, NULL, bug, __VA_ARGS__)

/* Launched by a host function. */
#define CALLED(construct)                                                                          \
    {                                                                                              \
        .name = #construct, .launch = "selftest_constructs_" #construct                            \
    }
#define CALLED_WRONG(construct, function, bug, ...)                                                \
    {                                                                                              \
        .name = #construct "_wrong", .what = (bug), .launch = "selftest_constructs_" #function,    \
        .expect = __VA_ARGS__                                                                      \
    }

#endif
