/* cholesky, a warp takes a matrix: each lane keeps one or two rows in registers, and columns of L
 * go through shared memory. */
#include "../ops/ops_rows.cuh"
#include "cholesky_device.cuh"

enum {
    TUNE_WARPS,
    MAX_THREADS = 256
};

namespace
{

/* The matrix that a warp works on. It has memory for two columns, since others may still read the
 * previous one. */
struct work {
    float  *column;
    int     k;     /* the next column; if its pivot is not above 0: minus its number, from 1 */
    int64_t first; /* element of L where the matrix begins */
};

template <int ROWS> __device__ float *column_of(const work &w)
{
    return w.column + w.k % 2 * ops_lines<ROWS>::WIDTH;
}

/* The pivot is the first number of row k. */
template <int ROWS> __device__ float pivot_of(const ops_lines<ROWS> &r, int k)
{
    float pivot = r.a[0][0];

#pragma unroll
    for (int s = 1; s < ROWS; s++)
        pivot = k >= 32 * s ? r.a[s][0] : pivot;
    return __shfl_sync(OPS_ALL_LANES, pivot, k % 32);
}

/* Stores column k of L, and gives it to the other lanes; rows before k are 0 in it. */
template <int ROWS> __device__ void make_column(ops_lines<ROWS> &r, const cholesky_problem &p,
                                                const work &w, float root, float *l)
{
    float *const to = column_of<ROWS>(w);

#pragma unroll
    for (int s = 0; s < ROWS; s++) {
        const int i = ops_lane() + 32 * s;

        l[s] = i > w.k ? r.a[s][0] / root : i == w.k ? root : 0;
        if (i >= w.k)
            to[i - w.k] = l[s];
        if (i < p.n)
            ops_store_any(p.type, p.l, w.first + static_cast<int64_t>(w.k) * p.n + i, l[s]);
    }
    __syncwarp();
}

/* Each row loses its products with the column, and moves one place to the left. Only the first
 * WIDTH places hold numbers of the matrix. */
template <int WIDTH, int ROWS>
__device__ void update(ops_lines<ROWS> &r, const work &w, const float *l)
{
    const float4 *const from = reinterpret_cast<const float4 *>(column_of<ROWS>(w));

#pragma unroll
    for (int j = 0; j < WIDTH; j += 4) {
        const float4 four = from[j / 4];

#pragma unroll
        for (int s = 0; s < ROWS; s++) {
            if (j > 0)
                r.a[s][j - 1] = fmaf(-l[s], four.x, r.a[s][j]);
            r.a[s][j]     = fmaf(-l[s], four.y, r.a[s][j + 1]);
            r.a[s][j + 1] = fmaf(-l[s], four.z, r.a[s][j + 2]);
            r.a[s][j + 2] = fmaf(-l[s], four.w, r.a[s][j + 3]);
        }
    }
#pragma unroll
    for (int s = 0; s < ROWS; s++)
        r.a[s][WIDTH - 1] = 0;
}

/* Does the columns from w.k on, until `rest` are left. */
template <int WIDTH, int ROWS>
__device__ void columns(ops_lines<ROWS> &r, const cholesky_problem &p, work &w, int rest)
{
    float l[ROWS];

    while (w.k >= 0 && p.n - w.k > rest) {
        const float pivot = pivot_of(r, w.k);

        if (!(pivot > 0)) {
            w.k = -w.k - 1;
            return;
        }
        make_column(r, p, w, sqrtf(pivot), l);
        update<WIDTH>(r, w, l);
        w.k++;
    }
}

/* The fewer columns are left, the fewer places of a row are used. */
__device__ void all_columns(ops_lines<1> &r, const cholesky_problem &p, work &w)
{
    columns<32>(r, p, w, 16);
    columns<16>(r, p, w, 8);
    columns<8>(r, p, w, 0);
}

__device__ void all_columns(ops_lines<2> &r, const cholesky_problem &p, work &w)
{
    columns<64>(r, p, w, 48);
    columns<48>(r, p, w, 32);
    columns<32>(r, p, w, 16);
    columns<16>(r, p, w, 0);
}

template <int ROWS> __global__ void __launch_bounds__(MAX_THREADS) warp_kernel(cholesky_problem p)
{
    __shared__ float4 columns_of_warps[MAX_THREADS / 32][2 * ops_lines<ROWS>::WIDTH / 4];
    const int64_t     m = static_cast<int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    const int         square = p.n * p.n;
    ops_lines<ROWS>   r;
    work              w = { NULL, 0, m * square };

    if (m >= p.batch)
        return;
    w.column = reinterpret_cast<float *>(columns_of_warps[threadIdx.x / 32]);
    /* Places that no row of the matrix writes are also read, but never used. */
    for (int j = ops_lane(); j < 2 * ops_lines<ROWS>::WIDTH; j += 32)
        w.column[j] = 0;
    __syncwarp();
    ops_load_lines(r, p.type, p.a, w.first, p.n, p.n, 1, p.n);
    all_columns(r, p, w);
    if (ops_lane() == 0)
        p.info[m] = w.k < 0 ? -w.k : 0;
    __syncwarp(); /* what is reported overwrites what other lanes have stored */
    for (int e = ops_lane(); w.k < 0 && e < square; e += 32)
        ops_store_any(p.type, p.l, w.first + e, NAN);
}

} // namespace

ASSAY_LAUNCHER(cholesky_warp)
{
    const cholesky_problem p      = cholesky_problem_of(args);
    const unsigned         warps  = static_cast<unsigned>(args->tune[TUNE_WARPS]);
    const unsigned         blocks = assay_blocks_for(p.batch, warps);

    if (p.n <= 32)
        warp_kernel<1><<<blocks, 32 * warps, 0, stream>>>(p);
    else
        warp_kernel<2><<<blocks, 32 * warps, 0, stream>>>(p);
    return assay_launch_status();
}
