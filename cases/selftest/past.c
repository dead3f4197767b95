/* Broken on purpose: memory past the end of a buffer, or never written, is used as a value, in ways
 * that one kind of guard or poison would hide. A copy carries one guard into another, a maximum
 * ignores NaN, a range test drops large values. */
#include "case.h"

assay_reference_fn selftest_past_reference; /* reference/selftest/past.c */

static void past_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n        = axis[0].i[0];
    const bool       exact    = input == ASSAY_INPUT_EXACT;
    const assay_fill real     = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer  = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill positive = ASSAY_INTEGERS(1, 1000, 1);
    const assay_fill flag     = ASSAY_INTEGERS(0, 1, 1);

    s->buf[0] = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, exact ? integer : real };
    s->buf[1] = (assay_buffer) { "k", ASSAY_IN, ASSAY_I32, n, exact ? integer : positive };
    s->buf[2] = (assay_buffer) { "is_set", ASSAY_IN, ASSAY_U8, n, flag };
    s->buf[3] = (assay_buffer) { "best", ASSAY_INOUT, ASSAY_F32, n, exact ? integer : real };
    s->buf[4] = (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = n };
    s->buf[5] =
        (assay_buffer) { .name = "was_set", .role = ASSAY_OUT, .type = ASSAY_U8, .count = n };
    s->buf[6] = (assay_buffer) { .name = "sum", .role = ASSAY_OUT, .type = ASSAY_F32, .count = 1 };
    s->buf[7] = (assay_buffer) { .name = "top", .role = ASSAY_OUT, .type = ASSAY_F32, .count = 1 };
    s->buf[8] = (assay_buffer) { .name = "ktop", .role = ASSAY_OUT, .type = ASSAY_I32, .count = 1 };
    s->buf[9] = (assay_buffer) { .name = "klow", .role = ASSAY_OUT, .type = ASSAY_I32, .count = 1 };
    s->buf[10] =
        (assay_buffer) { .name = "work", .role = ASSAY_WORK, .type = ASSAY_F32, .count = 1 };
    s->cells         = n;
    s->flops         = (double)n;
    s->bytes_read    = 13 * n;
    s->bytes_written = 9 * n + 16;
}

#define EVERYWHERE(verdicts)                                                                       \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }
/* AddressSanitizer sees the access itself, the other lanes see its consequences. */
#define UNDER_ASAN(asan, others)                                                                   \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = ASSAY_BIT(others), [ASSAY_LANE_HOST] = ASSAY_BIT(others),              \
        [ASSAY_LANE_ASAN] = ASSAY_BIT(asan), [ASSAY_LANE_TSAN] = ASSAY_BIT(others)                 \
    }
#define BROKEN(fault, ...)                                                                         \
    {                                                                                              \
        .name = #fault, .launch = "selftest_past_" #fault, .expect = __VA_ARGS__                   \
    }

const assay_case assay_case_selftest_past = {
    .name        = "selftest_past",
    .group       = "selftest",
    .what        = "broken on purpose: what lies past the end, and what was never written",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(31), ASSAY_Q(1000)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = past_shape,
    .reference   = selftest_past_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 1,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_LINEAR,
                     .why    = "n - 1 additions in any order" },
    .tol_for     = { { "y", { .rule = ASSAY_RULE_EXACT, .why = "a copy" } },
                     { "best", { .rule = ASSAY_RULE_EXACT, .why = "one of two values" } },
                     { "top", { .rule = ASSAY_RULE_EXACT, .why = "one of the values" } } },
    .variants    = {
        { .name = "right", .launch = "selftest_past_right", .flags = ASSAY_DETERMINISTIC },
        BROKEN(copy, EVERYWHERE(ASSAY_BIT(OUT_OF_BOUNDS))),
        BROKEN(copy_bytes, EVERYWHERE(ASSAY_BIT(OUT_OF_BOUNDS))),
        BROKEN(in_place, EVERYWHERE(ASSAY_BIT(OUT_OF_BOUNDS))),
        BROKEN(top, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        BROKEN(top_before, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        BROKEN(top_if, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        BROKEN(ktop, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        BROKEN(klow, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        BROKEN(sane_sum, UNDER_ASAN(OUT_OF_BOUNDS, WRONG_VALUE)),
        /* On some machines fmaxf turns a signalling NaN into a quiet one. */
        BROKEN(unset_work, EVERYWHERE(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))),
        BROKEN(unset_output, EVERYWHERE(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))),
        /* At the start, shared memory holds whatever the GPU left there, zeros included. */
        { .name   = "unset_shared",
          .launch = "selftest_past_unset_shared",
          .expect = { [ASSAY_LANE_CUDA] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE),
                      [ASSAY_LANE_HOST] = ASSAY_BIT(WRONG_VALUE),
                      [ASSAY_LANE_ASAN] = ASSAY_BIT(WRONG_VALUE),
                      [ASSAY_LANE_TSAN] = ASSAY_BIT(WRONG_VALUE) } },
    },
};
