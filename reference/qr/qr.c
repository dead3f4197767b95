/* Q and R of A = Q R, matrix by matrix, in double: Gram-Schmidt, where each column is made
 * orthogonal twice to those before it, which is enough. */
#include "../../kernels/qr/qr_case.h"
#include "kernel.h"

#include <math.h>
#include <string.h>

assay_reference_fn qr_reference;

enum {
    CHUNKS = 64
};

/* q[j] and r[j] are columns. */
typedef struct factors {
    int64_t rows, columns;
    double  q[QR_MAX_ROWS][QR_MAX_ROWS], r[QR_MAX_ROWS][QR_MAX_ROWS];
} factors;

static double product(const double *a, const double *b, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double length_of(const factors *f, int64_t j)
{
    return sqrt(product(f->q[j], f->q[j], f->rows));
}

/* Removes from column j its parts along the columns before it; returns the length that is left. */
static double make_orthogonal(factors *f, int64_t j)
{
    double before, length = length_of(f, j);

    do {
        before = length;
        for (int64_t k = 0; k < j; k++) {
            const double along = product(f->q[k], f->q[j], f->rows);

            for (int64_t i = 0; i < f->rows; i++)
                f->q[j][i] -= along * f->q[k][i];
            f->r[j][k] += along;
        }
        length = length_of(f, j);
    } while (length < before / 2 && length > 0x1p-1000);
    return length;
}

/* Nothing is left of a column that depends on those before it: any direction orthogonal to them
 * serves, times 0. */
static double take_any_direction(factors *f, int64_t j)
{
    double length = 0, r[QR_MAX_ROWS];

    memcpy(r, f->r[j], sizeof r);
    for (int64_t e = 0; e < f->rows && !(length > 0.5 / sqrt((double)f->rows)); e++) {
        for (int64_t i = 0; i < f->rows; i++)
            f->q[j][i] = i == e;
        length = make_orthogonal(f, j);
    }
    memcpy(f->r[j], r, sizeof r);
    return length;
}

static void make_column(factors *f, int64_t j)
{
    const double before = length_of(f, j);
    double       length = make_orthogonal(f, j);

    f->r[j][j] = length;
    if (!(length > 0x1p-48 * before)) {
        f->r[j][j] = 0;
        length     = take_any_direction(f, j);
    }
    for (int64_t i = 0; i < f->rows; i++)
        f->q[j][i] /= length;
}

static void factor_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args = context;
    const assay_type            type = (assay_type)args->param[QR_PARAM_TYPE];
    factors f = { .rows = args->param[QR_PARAM_ROWS], .columns = args->param[QR_PARAM_COLUMNS] };

    (void)chunk;
    for (int64_t m = begin; m < end; m++) {
        double  *q   = args->expect[QR_BUF_Q].value + m * f.columns * f.rows;
        uint8_t *law = args->expect[QR_BUF_Q].law + m * f.columns * f.rows;
        double  *r   = args->expect[QR_BUF_R].value + m * f.columns * f.columns;

        for (int64_t j = 0; j < f.columns; j++) {
            for (int64_t k = 0; k < f.columns; k++)
                f.r[j][k] = 0;
            for (int64_t i = 0; i < f.rows; i++)
                f.q[j][i] =
                    assay_type_load(type, args->in[QR_BUF_A], (m * f.columns + j) * f.rows + i);
            make_column(&f, j);
            for (int64_t i = 0; i < f.rows; i++) {
                q[j * f.rows + i] = f.q[j][i];
                /* any direction would do: the judge checks the other conditions */
                law[j * f.rows + i] = f.r[j][j] != 0 ? ASSAY_COMPARE : ASSAY_EXEMPT;
            }
            for (int64_t k = 0; k < f.columns; k++)
                r[j * f.columns + k] = f.r[j][k];
        }
    }
}

void qr_reference(const assay_reference_args *args)
{
    const int64_t batch = args->param[QR_PARAM_BATCH];

    args->parallel_for(batch, batch / CHUNKS + 1, factor_chunk, (void *)(uintptr_t)args);
}
