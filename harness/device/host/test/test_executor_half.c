/* The less used functions of the host device's fp16 and bf16, compared with the types of
 * buffers. */
#include "executor_half_list.h"
#include "executor_rounded.h"

#include "types.h"

assay_launch_fn executor_half_more, executor_bfloat_more, executor_half_to_integers,
    executor_half_of_integers;

static const struct {
    assay_type       type;
    assay_launch_fn *launch;
    uint16_t         one, infinite;
} formats[2] = { { ASSAY_F16, executor_half_more, 0x3c00, 0x7c00 },
                 { ASSAY_BF16, executor_bfloat_more, 0x3f80, 0x7f80 } };

static double value_of(int f, unsigned bits)
{
    const uint16_t pattern = (uint16_t)bits;

    return assay_type_load(formats[f].type, &pattern, 0);
}

/* The pattern of a value rounded to the type. */
static uint16_t pattern_of(int f, double value)
{
    uint16_t pattern;

    if (isnan(value))
        return 0x7fff;
    assay_type_store(formats[f].type, &pattern, 0, value);
    return pattern;
}

/* Any NaN equals any other. */
static bool is_same(int f, unsigned got, unsigned want)
{
    return got == want || (isnan(value_of(f, got)) && isnan(value_of(f, want)));
}
static bool is_same_pair(int f, uint32_t got, unsigned low, unsigned high)
{
    return is_same(f, got & 0xffff, low) && is_same(f, got >> 16, high);
}

/* ---- functions of patterns */

static double unit(double x) { return x > 0 ? x < 1 ? x : 1 : 0; }

static uint16_t larger(int f, uint16_t a, uint16_t b, int sign)
{
    const double x = sign * value_of(f, a), y = sign * value_of(f, b);

    if (x == y)
        return !signbit(x) ? a : b;
    return isnan(x) || y > x ? b : a;
}

static uint16_t of_two(int f, int function, uint16_t a, uint16_t b)
{
    const double x = value_of(f, a), y = value_of(f, b);

    switch (function) {
    case 0:
        return pattern_of(f, unit(x + y));
    case 1:
        return pattern_of(f, unit(x - y));
    case 2:
        return pattern_of(f, unit(x * y));
    case 3:
        return isnan(x) || isnan(y) ? 0x7fff : larger(f, a, b, 1);
    case 4:
        return isnan(x) || isnan(y) ? 0x7fff : larger(f, a, b, -1);
    case 5:
        return larger(f, a, b, 1);
    case 6:
        return larger(f, a, b, -1);
    default:
        return pattern_of(f, x + y);
    }
}

/* The product of two numbers is exact in fp64. In the sum with a third one, the part that is cut
 * off decides between two neighbours. The neighbour that ends in 1 carries this to the rounding
 * that follows. */
static uint16_t fused(int f, uint16_t a, uint16_t b, uint16_t c)
{
    const double product = value_of(f, a) * value_of(f, b), third = value_of(f, c);
    double       terms[2] = { product + third, 0 };
    const double part     = terms[0] - product;
    uint64_t     bits;

    terms[1] = (product - (terms[0] - part)) + (third - part);
    memcpy(&bits, terms, sizeof bits);
    if (terms[1] != 0 && !isnan(terms[1]) && bits % 2 == 0)
        terms[0] = nextafter(terms[0], terms[1] > 0 ? INFINITY : -INFINITY);
    return pattern_of(f, terms[0]);
}

static bool holds(int comparison, double x, double y)
{
    const bool is_unordered = isnan(x) || isnan(y);
    const bool held[]       = { x == y, x != y, x<y, x> y, x <= y, x >= y };

    return is_unordered ? comparison >= 6 : held[comparison % 6];
}

static void check_comparisons(int f, const uint16_t *p, const struct half_results *r)
{
    for (int i = 0; i < N_HALF_COMPARISONS; i++) {
        const bool first   = holds(i, value_of(f, p[0]), value_of(f, p[1])),
                   second  = holds(i, value_of(f, p[1]), value_of(f, p[2]));
        const uint16_t one = formats[f].one;

        assert_int_equal(r->compared >> i & 1, first);
        assert_int_equal(r->compared_both >> i & 1, first && second);
        assert_int_equal(r->masks[i], (first ? 0xffffu : 0) | (second ? 0xffff0000u : 0));
        assert_int_equal(r->numbers[i], (first ? one : 0u) | (second ? (uint32_t)one << 16 : 0u));
    }
}

static void check_products(int f, const uint16_t *p, const struct half_results *r)
{
    const uint16_t a = p[0], b = p[1], c = p[2], minus = (uint16_t)(b ^ 0x8000);
    const uint16_t product = fused(f, a, b, c), second = fused(f, b, c, a);
    const double   x = value_of(f, product), y = value_of(f, second);

    assert_true(is_same(f, r->fma_sat, pattern_of(f, unit(x))));
    assert_true(is_same(f, r->fma_relu, x <= 0 ? 0 : product));
    assert_true(is_same_pair(f, r->fma_relu_both, x <= 0 ? 0 : product, y <= 0 ? 0 : second));
    /* (a, b) times (b, c), and (c, a) */
    if (!is_same_pair(f, r->complex_fma, fused(f, minus, c, product),
                      fused(f, b, b, fused(f, a, c, a))))
        fail_msg("(%04x, %04x) times (%04x, %04x) is %08x", a, b, b, c, r->complex_fma);
    assert_true(is_same(f, r->minus_one, pattern_of(f, value_of(f, a) - 1)));
}

static void check_results(int f, const uint16_t *p, const struct half_results *r)
{
    const uint32_t a = p[0], b = p[1], c = p[2];

    for (int i = 0; i < N_HALF_TWO; i++) {
        const uint16_t first = of_two(f, i, p[0], p[1]), second = of_two(f, i, p[1], p[2]);

        if (!is_same(f, r->two[i], first) || !is_same_pair(f, r->both[i], first, second))
            fail_msg("function %d of %04x, %04x, %04x is %04x, %08x", i, p[0], p[1], p[2],
                     r->two[i], r->both[i]);
    }
    check_products(f, p, r);
    check_comparisons(f, p, r);
    assert_int_equal(r->shuffled[0], a | a << 16);
    assert_int_equal(r->shuffled[1], b | b << 16);
    assert_int_equal(r->shuffled[2], a | c << 16);
    assert_int_equal(r->shuffled[3], b | a << 16);
    assert_int_equal(r->shuffled[4], b | a << 16);
}

enum {
    N_SPECIAL = 12,
    N_PAIRS   = N_SPECIAL * N_SPECIAL * N_SPECIAL + 30000
};

static void test_functions(void **state)
{
    static uint16_t            patterns[3 * N_PAIRS];
    static struct half_results out[N_PAIRS];
    const int64_t              n    = N_PAIRS;
    uint64_t                   seed = 5;

    (void)state;
    for (int f = 0; f < 2; f++) {
        const uint16_t one = formats[f].one, infinite = formats[f].infinite;
        const uint16_t special[N_SPECIAL] = { 0,
                                              0x8000,
                                              1,
                                              0x8001,
                                              one,
                                              (uint16_t)(one | 0x8000),
                                              (uint16_t)(one + 1),
                                              (uint16_t)(one / 2),
                                              infinite,
                                              (uint16_t)(infinite | 0x8000),
                                              0x7fff,
                                              (uint16_t)(infinite - 1) };

        for (int i = 0; i < 3 * N_PAIRS; i++)
            patterns[i] = i < 90000 ? (uint16_t)next_random(&seed) : 0;
        for (int i = 0; i < N_SPECIAL * N_SPECIAL * N_SPECIAL; i++) {
            patterns[3 * i]     = special[i % N_SPECIAL];
            patterns[3 * i + 1] = special[i / N_SPECIAL % N_SPECIAL];
            patterns[3 * i + 2] = special[i / (N_SPECIAL * N_SPECIAL)];
        }
        run_param(formats[f].launch, patterns, sizeof patterns, out, sizeof out, &n);
        for (int i = 0; i < N_PAIRS; i++)
            check_results(f, patterns + 3 * i, &out[i]);
    }
}

/* ---- conversions */

static void run_on(assay_launch_fn *launch, void *const *buffers, int64_t n)
{
    const assay_args args = { .buf = buffers, .param = &n };
    assay_fault      fault;

    assert_int_equal(api->enqueue(device, launch, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
}

static double rounded(int to, double x)
{
    return to == NEAREST ? nearbyint(x) : to == DOWN ? floor(x) : to == UP ? ceil(x) : trunc(x);
}

/* The limits are powers of two; the upper one is one past the largest integer. */
static long long integer_of(double x, int bits, bool is_signed)
{
    const double   low = is_signed ? -ldexp(1, bits - 1) : 0, end = ldexp(1, bits - is_signed);
    const uint64_t last =
        (UINT64_C(1) << (bits - 1)) - 1 + (is_signed ? 0 : UINT64_C(1) << (bits - 1));

    if (isnan(x))
        return bits == 64 ? (long long)(UINT64_C(1) << 63) : 0;
    if (x >= end)
        return (long long)last;
    return x <= low ? (long long)low : is_signed ? (long long)x : (long long)(uint64_t)x;
}

static void test_to_integers(void **state)
{
    static const int bits[N_HALF_INTEGERS] = { 16, 16, 32, 32, 64, 64 };
    static long long out[2][65536][N_HALF_INTEGERS][N_ROUNDINGS];
    void *const      buffers[] = { out[0], out[1] };

    (void)state;
    run_on(executor_half_to_integers, buffers, 0);
    for (int f = 0; f < 2; f++)
        for (unsigned pattern = 0; pattern < 65536; pattern++)
            for (int i = 0; i < N_HALF_INTEGERS; i++)
                for (int to = 0; to < N_ROUNDINGS; to++)
                    if (out[f][pattern][i][to] !=
                        integer_of(rounded(to, value_of(f, pattern)), bits[i], i % 2 == 0))
                        fail_msg("pattern %04x of type %d to integer %d, rounding %d: %lld",
                                 pattern, f, i, to, out[f][pattern][i][to]);
}

/* The value of the next pattern, above or below. */
static wide beside(int f, unsigned pattern, bool is_above)
{
    const bool     is_negative = (pattern & 0x8000) != 0;
    const unsigned magnitude   = pattern & 0x7fff;

    if (magnitude == 0)
        return (wide)value_of(f, is_above ? 1 : 0x8001);
    if (magnitude == formats[f].infinite && is_above != is_negative)
        return is_above ? (wide)INFINITY : -(wide)INFINITY;
    return (wide)value_of(f, is_above == is_negative ? pattern - 1 : pattern + 1);
}

static bool is_pattern_of(int f, wide value, int to, unsigned pattern)
{
    const wide r     = (wide)value_of(f, pattern);
    const wide above = beside(f, pattern, true), below = beside(f, pattern, false);

    if (value == 0 || isnan(value) || isinf(value))
        return isnan(value) ? isnan(r) : r == value && !signbit(r) == !signbit(value);
    if (to == NEAREST && isinf(r)) {
        const wide largest = (wide)value_of(f, formats[f].infinite - 1u);
        const wide before  = (wide)value_of(f, formats[f].infinite - 2u);

        return fabsl(value) >= largest + (largest - before) / 2;
    }
    if (to == NEAREST) {
        const wide off = fabsl(r - value), limit = fminl(above - value, value - below);

        return off <= limit && (off < limit || (pattern & 1) == 0);
    }
    return !signbit(r) == !signbit(value) &&
           is_rounded((enum rounding)to, value < 0 ? -1 : 1, (value > r) - (value < r),
                      (value > above) - (value < above), (value > below) - (value < below));
}

enum {
    N_INTEGERS = 64 * 64 * 8
};

/* Values, midpoints, and numbers beside both: sums of a few powers of two. */
static void make_numbers(long long *integers, float *floats)
{
    uint64_t seed = 17;

    for (int i = 0; i < N_INTEGERS; i++) {
        const uint64_t sum = (UINT64_C(1) << i / 512) +
                             (UINT64_C(1) << i / 8 % 64) * (uint64_t)(i % 2) + (uint64_t)(i % 3) -
                             1;

        integers[i] = (long long)(i % 8 < 5 ? sum : 0 - sum);
        floats[i]   = i % 2 ? (float)random_number(&seed, i % 4 == 1 ? 0 : 40)
                            : ldexpf((float)integers[i], -60 * (i / 2 % 2));
    }
}

static void test_of_integers(void **state)
{
    enum {
        N_OUT = (N_HALF_INTEGERS + 1) * N_ROUNDINGS
    };
    static long long integers[N_INTEGERS];
    static float     floats[N_INTEGERS];
    static uint16_t  out[2][N_INTEGERS][N_OUT];
    void *const      buffers[] = { integers, floats, out[0], out[1] };

    (void)state;
    make_numbers(integers, floats);
    run_on(executor_half_of_integers, buffers, N_INTEGERS);
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < N_INTEGERS; i++) {
            const wide values[] = {
#define VALUE(type, name) (wide)(type) integers[i],
                HALF_INTEGERS(VALUE)
#undef VALUE
                    (wide) floats[i]
            };

            for (int j = 0; j < N_OUT; j++)
                if (!is_pattern_of(f, values[j / 4], j % 4, out[f][i][j]))
                    fail_msg("%La as type %d, conversion %d, is not %04x", values[j / 4], f, j,
                             out[f][i][j]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_to_integers),
        cmocka_unit_test(test_of_integers),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
