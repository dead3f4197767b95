/* Broken on purpose: faults of the launch rather than of the arithmetic, which is y[i] = 2 * x[i].
 */
#include "case.h"

assay_reference_fn selftest_launch_reference; /* reference/selftest/launch.c */

static void launch_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[0].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);

    s->buf[0] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, input == ASSAY_INPUT_EXACT ? integer : real };
    s->buf[1] = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, n, { .kind = ASSAY_FILL_NONE } };
    s->buf[2] = (assay_buffer) { "signal", ASSAY_WORK, ASSAY_U32, 1, { .kind = ASSAY_FILL_NONE } };
    s->cells  = n;
    s->flops  = (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * n;
}

#define EVERYWHERE(verdicts)                                                                       \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }
#define ON_CUDA(cuda, others)                                                                      \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (others), [ASSAY_LANE_ASAN] = (others),    \
        [ASSAY_LANE_TSAN] = (others)                                                               \
    }

const assay_case assay_case_selftest_launch = {
    .name        = "selftest_launch",
    .group       = "selftest",
    .what        = "broken on purpose: launches, waits and stale outputs",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1000)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = launch_shape,
    .reference   = selftest_launch_reference,
    .tol         = { .rule = ASSAY_RULE_EXACT, .why = "a product with 2 is not rounded" },
    .variants    = {
        { .name = "right", .launch = "selftest_launch_right", .flags = ASSAY_DETERMINISTIC },
        { .name   = "too_many_threads",
          .launch = "selftest_launch_too_many_threads",
          .expect = EVERYWHERE(ASSAY_BIT(LAUNCH_FAILED)) },
        { .name   = "ignored_error",
          .launch = "selftest_launch_ignored_error",
          .expect = EVERYWHERE(ASSAY_BIT(LAUNCH_FAILED)) },
        { .name   = "hidden_wait",
          .launch = "selftest_launch_hidden_wait",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "allocates",
          .launch = "selftest_launch_allocates",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "raises_limit",
          .launch = "selftest_launch_raises_limit",
          .flags  = ASSAY_DETERMINISTIC },
        { .name   = "forgets_limit",
          .launch = "selftest_launch_forgets_limit",
          .expect = EVERYWHERE(ASSAY_BIT(LAUNCH_FAILED)) },
        { .name   = "raises_limit_once",
          .launch = "selftest_launch_raises_limit_once",
          .flags  = ASSAY_DETERMINISTIC },
        { .name   = "changes_float_mode",
          .launch = "selftest_launch_changes_float_mode",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "kernel_changes_float_mode",
          .launch = "selftest_launch_kernel_changes_float_mode",
          .expect = ON_CUDA(ASSAY_BIT(PASS), ASSAY_BIT(SUSPECT)) },
        /* The probe is its first call, so that no judged run gets an output. */
        { .name     = "stale_after_first",
          .launch   = "selftest_launch_stale_after_first",
          .setup    = "selftest_launch_count_calls",
          .teardown = "selftest_launch_end_count",
          .expect   = EVERYWHERE(ASSAY_BIT(UNWRITTEN)) },
        /* Some of the judged runs are right; the poison left in the later ones is NaN. */
        { .name     = "stale_after_third",
          .launch   = "selftest_launch_stale_after_third",
          .setup    = "selftest_launch_count_calls",
          .teardown = "selftest_launch_end_count",
          .expect   = EVERYWHERE(ASSAY_BIT(NOT_FINITE)) },
        /* Work buffers are poisoned before each judged run except the last. */
        { .name   = "works_once",
          .launch = "selftest_launch_works_once",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
        { .name         = "endless_loop",
          .launch       = "selftest_launch_endless_loop",
          .time_limit_s = 1, /* CPU time, so that no host is too slow for it */
          .expect       = EVERYWHERE(ASSAY_BIT(TIMED_OUT)) },
        /* After some seconds the host device sees that nobody is left to send the signal that the
         * kernel waits for. */
        { .name         = "lost_signal",
          .launch       = "selftest_launch_lost_signal",
          .time_limit_s = 20,
          .expect       = ON_CUDA(ASSAY_BIT(TIMED_OUT), ASSAY_BIT(DEADLOCK)) },
        /* The answer is right, but the process is left changed: kernels/.../leftovers.cu. */
        { .name   = "left_thread",
          .launch = "selftest_launch_left_thread",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "left_process",
          .launch = "selftest_launch_left_process",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "left_handler",
          .launch = "selftest_launch_left_handler",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "left_folder",
          .launch = "selftest_launch_left_folder",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
        { .name   = "left_variable",
          .launch = "selftest_launch_left_variable",
          .expect = EVERYWHERE(ASSAY_BIT(SUSPECT)) },
    },
};
