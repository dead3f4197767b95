/* The judges of svd. Singular values are compared with those of the reference. Vectors are judged
 * by what must hold for all of them, so that the sign of a pair is free, and so are vectors of
 * equal values. */
#include "svd_judge.h"

#include "../../kernels/svd/svd_case.h"
#include "../linalg.h"

static assay_type type_of(const assay_evidence *e)
{
    return (assay_type)e->shape->param[SVD_PARAM_TYPE];
}

static double element(const assay_evidence *e, int buffer, int64_t i)
{
    return assay_type_load(type_of(e), e->out[buffer], i);
}

/* ---- form ---- */

enum {
    RIGHT,
    INFINITE,
    NEGATIVE,
    UNSORTED
};

static const linalg_finding findings[] = {
    [INFINITE] = { ASSAY_NOT_FINITE, "s, U or V is not finite" },
    [NEGATIVE] = { ASSAY_WRONG_VALUE, "s is negative" },
    [UNSORTED] = { ASSAY_WRONG_VALUE, "s is not descending" },
};

static bool is_finite(const assay_evidence *e, int buffer, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++)
        if (!isfinite(element(e, buffer, i)))
            return false;
    return true;
}

static int judge_matrix(const assay_evidence *e, int64_t m)
{
    const int64_t rows = e->shape->param[SVD_PARAM_ROWS], n = e->shape->param[SVD_PARAM_COLUMNS];

    if (!is_finite(e, SVD_BUF_S, m * n, n) || !is_finite(e, SVD_BUF_U, m * n * rows, n * rows) ||
        !is_finite(e, SVD_BUF_V, m * n * n, n * n))
        return INFINITE;
    for (int64_t k = m * n; k < (m + 1) * n; k++) {
        if (element(e, SVD_BUF_S, k) < 0)
            return NEGATIVE;
        if (k > m * n && element(e, SVD_BUF_S, k) > element(e, SVD_BUF_S, k - 1))
            return UNSORTED;
    }
    return RIGHT;
}

assay_verdict svd_compare(const assay_evidence *e, char *reason, size_t size)
{
    return linalg_judge_all(e, e->shape->param[SVD_PARAM_BATCH], judge_matrix, findings, reason,
                            size);
}

/* ---- what is measured ---- */

/* Vectors x[k] of one side; half_... is half a step of their type. */
typedef struct vectors {
    double x[SVD_MAX_ROWS][SVD_MAX_ROWS], half_x[SVD_MAX_ROWS][SVD_MAX_ROWS];
} vectors;

/* norm is |A|, the reference's largest singular value. */
typedef struct values {
    int64_t rows, columns;
    double  s[SVD_MAX_ROWS], half_s[SVD_MAX_ROWS], norm;
} values;

static void read_values(values *v, const assay_evidence *e, int64_t m)
{
    v->rows    = e->shape->param[SVD_PARAM_ROWS];
    v->columns = e->shape->param[SVD_PARAM_COLUMNS];
    v->norm    = e->expected[SVD_BUF_S].value[m * v->columns];
    for (int64_t k = 0; k < v->columns; k++) {
        v->s[k]      = element(e, SVD_BUF_S, m * v->columns + k);
        v->half_s[k] = linalg_half_step(type_of(e), v->s[k]);
    }
}

static void read_vectors(vectors *v, const assay_evidence *e, int64_t m, int buffer, int64_t length)
{
    const int64_t columns = e->shape->param[SVD_PARAM_COLUMNS];

    for (int64_t k = 0; k < columns; k++)
        for (int64_t i = 0; i < length; i++) {
            v->x[k][i]      = element(e, buffer, (m * columns + k) * length + i);
            v->half_x[k][i] = linalg_half_step(type_of(e), v->x[k][i]);
        }
}

static double values_of(const assay_evidence *e, int64_t m)
{
    double worst = 0;
    values v;

    read_values(&v, e, m);
    for (int64_t k = 0; k < v.columns; k++)
        worst = linalg_worse(worst,
                             linalg_ratio(v.s[k] - e->expected[SVD_BUF_S].value[m * v.columns + k],
                                          v.half_s[k] + linalg_rotations(v.rows) * v.norm));
    return worst;
}

typedef struct decomposition {
    values  s;
    vectors u, v;
} decomposition;

/* For pair k: the length of A v - s u over what rounding u, v and s explains. */
static double ratio_of_pair(const decomposition *d, const assay_evidence *e, int64_t m, int64_t k)
{
    const double s = d->s.s[k], half_s = d->s.half_s[k];
    double       residuals = 0, roundings = 0;

    for (int64_t i = 0; i < d->s.rows; i++) {
        const double u = d->u.x[k][i], half_u = d->u.half_x[k][i];
        double       residual = -s * u, rounding = fabs(s) * half_u + half_s * (fabs(u) + half_u);

        for (int64_t j = 0; j < d->s.columns; j++) {
            const double a = assay_type_load(type_of(e), e->in[SVD_BUF_A],
                                             (m * d->s.columns + j) * d->s.rows + i);

            residual += a * d->v.x[k][j];
            rounding += fabs(a) * d->v.half_x[k][j];
        }
        residuals += residual * residual;
        roundings += rounding * rounding;
    }
    return linalg_ratio(sqrt(residuals), sqrt(roundings) + linalg_rotations(d->s.rows) * d->s.norm);
}

static double residual_of(const assay_evidence *e, int64_t m)
{
    double        worst = 0;
    decomposition d;

    read_values(&d.s, e, m);
    read_vectors(&d.u, e, m, SVD_BUF_U, d.s.rows);
    read_vectors(&d.v, e, m, SVD_BUF_V, d.s.columns);
    for (int64_t k = 0; k < d.s.columns; k++)
        worst = linalg_worse(worst, ratio_of_pair(&d, e, m, k));
    return worst;
}

static double orthogonality_of(const assay_evidence *e, int64_t m, int buffer, int64_t length)
{
    vectors v;

    read_vectors(&v, e, m, buffer, length);
    return linalg_orthogonality(e->shape->param[SVD_PARAM_COLUMNS], length, SVD_MAX_ROWS, v.x,
                                v.half_x, linalg_rotations(e->shape->param[SVD_PARAM_ROWS]));
}

static double orthogonality_of_u(const assay_evidence *e, int64_t m)
{
    return orthogonality_of(e, m, SVD_BUF_U, e->shape->param[SVD_PARAM_ROWS]);
}

static double orthogonality_of_v(const assay_evidence *e, int64_t m)
{
    return orthogonality_of(e, m, SVD_BUF_V, e->shape->param[SVD_PARAM_COLUMNS]);
}

assay_invariant_result svd_values(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[SVD_PARAM_BATCH], values_of);
}

assay_invariant_result svd_residual(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[SVD_PARAM_BATCH], residual_of);
}

assay_invariant_result svd_orthogonality_u(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[SVD_PARAM_BATCH], orthogonality_of_u);
}

assay_invariant_result svd_orthogonality_v(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[SVD_PARAM_BATCH], orthogonality_of_v);
}
