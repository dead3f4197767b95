/* Cases for the tests of registry and plan. */
#include "toy_case.h"

#include <math.h>

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill fill = ASSAY_INTEGERS(-9, 9, 1);

    (void)input;
    s->buf[0] = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, axis[0].i[0], fill };
    s->buf[1] =
        (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = axis[0].i[0] };
    s->cells         = axis[0].i[0];
    s->bytes_read    = 4 * axis[0].i[0];
    s->bytes_written = 4 * axis[0].i[0];
}

static void reference(const assay_reference_args *args)
{
    const float *x = args->in[0];

    for (int64_t i = 0; i < args->count[1]; i++) {
        args->expect[1].value[i]     = 2.0 * (double)x[i];
        args->expect[1].magnitude[i] = 2.0 * fabs((double)x[i]);
    }
}

/* The odd flavour exists only for odd n. */
static const char *excluded(const assay_value *axis)
{
    return axis[1].i[0] == 1 && axis[0].i[0] % 2 == 0 ? "odd flavour wants odd n" : NULL;
}

static const char *not_above_1000(const assay_shape *s)
{
    return s->cells > 1000 ? "at most 1000 elements" : NULL;
}

static int launch(const assay_args *args, assay_stream stream)
{
    const float *x = args->buf[0];
    float       *y = args->buf[1];

    (void)stream;
    for (int64_t i = 0; i < args->count[1]; i++)
        y[i] = 2 * x[i];
    return 0;
}

#define TOY_TOLERANCE                                                                              \
    {                                                                                              \
        .rule = ASSAY_RULE_EXACT, .why = "doubling is exact"                                       \
    }
#define TOY_AXES                                                                                   \
    {                                                                                              \
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(3), ASSAY_Q(8), ASSAY_F(4096)),        \
            ASSAY_AXIS("flavour", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "plain"), ASSAY_WORD(1, "odd"))   \
    }
#define TOY_COMMON                                                                                 \
    .what = "y = 2x", .version = 1, .axes = TOY_AXES, .inputs = ASSAY_INPUT_BIT(EXACT),            \
    .timed_input = ASSAY_INPUT_EXACT, .shape = shape, .reference = reference,                      \
    .tol = TOY_TOLERANCE, .excluded = excluded

const assay_case toy_double = {
    .name = "toy_double",
    TOY_COMMON,
    .variants = { { .name = "plain", .cpu = launch },
                  { .name        = "small",
                    .cpu         = launch,
                    .baseline    = "plain",
                    .unsupported = not_above_1000 } },
};

const assay_case toy_shelf = {
    .name  = "toy_shelf",
    .group = "shelf",
    TOY_COMMON,
    .variants = { { .name = "plain", .cpu = launch } },
};

const assay_case toy_broken = {
    .name  = "toy_broken",
    .group = "selftest",
    TOY_COMMON,
    .variants = { { .name   = "wrong",
                    .cpu    = launch,
                    .expect = { [ASSAY_LANE_HOST] = ASSAY_BIT(WRONG_VALUE) } } },
};

const assay_case *const toy_cases[] = { &toy_broken, &toy_double, &toy_shelf, NULL };
