/* The host device's numbers of 8 and 16 bits, compared with the types of buffers: all patterns are
 * decoded; values, midpoints and numbers beside both are encoded; arithmetic uses patterns of all
 * sizes. */
#include "executor_test.h"

#include "check/fill.h"
#include "types.h"

#include <math.h>

assay_launch_fn executor_decode, executor_encode, executor_half, executor_bfloat,
    executor_functions;

enum {
    N_PATTERNS = 65536,
    N_TRIPLES  = 60000,
    N_RESULTS  = 10 /* of three patterns */
};

static void run_on(assay_launch_fn *launch, void *const *buffers, int64_t n)
{
    const int64_t    param = n;
    const assay_args args  = { .buf = buffers, .param = &param };
    assay_fault      fault;

    api->schedule(device, &schedules[0]);
    assert_int_equal(api->enqueue(device, launch, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    assert_int_equal(api->wait(device, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(bytes, 1);

    assert_non_null(memory);
    return memory;
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static const struct {
    assay_type type;
    unsigned   n;
} types[] = { { ASSAY_F16, N_PATTERNS },
              { ASSAY_BF16, N_PATTERNS },
              { ASSAY_F8E4M3, 256 },
              { ASSAY_F8E5M2, 256 } };

static double value_of(assay_type type, unsigned bits)
{
    const uint16_t half = (uint16_t)bits;
    const uint8_t  byte = (uint8_t)bits;

    return assay_type_load(type, assay_type_size(type) == 2 ? (const void *)&half : &byte, 0);
}

static void test_every_pattern(void **state)
{
    void *out[4];

    (void)state;
    for (int t = 0; t < 4; t++)
        out[t] = allocate(N_PATTERNS * sizeof(float));
    run_on(executor_decode, out, 0);
    for (int t = 0; t < 4; t++) {
        for (unsigned bits = 0; bits < types[t].n; bits++)
            assert_true(
                is_same((double)((const float *)out[t])[bits], value_of(types[t].type, bits)));
        free(out[t]);
    }
}

/* ---- to the type ---- */

/* The same as in executor_narrow_kernels.cu. */
struct encoded {
    unsigned short f16, bf16, f16_of_float, bf16_of_float;
    unsigned char  e4m3, e5m2, e4m3_saturated, e5m2_saturated, e4m3_class, e5m2_class;
};

static double saturated(assay_type type, double value)
{
    const double largest = type == ASSAY_F8E4M3 ? 448 : 57344;
    const double rounded = assay_type_round(type, value);

    return isnan(value) ? value : isfinite(rounded) ? rounded : copysign(largest, value);
}

static void check_encoded(const struct encoded *e, double value)
{
    const double narrow = (double)(float)value;

    assert_true(is_same(value_of(ASSAY_F16, e->f16), assay_type_round(ASSAY_F16, value)));
    assert_true(is_same(value_of(ASSAY_BF16, e->bf16), assay_type_round(ASSAY_BF16, value)));
    assert_true(is_same(value_of(ASSAY_F16, e->f16_of_float), assay_type_round(ASSAY_F16, narrow)));
    assert_true(
        is_same(value_of(ASSAY_BF16, e->bf16_of_float), assay_type_round(ASSAY_BF16, narrow)));
    assert_true(is_same(value_of(ASSAY_F8E4M3, e->e4m3), assay_type_round(ASSAY_F8E4M3, value)));
    assert_true(is_same(value_of(ASSAY_F8E5M2, e->e5m2), assay_type_round(ASSAY_F8E5M2, value)));
    assert_true(is_same(value_of(ASSAY_F8E4M3, e->e4m3_saturated), saturated(ASSAY_F8E4M3, value)));
    assert_true(is_same(value_of(ASSAY_F8E5M2, e->e5m2_saturated), saturated(ASSAY_F8E5M2, value)));
    assert_int_equal(e->e4m3_class, e->e4m3_saturated);
    assert_int_equal(e->e5m2_class, e->e5m2_saturated);
}

/* Lists every value of a type, the midpoint to the next one, and the numbers of fp64 right beside
 * both. */
static int64_t list_values(assay_type type, unsigned n_patterns, double *values)
{
    int64_t n = 0;

    for (unsigned bits = 0; bits < n_patterns; bits++) {
        const double value = value_of(type, bits),
                     next  = value_of(type, bits + 1 < n_patterns ? bits + 1 : bits);
        const double at[2] = { value, value + (next - value) / 2 };

        for (int i = 0; i < 2; i++) {
            values[n++] = at[i];
            values[n++] = nextafter(at[i], INFINITY);
            values[n++] = nextafter(at[i], -INFINITY);
        }
    }
    return n;
}

static void test_every_rounding(void **state)
{
    double         *values    = allocate((size_t)6 * N_PATTERNS * sizeof *values);
    struct encoded *out       = allocate((size_t)6 * N_PATTERNS * sizeof *out);
    void *const     buffers[] = { values, out };

    (void)state;
    for (int t = 0; t < 4; t++) {
        const int64_t n = list_values(types[t].type, types[t].n, values);

        run_on(executor_encode, buffers, n);
        for (int64_t i = 0; i < n; i++)
            check_encoded(&out[i], values[i]);
    }
    free(values);
    free(out);
}

static void test_values_of_all_sizes(void **state)
{
    enum {
        N = 60000
    };
    double         *values    = allocate(N * sizeof *values);
    struct encoded *out       = allocate(N * sizeof *out);
    void *const     buffers[] = { values, out };

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        const uint64_t random = assay_random(5, 1, (uint64_t)i);

        values[i] = ldexp((double)(int64_t)random, (int)(i % 320) - 223);
    }
    values[0] = 1e300, values[1] = -1e300, values[2] = 0x1p-1074, values[3] = -0x1p-1074;
    run_on(executor_encode, buffers, N);
    for (int64_t i = 0; i < N; i++)
        check_encoded(&out[i], values[i]);
    free(values);
    free(out);
}

/* ---- arithmetic ---- */

/* a * b + c, rounded once to more bits than the type has; the last bit is set if anything was cut
 * off. All three are multiples of `unit`, and their product is one of unit * unit. */
static double exact_fma(double a, double b, double c, double unit)
{
    __extension__ typedef __int128 wide;
    wide                           sum = (wide)(int64_t)(a / unit) * (int64_t)(b / unit) +
               (wide)(int64_t)(c / unit) * (wide)(int64_t)(1 / unit);
    int        shift       = 0;
    bool       is_cut      = false;
    const bool is_negative = sum < 0;

    sum = is_negative ? -sum : sum;
    for (; sum >> 52 != 0; sum >>= 1, shift++)
        is_cut = is_cut || (sum & 1);
    return (is_negative ? -1 : 1) * ldexp((double)(int64_t)(sum << 1 | is_cut), shift - 1) * unit *
           unit;
}

static void check_arithmetic(assay_type type, assay_launch_fn *launch, bool has_pairs)
{
    uint16_t   *in        = allocate((size_t)3 * N_TRIPLES * sizeof *in);
    uint16_t   *out       = allocate((size_t)N_RESULTS * N_TRIPLES * sizeof *out);
    void *const buffers[] = { in, out };

    for (int64_t i = 0; i < N_TRIPLES; i++) {
        const uint64_t random = assay_random(3, 1, (uint64_t)i);

        for (int k = 0; k < 3; k++)
            in[3 * i + k] = (uint16_t)(random >> 16 * k);
    }
    run_on(launch, buffers, N_TRIPLES);
    for (int64_t i = 0; i < N_TRIPLES; i++) {
        const uint16_t *r = out + N_RESULTS * i;
        const double a = assay_type_load(type, in, 3 * i), b = assay_type_load(type, in, 3 * i + 1);
        const double c    = assay_type_load(type, in, 3 * i + 2);
        const bool   nans = isnan(a) || isnan(b);

        assert_true(is_same(value_of(type, r[0]), assay_type_round(type, a + b)));
        assert_true(is_same(value_of(type, r[1]), assay_type_round(type, a - b)));
        assert_true(is_same(value_of(type, r[2]), assay_type_round(type, a * b)));
        assert_true(is_same(value_of(type, r[3]), assay_type_round(type, a / b)));
        if (type == ASSAY_F16 && isfinite(a) && isfinite(b) && isfinite(c))
            assert_true(value_of(type, r[4]) ==
                        assay_type_round(type, exact_fma(a, b, c, 0x1p-24)));
        else if (!isfinite(a * b + c))
            assert_true(is_same(value_of(type, r[4]), assay_type_round(type, a * b + c)));
        if (!nans && a != b) {
            assert_true(value_of(type, r[5]) == fmin(a, b) && value_of(type, r[6]) == fmax(a, b));
        }
        assert_int_equal(r[7], (a < b) + 2 * (a == b) + 4 * isnan(a));
        if (has_pairs)
            assert_true(is_same(value_of(type, r[8]), value_of(type, r[4])));
    }
    free(in);
    free(out);
}

static void test_half(void **state)
{
    (void)state;
    check_arithmetic(ASSAY_F16, executor_half, true);
}

static void test_functions(void **state)
{
    uint16_t   *out = allocate((size_t)8 * N_PATTERNS * sizeof *out);
    uint16_t    sum = 0, pairs[2] = { 0, 0 };
    void *const buffers[] = { out, &sum, pairs };

    (void)state;
    run_on(executor_functions, buffers, 0);
    for (unsigned bits = 0; bits < N_PATTERNS; bits++) {
        const float a       = (float)value_of(ASSAY_F16, bits);
        const float want[8] = { sqrtf(a), 1 / sqrtf(a), 1 / a,    expf(a),
                                log2f(a), floorf(a),    rintf(a), truncf(a) };

        for (int k = 0; k < 8; k++)
            assert_true(is_same(value_of(ASSAY_F16, out[8 * bits + (unsigned)k]),
                                assay_type_round(ASSAY_F16, (double)want[k])));
    }
    /* 8 blocks of 4 warps of 32 lanes */
    assert_true(value_of(ASSAY_F16, sum) == 1024);
    assert_true(value_of(ASSAY_F16, pairs[0]) == 1024 && value_of(ASSAY_F16, pairs[1]) == -1024);
    free(out);
}

static void test_bfloat16(void **state)
{
    (void)state;
    check_arithmetic(ASSAY_BF16, executor_bfloat, false);
}

/* 1.0078125 * 1.5 is in the middle between 193 / 128 and 194 / 128, so the number that is added
 * decides, however small it is, with either sign. */
static void test_a_product_in_the_middle(void **state)
{
    static const uint16_t in[]   = { 0x3F81, 0x3FC0, 0x0D80, 0x3F81, 0x3FC0, 0x8D80, 0x3F81, 0x3FC0,
                                     0x0000, 0xBF81, 0x3FC0, 0x0D80, 0xBF81, 0x3FC0, 0x8D80 };
    static const uint16_t want[] = { 0x3FC2, 0x3FC1, 0x3FC2, 0xBFC1, 0xBFC2 };
    uint16_t              out[5 * N_RESULTS];
    void *const           buffers[] = { (void *)(uintptr_t)in, out };

    (void)state;
    run_on(executor_bfloat, buffers, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(out[N_RESULTS * i + 4], want[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pattern),
        cmocka_unit_test(test_every_rounding),
        cmocka_unit_test(test_values_of_all_sizes),
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_bfloat16),
        cmocka_unit_test(test_a_product_in_the_middle),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
