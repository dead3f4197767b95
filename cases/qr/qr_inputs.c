/* Matrices to be factored, made from random numbers from -1 to 1: as they are, or of kinds that
 * break factorizations. */
#include "qr_inputs.h"

#include "../linalg.h"

/* a[j] are columns. */
typedef struct matrix {
    assay_type type;
    int64_t    rows, columns;
    double     a[QR_MAX_ROWS][QR_MAX_ROWS];
} matrix;

/* ---- adversarial ---- */

/* Columns that hardly differ from each other. */
static void make_hilbert(matrix *s)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = 1 / (double)(i + j + 1);
}

/* Except for rounding errors, the length of the column that a step works on is its first number. */
static void make_near_triangle(matrix *s)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] = i == j ? 1 + fabs(s->a[j][i]) : i > j ? s->a[j][i] * 0x1p-11 : s->a[j][i];
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
            s->a[j][i] = i == 0 ? 1 : i == j + 1 ? 0x1p-14 : 0;
}

/* Decreases from column to column, down to 2^-10. */
static void make_graded(matrix *s)
{
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            s->a[j][i] *= exp2(-10 * (double)j / (double)s->columns);
}

static void (*const kinds[])(matrix *s) = {
    make_hilbert,       make_near_triangle, make_small,    make_large,
    make_equal_columns, make_zero_column,   make_laeuchli, make_graded,
};

/* ---- all matrices ---- */

/* Scaled matrices occur only in small batches: the library's method does not scale, and is
 * timed. */
static void make_matrix(const assay_prepare_args *args, int64_t m)
{
    void (*make)(matrix * s);
    matrix s;

    s.type    = (assay_type)args->param[QR_PARAM_TYPE];
    s.rows    = args->param[QR_PARAM_ROWS];
    s.columns = args->param[QR_PARAM_COLUMNS];
    for (int64_t j = 0; j < s.columns; j++)
        for (int64_t i = 0; i < s.rows; i++)
            s.a[j][i] =
                assay_type_load(s.type, args->in[QR_BUF_A], (m * s.columns + j) * s.rows + i);
    make = kinds[m % (int64_t)(sizeof kinds / sizeof *kinds)];
    if (args->param[QR_PARAM_BATCH] <= QR_SCALED_BATCH ||
        (make != make_small && make != make_large))
        make(&s);
    for (int64_t j = 0; j < s.columns; j++)
        for (int64_t i = 0; i < s.rows; i++)
            assay_type_store(s.type, args->in[QR_BUF_A], (m * s.columns + j) * s.rows + i,
                             s.a[j][i]);
}

void qr_prepare(const assay_prepare_args *args)
{
    if (args->param[QR_PARAM_INPUT] == ASSAY_INPUT_ADVERSARIAL)
        linalg_make_all(args, args->param[QR_PARAM_BATCH], make_matrix);
}
