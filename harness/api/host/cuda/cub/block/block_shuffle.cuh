/* cub::BlockShuffle by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_SHUFFLE_CUH
#define ASSAY_HOST_CUB_BLOCK_SHUFFLE_CUH

#include "host/cub/collective.h"

namespace cub
{

template <typename T, int SIZE> struct assay_cub_shuffle_storage {
    T items[SIZE];
};

template <typename T, int X, int Y = 1, int Z = 1> class BlockShuffle
    : public assay_cub_block<assay_cub_shuffle_storage<T, X * Y * Z>, X, Y, Z>
{
    using base = assay_cub_block<assay_cub_shuffle_storage<T, X * Y * Z>, X, Y, Z>;

  public:
    using typename base::TempStorage;

    explicit BlockShuffle(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockShuffle", storage, file, line)
    {
    }
    explicit BlockShuffle(ASSAY_HOST_SITE) : base("BlockShuffle", file, line) {}

    /* Beyond the first or last thread the output keeps its value. */
    void Offset(T input, T &output, int distance = 1, ASSAY_HOST_SITE)
    {
        const int source = base::rank_ + distance;

        put(input, file, line);
        if (source >= 0 && source < base::SIZE)
            output = base::storage_.items[source];
    }
    void Rotate(T input, T &output, unsigned distance = 1, ASSAY_HOST_SITE)
    {
        put(input, file, line);
        output = base::storage_.items[(static_cast<unsigned>(base::rank_) + distance) % base::SIZE];
    }

    /* All items one place on; the first one keeps its value. */
    template <int N> void Up(T (&input)[N], T (&prev)[N], ASSAY_HOST_SITE)
    {
        put(input[N - 1], file, line);
        for (int i = N - 1; i > 0; i--)
            prev[i] = input[i - 1];
        if (base::rank_ > 0)
            prev[0] = base::storage_.items[base::rank_ - 1];
    }
    template <int N> void Up(T (&input)[N], T (&prev)[N], T &block_suffix, ASSAY_HOST_SITE)
    {
        Up(input, prev, file, line);
        block_suffix = base::storage_.items[base::SIZE - 1];
    }
    /* All items one place back; the last one keeps its value. */
    template <int N> void Down(T (&input)[N], T (&prev)[N], ASSAY_HOST_SITE)
    {
        put(input[0], file, line);
        for (int i = 0; i < N - 1; i++)
            prev[i] = input[i + 1];
        if (base::rank_ < base::SIZE - 1)
            prev[N - 1] = base::storage_.items[base::rank_ + 1];
    }
    template <int N> void Down(T (&input)[N], T (&prev)[N], T &block_prefix, ASSAY_HOST_SITE)
    {
        Down(input, prev, file, line);
        block_prefix = base::storage_.items[0];
    }

  private:
    void put(const T &item, const char *file, int line)
    {
        base::storage_.items[base::rank_] = item;
        base::barrier(file, line);
    }
};

} // namespace cub

#endif
