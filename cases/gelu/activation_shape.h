/* What the cases gelu and silu share: axes, inputs, buffers, and where the wrong variants show
 * nothing. */
#ifndef ACTIVATION_SHAPE_H
#define ACTIVATION_SHAPE_H

#include "../ops.h"

#include "../../kernels/gelu/gelu_case.h"

extern assay_reference_fn activation_reference; /* reference/gelu/gelu.c */

/* The first axes of both cases. */
enum {
    ACT_AXIS_N,
    ACT_AXIS_TYPE,
    ACT_AXIS_OUTPUT,
    ACT_N_AXES
};

/* Packs are of 4 or 8 elements: n % 4 is 0 to 3. */
#define ACT_AXES                                                                                   \
    [ACT_AXIS_N] =                                                                                 \
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(3), ASSAY_Q(8),            \
                   ASSAY_Q(10), ASSAY_Q(127), ASSAY_Q(2049), ASSAY_Q(140003), ASSAY_F(1 << 20),    \
                   ASSAY_F(1 << 24), ASSAY_F(1 << 26), ASSAY_F((1 << 26) + 3)),                    \
    [ACT_AXIS_TYPE]   = OPS_TYPE_AXIS,                                                             \
    [ACT_AXIS_OUTPUT] = ASSAY_AXIS("output", ASSAY_AXIS_TEXT, ASSAY_WORD(ACT_Y, "y"),              \
                                   ASSAY_WORD(ACT_Y_F8, "y_f8e4m3"), ASSAY_WORD(ACT_D_X, "d_x"))

#define ACT_INPUTS (ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL))

#define ACT_TOLERANCE                                                                              \
    OPS_COUNTED("one rounding to the output's type, and of single precision as many as the "       \
                "reference counts for each operation, in either form of the function; c = 1")

/* The shape of a point, of one of the functions of gelu_case.h. */
void activation_shape(const assay_value *axis, assay_input input, int64_t function, assay_shape *s);

/* Why there is no such point, or NULL: only fp32 has more than 32767 packs. */
const char *activation_excluded(const assay_value *axis);

/* Reasons why a variant that is wrong on purpose is right at a point, or NULL. */
const char *activation_has_no_tail(const assay_shape *s);
const char *activation_is_not_plain(const assay_shape *s); /* not y, or nothing */
const char *activation_is_not_f8(const assay_shape *s);

/* Tuning and variants of both cases. Packs of 16 bytes; wrong: the elements after the last whole
 * pack are left out. */
#define ACT_TUNING                                                                                 \
    {                                                                                              \
        ASSAY_TUNING("block", 256, 512, 1024)                                                      \
    }
#define ACT_VARIANTS                                                                               \
    { .name   = "scalar",                                                                          \
      .what   = "one element a thread",                                                            \
      .launch = "gelu_scalar",                                                                     \
      .tuning = ACT_TUNING,                                                                        \
      .flags  = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },                                           \
        { .name     = "vector",                                                                    \
          .what     = "two packs of 16 bytes a thread, the rest one by one",                       \
          .launch   = "gelu_vector",                                                               \
          .baseline = "scalar",                                                                    \
          .tuning   = ACT_TUNING,                                                                  \
          .flags    = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },                                       \
    {                                                                                              \
        .name = "no_tail", .what = "wrong: nobody takes the elements that the packs leave over",   \
        .launch = "gelu_vector_no_tail", .tuning = ACT_TUNING,                                     \
        .unsupported = activation_has_no_tail, .expect = OPS_MUST_FAIL(ASSAY_BIT(UNWRITTEN))       \
    }

#endif
