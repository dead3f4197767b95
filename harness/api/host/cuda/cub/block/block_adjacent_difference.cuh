/* cub::BlockAdjacentDifference by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH
#define ASSAY_HOST_CUB_BLOCK_ADJACENT_DIFFERENCE_CUH

#include "host/cub/neighbours.h"

namespace cub
{

template <typename T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference
    : public assay_cub_neighbours<T, X, Y, Z>
{
    using base = assay_cub_neighbours<T, X, Y, Z>;

  public:
    using typename base::TempStorage;

    explicit BlockAdjacentDifference(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockAdjacentDifference", storage, file, line)
    {
    }
    explicit BlockAdjacentDifference(ASSAY_HOST_SITE) : base("BlockAdjacentDifference", file, line)
    {
    }

    /* An item without a neighbour is copied, and so are those from valid_items on. */
    template <int N, typename Out, typename Op>
    void SubtractLeft(T (&input)[N], Out (&output)[N], Op op, ASSAY_HOST_SITE)
    {
        left(input, output, op, N * base::SIZE, nullptr, file, line);
    }
    template <int N, typename Out, typename Op> void
    SubtractLeft(T (&input)[N], Out (&output)[N], Op op, T tile_predecessor_item, ASSAY_HOST_SITE)
    {
        left(input, output, op, N * base::SIZE, &tile_predecessor_item, file, line);
    }
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&input)[N], Out (&output)[N], Op op, int valid_items,
                                 ASSAY_HOST_SITE)
    {
        left(input, output, op, valid_items, nullptr, file, line);
    }
    template <int N, typename Out, typename Op>
    void SubtractLeftPartialTile(T (&input)[N], Out (&output)[N], Op op, int valid_items,
                                 T tile_predecessor_item, ASSAY_HOST_SITE)
    {
        left(input, output, op, valid_items, &tile_predecessor_item, file, line);
    }
    template <int N, typename Out, typename Op>
    void SubtractRight(T (&input)[N], Out (&output)[N], Op op, ASSAY_HOST_SITE)
    {
        right(input, output, op, N * base::SIZE, nullptr, file, line);
    }
    template <int N, typename Out, typename Op> void
    SubtractRight(T (&input)[N], Out (&output)[N], Op op, T tile_successor_item, ASSAY_HOST_SITE)
    {
        right(input, output, op, N * base::SIZE, &tile_successor_item, file, line);
    }
    template <int N, typename Out, typename Op>
    void SubtractRightPartialTile(T (&input)[N], Out (&output)[N], Op op, int valid_items,
                                  ASSAY_HOST_SITE)
    {
        right(input, output, op, valid_items, nullptr, file, line);
    }

  private:
    /* `input` and `output` may be the same: each item is read before it is written. */
    template <int N, typename Out, typename Op> void left(const T (&input)[N], Out (&output)[N],
                                                          Op &op, int n, const T *predecessor,
                                                          const char *file, int line)
    {
        base::put(input, file, line);
        for (int i = N - 1; i >= 0; i--) {
            const T   *before   = base::before(input, i, predecessor);
            const bool is_valid = before && base::rank_ * N + i < n;

            output[i] = static_cast<Out>(is_valid ? op(input[i], *before) : input[i]);
        }
    }
    template <int N, typename Out, typename Op> void right(const T (&input)[N], Out (&output)[N],
                                                           Op &op, int n, const T *successor,
                                                           const char *file, int line)
    {
        base::put(input, file, line);
        for (int i = 0; i < N; i++) {
            const T   *after    = base::after(input, i, successor);
            const bool is_valid = after && (base::rank_ * N + i + 1 < n || after == successor);

            output[i] = static_cast<Out>(is_valid ? op(input[i], *after) : input[i]);
        }
    }
};

} // namespace cub

#endif
