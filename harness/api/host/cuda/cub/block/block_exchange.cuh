/* cub::BlockExchange by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_EXCHANGE_CUH
#define ASSAY_HOST_CUB_BLOCK_EXCHANGE_CUH

#include "host/cub/exchange.h"

namespace cub
{

template <typename T, int X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false, int Y = 1,
          int Z = 1>
class BlockExchange
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_block<assay_cub_exchange_storage<T, X * Y * Z * ITEMS_PER_THREAD>, X, Y, Z>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_block<assay_cub_exchange_storage<T, X * Y * Z * ITEMS_PER_THREAD>, X, Y, Z>>;
    static constexpr int N = ITEMS_PER_THREAD;

  public:
    using typename base::TempStorage;

    explicit BlockExchange(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockExchange", storage, file, line)
    {
    }
    explicit BlockExchange(ASSAY_HOST_SITE) : base("BlockExchange", file, line) {}

/* From one array to another, or within one. */
#define ASSAY_HOST_CUB_EXCHANGE(name, from, to)                                                    \
    template <typename Out> void name(const T(&in)[N], Out(&out)[N], ASSAY_HOST_SITE)              \
    {                                                                                              \
        base::template rearrange<from, to>(in, out, base::TOTAL, file, line);                      \
    }                                                                                              \
    void name(T(&items)[N], ASSAY_HOST_SITE) { name(items, items, file, line); }
    ASSAY_HOST_CUB_EXCHANGE(StripedToBlocked, ASSAY_CUB_STRIPED, ASSAY_CUB_BLOCKED)
    ASSAY_HOST_CUB_EXCHANGE(BlockedToStriped, ASSAY_CUB_BLOCKED, ASSAY_CUB_STRIPED)
    ASSAY_HOST_CUB_EXCHANGE(WarpStripedToBlocked, ASSAY_CUB_WARP_STRIPED, ASSAY_CUB_BLOCKED)
    ASSAY_HOST_CUB_EXCHANGE(BlockedToWarpStriped, ASSAY_CUB_BLOCKED, ASSAY_CUB_WARP_STRIPED)
#undef ASSAY_HOST_CUB_EXCHANGE

#define ASSAY_HOST_CUB_SCATTER(name, to, is_left_out)                                              \
    template <typename Out, typename Rank>                                                         \
    void name(const T(&in)[N], Out(&out)[N], const Rank(&ranks)[N], ASSAY_HOST_SITE)               \
    {                                                                                              \
        const auto leave = [&ranks](int i) {                                                       \
            (void)ranks, (void)i;                                                                  \
            return is_left_out;                                                                    \
        };                                                                                         \
                                                                                                   \
        base::template scatter<to>(in, out, ranks, leave, file, line);                             \
    }                                                                                              \
    template <typename Rank> void name(T(&items)[N], const Rank(&ranks)[N], ASSAY_HOST_SITE)       \
    {                                                                                              \
        name(items, items, ranks, file, line);                                                     \
    }
    ASSAY_HOST_CUB_SCATTER(ScatterToBlocked, ASSAY_CUB_BLOCKED, false)
    ASSAY_HOST_CUB_SCATTER(ScatterToStriped, ASSAY_CUB_STRIPED, false)
    ASSAY_HOST_CUB_SCATTER(ScatterToStripedGuarded, ASSAY_CUB_STRIPED, ranks[i] < 0)
#undef ASSAY_HOST_CUB_SCATTER

    template <typename Out, typename Rank, typename Flag>
    void ScatterToStripedFlagged(const T (&in)[N], Out (&out)[N], const Rank (&ranks)[N],
                                 const Flag (&is_valid)[N], ASSAY_HOST_SITE)
    {
        base::template scatter<ASSAY_CUB_STRIPED>(
            in, out, ranks, [&is_valid](int i) { return !is_valid[i]; }, file, line);
    }
    template <typename Rank, typename Flag>
    void ScatterToStripedFlagged(T (&items)[N], const Rank (&ranks)[N], const Flag (&is_valid)[N],
                                 ASSAY_HOST_SITE)
    {
        ScatterToStripedFlagged(items, items, ranks, is_valid, file, line);
    }
};

} // namespace cub

#endif
