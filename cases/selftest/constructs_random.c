/* cuRAND's generators within a kernel give the same whole numbers everywhere. */
#include "constructs.h"

assay_reference_fn
    selftest_constructs_random_reference; /* reference/selftest/constructs_random.c */

static void random_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n    = axis[0].i[0];
    const assay_fill none = { .kind = ASSAY_FILL_NONE };

    (void)input;
    s->buf[0]        = (assay_buffer) { "philox", ASSAY_OUT, ASSAY_U32, 2 * n, none };
    s->buf[1]        = (assay_buffer) { "xorwow", ASSAY_OUT, ASSAY_U32, n, none };
    s->param[0]      = 1234;
    s->cells         = n;
    s->bytes_written = 12 * n;
}

#define DRAWS(kernel) LAUNCHED(kernel, 64, NULL, "philox, xorwow, param[0]")

const assay_case assay_case_selftest_constructs_random = {
    .name        = "selftest_constructs_random",
    .group       = "selftest",
    .what        = "cuRAND in a kernel, right and with planted bugs",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT),
    .timed_input = ASSAY_INPUT_EXACT,
    .shape       = random_shape,
    .reference   = selftest_constructs_random_reference,
    .tol         = { .rule = ASSAY_RULE_EXACT, .why = "whole numbers, by definition" },
    .variants    = {
        { .name = "draws", .kernels = DRAWS("draws<0>") },
        { .name    = "one_sequence",
          .what    = "the subsequence is forgotten",
          .kernels = DRAWS("draws<1>"),
          .expect  = WRONG_VALUE },
        { .name    = "one_seed",
          .what    = "all threads have one seed",
          .kernels = DRAWS("draws<2>"),
          .expect  = WRONG_VALUE },
    },
};
