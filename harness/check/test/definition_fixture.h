/* A sound case, which tests break in one field at a time. */
#ifndef ASSAY_TEST_DEFINITION_FIXTURE_H
#define ASSAY_TEST_DEFINITION_FIXTURE_H

#include "testing/testing.h"

#include "check/check.h"

#include <string.h>

static inline void sound_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->buf[0] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, axis[0].i[0], { .kind = ASSAY_FILL_NONE } };
    s->buf[1] = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, axis[0].i[0], { 0 } };
    if (axis[1].i[0] == 1) /* "wide" has one output more */
        s->buf[2] = (assay_buffer) { "z", ASSAY_INOUT, ASSAY_F64, 5, { 0 } };
}

static inline void reference(const assay_reference_args *args) { (void)args; }

static inline int cpu(const assay_args *args, assay_stream stream)
{
    (void)args;
    (void)stream;
    return 0;
}

static inline assay_invariant_result measure(const assay_evidence *evidence)
{
    (void)evidence;
    return (assay_invariant_result) { 0 };
}

static const assay_case sound = {
    .name        = "sound",
    .group       = "made_up",
    .what        = "nothing",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(7), ASSAY_F(1 << 20)),
                     ASSAY_AXIS("kind", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "narrow"), ASSAY_WORD(1, "wide")),
                     ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 2, 3), ASSAY_QGRID(3, 2, 1)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = sound_shape,
    .reference   = reference,
    .tol         = { .rule = ASSAY_RULE_BOUND, .c = 2, .u_out = 0x1p-24, .why = "rounding" },
    .tol_for     = { { "z", { .rule = ASSAY_RULE_ULP, .max_ulp = 4, .why = "rounding" } } },
    .invariants  = { { "mass", "nothing is lost", measure, NULL } },
    .variants    = { { .name = "naive", .launch = "naive" },
                     { .name = "cpu", .cpu = cpu, .baseline = "naive" } },
};

static inline void expect_refused(const assay_case *c, const char *words)
{
    assay_status_reset();
    assert_failed_with(assay_check_definition(c), ASSAY_E_CASE, words);
}

/* Asserts that `field = value` is refused, in words that name the case and the field. */
#define REFUSED(words, field, ...)                                                                 \
    do {                                                                                           \
        assay_case c_ = sound;                                                                     \
        c_.field      = __VA_ARGS__;                                                               \
        expect_refused(&c_, words);                                                                \
        if (c_.name == sound.name)                                                                 \
            expect_refused(&c_, "'sound'");                                                        \
    } while (0)

#define ACCEPTED(field, ...)                                                                       \
    do {                                                                                           \
        assay_case c_ = sound;                                                                     \
        c_.field      = __VA_ARGS__;                                                               \
        if (assay_check_definition(&c_) != ASSAY_OK)                                               \
            fail_msg("%s", assay_status_message());                                                \
    } while (0)

#endif
