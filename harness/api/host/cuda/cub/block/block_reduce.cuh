/* cub::BlockReduce by its documentation. All algorithms are one here: what differs is their speed
 * on a GPU. */
#ifndef ASSAY_HOST_CUB_BLOCK_REDUCE_CUH
#define ASSAY_HOST_CUB_BLOCK_REDUCE_CUH

#include "host/cub/collective.h"

namespace cub
{

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
    BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <typename T, int N> struct assay_cub_block_reduce_storage {
    T items[N];
};

template <typename T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1, int Z = 1>
class BlockReduce : public assay_cub_block<assay_cub_block_reduce_storage<T, X * Y * Z>, X, Y, Z>
{
    using base = assay_cub_block<assay_cub_block_reduce_storage<T, X * Y * Z>, X, Y, Z>;

  public:
    using typename base::TempStorage;

    explicit BlockReduce(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockReduce", storage, file, line, LEAST)
    {
    }
    explicit BlockReduce(ASSAY_HOST_SITE) : base("BlockReduce", file, line, LEAST) {}

    /* The result is thread 0's alone. */
    template <typename Op> T Reduce(T input, Op op, ASSAY_HOST_SITE)
    {
        return reduce(input, base::SIZE, op, file, line);
    }
    template <typename Op> T Reduce(T input, Op op, int num_valid, ASSAY_HOST_SITE)
    {
        return reduce(input, num_valid, op, file, line);
    }
    template <int N, typename Op> T Reduce(T (&inputs)[N], Op op, ASSAY_HOST_SITE)
    {
        return reduce(assay_cub_reduce(inputs, N, op), base::SIZE, op, file, line);
    }

    T Sum(T input, ASSAY_HOST_SITE) { return Reduce(input, assay_cub_plus(), file, line); }
    T Sum(T input, int num_valid, ASSAY_HOST_SITE)
    {
        return Reduce(input, assay_cub_plus(), num_valid, file, line);
    }
    template <int N> T Sum(T (&inputs)[N], ASSAY_HOST_SITE)
    {
        return Reduce(inputs, assay_cub_plus(), file, line);
    }

  private:
    /* By warps only those with valid items are asked for theirs: a block may be smaller than the
     * template was told if so many items are valid as it has threads, or fewer. */
    static constexpr int LEAST = ALGORITHM == BLOCK_REDUCE_WARP_REDUCTIONS ? 1 : base::SIZE;

    /* Without a valid item thread 0 gets its own, as on a GPU. */
    template <typename Op> T reduce(const T &own, int n, Op &op, const char *file, int line)
    {
        base::require_block(n < base::SIZE ? n : base::SIZE, file, line);
        base::storage_.items[base::rank_] = own;
        base::barrier(file, line);
        if (base::rank_ != 0)
            return assay_cub_no_result(own);
        return assay_cub_reduce(base::storage_.items,
                                n < 1            ? 1
                                : n > base::SIZE ? base::SIZE
                                                 : n,
                                op);
    }
};

} // namespace cub

#endif
