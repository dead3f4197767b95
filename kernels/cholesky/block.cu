/* cholesky, a block takes a matrix, in shared memory; and possible mistakes. */
#include "cholesky_device.cuh"

enum {
    TUNE_THREADS
};

enum fault {
    NO_FAULT,
    UNCHECKED_PIVOT,
    ABSOLUTE_THRESHOLD
};

namespace
{

/* Columns, `ld` apart. */
struct tile {
    float *a;
    int    n, ld;

    __device__ float &at(int i, int j) const { return a[j * ld + i]; }
};

int    ld_of(int n) { return n | 1; }
size_t bytes_of(int n)
{
    return static_cast<size_t>(ld_of(n)) * static_cast<size_t>(n) * sizeof(float);
}

__device__ void load(const tile &t, const cholesky_problem &p, int64_t m)
{
    for (int j = ops_warp(); j < t.n; j += ops_warps())
        for (int i = ops_lane(); i < t.n; i += 32)
            t.at(i, j) = ops_load_any(p.type, p.a, (m * t.n + j) * t.n + i);
    __syncthreads();
}

template <int FAULT> __device__ bool is_too_small(float pivot)
{
    if (FAULT == UNCHECKED_PIVOT)
        return false;
    return FAULT == ABSOLUTE_THRESHOLD ? !(pivot > 1e-10f) : !(pivot > 0);
}

/* Computes column k of L, by one warp. */
__device__ void make_column(const tile &t, int k)
{
    const float root = sqrtf(t.at(k, k));

    __syncwarp();
    for (int i = k + static_cast<int>(threadIdx.x); i < t.n; i += 32)
        t.at(i, k) = i == k ? root : t.at(i, k) / root;
}

/* Subtracts the products of column k from the triangle right of it. */
__device__ void update(const tile &t, int k)
{
    for (int j = k + 1 + ops_warp(); j < t.n; j += ops_warps())
        for (int i = j + ops_lane(); i < t.n; i += 32)
            t.at(i, j) = fmaf(-t.at(i, k), t.at(j, k), t.at(i, j));
}

template <int FAULT> __device__ int factor(const tile &t)
{
    for (int k = 0; k < t.n; k++) {
        const bool stops = is_too_small<FAULT>(t.at(k, k));

        __syncthreads(); /* all have read the pivot before the column is computed */
        if (stops)
            return k + 1;
        if (threadIdx.x < 32)
            make_column(t, k);
        __syncthreads();
        update(t, k);
        __syncthreads();
    }
    return 0;
}

template <int FAULT> __global__ void __launch_bounds__(1024) block_kernel(cholesky_problem p)
{
    extern __shared__ float cholesky_memory[];
    const int64_t           m = blockIdx.x;
    const tile              t = { cholesky_memory, p.n, p.n | 1 };

    load(t, p, m);
    const int info = factor<FAULT>(t);

    for (int j = ops_warp(); j < t.n; j += ops_warps())
        for (int i = ops_lane(); i < t.n; i += 32)
            ops_store_any(p.type, p.l, (m * t.n + j) * t.n + i,
                          info != 0 ? NAN
                          : i >= j  ? t.at(i, j)
                                    : 0);
    if (threadIdx.x == 0)
        p.info[m] = info;
}

template <int FAULT> int launch(const assay_args *args, unsigned threads, assay_stream stream)
{
    const cholesky_problem p     = cholesky_problem_of(args);
    const int              error = assay_allow_shared(block_kernel<FAULT>, bytes_of(p.n));

    if (error != 0 || p.batch == 0)
        return error;
    block_kernel<FAULT><<<assay_blocks_for(p.batch, 1), threads, bytes_of(p.n), stream>>>(p);
    return assay_launch_status();
}

} // namespace

ASSAY_LAUNCHER(cholesky_block)
{
    return launch<NO_FAULT>(args, static_cast<unsigned>(args->tune[TUNE_THREADS]), stream);
}

ASSAY_LAUNCHER(cholesky_unchecked_pivot) { return launch<UNCHECKED_PIVOT>(args, 64, stream); }

ASSAY_LAUNCHER(cholesky_absolute_threshold) { return launch<ABSOLUTE_THRESHOLD>(args, 64, stream); }
