/* The judges of qr: factors are judged by the A = Q R that they give back and by orthogonality, so
 * that signs are free. */
#include "qr_judge.h"

#include "../../kernels/qr/qr_case.h"
#include "../linalg.h"

static assay_type type_of(const assay_evidence *e)
{
    return (assay_type)e->shape->param[QR_PARAM_TYPE];
}

static double element(const assay_evidence *e, int buffer, int64_t i)
{
    return assay_type_load(type_of(e), e->out[buffer], i);
}

/* ---- form ---- */

enum {
    RIGHT,
    INFINITE,
    NOT_ZERO
};

static const linalg_finding findings[] = {
    [INFINITE] = { ASSAY_NOT_FINITE, "Q or R is not finite" },
    [NOT_ZERO] = { ASSAY_WRONG_VALUE, "below the diagonal R is not 0" },
};

static int judge_matrix(const assay_evidence *e, int64_t m)
{
    const int64_t rows    = e->shape->param[QR_PARAM_ROWS],
                  columns = e->shape->param[QR_PARAM_COLUMNS];

    for (int64_t i = 0; i < rows * columns; i++)
        if (!isfinite(element(e, QR_BUF_Q, m * rows * columns + i)))
            return INFINITE;
    for (int64_t i = 0; i < columns * columns; i++) {
        const double r = element(e, QR_BUF_R, m * columns * columns + i);

        if (!isfinite(r))
            return INFINITE;
        if (i % columns > i / columns && r != 0)
            return NOT_ZERO;
    }
    return RIGHT;
}

assay_verdict qr_compare(const assay_evidence *e, char *reason, size_t size)
{
    return linalg_judge_all(e, e->shape->param[QR_PARAM_BATCH], judge_matrix, findings, reason,
                            size);
}

/* ---- residuals ---- */

/* q[j] and r[j] are columns; half_... is half a step of their type. */
typedef struct factors {
    int64_t rows, columns;
    double  q[QR_MAX_ROWS][QR_MAX_ROWS], half_q[QR_MAX_ROWS][QR_MAX_ROWS];
    double  r[QR_MAX_ROWS][QR_MAX_ROWS], half_r[QR_MAX_ROWS][QR_MAX_ROWS];
} factors;

static void read_factors(factors *f, const assay_evidence *e, int64_t m)
{
    f->rows    = e->shape->param[QR_PARAM_ROWS];
    f->columns = e->shape->param[QR_PARAM_COLUMNS];
    for (int64_t j = 0; j < f->columns; j++) {
        for (int64_t i = 0; i < f->rows; i++) {
            f->q[j][i]      = element(e, QR_BUF_Q, (m * f->columns + j) * f->rows + i);
            f->half_q[j][i] = linalg_half_step(type_of(e), f->q[j][i]);
        }
        for (int64_t k = 0; k <= j; k++) {
            f->r[j][k]      = element(e, QR_BUF_R, (m * f->columns + j) * f->columns + k);
            f->half_r[j][k] = linalg_half_step(type_of(e), f->r[j][k]);
        }
    }
}

/* A reflection rounds a vector by at most (sqrt(rows) + 3) u of its length: the independent
 * roundings of a product with that many terms, and of what is done with it. There are as many
 * reflections as columns; they are independent too. */
static double roundings_of(const factors *f)
{
    return 4 * sqrt((double)f->columns) * (sqrt((double)f->rows) + 3) * ASSAY_U32_ROUNDOFF;
}

/* For column j: the length of the residual over what the column's length and the rounding of Q and
 * R explain. */
static double ratio_of_column(const factors *f, const assay_evidence *e, int64_t m, int64_t j)
{
    double residuals = 0, lengths = 0, roundings = 0;

    for (int64_t i = 0; i < f->rows; i++) {
        const double a =
            assay_type_load(type_of(e), e->in[QR_BUF_A], (m * f->columns + j) * f->rows + i);
        double residual = a, rounding = 0;

        for (int64_t k = 0; k <= j; k++) {
            residual -= f->q[k][i] * f->r[j][k];
            rounding += f->half_q[k][i] * fabs(f->r[j][k]) +
                        f->half_r[j][k] * (fabs(f->q[k][i]) + f->half_q[k][i]);
        }
        residuals += residual * residual;
        lengths += a * a;
        roundings += rounding * rounding;
    }
    return linalg_ratio(sqrt(residuals), sqrt(roundings) + roundings_of(f) * sqrt(lengths));
}

static double residual_of(const assay_evidence *e, int64_t m)
{
    double  worst = 0;
    factors f;

    read_factors(&f, e, m);
    for (int64_t j = 0; j < f.columns; j++)
        worst = linalg_worse(worst, ratio_of_column(&f, e, m, j));
    return worst;
}

static double orthogonality_of(const assay_evidence *e, int64_t m)
{
    factors f;

    read_factors(&f, e, m);
    return linalg_orthogonality(f.columns, f.rows, QR_MAX_ROWS, f.q, f.half_q, roundings_of(&f));
}

assay_invariant_result qr_residual(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[QR_PARAM_BATCH], residual_of);
}

assay_invariant_result qr_orthogonality(const assay_evidence *e)
{
    return linalg_worst_of_all(e, e->shape->param[QR_PARAM_BATCH], orthogonality_of);
}
