/* Eigenvalues and eigenvectors of symmetric matrices in double: Jacobi's rotations, one after the
 * other, until no off-diagonal element is above 2^-56 of the largest element. */
#include "../../kernels/eigen/eigen_case.h"
#include "kernel.h"

#include <math.h>

assay_reference_fn eigen_reference;

enum {
    CHUNKS      = 64,
    MOST_SWEEPS = 64
};

/* a[j] and v[j] are columns. */
typedef struct work {
    int64_t n;
    double  a[EIGEN_MAX_N][EIGEN_MAX_N], v[EIGEN_MAX_N][EIGEN_MAX_N];
} work;

static double largest_of(const work *w)
{
    double largest = 0;

    for (int64_t j = 0; j < w->n; j++)
        for (int64_t i = 0; i < w->n; i++)
            largest = fmax(largest, fabs(w->a[j][i]));
    return largest;
}

/* Rotates the plane (x, y) by an angle with cosine c and sine s. */
static void rotate(double *x, double *y, double c, double s)
{
    const double old = *x;

    *x = c * old - s * *y;
    *y = s * old + c * *y;
}

/* Makes a[q][p] 0, by the smaller of the two angles that do so. */
static void annihilate(work *w, int64_t p, int64_t q)
{
    const double cotangent = (w->a[q][q] - w->a[p][p]) / (2 * w->a[q][p]);
    const double t         = copysign(1, cotangent) / (fabs(cotangent) + hypot(1, cotangent));
    const double c = 1 / hypot(1, t), s = t * c;

    for (int64_t i = 0; i < w->n; i++)
        rotate(&w->a[p][i], &w->a[q][i], c, s);
    for (int64_t j = 0; j < w->n; j++)
        rotate(&w->a[j][p], &w->a[j][q], c, s);
    for (int64_t i = 0; i < w->n; i++)
        rotate(&w->v[p][i], &w->v[q][i], c, s);
    w->a[q][p] = w->a[p][q] = 0;
}

static void diagonalize(work *w)
{
    const double small       = 0x1p-56 * largest_of(w);
    bool         has_rotated = true;

    for (int64_t j = 0; j < w->n; j++)
        for (int64_t i = 0; i < w->n; i++)
            w->v[j][i] = i == j;
    for (int sweep = 0; sweep < MOST_SWEEPS && has_rotated; sweep++) {
        has_rotated = false;
        for (int64_t p = 0; p < w->n; p++)
            for (int64_t q = p + 1; q < w->n; q++)
                if (fabs(w->a[q][p]) > small) {
                    annihilate(w, p, q);
                    has_rotated = true;
                }
    }
}

/* Columns in the order of their eigenvalues. */
static void sort(const work *w, int64_t *order)
{
    for (int64_t k = 0; k < w->n; k++) {
        int64_t place = k;

        for (; place > 0 && w->a[order[place - 1]][order[place - 1]] > w->a[k][k]; place--)
            order[place] = order[place - 1];
        order[place] = k;
    }
}

/* A vector is only determined if its eigenvalue is apart from the others: vectors whose eigenvalues
 * single precision cannot tell apart are exempt. The judge checks what must hold for all of
 * them. */
static void give(const work *w, const assay_reference_args *args, int64_t m)
{
    const double  close = 0x1p-16 * largest_of(w);
    int64_t       order[EIGEN_MAX_N];
    double *const values = args->expect[EIGEN_BUF_W].value + m * w->n;

    sort(w, order);
    for (int64_t k = 0; k < w->n; k++)
        values[k] = w->a[order[k]][order[k]];
    for (int64_t k = 0; k < w->n; k++) {
        const bool is_free = (k > 0 && values[k] - values[k - 1] <= close) ||
                             (k + 1 < w->n && values[k + 1] - values[k] <= close);

        for (int64_t i = 0; i < w->n; i++) {
            const int64_t e = (m * w->n + k) * w->n + i;

            args->expect[EIGEN_BUF_V].value[e] = w->v[order[k]][i];
            args->expect[EIGEN_BUF_V].law[e]   = is_free ? ASSAY_EXEMPT : ASSAY_COMPARE;
        }
    }
}

static void solve_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args = context;
    const assay_type            type = (assay_type)args->param[EIGEN_PARAM_TYPE];
    work                        w    = { .n = args->param[EIGEN_PARAM_N] };

    (void)chunk;
    for (int64_t m = begin; m < end; m++) {
        for (int64_t j = 0; j < w.n; j++)
            for (int64_t i = 0; i < w.n; i++)
                w.a[j][i] = assay_type_load(type, args->in[EIGEN_BUF_A], (m * w.n + j) * w.n + i);
        diagonalize(&w);
        give(&w, args, m);
    }
}

void eigen_reference(const assay_reference_args *args)
{
    const int64_t batch = args->param[EIGEN_PARAM_BATCH];

    args->parallel_for(batch, batch / CHUNKS + 1, solve_chunk, (void *)(uintptr_t)args);
}
