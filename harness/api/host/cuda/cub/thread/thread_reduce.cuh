/* cub::ThreadReduce: a thread's own items, in order. */
#ifndef ASSAY_HOST_CUB_THREAD_REDUCE_CUH
#define ASSAY_HOST_CUB_THREAD_REDUCE_CUH

#include "host/cub/collective.h"

namespace cub
{

template <typename T, int N, typename Op> inline T ThreadReduce(const T (&items)[N], Op op)
{
    return assay_cub_reduce(items, N, op);
}
template <typename T, int N, typename Op, typename Prefix>
inline T ThreadReduce(const T (&items)[N], Op op, Prefix prefix)
{
    return static_cast<T>(op(static_cast<T>(prefix), assay_cub_reduce(items, N, op)));
}

} // namespace cub

#endif
