/* cub::WarpStore by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_STORE_CUH
#define ASSAY_HOST_CUB_WARP_STORE_CUH

#include "host/cub/exchange.h"

namespace cub
{

enum WarpStoreAlgorithm {
    WARP_STORE_DIRECT,
    WARP_STORE_STRIPED,
    WARP_STORE_VECTORIZE,
    WARP_STORE_TRANSPOSE
};

template <typename T, int TOTAL, WarpStoreAlgorithm ALGORITHM> using assay_cub_warp_store_storage =
    std::conditional_t<ALGORITHM == WARP_STORE_TRANSPOSE, assay_cub_exchange_storage<T, TOTAL>,
                       assay_cub_no_storage>;

template <typename T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT,
          int LOGICAL_WARP_THREADS = 32>
class WarpStore
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_warp<
              assay_cub_warp_store_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD, ALGORITHM>,
              LOGICAL_WARP_THREADS>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_warp<
            assay_cub_warp_store_storage<T, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD, ALGORITHM>,
            LOGICAL_WARP_THREADS>>;
    static_assert(PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE,
                  "a logical warp that stores has a power of two of lanes");

  public:
    using typename base::TempStorage;

    explicit WarpStore(TempStorage &storage) : base("WarpStore", storage) {}

    template <typename Iterator>
    void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], ASSAY_HOST_SITE)
    {
        Store(to, items, base::TOTAL, file, line);
    }
    template <typename Iterator>
    void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], int valid_items, ASSAY_HOST_SITE)
    {
        base::require(1, file, line);
        if constexpr (ALGORITHM == WARP_STORE_STRIPED)
            assay_cub_store<ASSAY_CUB_STRIPED, base::SIZE>(base::rank_, to, items, valid_items);
        else if constexpr (ALGORITHM == WARP_STORE_TRANSPOSE)
            base::template store<ASSAY_CUB_STRIPED>(to, items, valid_items, file, line);
        else
            assay_cub_store<ASSAY_CUB_BLOCKED, base::SIZE>(base::rank_, to, items, valid_items);
    }
};

} // namespace cub

#endif
