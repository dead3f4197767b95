/* Conversions to narrow types and whole numbers, sums rounded up; cuRAND's whole numbers. */
#include "constructs.h"

assay_reference_fn
    selftest_constructs_numbers_reference; /* reference/selftest/constructs_numbers.c */

/* Multiples of 1/64 below 256, among them halves of whole numbers; z changes the last bits of x. */
static void numbers_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n      = axis[0].i[0];
    const assay_fill number = ASSAY_INTEGERS(-16000, 16000, 0x1p-6);
    const assay_fill small  = ASSAY_INTEGERS(-1000, 1000, 0x1p-30);
    const assay_fill none   = { .kind = ASSAY_FILL_NONE };

    (void)input;
    s->buf[0]        = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, number };
    s->buf[1]        = (assay_buffer) { "z", ASSAY_IN, ASSAY_F32, n, small };
    s->buf[2]        = (assay_buffer) { "h", ASSAY_OUT, ASSAY_F16, n, none };
    s->buf[3]        = (assay_buffer) { "b", ASSAY_OUT, ASSAY_BF16, n, none };
    s->buf[4]        = (assay_buffer) { "e", ASSAY_OUT, ASSAY_F8E4M3, n, none };
    s->buf[5]        = (assay_buffer) { "up", ASSAY_OUT, ASSAY_F32, n, none };
    s->buf[6]        = (assay_buffer) { "k", ASSAY_OUT, ASSAY_I32, n, none };
    s->cells         = n;
    s->flops         = (double)n;
    s->bytes_read    = 8 * n;
    s->bytes_written = 13 * n;
}

#define NUMBERS "x, z, h, b, e, up, k"
#define CONVERTED(variant, kernel, threads)                                                        \
    {                                                                                              \
        .name = (variant), .kernels = LAUNCHED(kernel, threads, NULL, NUMBERS)                     \
    }
#define CONVERTED_WRONG(variant, kernel, threads, bug, ...)                                        \
    {                                                                                              \
        .name = (variant), .what = (bug), .kernels = LAUNCHED(kernel, threads, NULL, NUMBERS),     \
        .expect = __VA_ARGS__                                                                      \
    }

const assay_case assay_case_selftest_constructs_numbers = {
    .name        = "selftest_constructs_numbers",
    .group       = "selftest",
    .what        = "conversions and roundings, right and with planted bugs",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = numbers_shape,
    .reference   = selftest_constructs_numbers_reference,
    .tol         = { .rule = ASSAY_RULE_EXACT, .why = "each conversion and sum is rounded once" },
    .variants    = {
        CONVERTED("by_intrinsics", "by_intrinsics<0>", 64),
        CONVERTED_WRONG("half_is_cut", "by_intrinsics<1>", 64, "rounded to zero",
                        WRONG_VALUE),
        CONVERTED_WRONG("bf16_is_cut", "by_intrinsics<2>", 64, "rounded to zero",
                        WRONG_VALUE),
        CONVERTED_WRONG("fp8_is_e5m2", "by_intrinsics<3>", 64, "the other type's bits",
                        EVERYWHERE(EARLY)),
        CONVERTED_WRONG("sum_is_nearest", "by_intrinsics<4>", 64,
                        "__fadd_rn for __fadd_ru", WRONG_VALUE),
        CONVERTED_WRONG("int_is_cut", "by_intrinsics<5>", 64,
                        "__float2int_rz for __float2int_rn", WRONG_VALUE),
        CONVERTED("by_ptx_conversion", "by_ptx_conversion<false, false>", 32),
        CONVERTED_WRONG("pairs_are_swapped", "by_ptx_conversion<true, false>", 32,
                        "the first operand of cvt is the upper half", WRONG_VALUE),
        CONVERTED_WRONG("cvt_is_cut", "by_ptx_conversion<false, true>", 32,
                        "cvt.rzi for cvt.rni", WRONG_VALUE),
    },
};
