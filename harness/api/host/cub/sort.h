/* The stable sort of BlockRadixSort, BlockMergeSort and WarpMergeSort, which alone include it. */
#ifndef ASSAY_HOST_CUB_SORT_H
#define ASSAY_HOST_CUB_SORT_H

#include "host/cub/collective.h"

#include <algorithm>
#include <stdint.h>

namespace cub
{

/* The keys, then their values, and for each index of the result the key that belongs there. */
template <typename Key, typename Value, int TOTAL> struct assay_cub_sort_storage {
    static_assert(TOTAL <= 65536, "so many items are not sorted by a block");

    union {
        Key   keys[TOTAL];
        Value values[TOTAL];
    };
    uint16_t order[TOTAL];
};

/* For a Group (assay_cub_block or assay_cub_warp) with this storage and N items per thread. */
template <typename Key, typename Value, int N, typename Group> class assay_cub_sorter : public Group
{
  public:
    using typename Group::TempStorage;

  protected:
    using Group::Group;

    static constexpr int TOTAL = N * Group::SIZE;

    /* Sorts blocked items into blocked or striped arrangement; values may be null. */
    template <typename Less>
    void sort(Key *keys, Value *values, Less less, bool to_striped, const char *file, int line)
    {
        this->require(Group::SIZE, file, line);
        for (int i = 0; i < N; i++)
            this->storage_.keys[this->rank_ * N + i] = keys[i];
        this->barrier(file, line);
        if (this->rank_ == 0)
            find_order(less);
        this->barrier(file, line);
        for (int i = 0; i < N; i++)
            keys[i] = this->storage_.keys[source(i, to_striped)];
        look_aside();
        if (!values)
            return;
        this->barrier(file, line);
        for (int i = 0; i < N; i++)
            this->storage_.values[this->rank_ * N + i] = values[i];
        this->barrier(file, line);
        for (int i = 0; i < N; i++)
            values[i] = this->storage_.values[source(i, to_striped)];
        look_aside();
    }

  private:
    template <typename Less> void find_order(Less &less)
    {
        const Key *keys = this->storage_.keys;

        for (int i = 0; i < TOTAL; i++)
            this->storage_.order[i] = static_cast<uint16_t>(i);
        std::stable_sort(this->storage_.order, this->storage_.order + TOTAL,
                         [&](uint16_t a, uint16_t b) { return less(keys[a], keys[b]); });
    }
    /* If the items were in order already, each thread would read only what it wrote, and a second
     * use of the storage without a barrier would not be found. So each thread reads items of its
     * neighbour as well.
     */
    void look_aside(void) const
    {
        (void)*reinterpret_cast<const volatile unsigned char *>(
            &this->storage_.keys[(this->rank_ + 1) % Group::SIZE * N]);
    }
    int source(int i, bool to_striped) const
    {
        return this->storage_
            .order[to_striped ? i * Group::SIZE + this->rank_ : this->rank_ * N + i];
    }
};

/* A merge sort of a Group. Items from valid_items on are out of bounds. */
template <typename Key, typename Value, int N, typename Group> class assay_cub_merge_sort
    : public assay_cub_sorter<Key, Value, N, Group>
{
  public:
    using typename Group::TempStorage;

/* Both are stable on the host device. */
#define ASSAY_HOST_CUB_MERGE_SORT(name)                                                            \
    template <typename Less> void name(Key(&keys)[N], Less less, ASSAY_HOST_SITE)                  \
    {                                                                                              \
        this->sort(keys, nullptr, less, false, file, line);                                        \
    }                                                                                              \
    template <typename Less>                                                                       \
    void name(Key(&keys)[N], Less less, int valid_items, Key oob_default, ASSAY_HOST_SITE)         \
    {                                                                                              \
        fill(keys, valid_items, oob_default);                                                      \
        this->sort(keys, nullptr, less, false, file, line);                                        \
    }                                                                                              \
    template <typename Less>                                                                       \
    void name(Key(&keys)[N], Value(&values)[N], Less less, ASSAY_HOST_SITE)                        \
    {                                                                                              \
        this->sort(keys, values, less, false, file, line);                                         \
    }                                                                                              \
    template <typename Less> void name(Key(&keys)[N], Value(&values)[N], Less less,                \
                                       int valid_items, Key oob_default, ASSAY_HOST_SITE)          \
    {                                                                                              \
        fill(keys, valid_items, oob_default);                                                      \
        this->sort(keys, values, less, false, file, line);                                         \
    }
    ASSAY_HOST_CUB_MERGE_SORT(Sort)
    ASSAY_HOST_CUB_MERGE_SORT(StableSort)
#undef ASSAY_HOST_CUB_MERGE_SORT

  protected:
    using assay_cub_sorter<Key, Value, N, Group>::assay_cub_sorter;

  private:
    void fill(Key (&keys)[N], int valid_items, const Key &oob_default)
    {
        for (int i = 0; i < N; i++)
            if (this->rank_ * N + i >= valid_items)
                keys[i] = oob_default;
    }
};

} // namespace cub

#endif
