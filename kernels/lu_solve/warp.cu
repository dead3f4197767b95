/* lu_solve, a warp takes a matrix: each lane keeps one or two rows in registers. Rows are not
 * exchanged: each records whether it was a pivot's. */
#include "../ops/ops_rows.cuh"
#include "lu_device.cuh"

enum {
    TUNE_WARPS,
    MAX_THREADS = 256
};

namespace
{

/* Row lane, and row lane + 32, with their right-hand sides. */
template <int ROWS> struct rows {
    ops_lines<ROWS> m;
    float           y[ROWS];
    bool            is_used[ROWS]; /* was a pivot's row, or is no row of the matrix */
};

template <int ROWS> __device__ void load(rows<ROWS> &r, const lu_problem &p, int64_t m)
{
    ops_load_lines(r.m, p.type, p.a, m * p.n * p.n, p.n, p.n, 1, p.n);
#pragma unroll
    for (int s = 0; s < ROWS; s++) {
        const int i = ops_lane() + 32 * s;

        r.is_used[s] = i >= p.n;
        r.y[s]       = i < p.n ? ops_load_any(p.type, p.b, m * p.n + i) : 0;
    }
}

template <int ROWS> __device__ float threshold_of(const rows<ROWS> &r, int n)
{
    unsigned largest = 0;

#pragma unroll
    for (int s = 0; s < ROWS; s++)
#pragma unroll
        for (int j = 0; j < ops_lines<ROWS>::WIDTH; j++)
            largest = max(largest, ops_magnitude(r.m.a[s][j]));
    return lu_threshold(n, __uint_as_float(__reduce_max_sync(OPS_ALL_LANES, largest)));
}

/* The place of the largest number among the rows that were no pivot's: its lane, and which of the
 * lane's rows. */
struct place {
    float value; /* its magnitude */
    int   lane, row;
};

template <int ROWS> __device__ place find_pivot(const rows<ROWS> &r, int j)
{
    unsigned best = 0;
    place    at   = { 0, -1, 0 };

#pragma unroll
    for (int s = 0; s < ROWS; s++)
        best = max(best, r.is_used[s] ? 0u : ops_magnitude(r.m.a[s][j]));
    best     = __reduce_max_sync(OPS_ALL_LANES, best);
    at.value = __uint_as_float(best);
#pragma unroll
    for (int s = ROWS - 1; s >= 0; s--) {
        const unsigned here =
            __ballot_sync(OPS_ALL_LANES, !r.is_used[s] && ops_magnitude(r.m.a[s][j]) == best);

        at.row  = here != 0 ? s : at.row;
        at.lane = here != 0 ? __ffs(static_cast<int>(here)) - 1 : at.lane;
    }
    return at;
}

__device__ void store(const lu_problem &p, int64_t m, int i, float x)
{
    if (i < p.n)
        ops_store_any(p.type, p.x, m * p.n + i, x);
}

template <int ROWS> __device__ void report(const lu_problem &p, int64_t m, int info)
{
    if (ops_lane() == 0)
        p.info[m] = info;
    for (int s = 0; s < ROWS && info != 0; s++)
        store(p, m, ops_lane() + 32 * s, NAN);
}

/* ---- rows of pivots by shared memory ---- */

/* Rows of U of one warp, and beside them what b has become. Row k begins at its diagonal, so that a
 * column of U lies in different banks; registers are numbered from there, too. */
struct triangle {
    float *u, *y;
};

template <int WIDTH, int ROWS>
__device__ void publish(const rows<ROWS> &r, const place &at, const triangle &t, int k)
{
    float4 *const to = reinterpret_cast<float4 *>(t.u + k * ops_lines<ROWS>::WIDTH);

#pragma unroll
    for (int s = 0; s < ROWS; s++) {
        if (ops_lane() != at.lane || s != at.row)
            continue;
#pragma unroll
        for (int j = 0; j < WIDTH; j += 4)
            to[j / 4] = make_float4(r.m.a[s][j], r.m.a[s][j + 1], r.m.a[s][j + 2], r.m.a[s][j + 3]);
        t.y[k] = r.y[s];
    }
    __syncwarp();
}

/* Each row loses its multiple of row k, and moves one place to the left. Only the first WIDTH
 * places hold numbers of the matrix. */
template <int WIDTH, int ROWS>
__device__ void eliminate(rows<ROWS> &r, const place &at, const triangle &t, int k)
{
    const float4 *const from = reinterpret_cast<const float4 *>(t.u + k * ops_lines<ROWS>::WIDTH);
    float               factor[ROWS], y = t.y[k];

#pragma unroll
    for (int s = 0; s < ROWS; s++) {
        r.is_used[s] = r.is_used[s] || (ops_lane() == at.lane && s == at.row);
        factor[s]    = r.is_used[s] ? 0 : r.m.a[s][0] / from[0].x;
        r.y[s]       = fmaf(-factor[s], y, r.y[s]);
    }
#pragma unroll
    for (int j = 0; j < WIDTH; j += 4) {
        const float4 four = from[j / 4];

#pragma unroll
        for (int s = 0; s < ROWS; s++) {
            if (j > 0)
                r.m.a[s][j - 1] = fmaf(-factor[s], four.x, r.m.a[s][j]);
            r.m.a[s][j]     = fmaf(-factor[s], four.y, r.m.a[s][j + 1]);
            r.m.a[s][j + 1] = fmaf(-factor[s], four.z, r.m.a[s][j + 2]);
            r.m.a[s][j + 2] = fmaf(-factor[s], four.w, r.m.a[s][j + 3]);
        }
    }
#pragma unroll
    for (int s = 0; s < ROWS; s++)
        r.m.a[s][WIDTH - 1] = 0;
}

/* Does columns from k on, until `rest` are left. Returns the next one; or, after a pivot that is
 * too small, minus the number of its column, counted from 1. */
template <int WIDTH, int ROWS>
__device__ int columns(rows<ROWS> &r, const triangle &t, int n, int rest, float threshold, int k)
{
    for (; k >= 0 && n - k > rest; k++) {
        const place at = find_pivot(r, 0);

        if (!(at.value > threshold))
            return -k - 1;
        publish<WIDTH>(r, at, t, k);
        eliminate<WIDTH>(r, at, t, k);
    }
    return k;
}

/* The fewer columns are left, the fewer places of a row are used. */
__device__ int all_columns(rows<1> &r, const triangle &t, int n, float threshold)
{
    int k = columns<32>(r, t, n, 24, threshold, 0);

    k = columns<24>(r, t, n, 16, threshold, k);
    k = columns<16>(r, t, n, 8, threshold, k);
    return columns<8>(r, t, n, 0, threshold, k);
}

__device__ int all_columns(rows<2> &r, const triangle &t, int n, float threshold)
{
    int k = columns<64>(r, t, n, 48, threshold, 0);

    k = columns<48>(r, t, n, 32, threshold, k);
    k = columns<32>(r, t, n, 16, threshold, k);
    k = columns<16>(r, t, n, 8, threshold, k);
    return columns<8>(r, t, n, 0, threshold, k);
}

/* Lane i has row i and row i + 32 of U. */
template <int ROWS> __device__ void substitute(const triangle &t, const lu_problem &p, int64_t m)
{
    const int lane = ops_lane();
    float     y[ROWS], diagonal[ROWS];

#pragma unroll
    for (int s = 0; s < ROWS; s++) {
        const int i = lane + 32 * s;

        y[s]        = i < p.n ? t.y[i] : 0;
        diagonal[s] = i < p.n ? t.u[i * ops_lines<ROWS>::WIDTH] : 1;
    }
#pragma unroll
    for (int s = ROWS - 1; s >= 0; s--)
        for (int k = min(p.n, 32 * s + 32) - 1; k >= 32 * s; k--) {
            const float x = __shfl_sync(OPS_ALL_LANES, y[s] / diagonal[s], k % 32);

#pragma unroll
            for (int other = 0; other <= s; other++) {
                const int i = lane + 32 * other;

                if (i < k)
                    y[other] = fmaf(-t.u[i * ops_lines<ROWS>::WIDTH + k - i], x, y[other]);
            }
        }
#pragma unroll
    for (int s = 0; s < ROWS; s++)
        store(p, m, lane + 32 * s, y[s] / diagonal[s]);
}

template <int ROWS> __global__ void __launch_bounds__(MAX_THREADS) warp_kernel(lu_problem p)
{
    extern __shared__ float4 lu_warps[];
    const int64_t m    = static_cast<int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    const int     each = (p.n + 1) * ops_lines<ROWS>::WIDTH;
    rows<ROWS>    r;
    triangle      t;

    if (m >= p.batch)
        return;
    t.u = reinterpret_cast<float *>(lu_warps) + static_cast<int>(threadIdx.x / 32) * each;
    t.y = t.u + p.n * ops_lines<ROWS>::WIDTH;
    load(r, p, m);
    const int k = all_columns(r, t, p.n, threshold_of(r, p.n));

    report<ROWS>(p, m, k < 0 ? -k : 0);
    if (k >= 0)
        substitute<ROWS>(t, p, m);
}

template <int ROWS> int launch_warps(const lu_problem &p, unsigned warps, assay_stream stream)
{
    const size_t bytes =
        warps * static_cast<size_t>(p.n + 1) * ops_lines<ROWS>::WIDTH * sizeof(float);
    const int error = assay_allow_shared(warp_kernel<ROWS>, bytes);

    if (error != 0)
        return error;
    warp_kernel<ROWS><<<assay_blocks_for(p.batch, warps), 32 * warps, bytes, stream>>>(p);
    return assay_launch_status();
}

/* ---- rows of pivots by shuffles ---- */

/* Eliminates column k, whose register must be known at compile time. A row that becomes the pivot's
 * sets `step` to k. False if the pivot is too small. */
__device__ bool shuffle_column(rows<1> &r, int k, float threshold, int *step)
{
    const place at = find_pivot(r, k);

    if (!(at.value > threshold))
        return false;
    if (ops_lane() == at.lane) {
        *step        = k;
        r.is_used[0] = true;
    }
    const float pivot  = __shfl_sync(OPS_ALL_LANES, r.m.a[0][k], at.lane);
    const float y      = __shfl_sync(OPS_ALL_LANES, r.y[0], at.lane);
    const float factor = r.is_used[0] ? 0 : r.m.a[0][k] / pivot;

    r.y[0] = fmaf(-factor, y, r.y[0]);
#pragma unroll
    for (int j = k + 1; j < 32; j++)
        r.m.a[0][j] = fmaf(-factor, __shfl_sync(OPS_ALL_LANES, r.m.a[0][j], at.lane), r.m.a[0][j]);
    return true;
}

/* In the end each row has an x of its own: that of its step. */
__device__ void shuffle_substitute(rows<1> &r, const lu_problem &p, int64_t m, int step)
{
    float x = 0;

#pragma unroll
    for (int k = 31; k >= 0; k--) {
        const unsigned owner = __ballot_sync(OPS_ALL_LANES, step == k);

        if (owner == 0)
            continue; /* no such column */
        const float mine = r.y[0] / r.m.a[0][k];
        const float of_k = __shfl_sync(OPS_ALL_LANES, mine, __ffs(static_cast<int>(owner)) - 1);

        x      = step == k ? of_k : x;
        r.y[0] = fmaf(-r.m.a[0][k], of_k, r.y[0]);
    }
    if (step >= 0)
        store(p, m, step, x);
}

__global__ void __launch_bounds__(MAX_THREADS) shuffle_kernel(lu_problem p)
{
    const int64_t m    = static_cast<int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    int           step = -1, info = 0;
    rows<1>       r;

    if (m >= p.batch)
        return;
    load(r, p, m);
    const float threshold = threshold_of(r, p.n);

#pragma unroll
    for (int k = 0; k < 32; k++)
        if (k < p.n && info == 0)
            info = shuffle_column(r, k, threshold, &step) ? 0 : k + 1;
    report<1>(p, m, info);
    if (info == 0)
        shuffle_substitute(r, p, m, step);
}

} // namespace

ASSAY_LAUNCHER(lu_solve_warp)
{
    const lu_problem p     = lu_problem_of(args);
    const unsigned   warps = static_cast<unsigned>(args->tune[TUNE_WARPS]);

    return p.n <= 32 ? launch_warps<1>(p, warps, stream) : launch_warps<2>(p, warps, stream);
}

ASSAY_LAUNCHER(lu_solve_warp_shuffle)
{
    const lu_problem p     = lu_problem_of(args);
    const unsigned   warps = static_cast<unsigned>(args->tune[TUNE_WARPS]);

    shuffle_kernel<<<assay_blocks_for(p.batch, warps), 32 * warps, 0, stream>>>(p);
    return assay_launch_status();
}
