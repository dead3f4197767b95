/* Cooperative groups for host compilation: tiles of a block, within a warp or of several whole
 * warps, and coalesced threads. */
#ifndef ASSAY_HOST_GROUPS_TILES_H
#define ASSAY_HOST_GROUPS_TILES_H

#include "groups_block.h"

namespace cooperative_groups
{

/* A set of lanes of one warp, numbered from the lowest; base of tiles and coalesced groups. */
class assay_lane_group : public thread_group
{
  public:
    explicit assay_lane_group(unsigned mask) : thread_group(LANES, mask) {}

    unsigned size(void) const { return static_cast<unsigned>(__builtin_popcount(lanes_)); }
    unsigned num_threads(void) const { return size(); }
    unsigned thread_rank(void) const
    {
        return static_cast<unsigned>(__builtin_popcount(lanes_ & ((1u << assay_host_lane()) - 1u)));
    }
    void     sync(ASSAY_HOST_SITE) const { __syncwarp(lanes_, file, line); }
    unsigned meta_group_rank(void) const { return meta_rank_; }
    unsigned meta_group_size(void) const { return meta_size_; }

    template <typename T> T shfl(T value, unsigned rank, ASSAY_HOST_SITE) const
    {
        return assay_take(value, rank % size(), file, line);
    }
    /* A lane that would read past the end gets its own value. */
    template <typename T> T shfl_down(T value, unsigned delta, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank();

        return assay_take(value, delta < size() - rank ? rank + delta : rank, file, line);
    }
    template <typename T> T shfl_up(T value, unsigned delta, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank();

        return assay_take(value, delta <= rank ? rank - delta : rank, file, line);
    }
    template <typename T> T shfl_xor(T value, unsigned lane_mask, ASSAY_HOST_SITE) const
    {
        const unsigned rank = thread_rank() ^ lane_mask;

        return assay_take(value, rank < size() ? rank : thread_rank(), file, line);
    }
    int any(int predicate, ASSAY_HOST_SITE) const
    {
        return __any_sync(lanes_, predicate, file, line);
    }
    int all(int predicate, ASSAY_HOST_SITE) const
    {
        return __all_sync(lanes_, predicate, file, line);
    }
    /* Bits of masks are ranks in the group, not lanes. */
    unsigned ballot(int predicate, ASSAY_HOST_SITE) const
    {
        return by_rank(__ballot_sync(lanes_, predicate, file, line));
    }
    template <typename T> unsigned match_any(T value, ASSAY_HOST_SITE) const
    {
        return by_rank(__match_any_sync(lanes_, value, file, line));
    }
    template <typename T> unsigned match_all(T value, int &predicate, ASSAY_HOST_SITE) const
    {
        return by_rank(__match_all_sync(lanes_, value, &predicate, file, line));
    }

    template <typename T>
    T assay_take(const T &value, unsigned rank, const char *file, int line) const
    {
        const unsigned mask = lanes_, source = lane_of(rank);

        return assay_in_pieces(value, [=](uint64_t piece) {
            return assay_host_warp_exchange(ASSAY_WARP_SHUFFLE, mask, piece, source, file, line);
        });
    }
    unsigned assay_lanes(void) const { return lanes_; }

  protected:
    assay_lane_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
        : thread_group(LANES, mask)
    {
        meta_rank_ = meta_rank;
        meta_size_ = meta_size;
    }
    unsigned lane_of(unsigned rank) const
    {
        unsigned rest = lanes_;

        for (; rank > 0; rank--)
            rest &= rest - 1u;
        return static_cast<unsigned>(__builtin_ctz(rest));
    }
    unsigned by_rank(unsigned lanes) const
    {
        unsigned ranks = 0, bit = 1;

        for (unsigned rest = lanes_; rest != 0; rest &= rest - 1u, bit <<= 1)
            ranks |= lanes & (rest & (0u - rest)) ? bit : 0u;
        return ranks;
    }
};

/* ---- tiles */

/* `Size` consecutive lanes; fewer if the block ends inside the tile. */
template <unsigned Size> class assay_warp_tile : public assay_lane_group
{
  public:
    static constexpr unsigned size(void) { return Size; }
    static constexpr unsigned num_threads(void) { return Size; }
    unsigned                  thread_rank(void) const { return assay_host_lane() % Size; }

  protected:
    assay_warp_tile(unsigned meta_rank, unsigned meta_size)
        : assay_lane_group(lanes(), meta_rank, meta_size)
    {
    }

  private:
    static unsigned lanes(void)
    {
        const unsigned full = Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1u;

        return full << assay_host_lane() / Size * Size;
    }
};

/* Several whole warps: CUDA offers fewer operations on them. */
template <unsigned Size> class assay_warps_tile : public thread_group
{
  public:
    static constexpr unsigned size(void) { return Size; }
    static constexpr unsigned num_threads(void) { return Size; }
    unsigned                  thread_rank(void) const { return assay_block_rank() % Size; }
    unsigned                  meta_group_rank(void) const { return meta_rank_; }
    unsigned                  meta_group_size(void) const { return meta_size_; }

    void sync(ASSAY_HOST_SITE) const { (void)meet(ASSAY_GROUP_SYNC, 0, 0, file, line); }
    template <typename T> T shfl(T value, unsigned rank, ASSAY_HOST_SITE) const
    {
        return assay_take(value, rank % Size, file, line);
    }
    int any(int predicate, ASSAY_HOST_SITE) const
    {
        return static_cast<int>(meet(ASSAY_GROUP_ANY, predicate != 0, 0, file, line));
    }
    int all(int predicate, ASSAY_HOST_SITE) const
    {
        return static_cast<int>(meet(ASSAY_GROUP_ALL, predicate != 0, 0, file, line));
    }
    template <typename T>
    T assay_take(const T &value, unsigned rank, const char *file, int line) const
    {
        const assay_warps_tile self = *this;

        return assay_in_pieces(value, [=](uint64_t piece) {
            return self.meet(ASSAY_GROUP_SHUFFLE, piece, rank, file, line);
        });
    }

  protected:
    assay_warps_tile(unsigned meta_rank, unsigned meta_size)
        : thread_group(assay_block_rank() / Size * Size, present())
    {
        meta_rank_ = meta_rank;
        meta_size_ = meta_size;
    }

  private:
    static unsigned present(void)
    {
        const unsigned left = assay_block_size() - assay_block_rank() / Size * Size;

        return left < Size ? left : Size;
    }
    uint64_t meet(assay_part_op op, uint64_t value, unsigned source, const char *file,
                  int line) const
    {
        return assay_host_group_exchange(op, first_, n_, value, source, file, line);
    }
};

template <unsigned Size> using assay_tile_of =
    typename std::conditional<(Size > 32), assay_warps_tile<Size>, assay_warp_tile<Size>>::type;

/* The parent tells how many parts there are. A tile that was converted from another one has no
 * parent. */
template <unsigned Size, typename Parent = void> class thread_block_tile;

template <unsigned Size> class thread_block_tile<Size, void> : public assay_tile_of<Size>
{
    static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, at most 1024");

  public:
    thread_block_tile()
        : assay_tile_of<Size>(assay_block_rank() / Size, (assay_block_size() + Size - 1) / Size)
    {
    }

  protected:
    thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : assay_tile_of<Size>(meta_rank, meta_size)
    {
    }
};

template <unsigned Size, typename Parent> class thread_block_tile
    : public thread_block_tile<Size, void>
{
  public:
    thread_block_tile() = default;
};

template <unsigned Size, unsigned Whole, typename Parent>
class thread_block_tile<Size, thread_block_tile<Whole, Parent>>
    : public thread_block_tile<Size, void>
{
    static_assert(Size <= Whole, "a tile is part of its parent");

  public:
    thread_block_tile()
        : thread_block_tile<Size, void>(assay_block_rank() % Whole / Size, Whole / Size)
    {
    }
};

/* ---- coalesced threads */

class coalesced_group : public assay_lane_group
{
  public:
    explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : assay_lane_group(mask, meta_rank, meta_size)
    {
    }
};
/* The lanes that arrive here together. As on a GPU, which lanes these are depends on the schedule.
 */
inline coalesced_group coalesced_threads(ASSAY_HOST_SITE)
{
    return coalesced_group(assay_host_active_mask(file, line));
}

} // namespace cooperative_groups

#endif
