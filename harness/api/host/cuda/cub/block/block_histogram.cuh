/* cub::BlockHistogram by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_HISTOGRAM_CUH
#define ASSAY_HOST_CUB_BLOCK_HISTOGRAM_CUH

#include "host/atomics.h"
#include "host/cub/collective.h"

namespace cub
{

enum BlockHistogramAlgorithm {
    BLOCK_HISTO_SORT,
    BLOCK_HISTO_ATOMIC
};

template <typename T, int TOTAL> struct assay_cub_histogram_storage {
    T items[TOTAL];
};

template <typename T, int X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
class BlockHistogram : public assay_cub_block<
                           assay_cub_histogram_storage<
                               T, ALGORITHM == BLOCK_HISTO_SORT ? X * Y * Z * ITEMS_PER_THREAD : 1>,
                           X, Y, Z>
{
    using base =
        assay_cub_block<assay_cub_histogram_storage<
                            T, ALGORITHM == BLOCK_HISTO_SORT ? X * Y * Z * ITEMS_PER_THREAD : 1>,
                        X, Y, Z>;
    static constexpr int N = ITEMS_PER_THREAD;

  public:
    using typename base::TempStorage;

    explicit BlockHistogram(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockHistogram", storage, file, line)
    {
    }
    explicit BlockHistogram(ASSAY_HOST_SITE) : base("BlockHistogram", file, line) {}

    template <typename Counter> void InitHistogram(Counter *histogram)
    {
        for (int bin = base::rank_; bin < BINS; bin += base::SIZE)
            histogram[bin] = Counter {};
    }
    template <typename Counter> void Histogram(T (&items)[N], Counter *histogram, ASSAY_HOST_SITE)
    {
        InitHistogram(histogram);
        base::barrier(file, line);
        Composite(items, histogram, file, line);
    }
    /* Adds to what the bins hold. */
    template <typename Counter> void Composite(T (&items)[N], Counter *histogram, ASSAY_HOST_SITE)
    {
        if constexpr (ALGORITHM == BLOCK_HISTO_ATOMIC) {
            for (const T &item : items)
                (void)assay_host_update(
                    histogram + bin_of(item, file, line),
                    [](Counter old) { return static_cast<Counter>(old + 1); }, 0,
                    ASSAY_SCOPE_DEVICE, file, line);
        } else {
            for (int i = 0; i < N; i++)
                base::storage_.items[base::rank_ * N + i] = items[i];
            base::barrier(file, line);
            add_share(histogram, file, line);
        }
    }

  private:
    int bin_of(const T &item, const char *file, int line) const
    {
        const long long bin = static_cast<long long>(item);

        if (bin < 0 || bin >= BINS)
            assay_cub_trap_index(this->name_, "an item is in bin", bin, BINS, file, line);
        return static_cast<int>(bin);
    }
    /* Thread 0 counts all. */
    template <typename Counter> void add_share(Counter *histogram, const char *file, int line)
    {
        if (base::rank_ != 0)
            return;
        for (const T &item : base::storage_.items) {
            Counter &counter = histogram[bin_of(item, file, line)];

            counter = static_cast<Counter>(counter + 1);
        }
    }
};

} // namespace cub

#endif
