/* From axes to buffers of the cases gelu and silu, and their inputs. */
#include "activation_shape.h"

#include <math.h>

/* ---- inputs ---- */

/* An element that shows each fault in an array of any length: tanh's constants, where they differ
 * most from the roundings of the type; an exponential that fp16 does not have, or that bf16 rounds
 * badly; a value that saturates. */
static double first_element(const assay_shape *s)
{
    if (s->param[ACT_OUTPUT] == ACT_Y_F8)
        return 7;
    if (s->param[ACT_FUNCTION] == ACT_SILU)
        return s->param[ACT_TYPE] == ASSAY_F16 ? -12 : 1.5;
    return s->param[ACT_TYPE] == ASSAY_F32 ? -1.5 : -3.25;
}

/* Zeros of the slopes, ends of exponentials, saturation, and values of all sizes. */
static double adversarial_x(uint64_t random, int64_t i, const assay_shape *s)
{
    static const double special[] = { 0,     -0.0,   1e-40, -1e-5,  -1.2785, -0.7518, 30,
                                      -30.5, -88.25, 88.25, -100.5, 60000,   -60000,  -5.5 };
    const int64_t       n         = sizeof special / sizeof *special;
    const double        sign      = random & 1 ? 1 : -1;

    if (i == 0)
        return first_element(s);
    return i <= n ? special[i - 1]
                  : sign * ldexp(1 + ops_unit(random), (int)(random >> 1 & 31) - 24);
}

/* Whole multiples of 256. For these every activation is the number itself, or smaller than any type
 * holds. */
static assay_fill fill_of(assay_input input)
{
    const assay_fill exact = ASSAY_INTEGERS(-4, 4, 256), wide = ASSAY_CUSTOM(adversarial_x);
    const assay_fill random = ASSAY_UNIFORM(-8, 8);

    return input == ASSAY_INPUT_EXACT ? exact : input == ASSAY_INPUT_ADVERSARIAL ? wide : random;
}

/* ---- shape ---- */

void activation_shape(const assay_value *axis, assay_input input, int64_t function, assay_shape *s)
{
    const int64_t    n = axis[ACT_AXIS_N].i[0], output = axis[ACT_AXIS_OUTPUT].i[0];
    const assay_type type   = ops_type(&axis[ACT_AXIS_TYPE]);
    const int64_t    n_back = output == ACT_D_X ? n : 0;
    const assay_type out    = output == ACT_Y_F8 ? ASSAY_F8E4M3 : type;
    const assay_fill exact = ASSAY_INTEGERS(-4, 4, 1), random = ASSAY_UNIFORM(-1, 1);

    s->param[ACT_TYPE]     = type;
    s->param[ACT_OUTPUT]   = output;
    s->param[ACT_FUNCTION] = function;
    s->scalar[ACT_SCALE]   = 96;
    s->buf[ACT_X]          = (assay_buffer) { "x", ASSAY_IN, type, n, fill_of(input) };
    s->buf[ACT_D_Y]        = (assay_buffer) { "d_y", ASSAY_IN, type, n_back,
                                       input == ASSAY_INPUT_EXACT ? exact : random };
    s->buf[ACT_OUT]        = (assay_buffer) {
               .name = output == ACT_D_X ? "d_x" : "y", .role = ASSAY_OUT, .type = out, .count = n
    };
    s->cells         = n;
    s->flops         = 10.0 * (double)n;
    s->bytes_read    = (n + n_back) * (int64_t)assay_type_size(type);
    s->bytes_written = n * (int64_t)assay_type_size(out);
}

const char *activation_excluded(const assay_value *axis)
{
    return axis[ACT_AXIS_N].i[0] == 140003 && ops_type(&axis[ACT_AXIS_TYPE]) != ASSAY_F32
               ? "sizes of more than 32767 packs are checked in fp32"
               : NULL;
}

/* ---- where wrong variants are right ---- */

const char *activation_has_no_tail(const assay_shape *s)
{
    const int64_t pack = 16 / (int64_t)assay_type_size(s->buf[ACT_X].type);

    return s->cells % pack == 0 ? "packs of 16 bytes cover the whole array" : NULL;
}

const char *activation_is_not_plain(const assay_shape *s)
{
    return s->param[ACT_OUTPUT] != ACT_Y ? "the mistake is shown on y only"
           : s->cells == 0               ? "an empty array cannot show the mistake"
                                         : NULL;
}

const char *activation_is_not_f8(const assay_shape *s)
{
    return s->param[ACT_OUTPUT] != ACT_Y_F8 ? "only E4M3 has no infinity"
           : s->cells == 0                  ? "an empty array cannot show the mistake"
                                            : NULL;
}
