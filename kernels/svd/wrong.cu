/* svd by the eigenvalues of A'A in single precision: a mistake. Everything else is done right, so
 * that only the square loses accuracy. */
#include "../eigen/eigen_jacobi.cuh"
#include "svd_tile.cuh"

namespace
{

typedef eigen_row<OPS_ROTATE_COLUMNS>       square_row;
typedef eigen_rotations<OPS_ROTATE_COLUMNS> square_rotations;

/* Lane j computes row j of A'A. Returns the largest element, which is on the diagonal. */
__device__ float make_square(square_row &row, const svd_tile &t, const svd_problem &p)
{
    const int j = row.at = ops_lane();

    row.diagonal = j < p.columns ? svd_product(t.u[j], t.u[j], p.rows) : 0;
    for (int k = 0; k < OPS_ROTATE_COLUMNS; k++)
        row.a[k] = max(j, k) < p.columns ? svd_product(t.u[min(j, k)], t.u[max(j, k)], p.rows) : 0;
    return ops_reduce_warp<ops_max>(row.diagonal);
}

/* Puts V's columns in their order into the tile, and U = A V. Lane i has row i of both. */
__device__ void make_vectors(const square_row &row, svd_tile &t, const svd_problem &p,
                             bool is_reversed)
{
    const int i = ops_lane();
    float     u[OPS_ROTATE_COLUMNS];

    for (int place = 0; place < OPS_ROTATE_COLUMNS; place++) {
        const int j = eigen_column<OPS_ROTATE_COLUMNS>(place, is_reversed);

        if (j < p.columns)
            t.v[j][i] = row.v[place];
    }
    __syncwarp();
    for (int j = 0; j < p.columns && i < p.rows; j++) {
        u[j] = 0;
        for (int k = 0; k < p.columns; k++)
            u[j] = fmaf(t.u[k][i], t.v[j][k], u[j]);
    }
    __syncwarp();
    for (int j = 0; j < p.columns && i < p.rows; j++)
        t.u[j][i] = u[j];
    __syncwarp();
}

__global__ void __launch_bounds__(32) of_square_kernel(svd_problem p)
{
    __shared__ square_rotations rotations;
    __shared__ svd_tile         t;
    const int64_t               m    = blockIdx.x;
    const float                 down = svd_load(t, p, m, true);
    square_row                  row;

    const float small       = 0x1p-27f * make_square(row, t, p);
    const bool  is_reversed = eigen_diagonalize(row, rotations, small, OPS_ROTATE_SWEEPS);
    const int   j           = eigen_column<OPS_ROTATE_COLUMNS>(row.at, is_reversed);

    if (j < p.columns)
        t.s[j] = sqrtf(fmaxf(row.diagonal, 0));
    make_vectors(row, t, p, is_reversed);
    svd_normalize(t, p.rows, p.columns, true);
    svd_store(t, p, m, down);
}

} // namespace

ASSAY_LAUNCHER(svd_of_square)
{
    const svd_problem p = svd_problem_of(args);

    if (p.batch == 0)
        return assay_launch_status();
    of_square_kernel<<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p);
    return assay_launch_status();
}
