/* Cooperative groups for host compilation: asynchronous copies by a group. Each call makes its own
 * group of copies, which wait_prior counts. */
#ifndef ASSAY_HOST_GROUPS_COPY_H
#define ASSAY_HOST_GROUPS_COPY_H

#include "aligned_size.h"
#include "groups_block.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename Size> inline void
memcpy_async(const Group &group, T *to, const T *from, const Size &bytes, ASSAY_HOST_SITE)
{
    assay_host_check_aligned(bytes, to, from, file, line);
    assay_host_copy_shared(group, to, from, static_cast<size_t>(bytes), nullptr, file, line);
    assay_host_copy_commit(file, line);
}

/* Counts elements: copies as many as both sides have. */
template <typename Group, typename T, typename ToSize, typename FromSize>
inline void memcpy_async(const Group &group, T *to, const ToSize &to_elements, const T *from,
                         const FromSize &from_elements, ASSAY_HOST_SITE)
{
    const size_t n_to   = static_cast<size_t>(to_elements),
                 n_from = static_cast<size_t>(from_elements);

    assay_host_copy_shared(group, to, from, (n_to < n_from ? n_to : n_from) * sizeof(T), nullptr,
                           file, line);
    assay_host_copy_commit(file, line);
}

template <unsigned Left, typename Group> inline void wait_prior(const Group &group, ASSAY_HOST_SITE)
{
    assay_host_copy_wait(Left, file, line);
    group.sync(file, line);
}
template <typename Group> inline void wait(const Group &group, ASSAY_HOST_SITE)
{
    assay_host_copy_wait(0, file, line);
    group.sync(file, line);
}

} // namespace cooperative_groups

#endif
