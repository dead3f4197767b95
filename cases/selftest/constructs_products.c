/* Matrix instructions of a warp, and sums of products of halves. c = a b, 16 x 16 each. */
#include "constructs.h"

assay_reference_fn
    selftest_constructs_products_reference; /* reference/selftest/constructs_products.c */

static void products_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n = axis[0].i[0], size = 256 * n;
    const assay_fill real    = ASSAY_UNIFORM(-1, 1);
    const assay_fill integer = ASSAY_INTEGERS(-64, 64, 1);
    const assay_fill fill    = input == ASSAY_INPUT_EXACT ? integer : real;

    s->buf[0]     = (assay_buffer) { "a", ASSAY_IN, ASSAY_F16, size, fill };
    s->buf[1]     = (assay_buffer) { "b", ASSAY_IN, ASSAY_F16, size, fill };
    s->buf[2]     = (assay_buffer) { "c", ASSAY_OUT, ASSAY_F32, size, { .kind = ASSAY_FILL_NONE } };
    s->cells      = n;
    s->flops      = 32 * (double)size;
    s->bytes_read = 4 * size;
    s->bytes_written = 4 * size;
}

#define PRODUCT(kernel_name)                                                                       \
    (const assay_kernel[])                                                                         \
    {                                                                                              \
        { .name = (kernel_name), .grid = "matrices", .block = "32", .arguments = "a, b, c" },      \
        {                                                                                          \
            .name = NULL                                                                           \
        }                                                                                          \
    }
#define PRODUCTS(construct, bug)                                                                   \
    { .name = #construct, .kernels = PRODUCT(#construct "<false>") },                              \
    {                                                                                              \
        .name = #construct "_wrong", .what = (bug), .kernels = PRODUCT(#construct "<true>"),       \
        .expect = WRONG_VALUE                                                                      \
    }

const assay_case assay_case_selftest_constructs_products = {
    .name        = "selftest_constructs_products",
    .group       = "selftest",
    .what        = "products of matrices of halves, each construct right and with a planted bug",
    .version     = 1,
    .axes        = { ASSAY_AXIS("matrices", ASSAY_AXIS_INT, ASSAY_Q(3)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = products_shape,
    .reference   = selftest_constructs_products_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 2,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_LINEAR,
                     .why    = "products are exact, sums of 16 in any order; instructions cut, which is twice a rounding" },
    .variants    = {
        PRODUCTS(wmma_product, "the second matrix column by column"),
        PRODUCTS(ptx_product, "ldmatrix without .trans"),
        PRODUCTS(half_product, "the sum is a half"),
        PRODUCTS(half2_product, "both sums of a pair get its lower half"),
    },
};
