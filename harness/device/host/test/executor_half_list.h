/* What the tests of 16-bit functions share with their kernels. */
#ifndef ASSAY_TEST_EXECUTOR_HALF_LIST_H
#define ASSAY_TEST_EXECUTOR_HALF_LIST_H

#include <stdint.h>

/* Functions of two numbers and of pairs: X(function, function of pairs, index) */
#define HALF_TWO(X)                                                                                \
    X(__hadd_sat, __hadd2_sat, 0)                                                                  \
    X(__hsub_sat, __hsub2_sat, 1)                                                                  \
    X(__hmul_sat, __hmul2_sat, 2)                                                                  \
    X(__hmax_nan, __hmax2_nan, 3)                                                                  \
    X(__hmin_nan, __hmin2_nan, 4)                                                                  \
    X(__hmax, __hmax2, 5)                                                                          \
    X(__hmin, __hmin2, 6)                                                                          \
    X(__hadd_rn, __hadd2_rn, 7)
#define HALF_COMPARISONS(X)                                                                        \
    X(eq) X(ne) X(lt) X(gt) X(le) X(ge) X(equ) X(neu) X(ltu) X(gtu) X(leu) X(geu)
/* Each integer type, and its name in conversions. */
#define HALF_INTEGERS(X)                                                                           \
    X(short, short)                                                                                \
    X(unsigned short, ushort)                                                                      \
    X(int, int)                                                                                    \
    X(unsigned, uint)                                                                              \
    X(long long, ll)                                                                               \
    X(unsigned long long, ull)

enum {
    N_HALF_TWO         = 8,
    N_HALF_COMPARISONS = 12,
    N_HALF_INTEGERS    = 6,
    N_HALF_UNARY       = 5
};

/* Results for three patterns a, b, c; a pair is (a, b) or (b, c). */
struct half_results {
    uint16_t two[N_HALF_TWO];
    uint32_t both[N_HALF_TWO];
    uint16_t fma_sat, fma_relu, minus_one;
    uint32_t fma_relu_both, complex_fma, shuffled[5];
    uint16_t compared;                    /* one bit for each comparison, of a and b */
    uint32_t numbers[N_HALF_COMPARISONS]; /* 1 or 0 for each comparison, of (a, b) and (b, c) */
    uint32_t masks[N_HALF_COMPARISONS];   /* of the same pairs */
    uint16_t compared_both;               /* one bit for each comparison, of the same pairs */
};

#endif
