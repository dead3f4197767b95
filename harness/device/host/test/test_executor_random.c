/* The host device's random numbers: published answers of Philox, a GPU's answers for a few seeds,
 * jumps compared with draws, moments of the distributions. */
#include "executor_test.h"

#include <math.h>

assay_launch_fn executor_philox, executor_random_first, executor_random_jumps,
    executor_random_numbers, executor_random_fours;

/* Counters and keys, and the results of ten rounds: the test vectors of Random123. */
static void test_philox(void **state)
{
    static const unsigned in[3][6] = {
        { 0 },
        { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
        { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0 },
    };
    static const unsigned want[3][4] = {
        { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
        { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
        { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
    };
    const int64_t n = 3;
    unsigned      out[3][4];

    (void)state;
    run_param(executor_philox, in, sizeof in, out, sizeof out, &n);
    assert_memory_equal(out, want, sizeof want);
}

/* Seed, subsequence, offset; then the first numbers of XORWOW, Philox and MRG32k3a on a GPU.
 * MRG32k3a is unknown for the largest jumps, where the GPU gave only ones. */
static const struct {
    unsigned long long start[3];
    unsigned           first[3];
} seen[] = {
    { { 0x0, 0x0, 0x0 }, { 0xbd7f03b6, 0x6627e8d5, 0x2083cd07 } },
    { { 0x1, 0x0, 0x0 }, { 0xacbf08dc, 0xe3e80670, 0x6edeeb53 } },
    { { 0x2, 0x0, 0x0 }, { 0x4de84669, 0x6cea1ec5, 0x713900a6 } },
    { { 0x3, 0x0, 0x0 }, { 0xe54026b8, 0xd1104d77, 0xc5c5a435 } },
    { { 0x80000000, 0x0, 0x0 }, { 0x9d7f03b6, 0x2aa832ec, 0x96e983e2 } },
    { { 0x100000000, 0x0, 0x0 }, { 0x2302589b, 0xfdde3e0b, 0x8f625fe7 } },
    { { 0x200000000, 0x0, 0x0 }, { 0xf27859ec, 0x88dc3a6e, 0x3031bf0b } },
    { { 0x300000000, 0x0, 0x0 }, { 0x57fbaed1, 0x9320afc0, 0xa541d72d } },
    { { 0x8000000000000000, 0x0, 0x0 }, { 0x3d7f03b6, 0xa41c1be6, 0xdf7b4cd2 } },
    { { 0x4d2, 0x0, 0x0 }, { 0x253d5e15, 0x2090b348, 0xc96891f0 } },
    { { 0x4d2, 0x1, 0x0 }, { 0xd1f7605a, 0xd115a128, 0x26f0d612 } },
    { { 0x4d2, 0x0, 0x1 }, { 0x6f558604, 0xda7cf0ab, 0x9650c684 } },
    { { 0x4d2, 0x5, 0x7 }, { 0xc7c04273, 0x72c26332, 0x7b4fe4e9 } },
    { { 0x123456789abcdef, 0xfedcba987654321, 0x1234567890abcd }, { 0x0ac509fe, 0x922dc8ca, 0x0 } },
    { { 0x4d, 0x10000000000, 0x3 }, { 0xaa5b6d31, 0x7e132294, 0xfcbb2496 } },
};
enum {
    N_SEEN = (int)(sizeof seen / sizeof seen[0])
};

static void test_first_numbers(void **state)
{
    unsigned long long in[N_SEEN][3];
    unsigned           out[N_SEEN][3];
    const int64_t      n = N_SEEN;

    (void)state;
    for (int i = 0; i < N_SEEN; i++)
        memcpy(in[i], seen[i].start, sizeof in[i]);
    run_param(executor_random_first, in, sizeof in, out, sizeof out, &n);
    for (int i = 0; i < N_SEEN; i++)
        for (int generator = 0; generator < 3; generator++)
            if (generator < 2 || seen[i].first[2] != 0)
                assert_int_equal(out[i][generator], seen[i].first[generator]);
}

static void test_jumps(void **state)
{
    int out[5];

    (void)state;
    run(executor_random_jumps, out, sizeof out);
    for (int i = 0; i < 5; i++)
        assert_int_equal(out[i], 0);
}

enum {
    N_NUMBERS = 40000,
    N_KINDS   = 8
};

/* Mean and variance must be within 5 standard errors of those of the distribution. */
static void check_moments(const double *numbers, int kind, double mean, double variance)
{
    double sum = 0, squares = 0, fourth = 0;

    for (int i = 0; i < N_NUMBERS; i++) {
        const double off = numbers[i * N_KINDS + kind] - mean;

        sum += off;
        squares += off * off;
        fourth += off * off * off * off;
    }
    sum /= N_NUMBERS, squares /= N_NUMBERS, fourth /= N_NUMBERS;
    assert_true(fabs(sum) <= 5 * sqrt(variance / N_NUMBERS));
    assert_true(fabs(squares - variance) <= 5 * sqrt((fourth - squares * squares) / N_NUMBERS));
}

static void test_moments(void **state)
{
    /* exp of a normal number with mean 0.5 and standard deviation 0.25 */
    const double wide_mean = exp(0.5 + 0.03125), wide_variance = expm1(0.0625) * exp(1.0625);
    const struct {
        double mean, variance;
    } moments[N_KINDS] = { { 0.5, 1.0 / 12 },
                           { 0.5, 1.0 / 12 },
                           { 0, 1 },
                           { 0, 1 },
                           { wide_mean, wide_variance },
                           { wide_mean, wide_variance },
                           { 0, 1 },
                           { 0, 1 } };
    static double out[N_NUMBERS * N_KINDS];

    (void)state;
    for (int generator = 0; generator < 3; generator++) {
        const int64_t params[] = { generator, N_NUMBERS };

        run_param(executor_random_numbers, NULL, 0, out, sizeof out, params);
        for (int kind = 0; kind < N_KINDS; kind++)
            check_moments(out, kind, moments[kind].mean, moments[kind].variance);
        for (int i = 0; i < N_NUMBERS; i++)
            for (int kind = 0; kind < 2; kind++)
                assert_true(out[i * N_KINDS + kind] > 0 && out[i * N_KINDS + kind] <= 1);
    }
}

static void test_fours(void **state)
{
    double out[8];

    (void)state;
    run(executor_random_fours, out, sizeof out);
    for (int i = 0; i < 8; i++)
        assert_true(out[i] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox), cmocka_unit_test(test_first_numbers),
        cmocka_unit_test(test_jumps),  cmocka_unit_test(test_moments),
        cmocka_unit_test(test_fours),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
