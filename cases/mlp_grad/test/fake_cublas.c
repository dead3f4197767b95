/* The part of cuBLAS that mlp_grad uses, in plain loops on host memory. On the host device it shows
 * that each product is called rightly. Column-major, as the library's manual defines it. */
#include <stddef.h>
#include <stdlib.h>

#define FAKE(name) __attribute__((visibility("default"))) int name

/* Its prototypes are the library's own; these are for the compiler. */
int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasSetStream_v2(void *handle, void *stream);
int cublasSetWorkspace_v2(void *handle, void *memory, size_t bytes);
int cublasSetMathMode(void *handle, int mode);
int cublasSgemm_v2(void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha,
                   const float *a, int lda, const float *b, int ldb, const float *beta, float *c,
                   int ldc);
int cublasSgemv_v2(void *handle, int op, int m, int n, const float *alpha, const float *a, int lda,
                   const float *x, int step_x, const float *beta, float *y, int step_y);

enum {
    SUCCESS       = 0,
    INVALID_VALUE = 7,
    N             = 0,
    T             = 1
};

FAKE(cublasCreate_v2)(void **handle)
{
    *handle = malloc(1);
    return *handle != NULL ? SUCCESS : INVALID_VALUE;
}

FAKE(cublasDestroy_v2)(void *handle)
{
    free(handle);
    return SUCCESS;
}

FAKE(cublasSetStream_v2)(void *handle, void *stream)
{
    (void)stream;
    return handle != NULL ? SUCCESS : INVALID_VALUE;
}

FAKE(cublasSetWorkspace_v2)(void *handle, void *memory, size_t bytes)
{
    return handle != NULL && memory != NULL && bytes > 0 ? SUCCESS : INVALID_VALUE;
}

FAKE(cublasSetMathMode)(void *handle, int mode)
{
    return handle != NULL && mode == 0 ? SUCCESS : INVALID_VALUE;
}

/* Element (row, column) of op(X). */
static float at(const float *x, int op, int ld, int row, int column)
{
    return op == N ? x[(size_t)column * (size_t)ld + (size_t)row]
                   : x[(size_t)row * (size_t)ld + (size_t)column];
}

/* Stored rows of X, which ld must cover. */
static int rows_of(int op, int rows, int columns) { return op == N ? rows : columns; }

FAKE(cublasSgemm_v2)
(void *handle, int op_a, int op_b, int m, int n, int k, const float *alpha, const float *a, int lda,
 const float *b, int ldb, const float *beta, float *c, int ldc)
{
    if (handle == NULL || (op_a != N && op_a != T) || (op_b != N && op_b != T) || m < 0 || n < 0 ||
        k < 0 || lda < rows_of(op_a, m, k) || ldb < rows_of(op_b, k, n) || ldc < m || *beta != 0)
        return INVALID_VALUE;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float sum = 0;

            for (int l = 0; l < k; l++)
                sum += at(a, op_a, lda, i, l) * at(b, op_b, ldb, l, j);
            c[(size_t)j * (size_t)ldc + (size_t)i] = *alpha * sum;
        }
    return SUCCESS;
}

FAKE(cublasSgemv_v2)
(void *handle, int op, int m, int n, const float *alpha, const float *a, int lda, const float *x,
 int step_x, const float *beta, float *y, int step_y)
{
    if (handle == NULL || op != N || m < 0 || n < 0 || lda < m || step_x != 1 || step_y != 1 ||
        *beta != 0)
        return INVALID_VALUE;
    for (int i = 0; i < m; i++) {
        float sum = 0;

        for (int l = 0; l < n; l++)
            sum += at(a, N, lda, i, l) * x[l];
        y[i] = *alpha * sum;
    }
    return SUCCESS;
}
