/* Cooperative groups for host compilation: the block, the cluster (of one block) and the grid. */
#ifndef ASSAY_HOST_GROUPS_BLOCK_H
#define ASSAY_HOST_GROUPS_BLOCK_H

#include "groups_base.h"

namespace cooperative_groups
{

/* Memory that CUDA's tiles of several warps need. The host device needs none. */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    alignas(8) char unused[MaxBlockSize / 32 * 8 + 8];
};

class thread_block : public thread_group
{
  public:
    struct arrival_token {
    };

    thread_block() : thread_group(BLOCK) {}

    static void sync(ASSAY_HOST_SITE)
    {
        (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, file, line);
    }
    /* As in CUDA's header, the wait does the whole barrier. */
    static arrival_token barrier_arrive(void) { return {}; }
    static void          barrier_wait(arrival_token &&, ASSAY_HOST_SITE) { sync(file, line); }

    static unsigned thread_rank(void) { return assay_block_rank(); }
    static unsigned size(void) { return assay_block_size(); }
    static unsigned num_threads(void) { return size(); }
    static dim3     group_index(void) { return blockIdx; }
    static dim3     thread_index(void) { return threadIdx; }
    static dim3     group_dim(void) { return blockDim; }
    static dim3     dim_threads(void) { return blockDim; }

    /* Returns the value of another thread, for reduce and scan. */
    template <typename T>
    static T assay_take(const T &value, unsigned rank, const char *file, int line)
    {
        return assay_in_pieces(value, [=](uint64_t piece) {
            return assay_host_group_exchange(ASSAY_GROUP_SHUFFLE, 0, size(), piece, rank, file,
                                             line);
        });
    }
};
inline thread_block this_thread_block(void) { return thread_block(); }
template <unsigned MaxBlockSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return thread_block();
}

/* The host device has no clusters: each cluster is one block. */
class cluster_group : public thread_group
{
  public:
    struct arrival_token {
    };

    cluster_group() : thread_group(BLOCK) {}

    static void          sync(ASSAY_HOST_SITE) { thread_block::sync(file, line); }
    static arrival_token barrier_arrive(void) { return {}; }
    static void          barrier_wait(ASSAY_HOST_SITE) { sync(file, line); }
    static void          barrier_wait(arrival_token &&, ASSAY_HOST_SITE) { sync(file, line); }
    static unsigned      query_shared_rank(const void *) { return 0; }
    template <typename T> static T *map_shared_rank(T *p, int) { return p; }
    static unsigned                 thread_rank(void) { return assay_block_rank(); }
    static unsigned                 block_rank(void) { return 0; }
    static unsigned                 num_blocks(void) { return 1; }
    static unsigned                 num_threads(void) { return assay_block_size(); }
    static unsigned                 size(void) { return assay_block_size(); }
    static dim3                     thread_index(void) { return threadIdx; }
    static dim3                     block_index(void) { return dim3(0, 0, 0); }
    static dim3                     dim_blocks(void) { return dim3(1, 1, 1); }
    static dim3                     dim_threads(void) { return blockDim; }
};
inline cluster_group this_cluster(void) { return cluster_group(); }

class grid_group : public thread_group
{
  public:
    struct arrival_token {
    };

    grid_group() : thread_group(GRID) {}

    static bool          is_valid(void) { return assay_host_grid_is_co_resident(); }
    static void          sync(ASSAY_HOST_SITE) { assay_host_grid_barrier(file, line); }
    static arrival_token barrier_arrive(void) { return {}; }
    static void          barrier_wait(arrival_token &&, ASSAY_HOST_SITE) { sync(file, line); }

    static unsigned long long block_rank(void) { return assay_grid_rank(); }
    static unsigned long long num_blocks(void) { return assay_grid_size(); }
    static unsigned long long thread_rank(void)
    {
        return assay_grid_rank() * assay_block_size() + assay_block_rank();
    }
    static unsigned long long size(void) { return num_blocks() * assay_block_size(); }
    static unsigned long long num_threads(void) { return size(); }
    static dim3               group_dim(void) { return gridDim; }
    static dim3               dim_blocks(void) { return gridDim; }
    static dim3               dim_threads(void)
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static dim3 block_index(void) { return blockIdx; }
    static dim3 thread_index(void)
    {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static dim3               dim_clusters(void) { return gridDim; }
    static unsigned long long num_clusters(void) { return num_blocks(); }
    static dim3               cluster_index(void) { return blockIdx; }
    static unsigned long long cluster_rank(void) { return block_rank(); }
};
inline grid_group this_grid(void) { return grid_group(); }

} // namespace cooperative_groups

#endif
