/* Cooperative groups for host compilation: thread block, tiles of a warp, coalesced threads, grid,
 * reduce. */
#ifndef ASSAY_HOST_COOPERATIVE_GROUPS_H
#define ASSAY_HOST_COOPERATIVE_GROUPS_H

#include "device_calls.h"
#include "warp.h"

#include <string.h>
#include <type_traits>

namespace cooperative_groups
{

inline unsigned assay_block_rank(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

class thread_block
{
  public:
    static void sync(ASSAY_HOST_SITE)
    {
        (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, file, line);
    }
    static unsigned thread_rank(void) { return assay_block_rank(); }
    static unsigned size(void) { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads(void) { return size(); }
    static dim3     group_index(void) { return blockIdx; }
    static dim3     thread_index(void) { return threadIdx; }
    static dim3     group_dim(void) { return blockDim; }
    static dim3     dim_threads(void) { return blockDim; }
};
inline thread_block this_thread_block(void) { return thread_block(); }

class grid_group
{
  public:
    static bool               is_valid(void) { return assay_host_grid_is_co_resident(); }
    static void               sync(ASSAY_HOST_SITE) { assay_host_grid_barrier(file, line); }
    static unsigned long long block_rank(void)
    {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) *
                   (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static unsigned long long num_blocks(void)
    {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long thread_rank(void)
    {
        return block_rank() * thread_block::size() + assay_block_rank();
    }
    static unsigned long long size(void) { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads(void) { return size(); }
    static dim3               group_dim(void) { return gridDim; }
    static dim3               dim_blocks(void) { return gridDim; }
    static dim3               block_index(void) { return blockIdx; }
};
inline grid_group this_grid(void) { return grid_group(); }

/* A set of lanes of one warp, numbered from the lowest; base of tiles and coalesced groups. */
class assay_lane_group
{
  public:
    explicit assay_lane_group(unsigned mask) : mask_(mask) {}

    unsigned size(void) const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
    unsigned num_threads(void) const { return size(); }
    unsigned thread_rank(void) const
    {
        return static_cast<unsigned>(__builtin_popcount(mask_ & ((1u << assay_host_lane()) - 1u)));
    }
    void sync(ASSAY_HOST_SITE) const { __syncwarp(mask_, file, line); }

    template <typename T> T shfl(T value, unsigned rank, ASSAY_HOST_SITE) const
    {
        return exchange(value, rank % size(), file, line);
    }
    /* Past the end a lane gets its own value. */
    template <typename T> T shfl_down(T value, unsigned delta, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank();

        return exchange(value, delta < size() - rank ? rank + delta : rank, file, line);
    }
    template <typename T> T shfl_up(T value, unsigned delta, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank();

        return exchange(value, delta <= rank ? rank - delta : rank, file, line);
    }
    template <typename T> T shfl_xor(T value, unsigned lane_mask, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank() ^ lane_mask;

        return exchange(value, rank < size() ? rank : thread_rank(), file, line);
    }
    int any(int predicate, ASSAY_HOST_SITE) const
    {
        return __any_sync(mask_, predicate, file, line);
    }
    int all(int predicate, ASSAY_HOST_SITE) const
    {
        return __all_sync(mask_, predicate, file, line);
    }
    /* Masks are by rank in the group, not by lane. */
    unsigned ballot(int predicate, ASSAY_HOST_SITE) const
    {
        return by_rank(__ballot_sync(mask_, predicate, file, line));
    }
    template <typename T> unsigned match_any(T value, ASSAY_HOST_SITE) const
    {
        return by_rank(__match_any_sync(mask_, value, file, line));
    }
    template <typename T> unsigned match_all(T value, int &predicate, ASSAY_HOST_SITE) const
    {
        return by_rank(__match_all_sync(mask_, value, &predicate, file, line));
    }

  protected:
    unsigned mask_;

    unsigned lane_of(unsigned rank) const
    {
        unsigned rest = mask_;

        for (; rank > 0; rank--)
            rest &= rest - 1u;
        return static_cast<unsigned>(__builtin_ctz(rest));
    }
    unsigned by_rank(unsigned lanes) const
    {
        unsigned ranks = 0, bit = 1;

        for (unsigned rest = mask_; rest != 0; rest &= rest - 1u, bit <<= 1)
            ranks |= lanes & (rest & (0u - rest)) ? bit : 0u;
        return ranks;
    }
    /* Values of more than 8 bytes go in pieces. */
    template <typename T>
    T exchange(const T &value, unsigned rank, const char *file, int line) const
    {
        static_assert(std::is_trivially_copyable<T>::value, "a shuffle copies bytes");
        const unsigned source = lane_of(rank);
        T              result = value;

        for (size_t at = 0; at < sizeof(T); at += 8) {
            const size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
            uint64_t     piece = 0;

            memcpy(&piece, reinterpret_cast<const char *>(&value) + at, bytes);
            piece = assay_host_warp_exchange(ASSAY_WARP_SHUFFLE, mask_, piece, source, file, line);
            memcpy(reinterpret_cast<char *>(&result) + at, &piece, bytes);
        }
        return result;
    }
};

/* Tile of Size consecutive lanes; a block that ends inside the tile leaves it fewer. */
template <unsigned Size, typename Parent = void> class thread_block_tile : public assay_lane_group
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 lanes");

  public:
    thread_block_tile() : assay_lane_group(lanes()) {}

    static constexpr unsigned size(void) { return Size; }
    static constexpr unsigned num_threads(void) { return Size; }
    unsigned                  thread_rank(void) const { return assay_host_lane() % Size; }
    unsigned                  meta_group_rank(void) const { return assay_block_rank() / Size; }
    unsigned meta_group_size(void) const { return (thread_block::size() + Size - 1) / Size; }

  private:
    static unsigned lanes(void)
    {
        const unsigned full = Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1u;

        return full << assay_host_lane() / Size * Size;
    }
};

template <unsigned Size> inline thread_block_tile<Size> tiled_partition(const thread_block &)
{
    return thread_block_tile<Size>();
}
template <unsigned Size, unsigned Whole, typename Parent>
inline thread_block_tile<Size> tiled_partition(const thread_block_tile<Whole, Parent> &)
{
    static_assert(Size <= Whole, "a tile is part of its parent");
    return thread_block_tile<Size>();
}

class coalesced_group : public assay_lane_group
{
  public:
    explicit coalesced_group(unsigned mask) : assay_lane_group(mask) {}
};
/* The lanes that come here together: which ones varies with the schedule, as on the GPU. */
inline coalesced_group coalesced_threads(ASSAY_HOST_SITE)
{
    return coalesced_group(assay_host_active_mask(file, line));
}

template <typename Group> inline void sync(const Group &group, ASSAY_HOST_SITE)
{
    group.sync(file, line);
}

/* ---- reduce */

template <typename T> struct plus {
    T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <typename T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
    T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T> struct bit_or {
    T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <typename T> struct bit_xor {
    T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

/* All lanes get the same bits: a tree by halves, then the result of rank 0. */
template <typename Group, typename T, typename Op>
inline T reduce(const Group &group, T value, Op op, ASSAY_HOST_SITE)
{
    const unsigned size = group.size(), rank = group.thread_rank();

    for (unsigned half = 16; half > 0; half /= 2) {
        const T other = group.shfl_down(value, half, file, line);

        if (rank < half && rank + half < size)
            value = op(value, other);
    }
    return group.shfl(value, 0, file, line);
}

} // namespace cooperative_groups

#endif
