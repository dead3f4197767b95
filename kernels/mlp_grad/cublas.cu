/* mlp_grad with cuBLAS, as a baseline: the same steps with the library's products in plain fp32.
 * The library is loaded when it is needed, and called through prototypes of our own: neither the
 * build nor the module needs it. */
#include "mlp_case.h"
#include "mlp_device.cuh"
#include "mlp_launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

typedef void *blas_handle;

/* Operations and modes by their numbers in the library's interface. */
enum {
    BLAS_SUCCESS      = 0,
    BLAS_AS_IT_IS     = 0,
    BLAS_TRANSPOSED   = 1,
    BLAS_DEFAULT_MATH = 0 /* fp32 products are fp32, no TF32 */
};

/* On Hopper the library wants 32 MiB; otherwise it would allocate memory of its own. */
static const size_t BLAS_WORKSPACE = static_cast<size_t>(32) << 20;

struct mlp_cublas {
    void       *library;
    blas_handle handle;
    int (*create)(blas_handle *handle);
    int (*destroy)(blas_handle handle);
    int (*set_stream)(blas_handle handle, assay_stream stream);
    int (*set_workspace)(blas_handle handle, void *memory, size_t bytes);
    int (*set_math)(blas_handle handle, int mode);
    int (*multiply)(blas_handle handle, int operation_a, int operation_b, int m, int n, int k,
                    const float *alpha, const float *a, int lda, const float *b, int ldb,
                    const float *beta, float *c, int ldc);
    int (*multiply_vector)(blas_handle handle, int operation, int m, int n, const float *alpha,
                           const float *a, int lda, const float *x, int step_x, const float *beta,
                           float *y, int step_y);
};

/* POSIX promises that a function's address keeps its bits when it is copied this way. */
static const char *resolve(mlp_cublas *blas)
{
    const struct {
        void       *member;
        const char *symbol;
    } wanted[] = {
        { &blas->create, "cublasCreate_v2" },
        { &blas->destroy, "cublasDestroy_v2" },
        { &blas->set_stream, "cublasSetStream_v2" },
        { &blas->set_workspace, "cublasSetWorkspace_v2" },
        { &blas->set_math, "cublasSetMathMode" },
        { &blas->multiply, "cublasSgemm_v2" },
        { &blas->multiply_vector, "cublasSgemv_v2" },
    };

    for (const auto &one : wanted) {
        void *const address = dlsym(blas->library, one.symbol);

        if (address == NULL)
            return one.symbol;
        memcpy(one.member, &address, sizeof address);
    }
    return NULL;
}

/* ASSAY_CUBLAS_LIBRARY may name a file other than the one that the loader would find. */
static void *open_library(void)
{
    static const char *const names[] = { "libcublas.so.13", "libcublas.so.12" };
    const char *const        given   = getenv("ASSAY_CUBLAS_LIBRARY");
    void                    *library = NULL;

    if (given != NULL && given[0] != '\0')
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool start(mlp_cublas *blas, char *why, size_t size)
{
    const char *missing;
    int         error;

    blas->library = open_library();
    if (blas->library == NULL) {
        const char *const reason = dlerror();

        (void)snprintf(why, size, "needs cuBLAS: %s", reason != NULL ? reason : "it does not load");
        return false;
    }
    missing = resolve(blas);
    if (missing != NULL) {
        (void)snprintf(why, size, "needs cuBLAS: the library here has no %s", missing);
        return false;
    }
    error = blas->create(&blas->handle);
    if (error != BLAS_SUCCESS)
        (void)snprintf(why, size, "needs cuBLAS: it does not start (status %d)", error);
    return error == BLAS_SUCCESS;
}

/* The library stays loaded: its threads and the driver may still refer to it. */
ASSAY_EXPORT void mlp_cublas_destroy(mlp_cublas *blas)
{
    if (blas != NULL && blas->handle != NULL)
        (void)blas->destroy(blas->handle);
    free(blas);
}

ASSAY_EXPORT mlp_cublas *mlp_cublas_create(char *why, size_t size)
{
    mlp_cublas *blas = static_cast<mlp_cublas *>(calloc(1, sizeof *blas));

    if (blas == NULL) {
        (void)snprintf(why, size, "out of memory");
    } else if (!start(blas, why, size)) {
        blas->handle = NULL;
        mlp_cublas_destroy(blas);
        blas = NULL;
    }
    return blas;
}

/* ---- products: row-major matrices are the library's transposes ---- */

/* C[m][n] = A B of row-major matrices; a matrix that is kept the other way is transposed. The
 * library sees the transposes of all three and computes C' = B' A'. */
struct row_major {
    const float *at;
    bool         is_transposed; /* kept as [columns][rows] */
};

static int multiply(const mlp_call &call, int64_t m, int64_t n, int64_t k, row_major a, row_major b,
                    float *c)
{
    const mlp_cublas *blas = static_cast<const mlp_cublas *>(call.library);
    const float       one = 1, zero = 0;
    const int         error = blas->multiply(
                blas->handle, b.is_transposed ? BLAS_TRANSPOSED : BLAS_AS_IT_IS,
        a.is_transposed ? BLAS_TRANSPOSED : BLAS_AS_IT_IS, static_cast<int>(n), static_cast<int>(m),
                static_cast<int>(k), &one, b.at, static_cast<int>(b.is_transposed ? k : n), a.at,
                static_cast<int>(a.is_transposed ? m : k), &zero, c, static_cast<int>(n));

    return error == BLAS_SUCCESS ? MLP_OK : MLP_LIBRARY_FAILED;
}

/* ---- what is left between the products ---- */

enum {
    BLOCK = 256
};

static __global__ void bias_kernel(mlp_step s)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;

    if (i >= s.batch * s.n_out)
        return;
    const float z = s.next[i] + s.biases[i % s.n_out];

    s.next[i] = s.is_last ? z : mlp_activate(s.activation, z);
}

static __global__ void slope_kernel(mlp_step s)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;

    if (i < s.batch * s.n_in)
        s.d_a[i] *= mlp_slope(s.activation, s.a[i]);
}

static __global__ void ones_kernel(int64_t count, float *ones)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;

    if (i < count)
        ones[i] = 1;
}

static int launch(const mlp_call &call, const mlp_step &s, void (*kernel)(mlp_step), int64_t count)
{
    const unsigned blocks = assay_blocks_for(count, BLOCK);

    if (blocks == 0)
        return MLP_INVALID_GRID;
    kernel<<<blocks, BLOCK, 0, call.stream>>>(s);
    return assay_launch_status();
}

/* ---- steps ---- */

static int forward(const mlp_call &call, const mlp_step &s)
{
    const int error =
        multiply(call, s.batch, s.n_out, s.n_in, { s.a, false }, { s.weights, true }, s.next);

    return error == MLP_OK ? launch(call, s, bias_kernel, s.batch * s.n_out) : error;
}

/* The biases' gradient is the deltas' product with a vector of ones. */
static int bias_gradient(const mlp_call &call, const mlp_step &s)
{
    const mlp_cublas *blas = static_cast<const mlp_cublas *>(call.library);
    const float       one = 1, zero = 0;
    const int         n_out = static_cast<int>(s.n_out);
    const int         error =
        blas->multiply_vector(blas->handle, BLAS_AS_IT_IS, n_out, static_cast<int>(s.batch), &one,
                              s.delta, n_out, call.memory.ones, 1, &zero, s.d_biases, 1);

    return error == BLAS_SUCCESS ? MLP_OK : MLP_LIBRARY_FAILED;
}

static int gradient(const mlp_call &call, const mlp_step &s)
{
    const int error =
        multiply(call, s.n_out, s.n_in, s.batch, { s.delta, true }, { s.a, false }, s.d_weights);

    return error == MLP_OK ? bias_gradient(call, s) : error;
}

static int backward(const mlp_call &call, const mlp_step &s)
{
    const int error =
        multiply(call, s.batch, s.n_in, s.n_out, { s.delta, false }, { s.weights, false }, s.d_a);

    return error == MLP_OK && !s.is_first ? launch(call, s, slope_kernel, s.batch * s.n_in) : error;
}

/* The ones are written in every call, since a workspace keeps nothing between two calls. */
static int output_delta(const mlp_call &call, const mlp_step &s)
{
    ones_kernel<<<assay_blocks_for(s.batch, BLOCK), BLOCK, 0, call.stream>>>(s.batch,
                                                                             call.memory.ones);
    const int error = assay_launch_status();

    return error == MLP_OK ? mlp_launch_delta(call, s) : error;
}

static const mlp_steps STEPS = { forward, output_delta, gradient, backward };

static mlp_demand demand_of(const mlp_spec *spec)
{
    mlp_demand demand;

    demand.losses = mlp_delta_losses(spec);
    demand.ones   = spec->batch;
    return demand;
}

ASSAY_EXPORT size_t cublas_mlp_workspace(const mlp_spec *spec)
{
    return mlp_is_valid(spec) ? BLAS_WORKSPACE + mlp_place(spec, demand_of(spec), NULL, NULL) : 0;
}

ASSAY_EXPORT int cublas_mlp_grad(mlp_cublas *blas, const mlp_spec *spec, const mlp_buf *buf,
                                 void *workspace, size_t workspace_bytes, assay_stream stream)
{
    if (blas == NULL || mlp_check(spec, buf) != MLP_OK)
        return MLP_INVALID_VALUE;
    if (workspace == NULL || workspace_bytes < BLAS_WORKSPACE)
        return MLP_INVALID_WORKSPACE;
    /* In this order, since setting a stream takes the library's memory away. */
    if (blas->set_stream(blas->handle, stream) != BLAS_SUCCESS ||
        blas->set_workspace(blas->handle, workspace, BLAS_WORKSPACE) != BLAS_SUCCESS ||
        blas->set_math(blas->handle, BLAS_DEFAULT_MATH) != BLAS_SUCCESS)
        return MLP_LIBRARY_FAILED;
    return mlp_run(spec, buf, STEPS, demand_of(spec), blas,
                   static_cast<unsigned char *>(workspace) + BLAS_WORKSPACE,
                   workspace_bytes - BLAS_WORKSPACE, mlp_tuning(), stream);
}

/* ---- the variant ---- */

ASSAY_EXPORT int mlp_grad_cublas_setup(const assay_args *, void **state)
{
    static char why[256];

    *state = mlp_cublas_create(why, sizeof why);
    if (*state != NULL)
        return 0;
    *state = why;
    return ASSAY_NOT_HERE;
}

ASSAY_EXPORT void mlp_grad_cublas_teardown(void *state)
{
    mlp_cublas_destroy(static_cast<mlp_cublas *>(state));
}

ASSAY_WORKSPACE(mlp_grad_cublas_workspace)
{
    const mlp_spec spec = mlp_case_spec(args->param, args->scalar);

    return cublas_mlp_workspace(&spec);
}

ASSAY_LAUNCHER(mlp_grad_cublas)
{
    const mlp_spec spec = mlp_case_spec(args->param, args->scalar);
    const mlp_buf  buf  = mlp_case_buf(args->buf);

    return cublas_mlp_grad(static_cast<mlp_cublas *>(args->state), &spec, &buf, args->workspace,
                           args->workspace_bytes, stream);
}
