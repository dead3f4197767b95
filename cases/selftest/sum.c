/* Broken on purpose: faults among the threads of a block. sum[s] = the sum of segment s of x; one
 * block a segment.
 *
 * There are many segments, so that a fault that could give a right answer by luck cannot do so in
 * all of them. */
#include "case.h"

assay_reference_fn selftest_sum_reference; /* reference/selftest/sum.c */

enum {
    N_SEGMENTS = 64
};

static void sum_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    length  = axis[0].i[0];
    const int64_t    n       = N_SEGMENTS * length;
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);

    s->buf[0] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, input == ASSAY_INPUT_EXACT ? integer : real };
    s->buf[1] =
        (assay_buffer) { "sum", ASSAY_OUT, ASSAY_F32, N_SEGMENTS, { .kind = ASSAY_FILL_NONE } };
    s->param[0]      = length;
    s->cells         = n;
    s->flops         = (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * N_SEGMENTS;
}

#define LANES(cuda, host, asan, tsan)                                                              \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (host), [ASSAY_LANE_ASAN] = (asan),        \
        [ASSAY_LANE_TSAN] = (tsan)                                                                 \
    }

const assay_case assay_case_selftest_sum = {
    .name        = "selftest_sum",
    .group       = "selftest",
    .what        = "broken on purpose: barriers, shared memory and races",
    .version     = 1,
    .axes        = { ASSAY_AXIS("length", ASSAY_AXIS_INT, ASSAY_Q(257), ASSAY_Q(1000)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = sum_shape,
    .reference   = selftest_sum_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 1,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_LINEAR,
                     .why    = "one rounding an addition, in any order" },
    .variants    = {
        { .name = "right", .launch = "selftest_sum_right", .flags = ASSAY_DETERMINISTIC },
        { .name   = "missing_barrier",
          .launch = "selftest_sum_missing_barrier",
          .expect = LANES(ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(RACE)) },
        /* A GPU is hardly ever that late. */
        { .name   = "reused_storage",
          .launch = "selftest_sum_reused_storage",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(RACE)) },
        /* A GPU does not often let a warp run that far ahead either. */
        { .name   = "reused_sums",
          .launch = "selftest_sum_reused_sums",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(RACE)) },
        { .name   = "reused_sums_slept",
          .launch = "selftest_sum_reused_sums_slept",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(RACE)) },
        /* Undefined in CUDA C++. The hardware counts arrivals on any line, so that the barrier
         * opens too early; it may also never open. */
        { .name         = "divergent_barrier",
          .launch       = "selftest_sum_divergent_barrier",
          .time_limit_s = 20,
          .expect       = LANES(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(TIMED_OUT), ASSAY_BIT(DEADLOCK),
                                ASSAY_BIT(DEADLOCK), ASSAY_BIT(DEADLOCK)) },
        /* On old GPUs the lanes of a warp ran in lockstep. Nothing says whether they still do. */
        { .name   = "assumed_lockstep",
          .launch = "selftest_sum_assumed_lockstep",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(RACE)) },
        /* At the start, shared memory holds whatever the GPU left there, zeros included. */
        { .name   = "uninitialised_shared",
          .launch = "selftest_sum_uninitialised_shared",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
                          ASSAY_BIT(NOT_FINITE), ASSAY_BIT(NOT_FINITE), ASSAY_BIT(NOT_FINITE)) },
        /* A GPU gives shared memory in larger pieces than asked for, and so does
         * ThreadSanitizer. */
        { .name   = "shared_past_end",
          .launch = "selftest_sum_shared_past_end",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(OUT_OF_BOUNDS),
                          ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(PASS)) },
        /* On the host device no other thread of the block runs between load and store. */
        { .name   = "plain_add",
          .launch = "selftest_sum_plain_add",
          .expect = LANES(ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(PASS), ASSAY_BIT(PASS),
                          ASSAY_BIT(RACE)) },
        { .name   = "order_of_atomics",
          .launch = "selftest_sum_order_of_atomics",
          .flags  = ASSAY_DETERMINISTIC,
          .expect = LANES(ASSAY_BIT(NONDETERMINISTIC), ASSAY_BIT(NONDETERMINISTIC),
                          ASSAY_BIT(NONDETERMINISTIC), ASSAY_BIT(NONDETERMINISTIC)) },
        /* Atomics are not a race. */
        { .name   = "lost_update",
          .launch = "selftest_sum_lost_update",
          .expect = LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                          ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE)) },
    },
};
