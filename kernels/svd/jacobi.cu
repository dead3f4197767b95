/* svd, a warp takes a matrix: pairs of columns are rotated until all are orthogonal, which never
 * forms A'A; and possible mistakes. */
#include "svd_tile.cuh"

namespace
{

enum fault {
    NO_FAULT,
    FEW_SWEEPS,
    UNSCALED,
    ZERO_VECTORS
};

/* How far from orthogonal two columns may be: above the rounding errors of their product. */
__device__ float small(void) { return 0x1p-21f; }

__device__ void rotate(ops_rotation r, float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        ops_rotate(r, &x[i], &y[i]);
}

/* Makes a pair of columns orthogonal, by one lane. Returns whether there was something to
 * rotate. */
__device__ bool make_orthogonal(svd_tile &t, const svd_problem &p, ops_pair pair)
{
    const float pp = svd_product(t.u[pair.p], t.u[pair.p], p.rows);
    const float qq = svd_product(t.u[pair.q], t.u[pair.q], p.rows);
    const float pq = svd_product(t.u[pair.p], t.u[pair.q], p.rows);

    if (pp <= svd_zero() || qq <= svd_zero() || !(fabsf(pq) > small() * sqrtf(pp) * sqrtf(qq)))
        return false;
    const ops_rotation r = ops_rotation_of(pp, pq, qq);

    rotate(r, t.u[pair.p], t.u[pair.q], p.rows);
    rotate(r, t.v[pair.p], t.v[pair.q], p.columns);
    return true;
}

__device__ void make_all_orthogonal(svd_tile &t, const svd_problem &p, int sweeps)
{
    const int k           = ops_lane();
    bool      has_rotated = true;

    for (int sweep = 0; sweep < sweeps && __any_sync(OPS_ALL_LANES, has_rotated); sweep++) {
        has_rotated = false;
        for (int round = 0; round < ops_rotate_rounds(p.columns); round++) {
            const ops_pair pair = ops_rotate_pair(p.columns, round, k);

            if (k < ops_rotate_even(p.columns) / 2 && pair.is_there)
                has_rotated |= make_orthogonal(t, p, pair);
            __syncwarp();
        }
    }
}

template <int FAULT> __global__ void __launch_bounds__(32) jacobi_kernel(svd_problem p)
{
    __shared__ svd_tile t;
    const int64_t       m    = blockIdx.x;
    const int           j    = ops_lane();
    const float         down = svd_load(t, p, m, FAULT != UNSCALED);

    make_all_orthogonal(t, p, FAULT == FEW_SWEEPS ? 2 : OPS_ROTATE_SWEEPS);
    if (j < p.columns)
        t.s[j] = sqrtf(svd_product(t.u[j], t.u[j], p.rows));
    __syncwarp();
    svd_normalize(t, p.rows, p.columns, FAULT != ZERO_VECTORS);
    svd_store(t, p, m, down);
}

template <int FAULT> int launch(const assay_args *args, assay_stream stream)
{
    const svd_problem p = svd_problem_of(args);

    if (p.batch == 0)
        return assay_launch_status();
    jacobi_kernel<FAULT><<<assay_blocks_for(p.batch, 1), 32, 0, stream>>>(p);
    return assay_launch_status();
}

} // namespace

ASSAY_LAUNCHER(svd_jacobi) { return launch<NO_FAULT>(args, stream); }

ASSAY_LAUNCHER(svd_few_sweeps) { return launch<FEW_SWEEPS>(args, stream); }

ASSAY_LAUNCHER(svd_unscaled) { return launch<UNSCALED>(args, stream); }

ASSAY_LAUNCHER(svd_zero_vectors) { return launch<ZERO_VECTORS>(args, stream); }
