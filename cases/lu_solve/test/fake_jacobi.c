/* The part of cuSOLVER that eigen and svd use, in plain loops on host memory, in double. On the
 * host device it shows that the library is called rightly, and that its parameters are set. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FAKE(name) __attribute__((visibility("default"))) int name

/* Their prototypes are the library's own; these are for the compiler. */
int cusolverDnCreateSyevjInfo(void **parameters);
int cusolverDnDestroySyevjInfo(void *parameters);
int cusolverDnXsyevjSetTolerance(void *parameters, double tolerance);
int cusolverDnXsyevjSetMaxSweeps(void *parameters, int sweeps);
int cusolverDnXsyevjSetSortEig(void *parameters, int is_sorted);
int cusolverDnSsyevjBatched_bufferSize(void *handle, int what, int triangle, int n, const float *a,
                                       int lda, const float *w, int *n_memory, void *parameters,
                                       int batch);
int cusolverDnSsyevjBatched(void *handle, int what, int triangle, int n, float *a, int lda,
                            float *w, float *memory, int n_memory, int *info, void *parameters,
                            int batch);

int cusolverDnCreateGesvdjInfo(void **parameters);
int cusolverDnDestroyGesvdjInfo(void *parameters);
int cusolverDnXgesvdjSetTolerance(void *parameters, double tolerance);
int cusolverDnXgesvdjSetMaxSweeps(void *parameters, int sweeps);
int cusolverDnXgesvdjSetSortEig(void *parameters, int is_sorted);
int cusolverDnSgesvdjBatched_bufferSize(void *handle, int what, int rows, int columns,
                                        const float *a, int lda, const float *s, const float *u,
                                        int ldu, const float *v, int ldv, int *n_memory,
                                        void *parameters, int batch);
int cusolverDnSgesvdjBatched(void *handle, int what, int rows, int columns, float *a, int lda,
                             float *s, float *u, int ldu, float *v, int ldv, float *memory,
                             int n_memory, int *info, void *parameters, int batch);

enum {
    SUCCESS       = 0,
    INVALID_VALUE = 3,
    VECTORS       = 1,
    LOWER         = 0,
    MOST          = 32
};

typedef double column[MOST];

/* ---- parameters */

typedef struct solver {
    double tolerance;
    int    sweeps, is_sorted;
} solver;

static int create(void **parameters)
{
    *parameters = calloc(1, sizeof(solver));
    return *parameters != NULL ? SUCCESS : INVALID_VALUE;
}

static bool is_ready(const void *parameters)
{
    const solver *s = parameters;

    return s != NULL && s->tolerance > 0 && s->tolerance < 1e-6 && s->sweeps >= 10 &&
           s->is_sorted == 1;
}

static int destroy(void *parameters)
{
    free(parameters);
    return SUCCESS;
}

static int set_tolerance(solver *s, double tolerance)
{
    s->tolerance = tolerance;
    return SUCCESS;
}

static int set_sweeps(solver *s, int sweeps)
{
    s->sweeps = sweeps;
    return SUCCESS;
}

static int set_sort(solver *s, int is_sorted)
{
    s->is_sorted = is_sorted;
    return SUCCESS;
}

FAKE(cusolverDnCreateSyevjInfo)(void **p) { return create(p); }
FAKE(cusolverDnDestroySyevjInfo)(void *p) { return destroy(p); }
FAKE(cusolverDnXsyevjSetTolerance)(void *p, double tolerance)
{
    return set_tolerance(p, tolerance);
}
FAKE(cusolverDnXsyevjSetMaxSweeps)(void *p, int sweeps) { return set_sweeps(p, sweeps); }
FAKE(cusolverDnXsyevjSetSortEig)(void *p, int is_sorted) { return set_sort(p, is_sorted); }
FAKE(cusolverDnCreateGesvdjInfo)(void **p) { return create(p); }
FAKE(cusolverDnDestroyGesvdjInfo)(void *p) { return destroy(p); }
FAKE(cusolverDnXgesvdjSetTolerance)(void *p, double tolerance)
{
    return set_tolerance(p, tolerance);
}
FAKE(cusolverDnXgesvdjSetMaxSweeps)(void *p, int sweeps) { return set_sweeps(p, sweeps); }
FAKE(cusolverDnXgesvdjSetSortEig)(void *p, int is_sorted) { return set_sort(p, is_sorted); }

/* ---- rotations */

static double product(const double *x, const double *y, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void rotate(double *x, double *y, int n, double angle)
{
    for (int i = 0; i < n; i++) {
        const double old = x[i];

        x[i] = cos(angle) * old - sin(angle) * y[i];
        y[i] = sin(angle) * old + cos(angle) * y[i];
    }
}

/* The angle that makes [pp pq; pq qq] diagonal. */
static double angle_of(double pp, double pq, double qq)
{
    return copysign(atan2(2 * fabs(pq), fabs(qq - pp)) / 2, pq * (qq - pp));
}

static void exchange(double *x, double *y)
{
    column old;

    memcpy(old, x, sizeof old);
    memcpy(x, y, sizeof old);
    memcpy(y, old, sizeof old);
}

/* ---- eigenvalues */

typedef struct eigen {
    int    n;
    double w[MOST];
    column a[MOST], v[MOST];
} eigen;

static void two_sided(eigen *e, int p, int q)
{
    const double angle = angle_of(e->a[p][p], e->a[q][p], e->a[q][q]);

    rotate(e->a[p], e->a[q], e->n, angle);
    for (int j = 0; j < e->n; j++)
        rotate(&e->a[j][p], &e->a[j][q], 1, angle);
    rotate(e->v[p], e->v[q], e->n, angle);
    e->a[q][p] = e->a[p][q] = 0;
}

static void sort_ascending(eigen *e)
{
    for (int k = 0; k < e->n; k++)
        e->w[k] = e->a[k][k];
    for (int k = 1; k < e->n; k++)
        for (int i = k; i > 0 && e->w[i] < e->w[i - 1]; i--) {
            const double w = e->w[i];

            e->w[i]     = e->w[i - 1];
            e->w[i - 1] = w;
            exchange(e->v[i], e->v[i - 1]);
        }
}

static void solve(float *a, float *w, int n, int sweeps)
{
    eigen e = { .n = n };

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            e.a[j][i] = (double)(i >= j ? a[j * n + i] : a[i * n + j]);
            e.v[j][i] = i == j;
        }
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (e.a[q][p] != 0)
                    two_sided(&e, p, q);
    sort_ascending(&e);
    for (int k = 0; k < n; k++) {
        w[k] = (float)e.w[k];
        for (int i = 0; i < n; i++)
            a[k * n + i] = (float)e.v[k][i];
    }
}

FAKE(cusolverDnSsyevjBatched_bufferSize)
(void *handle, int what, int triangle, int n, const float *a, int lda, const float *w,
 int *n_memory, void *parameters, int batch)
{
    (void)a;
    (void)w;
    *n_memory = batch;
    return handle != NULL && what == VECTORS && triangle == LOWER && lda == n &&
                   is_ready(parameters)
               ? SUCCESS
               : INVALID_VALUE;
}

FAKE(cusolverDnSsyevjBatched)
(void *handle, int what, int triangle, int n, float *a, int lda, float *w, float *memory,
 int n_memory, int *info, void *parameters, int batch)
{
    if (handle == NULL || what != VECTORS || triangle != LOWER || lda != n || n_memory != batch ||
        !is_ready(parameters))
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++) {
        memory[m] = 0;
        info[m]   = 0;
        solve(a + m * n * n, w + m * n, n, ((const solver *)parameters)->sweeps);
    }
    return SUCCESS;
}

/* ---- singular values: all `rows` columns of U, as the library makes them */

typedef struct svd {
    int    rows, columns;
    double s[MOST];
    column u[MOST], v[MOST];
} svd;

/* Columns that are 0 except for rounding errors stay. */
static void one_sided(svd *d, int p, int q)
{
    const double pp = product(d->u[p], d->u[p], d->rows), qq = product(d->u[q], d->u[q], d->rows);
    const double pq = product(d->u[p], d->u[q], d->rows);

    if (pp < 1e-24 || qq < 1e-24 || fabs(pq) < 1e-13 * sqrt(pp * qq))
        return;
    const double angle = angle_of(pp, pq, qq);

    rotate(d->u[p], d->u[q], d->rows, angle);
    rotate(d->v[p], d->v[q], d->columns, angle);
}

static void sort_descending(svd *d)
{
    for (int k = 0; k < d->columns; k++)
        d->s[k] = sqrt(product(d->u[k], d->u[k], d->rows));
    for (int k = 1; k < d->columns; k++)
        for (int i = k; i > 0 && d->s[i] > d->s[i - 1]; i--) {
            const double s = d->s[i];

            d->s[i]     = d->s[i - 1];
            d->s[i - 1] = s;
            exchange(d->u[i], d->u[i - 1]);
            exchange(d->v[i], d->v[i - 1]);
        }
}

/* Column k, from a unit vector of which enough is left besides the columns before. */
static void complete(svd *d, int k)
{
    double length = 0;

    for (int e = 0; e < d->rows && length < 0.15; e++) {
        for (int i = 0; i < d->rows; i++)
            d->u[k][i] = i == e;
        for (int j = 0; j < 2 * k; j++) {
            const double along = product(d->u[j % k], d->u[k], d->rows);

            for (int i = 0; i < d->rows; i++)
                d->u[k][i] -= along * d->u[j % k][i];
        }
        length = sqrt(product(d->u[k], d->u[k], d->rows));
    }
    for (int i = 0; i < d->rows; i++)
        d->u[k][i] /= length;
}

static void decompose(svd *d, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int p = 0; p < d->columns; p++)
            for (int q = p + 1; q < d->columns; q++)
                one_sided(d, p, q);
    sort_descending(d);
    for (int k = 0; k < d->rows; k++) {
        const bool is_there = k < d->columns && d->s[k] > 1e-12;

        for (int i = 0; i < d->rows && is_there; i++)
            d->u[k][i] /= d->s[k];
        if (!is_there)
            complete(d, k);
    }
}

static void load(svd *d, const float *a)
{
    for (int j = 0; j < d->columns; j++) {
        for (int i = 0; i < d->rows; i++)
            d->u[j][i] = (double)a[j * d->rows + i];
        for (int i = 0; i < d->columns; i++)
            d->v[j][i] = i == j;
    }
}

static void store(const svd *d, float *s, float *u, float *v)
{
    for (int k = 0; k < d->rows; k++)
        for (int i = 0; i < d->rows; i++)
            u[k * d->rows + i] = (float)d->u[k][i];
    for (int k = 0; k < d->columns; k++) {
        s[k] = (float)d->s[k];
        for (int i = 0; i < d->columns; i++)
            v[k * d->columns + i] = (float)d->v[k][i];
    }
}

FAKE(cusolverDnSgesvdjBatched_bufferSize)
(void *handle, int what, int rows, int columns, const float *a, int lda, const float *s,
 const float *u, int ldu, const float *v, int ldv, int *n_memory, void *parameters, int batch)
{
    (void)a;
    (void)s;
    (void)u;
    (void)v;
    *n_memory = batch;
    return handle != NULL && what == VECTORS && rows <= MOST && columns <= MOST && lda == rows &&
                   ldu == rows && ldv == columns && is_ready(parameters)
               ? SUCCESS
               : INVALID_VALUE;
}

FAKE(cusolverDnSgesvdjBatched)
(void *handle, int what, int rows, int columns, float *a, int lda, float *s, float *u, int ldu,
 float *v, int ldv, float *memory, int n_memory, int *info, void *parameters, int batch)
{
    if (handle == NULL || what != VECTORS || lda != rows || ldu != rows || ldv != columns ||
        n_memory != batch || !is_ready(parameters))
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++) {
        svd d = { .rows = rows, .columns = columns };

        memory[m] = 0;
        info[m]   = 0;
        load(&d, a + m * rows * columns);
        decompose(&d, ((const solver *)parameters)->sweeps);
        store(&d, s + m * columns, u + m * rows * rows, v + m * columns * columns);
    }
    return SUCCESS;
}
