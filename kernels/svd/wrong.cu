/* svd by the eigenvalues of A'A in single precision: a mistake. Everything else is done right, so
 * that only the square loses accuracy. */
#include "../eigen/eigen_jacobi.cuh"
#include "svd_tile.cuh"

namespace
{

/* Lane j computes column j of A'A. */
__device__ float make_square(eigen_tile &e, const svd_tile &t, const svd_problem &p)
{
    const int j = ops_lane();

    for (int k = 0; k < p.columns && j < p.columns; k++)
        e.a[j][k] = svd_product(t.u[min(j, k)], t.u[max(j, k)], p.rows);
    __syncwarp();
    return ops_reduce_warp<ops_max>(j < p.columns ? e.a[j][j] : 0);
}

/* Lane i computes row i of U = A V. */
__device__ void make_left(eigen_tile &e, svd_tile &t, const svd_problem &p)
{
    const int i = ops_lane();

    for (int j = 0; j < p.columns && i < p.rows; j++) {
        float sum = 0;

        for (int k = 0; k < p.columns; k++)
            sum = fmaf(t.u[k][i], e.v[j][k], sum);
        e.a[j][i] = sum;
    }
    __syncwarp();
    for (int j = 0; j < p.columns; j++) {
        if (i < p.rows)
            t.u[j][i] = e.a[j][i];
        if (i < p.columns)
            t.v[j][i] = e.v[j][i];
    }
    __syncwarp();
}

__global__ void __launch_bounds__(32) of_square_kernel(svd_problem p)
{
    __shared__ eigen_tile e;
    __shared__ svd_tile   t;
    const int64_t         m    = blockIdx.x;
    const int             j    = ops_lane();
    const float           down = svd_load(t, p, m, true);

    eigen_diagonalize(e, p.columns, 0x1p-27f * make_square(e, t, p), OPS_ROTATE_SWEEPS);
    if (j < p.columns)
        t.s[j] = sqrtf(fmaxf(e.a[j][j], 0));
    __syncwarp();
    make_left(e, t, p);
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
