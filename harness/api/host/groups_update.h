/* Cooperative groups for host compilation: reduce into memory, and scans that advance an atomic. */
#ifndef ASSAY_HOST_GROUPS_UPDATE_H
#define ASSAY_HOST_GROUPS_UPDATE_H

#include "groups_scan.h"

#include <atomic>

namespace cooperative_groups
{

/* ---- reduce into an atomic of <cuda/atomic>, or a plain variable */

template <typename Atomic, typename T, typename Op>
inline T assay_atomic_apply(Atomic &to, const T &value, Op &op)
{
    auto old = to.load(std::memory_order_relaxed);

    while (!to.compare_exchange_weak(old, op(old, value), std::memory_order_relaxed))
        continue;
    return old;
}

template <typename Group, typename Atomic, typename T, typename Op>
inline void reduce_update_async(const Group &group, Atomic &to, T value, Op op, ASSAY_HOST_SITE)
{
    const auto all = reduce(group, value, op, file, line);

    if (group.thread_rank() == 0)
        (void)assay_atomic_apply(to, all, op);
}
template <typename Group, typename Atomic, typename T, typename Op>
inline void reduce_store_async(const Group &group, Atomic &to, T value, Op op, ASSAY_HOST_SITE)
{
    const auto all = reduce(group, value, op, file, line);

    if (group.thread_rank() == 0)
        to.store(all, std::memory_order_relaxed);
}
template <typename Group, typename To, typename T, typename Op>
inline void reduce_store_async(const Group &group, To *to, T value, Op op, ASSAY_HOST_SITE)
{
    const auto all = reduce(group, value, op, file, line);

    if (group.thread_rank() == 0)
        *to = all;
}

/* ---- scans that begin with the value of the atomic, to which the whole group's result is added */

template <typename Group, typename Atomic, typename T, typename Op> inline T
assay_advance(const Group &group, Atomic &to, const T &whole, Op &op, const char *file, int line)
{
    const unsigned last = static_cast<unsigned>(group.size()) - 1;
    T              begin {};

    if (group.thread_rank() == last)
        begin = assay_atomic_apply(to, whole, op);
    return group.assay_take(begin, last, file, line);
}

template <typename Group, typename Atomic, typename T, typename Op>
inline T inclusive_scan_update(const Group &group, Atomic &to, T operand, Op op, ASSAY_HOST_SITE)
{
    const T whole = inclusive_scan(group, operand, op, file, line);

    return op(assay_advance(group, to, whole, op, file, line), whole);
}
template <typename Group, typename Atomic, typename T>
inline T inclusive_scan_update(const Group &group, Atomic &to, T operand, ASSAY_HOST_SITE)
{
    return inclusive_scan_update(group, to, operand, plus<T>(), file, line);
}
template <typename Group, typename Atomic, typename T, typename Op>
inline T exclusive_scan_update(const Group &group, Atomic &to, T operand, Op op, ASSAY_HOST_SITE)
{
    const unsigned rank   = group.thread_rank();
    const T        whole  = inclusive_scan(group, operand, op, file, line);
    const T        begin  = assay_advance(group, to, whole, op, file, line);
    const T        before = group.assay_take(whole, rank > 0 ? rank - 1 : 0u, file, line);

    return rank > 0 ? op(begin, before) : begin;
}
template <typename Group, typename Atomic, typename T>
inline T exclusive_scan_update(const Group &group, Atomic &to, T operand, ASSAY_HOST_SITE)
{
    return exclusive_scan_update(group, to, operand, plus<T>(), file, line);
}

} // namespace cooperative_groups

#endif
