/* Cooperative groups for host compilation: reduce, and calls by one thread of a group. */
#ifndef ASSAY_HOST_GROUPS_REDUCE_H
#define ASSAY_HOST_GROUPS_REDUCE_H

#include "groups_tiles.h"

namespace cooperative_groups
{

template <typename T> struct plus {
    T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <typename T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
    T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
template <typename T> struct bit_or {
    T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
template <typename T> struct bit_xor {
    T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};

template <typename T, typename Op> using assay_reduced =
    typename std::decay<decltype(std::declval<Op &>()(std::declval<T &>(),
                                                      std::declval<T &>()))>::type;

/* All threads get the same bits: the result of rank 0, from a tree within each warp and a tree over
 * the warps. */
template <typename Group, typename T, typename Op>
inline assay_reduced<T, Op> reduce(const Group &group, T operand, Op op, ASSAY_HOST_SITE)
{
    const unsigned       size = group.size(), rank = group.thread_rank(), lane = rank % 32u;
    const unsigned       n_lanes = size - (rank - lane) < 32u ? size - (rank - lane) : 32u;
    assay_reduced<T, Op> value   = operand;

    for (unsigned half = 16; half > 0; half /= 2) {
        const bool is_inside = half < n_lanes - lane;
        const auto other     = group.assay_take(value, is_inside ? rank + half : rank, file, line);

        if (lane < half && is_inside)
            value = op(value, other);
    }
    for (unsigned half = 512; half >= 32; half /= 2) {
        const bool is_inside = half < size && lane == 0 && rank < half && rank + half < size;

        if (half >= size)
            continue;
        const auto other = group.assay_take(value, is_inside ? rank + half : rank, file, line);

        if (is_inside)
            value = op(value, other);
    }
    return group.assay_take(value, 0, file, line);
}

/* ---- one for all */

template <typename Group, typename Function, typename... Arguments>
inline void invoke_one(const Group &group, Function &&function, Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        (void)std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

template <typename Group, typename Function, typename... Arguments>
inline auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> typename std::decay<
        decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))>::type
{
    typename std::decay<decltype(std::forward<Function>(function)(
        std::forward<Arguments>(arguments)...))>::type result {};

    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.assay_take(result, 0, __builtin_FILE(), __builtin_LINE());
}

} // namespace cooperative_groups

#endif
