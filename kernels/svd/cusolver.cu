/* svd with cuSOLVER's batched Jacobi method. The library works in single precision and gives U as
 * many columns as rows; only the first ones are wanted. It does not say whether it scales: kernels
 * around it do. */
#include "../ops/ops_reduce.cuh"
#include "../ops/ops_scale.cuh"
#include "../ops/ops_solver.cuh"
#include "svd_device.cuh"

static const ops_library_names CUSOLVER = {
    "cuSOLVER",
    "ASSAY_CUSOLVER_LIBRARY",
    { "libcusolver.so.12", "libcusolver.so.11" },
    "cusolverDnCreate",
    "cusolverDnDestroy",
    "cusolverDnSetStream",
    NULL,
    { "cusolverDnCreateGesvdjInfo", "cusolverDnDestroyGesvdjInfo", "cusolverDnXgesvdjSetTolerance",
      "cusolverDnXgesvdjSetMaxSweeps", "cusolverDnXgesvdjSetSortEig",
      "cusolverDnSgesvdjBatched_bufferSize", "cusolverDnSgesvdjBatched", NULL },
};

typedef int size_fn(void *handle, int what, int rows, int columns, const float *a, int lda,
                    const float *s, const float *u, int ldu, const float *v, int ldv, int *n_memory,
                    void *parameters, int batch);
typedef int run_fn(void *handle, int what, int rows, int columns, float *a, int lda, float *s,
                   float *u, int ldu, float *v, int ldv, float *memory, int n_memory, int *info,
                   void *parameters, int batch);

/* Memory that the library works on, and the factors that scale singular values back. */
struct batch_memory {
    float *a, *s, *u, *v, *down;
    int   *info; /* not used: the answer shows whether the rotations have converged */
};

static batch_memory place(const svd_problem &p, ops_parts *parts)
{
    batch_memory memory;

    memory.a    = ops_part<float>(parts, p.batch * p.rows * p.columns);
    memory.s    = ops_part<float>(parts, p.batch * p.columns);
    memory.u    = ops_part<float>(parts, p.batch * p.rows * p.rows);
    memory.v    = ops_part<float>(parts, p.batch * p.columns * p.columns);
    memory.down = ops_part<float>(parts, p.batch);
    memory.info = ops_part<int>(parts, p.batch);
    return memory;
}

/* A warp takes a matrix. */
static __global__ void __launch_bounds__(32) scale_kernel(svd_problem p, batch_memory to)
{
    const int     count   = p.rows * p.columns;
    const int64_t first   = static_cast<int64_t>(blockIdx.x) * count;
    float         largest = 0;

    for (int e = ops_lane(); e < count; e += 32)
        largest = fmaxf(largest, fabsf(ops_load_any(p.type, p.a, first + e)));
    const ops_scale s = ops_scale_of(ops_magnitude(ops_reduce_warp<ops_max>(largest)));

    for (int e = ops_lane(); e < count; e += 32)
        to.a[first + e] = ops_load_any(p.type, p.a, first + e) * s.up;
    if (ops_lane() == 0)
        to.down[blockIdx.x] = s.down;
}

static __global__ void __launch_bounds__(32) finish_kernel(svd_problem p, batch_memory from)
{
    const int     n_u = p.rows * p.columns, n_v = p.columns * p.columns;
    const int64_t m = blockIdx.x;

    for (int e = ops_lane(); e < n_u; e += 32)
        ops_store_any(p.type, p.u, m * n_u + e, from.u[m * p.rows * p.rows + e]);
    for (int e = ops_lane(); e < n_v; e += 32)
        ops_store_any(p.type, p.v, m * n_v + e, from.v[m * n_v + e]);
    if (ops_lane() < p.columns)
        ops_store_any(p.type, p.s, m * p.columns + ops_lane(),
                      from.s[m * p.columns + ops_lane()] * from.down[m]);
}

static int size_of(const ops_solver *s, const assay_args *args, int *n)
{
    const svd_problem p = svd_problem_of(args);

    *n = 0;
    if (p.batch == 0)
        return 0;
    return ops_library_call<size_fn *>(s->library, OPS_SOLVER_SIZE)(
        s->library->handle, OPS_SOLVER_VECTORS, p.rows, p.columns, NULL, p.rows, NULL, NULL, p.rows,
        NULL, p.columns, n, s->parameters, ops_library_batch(p.batch, 0));
}

/* Runs as many matrices of the batch as one call takes, from `first` on. */
static int run_part(const ops_solver *s, const svd_problem &p, const batch_memory &at,
                    int64_t first)
{
    return ops_library_call<run_fn *>(s->library, OPS_SOLVER_RUN)(
        s->library->handle, OPS_SOLVER_VECTORS, p.rows, p.columns,
        at.a + first * p.rows * p.columns, p.rows, at.s + first * p.columns,
        at.u + first * p.rows * p.rows, p.rows, at.v + first * p.columns * p.columns, p.columns,
        s->memory, s->n_memory, at.info + first, s->parameters, ops_library_batch(p.batch, first));
}

ASSAY_EXPORT int svd_cusolver_setup(const assay_args *args, void **state)
{
    return ops_solver_setup(CUSOLVER, args, size_of, state);
}

ASSAY_EXPORT void svd_cusolver_teardown(void *state) { ops_solver_teardown(state); }

ASSAY_WORKSPACE(svd_cusolver_workspace)
{
    ops_parts parts = { NULL, 0 };

    (void)place(svd_problem_of(args), &parts);
    return parts.used;
}

ASSAY_LAUNCHER(svd_cusolver)
{
    const ops_solver *const s      = static_cast<const ops_solver *>(args->state);
    const svd_problem       p      = svd_problem_of(args);
    ops_parts               parts  = { static_cast<unsigned char *>(args->workspace), 0 };
    const batch_memory      memory = place(p, &parts);

    if (s->library->set_stream(s->library->handle, stream) != 0)
        return OPS_SOLVER_FAILED;
    if (p.batch == 0)
        return assay_launch_status();
    scale_kernel<<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p, memory);
    for (int64_t first = 0; first < p.batch; first += ops_library_batch(p.batch, first))
        if (run_part(s, p, memory, first) != 0)
            return OPS_SOLVER_FAILED;
    finish_kernel<<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p, memory);
    return assay_launch_status();
}
