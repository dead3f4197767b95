/* Broken on purpose: numbers of 8 and 16 bits. z = x + y, rounded once to the type. */
#include "case.h"

assay_reference_fn selftest_narrow_reference; /* reference/selftest/narrow.c */

static const assay_type types[] = { ASSAY_F16, ASSAY_BF16, ASSAY_F8E4M3, ASSAY_F8E5M2,
                                    ASSAY_I8,  ASSAY_I16,  ASSAY_U16 };

/* Sums of integers fit; of floating-point numbers, sums of the exact class do. */
static assay_fill fill_of(assay_type type, assay_input input)
{
    const assay_fill real       = ASSAY_UNIFORM(-1, 1);
    const assay_fill small      = ASSAY_INTEGERS(-4, 4, 1);
    const assay_fill both_signs = ASSAY_INTEGERS(-60, 60, 1);
    const assay_fill counts     = ASSAY_INTEGERS(0, 30000, 1);

    if (assay_type_is_float(type))
        return input == ASSAY_INPUT_EXACT ? small : real;
    return type == ASSAY_U16 ? counts : both_signs;
}

static void narrow_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_type type = types[axis[0].i[0]];
    const int64_t    n = axis[1].i[0], size = (int64_t)assay_type_size(type);
    const assay_fill fill = fill_of(type, input);

    s->buf[0]        = (assay_buffer) { "x", ASSAY_IN, type, n, fill };
    s->buf[1]        = (assay_buffer) { "y", ASSAY_IN, type, n, fill };
    s->buf[2]        = (assay_buffer) { .name = "z", .role = ASSAY_OUT, .type = type, .count = n };
    s->param[0]      = type;
    s->cells         = n;
    s->flops         = (double)n;
    s->bytes_read    = 2 * size * n;
    s->bytes_written = size * n;
}

static const char *rounds_nothing(const assay_shape *shape)
{
    return assay_type_is_float((assay_type)shape->param[0]) ? NULL : "integers are not rounded";
}

#define EVERYWHERE(verdicts)                                                                       \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }
#define BROKEN(fault, verdicts, ...)                                                               \
    {                                                                                              \
        .name = #fault, .launch = "selftest_narrow_" #fault, .expect = EVERYWHERE(verdicts),       \
        __VA_ARGS__                                                                                \
    }

const assay_case assay_case_selftest_narrow = {
    .name  = "selftest_narrow",
    .group = "selftest",
    .what  = "broken on purpose: numbers of 8 and 16 bits",
    .version = 1,
    .axes    = { ASSAY_AXIS("type", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "f16"), ASSAY_WORD(1, "bf16"),
                            ASSAY_WORD(2, "f8e4m3"), ASSAY_WORD(3, "f8e5m2"), ASSAY_WORD(4, "i8"),
                            ASSAY_WORD(5, "i16"), ASSAY_WORD(6, "u16")),
                 /* Odd: pairs leave one element over. */
                 ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(31), ASSAY_Q(1001)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = narrow_shape,
    .reference   = selftest_narrow_reference,
    .tol         = { .rule = ASSAY_RULE_EXACT,
                     .why  = "fp32 holds the sum of two such numbers, so that it is rounded once" },
    .variants    = {
        { .name = "right", .launch = "selftest_narrow_right", .flags = ASSAY_DETERMINISTIC },
        BROKEN(cuts_off, ASSAY_BIT(WRONG_VALUE), .unsupported = rounds_nothing),
        BROKEN(another_type, ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE),
               .unsupported = rounds_nothing),
        BROKEN(pairs_alone, ASSAY_BIT(UNWRITTEN)),
        BROKEN(one_past, ASSAY_BIT(OUT_OF_BOUNDS)),
        BROKEN(small_is_zero, ASSAY_BIT(WRONG_VALUE), .unsupported = rounds_nothing),
    },
};
