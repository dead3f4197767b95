/* cub::BlockStore, and stores without it, by their documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_STORE_CUH
#define ASSAY_HOST_CUB_BLOCK_STORE_CUH

#include "host/cub/exchange.h"

namespace cub
{

#define ASSAY_HOST_CUB_STORE(name, parameters, SIZE, arrangement)                                  \
    template <parameters typename T, int N, typename Iterator>                                     \
    inline void name(int linear_tid, Iterator to, T(&items)[N])                                    \
    {                                                                                              \
        assay_cub_store<arrangement, SIZE>(linear_tid, to, items,                                  \
                                           std::numeric_limits<int>::max());                       \
    }                                                                                              \
    template <parameters typename T, int N, typename Iterator>                                     \
    inline void name(int linear_tid, Iterator to, T(&items)[N], int valid_items)                   \
    {                                                                                              \
        assay_cub_store<arrangement, SIZE>(linear_tid, to, items, valid_items);                    \
    }
#define ASSAY_HOST_CUB_OF_BLOCK int BLOCK_THREADS,
#define ASSAY_HOST_CUB_OF_ANY
ASSAY_HOST_CUB_STORE(StoreDirectBlocked, ASSAY_HOST_CUB_OF_ANY, 1, ASSAY_CUB_BLOCKED)
ASSAY_HOST_CUB_STORE(StoreDirectStriped, ASSAY_HOST_CUB_OF_BLOCK, BLOCK_THREADS, ASSAY_CUB_STRIPED)
ASSAY_HOST_CUB_STORE(StoreDirectWarpStriped, ASSAY_HOST_CUB_OF_ANY, 32, ASSAY_CUB_WARP_STRIPED)
#undef ASSAY_HOST_CUB_STORE
#undef ASSAY_HOST_CUB_OF_BLOCK
#undef ASSAY_HOST_CUB_OF_ANY

template <typename T, int N>
inline void StoreDirectBlockedVectorized(int linear_tid, T *to, T (&items)[N])
{
    StoreDirectBlocked(linear_tid, to, items);
}

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/* Only what transposes goes through the storage. */
template <typename T, int N, int TOTAL, BlockStoreAlgorithm ALGORITHM>
using assay_cub_store_storage =
    std::conditional_t<ALGORITHM >= BLOCK_STORE_TRANSPOSE, assay_cub_exchange_storage<T, TOTAL>,
                       assay_cub_no_storage>;

template <typename T, int X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1>
class BlockStore
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_block<
              assay_cub_store_storage<T, ITEMS_PER_THREAD, X * Y * Z * ITEMS_PER_THREAD, ALGORITHM>,
              X, Y, Z>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_block<
            assay_cub_store_storage<T, ITEMS_PER_THREAD, X * Y * Z * ITEMS_PER_THREAD, ALGORITHM>,
            X, Y, Z>>;
    static_assert(ALGORITHM < BLOCK_STORE_WARP_TRANSPOSE || X * Y * Z % 32 == 0,
                  "this algorithm takes a block of whole warps");

  public:
    using typename base::TempStorage;

    explicit BlockStore(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockStore", storage, file, line)
    {
    }
    explicit BlockStore(ASSAY_HOST_SITE) : base("BlockStore", file, line) {}

    template <typename Iterator>
    void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], ASSAY_HOST_SITE)
    {
        Store(to, items, base::TOTAL, file, line);
    }
    template <typename Iterator>
    void Store(Iterator to, T (&items)[ITEMS_PER_THREAD], int valid_items, ASSAY_HOST_SITE)
    {
        constexpr bool IS_OF_BLOCK = ALGORITHM == BLOCK_STORE_TRANSPOSE;

        if constexpr (ALGORITHM == BLOCK_STORE_STRIPED)
            assay_cub_store<ASSAY_CUB_STRIPED, base::SIZE>(base::rank_, to, items, valid_items);
        else if constexpr (ALGORITHM < BLOCK_STORE_TRANSPOSE)
            assay_cub_store<ASSAY_CUB_BLOCKED, base::SIZE>(base::rank_, to, items, valid_items);
        else
            base::template store<IS_OF_BLOCK ? ASSAY_CUB_STRIPED : ASSAY_CUB_WARP_STRIPED>(
                to, items, valid_items, file, line);
    }
};

} // namespace cub

#endif
