/* eigen, a warp takes a matrix; and possible mistakes. */
#include "../ops/ops_reduce.cuh"
#include "../ops/ops_scale.cuh"
#include "eigen_device.cuh"
#include "eigen_jacobi.cuh"

namespace
{

enum fault {
    NO_FAULT,
    FEW_SWEEPS,
    ABSOLUTE_TOLERANCE,
    UNSORTED,
    UNSORTED_VECTORS
};

/* Returns the largest element, to all lanes. */
__device__ float load(eigen_tile &t, const eigen_problem &p, int64_t m)
{
    const int i       = ops_lane();
    float     largest = 0;

    for (int j = 0; j < p.n && i < p.n; j++) {
        t.a[j][i] = ops_load_any(p.type, p.a, (m * p.n + j) * p.n + i);
        largest   = fmaxf(largest, fabsf(t.a[j][i]));
    }
    return ops_reduce_warp<ops_max>(largest);
}

/* Elements that are near 1 may be left at 2^-27 each. */
template <int FAULT> __device__ float solve(eigen_tile &t, const eigen_problem &p, float largest)
{
    const ops_scale scale     = ops_scale_of(ops_magnitude(largest));
    const bool      is_scaled = FAULT != ABSOLUTE_TOLERANCE;

    for (int j = 0; j < p.n && ops_lane() < p.n && is_scaled; j++)
        t.a[j][ops_lane()] *= scale.up;
    eigen_diagonalize(t, p.n, is_scaled ? 0x1p-27f : 1e-6f,
                      FAULT == FEW_SWEEPS ? 2 : OPS_ROTATE_SWEEPS);
    return is_scaled ? scale.down : 1;
}

/* The number of eigenvalues that come before that of lane j. */
__device__ int rank_of(const eigen_tile &t, int n, int j)
{
    int rank = 0;

    for (int k = 0; k < n && j < n; k++)
        rank += t.a[k][k] < t.a[j][j] || (t.a[k][k] == t.a[j][j] && k < j);
    return rank;
}

template <int FAULT> __global__ void __launch_bounds__(32) jacobi_kernel(eigen_problem p)
{
    __shared__ eigen_tile t;
    const int64_t         m    = blockIdx.x;
    const int             lane = ops_lane();
    const float           down = solve<FAULT>(t, p, load(t, p, m));
    const int             rank = FAULT == UNSORTED ? lane : rank_of(t, p.n, lane);

    if (lane < p.n)
        ops_store_any(p.type, p.w, m * p.n + rank, t.a[lane][lane] * down);
    for (int j = 0; j < p.n; j++) {
        const int to = FAULT == UNSORTED_VECTORS ? j : __shfl_sync(OPS_ALL_LANES, rank, j);

        if (lane < p.n)
            ops_store_any(p.type, p.v, (m * p.n + to) * p.n + lane, t.v[j][lane]);
    }
}

template <int FAULT> int launch(const assay_args *args, assay_stream stream)
{
    const eigen_problem p = eigen_problem_of(args);

    if (p.batch == 0)
        return assay_launch_status();
    jacobi_kernel<FAULT><<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p);
    return assay_launch_status();
}

} // namespace

ASSAY_LAUNCHER(eigen_jacobi) { return launch<NO_FAULT>(args, stream); }

ASSAY_LAUNCHER(eigen_few_sweeps) { return launch<FEW_SWEEPS>(args, stream); }

ASSAY_LAUNCHER(eigen_absolute_tolerance) { return launch<ABSOLUTE_TOLERANCE>(args, stream); }

ASSAY_LAUNCHER(eigen_unsorted) { return launch<UNSORTED>(args, stream); }

ASSAY_LAUNCHER(eigen_unsorted_vectors) { return launch<UNSORTED_VECTORS>(args, stream); }
