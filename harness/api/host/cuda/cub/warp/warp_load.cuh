/* cub::WarpLoad by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_LOAD_CUH
#define ASSAY_HOST_CUB_WARP_LOAD_CUH

#include "host/cub/exchange.h"

namespace cub
{

enum WarpLoadAlgorithm {
    WARP_LOAD_DIRECT,
    WARP_LOAD_STRIPED,
    WARP_LOAD_VECTORIZE,
    WARP_LOAD_TRANSPOSE
};

template <typename T, int TOTAL, WarpLoadAlgorithm ALGORITHM> using assay_cub_warp_load_storage =
    std::conditional_t<ALGORITHM == WARP_LOAD_TRANSPOSE, assay_cub_exchange_storage<T, TOTAL>,
                       assay_cub_no_storage>;

template <typename T, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT,
          int LOGICAL_WARP_THREADS = 32>
class WarpLoad
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_warp<
              assay_cub_warp_load_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD, ALGORITHM>,
              LOGICAL_WARP_THREADS>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_warp<
            assay_cub_warp_load_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD, ALGORITHM>,
            LOGICAL_WARP_THREADS>>;
    static_assert(PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE,
                  "a logical warp that loads has a power of two of lanes");

  public:
    using typename base::TempStorage;

    explicit WarpLoad(TempStorage &storage) : base("WarpLoad", storage) {}

    template <typename Iterator>
    void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], ASSAY_HOST_SITE)
    {
        Load(from, items, base::TOTAL, file, line);
    }
    template <typename Iterator>
    void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid_items, ASSAY_HOST_SITE)
    {
        base::require(1, file, line);
        if constexpr (ALGORITHM == WARP_LOAD_STRIPED)
            assay_cub_load<ASSAY_CUB_STRIPED, base::SIZE>(base::rank_, from, items, valid_items);
        else if constexpr (ALGORITHM == WARP_LOAD_TRANSPOSE)
            base::template load<ASSAY_CUB_STRIPED>(from, items, valid_items, file, line);
        else
            assay_cub_load<ASSAY_CUB_BLOCKED, base::SIZE>(base::rank_, from, items, valid_items);
    }
    template <typename Iterator, typename Default>
    void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid_items, Default oob_default,
              ASSAY_HOST_SITE)
    {
        for (T &item : items)
            item = static_cast<T>(oob_default);
        Load(from, items, valid_items, file, line);
    }
};

} // namespace cub

#endif
