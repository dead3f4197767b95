/* Plain CUDA C++: cooperative groups. y = the sum of 64 whole numbers from 0 to 7, in a block of
 * two warps. The wrong kernels are those of <true>. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const int *, int *);                                    \
    template __global__ void kernel<true>(const int *, int *)

static __device__ int mine(const int *x) { return x[cg::this_grid().thread_rank()]; }

/* Adds up the shares of some threads for the block. */
static __device__ void join(bool adds, int share, int *y)
{
    __shared__ int   total;
    cg::thread_block block = cg::this_thread_block();

    if (block.thread_rank() == 0)
        total = 0;
    block.sync();
    if (adds)
        atomicAdd(&total, share);
    block.sync();
    if (block.thread_rank() == 0)
        y[blockIdx.x] = total;
}

/* Wrong: each number is read before its barrier. */
template <bool WRONG> __global__ void group_sync(const int *x, int *y)
{
    __shared__ int   tile[64];
    cg::thread_block block = cg::this_thread_block();
    unsigned         sum   = 0;

    tile[block.thread_rank()] = mine(x);
    if (!WRONG)
        block.sync();
    for (int k = 0; k < 64; k++)
        sum += static_cast<unsigned>(tile[k]);
    if (block.thread_rank() == 0)
        y[block.group_index().x] = static_cast<int>(sum);
}
BOTH(group_sync);

/* Wrong: tiles of 16, but only the leaders of warps add theirs. */
template <bool WRONG> __global__ void tile_reduce(const int *x, int *y)
{
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto tile = cg::tiled_partition < WRONG ? 16 : 32 > (cg::this_thread_block());
    const int  sum  = cg::reduce(tile, mine(x), cg::plus<int>());

    join(warp.thread_rank() == 0, sum, y);
}
BOTH(tile_reduce);

/* Wrong: the last thread's own number is not in its sum. */
template <bool WRONG> __global__ void tile_scan(const int *x, int *y)
{
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int  sum  = WRONG ? cg::exclusive_scan(tile, mine(x), cg::plus<int>())
                            : cg::inclusive_scan(tile, mine(x), cg::plus<int>());

    join(tile.thread_rank() == 31, sum, y);
}
BOTH(tile_scan);

/* The threads with an odd number, and the others. Wrong: lane 0 adds for its group, but is in only
 * one of them. */
template <bool WRONG> __global__ void coalesced(const int *x, int *y)
{
    const bool is_first_lane = threadIdx.x % 32 == 0;
    const int  v             = mine(x);
    int        sum;
    bool       adds;

    if (v & 1) {
        const cg::coalesced_group group = cg::coalesced_threads();

        sum  = cg::reduce(group, v, cg::plus<int>());
        adds = WRONG ? is_first_lane : group.thread_rank() == 0;
    } else {
        const cg::coalesced_group group = cg::coalesced_threads();

        sum  = cg::reduce(group, v, cg::plus<int>());
        adds = WRONG ? is_first_lane : group.thread_rank() == 0;
    }
    join(adds, sum, y);
}
BOTH(coalesced);

/* Groups of threads with the same number. Wrong: uses the tile's size as the group's. */
template <bool WRONG> __global__ void labeled(const int *x, int *y)
{
    const auto                tile  = cg::tiled_partition<32>(cg::this_thread_block());
    const int                 v     = mine(x);
    const cg::coalesced_group group = cg::labeled_partition(tile, v);
    const int                 n     = static_cast<int>(WRONG ? tile.size() : group.size());

    join(group.thread_rank() == 0, v * n, y);
}
BOTH(labeled);

/* Large and small numbers. Wrong: uses the rank in the tile as that in the group. */
template <bool WRONG> __global__ void binary(const int *x, int *y)
{
    const auto                tile  = cg::tiled_partition<32>(cg::this_thread_block());
    const int                 v     = mine(x);
    const cg::coalesced_group group = cg::binary_partition(tile, v > 3);
    const int                 sum   = cg::reduce(group, v, cg::plus<int>());

    join((WRONG ? tile.thread_rank() : group.thread_rank()) == 0, sum, y);
}
BOTH(binary);

/* Wrong: the threads meet, but nobody waits for the copy. */
template <bool WRONG> __global__ void group_copy(const int *x, int *y)
{
    __shared__ alignas(16) int tile[64];
    cg::thread_block           block = cg::this_thread_block();

    cg::memcpy_async(block, tile, x + blockIdx.x * 64, sizeof tile);
    if (WRONG)
        block.sync();
    else
        cg::wait(block);
    join(true, tile[63 - threadIdx.x], y);
    if (WRONG)
        cg::wait(block);
}
BOTH(group_copy);

/* ---- the grid, and launches of all blocks at once */

/* Each block brings the elements of the next one. Wrong: it does not wait for the one before. */
template <bool WRONG> __global__ void across_blocks(const float *x, float *y, float *w, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 64) % n;

    w[next] = x[next];
    if (!WRONG)
        cg::this_grid().sync();
    y[i] = 2 * w[i] + w[i ^ 63];
}
template __global__ void across_blocks<false>(const float *, float *, float *, int);
template __global__ void across_blocks<true>(const float *, float *, float *, int);

template <bool WRONG>
static void cooperative(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    void *arguments[] = { &x, &y, &w, &n };

    cudaLaunchCooperativeKernel((void *)across_blocks<WRONG>, dim3(n / 64), dim3(64), arguments, 0,
                                stream);
}
void launch_cooperative(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cooperative<false>(x, y, w, n, stream);
}
void launch_cooperative_wrong(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cooperative<true>(x, y, w, n, stream);
}

void launch_by_configuration(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t  config   = {};

    together.id              = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim           = dim3(n / 64);
    config.blockDim          = dim3(64);
    config.stream            = stream;
    config.attrs             = &together;
    config.numAttrs          = 1;
    cudaLaunchKernelEx(&config, across_blocks<false>, x, y, w, n);
}

/* Wrong: the launch does not say that all blocks must be there at once, and grid.sync() waits for
 * them. */
void launch_by_configuration_wrong(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};

    config.gridDim  = dim3(n / 64);
    config.blockDim = dim3(64);
    config.stream   = stream;
    cudaLaunchKernelEx(&config, across_blocks<false>, x, y, w, n);
}
