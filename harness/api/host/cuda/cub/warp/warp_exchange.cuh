/* cub::WarpExchange by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_EXCHANGE_CUH
#define ASSAY_HOST_CUB_WARP_EXCHANGE_CUH

#include "host/cub/exchange.h"

namespace cub
{

enum WarpExchangeAlgorithm {
    WARP_EXCHANGE_SMEM,
    WARP_EXCHANGE_SHUFFLE
};

template <typename T, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32,
          WarpExchangeAlgorithm ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_warp<assay_cub_exchange_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD>,
                         LOGICAL_WARP_THREADS>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_warp<assay_cub_exchange_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD>,
                       LOGICAL_WARP_THREADS>>;
    static constexpr int N = ITEMS_PER_THREAD;
    static_assert(PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE,
                  "a logical warp that exchanges has a power of two of lanes");

  public:
    using typename base::TempStorage;

    explicit WarpExchange(TempStorage &storage) : base("WarpExchange", storage) {}

    template <typename Out> void BlockedToStriped(const T (&in)[N], Out (&out)[N], ASSAY_HOST_SITE)
    {
        base::require(base::SIZE, file, line);
        base::template rearrange<ASSAY_CUB_BLOCKED, ASSAY_CUB_STRIPED>(in, out, base::TOTAL, file,
                                                                       line);
    }
    template <typename Out> void StripedToBlocked(const T (&in)[N], Out (&out)[N], ASSAY_HOST_SITE)
    {
        base::require(base::SIZE, file, line);
        base::template rearrange<ASSAY_CUB_STRIPED, ASSAY_CUB_BLOCKED>(in, out, base::TOTAL, file,
                                                                       line);
    }
    template <typename Out, typename Rank>
    void ScatterToStriped(const T (&in)[N], Out (&out)[N], const Rank (&ranks)[N], ASSAY_HOST_SITE)
    {
        base::require(base::SIZE, file, line);
        base::template scatter<ASSAY_CUB_STRIPED>(
            in, out, ranks, [](int) { return false; }, file, line);
    }
    template <typename Rank>
    void ScatterToStriped(T (&items)[N], const Rank (&ranks)[N], ASSAY_HOST_SITE)
    {
        ScatterToStriped(items, items, ranks, file, line);
    }
};

} // namespace cub

#endif
