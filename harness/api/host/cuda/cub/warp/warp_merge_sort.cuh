/* cub::WarpMergeSort by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_MERGE_SORT_CUH
#define ASSAY_HOST_CUB_WARP_MERGE_SORT_CUH

#include "host/cub/sort.h"

namespace cub
{

template <typename Key, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32,
          typename Value = NullType>
class WarpMergeSort
    : public assay_cub_merge_sort<
          Key, Value, ITEMS_PER_THREAD,
          assay_cub_warp<
              assay_cub_sort_storage<Key, Value, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD>,
              LOGICAL_WARP_THREADS>>
{
    using base = assay_cub_merge_sort<
        Key, Value, ITEMS_PER_THREAD,
        assay_cub_warp<assay_cub_sort_storage<Key, Value, LOGICAL_WARP_THREADS * ITEMS_PER_THREAD>,
                       LOGICAL_WARP_THREADS>>;
    static_assert(PowerOfTwo<LOGICAL_WARP_THREADS>::VALUE,
                  "a logical warp that sorts has a power of two of lanes");

  public:
    using typename base::TempStorage;

    explicit WarpMergeSort(TempStorage &storage) : base("WarpMergeSort", storage) {}
};

} // namespace cub

#endif
