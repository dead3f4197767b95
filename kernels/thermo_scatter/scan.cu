/* Exclusive scan of integers in three launches: the sums of chunks; their scan, by one block; each
 * chunk, from its own sum on. */
#include "scatter_scan.cuh"
#include "scatter_sort.h"

enum {
    BLOCK  = SCATTER_SCAN_BLOCK,
    ITEMS  = 4, /* side by side in one thread */
    ROUNDS = 4,
    CHUNK  = BLOCK * ITEMS * ROUNDS
};

int64_t scatter_scan_sums(int64_t n) { return assay_ceil_div(n, CHUNK); }

struct four {
    int at[ITEMS];
};

static __device__ four load_four(const int *from, int64_t i, int64_t n)
{
    four v;

    for (int k = 0; k < ITEMS; k++)
        v.at[k] = i + k < n ? from[i + k] : 0;
    return v;
}

static __device__ int sum_of(const four &v) { return v.at[0] + v.at[1] + v.at[2] + v.at[3]; }

static __global__ void __launch_bounds__(BLOCK)
    scatter_scan_sum_chunks(const int *count, int64_t n, int *sums)
{
    __shared__ int warps[SCATTER_SCAN_WARPS];
    const int64_t  first = static_cast<int64_t>(blockIdx.x) * CHUNK + threadIdx.x * ITEMS;
    int            sum   = 0, total;

    for (int r = 0; r < ROUNDS; r++)
        sum += sum_of(load_four(count, first + r * BLOCK * ITEMS, n));
    (void)scatter_block_exclusive(sum, warps, &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

/* One block scans all sums in place. */
static __global__ void __launch_bounds__(BLOCK) scatter_scan_sums_kernel(int *sums, int64_t n)
{
    __shared__ int warps[SCATTER_SCAN_WARPS];
    int            carry = 0;

    for (int64_t first = 0; first < n; first += BLOCK) {
        const int64_t i     = first + threadIdx.x;
        const int     value = i < n ? sums[i] : 0;
        int           total;
        const int     before = scatter_block_exclusive(value, warps, &total);

        if (i < n)
            sums[i] = carry + before;
        carry += total;
    }
}

static __global__ void __launch_bounds__(BLOCK)
    scatter_scan_chunks(const int *count, int64_t n, const int *sums, int *start)
{
    __shared__ int warps[SCATTER_SCAN_WARPS];
    const int64_t  first = static_cast<int64_t>(blockIdx.x) * CHUNK + threadIdx.x * ITEMS;
    int            carry = sums[blockIdx.x];

    for (int r = 0; r < ROUNDS; r++) {
        const int64_t i = first + r * BLOCK * ITEMS;
        const four    v = load_four(count, i, n);
        int           total;
        int           sum = carry + scatter_block_exclusive(sum_of(v), warps, &total);

        for (int k = 0; k < ITEMS; k++) {
            if (i + k < n)
                start[i + k] = sum;
            sum += v.at[k];
        }
        carry += total;
    }
}

int scatter_scan(const int *count, int64_t n, int *start, int *sums, assay_stream stream)
{
    const int64_t  chunks = scatter_scan_sums(n);
    const unsigned grid   = static_cast<unsigned>(chunks);

    if (n == 0)
        return 0;
    scatter_scan_sum_chunks<<<grid, BLOCK, 0, stream>>>(count, n, sums);
    scatter_scan_sums_kernel<<<1, BLOCK, 0, stream>>>(sums, chunks);
    scatter_scan_chunks<<<grid, BLOCK, 0, stream>>>(count, n, sums, start);
    return assay_launch_status();
}
