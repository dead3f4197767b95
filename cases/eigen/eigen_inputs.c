/* Symmetric matrices, made from random numbers from -1 to 1: with these on and below the diagonal,
 * or of kinds that break eigensolvers. */
#include "eigen_inputs.h"

#include "../linalg.h"

/* a[j] are columns; only what is on and below the diagonal counts. */
typedef struct matrix {
    assay_type type;
    int64_t    n;
    double     a[EIGEN_MAX_N][EIGEN_MAX_N];
} matrix;

/* ---- adversarial ---- */

static void fill(matrix *s, double diagonal, double other)
{
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[j][i] = i == j ? diagonal : other;
}

static void make_zero(matrix *s) { fill(s, 0, 0); }
static void make_identity(matrix *s) { fill(s, 1, 0); }

/* All eigenvalues but one are 0: rank one, and exactly so in every type. */
static void make_ones(matrix *s) { fill(s, 1, 1); }

/* Nothing to rotate, everything to sort. */
static void make_falling(matrix *s)
{
    fill(s, 0, 0);
    for (int64_t k = 0; k < s->n; k++)
        s->a[k][k] = (double)(s->n - k);
}

static void make_rank_one(matrix *s)
{
    double x[EIGEN_MAX_N];

    for (int64_t i = 0; i < s->n; i++)
        x[i] = s->a[0][i];
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[j][i] = x[i] * x[j];
}

/* 1 - 2 x x' / x'x: one eigenvalue is -1, all others are nearly 1, and no element is 0. */
static void make_reflection(matrix *s)
{
    double x[EIGEN_MAX_N], square = 0;

    for (int64_t i = 0; i < s->n; i++) {
        x[i] = s->a[0][i] + copysign(0.5, s->a[0][i]);
        square += x[i] * x[i];
    }
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[j][i] = (i == j) - 2 * x[i] * x[j] / square;
}

/* Wilkinson's matrix: pairs of eigenvalues that are the closer, the larger they are. */
static void make_pairs(matrix *s)
{
    fill(s, 0, 0);
    for (int64_t k = 0; k < s->n; k++) {
        s->a[k][k] = fabs((double)k - (double)(s->n - 1) / 2);
        if (k + 1 < s->n)
            s->a[k][k + 1] = 1;
    }
}

/* Decreases from row to row and from column to column, down to 2^-10 in all. */
static void make_graded(matrix *s)
{
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[j][i] *= exp2(-5 * (double)(i + j) / (double)s->n);
}

static void multiply(matrix *s, double factor)
{
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->n; i++)
            s->a[j][i] *= factor;
}

/* The squares of these are 0, or infinite, in single precision; in half precision too, if it has
 * such numbers. */
static void make_small(matrix *s) { multiply(s, s->type == ASSAY_F16 ? 0x1p-9 : 0x1p-80); }
static void make_large(matrix *s) { multiply(s, s->type == ASSAY_F16 ? 0x1p9 : 0x1p80); }

static void (*const kinds[])(matrix *s) = {
    make_zero,       make_identity, make_ones,   make_falling, make_rank_one,
    make_reflection, make_pairs,    make_graded, make_small,   make_large,
};

/* ---- all matrices ---- */

static int64_t place_of(const matrix *s, int64_t m, int64_t i, int64_t j)
{
    return (m * s->n + j) * s->n + i;
}

/* Scaled matrices occur only in small batches, as in qr. */
static void make_adversarial(const assay_prepare_args *args, matrix *s, int64_t m)
{
    void (*make)(matrix * s) = kinds[m % (int64_t)(sizeof kinds / sizeof *kinds)];

    if (args->param[EIGEN_PARAM_BATCH] <= EIGEN_SCALED_BATCH ||
        (make != make_small && make != make_large))
        make(s);
}

static void make_matrix(const assay_prepare_args *args, int64_t m)
{
    void *const a = args->in[EIGEN_BUF_A];
    matrix      s = { .type = (assay_type)args->param[EIGEN_PARAM_TYPE],
                      .n    = args->param[EIGEN_PARAM_N] };

    for (int64_t j = 0; j < s.n; j++)
        for (int64_t i = 0; i < s.n; i++)
            s.a[j][i] = assay_type_load(s.type, a, place_of(&s, m, i, j));
    if (args->param[EIGEN_PARAM_INPUT] == ASSAY_INPUT_ADVERSARIAL)
        make_adversarial(args, &s, m);
    for (int64_t j = 0; j < s.n; j++)
        for (int64_t i = j; i < s.n; i++) {
            assay_type_store(s.type, a, place_of(&s, m, i, j), s.a[j][i]);
            assay_type_store(s.type, a, place_of(&s, m, j, i), s.a[j][i]);
        }
}

void eigen_prepare(const assay_prepare_args *args)
{
    linalg_make_all(args, args->param[EIGEN_PARAM_BATCH], make_matrix);
}
