/* The operations of the tests of rounding: X(name without its rounding, type, how it is called,
 * kind). Shared by the tests and their kernels. */
#ifndef ASSAY_TEST_EXECUTOR_ROUNDED_LIST_H
#define ASSAY_TEST_EXECUTOR_ROUNDED_LIST_H

#define ROUNDED_LIST(X)                                                                            \
    X(__fadd, float, TWO, ADD)                                                                     \
    X(__fsub, float, TWO, SUBTRACT)                                                                \
    X(__fmul, float, TWO, MULTIPLY)                                                                \
    X(__fdiv, float, TWO, DIVIDE)                                                                  \
    X(__fmaf, float, THREE, FUSED)                                                                 \
    X(__frcp, float, ONE, RECIPROCAL)                                                              \
    X(__fsqrt, float, ONE, ROOT)                                                                   \
    X(__dadd, double, TWO, ADD)                                                                    \
    X(__dsub, double, TWO, SUBTRACT)                                                               \
    X(__dmul, double, TWO, MULTIPLY)                                                               \
    X(__ddiv, double, TWO, DIVIDE)                                                                 \
    X(__fma, double, THREE, FUSED)                                                                 \
    X(__drcp, double, ONE, RECIPROCAL)                                                             \
    X(__dsqrt, double, ONE, ROOT)

/* Conversions: X(name without its rounding, type of the result, type of the operand) */
#define CONVERSION_LIST(X)                                                                         \
    X(__int2float, float, int)                                                                     \
    X(__uint2float, float, unsigned)                                                               \
    X(__ll2float, float, long long)                                                                \
    X(__ull2float, float, unsigned long long)                                                      \
    X(__ll2double, double, long long)                                                              \
    X(__ull2double, double, unsigned long long)

/* To the nearest, down, up, toward zero. */
enum {
    N_ROUNDINGS = 4
};

#define ROUNDED_COUNT(...) +1
enum {
    N_ROUNDED     = 0 ROUNDED_LIST(ROUNDED_COUNT),
    N_CONVERSIONS = 0 CONVERSION_LIST(ROUNDED_COUNT)
};

#endif
