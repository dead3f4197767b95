/* Broken on purpose: tricks that have fooled other benchmarks, y[i] = 2 * x[i]. docs/exploits.md
 * says where each was seen.
 *
 * Outputs are smaller than the absolute tolerances of such benchmarks, so that zeros are no
 * answer. */
#include "case.h"

#include "../../kernels/selftest/tricks/tricks_case.h"

assay_reference_fn selftest_tricks_reference; /* reference/selftest/tricks.c */
assay_launch_fn    selftest_tricks_cpu_right; /* kernels/selftest/tricks/tricks_cpu.c */
assay_launch_fn    selftest_tricks_cpu_keeps_by_contents;
assay_launch_fn    selftest_tricks_cpu_looks_first;

static void tricks_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[0].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1e-6, 1e-6);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 0x1p-26);

    s->buf[X] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, input == ASSAY_INPUT_EXACT ? integer : real };
    s->buf[Y]        = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, n, { .kind = ASSAY_FILL_NONE } };
    s->cells         = n;
    s->flops         = (double)n;
    s->bytes_read    = 4 * n;
    s->bytes_written = 4 * n;
}

#define LANES(cuda, host, asan, tsan)                                                              \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (host), [ASSAY_LANE_ASAN] = (asan),        \
        [ASSAY_LANE_TSAN] = (tsan)                                                                 \
    }
#define EVERYWHERE(verdicts)  LANES(verdicts, verdicts, verdicts, verdicts)
#define ON_CUDA(cuda, others) LANES(cuda, others, others, others)
#define PASSES                ASSAY_BIT(PASS)
#define WRONG                 (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))
#define LATE                  (WRONG | ASSAY_BIT(UNWRITTEN))
/* PASS where it is checked, SUSPECT where it is timed. */
#define IF_TIMED (PASSES | ASSAY_BIT(SUSPECT))

const assay_case assay_case_selftest_tricks = {
    .name        = "selftest_tricks",
    .group       = "selftest",
    .what        = "broken on purpose: tricks that have fooled other judges",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1000)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = tricks_shape,
    .reference   = selftest_tricks_reference,
    .tol         = { .rule = ASSAY_RULE_EXACT, .why = "a product with 2 is not rounded" },
    .variants    = {
        { .name = "right", .launch = "selftest_tricks_right", .flags = ASSAY_DETERMINISTIC },
        { .name   = "zeros",
          .launch = "selftest_tricks_zeros",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
        { .name   = "lower_precision",
          .launch = "selftest_tricks_lower_precision",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
        /* Inputs are compared after each launch. */
        { .name   = "zeros_its_input",
          .launch = "selftest_tricks_zeros_its_input",
          .expect = EVERYWHERE(ASSAY_BIT(INPUT_CHANGED)) },
        /* It has finished by then, and there is nothing left to see. */
        { .name = "restores_its_input", .launch = "selftest_tricks_restores_its_input" },
        /* The second input class has other contents. */
        { .name   = "keeps_by_shape",
          .launch = "selftest_tricks_keeps_by_shape",
          .expect = EVERYWHERE(ASSAY_BIT(WRONG_VALUE)) },
        { .name   = "keeps_by_contents",
          .launch = "selftest_tricks_keeps_by_contents",
          .expect = ON_CUDA(IF_TIMED, PASSES) },
        { .name   = "looks_first",
          .launch = "selftest_tricks_looks_first",
          .expect = ON_CUDA(IF_TIMED, PASSES) },
        /* A batch of two calls, done with the second. */
        { .name     = "every_other",
          .launch   = "selftest_tricks_every_other",
          .setup    = "selftest_tricks_count_calls",
          .teardown = "selftest_tricks_end_count",
          .expect   = EVERYWHERE(LATE) },
        /* They run one after the other: the second finds what the first has left, if anything. */
        { .name = "tells_its_neighbour", .launch = "selftest_tricks_tells_its_neighbour" },
        { .name   = "neighbours_result",
          .launch = "selftest_tricks_neighbours_result",
          .expect = EVERYWHERE(WRONG) },
        { .name     = "inherits_memory",
          .launch   = "selftest_tricks_inherits_memory",
          .setup    = "selftest_tricks_inherit",
          .teardown = "selftest_tricks_free",
          .expect   = EVERYWHERE(WRONG) },
        /* Inputs get their contents after the setup, and later other contents without a new
         * setup. */
        { .name     = "prepares_its_input",
          .launch   = "selftest_tricks_prepares_its_input",
          .setup    = "selftest_tricks_prepare",
          .teardown = "selftest_tricks_free",
          .expect   = EVERYWHERE(WRONG) },
        { .name     = "done_later",
          .launch   = "selftest_tricks_done_later",
          .setup    = "selftest_tricks_begin_later",
          .teardown = "selftest_tricks_end_later",
          .expect   = LANES(LATE, LATE, LATE, LATE | ASSAY_BIT(RACE)) },
        /* The host device refuses its stream. */
        { .name     = "slow_on_another_stream",
          .launch   = "selftest_tricks_slow_on_another_stream",
          .setup    = "selftest_tricks_begin_stream",
          .teardown = "selftest_tricks_end_stream",
          .expect   = ON_CUDA(LATE, ASSAY_BIT(LAUNCH_FAILED)) },
        { .name     = "quick_on_another_stream",
          .launch   = "selftest_tricks_quick_on_another_stream",
          .setup    = "selftest_tricks_begin_stream",
          .teardown = "selftest_tricks_end_stream",
          .expect   = ON_CUDA(PASSES | LATE, ASSAY_BIT(LAUNCH_FAILED)) },
        { .name   = "persisting_l2",
          .launch = "selftest_tricks_persisting_l2",
          .setup  = "selftest_tricks_set_lines_aside",
          .flags  = ASSAY_DETERMINISTIC },
        { .name = "cpu_right", .cpu = selftest_tricks_cpu_right },
        { .name   = "cpu_keeps_by_contents",
          .cpu    = selftest_tricks_cpu_keeps_by_contents,
          .expect = EVERYWHERE(IF_TIMED) },
        { .name   = "cpu_looks_first",
          .cpu    = selftest_tricks_cpu_looks_first,
          .expect = EVERYWHERE(IF_TIMED) },
    },
};
