/* A block takes a matrix: elimination with partial pivoting in shared memory; and possible
 * mistakes. */
#ifndef ASSAY_LU_BLOCK_CUH
#define ASSAY_LU_BLOCK_CUH

#include "lu_device.cuh"

enum lu_fault {
    LU_NO_FAULT,
    LU_HALF_ARITHMETIC,
    LU_ABSOLUTE_THRESHOLD,
    LU_SILENT_SINGULAR,
    LU_NO_PIVOTING,
    LU_FORGETS_B
};

/* Columns of A, `ld` apart, followed by b as one more column. ld is odd, so that neighbours in a
 * row lie in different banks. */
struct lu_tile {
    float    *a;
    unsigned *largest;
    int      *pivot;
    int       n, ld, type;

    __device__ float &at(int i, int j) const { return a[j * ld + i]; }
};

static inline int    lu_tile_ld(int n) { return n | 1; }
static inline size_t lu_tile_bytes(int n)
{
    return (static_cast<size_t>(lu_tile_ld(n)) * static_cast<size_t>(n + 1) + 2) * sizeof(float);
}

__device__ inline void lu_tile_load(const lu_tile &t, const lu_problem &p, int64_t m)
{
    unsigned largest = 0;

    if (threadIdx.x == 0)
        *t.largest = 0;
    __syncthreads();
    for (int j = ops_warp(); j < t.n; j += ops_warps())
        for (int i = ops_lane(); i < t.n; i += 32) {
            t.at(i, j) = ops_load_any(p.type, p.a, (m * t.n + j) * t.n + i);
            largest    = max(largest, ops_magnitude(t.at(i, j)));
        }
    for (int i = static_cast<int>(threadIdx.x); i < t.n; i += static_cast<int>(blockDim.x))
        t.at(i, t.n) = ops_load_any(p.type, p.b, m * t.n + i);
    largest = __reduce_max_sync(OPS_ALL_LANES, largest);
    if (threadIdx.x % 32 == 0)
        atomicMax(t.largest, largest);
    __syncthreads();
}

template <int FAULT> __device__ inline float lu_rounded(const lu_tile &t, float x)
{
    return FAULT == LU_HALF_ARITHMETIC ? ops_round_any(t.type, x) : x;
}

/* The row of the largest entry of column k from row k on; found by one warp. */
__device__ inline int lu_find_pivot(const lu_tile &t, int k)
{
    unsigned best = 0;
    int      row  = k;

    for (int i = k + static_cast<int>(threadIdx.x); i < t.n; i += 32) {
        const unsigned mine = ops_magnitude(t.at(i, k));

        row  = mine > best ? i : row;
        best = max(best, mine);
    }
    const unsigned top   = __reduce_max_sync(OPS_ALL_LANES, best);
    const int      owner = __ffs(static_cast<int>(__ballot_sync(OPS_ALL_LANES, best == top))) - 1;

    return __shfl_sync(OPS_ALL_LANES, row, owner);
}

/* Finds the pivot of column k and turns the entries below it into factors; by one warp. If the
 * pivot is too small its row is set to -1. */
template <int FAULT> __device__ inline void lu_take_pivot(const lu_tile &t, int k, float threshold)
{
    const int   row   = FAULT == LU_NO_PIVOTING ? k : lu_find_pivot(t, k);
    const float pivot = t.at(row, k), other = t.at(k, k);
    const bool  is_small = !(fabsf(pivot) > threshold);

    __syncwarp();
    if (threadIdx.x == 0) {
        *t.pivot     = is_small ? -1 : row;
        t.at(k, k)   = is_small ? 1 : pivot;
        t.at(row, k) = is_small || row == k ? t.at(row, k) : other;
    }
    __syncwarp();
    for (int i = k + 1 + static_cast<int>(threadIdx.x); i < t.n && !is_small; i += 32)
        t.at(i, k) = lu_rounded<FAULT>(t, t.at(i, k) / pivot);
}

/* In the columns right of k. */
template <int FAULT> __device__ inline void lu_exchange(const lu_tile &t, int k, int row)
{
    const int end = FAULT == LU_FORGETS_B ? t.n : t.n + 1;

    for (int j = k + 1 + static_cast<int>(threadIdx.x); j < end && row != k;
         j += static_cast<int>(blockDim.x)) {
        const float value = t.at(k, j);

        t.at(k, j)   = t.at(row, j);
        t.at(row, j) = value;
    }
}

/* Rows below k lose their multiples of row k. */
template <int FAULT> __device__ inline void lu_eliminate(const lu_tile &t, int k)
{
    for (int j = k + 1 + ops_warp(); j <= t.n; j += ops_warps())
        for (int i = k + 1 + ops_lane(); i < t.n; i += 32)
            t.at(i, j) = lu_rounded<FAULT>(t, fmaf(-t.at(i, k), t.at(k, j), t.at(i, j)));
}

/* Makes column k 0 below its diagonal; false if its pivot is too small. */
template <int FAULT> __device__ inline bool lu_column(const lu_tile &t, int k, float threshold)
{
    if (threadIdx.x < 32)
        lu_take_pivot<FAULT>(t, k, threshold);
    __syncthreads();
    const int row = *t.pivot;

    if (row >= 0)
        lu_exchange<FAULT>(t, k, row);
    __syncthreads();
    if (row >= 0)
        lu_eliminate<FAULT>(t, k);
    __syncthreads();
    return row >= 0;
}

/* Column by column of U, by one warp: b becomes U's diagonal times x. */
template <int FAULT> __device__ inline void lu_substitute(const lu_tile &t)
{
    for (int k = t.n - 1; k > 0; k--) {
        const float x = lu_rounded<FAULT>(t, t.at(k, t.n) / t.at(k, k));

        for (int i = static_cast<int>(threadIdx.x); i < k; i += 32)
            t.at(i, t.n) = lu_rounded<FAULT>(t, fmaf(-t.at(i, k), x, t.at(i, t.n)));
        __syncwarp();
    }
}

template <int FAULT> __device__ inline int lu_triangle(const lu_tile &t)
{
    const float threshold =
        FAULT == LU_ABSOLUTE_THRESHOLD ? 1e-10f : lu_threshold(t.n, __uint_as_float(*t.largest));

    for (int k = 0; k < t.n; k++)
        if (!lu_column<FAULT>(t, k, threshold) && FAULT != LU_SILENT_SINGULAR)
            return k + 1;
    return 0;
}

template <int FAULT> __global__ void __launch_bounds__(1024) lu_block_kernel(lu_problem p)
{
    extern __shared__ float lu_memory[];
    const int64_t           m = p.first + blockIdx.x;
    lu_tile                 t;

    t.n       = p.n;
    t.ld      = p.n | 1;
    t.type    = p.type;
    t.a       = lu_memory;
    t.largest = reinterpret_cast<unsigned *>(lu_memory + t.ld * (t.n + 1));
    t.pivot   = reinterpret_cast<int *>(t.largest + 1);
    lu_tile_load(t, p, m);
    const int info = lu_triangle<FAULT>(t);

    if (info == 0 && threadIdx.x < 32)
        lu_substitute<FAULT>(t);
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < t.n; i += static_cast<int>(blockDim.x))
        ops_store_any(p.type, p.x, m * t.n + i, info == 0 ? t.at(i, t.n) / t.at(i, i) : NAN);
    if (threadIdx.x == 0)
        p.info[m] = info;
}

/* Launches a block for each matrix from `p.first` on. */
template <int FAULT>
static int lu_launch_blocks(const lu_problem &p, unsigned threads, assay_stream stream)
{
    const size_t bytes = lu_tile_bytes(p.n);
    const int    error = assay_allow_shared(lu_block_kernel<FAULT>, bytes);

    if (error != 0 || p.batch == 0)
        return error;
    lu_block_kernel<FAULT><<<assay_blocks_for(p.batch, 1), threads, bytes, stream>>>(p);
    return assay_launch_status();
}

#endif
