/* The judges of cholesky: L is judged by the A = L L' that it gives back. */
#include "cholesky_judge.h"

#include "../../kernels/cholesky/cholesky_case.h"
#include "../linalg.h"

enum {
    RIGHT,
    NOT_REPORTED,
    WRONG_COLUMN,
    NOT_NAN,
    NOT_ZERO,
    NOT_ABOVE_ZERO,
    INFINITE,
    NOT_EXACT
};

static const linalg_finding findings[] = {
    [NOT_REPORTED] = { ASSAY_WRONG_VALUE, "it is not positive definite, and not reported" },
    [WRONG_COLUMN] = { ASSAY_WRONG_VALUE, "another column is reported, or a matrix that is sound" },
    [NOT_NAN]      = { ASSAY_WRONG_VALUE, "it is reported, and its L is not NaN throughout" },
    [NOT_ZERO]     = { ASSAY_WRONG_VALUE, "above the diagonal L is not 0" },
    [NOT_ABOVE_ZERO] = { ASSAY_WRONG_VALUE, "the diagonal of L is not above 0" },
    [INFINITE]       = { ASSAY_NOT_FINITE, "it is not reported, and its L is not finite" },
    [NOT_EXACT]      = { ASSAY_WRONG_VALUE, "every step is exact, and L is not" },
};

static assay_type type_of(const assay_evidence *e)
{
    return (assay_type)e->shape->param[CHOLESKY_PARAM_TYPE];
}

static int64_t info_of(const assay_evidence *e, int64_t m)
{
    return ((const int32_t *)e->out[CHOLESKY_BUF_INFO])[m];
}

static int judge_info(const assay_evidence *e, int64_t m)
{
    const int64_t info = info_of(e, m), wanted = e->expected[CHOLESKY_BUF_INFO].integer[m];

    if (e->expected[CHOLESKY_BUF_INFO].law[m] == ASSAY_EXEMPT)
        return info == 0 || (info >= wanted && info <= e->shape->param[CHOLESKY_PARAM_N])
                   ? RIGHT
                   : WRONG_COLUMN;
    return info == wanted ? RIGHT : info == 0 ? NOT_REPORTED : WRONG_COLUMN;
}

static int judge_element(const assay_evidence *e, int64_t m, int64_t i, int64_t j)
{
    const int64_t at =
        (m * e->shape->param[CHOLESKY_PARAM_N] + j) * e->shape->param[CHOLESKY_PARAM_N] + i;
    const double l = assay_type_load(type_of(e), e->out[CHOLESKY_BUF_L], at);

    if (info_of(e, m) != 0)
        return isnan(l) ? RIGHT : NOT_NAN;
    if (!isfinite(l))
        return INFINITE;
    if (i < j && l != 0)
        return NOT_ZERO;
    if (i == j && !(l > 0))
        return NOT_ABOVE_ZERO;
    return e->input == ASSAY_INPUT_EXACT && l != e->expected[CHOLESKY_BUF_L].value[at] ? NOT_EXACT
                                                                                       : RIGHT;
}

static int judge_matrix(const assay_evidence *e, int64_t m)
{
    const int64_t n     = e->shape->param[CHOLESKY_PARAM_N];
    int           found = judge_info(e, m);

    for (int64_t j = 0; j < n && found == RIGHT; j++)
        for (int64_t i = 0; i < n && found == RIGHT; i++)
            found = judge_element(e, m, i, j);
    return found;
}

assay_verdict cholesky_compare(const assay_evidence *e, char *reason, size_t size)
{
    return linalg_judge_all(e, e->shape->param[CHOLESKY_PARAM_BATCH], judge_matrix, findings,
                            reason, size);
}

/* ---- residuals ---- */

/* For an element of L L'. Its sum has `terms` products. The roundings of each product, and one of
 * the root or the quotient, are at most u of a part of the sum of magnitudes, and they are
 * independent. */
static double ratio_of_element(double a, const double *one, const double *half_one,
                               const double *other, const double *half_other, int64_t terms)
{
    double residual = a, magnitude = 0, rounding = 0;

    for (int64_t k = 0; k < terms; k++) {
        residual -= one[k] * other[k];
        magnitude += fabs(one[k] * other[k]);
        rounding += half_one[k] * fabs(other[k]) + half_other[k] * (fabs(one[k]) + half_one[k]);
    }
    return linalg_ratio(residual,
                        rounding + 4 * sqrt((double)terms + 1) * ASSAY_U32_ROUNDOFF * magnitude);
}

static double ratio_of_matrix(const assay_evidence *e, int64_t m)
{
    const int64_t n     = e->shape->param[CHOLESKY_PARAM_N];
    double        worst = 0;
    double        l[CHOLESKY_MAX_N][CHOLESKY_MAX_N], half[CHOLESKY_MAX_N][CHOLESKY_MAX_N];

    if (info_of(e, m) != 0)
        return 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            l[i][j]    = assay_type_load(type_of(e), e->out[CHOLESKY_BUF_L], (m * n + j) * n + i);
            half[i][j] = linalg_half_step(type_of(e), l[i][j]);
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            const double a =
                assay_type_load(type_of(e), e->in[CHOLESKY_BUF_A], (m * n + j) * n + i);

            worst = linalg_worse(worst, ratio_of_element(a, l[i], half[i], l[j], half[j], j + 1));
        }
    return worst;
}

assay_invariant_result cholesky_residual(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[CHOLESKY_PARAM_BATCH], ratio_of_matrix);
}
