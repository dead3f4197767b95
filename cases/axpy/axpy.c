/* axpy: y[i] += a * x[i]. Memory bound: 12 bytes and 2 flops an element. */
#include "case.h"

#include "../../kernels/axpy/axpy_case.h"

assay_reference_fn axpy_reference; /* reference/axpy/axpy.c */

/* Axes. */
enum {
    N
};

static void axpy_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[N].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill indexed = ASSAY_INDEX(1 << 20, 1);
    const assay_fill fill    = input == ASSAY_INPUT_EXACT     ? integer
                               : input == ASSAY_INPUT_INDEXED ? indexed
                                                              : real;

    s->buf[X]        = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[Y]        = (assay_buffer) { "y", ASSAY_INOUT, ASSAY_F32, n, fill };
    s->scalar[A]     = 0.75;
    s->cells         = n;
    s->flops         = 2.0 * (double)n;
    s->bytes_read    = 8 * n;
    s->bytes_written = 4 * n;
}

const assay_case assay_case_axpy = {
    .name        = "axpy",
    .what        = "y[i] += a * x[i], single precision",
    .version     = 1,
    .axes        = { [N] = ASSAY_AXIS_BETWEEN("n", ASSAY_AXIS_INT, 0, 100000, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(255),
                                ASSAY_Q(256), ASSAY_Q(257), ASSAY_Q(1023), ASSAY_Q(10007),
                                ASSAY_Q(140003), /* 16 bits cannot count its vectors */
                                ASSAY_F(1 << 20), ASSAY_F(1 << 24), ASSAY_F(1 << 26),
                                ASSAY_F(1 << 28)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = axpy_shape,
    .reference   = axpy_reference,
    .tol         = { .rule    = ASSAY_RULE_ULP,
                     .max_ulp = 1,
                     .why     = "one fma rounds once; the reference is the same in double" },
    .variants    = {
        { .name   = "naive",
          .launch = "axpy_naive",
          .tuning = { ASSAY_TUNING("block", 256, 64, 128, 512, 1024) },
          .flags  = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },
        { .name     = "vec4",
          .launch   = "axpy_vec4",
          .baseline = "naive",
          .tuning   = { ASSAY_TUNING("block", 256, 64, 128, 512, 1024) },
          .flags    = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE },
    },
};
