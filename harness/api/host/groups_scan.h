/* Cooperative groups for host compilation: inclusive and exclusive scans. */
#ifndef ASSAY_HOST_GROUPS_SCAN_H
#define ASSAY_HOST_GROUPS_SCAN_H

#include "groups_reduce.h"

namespace cooperative_groups
{

/* After each step, a thread has combined twice as many ranks before its own. */
template <typename Group, typename T, typename Op>
inline assay_reduced<T, Op> inclusive_scan(const Group &group, T operand, Op op, ASSAY_HOST_SITE)
{
    const unsigned       size = group.size(), rank = group.thread_rank();
    assay_reduced<T, Op> value = operand;

    for (unsigned step = 1; step < size; step *= 2) {
        const auto other = group.assay_take(value, rank >= step ? rank - step : rank, file, line);

        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
template <typename Group, typename T>
inline T inclusive_scan(const Group &group, T value, ASSAY_HOST_SITE)
{
    return inclusive_scan(group, value, plus<T>(), file, line);
}

/* Rank 0 gets zero, for every operation. */
template <typename Group, typename T, typename Op>
inline assay_reduced<T, Op> exclusive_scan(const Group &group, T operand, Op op, ASSAY_HOST_SITE)
{
    const unsigned rank   = group.thread_rank();
    const auto     whole  = inclusive_scan(group, operand, op, file, line);
    const auto     before = group.assay_take(whole, rank > 0 ? rank - 1 : 0u, file, line);

    return rank > 0 ? before : assay_reduced<T, Op> {};
}
template <typename Group, typename T>
inline T exclusive_scan(const Group &group, T value, ASSAY_HOST_SITE)
{
    return exclusive_scan(group, value, plus<T>(), file, line);
}

} // namespace cooperative_groups

#endif
