/* Matrices to be decomposed, made from random numbers from -1 to 1: as they are, or of kinds in
 * which small singular values, or the vectors of zero ones, get lost. */
#include "svd_inputs.h"

#include "../linalg.h"

/* a[j] are columns. */
typedef struct matrix {
    assay_type type;
    int64_t    rows, columns;
    double     a[SVD_MAX_ROWS][SVD_MAX_ROWS];
} matrix;

/* ---- adversarial ---- */

static void fill(matrix *s, double diagonal, double other)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = i == j ? diagonal : other;
}

static void make_zero(matrix *s) { fill(s, 0, 0); }
static void make_identity(matrix *s) { fill(s, 1, 0); }

/* All singular values but one are 0: rank one, and exactly so in every type. */
static void make_ones(matrix *s) { fill(s, 1, 1); }

static void make_rank_one(matrix *s)
{
    double x[SVD_MAX_ROWS], y[SVD_MAX_ROWS];

    for (int64_t i = 0; i < s->rows; i++)
        x[i] = s->a[0][i];
    for (int64_t j = 0; j < s->columns; j++)
        y[j] = s->a[j][s->rows - 1];
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = x[i] * y[j];
}

/* Columns of 1 - 2 x x' / x'x, which are orthonormal except for rounding errors: all singular
 * values are nearly 1. */
static void make_reflection(matrix *s)
{
    double x[SVD_MAX_ROWS], square = 0;

    for (int64_t i = 0; i < s->rows; i++) {
        x[i] = s->a[0][i] + copysign(0.5, s->a[0][i]);
        square += x[i] * x[i];
    }
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = (i == j) - 2 * x[i] * x[j] / square;
}

static void make_equal_columns(matrix *s)
{
    for (int64_t i = 0; i < s->rows; i++)
        s->a[s->columns - 1][i] = s->a[0][i];
}

static void make_zero_column(matrix *s)
{
    for (int64_t i = 0; i < s->rows; i++)
        s->a[s->columns / 2][i] = 0;
}

/* Laeuchli's matrix: the squares of the numbers that make columns independent are lost beside 1. */
static void make_laeuchli(matrix *s)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = i == 0 ? 1 : i == j + 1 ? 0x1p-13 : 0;
}

/* Decreases from column to column, down to 2^-10. */
static void make_graded(matrix *s)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] *= exp2(-10 * (double)j / (double)s->columns);
}

static void multiply(matrix *s, double factor)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] *= factor;
}

/* The squares of these are 0, or infinite, in single precision; in half precision too, if it has
 * such numbers. */
static void make_small(matrix *s) { multiply(s, s->type == ASSAY_F16 ? 0x1p-9 : 0x1p-80); }
static void make_large(matrix *s) { multiply(s, s->type == ASSAY_F16 ? 0x1p9 : 0x1p80); }

static void (*const kinds[])(matrix *s) = {
    make_zero,       make_identity,      make_ones,        make_rank_one,
    make_reflection, make_equal_columns, make_zero_column, make_laeuchli,
    make_graded,     make_small,         make_large,
};

/* ---- all matrices ---- */

/* Scaled matrices occur only in small batches, as in qr. */
static void make_matrix(const assay_prepare_args *args, int64_t m)
{
    void *const a            = args->in[SVD_BUF_A];
    void (*make)(matrix * s) = kinds[m % (int64_t)(sizeof kinds / sizeof *kinds)];
    matrix s                 = { .type    = (assay_type)args->param[SVD_PARAM_TYPE],
                                 .rows    = args->param[SVD_PARAM_ROWS],
                                 .columns = args->param[SVD_PARAM_COLUMNS] };

    for (int64_t j = 0; j < s.columns; j++)
        for (int64_t i = 0; i < s.rows; i++)
            s.a[j][i] = assay_type_load(s.type, a, (m * s.columns + j) * s.rows + i);
    if (args->param[SVD_PARAM_BATCH] <= SVD_SCALED_BATCH ||
        (make != make_small && make != make_large))
        make(&s);
    for (int64_t j = 0; j < s.columns; j++)
        for (int64_t i = 0; i < s.rows; i++)
            assay_type_store(s.type, a, (m * s.columns + j) * s.rows + i, s.a[j][i]);
}

void svd_prepare(const assay_prepare_args *args)
{
    if (args->param[SVD_PARAM_INPUT] == ASSAY_INPUT_ADVERSARIAL)
        linalg_make_all(args, args->param[SVD_PARAM_BATCH], make_matrix);
}
