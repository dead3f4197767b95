/* A matrix of svd in the shared memory of a warp: how it is loaded, and what follows once its
 * columns are orthogonal. */
#ifndef ASSAY_SVD_TILE_CUH
#define ASSAY_SVD_TILE_CUH

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_rotate.cuh"
#include "../ops/ops_scale.cuh"
#include "svd_device.cuh"

/* u[j] and v[j] are columns: u begins as A and becomes A V. */
struct svd_tile {
    float u[OPS_ROTATE_COLUMNS][OPS_ROTATE_LD], v[OPS_ROTATE_COLUMNS][OPS_ROTATE_LD];
    float s[OPS_ROTATE_COLUMNS];
};

/* The square of a column that counts as 0, in a matrix whose largest element is near 1. */
__device__ inline float svd_zero(void) { return 0x1p-60f; }

__device__ inline float svd_product(const float *x, const float *y, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum = fmaf(x[i], y[i], sum);
    return sum;
}

/* Loads A, scaled so that its largest element is near 1 unless it is to stay as it is, and sets V =
 * 1. Returns the factor for the singular values. */
__device__ inline float svd_load(svd_tile &t, const svd_problem &p, int64_t m, bool is_scaled)
{
    const int i       = ops_lane();
    float     largest = 0;

    for (int j = 0; j < p.columns && i < p.rows; j++) {
        t.u[j][i] = ops_load_any(p.type, p.a, (m * p.columns + j) * p.rows + i);
        largest   = fmaxf(largest, fabsf(t.u[j][i]));
    }
    const ops_scale scale = ops_scale_of(ops_magnitude(ops_reduce_warp<ops_max>(largest)));

    for (int j = 0; j < p.columns; j++) {
        if (i < p.rows && is_scaled)
            t.u[j][i] *= scale.up;
        t.v[j][i] = i == j ? 1 : 0;
    }
    __syncwarp();
    return is_scaled ? scale.down : 1;
}

/* Makes column j a direction that is orthogonal to all columns of `done`. The rest of the best unit
 * vector is at least 1 / sqrt(rows) long, so that twice is enough. */
__device__ inline void svd_complete(svd_tile &t, int rows, int columns, int j, unsigned done)
{
    const int i    = ops_lane();
    float     left = i < rows ? 1 : -1;

    for (int k = 0; k < columns && i < rows; k++)
        if (done >> k & 1)
            left = fmaf(-t.u[k][i], t.u[k][i], left);
    const float    most = ops_reduce_warp<ops_max>(left);
    const unsigned best = __ballot_sync(OPS_ALL_LANES, left == most);
    float          x    = i == __ffs(static_cast<int>(best)) - 1 ? 1 : 0;

    for (int k = 0; k < 2 * columns; k++)
        if (done >> k % columns & 1) {
            const float u = i < rows ? t.u[k % columns][i] : 0;

            x = fmaf(-ops_reduce_warp<ops_add>(x * u), u, x);
        }
    const float length = sqrtf(ops_reduce_warp<ops_add>(x * x));

    if (i < rows)
        t.u[j][i] = x / length;
}

/* Makes U from columns that are orthogonal and t.s long. From here on each lane has rows of its
 * own. */
__device__ inline void svd_normalize(svd_tile &t, int rows, int columns, bool is_completed)
{
    const int  i       = ops_lane();
    const bool is_long = i < columns && t.s[i] * t.s[i] > svd_zero();
    unsigned   done    = __ballot_sync(OPS_ALL_LANES, is_long);

    for (int j = 0; j < columns; j++)
        if ((done >> j & 1) && i < rows)
            t.u[j][i] /= t.s[j];
    for (int j = 0; j < columns && is_completed; j++)
        if (!(done >> j & 1)) {
            svd_complete(t, rows, columns, j, done);
            done |= 1u << j;
        }
}

/* From the largest singular value on; NaN come first. */
__device__ inline void svd_store(const svd_tile &t, const svd_problem &p, int64_t m, float down)
{
    const int      i    = ops_lane();
    const unsigned mine = i < p.columns ? ops_magnitude(t.s[i]) : 0;
    int            rank = 0;

    for (int k = 0; k < p.columns; k++)
        rank += ops_magnitude(t.s[k]) > mine || (ops_magnitude(t.s[k]) == mine && k < i);
    if (i < p.columns)
        ops_store_any(p.type, p.s, m * p.columns + rank, t.s[i] * down);
    for (int j = 0; j < p.columns; j++) {
        const int64_t to = m * p.columns + __shfl_sync(OPS_ALL_LANES, rank, j);

        if (i < p.rows)
            ops_store_any(p.type, p.u, to * p.rows + i, t.u[j][i]);
        if (i < p.columns)
            ops_store_any(p.type, p.v, to * p.columns + i, t.v[j][i]);
    }
}

#endif
