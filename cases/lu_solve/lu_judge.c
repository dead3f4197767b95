/* The judges of lu_solve. A solution is judged by its residual (backward error): its distance from
 * the exact one says more about the matrix than about the kernel. */
#include "lu_judge.h"

#include "../../reference/lu_solve/lu_factor.h"
#include "../linalg.h"

/* ---- who is reported, who is solved ---- */

enum {
    RIGHT,
    NOT_REPORTED,
    WRONG_COLUMN,
    NOT_NAN,
    INFINITE,
    NOT_EXACT
};

static const linalg_finding findings[] = {
    [NOT_REPORTED] = { ASSAY_WRONG_VALUE, "it is singular, and not reported" },
    [WRONG_COLUMN] = { ASSAY_WRONG_VALUE, "another column is reported, or a matrix that is sound" },
    [NOT_NAN]      = { ASSAY_WRONG_VALUE, "it is reported, and its x is not NaN throughout" },
    [INFINITE]     = { ASSAY_NOT_FINITE, "it is not reported, and its x is not finite" },
    [NOT_EXACT]    = { ASSAY_WRONG_VALUE, "every step is exact, and x is not" },
};

static int64_t info_of(const assay_evidence *e, int64_t m)
{
    return ((const int32_t *)e->out[LU_BUF_INFO])[m];
}

static assay_type type_of(const assay_evidence *e)
{
    return (assay_type)e->shape->param[LU_PARAM_TYPE];
}

static int judge_info(const assay_evidence *e, int64_t m)
{
    const int64_t info = info_of(e, m), wanted = e->expected[LU_BUF_INFO].integer[m];

    if (e->expected[LU_BUF_INFO].law[m] == ASSAY_EXEMPT)
        return info == 0 || (info >= wanted && info <= e->shape->param[LU_PARAM_N]) ? RIGHT
                                                                                    : WRONG_COLUMN;
    return info == wanted ? RIGHT : info == 0 ? NOT_REPORTED : WRONG_COLUMN;
}

static int judge_system(const assay_evidence *e, int64_t m)
{
    const int64_t n     = e->shape->param[LU_PARAM_N];
    int           found = judge_info(e, m);

    for (int64_t i = m * n; i < (m + 1) * n && found == RIGHT; i++) {
        const double x = assay_type_load(type_of(e), e->out[LU_BUF_X], i);

        if (info_of(e, m) != 0)
            found = isnan(x) ? RIGHT : NOT_NAN;
        else if (!isfinite(x))
            found = INFINITE;
        else if (e->input == ASSAY_INPUT_EXACT && x != e->expected[LU_BUF_X].value[i])
            found = NOT_EXACT;
    }
    return found;
}

assay_verdict lu_solve_compare(const assay_evidence *e, char *reason, size_t size)
{
    return linalg_judge_all(e, e->shape->param[LU_PARAM_BATCH], judge_system, findings, reason,
                            size);
}

/* ---- residuals ---- */

/* For row i. Elimination and both substitutions are 3 sums. Each of their n roundings is at most u
 * of a part of `sum`, (|L| |U| |x|)[i]. They are independent: 4 sqrt(n) u is at least 4
 * deviations. */
static double ratio_of_row(const assay_evidence *e, int64_t m, int64_t i, const double *x,
                           double sum)
{
    const int64_t n        = e->shape->param[LU_PARAM_N];
    double        residual = assay_type_load(type_of(e), e->in[LU_BUF_B], m * n + i), rounding = 0;

    for (int64_t j = 0; j < n; j++) {
        const double a = assay_type_load(type_of(e), e->in[LU_BUF_A], (m * n + j) * n + i);

        residual -= a * x[j];
        rounding += fabs(a) * linalg_half_step(type_of(e), x[j]);
    }
    return linalg_ratio(residual, rounding + 4 * sqrt((double)n) * ASSAY_U32_ROUNDOFF * sum);
}

static double ratio_of_system(const assay_evidence *e, int64_t m)
{
    const int64_t n     = e->shape->param[LU_PARAM_N];
    double        worst = 0, x[LU_MAX_N], sums[LU_MAX_N];
    lu_factors    f;

    if (info_of(e, m) != 0)
        return 0;
    lu_factor(&f, type_of(e), e->in[LU_BUF_A], n, m);
    if (f.kind == LU_SINGULAR)
        return 0;
    for (int64_t j = 0; j < n; j++)
        x[j] = assay_type_load(type_of(e), e->out[LU_BUF_X], m * n + j);
    lu_factors_sums(&f, x, sums);
    for (int64_t i = 0; i < n; i++)
        worst = linalg_worse(worst, ratio_of_row(e, m, i, x, sums[i]));
    return worst;
}

assay_invariant_result lu_solve_residual(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[LU_PARAM_BATCH], ratio_of_system);
}
