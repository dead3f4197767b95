/* dot_product: sum of x[i] * y[i], single precision in, double out. Each element has 8 bytes and
 * 2 flops. */
#include "case.h"

#include "../kernels/dot_product/dot_product_case.h"

assay_reference_fn dot_product_reference; /* reference/dot_product.c */

/* Axes. */
enum {
    N
};

static void dot_product_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n       = axis[N].i[0];
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill fill    = input == ASSAY_INPUT_EXACT ? integer : real;

    s->buf[X] = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[Y] = (assay_buffer) { "y", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[DOT] =
        (assay_buffer) { .name = "dot", .role = ASSAY_OUT, .type = ASSAY_F64, .count = 1 };
    s->cells         = n;
    s->flops         = 2.0 * (double)n;
    s->bytes_read    = 8 * n;
    s->bytes_written = 8;
}

const assay_case assay_case_dot_product = {
    .name        = "dot_product",
    .what        = "sum of x[i] * y[i], single precision in, double out",
    .version     = 1,
    .axes        = { [N] = ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(31),
                                ASSAY_Q(32), ASSAY_Q(33), ASSAY_Q(257), ASSAY_Q(10007),
                                ASSAY_F(1 << 20), ASSAY_F(1 << 26)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = dot_product_shape,
    .reference   = dot_product_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 2,
                     .u_out  = ASSAY_U64_ROUNDOFF,
                     .u_acc  = ASSAY_U64_ROUNDOFF,
                     .growth = ASSAY_G_LINEAR,
                     .why    = "products of floats are exact in double; n - 1 additions in any "
                               "order, in the kernel and in the reference" },
    .variants    = {
        { .name = "naive", .launch = "dot_product_naive" },
        { .name = "warp", .launch = "dot_product_warp", .baseline = "naive" },
    },
};
