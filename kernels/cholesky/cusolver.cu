/* cholesky with cuSOLVER's batched factorization. The library works in place, in single precision,
 * on matrices whose addresses it is given, and leaves the part above the diagonal unchanged. */
#include "../ops/ops_library.cuh"
#include "cholesky_device.cuh"

static const ops_library_names CUSOLVER = {
    "cuSOLVER",
    "ASSAY_CUSOLVER_LIBRARY",
    { "libcusolver.so.12", "libcusolver.so.11" },
    "cusolverDnCreate",
    "cusolverDnDestroy",
    "cusolverDnSetStream",
    NULL,
    { "cusolverDnSpotrfBatched", NULL },
};

typedef int potrf_fn(void *handle, int triangle, int n, float *a[], int lda, int *info, int batch);

enum {
    CALL_POTRF
};

enum {
    LOWER_TRIANGLE = 0,
    LIBRARY_FAILED = 999,
    BLOCK          = 256
};

/* Memory that the library works on. Single-precision matrices are computed directly in the
 * output. */
struct batch_memory {
    float  *a;
    float **a_of;
};

static batch_memory place(const cholesky_problem &p, ops_parts *parts)
{
    batch_memory memory;

    memory.a_of = ops_part<float *>(parts, p.batch);
    memory.a    = p.type == ASSAY_F32 ? static_cast<float *>(p.l)
                                      : ops_part<float>(parts, p.batch * p.n * p.n);
    return memory;
}

static __global__ void copy_kernel(cholesky_problem p, batch_memory to)
{
    const int64_t e = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;

    if (e < p.batch * p.n * p.n)
        to.a[e] = ops_load_any(p.type, p.a, e);
    if (e < p.batch)
        to.a_of[e] = to.a + e * p.n * p.n;
}

static __global__ void finish_kernel(cholesky_problem p, batch_memory from)
{
    const int64_t e = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x;
    const int64_t m = e / (p.n * p.n), i = e % p.n, j = e / p.n % p.n;

    if (m >= p.batch)
        return;
    const float l = i >= j ? from.a[e] : 0;

    ops_store_any(p.type, p.l, e, p.info[m] == 0 ? l : NAN);
}

OPS_LIBRARY_VARIANT(cholesky_cusolver, CUSOLVER)

ASSAY_WORKSPACE(cholesky_cusolver_workspace)
{
    ops_parts parts = { NULL, 0 };

    (void)place(cholesky_problem_of(args), &parts);
    return parts.used;
}

ASSAY_LAUNCHER(cholesky_cusolver)
{
    const ops_library *const l      = static_cast<const ops_library *>(args->state);
    const cholesky_problem   p      = cholesky_problem_of(args);
    const unsigned           blocks = assay_blocks_for(p.batch * p.n * p.n, BLOCK);
    ops_parts                parts  = { static_cast<unsigned char *>(args->workspace), 0 };
    const batch_memory       memory = place(p, &parts);

    if (l->set_stream(l->handle, stream) != 0)
        return LIBRARY_FAILED;
    copy_kernel<<<blocks, BLOCK, 0, stream>>>(p, memory);
    for (int64_t first = 0; first < p.batch; first += ops_library_batch(p.batch, first))
        if (ops_library_call<potrf_fn *>(l, CALL_POTRF)(l->handle, LOWER_TRIANGLE, p.n,
                                                        memory.a_of + first, p.n, p.info + first,
                                                        ops_library_batch(p.batch, first)) != 0)
            return LIBRARY_FAILED;
    finish_kernel<<<blocks, BLOCK, 0, stream>>>(p, memory);
    return assay_launch_status();
}
