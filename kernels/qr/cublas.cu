/* qr with cuBLAS's batched reflections. The library works in place, in single precision, on
 * matrices whose addresses it is given. A kernel of ours computes Q from its reflectors. */
#include "../ops/ops_library.cuh"
#include "qr_block.cuh"

static const ops_library_names CUBLAS = {
    "cuBLAS",
    "ASSAY_CUBLAS_LIBRARY",
    { "libcublas.so.13", "libcublas.so.12" },
    "cublasCreate_v2",
    "cublasDestroy_v2",
    "cublasSetStream_v2",
    "cublasSetWorkspace_v2",
    { "cublasSgeqrfBatched", NULL },
};

typedef int geqrf_fn(void *handle, int rows, int columns, float *const a[], int lda,
                     float *const factors[], int *host_info, int batch);

enum {
    CALL_GEQRF
};

enum {
    LIBRARY_FAILED = 999,
    BLOCK          = 256
};

/* Memory that the library works on. */
struct batch_memory {
    float  *a, *factors;
    float **a_of, **factors_of;
};

static batch_memory place(const qr_problem &p, ops_parts *parts)
{
    batch_memory memory;

    memory.a          = ops_part<float>(parts, p.batch * p.rows * p.columns);
    memory.factors    = ops_part<float>(parts, p.batch * p.columns);
    memory.a_of       = ops_part<float *>(parts, p.batch);
    memory.factors_of = ops_part<float *>(parts, p.batch);
    return memory;
}

static __global__ void copy_kernel(qr_problem p, batch_memory to)
{
    const int64_t e = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;

    if (e < p.batch * p.rows * p.columns)
        to.a[e] = ops_load_any(p.type, p.a, e);
    if (e < p.batch) {
        to.a_of[e]       = to.a + e * p.rows * p.columns;
        to.factors_of[e] = to.factors + e * p.columns;
    }
}

/* The library's reflectors begin with a 1; R's diagonal is stored in its place. */
static __global__ void __launch_bounds__(128) finish_kernel(qr_problem p, batch_memory from)
{
    extern __shared__ float qr_memory[];
    const qr_tile           t = qr_tile_at(qr_memory, p);
    const int64_t           m = blockIdx.x;
    const int               j = static_cast<int>(threadIdx.x);

    qr_tile_load(t, ASSAY_F32, from.a, m);
    if (j < t.columns) {
        t.factor[j]   = from.factors[m * t.columns + j];
        t.diagonal[j] = t.a_at(j, j);
        t.a_at(j, j)  = 1;
    }
    __syncthreads();
    if (j < t.columns) {
        qr_make_q(t, j);
        qr_store_r(t, p, m, j, 1);
    }
    __syncthreads();
    qr_store_q(t, p, m);
}

OPS_LIBRARY_VARIANT(qr_cublas, CUBLAS)

ASSAY_WORKSPACE(qr_cublas_workspace)
{
    ops_parts parts = { NULL, 0 };

    (void)place(qr_problem_of(args), &parts);
    (void)ops_part<unsigned char>(&parts, OPS_LIBRARY_WORKSPACE);
    return parts.used;
}

ASSAY_LAUNCHER(qr_cublas)
{
    const ops_library *const l              = static_cast<const ops_library *>(args->state);
    const qr_problem         p              = qr_problem_of(args);
    ops_parts                parts          = { static_cast<unsigned char *>(args->workspace), 0 };
    const batch_memory       memory         = place(p, &parts);
    const size_t             bytes          = qr_tile_bytes(p);
    int                      wrong_argument = 0;

    if (!ops_library_direct(l, stream, &parts) || assay_allow_shared(finish_kernel, bytes) != 0)
        return LIBRARY_FAILED;
    if (p.batch == 0)
        return assay_launch_status();
    copy_kernel<<<assay_blocks_for(p.batch * p.rows * p.columns, BLOCK), BLOCK, 0, stream>>>(
        p, memory);
    for (int64_t first = 0; first < p.batch; first += ops_library_batch(p.batch, first))
        if (ops_library_call<geqrf_fn *>(l, CALL_GEQRF)(l->handle, p.rows, p.columns,
                                                        memory.a_of + first, p.rows,
                                                        memory.factors_of + first, &wrong_argument,
                                                        ops_library_batch(p.batch, first)) != 0 ||
            wrong_argument != 0)
            return LIBRARY_FAILED;
    finish_kernel<<<assay_blocks_for(p.batch, 1), qr_tile_threads(p), bytes, stream>>>(p, memory);
    return assay_launch_status();
}
