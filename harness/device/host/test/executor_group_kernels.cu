/* Kernels behind test_executor_groups.c: cooperative groups of all kinds. */
#include "kernel.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

static unsigned *output(const assay_args *args) { return static_cast<unsigned *>(args->buf[1]); }

/* A value of 12 bytes: more than one exchange can move. */
struct three_words {
    unsigned a, b, c;
};

/* The same as in test_executor_groups.c. */
struct tile_results {
    unsigned rank, meta_rank, meta_size, sum, largest, shuffled, wide_sum, any, all, before, upto;
};

template <typename Tile> static tile_results use_tile(const Tile &tile, unsigned *shared)
{
    tile_results      r {};
    const unsigned    i    = threadIdx.x;
    const three_words mine = { i, 2 * i, 3 * i };

    r.rank      = tile.thread_rank();
    r.meta_rank = tile.meta_group_rank();
    r.meta_size = tile.meta_group_size();
    shared[i]   = i;
    tile.sync();
    r.sum = cg::reduce(tile, shared[i - r.rank + (r.rank + 1) % tile.size()], cg::plus<unsigned>());
    r.largest            = cg::reduce(tile, i * 7919u % 1009u, cg::greater<unsigned>());
    r.shuffled           = tile.shfl(i, tile.size() - 1 - r.rank);
    const three_words it = tile.shfl(mine, 0);
    r.wide_sum           = it.a + it.b + it.c;
    r.any                = static_cast<unsigned>(tile.any(i == 5));
    r.all                = static_cast<unsigned>(tile.all(i < 100));
    r.before             = cg::exclusive_scan(tile, i + 1);
    r.upto               = cg::inclusive_scan(tile, i + 1, cg::plus<unsigned>());
    return r;
}

template <unsigned Size> static __global__ void tile_kernel(tile_results *out)
{
    __shared__ unsigned shared[256];

    out[threadIdx.x] = use_tile(cg::tiled_partition<Size>(cg::this_thread_block()), shared);
}

/* A tile of a tile, by its full type and by the short type. */
static __global__ void nested_kernel(tile_results *out)
{
    __shared__ unsigned shared[256];
    __shared__ cg::block_tile_memory<256>              memory[1];
    const cg::thread_block                             block = cg::this_thread_block(*memory);
    const cg::thread_block_tile<128, cg::thread_block> whole = cg::tiled_partition<128>(block);
    const cg::thread_block_tile<64>                    tile  = cg::tiled_partition<64>(whole);

    out[threadIdx.x] = use_tile(tile, shared);
}

ASSAY_LAUNCHER(executor_tiles)
{
    tile_results *out                              = static_cast<tile_results *>(args->buf[1]);
    static void (*const kernels[])(tile_results *) = {
        tile_kernel<1>,  tile_kernel<2>,  tile_kernel<4>,   tile_kernel<8>,   tile_kernel<16>,
        tile_kernel<32>, tile_kernel<64>, tile_kernel<128>, tile_kernel<256>, nested_kernel,
    };

    for (auto *kernel : kernels) {
        kernel<<<1, 256, 0, stream>>>(out);
        out += 256;
    }
    return assay_launch_status();
}

/* Parts of groups by their size, by a label and by a predicate, in a block of 80. */
static void describe(const cg::coalesced_group &group, unsigned *out)
{
    out[0] = group.thread_rank();
    out[1] = group.size();
    out[2] = group.meta_group_rank();
    out[3] = group.meta_group_size();
    out[4] = cg::reduce(group, threadIdx.x, cg::plus<unsigned>());
}

static __global__ void parts_kernel(unsigned *out)
{
    unsigned              *mine  = &out[threadIdx.x * 30];
    const auto             block = cg::this_thread_block();
    const auto             tile  = cg::tiled_partition<16>(block);
    const auto             odd   = cg::binary_partition(tile, threadIdx.x % 2 == 1);
    const cg::thread_group any =
        cg::tiled_partition(static_cast<const cg::thread_group &>(block), 16);

    describe(cg::labeled_partition(tile, threadIdx.x * 7 % 3), &mine[0]);
    describe(odd, &mine[5]);
    describe(cg::tiled_partition(odd, 4), &mine[10]);
    describe(cg::tiled_partition<2>(cg::labeled_partition(odd, threadIdx.x % 16 < 10)), &mine[15]);
    describe(cg::binary_partition(tile, true), &mine[20]);
    any.sync();
    mine[25] = static_cast<unsigned>(any.size());
    mine[26] = static_cast<unsigned>(any.thread_rank());
    mine[27] = static_cast<unsigned>(cg::tiled_partition(any, 4).thread_rank());
    mine[28] = static_cast<unsigned>(cg::group_size(block));
    mine[29] = cg::thread_rank(block);
}

ASSAY_LAUNCHER(executor_parts)
{
    parts_kernel<<<1, 80, 0, stream>>>(output(args));
    return assay_launch_status();
}

/* The whole block of 72 threads, its cluster, and one thread that works for all. */
static __global__ void block_kernel(unsigned *out)
{
    __shared__ unsigned     shared[72];
    const cg::thread_block  block   = cg::this_thread_block();
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned          i       = threadIdx.x;
    unsigned               *mine    = &out[(blockIdx.x * 72 + i) * 8];

    shared[i] = i;
    block.barrier_wait(block.barrier_arrive());
    mine[0] = cg::reduce(block, shared[71 - i], cg::plus<unsigned>());
    mine[1] = cg::inclusive_scan(block, i);
    mine[2] = cg::exclusive_scan(block, i * 7919u % 1009u, cg::greater<unsigned>());
    mine[3] = cg::invoke_one_broadcast(cg::tiled_partition<4>(block), [i] { return i + 1; });
    cg::invoke_one(block, [] { shared[5] = 77; });
    cluster.sync();
    mine[4] = *cluster.map_shared_rank(&shared[5], 0);
    mine[5] = cluster.num_blocks() * 100 + cluster.block_rank();
    cg::reduce_store_async(block, &shared[6], i, cg::plus<unsigned>());
    cg::sync(cluster);
    mine[6] = shared[6];
    mine[7] = static_cast<unsigned>(cg::this_grid().thread_rank());
}

ASSAY_LAUNCHER(executor_block_group)
{
    block_kernel<<<2, 72, 0, stream>>>(output(args));
    return assay_launch_status();
}

/* An arrival at the grid's barrier, and the wait that follows. */
static __global__ void grid_token_kernel(unsigned *out)
{
    const cg::grid_group grid = cg::this_grid();
    const unsigned       n = static_cast<unsigned>(grid.size()), i = grid.thread_index().x;

    out[n + i]                          = i;
    cg::grid_group::arrival_token token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    out[i] = out[n + (i + 33) % n];
}

ASSAY_LAUNCHER(executor_grid_token)
{
    assay_launch_co_resident(grid_token_kernel, 3, 32, 0, stream, output(args));
    return assay_launch_status();
}

/* A tile of a size that tiles cannot have. */
static __global__ void odd_tile_kernel(unsigned *out)
{
    out[threadIdx.x] = static_cast<unsigned>(
        cg::tiled_partition(static_cast<const cg::thread_group &>(cg::this_thread_block()), 12)
            .size());
}

ASSAY_LAUNCHER(executor_odd_tile)
{
    odd_tile_kernel<<<1, 32, 0, stream>>>(output(args));
    return assay_launch_status();
}

/* A tile of 64 whose second warp has left. */
static __global__ void left_tile_kernel(unsigned *out)
{
    if (threadIdx.x >= 32)
        return;
    cg::tiled_partition<64>(cg::this_thread_block()).sync();
    out[threadIdx.x] = 1;
}

ASSAY_LAUNCHER(executor_left_tile)
{
    left_tile_kernel<<<1, 64, 0, stream>>>(output(args));
    return assay_launch_status();
}
