/* The part of cuSOLVER that eigen asks for, on host memory by plain loops, in double: on the
 * host executor it shows that the library is asked for rightly, and that its parameters are set. */
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

FAKE(cusolverDnCreateSyevjInfo)(void **parameters) { return create(parameters); }

FAKE(cusolverDnDestroySyevjInfo)(void *parameters)
{
    free(parameters);
    return SUCCESS;
}

FAKE(cusolverDnXsyevjSetTolerance)(void *parameters, double tolerance)
{
    ((solver *)parameters)->tolerance = tolerance;
    return SUCCESS;
}

FAKE(cusolverDnXsyevjSetMaxSweeps)(void *parameters, int sweeps)
{
    ((solver *)parameters)->sweeps = sweeps;
    return SUCCESS;
}

FAKE(cusolverDnXsyevjSetSortEig)(void *parameters, int is_sorted)
{
    ((solver *)parameters)->is_sorted = is_sorted;
    return SUCCESS;
}

/* ---- rotations */

static void rotate(double *x, double *y, int n, double angle)
{
    for (int i = 0; i < n; i++) {
        const double old = x[i];

        x[i] = cos(angle) * old - sin(angle) * y[i];
        y[i] = sin(angle) * old + cos(angle) * y[i];
    }
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
    const double difference = e->a[q][q] - e->a[p][p];
    const double angle =
        copysign(atan2(2 * fabs(e->a[q][p]), fabs(difference)) / 2, e->a[q][p] * difference);

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
