/* Cooperative groups for host compilation: partitions of groups. */
#ifndef ASSAY_HOST_GROUPS_PARTITION_H
#define ASSAY_HOST_GROUPS_PARTITION_H

#include "groups_tiles.h"

namespace cooperative_groups
{

/* ---- parts of a size that the compiler knows */

template <unsigned Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return {};
}
template <unsigned Size, unsigned Whole, typename Parent>
inline thread_block_tile<Size, thread_block_tile<Whole, Parent>>
tiled_partition(const thread_block_tile<Whole, Parent> &)
{
    return {};
}

/* ---- parts of any size */

inline void assay_check_tile(unsigned size, const char *file, int line)
{
    if (size == 0 || size > 32 || (size & (size - 1)) != 0)
        assay_host_trap("tiled_partition: a tile has 1, 2, 4, 8, 16 or 32 threads", file, line);
}

/* Divides a set of lanes into parts of `size` ranks; the last part may have fewer. */
inline coalesced_group assay_ranks_of(unsigned lanes, unsigned size)
{
    const unsigned n = static_cast<unsigned>(__builtin_popcount(lanes));
    const unsigned rank =
        static_cast<unsigned>(__builtin_popcount(lanes & ((1u << assay_host_lane()) - 1u)));
    unsigned mine = 0, at = 0;

    for (unsigned rest = lanes; rest != 0; rest &= rest - 1u, at++)
        if (at / size == rank / size)
            mine |= rest & (0u - rest);
    return coalesced_group(mine, rank / size, (n + size - 1) / size);
}

inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size,
                                       ASSAY_HOST_SITE)
{
    assay_check_tile(size, file, line);
    return assay_ranks_of(parent.assay_lanes(), size);
}
template <unsigned Size>
inline coalesced_group tiled_partition(const coalesced_group &parent, ASSAY_HOST_SITE)
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    return tiled_partition(parent, Size, file, line);
}

inline thread_group tiled_partition(const thread_group &parent, unsigned size, ASSAY_HOST_SITE)
{
    unsigned first, n;

    assay_check_tile(size, file, line);
    if (parent.kind_ == thread_group::LANES)
        return assay_ranks_of(parent.lanes_, size);
    if (parent.kind_ == thread_group::GRID)
        assay_host_trap("tiled_partition: a grid has no tiles", file, line);
    first = assay_host_lane() / size * size;
    n     = parent.n_ - (assay_block_rank() - assay_host_lane() + first - parent.first_);
    n     = n < size ? n : size;
    return coalesced_group((n == 32 ? 0xffffffffu : (1u << n) - 1u) << first,
                           (assay_block_rank() - parent.first_) / size,
                           (parent.n_ + size - 1) / size);
}

/* ---- parts by values that the threads give */

inline coalesced_group assay_binary_partition(unsigned lanes, bool predicate, const char *file,
                                              int line)
{
    const unsigned set = __ballot_sync(lanes, predicate, file, line);

    if (set == 0 || set == lanes)
        return coalesced_group(lanes);
    return coalesced_group(predicate ? set : lanes & ~set, predicate, 2);
}

inline coalesced_group binary_partition(const coalesced_group &group, bool predicate,
                                        ASSAY_HOST_SITE)
{
    return assay_binary_partition(group.assay_lanes(), predicate, file, line);
}
template <unsigned Size, typename Parent> inline coalesced_group
binary_partition(const thread_block_tile<Size, Parent> &group, bool predicate, ASSAY_HOST_SITE)
{
    static_assert(Size <= 32, "only tiles within a warp are taken apart by a predicate");
    return assay_binary_partition(group.assay_lanes(), predicate, file, line);
}

/* Parts are numbered by their lowest lane. */
template <typename Label> inline coalesced_group
assay_labeled_partition(unsigned lanes, Label label, const char *file, int line)
{
    static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                  "a label is an integer");
    const unsigned mine    = __match_any_sync(lanes, label, file, line);
    const unsigned lowest  = mine & (0u - mine);
    const unsigned leaders = __ballot_sync(lanes, 1u << assay_host_lane() == lowest, file, line);

    return coalesced_group(mine, static_cast<unsigned>(__builtin_popcount(leaders & (lowest - 1u))),
                           static_cast<unsigned>(__builtin_popcount(leaders)));
}
inline coalesced_group assay_labeled_partition(unsigned lanes, bool label, const char *file,
                                               int line)
{
    return assay_binary_partition(lanes, label, file, line);
}

template <typename Label>
inline coalesced_group labeled_partition(const coalesced_group &group, Label label, ASSAY_HOST_SITE)
{
    return assay_labeled_partition(group.assay_lanes(), label, file, line);
}
template <typename Label, unsigned Size, typename Parent> inline coalesced_group
labeled_partition(const thread_block_tile<Size, Parent> &group, Label label, ASSAY_HOST_SITE)
{
    static_assert(Size <= 32, "only tiles within a warp are taken apart by a label");
    return assay_labeled_partition(group.assay_lanes(), label, file, line);
}

} // namespace cooperative_groups

#endif
