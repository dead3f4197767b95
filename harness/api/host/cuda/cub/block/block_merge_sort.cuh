/* cub::BlockMergeSort by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_MERGE_SORT_CUH
#define ASSAY_HOST_CUB_BLOCK_MERGE_SORT_CUH

#include "host/cub/sort.h"

namespace cub
{

template <typename Key, int X, int ITEMS_PER_THREAD, typename Value = NullType, int Y = 1,
          int Z = 1>
class BlockMergeSort
    : public assay_cub_merge_sort<
          Key, Value, ITEMS_PER_THREAD,
          assay_cub_block<assay_cub_sort_storage<Key, Value, X * Y * Z * ITEMS_PER_THREAD>, X, Y,
                          Z>>
{
    using base = assay_cub_merge_sort<
        Key, Value, ITEMS_PER_THREAD,
        assay_cub_block<assay_cub_sort_storage<Key, Value, X * Y * Z * ITEMS_PER_THREAD>, X, Y, Z>>;

  public:
    using typename base::TempStorage;

    explicit BlockMergeSort(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockMergeSort", storage, file, line)
    {
    }
    explicit BlockMergeSort(ASSAY_HOST_SITE) : base("BlockMergeSort", file, line) {}
};

} // namespace cub

#endif
