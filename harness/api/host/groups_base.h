/* Cooperative groups for host compilation: what all groups share. Written by the documentation of
 * CUDA's header; the names are its names. */
#ifndef ASSAY_HOST_GROUPS_BASE_H
#define ASSAY_HOST_GROUPS_BASE_H

#include "block_calls.h"
#include "warp.h"

#include <string.h>
#include <type_traits>
#include <utility>

namespace cooperative_groups
{

inline unsigned assay_block_rank(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned           assay_block_size(void) { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned long long assay_grid_rank(void)
{
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
}
inline unsigned long long assay_grid_size(void)
{
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}

/* Exchanges values of any size in pieces of 8 bytes, which `take` exchanges. */
template <typename T, typename Take> inline T assay_in_pieces(const T &value, Take take)
{
    static_assert(std::is_trivially_copyable<T>::value, "a shuffle copies bytes");
    T result = value;

    for (size_t at = 0; at < sizeof(T); at += 8) {
        const size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        uint64_t     piece = 0;

        memcpy(&piece, reinterpret_cast<const char *>(&value) + at, bytes);
        piece = take(piece);
        memcpy(reinterpret_cast<char *>(&result) + at, &piece, bytes);
    }
    return result;
}

/* A group of any type: lanes of a warp, whole warps, the block, or the grid. */
class thread_group
{
  public:
    unsigned long long size(void) const
    {
        return kind_ == GRID    ? assay_grid_size() * assay_block_size()
               : kind_ == LANES ? static_cast<unsigned>(__builtin_popcount(lanes_))
                                : n_;
    }
    unsigned long long num_threads(void) const { return size(); }
    unsigned long long thread_rank(void) const
    {
        return kind_ == GRID    ? assay_grid_rank() * assay_block_size() + assay_block_rank()
               : kind_ == LANES ? static_cast<unsigned>(
                                      __builtin_popcount(lanes_ & ((1u << assay_host_lane()) - 1u)))
                                : assay_block_rank() - first_;
    }
    void sync(ASSAY_HOST_SITE) const
    {
        if (kind_ == GRID)
            assay_host_grid_barrier(file, line);
        else if (kind_ == LANES)
            __syncwarp(lanes_, file, line);
        else if (kind_ == BLOCK)
            (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, file, line);
        else
            (void)assay_host_group_exchange(ASSAY_GROUP_SYNC, first_, n_, 0, 0, file, line);
    }

  protected:
    enum kind : unsigned char {
        GRID,
        BLOCK,
        WARPS,
        LANES
    };

    kind     kind_;
    unsigned lanes_;                         /* LANES: by bit */
    unsigned first_, n_;                     /* BLOCK, WARPS: threads of the block */
    unsigned meta_rank_ = 0, meta_size_ = 1; /* among the parts of the parent group */

    explicit thread_group(kind what, unsigned lanes = 0)
        : kind_(what), lanes_(lanes), first_(0), n_(assay_block_size())
    {
    }
    thread_group(unsigned first, unsigned n) : kind_(WARPS), lanes_(0), first_(first), n_(n) {}

    friend thread_group tiled_partition(const thread_group &parent, unsigned size, const char *file,
                                        int line);
};

template <typename Group> inline void sync(const Group &group, ASSAY_HOST_SITE)
{
    group.sync(file, line);
}
template <typename Group> inline auto thread_rank(const Group &group)
    -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <typename Group> inline auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}

} // namespace cooperative_groups

#endif
