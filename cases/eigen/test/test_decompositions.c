/* Tests the references of eigen and svd on matrices with known answers, and which answers their
 * judges accept and refuse. */
#include "../../../kernels/eigen/eigen_case.h"
#include "../../../kernels/svd/svd_case.h"
#include "../../svd/svd_judge.h"
#include "../../testing/trial.h"
#include "../eigen_judge.h"
#include "case.h"

#include <math.h>
#include <string.h>

assay_reference_fn eigen_reference, svd_reference;

enum {
    MOST    = 32,
    BUFFERS = 4
};

static void serial_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t k = 0; k * size < count; k++)
        fn(context, k, k * size, (k + 1) * size < count ? (k + 1) * size : count);
}

/* One matrix in single precision. For each output: the reference's values, and an answer. */
typedef struct bench {
    assay_shape    shape;
    int64_t        count[BUFFERS];
    float          a[MOST * MOST], answer[BUFFERS][MOST * MOST];
    double         value[BUFFERS][MOST * MOST];
    uint8_t        law[BUFFERS][MOST * MOST];
    assay_expected expected[BUFFERS];
} bench;

static bench b;

/* Solves b.a; the answer is the reference's, rounded. */
static void solve(assay_reference_fn *reference, int64_t first, int64_t second)
{
    const void *const          in[BUFFERS] = { b.a };
    const assay_reference_args args        = {
               in, b.expected, b.count, b.shape.param, b.shape.scalar, serial_for
    };

    memset(b.law, 0, sizeof b.law);
    for (int k = 1; k < BUFFERS; k++)
        b.expected[k] = (assay_expected) { .value = b.value[k], .law = b.law[k] };
    b.shape.param[0] = first; /* n, batch, type, input; or rows, columns, batch, type, input */
    b.shape.param[1] = second;
    b.shape.param[2] = reference == svd_reference ? 1 : ASSAY_F32;
    b.shape.param[3] = ASSAY_F32;
    reference(&args);
    for (int k = 1; k < BUFFERS; k++)
        for (int i = 0; i < MOST * MOST; i++)
            assay_type_store(ASSAY_F32, b.answer[k], i, b.value[k][i]);
}

static assay_evidence evidence(void)
{
    static const void *in[BUFFERS], *out[BUFFERS];

    in[0] = b.a;
    for (int k = 1; k < BUFFERS; k++)
        out[k] = b.answer[k];
    return (assay_evidence) { .shape        = &b.shape,
                              .input        = ASSAY_INPUT_RANDOM,
                              .in           = in,
                              .out          = out,
                              .expected     = b.expected,
                              .parallel_for = serial_for };
}

static double measured(assay_invariant_result (*measure)(const assay_evidence *))
{
    const assay_evidence e = evidence();

    return measure(&e).value;
}

static assay_verdict compared(assay_compare_fn *compare)
{
    char                 reason[256];
    const assay_evidence e = evidence();

    return compare(&e, reason, sizeof reason);
}

static void near(double is, double should_be, const char *what)
{
    (void)trial_expect(fabs(is - should_be) <= 1e-14 * fmax(1, fabs(should_be)),
                       "%s is %.17g, not %.17g", what, is, should_be);
}

static void fill(int64_t rows, int64_t columns, float diagonal, float other)
{
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            b.a[j * rows + i] = i == j ? diagonal : other;
}

/* ---- eigen ---- */

static bool eigen_holds(void)
{
    return compared(eigen_compare) == ASSAY_PASS && measured(eigen_values) <= 1 &&
           measured(eigen_residual) <= 1 && measured(eigen_orthogonality) <= 1;
}

/* Wilkinson's W21+: its two largest eigenvalues differ by 7e-14. */
static void test_wilkinson(void)
{
    fill(21, 21, 0, 0);
    for (int64_t k = 0; k < 21; k++) {
        b.a[k * 22] = fabsf((float)k - 10);
        if (k < 20)
            b.a[k * 21 + k + 1] = b.a[(k + 1) * 21 + k] = 1;
    }
    solve(eigen_reference, 21, 1);
    near(b.value[EIGEN_BUF_W][20], 10.746194182903393, "the largest eigenvalue of W21+");
    near(b.value[EIGEN_BUF_W][19], 10.746194182903322, "the one before");
    near(b.value[EIGEN_BUF_W][0], -1.1254415221199847, "the least");
    (void)trial_expect(eigen_holds(), "W21+ holds");
    (void)trial_expect(b.law[EIGEN_BUF_V][20 * 21] == ASSAY_EXEMPT, "near ones are exempt");
    (void)trial_expect(b.law[EIGEN_BUF_V][0] == ASSAY_COMPARE, "the least stands alone");
}

/* All ones: eigenvalue 0 five times, and 6. */
static void test_ones(void)
{
    fill(6, 6, 1, 1);
    solve(eigen_reference, 6, 1);
    for (int k = 0; k < 6; k++)
        near(b.value[EIGEN_BUF_W][k], k < 5 ? 0 : 6, "an eigenvalue of ones");
    (void)trial_expect(eigen_holds(), "ones hold");
}

static void test_what_eigen_lets_pass(void)
{
    const float c = 0.6f, s = 0.8f;
    float      *v = b.answer[EIGEN_BUF_V];

    fill(2, 2, 1, 0);
    solve(eigen_reference, 2, 1);
    v[0] = c, v[1] = s, v[2] = -s, v[3] = c;
    (void)trial_expect(eigen_holds(), "vectors of equal eigenvalues are free");
    b.a[3] = 2;
    solve(eigen_reference, 2, 1);
    v[3] = -v[3];
    (void)trial_expect(eigen_holds(), "signs are free");
    v[0] = c, v[1] = s, v[2] = -s, v[3] = c;
    (void)trial_expect(measured(eigen_orthogonality) <= 1 && !(measured(eigen_residual) <= 1),
                       "vectors of others are not");
    v[0] = 1.001f, v[1] = v[2] = 0, v[3] = 1;
    (void)trial_expect(!(measured(eigen_orthogonality) <= 1), "they have length 1");
}

static void test_what_eigen_refuses(void)
{
    float *w = b.answer[EIGEN_BUF_W];

    fill(2, 2, 1, 0);
    b.a[3] = 2;
    solve(eigen_reference, 2, 1);
    w[1] = 2.0001f;
    (void)trial_expect(!(measured(eigen_values) <= 1), "a value that is off");
    w[0] = 2, w[1] = 1;
    (void)trial_expect(compared(eigen_compare) == ASSAY_WRONG_VALUE, "values that descend");
    w[0] = NAN;
    (void)trial_expect(compared(eigen_compare) == ASSAY_NOT_FINITE, "NaN as a value");
    w[0] = 1, w[1] = 2, b.answer[EIGEN_BUF_V][2] = INFINITY;
    (void)trial_expect(compared(eigen_compare) == ASSAY_NOT_FINITE, "infinity in a vector");
}

/* ---- svd ---- */

static bool svd_holds(void)
{
    return compared(svd_compare) == ASSAY_PASS && measured(svd_values) <= 1 &&
           measured(svd_residual) <= 1 && measured(svd_orthogonality_u) <= 1 &&
           measured(svd_orthogonality_v) <= 1;
}

/* Laeuchli's matrix: sqrt(n + e^2), and e for all columns but one. */
static void test_laeuchli(void)
{
    fill(5, 4, 0, 0);
    for (int64_t j = 0; j < 4; j++)
        b.a[j * 5] = 1, b.a[j * 5 + j + 1] = 0x1p-20f;
    solve(svd_reference, 5, 4);
    near(b.value[SVD_BUF_S][0], sqrt(4 + 0x1p-40), "the largest value of Laeuchli's matrix");
    for (int k = 1; k < 4; k++)
        near(b.value[SVD_BUF_S][k] * 0x1p20, 1, "one of the others, times 2^20");
    (void)trial_expect(svd_holds(), "Laeuchli's matrix holds");
}

static void test_singular(void)
{
    fill(5, 3, 0, 0);
    solve(svd_reference, 5, 3);
    (void)trial_expect(svd_holds() && b.value[SVD_BUF_S][0] == 0, "a matrix of zeros holds");
    fill(5, 3, 2, 2);
    solve(svd_reference, 5, 3);
    near(b.value[SVD_BUF_S][0], 2 * sqrt(15), "the value of a matrix of twos");
    near(b.value[SVD_BUF_S][1], 0, "the next one");
    (void)trial_expect(svd_holds(), "a matrix of twos holds");
    (void)trial_expect(b.law[SVD_BUF_U][5] == ASSAY_EXEMPT && b.law[SVD_BUF_U][0] == ASSAY_COMPARE,
                       "u is exempt where the value is 0");
}

static void test_what_svd_refuses(void)
{
    float *s = b.answer[SVD_BUF_S], *u = b.answer[SVD_BUF_U], *v = b.answer[SVD_BUF_V];

    fill(3, 2, 2, 0);
    b.a[4] = 1;
    solve(svd_reference, 3, 2);
    for (int i = 0; i < 3; i++)
        u[i] = -u[i];
    (void)trial_expect(!(measured(svd_residual) <= 1), "the sign of u alone");
    v[0] = -v[0], v[1] = -v[1];
    (void)trial_expect(svd_holds(), "the sign of both is free");
    s[1] = -1;
    (void)trial_expect(compared(svd_compare) == ASSAY_WRONG_VALUE, "a value below 0");
    s[1] = 3;
    (void)trial_expect(compared(svd_compare) == ASSAY_WRONG_VALUE, "values that ascend");
    s[1] = 1, u[3] = u[4] = u[5] = 0;
    (void)trial_expect(!(measured(svd_orthogonality_u) <= 1), "a vector of zeros");
    v[2] = NAN;
    (void)trial_expect(compared(svd_compare) == ASSAY_NOT_FINITE, "NaN in V");
}

int main(void)
{
    test_wilkinson();
    test_ones();
    test_what_eigen_lets_pass();
    test_what_eigen_refuses();
    test_laeuchli();
    test_singular();
    test_what_svd_refuses();
    return trial_finish("test_decompositions");
}
