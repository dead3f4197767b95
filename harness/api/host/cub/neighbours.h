/* The items of a thread's two neighbours. Only BlockDiscontinuity and BlockAdjacentDifference
 * include it. */
#ifndef ASSAY_HOST_CUB_NEIGHBOURS_H
#define ASSAY_HOST_CUB_NEIGHBOURS_H

#include "host/cub/collective.h"

namespace cub
{

template <typename T, int SIZE> struct assay_cub_neighbours_storage {
    T first[SIZE], last[SIZE];
};

template <typename T, int X, int Y, int Z> class assay_cub_neighbours
    : public assay_cub_block<assay_cub_neighbours_storage<T, X * Y * Z>, X, Y, Z>
{
    using base = assay_cub_block<assay_cub_neighbours_storage<T, X * Y * Z>, X, Y, Z>;

  public:
    using typename base::TempStorage;

  protected:
    using base::base;

    template <int N> void put(const T (&items)[N], const char *file, int line)
    {
        base::storage_.first[base::rank_] = items[0];
        base::storage_.last[base::rank_]  = items[N - 1];
        base::barrier(file, line);
    }
    /* Null if there is no neighbour; then `tile` is used, which may be null as well. */
    template <int N> const T *before(const T (&items)[N], int i, const T *tile) const
    {
        return i > 0             ? &items[i - 1]
               : base::rank_ > 0 ? &base::storage_.last[base::rank_ - 1]
                                 : tile;
    }
    template <int N> const T *after(const T (&items)[N], int i, const T *tile) const
    {
        return i < N - 1                      ? &items[i + 1]
               : base::rank_ < base::SIZE - 1 ? &base::storage_.first[base::rank_ + 1]
                                              : tile;
    }
};

} // namespace cub

#endif
