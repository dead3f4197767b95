/* The host device's arithmetic: CUDA's intrinsics, against plain C. */
#include "executor_test.h"

#include <limits.h>
#include <math.h>
#include <string.h>

assay_launch_fn executor_bits, executor_real, executor_vector;

/* The same as in the kernel. */
struct bits {
    unsigned popc, ffs, clz, brev, perm, funnel_l, funnel_r, umulhi;
    int      mulhi, float_bits, to_int_rn, to_int_rd, to_int_ru, to_int_rz, smaller, larger;
    unsigned long long umul64hi, double_bits;
    unsigned           popcll, ffsll, clzll, mixed, sum_rd;
};

static const unsigned words[] = { 0,          1,          2,           0x80000000u, 0xffffffffu,
                                  0x12345678, 0x7fffffff, 0xdeadbeefu, 100,         0xffffff9cu };
enum {
    N_WORDS = (int)(sizeof words / sizeof words[0])
};

static unsigned count_bits(unsigned long long x)
{
    unsigned n = 0;

    for (; x != 0; x >>= 1)
        n += (unsigned)(x & 1);
    return n;
}

/* Place of the highest (lowest) set bit, from 1; 0 if none. */
static unsigned highest(unsigned long long x)
{
    unsigned n = 0;

    for (; x != 0; x >>= 1)
        n++;
    return n;
}
static unsigned lowest(unsigned long long x) { return highest(x & (0 - x)); }

static unsigned reversed(unsigned x)
{
    unsigned r = 0;

    for (int i = 0; i < 32; i++, x >>= 1)
        r = r << 1 | (x & 1);
    return r;
}

/* The high half of w * w, computed from the halves of w. */
static unsigned long long high_square(unsigned long long w)
{
    const unsigned long long low = w & 0xffffffffu, high = w >> 32;
    const unsigned long long once = low * high + (low * low >> 32);

    return high * high + (once >> 32) + ((low * high + (once & 0xffffffffu)) >> 32);
}

static int saturated(double x) { return x <= INT_MIN ? INT_MIN : x >= INT_MAX ? INT_MAX : (int)x; }

static unsigned bits_of_float(float x)
{
    unsigned bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Rounds a sum down that is exact in double. */
static float rounded_down(double sum)
{
    const float nearest = (float)sum;

    return (double)nearest > sum ? nextafterf(nearest, -INFINITY) : nearest;
}

static void check_bits(const struct bits *b, unsigned x, unsigned y)
{
    const unsigned long long w = (unsigned long long)x << 32 | y;
    const double             f = (double)((float)(int)x * 0.37f);

    assert_int_equal(b->popc, count_bits(x));
    assert_int_equal(b->ffs, lowest(x));
    assert_int_equal(b->clz, 32 - highest(x));
    assert_int_equal(b->brev, reversed(x));
    assert_int_equal(b->perm, (x & 0xffff) | (y >> 16 & 0xff) << 16 | y >> 24 << 24);
    assert_int_equal(b->funnel_l, y << 5 | x >> 27);
    assert_int_equal(b->funnel_r, x >> 5 | y << 27);
    assert_int_equal(b->umulhi, (unsigned)((unsigned long long)x * y >> 32));
    assert_int_equal(b->mulhi, (int)((long long)(int)x * (int)y >> 32));
    assert_int_equal(b->float_bits, x & 0x7f7fffffu);
    assert_int_equal(b->sum_rd, bits_of_float(rounded_down(f + 0x1p23)));
    assert_int_equal(b->to_int_rn, saturated(nearbyint(f)));
    assert_int_equal(b->to_int_rd, saturated(floor(f)));
    assert_int_equal(b->to_int_ru, saturated(ceil(f)));
    assert_int_equal(b->to_int_rz, saturated(trunc(f)));
    assert_int_equal(b->smaller, (int)x < 12 ? (int)x : 12);
    assert_int_equal(b->larger, (int)x > -12 ? (int)x : -12);
    assert_true(b->umul64hi == high_square(w));
    assert_true(b->double_bits == 1);
    assert_int_equal(b->popcll, count_bits(w));
    assert_int_equal(b->ffsll, lowest(w));
    assert_int_equal(b->clzll, 64 - highest(w));
    assert_int_equal(b->mixed, 0xffffffffu);
}

static void test_bits(void **state)
{
    const int64_t n = N_WORDS;
    struct bits   out[N_WORDS];

    (void)state;
    run_param(executor_bits, words, sizeof words, out, sizeof out, &n);
    for (int i = 0; i < N_WORDS; i++)
        check_bits(&out[i], words[i], words[(i + 1) % N_WORDS]);
}

static void assert_close(float value, double expected)
{
    if (!(fabs((double)value - expected) <= 2e-7 * fabs(expected) + 1e-7))
        fail_msg("%.9g is not %.9g", (double)value, expected);
}

static const double PI = 3.14159265358979323846;

static void test_real(void **state)
{
    const float   in[] = { 0.125f, 1, 1.5f, 2.25f, 9, 1.00048828125f };
    const int64_t n    = 6;
    float         out[6][16];

    (void)state;
    run_param(executor_real, in, sizeof in, out, sizeof out, &n);
    for (int i = 0; i < 6; i++) {
        const double x = (double)in[i];
        const float  p = in[i] * in[i];

        assert_true(out[i][0] == fmaf(in[i], in[i], 1.0f));
        assert_true(out[i][1] == p + 1.0f); /* it is rounded twice */
        assert_true(out[i][2] == 1.0f / in[i]);
        assert_true(out[i][3] == sqrtf(in[i]));
        assert_close(out[i][4], 1 / sqrt(x));
        assert_close(out[i][5], exp(x));
        assert_close(out[i][6], log(x));
        assert_close(out[i][7], 1);
        assert_true(out[i][8] == (in[i] < 1 ? in[i] : 1));
        assert_true(out[i][9] == in[i]); /* a NaN gives way to a number */
        assert_true(out[i][10] == (in[i] > 2 ? in[i] : 2));
        assert_close(out[i][11], 0.5 + 0.5 * x);
        assert_true(out[i][12] == (in[i] < 2 ? in[i] : 2));
        assert_true(out[i][13] == in[i] / 4);
        assert_close(out[i][14], sin(PI * fmod(x, 2)) + 2 * cos(PI * fmod(x, 2)));
        if (in[i] == 1 || in[i] == 9 || in[i] == 1.5f)
            assert_true(out[i][14] == (in[i] == 1.5f ? -1 : -2)); /* it is exact */
        assert_true(out[i][15] == 2);
    }
}

static void test_vector(void **state)
{
    const float in[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    float       out[8];

    (void)state;
    run_param(executor_vector, in, sizeof in, out, sizeof out, NULL);
    for (int i = 0; i < 8; i++)
        assert_true(out[i] == in[i / 4 * 4 + 3 - i % 4] + (i % 4 == 1 ? 3.0f : 0.0f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_vector),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
