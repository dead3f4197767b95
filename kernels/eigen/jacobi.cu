/* eigen, a lane takes a row, a warp one to four matrices; and possible mistakes. */
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

/* Row `at` of matrix m; its largest magnitude, to all lanes of the group. Rows and columns beyond
 * the matrix are 0. */
template <int N> __device__ float load(eigen_row<N> &row, const eigen_problem &p, int64_t m)
{
    const bool is_there = m < p.batch && row.at < p.n;
    float      largest  = 0;

#pragma unroll
    for (int j = 0; j < N; j++) {
        row.a[j] =
            is_there && j < p.n ? ops_load_any(p.type, p.a, (m * p.n + j) * p.n + row.at) : 0;
        largest = fmaxf(largest, fabsf(row.a[j]));
    }
    row.diagonal = is_there ? ops_load_any(p.type, p.a, (m * p.n + row.at) * p.n + row.at) : 0;
    return ops_reduce_warp<ops_max, N>(largest);
}

template <int N> __device__ void scale_by(eigen_row<N> &row, float factor)
{
#pragma unroll
    for (int j = 0; j < N; j++)
        row.a[j] *= factor;
    row.diagonal *= factor;
}

/* The number of eigenvalues that come before this lane's. */
template <int N> __device__ int rank_of(const eigen_row<N> &row)
{
    int rank = 0;

#pragma unroll
    for (int k = 0; k < N; k++) {
        const float other = __shfl_sync(OPS_ALL_LANES, row.diagonal, k, N);

        rank += other < row.diagonal || (other == row.diagonal && k < row.at);
    }
    return rank;
}

template <int N, int FAULT> __device__ void store(const eigen_row<N> &row, const eigen_problem &p,
                                                  int64_t m, int rank, float value)
{
    const bool is_there = m < p.batch;

    if (is_there && rank < p.n)
        ops_store_any(p.type, p.w, m * p.n + rank, value);
#pragma unroll
    for (int j = 0; j < N; j++) {
        const int to = FAULT == UNSORTED_VECTORS ? j : __shfl_sync(OPS_ALL_LANES, rank, j, N);

        if (is_there && to < p.n && row.at < p.n)
            ops_store_any(p.type, p.v, (m * p.n + to) * p.n + row.at, row.v[j]);
    }
}

/* Elements that are near 1 may be left at 2^-27 each. */
template <int N, int FAULT> __global__ void __launch_bounds__(32) jacobi_kernel(eigen_problem p)
{
    __shared__ eigen_rotations<N> rotations;
    const bool                    is_scaled = FAULT != ABSOLUTE_TOLERANCE;
    const int64_t m = static_cast<int64_t>(blockIdx.x) * (32 / N) + eigen_group<N>();
    eigen_row<N>  row;

    row.at                  = ops_lane() % N;
    const float     largest = load<N>(row, p, m);
    const ops_scale scale   = ops_scale_of(ops_magnitude(largest));

    if (is_scaled)
        scale_by<N>(row, scale.up);
    const bool  is_reversed = eigen_diagonalize<N>(row, rotations, is_scaled ? 0x1p-27f : 1e-6f,
                                                  FAULT == FEW_SWEEPS ? 2 : OPS_ROTATE_SWEEPS);
    const int   column      = eigen_column<N>(row.at, is_reversed);
    const float value       = row.diagonal * (is_scaled ? scale.down : 1);

    if (column >= p.n)
        row.diagonal = INFINITY; /* columns beyond the matrix come last */
    store<N, FAULT>(row, p, m, FAULT == UNSORTED ? column : rank_of<N>(row), value);
}

template <int N, int FAULT> void launch_rows(const eigen_problem &p, assay_stream stream)
{
    jacobi_kernel<N, FAULT><<<assay_blocks_for(p.batch, 32 / N), 32, 0, stream>>>(p);
}

template <int FAULT> int launch(const assay_args *args, assay_stream stream)
{
    const eigen_problem p = eigen_problem_of(args);

    if (p.batch == 0)
        return assay_launch_status();
    if (p.n <= 8)
        launch_rows<8, FAULT>(p, stream);
    else if (p.n <= 16)
        launch_rows<16, FAULT>(p, stream);
    else
        launch_rows<32, FAULT>(p, stream);
    return assay_launch_status();
}

} // namespace

ASSAY_LAUNCHER(eigen_jacobi) { return launch<NO_FAULT>(args, stream); }

ASSAY_LAUNCHER(eigen_few_sweeps) { return launch<FEW_SWEEPS>(args, stream); }

ASSAY_LAUNCHER(eigen_absolute_tolerance) { return launch<ABSOLUTE_TOLERANCE>(args, stream); }

ASSAY_LAUNCHER(eigen_unsorted) { return launch<UNSORTED>(args, stream); }

ASSAY_LAUNCHER(eigen_unsorted_vectors) { return launch<UNSORTED_VECTORS>(args, stream); }
