/* eigen with cuSOLVER's batched Jacobi method. The library works in place, in single precision, and
 * leaves the vectors in the memory of A. It does not say whether it scales: kernels around it
 * do. */
#include "../ops/ops_reduce.cuh"
#include "../ops/ops_scale.cuh"
#include "../ops/ops_solver.cuh"
#include "eigen_device.cuh"

static const ops_library_names CUSOLVER = {
    "cuSOLVER",
    "ASSAY_CUSOLVER_LIBRARY",
    { "libcusolver.so.12", "libcusolver.so.11" },
    "cusolverDnCreate",
    "cusolverDnDestroy",
    "cusolverDnSetStream",
    NULL,
    { "cusolverDnCreateSyevjInfo", "cusolverDnDestroySyevjInfo", "cusolverDnXsyevjSetTolerance",
      "cusolverDnXsyevjSetMaxSweeps", "cusolverDnXsyevjSetSortEig",
      "cusolverDnSsyevjBatched_bufferSize", "cusolverDnSsyevjBatched", NULL },
};

typedef int size_fn(void *handle, int what, int triangle, int n, const float *a, int lda,
                    const float *w, int *n_memory, void *parameters, int batch);
typedef int run_fn(void *handle, int what, int triangle, int n, float *a, int lda, float *w,
                   float *memory, int n_memory, int *info, void *parameters, int batch);

enum {
    LOWER_TRIANGLE = 0
};

/* Memory that the library works on, and the factors that scale eigenvalues back. */
struct batch_memory {
    float *a, *w, *down;
    int   *info; /* not used: the answer shows whether the rotations have converged */
};

static batch_memory place(const eigen_problem &p, ops_parts *parts)
{
    batch_memory memory;

    memory.a    = ops_part<float>(parts, p.batch * p.n * p.n);
    memory.w    = ops_part<float>(parts, p.batch * p.n);
    memory.down = ops_part<float>(parts, p.batch);
    memory.info = ops_part<int>(parts, p.batch);
    return memory;
}

/* A warp takes a matrix, a lane a row. */
static __global__ void __launch_bounds__(32) scale_kernel(eigen_problem p, batch_memory to)
{
    const int64_t first   = static_cast<int64_t>(blockIdx.x) * p.n * p.n;
    float         largest = 0;

    for (int e = ops_lane(); e < p.n * p.n; e += 32)
        largest = fmaxf(largest, fabsf(ops_load_any(p.type, p.a, first + e)));
    const ops_scale s = ops_scale_of(ops_magnitude(ops_reduce_warp<ops_max>(largest)));

    for (int e = ops_lane(); e < p.n * p.n; e += 32)
        to.a[first + e] = ops_load_any(p.type, p.a, first + e) * s.up;
    if (ops_lane() == 0)
        to.down[blockIdx.x] = s.down;
}

static __global__ void __launch_bounds__(32) finish_kernel(eigen_problem p, batch_memory from)
{
    const int64_t m = blockIdx.x;

    for (int e = ops_lane(); e < p.n * p.n; e += 32)
        ops_store_any(p.type, p.v, m * p.n * p.n + e, from.a[m * p.n * p.n + e]);
    if (ops_lane() < p.n)
        ops_store_any(p.type, p.w, m * p.n + ops_lane(),
                      from.w[m * p.n + ops_lane()] * from.down[m]);
}

static int size_of(const ops_solver *s, const assay_args *args, int *n)
{
    const eigen_problem p = eigen_problem_of(args);

    *n = 0;
    if (p.batch == 0)
        return 0;
    return ops_library_call<size_fn *>(s->library, OPS_SOLVER_SIZE)(
        s->library->handle, OPS_SOLVER_VECTORS, LOWER_TRIANGLE, p.n, NULL, p.n, NULL, n,
        s->parameters, ops_library_batch(p.batch, 0));
}

ASSAY_EXPORT int eigen_cusolver_setup(const assay_args *args, void **state)
{
    return ops_solver_setup(CUSOLVER, args, size_of, state);
}

ASSAY_EXPORT void eigen_cusolver_teardown(void *state) { ops_solver_teardown(state); }

ASSAY_WORKSPACE(eigen_cusolver_workspace)
{
    ops_parts parts = { NULL, 0 };

    (void)place(eigen_problem_of(args), &parts);
    return parts.used;
}

ASSAY_LAUNCHER(eigen_cusolver)
{
    const ops_solver *const s      = static_cast<const ops_solver *>(args->state);
    const eigen_problem     p      = eigen_problem_of(args);
    ops_parts               parts  = { static_cast<unsigned char *>(args->workspace), 0 };
    const batch_memory      memory = place(p, &parts);

    if (s->library->set_stream(s->library->handle, stream) != 0)
        return OPS_SOLVER_FAILED;
    if (p.batch == 0)
        return assay_launch_status();
    scale_kernel<<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p, memory);
    for (int64_t first = 0; first < p.batch; first += ops_library_batch(p.batch, first))
        if (ops_library_call<run_fn *>(s->library, OPS_SOLVER_RUN)(
                s->library->handle, OPS_SOLVER_VECTORS, LOWER_TRIANGLE, p.n,
                memory.a + first * p.n * p.n, p.n, memory.w + first * p.n, s->memory, s->n_memory,
                memory.info + first, s->parameters, ops_library_batch(p.batch, first)) != 0)
            return OPS_SOLVER_FAILED;
    finish_kernel<<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p, memory);
    return assay_launch_status();
}
