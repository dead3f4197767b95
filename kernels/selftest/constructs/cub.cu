/* Plain CUDA C++: CUB's collectives of blocks and warps. y = the sum of 64 whole numbers from 0 to
 * 7. The wrong kernels are those of <true>: they reuse the storage of one collective before all
 * threads have finished with it. */
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const int *, int *);                                    \
    template __global__ void kernel<true>(const int *, int *)

static __device__ int mine(const int *x) { return x[blockIdx.x * 64 + threadIdx.x]; }

/* The lowest bit is summed separately. */
template <bool WRONG> __global__ void block_reduce(const int *x, int *y)
{
    using reduce = cub::BlockReduce<int, 64>;
    __shared__ typename reduce::TempStorage storage;

    const int odd = reduce(storage).Sum(mine(x) & 1);
    if (!WRONG)
        __syncthreads();
    const int even = reduce(storage).Sum(mine(x) & ~1);
    if (threadIdx.x == 0)
        y[blockIdx.x] = odd + even;
}
BOTH(block_reduce);

template <bool WRONG> __global__ void block_scan(const int *x, int *y)
{
    using scan = cub::BlockScan<int, 64>;
    __shared__ typename scan::TempStorage storage;
    int                                   odd, even;

    scan(storage).InclusiveSum(mine(x) & 1, odd);
    if (!WRONG)
        __syncthreads();
    scan(storage).InclusiveSum(mine(x) & ~1, even);
    if (threadIdx.x == 63)
        y[blockIdx.x] = odd + even;
}
BOTH(block_scan);

/* Wrong: both warps use one storage. */
template <bool WRONG> __global__ void warp_reduce(const int *x, int *y)
{
    using reduce = cub::WarpReduce<int>;
    __shared__ typename reduce::TempStorage storage[2];
    __shared__ int                          part[2];
    const int                               warp = threadIdx.x / 32;
    const int                               sum  = reduce(storage[WRONG ? 0 : warp]).Sum(mine(x));

    if (threadIdx.x % 32 == 0)
        part[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = part[0] + part[1];
}
BOTH(warp_reduce);

/* A step between two sorted numbers at place k belongs to all numbers from there on. Wrong: the
 * sorted numbers are written over the storage. */
template <bool WRONG> __global__ void block_sort(const int *x, int *y)
{
    using sort = cub::BlockRadixSort<int, 64, 1>;
    __shared__ union {
        typename sort::TempStorage sorting;
        int                        sorted[64];
    } shared;
    const int t      = threadIdx.x;
    int       key[1] = { mine(x) }, sum = 0;

    sort(shared.sorting).Sort(key, 0, 3);
    if (!WRONG)
        __syncthreads();
    shared.sorted[t] = key[0];
    __syncthreads();
    for (int k = 0; k < 64; k++)
        sum += (shared.sorted[k] - (k > 0 ? shared.sorted[k - 1] : 0)) * (64 - k);
    for (int k = 1; k < 64; k++)
        if (shared.sorted[k] < shared.sorted[k - 1])
            sum = -1;
    if (t == 0)
        y[blockIdx.x] = sum;
}
BOTH(block_sort);
