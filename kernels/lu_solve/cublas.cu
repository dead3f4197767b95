/* lu_solve with cuBLAS's batched factorization and substitution. The library works in place, in
 * single precision, on matrices whose addresses it is given, and reports only pivots that are
 * exactly 0. So a kernel before it copies, and one after it looks at the pivots. */
#include "../ops/ops_library.cuh"
#include "lu_device.cuh"

static const ops_library_names CUBLAS = {
    "cuBLAS",
    "ASSAY_CUBLAS_LIBRARY",
    { "libcublas.so.13", "libcublas.so.12" },
    "cublasCreate_v2",
    "cublasDestroy_v2",
    "cublasSetStream_v2",
    "cublasSetWorkspace_v2",
    { "cublasSgetrfBatched", "cublasSgetrsBatched" },
};

typedef int getrf_fn(void *handle, int n, float *const a[], int lda, int *pivots, int *info,
                     int batch);
typedef int getrs_fn(void *handle, int operation, int n, int n_right, const float *const a[],
                     int lda, const int *pivots, float *const b[], int ldb, int *host_info,
                     int batch);

enum {
    CALL_GETRF,
    CALL_GETRS
};

enum {
    BLAS_AS_IT_IS  = 0, /* the operation: not transposed */
    LIBRARY_FAILED = 999,
    BLOCK          = 256
};

/* Memory that the library works on. */
struct batch_memory {
    float  *a, *b, *largest;
    int    *pivots, *info;
    float **a_of, **b_of;
};

static batch_memory place(const lu_problem &p, ops_parts *parts)
{
    batch_memory memory;

    memory.a       = ops_part<float>(parts, p.batch * p.n * p.n);
    memory.b       = ops_part<float>(parts, p.batch * p.n);
    memory.largest = ops_part<float>(parts, p.batch);
    memory.pivots  = ops_part<int>(parts, p.batch * p.n);
    memory.info    = ops_part<int>(parts, p.batch);
    memory.a_of    = ops_part<float *>(parts, p.batch);
    memory.b_of    = ops_part<float *>(parts, p.batch);
    return memory;
}

/* A warp takes a matrix. */
__device__ static int64_t matrix_of_warp(void)
{
    return (static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x) / 32;
}

static __global__ void copy_kernel(lu_problem p, batch_memory to)
{
    const int64_t m       = matrix_of_warp();
    const int     lane    = static_cast<int>(threadIdx.x % 32);
    unsigned      largest = 0;

    if (m >= p.batch)
        return;
    for (int64_t e = m * p.n * p.n + lane; e < (m + 1) * p.n * p.n; e += 32) {
        const float value = ops_load_any(p.type, p.a, e);

        to.a[e] = value;
        largest = max(largest, ops_magnitude(value));
    }
    for (int64_t i = m * p.n + lane; i < (m + 1) * p.n; i += 32)
        to.b[i] = ops_load_any(p.type, p.b, i);
    largest = __reduce_max_sync(OPS_ALL_LANES, largest);
    if (lane == 0) {
        to.largest[m] = __uint_as_float(largest);
        to.a_of[m]    = to.a + m * p.n * p.n;
        to.b_of[m]    = to.b + m * p.n;
    }
}

static __global__ void judge_kernel(lu_problem p, batch_memory from)
{
    const int64_t m     = matrix_of_warp();
    const int     lane  = static_cast<int>(threadIdx.x % 32);
    unsigned      first = static_cast<unsigned>(p.n) + 1;

    if (m >= p.batch)
        return;
    const float threshold = lu_threshold(p.n, from.largest[m]);

    for (int k = p.n - 1 - lane; k >= 0; k -= 32)
        if (!(fabsf(from.a[(m * p.n + k) * p.n + k]) > threshold))
            first = static_cast<unsigned>(k) + 1;
    first = __reduce_min_sync(OPS_ALL_LANES, first);
    for (int i = lane; i < p.n; i += 32)
        ops_store_any(p.type, p.x, m * p.n + i,
                      first > static_cast<unsigned>(p.n) ? from.b[m * p.n + i] : NAN);
    if (lane == 0)
        p.info[m] = first > static_cast<unsigned>(p.n) ? 0 : static_cast<int>(first);
}

/* Solves the next matrices, from `first` on. */
static int solve(const ops_library *l, const lu_problem &p, const batch_memory &memory,
                 int64_t first)
{
    const int     n = p.n, batch = ops_library_batch(p.batch, first);
    float *const *a = memory.a_of + first, *const *b = memory.b_of + first;
    int *const    pivots         = memory.pivots + first * n;
    int           wrong_argument = 0;
    int           error = ops_library_call<getrf_fn *>(l, CALL_GETRF)(l->handle, n, a, n, pivots,
                                                            memory.info + first, batch);

    if (error == 0)
        error = ops_library_call<getrs_fn *>(l, CALL_GETRS)(l->handle, BLAS_AS_IT_IS, n, 1, a, n,
                                                            pivots, b, n, &wrong_argument, batch);
    return error == 0 && wrong_argument == 0 ? 0 : LIBRARY_FAILED;
}

OPS_LIBRARY_VARIANT(lu_solve_cublas, CUBLAS)

ASSAY_WORKSPACE(lu_solve_cublas_workspace)
{
    ops_parts parts = { NULL, 0 };

    (void)place(lu_problem_of(args), &parts);
    (void)ops_part<unsigned char>(&parts, OPS_LIBRARY_WORKSPACE);
    return parts.used;
}

ASSAY_LAUNCHER(lu_solve_cublas)
{
    const ops_library *const l      = static_cast<const ops_library *>(args->state);
    const lu_problem         p      = lu_problem_of(args);
    const unsigned           blocks = assay_blocks_for(p.batch, BLOCK / 32);
    ops_parts                parts  = { static_cast<unsigned char *>(args->workspace), 0 };
    const batch_memory       memory = place(p, &parts);

    if (!ops_library_direct(l, stream, &parts))
        return LIBRARY_FAILED;
    copy_kernel<<<blocks, BLOCK, 0, stream>>>(p, memory);
    for (int64_t first = 0; first < p.batch; first += ops_library_batch(p.batch, first))
        if (solve(l, p, memory, first) != 0)
            return LIBRARY_FAILED;
    judge_kernel<<<blocks, BLOCK, 0, stream>>>(p, memory);
    return assay_launch_status();
}
