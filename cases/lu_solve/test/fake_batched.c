/* The part of cuBLAS and cuSOLVER that lu_solve, cholesky and qr use, in plain loops on host
 * memory. On the host device it shows that the libraries are called rightly. Column-major, as the
 * libraries' manuals define it. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define FAKE(name) __attribute__((visibility("default"))) int name

/* Their prototypes are the libraries' own; these are for the compiler. */
int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasSetStream_v2(void *handle, void *stream);
int cublasSetWorkspace_v2(void *handle, void *memory, size_t bytes);
int cublasSgetrfBatched(void *handle, int n, float *const a[], int lda, int *pivots, int *info,
                        int batch);
int cublasSgetrsBatched(void *handle, int operation, int n, int n_right, const float *const a[],
                        int lda, const int *pivots, float *const b[], int ldb, int *info,
                        int batch);
int cublasSgeqrfBatched(void *handle, int rows, int columns, float *const a[], int lda,
                        float *const factors[], int *info, int batch);
int cusolverDnCreate(void **handle);
int cusolverDnDestroy(void *handle);
int cusolverDnSetStream(void *handle, void *stream);
int cusolverDnSpotrfBatched(void *handle, int triangle, int n, float *a[], int lda, int *info,
                            int batch);

enum {
    SUCCESS       = 0,
    INVALID_VALUE = 7,
    N             = 0,
    LOWER         = 0
};

/* ---- handles */

static int create(void **handle)
{
    *handle = malloc(1);
    return *handle != NULL ? SUCCESS : INVALID_VALUE;
}

static int destroy(void *handle)
{
    free(handle);
    return SUCCESS;
}

FAKE(cublasCreate_v2)(void **handle) { return create(handle); }
FAKE(cusolverDnCreate)(void **handle) { return create(handle); }
FAKE(cublasDestroy_v2)(void *handle) { return destroy(handle); }
FAKE(cusolverDnDestroy)(void *handle) { return destroy(handle); }

FAKE(cublasSetStream_v2)(void *handle, void *stream)
{
    (void)stream;
    return handle != NULL ? SUCCESS : INVALID_VALUE;
}

FAKE(cublasSetWorkspace_v2)(void *handle, void *memory, size_t bytes)
{
    return handle != NULL && memory != NULL && bytes > 0 ? SUCCESS : INVALID_VALUE;
}

FAKE(cusolverDnSetStream)(void *handle, void *stream) { return cublasSetStream_v2(handle, stream); }

/* ---- elimination */

static int largest_below(const float *a, int n, int k)
{
    int at = k;

    for (int i = k + 1; i < n; i++)
        at = fabsf(a[k * n + i]) > fabsf(a[k * n + at]) ? i : at;
    return at;
}

static void exchange(float *a, float *b)
{
    const float value = *a;

    *a = *b;
    *b = value;
}

/* Returns the first column without a pivot, from 1, or 0; continues as the library does. */
static int eliminate(float *a, int n, int *pivots)
{
    int info = 0;

    for (int k = 0; k < n; k++) {
        const int row = largest_below(a, n, k);

        pivots[k] = row + 1;
        for (int j = 0; j < n; j++)
            exchange(&a[j * n + k], &a[j * n + row]);
        info = info == 0 && a[k * n + k] == 0 ? k + 1 : info;
        for (int i = k + 1; i < n && a[k * n + k] != 0; i++) {
            a[k * n + i] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
        }
    }
    return info;
}

FAKE(cublasSgetrfBatched)
(void *handle, int n, float *const a[], int lda, int *pivots, int *info, int batch)
{
    if (handle == NULL || lda != n)
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++)
        info[m] = eliminate(a[m], n, pivots + (size_t)m * (size_t)n);
    return SUCCESS;
}

static void substitute(const float *a, int n, const int *pivots, float *b)
{
    for (int k = 0; k < n; k++)
        exchange(&b[k], &b[pivots[k] - 1]);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            b[i] -= a[k * n + i] * b[k];
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= a[k * n + k];
        for (int i = 0; i < k; i++)
            b[i] -= a[k * n + i] * b[k];
    }
}

FAKE(cublasSgetrsBatched)
(void *handle, int operation, int n, int n_right, const float *const a[], int lda,
 const int *pivots, float *const b[], int ldb, int *info, int batch)
{
    *info = 0;
    if (handle == NULL || operation != N || n_right != 1 || lda != n || ldb != n)
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++)
        substitute(a[m], n, pivots + (size_t)m * (size_t)n, b[m]);
    return SUCCESS;
}

/* ---- Cholesky */

static int factor(float *a, int n)
{
    for (int k = 0; k < n; k++) {
        if (!(a[k * n + k] > 0))
            return k + 1;
        a[k * n + k] = sqrtf(a[k * n + k]);
        for (int i = k + 1; i < n; i++)
            a[k * n + i] /= a[k * n + k];
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[k * n + j];
    }
    return 0;
}

FAKE(cusolverDnSpotrfBatched)
(void *handle, int triangle, int n, float *a[], int lda, int *info, int batch)
{
    if (handle == NULL || triangle != LOWER || lda != n)
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++)
        info[m] = factor(a[m], n);
    return SUCCESS;
}

/* ---- reflections */

/* Makes reflector k; its first place, a 1, holds R's diagonal instead. Returns its factor. */
static float reflector(float *column, int rows, int k)
{
    double       square = 0;
    const double x      = (double)column[k];

    for (int i = k; i < rows; i++)
        square += (double)column[i] * (double)column[i];
    if (square == 0)
        return 0;
    const double diagonal = x > 0 ? -sqrt(square) : sqrt(square);

    for (int i = k + 1; i < rows; i++)
        column[i] = (float)((double)column[i] / (x - diagonal));
    column[k] = (float)diagonal;
    return (float)((diagonal - x) / diagonal);
}

static void reflect(const float *v, float *column, int rows, int k, float how_far)
{
    float along = column[k];

    for (int i = k + 1; i < rows; i++)
        along += v[i] * column[i];
    along *= how_far;
    column[k] -= along;
    for (int i = k + 1; i < rows; i++)
        column[i] -= along * v[i];
}

FAKE(cublasSgeqrfBatched)
(void *handle, int rows, int columns, float *const a[], int lda, float *const factors[], int *info,
 int batch)
{
    *info = 0;
    if (handle == NULL || lda != rows)
        return INVALID_VALUE;
    for (int m = 0; m < batch; m++)
        for (int k = 0; k < columns; k++) {
            factors[m][k] = reflector(a[m] + k * rows, rows, k);
            for (int j = k + 1; j < columns; j++)
                reflect(a[m] + k * rows, a[m] + j * rows, rows, k, factors[m][k]);
        }
    return SUCCESS;
}
