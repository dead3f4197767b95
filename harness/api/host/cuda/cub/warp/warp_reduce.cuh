/* cub::WarpReduce by its documentation. */
#ifndef ASSAY_HOST_CUB_WARP_REDUCE_CUH
#define ASSAY_HOST_CUB_WARP_REDUCE_CUH

#include "host/cub/collective.h"

namespace cub
{

template <typename T, int N> struct assay_cub_warp_reduce_storage {
    T    items[N];
    bool flags[N];
};

template <typename T, int LOGICAL_WARP_THREADS = 32> class WarpReduce
    : public assay_cub_warp<assay_cub_warp_reduce_storage<T, LOGICAL_WARP_THREADS>,
                            LOGICAL_WARP_THREADS>
{
    using base = assay_cub_warp<assay_cub_warp_reduce_storage<T, LOGICAL_WARP_THREADS>,
                                LOGICAL_WARP_THREADS>;

  public:
    using typename base::TempStorage;

    explicit WarpReduce(TempStorage &storage) : base("WarpReduce", storage) {}

    /* The result is that of rank 0 alone. */
    template <typename Op> T Reduce(T input, Op op, ASSAY_HOST_SITE)
    {
        return reduce(input, base::SIZE, op, file, line);
    }
    template <typename Op> T Reduce(T input, Op op, int valid_items, ASSAY_HOST_SITE)
    {
        return reduce(input, valid_items, op, file, line);
    }
    template <int N, typename Op> T Reduce(const T (&inputs)[N], Op op, ASSAY_HOST_SITE)
    {
        return reduce(assay_cub_reduce(inputs, N, op), base::SIZE, op, file, line);
    }

    /* A segment's result is its first lane's. */
    template <typename Op, typename Flag>
    T HeadSegmentedReduce(T input, Flag head_flag, Op op, ASSAY_HOST_SITE)
    {
        put(input, static_cast<bool>(head_flag), base::SIZE, file, line);
        return segment(input, base::rank_ == 0 || is_flagged(base::rank_), 1, op);
    }
    template <typename Op, typename Flag>
    T TailSegmentedReduce(T input, Flag tail_flag, Op op, ASSAY_HOST_SITE)
    {
        put(input, static_cast<bool>(tail_flag), base::SIZE, file, line);
        return segment(input, base::rank_ == 0 || is_flagged(base::rank_ - 1), 0, op);
    }

#define ASSAY_HOST_CUB_REDUCTION(name, op)                                                         \
    T name(T input, ASSAY_HOST_SITE) { return Reduce(input, op(), file, line); }                   \
    T name(T input, int valid_items, ASSAY_HOST_SITE)                                              \
    {                                                                                              \
        return Reduce(input, op(), valid_items, file, line);                                       \
    }                                                                                              \
    template <int N> T name(const T(&inputs)[N], ASSAY_HOST_SITE)                                  \
    {                                                                                              \
        return Reduce(inputs, op(), file, line);                                                   \
    }
    ASSAY_HOST_CUB_REDUCTION(Sum, assay_cub_plus)
    ASSAY_HOST_CUB_REDUCTION(Max, assay_cub_max)
    ASSAY_HOST_CUB_REDUCTION(Min, assay_cub_min)
#undef ASSAY_HOST_CUB_REDUCTION

    template <typename Flag> T HeadSegmentedSum(T input, Flag head_flag, ASSAY_HOST_SITE)
    {
        return HeadSegmentedReduce(input, head_flag, assay_cub_plus(), file, line);
    }
    template <typename Flag> T TailSegmentedSum(T input, Flag tail_flag, ASSAY_HOST_SITE)
    {
        return TailSegmentedReduce(input, tail_flag, assay_cub_plus(), file, line);
    }

  private:
    void put(const T &own, bool flag, int n, const char *file, int line)
    {
        base::require(n, file, line);
        base::storage_.items[base::rank_] = own;
        base::storage_.flags[base::rank_] = flag;
        base::barrier(file, line);
    }
    bool is_flagged(int rank) const { return base::storage_.flags[rank]; }

    /* Without a valid item rank 0 gets its own, as on a GPU. */
    template <typename Op> T reduce(const T &own, int valid, Op &op, const char *file, int line)
    {
        const int n = valid < 1 ? 1 : valid > base::SIZE ? base::SIZE : valid;

        put(own, false, n, file, line);
        return base::rank_ == 0 ? assay_cub_reduce(base::storage_.items, n, op)
                                : assay_cub_no_result(own);
    }
    /* From this lane to the lane before the first flag, which is looked for `ahead` lanes on; the
     * flag of a tail is on the last lane itself. */
    template <typename Op> T segment(const T &own, bool is_first, int ahead, Op &op)
    {
        int last = base::rank_;

        if (!is_first)
            return assay_cub_no_result(own);
        while (last + 1 < base::SIZE && !is_flagged(last + ahead))
            last++;
        return assay_cub_reduce(base::storage_.items + base::rank_, last + 1 - base::rank_, op);
    }
};

} // namespace cub

#endif
