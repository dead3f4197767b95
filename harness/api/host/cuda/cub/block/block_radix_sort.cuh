/* cub::BlockRadixSort by its documentation, without decomposers: keys are numbers. */
#ifndef ASSAY_HOST_CUB_BLOCK_RADIX_SORT_CUH
#define ASSAY_HOST_CUB_BLOCK_RADIX_SORT_CUH

#include "host/cub/sort.h"
#include "host/cuda/cub/block/block_scan.cuh"

#include <string.h>

namespace cub
{

/* The keys' bits, of which the order is that of unsigned integers; -0 and +0 are equal. */
template <typename Key> inline uint64_t assay_cub_radix_bits(const Key &key)
{
    constexpr bool     IS_HALF = std::is_class<Key>::value && sizeof(Key) == 2;
    constexpr bool     IS_REAL = std::is_floating_point<Key>::value || IS_HALF;
    constexpr unsigned BITS    = 8 * sizeof(Key);
    constexpr uint64_t SIGN    = uint64_t { 1 } << (BITS - 1);
    constexpr uint64_t ALL     = SIGN | (SIGN - 1);
    uint64_t           bits    = 0;

    static_assert((std::is_arithmetic<Key>::value || IS_HALF) && sizeof(Key) <= 8,
                  "keys are numbers");
    memcpy(&bits, &key, sizeof key);
    if (IS_REAL)
        return bits == SIGN ? SIGN : (bits & SIGN) ? ~bits & ALL : bits | SIGN;
    return std::is_signed<Key>::value ? bits ^ SIGN : bits;
}

template <typename Key, bool IS_DESCENDING> struct assay_cub_radix_less {
    int begin_bit, end_bit;

    uint64_t digits(const Key &key) const
    {
        const int n_bits = end_bit - begin_bit;

        return n_bits <= 0 ? 0
                           : assay_cub_radix_bits(key) >> begin_bit &
                                 (n_bits >= 64 ? ~uint64_t { 0 } : (uint64_t { 1 } << n_bits) - 1);
    }
    bool operator()(const Key &a, const Key &b) const
    {
        return IS_DESCENDING ? digits(b) < digits(a) : digits(a) < digits(b);
    }
};

template <typename Key, int X, int ITEMS_PER_THREAD, typename Value = NullType, int RADIX_BITS = 4,
          bool               MEMOIZE_OUTER_SCAN   = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, int SMEM_CONFIG = 0,
          int Y = 1, int Z = 1>
class BlockRadixSort
    : public assay_cub_sorter<
          Key, Value, ITEMS_PER_THREAD,
          assay_cub_block<assay_cub_sort_storage<Key, Value, X * Y * Z * ITEMS_PER_THREAD>, X, Y,
                          Z>>
{
    using base = assay_cub_sorter<
        Key, Value, ITEMS_PER_THREAD,
        assay_cub_block<assay_cub_sort_storage<Key, Value, X * Y * Z * ITEMS_PER_THREAD>, X, Y, Z>>;
    static constexpr int N        = ITEMS_PER_THREAD;
    static constexpr int ALL_BITS = static_cast<int>(8 * sizeof(Key));

  public:
    using typename base::TempStorage;

    explicit BlockRadixSort(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockRadixSort", storage, file, line)
    {
    }
    explicit BlockRadixSort(ASSAY_HOST_SITE) : base("BlockRadixSort", file, line) {}

#define ASSAY_HOST_CUB_RADIX_SORT(name, is_descending, to_striped)                                 \
    void name(Key(&keys)[N], int begin_bit = 0, int end_bit = ALL_BITS, ASSAY_HOST_SITE)           \
    {                                                                                              \
        by_bits<is_descending>(keys, nullptr, begin_bit, end_bit, to_striped, file, line);         \
    }                                                                                              \
    void name(Key(&keys)[N], Value(&values)[N], int begin_bit = 0, int end_bit = ALL_BITS,         \
              ASSAY_HOST_SITE)                                                                     \
    {                                                                                              \
        by_bits<is_descending>(keys, values, begin_bit, end_bit, to_striped, file, line);          \
    }
    ASSAY_HOST_CUB_RADIX_SORT(Sort, false, false)
    ASSAY_HOST_CUB_RADIX_SORT(SortDescending, true, false)
    ASSAY_HOST_CUB_RADIX_SORT(SortBlockedToStriped, false, true)
    ASSAY_HOST_CUB_RADIX_SORT(SortDescendingBlockedToStriped, true, true)
#undef ASSAY_HOST_CUB_RADIX_SORT

  private:
    template <bool IS_DESCENDING> void by_bits(Key *keys, Value *values, int begin_bit, int end_bit,
                                               bool to_striped, const char *file, int line)
    {
        if (begin_bit < 0 || begin_bit >= ALL_BITS || end_bit > ALL_BITS)
            assay_cub_trap_index(this->name_, "bits begin or end outside of the key: bit",
                                 end_bit > ALL_BITS ? end_bit : begin_bit, ALL_BITS, file, line);
        this->sort(keys, values, assay_cub_radix_less<Key, IS_DESCENDING> { begin_bit, end_bit },
                   to_striped, file, line);
    }
};

} // namespace cub

#endif
