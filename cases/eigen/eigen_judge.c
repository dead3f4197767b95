/* The judges of eigen. Eigenvalues are compared with those of the reference. Vectors are judged by
 * what must hold for all of them, so that signs are free, and so are vectors of equal
 * eigenvalues. */
#include "eigen_judge.h"

#include "../../kernels/eigen/eigen_case.h"
#include "../linalg.h"

static assay_type type_of(const assay_evidence *e)
{
    return (assay_type)e->shape->param[EIGEN_PARAM_TYPE];
}

static double element(const assay_evidence *e, int buffer, int64_t i)
{
    return assay_type_load(type_of(e), e->out[buffer], i);
}

/* ---- form ---- */

enum {
    RIGHT,
    INFINITE,
    UNSORTED
};

static const linalg_finding findings[] = {
    [INFINITE] = { ASSAY_NOT_FINITE, "w or V is not finite" },
    [UNSORTED] = { ASSAY_WRONG_VALUE, "w is not ascending" },
};

static int judge_matrix(const assay_evidence *e, int64_t m)
{
    const int64_t n = e->shape->param[EIGEN_PARAM_N];

    for (int64_t i = 0; i < n * n; i++)
        if (!isfinite(element(e, EIGEN_BUF_V, m * n * n + i)))
            return INFINITE;
    for (int64_t k = 0; k < n; k++) {
        if (!isfinite(element(e, EIGEN_BUF_W, m * n + k)))
            return INFINITE;
        if (k > 0 && element(e, EIGEN_BUF_W, m * n + k) < element(e, EIGEN_BUF_W, m * n + k - 1))
            return UNSORTED;
    }
    return RIGHT;
}

assay_verdict eigen_compare(const assay_evidence *e, char *reason, size_t size)
{
    return linalg_judge_all(e, e->shape->param[EIGEN_PARAM_BATCH], judge_matrix, findings, reason,
                            size);
}

/* ---- what is measured ---- */

/* v[k] are columns; half_... is half a step of their type; norm is |A|, the reference's largest
 * |w|. */
typedef struct solution {
    int64_t n;
    double  w[EIGEN_MAX_N], half_w[EIGEN_MAX_N], norm;
    double  v[EIGEN_MAX_N][EIGEN_MAX_N], half_v[EIGEN_MAX_N][EIGEN_MAX_N];
} solution;

static void read_values(solution *s, const assay_evidence *e, int64_t m)
{
    s->n    = e->shape->param[EIGEN_PARAM_N];
    s->norm = 0;
    for (int64_t k = 0; k < s->n; k++) {
        s->w[k]      = element(e, EIGEN_BUF_W, m * s->n + k);
        s->half_w[k] = linalg_half_step(type_of(e), s->w[k]);
        s->norm      = fmax(s->norm, fabs(e->expected[EIGEN_BUF_W].value[m * s->n + k]));
    }
}

static void read_vectors(solution *s, const assay_evidence *e, int64_t m)
{
    for (int64_t k = 0; k < s->n; k++)
        for (int64_t i = 0; i < s->n; i++) {
            s->v[k][i]      = element(e, EIGEN_BUF_V, (m * s->n + k) * s->n + i);
            s->half_v[k][i] = linalg_half_step(type_of(e), s->v[k][i]);
        }
}

static double values_of(const assay_evidence *e, int64_t m)
{
    double   worst = 0;
    solution s;

    read_values(&s, e, m);
    for (int64_t k = 0; k < s.n; k++)
        worst =
            linalg_worse(worst, linalg_ratio(s.w[k] - e->expected[EIGEN_BUF_W].value[m * s.n + k],
                                             s.half_w[k] + linalg_rotations(s.n) * s.norm));
    return worst;
}

/* For vector k: the length of A v - w v over what rounding v and w explains. */
static double ratio_of_vector(const solution *s, const assay_evidence *e, int64_t m, int64_t k)
{
    double residuals = 0, roundings = 0;

    for (int64_t i = 0; i < s->n; i++) {
        double residual = -s->w[k] * s->v[k][i];
        double rounding =
            fabs(s->w[k]) * s->half_v[k][i] + s->half_w[k] * (fabs(s->v[k][i]) + s->half_v[k][i]);

        for (int64_t j = 0; j < s->n; j++) {
            const double a =
                assay_type_load(type_of(e), e->in[EIGEN_BUF_A], (m * s->n + j) * s->n + i);

            residual += a * s->v[k][j];
            rounding += fabs(a) * s->half_v[k][j];
        }
        residuals += residual * residual;
        roundings += rounding * rounding;
    }
    return linalg_ratio(sqrt(residuals), sqrt(roundings) + linalg_rotations(s->n) * s->norm);
}

static double residual_of(const assay_evidence *e, int64_t m)
{
    double   worst = 0;
    solution s;

    read_values(&s, e, m);
    read_vectors(&s, e, m);
    for (int64_t k = 0; k < s.n; k++)
        worst = linalg_worse(worst, ratio_of_vector(&s, e, m, k));
    return worst;
}

static double orthogonality_of(const assay_evidence *e, int64_t m)
{
    solution s;

    read_values(&s, e, m);
    read_vectors(&s, e, m);
    return linalg_orthogonality(s.n, s.n, EIGEN_MAX_N, s.v, s.half_v, linalg_rotations(s.n));
}

assay_invariant_result eigen_values(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[EIGEN_PARAM_BATCH], values_of);
}

assay_invariant_result eigen_residual(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[EIGEN_PARAM_BATCH], residual_of);
}

assay_invariant_result eigen_orthogonality(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[EIGEN_PARAM_BATCH], orthogonality_of);
}
