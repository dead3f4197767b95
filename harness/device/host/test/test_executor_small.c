/* The host device's numbers of 4 and 6 bits against lists of their values, and vectors of 8 bits
 * against single numbers. */
#include "executor_test.h"

#include <math.h>

assay_launch_fn executor_small, executor_wide, executor_fp8_vectors;

/* Values by pattern, without the sign. */
static const double fours[]  = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
static const double sixes[]  = { 0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875,
                                 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
                                 2, 2.25,  2.5,  2.75,  3,   3.25,  3.5,  3.75,
                                 4, 4.5,   5,    5.5,   6,   6.5,   7,    7.5 };
static const double others[] = { 0,   0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375,
                                 0.5, 0.625,  0.75,  0.875,  1,    1.25,   1.5,   1.75,
                                 2,   2.5,    3,     3.5,    4,    5,      6,     7,
                                 8,   10,     12,    14,     16,   20,     24,    28 };
static const struct {
    const double *values;
    unsigned      n;
} formats[3] = { { fours, 8 }, { sixes, 32 }, { others, 32 } };

/* The pattern of x, rounded to nearest, down, up or to zero. */
static unsigned pattern_of(int format, double x, int to)
{
    const double  *values = formats[format].values;
    const unsigned n = formats[format].n, sign = signbit(x) ? n : 0;
    const double   size = fabs(x);
    unsigned       i    = 0;

    if (isnan(x) || size >= values[n - 1])
        return n - 1 + (isnan(x) ? 0 : sign);
    while (values[i + 1] <= size)
        i++;
    if (values[i] == size || to == 3)
        return sign + i;
    if (to != 0)
        return sign + i + ((to == 1) == (sign != 0));
    if (size - values[i] == values[i + 1] - size)
        return sign + (i % 2 == 0 ? i : i + 1);
    return sign + (size - values[i] < values[i + 1] - size ? i : i + 1);
}

static void test_to_small(void **state)
{
    static double x[1024];
    unsigned char out[1024][15];
    const int64_t n = 1024;

    (void)state;
    for (int i = 0; i < 1000; i++) /* all values, the midpoints, and numbers beside both */
        x[i] = (i % 2 ? -1 : 1) * (i % 3 == 2 ? nextafter(i / 32.0, i % 5 ? 0 : 99) : i / 32.0);
    for (int i = 1000; i < 1024; i++)
        x[i] = i % 5 == 0   ? NAN
               : i % 5 == 1 ? -INFINITY
               : i % 5 == 2 ? 1e30
               : i % 5 == 3 ? -0.0
                            : 1e-30;
    run_param(executor_small, x, sizeof x, out, sizeof out, &n);
    for (int i = 0; i < 1024; i++)
        for (int format = 0; format < 3; format++) {
            for (int to = 0; to < 4; to++)
                assert_int_equal(out[i][4 * format + to], pattern_of(format, x[i], to));
            assert_int_equal(out[i][12 + format], pattern_of(format, x[i], 0));
        }
}

static void test_of_small(void **state)
{
    float out[256][5];

    (void)state;
    run(executor_wide, out, sizeof out);
    for (unsigned bits = 0; bits < 256; bits++) {
        const unsigned of[5] = { bits % 16, bits % 64, bits % 64, bits % 16, bits / 16 };

        for (int i = 0; i < 5; i++) {
            const int      format = i < 3 ? i : 0;
            const unsigned n      = formats[format].n;
            const double   size   = formats[format].values[of[i] % n];

            assert_true((double)out[bits][i] == (of[i] >= n ? -size : size));
            assert_int_equal(!signbit(out[bits][i]), of[i] < n);
        }
    }
}

static void test_vectors_of_fp8(void **state)
{
    float         in[256][4];
    unsigned      out[256];
    const int64_t n = 256;

    (void)state;
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 4; j++) /* fp16 holds all of them */
            in[i][j] = ldexpf((float)((i * 37 + j * 11) % 128 - 64), (i + j) % 16 - 12);
    run_param(executor_fp8_vectors, in, sizeof in, out, sizeof out, &n);
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_to_small),
        cmocka_unit_test(test_of_small),
        cmocka_unit_test(test_vectors_of_fp8),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
