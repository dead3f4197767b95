/* What the tests of rounded arithmetic and of conversions share: operands, and a check that a
 * result is the right neighbour of the exact one. */
#ifndef ASSAY_TEST_EXECUTOR_ROUNDED_H
#define ASSAY_TEST_EXECUTOR_ROUNDED_H

#include "executor_rounded_list.h"
#include "executor_test.h"

#include <math.h>

/* Wide enough that no product of doubles overflows and none loses low bits. */
typedef long double wide;

enum rounding {
    NEAREST,
    DOWN,
    UP,
    TO_ZERO
};
typedef enum type {
    is_float,
    is_double
} type;

static inline double neighbour(type t, double r, double toward)
{
    return t == is_float ? (double)nextafterf((float)r, (float)toward) : nextafter(r, toward);
}

/* Is r the exact result, correctly rounded? Given are the signs of the exact result (`sign`), of
 * its difference to r (`beyond`), and of those to the neighbours of r. */
static inline bool is_rounded(enum rounding to, int sign, int beyond, int beyond_above,
                              int beyond_below)
{
    const bool is_down = to == DOWN || (to == TO_ZERO && sign > 0);

    return is_down ? beyond >= 0 && beyond_above < 0 : beyond <= 0 && beyond_below > 0;
}

/* ---- operands */

enum {
    N_HARD    = 24,
    N_RANDOM  = 60000,
    N_TRIPLES = N_HARD * N_HARD * 4 + N_RANDOM
};

static inline uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline double of_bits(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static const double hard[N_HARD] = {
    0,
    -0.0,
    1,
    -1,
    3,
    -7,
    0.1,
    1e-3,
    0x1p-149,
    -0x1p-149,
    0x1p-126,
    0x1.fffffcp-127,
    0x1.fffffep127,
    -0x1.fffffep127,
    0x1p64,
    0x1p-64,
    0x1p-1074,
    -0x1p-1074,
    0x1.fffffffffffffp1023,
    0x1p-1022,
    INFINITY,
    -INFINITY,
    NAN,
    0x1.000002p0,
};

/* Numbers of similar size, so that sums cancel, or any bits at all; half of them are numbers of
 * fp32. */
static inline double random_number(uint64_t *seed, int spread)
{
    const uint64_t bits   = next_random(seed);
    const double fraction = of_bits((bits & UINT64_C(0x800fffffffffffff)) | UINT64_C(0x3ff) << 52);
    const double x        = spread == 0 ? of_bits(bits)
                                        : ldexp(fraction, (int)(bits >> 52 & 0x7ff) % spread - spread / 2);

    return bits >> 60 & 1 ? (double)(float)x : x;
}

static inline double *make_triples(void)
{
    static const int spreads[] = { 0, 4, 60, 280, 320, 2 };
    double          *triples = malloc(N_TRIPLES * 3 * sizeof *triples), *at = triples;
    uint64_t         seed = 11;

    assert_non_null(triples);
    for (int i = 0; i < N_HARD * N_HARD * 4; i++, at += 3) {
        at[0] = hard[i % N_HARD];
        at[1] = hard[i / N_HARD % N_HARD];
        at[2] = hard[(i + i / N_HARD * 5) % N_HARD];
    }
    for (int i = 0; i < N_RANDOM; i++, at += 3) {
        for (int j = 0; j < 3; j++)
            at[j] = random_number(&seed, spreads[i % 6]);
        if (i % 4 == 0) /* a fused sum that nearly cancels */
            at[2] = -at[0] * at[1];
    }
    return triples;
}

#endif
