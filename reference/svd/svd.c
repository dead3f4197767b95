/* Singular values and vectors in double: columns of A are rotated, pair by pair, until all are
 * orthogonal (Hestenes), which never forms A'A. */
#include "../../kernels/svd/svd_case.h"
#include "kernel.h"

#include <math.h>

assay_reference_fn svd_reference;

enum {
    CHUNKS      = 64,
    MOST_SWEEPS = 64
};

/* u[j] and v[j] are columns: u begins as A and becomes A V. */
typedef struct work {
    int64_t rows, columns;
    double  u[SVD_MAX_ROWS][SVD_MAX_ROWS], v[SVD_MAX_ROWS][SVD_MAX_ROWS], s[SVD_MAX_ROWS];
    double  zero; /* the length of a column that counts as 0 */
} work;

static double product(const double *x, const double *y, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void rotate(double *x, double *y, int64_t n, double c, double s)
{
    for (int64_t i = 0; i < n; i++) {
        const double old = x[i];

        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/* Returns whether there was something to rotate. */
static bool make_orthogonal(work *w, int64_t p, int64_t q)
{
    const double pp = product(w->u[p], w->u[p], w->rows);
    const double qq = product(w->u[q], w->u[q], w->rows);
    const double pq = product(w->u[p], w->u[q], w->rows);

    if (sqrt(pp) <= w->zero || sqrt(qq) <= w->zero || fabs(pq) <= 0x1p-48 * sqrt(pp) * sqrt(qq))
        return false;

    const double cotangent = (qq - pp) / (2 * pq);
    const double t         = copysign(1, cotangent) / (fabs(cotangent) + hypot(1, cotangent));
    const double c         = 1 / hypot(1, t);

    rotate(w->u[p], w->u[q], w->rows, c, t * c);
    rotate(w->v[p], w->v[q], w->columns, c, t * c);
    return true;
}

static void make_all_orthogonal(work *w)
{
    bool has_rotated = true;

    for (int sweep = 0; sweep < MOST_SWEEPS && has_rotated; sweep++) {
        has_rotated = false;
        for (int64_t p = 0; p < w->columns; p++)
            for (int64_t q = p + 1; q < w->columns; q++)
                has_rotated |= make_orthogonal(w, p, q);
    }
    for (int64_t j = 0; j < w->columns; j++)
        w->s[j] = sqrt(product(w->u[j], w->u[j], w->rows));
}

/* Removes from x, twice, its parts along the vectors that are there; returns the length that is
 * left. */
static double leave(const work *w, const bool *is_there, double *x)
{
    for (int64_t k = 0; k < 2 * w->columns; k++) {
        const double *u = w->u[k % w->columns];

        if (!is_there[k % w->columns])
            continue;
        const double along = product(u, x, w->rows);

        for (int64_t i = 0; i < w->rows; i++)
            x[i] -= along * u[i];
    }
    return sqrt(product(x, x, w->rows));
}

/* Nothing is left of a column: any direction orthogonal to the others serves. Of some unit vector
 * at least 1 / sqrt(rows) is left. */
static double take_any_direction(work *w, const bool *is_there, int64_t j)
{
    double length = 0;

    for (int64_t e = 0; e < w->rows && !(length > 0.5 / sqrt((double)w->rows)); e++) {
        for (int64_t i = 0; i < w->rows; i++)
            w->u[j][i] = i == e;
        length = leave(w, is_there, w->u[j]);
    }
    return length;
}

static void normalize(work *w)
{
    bool is_there[SVD_MAX_ROWS];

    for (int64_t j = 0; j < w->columns; j++) {
        is_there[j] = w->s[j] > w->zero;
        for (int64_t i = 0; i < w->rows && is_there[j]; i++)
            w->u[j][i] /= w->s[j];
    }
    for (int64_t j = 0; j < w->columns; j++) {
        if (is_there[j])
            continue;
        const double length = take_any_direction(w, is_there, j);

        for (int64_t i = 0; i < w->rows; i++)
            w->u[j][i] /= length;
        w->s[j]     = 0;
        is_there[j] = true;
    }
}

static void sort(const work *w, int64_t *order)
{
    for (int64_t k = 0; k < w->columns; k++) {
        int64_t place = k;

        for (; place > 0 && w->s[order[place - 1]] < w->s[k]; place--)
            order[place] = order[place - 1];
        order[place] = k;
    }
}

static void give_vector(const assay_expected *to, int64_t place, const double *x, int64_t n,
                        bool is_free)
{
    for (int64_t i = 0; i < n; i++) {
        to->value[place * n + i] = x[i];
        to->law[place * n + i]   = is_free ? ASSAY_EXEMPT : ASSAY_COMPARE;
    }
}

/* A vector is only determined if its value is apart from the others: vectors whose values single
 * precision cannot tell apart are exempt, and so is u where s is 0. The judge checks what must hold
 * for all of them. */
static void give(const work *w, const assay_reference_args *args, int64_t m)
{
    int64_t order[SVD_MAX_ROWS];

    sort(w, order);
    const double close = 0x1p-16 * w->s[order[0]];

    for (int64_t k = 0; k < w->columns; k++) {
        const double s       = w->s[order[k]];
        const bool   is_free = (k > 0 && w->s[order[k - 1]] - s <= close) ||
                             (k + 1 < w->columns && s - w->s[order[k + 1]] <= close);

        args->expect[SVD_BUF_S].value[m * w->columns + k] = s;
        give_vector(&args->expect[SVD_BUF_U], m * w->columns + k, w->u[order[k]], w->rows,
                    is_free || s <= close);
        give_vector(&args->expect[SVD_BUF_V], m * w->columns + k, w->v[order[k]], w->columns,
                    is_free);
    }
}

static void read(work *w, const assay_reference_args *args, int64_t m)
{
    const assay_type type    = (assay_type)args->param[SVD_PARAM_TYPE];
    double           largest = 0;

    for (int64_t j = 0; j < w->columns; j++) {
        for (int64_t i = 0; i < w->rows; i++) {
            w->u[j][i] =
                assay_type_load(type, args->in[SVD_BUF_A], (m * w->columns + j) * w->rows + i);
            largest = fmax(largest, fabs(w->u[j][i]));
        }
        for (int64_t i = 0; i < w->columns; i++)
            w->v[j][i] = i == j;
    }
    w->zero = 0x1p-46 * largest;
}

static void decompose_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args = context;
    work w = { .rows = args->param[SVD_PARAM_ROWS], .columns = args->param[SVD_PARAM_COLUMNS] };

    (void)chunk;
    for (int64_t m = begin; m < end; m++) {
        read(&w, args, m);
        make_all_orthogonal(&w);
        normalize(&w);
        give(&w, args, m);
    }
}

void svd_reference(const assay_reference_args *args)
{
    const int64_t batch = args->param[SVD_PARAM_BATCH];

    args->parallel_for(batch, batch / CHUNKS + 1, decompose_chunk, (void *)(uintptr_t)args);
}
