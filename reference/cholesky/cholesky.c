/* L of A = L L', matrix by matrix, in double; or NaN, and the column whose pivot is not above 0. */
#include "../../kernels/cholesky/cholesky_case.h"
#include "kernel.h"

#include <math.h>

assay_reference_fn cholesky_reference;

enum {
    CHUNKS = 64
};

/* A pivot is a diagonal element minus squares whose sum is about that element. In single precision
 * it may be off by n roundings of the largest of these, and by their earlier errors. */
static const double SURE = 64;

typedef struct triangle {
    int64_t n, info;
    bool    is_open; /* a pivot so near 0 that single precision may put it on either side */
    double  l[CHOLESKY_MAX_N][CHOLESKY_MAX_N];
} triangle;

/* Row k of L, from the rows before it. */
static double pivot_of(triangle *t, int64_t k)
{
    double pivot = t->l[k][k];

    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < j; i++)
            t->l[k][j] -= t->l[k][i] * t->l[j][i];
        t->l[k][j] /= t->l[j][j];
        pivot -= t->l[k][j] * t->l[k][j];
    }
    return pivot;
}

static double read_matrix(triangle *t, assay_type type, const void *a, int64_t m)
{
    const int64_t n       = t->n;
    double        largest = 0;

    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            t->l[i][j] = j <= i ? assay_type_load(type, a, (m * n + j) * n + i) : 0;
        largest = fmax(largest, fabs(t->l[i][i]));
    }
    return largest;
}

static void factor(triangle *t, assay_type type, const void *a, int64_t m)
{
    const double near_zero = SURE * (double)t->n * 0x1p-24 * read_matrix(t, type, a, m);

    t->info    = 0;
    t->is_open = false;
    for (int64_t k = 0; k < t->n && t->info == 0; k++) {
        const double pivot = pivot_of(t, k);

        t->is_open = !(fabs(pivot) > near_zero);
        t->info    = t->is_open || !(pivot > 0) ? k + 1 : 0;
        t->l[k][k] = sqrt(pivot);
    }
}

static void factor_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args = context;
    assay_expected *l = &args->expect[CHOLESKY_BUF_L], *info = &args->expect[CHOLESKY_BUF_INFO];
    triangle        t;

    (void)chunk;
    t.n = args->param[CHOLESKY_PARAM_N];
    for (int64_t m = begin; m < end; m++) {
        factor(&t, (assay_type)args->param[CHOLESKY_PARAM_TYPE], args->in[CHOLESKY_BUF_A], m);
        info->integer[m] = t.info;
        info->law[m]     = t.is_open ? ASSAY_EXEMPT : ASSAY_COMPARE;
        for (int64_t j = 0; j < t.n; j++)
            for (int64_t i = 0; i < t.n; i++) {
                l->value[(m * t.n + j) * t.n + i] = t.l[i][j];
                l->law[(m * t.n + j) * t.n + i]   = t.info == 0 ? ASSAY_COMPARE : ASSAY_MUST_BE_NAN;
            }
    }
}

void cholesky_reference(const assay_reference_args *args)
{
    const int64_t batch = args->param[CHOLESKY_PARAM_BATCH];

    args->parallel_for(batch, batch / CHUNKS + 1, factor_chunk, (void *)(uintptr_t)args);
}
