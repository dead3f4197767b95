/* cub::BlockLoad, and loads without it, by their documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_LOAD_CUH
#define ASSAY_HOST_CUB_BLOCK_LOAD_CUH

#include "host/cub/exchange.h"

namespace cub
{

/* What lies at or behind item block_items_end keeps its value, or gets that of oob_default. */
#define ASSAY_HOST_CUB_LOAD(name, parameters, SIZE, arrangement)                                   \
    template <parameters typename T, int N, typename Iterator>                                     \
    inline void name(int linear_tid, Iterator from, T(&items)[N])                                  \
    {                                                                                              \
        assay_cub_load<arrangement, SIZE>(linear_tid, from, items,                                 \
                                          std::numeric_limits<int>::max());                        \
    }                                                                                              \
    template <parameters typename T, int N, typename Iterator>                                     \
    inline void name(int linear_tid, Iterator from, T(&items)[N], int block_items_end)             \
    {                                                                                              \
        assay_cub_load<arrangement, SIZE>(linear_tid, from, items, block_items_end);               \
    }                                                                                              \
    template <parameters typename T, typename Default, int N, typename Iterator> inline void name( \
        int linear_tid, Iterator from, T(&items)[N], int block_items_end, Default oob_default)     \
    {                                                                                              \
        for (int i = 0; i < N; i++)                                                                \
            items[i] = static_cast<T>(oob_default);                                                \
        assay_cub_load<arrangement, SIZE>(linear_tid, from, items, block_items_end);               \
    }
#define ASSAY_HOST_CUB_OF_BLOCK int BLOCK_THREADS,
#define ASSAY_HOST_CUB_OF_ANY
ASSAY_HOST_CUB_LOAD(LoadDirectBlocked, ASSAY_HOST_CUB_OF_ANY, 1, ASSAY_CUB_BLOCKED)
ASSAY_HOST_CUB_LOAD(LoadDirectStriped, ASSAY_HOST_CUB_OF_BLOCK, BLOCK_THREADS, ASSAY_CUB_STRIPED)
ASSAY_HOST_CUB_LOAD(LoadDirectWarpStriped, ASSAY_HOST_CUB_OF_ANY, 32, ASSAY_CUB_WARP_STRIPED)
#undef ASSAY_HOST_CUB_LOAD
#undef ASSAY_HOST_CUB_OF_BLOCK
#undef ASSAY_HOST_CUB_OF_ANY

template <typename T, int N>
inline void LoadDirectBlockedVectorized(int linear_tid, const T *from, T (&items)[N])
{
    LoadDirectBlocked(linear_tid, from, items);
}

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

/* Only what transposes goes through the storage. */
template <typename T, int N, int TOTAL, BlockLoadAlgorithm ALGORITHM> using assay_cub_load_storage =
    std::conditional_t<ALGORITHM >= BLOCK_LOAD_TRANSPOSE, assay_cub_exchange_storage<T, TOTAL>,
                       assay_cub_no_storage>;

template <typename T, int X, int ITEMS_PER_THREAD, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT,
          int Y = 1, int Z = 1>
class BlockLoad
    : public assay_cub_transposer<
          T, ITEMS_PER_THREAD,
          assay_cub_block<
              assay_cub_load_storage<T, ITEMS_PER_THREAD, X * Y * Z * ITEMS_PER_THREAD, ALGORITHM>,
              X, Y, Z>>
{
    using base = assay_cub_transposer<
        T, ITEMS_PER_THREAD,
        assay_cub_block<
            assay_cub_load_storage<T, ITEMS_PER_THREAD, X * Y * Z * ITEMS_PER_THREAD, ALGORITHM>, X,
            Y, Z>>;
    static_assert(ALGORITHM < BLOCK_LOAD_WARP_TRANSPOSE || X * Y * Z % 32 == 0,
                  "this algorithm takes a block of whole warps");

  public:
    using typename base::TempStorage;

    explicit BlockLoad(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockLoad", storage, file, line)
    {
    }
    explicit BlockLoad(ASSAY_HOST_SITE) : base("BlockLoad", file, line) {}

    template <typename Iterator>
    void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], ASSAY_HOST_SITE)
    {
        Load(from, items, base::TOTAL, file, line);
    }
    template <typename Iterator>
    void Load(Iterator from, T (&items)[ITEMS_PER_THREAD], int valid_items, ASSAY_HOST_SITE)
    {
        constexpr bool IS_OF_BLOCK = ALGORITHM == BLOCK_LOAD_TRANSPOSE;

        if constexpr (ALGORITHM == BLOCK_LOAD_STRIPED)
            assay_cub_load<ASSAY_CUB_STRIPED, base::SIZE>(base::rank_, from, items, valid_items);
        else if constexpr (ALGORITHM < BLOCK_LOAD_TRANSPOSE)
            assay_cub_load<ASSAY_CUB_BLOCKED, base::SIZE>(base::rank_, from, items, valid_items);
        else
            base::template load<IS_OF_BLOCK ? ASSAY_CUB_STRIPED : ASSAY_CUB_WARP_STRIPED>(
                from, items, valid_items, file, line);
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
