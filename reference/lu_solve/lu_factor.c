/* Gaussian elimination with partial pivoting in double. */
#include "lu_factor.h"

#include <math.h>

/* Pivots of singular matrices compared with those of single precision: what is left of a zero in
 * double, in units of the threshold, and how far above the threshold single precision must agree.
 * Between the two lie seven powers of ten. */
static const double ZERO = 0x1p-22, SURE = 16;

static double read_matrix(lu_factors *f, assay_type type, const void *a, int64_t m)
{
    const int64_t n       = f->n;
    double        largest = 0;

    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            f->lu[i][j] = assay_type_load(type, a, (m * n + j) * n + i);
            largest     = fmax(largest, fabs(f->lu[i][j]));
        }
    for (int64_t i = 0; i < n; i++)
        f->row[i] = i;
    return largest;
}

static int64_t find_pivot(const lu_factors *f, int64_t k)
{
    int64_t at = k;

    for (int64_t i = k + 1; i < f->n; i++)
        if (fabs(f->lu[i][k]) > fabs(f->lu[at][k]))
            at = i;
    return at;
}

static void exchange_rows(lu_factors *f, int64_t k, int64_t at)
{
    const int64_t row = f->row[k];

    for (int64_t j = 0; j < f->n; j++) {
        const double value = f->lu[k][j];

        f->lu[k][j]  = f->lu[at][j];
        f->lu[at][j] = value;
    }
    f->row[k]  = f->row[at];
    f->row[at] = row;
}

/* Below a pivot of 0 everything is 0. */
static void eliminate(lu_factors *f, int64_t k)
{
    for (int64_t i = k + 1; i < f->n && f->lu[k][k] != 0; i++) {
        const double factor = f->lu[i][k] /= f->lu[k][k];

        for (int64_t j = k + 1; j < f->n; j++)
            f->lu[i][j] -= factor * f->lu[k][j];
    }
}

static void see_pivot(lu_factors *f, int64_t k, double threshold)
{
    const double pivot = fabs(f->lu[k][k]);

    if (f->kind != LU_SOLVABLE || pivot > SURE * threshold)
        return;
    f->kind  = pivot > ZERO * threshold ? LU_EITHER : LU_SINGULAR;
    f->first = k + 1;
}

void lu_factor(lu_factors *f, assay_type type, const void *a, int64_t n, int64_t m)
{
    f->kind                = LU_SOLVABLE;
    f->n                   = n;
    f->first               = 0;
    const double threshold = LU_THRESHOLD * (double)n * 0x1p-24 * read_matrix(f, type, a, m);

    for (int64_t k = 0; k < n && f->kind != LU_SINGULAR; k++) {
        exchange_rows(f, k, find_pivot(f, k));
        see_pivot(f, k, threshold);
        eliminate(f, k);
    }
}

void lu_factors_solve(const lu_factors *f, double *b)
{
    double y[LU_MAX_N];

    for (int64_t i = 0; i < f->n; i++) {
        y[i] = b[f->row[i]];
        for (int64_t j = 0; j < i; j++)
            y[i] -= f->lu[i][j] * y[j];
    }
    for (int64_t i = f->n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < f->n; j++)
            y[i] -= f->lu[i][j] * b[j];
        b[i] = y[i] / f->lu[i][i];
    }
}

void lu_factors_sums(const lu_factors *f, const double *x, double *sums)
{
    double upper[LU_MAX_N];

    for (int64_t i = 0; i < f->n; i++) {
        upper[i] = 0;
        for (int64_t j = i; j < f->n; j++)
            upper[i] += fabs(f->lu[i][j] * x[j]);
        sums[f->row[i]] = upper[i];
        for (int64_t j = 0; j < i; j++)
            sums[f->row[i]] += fabs(f->lu[i][j]) * upper[j];
    }
}
