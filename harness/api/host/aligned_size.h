/* cuda::aligned_size_t for host compilation: a number of bytes, and a promise about their
 * alignment.
 */
#ifndef ASSAY_HOST_ALIGNED_SIZE_H
#define ASSAY_HOST_ALIGNED_SIZE_H

#include "copy_calls.h"

#include <stddef.h>
#include <stdint.h>

namespace cuda
{

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;

    size_t value;

    explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    constexpr operator size_t() const { return value; }
};

} // namespace cuda

template <typename Size>
inline void assay_host_check_aligned(const Size &, const void *, const void *, const char *, int)
{
}
template <size_t Alignment>
inline void assay_host_check_aligned(const cuda::aligned_size_t<Alignment> &size, const void *to,
                                     const void *from, const char *file, int line)
{
    const size_t all =
        size.value | reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);

    if (all % Alignment != 0)
        assay_host_trap("memcpy_async: an address or the size is no multiple of what "
                        "cuda::aligned_size_t promises",
                        file, line);
}

/* The threads of a group share a copy in pieces of 16 bytes. */
template <typename Group>
inline void assay_host_copy_shared(const Group &group, void *to, const void *from, size_t bytes,
                                   uint64_t *barrier, const char *file, int line)
{
    const size_t piece = 16, stride = piece * static_cast<size_t>(group.size());

    for (size_t at = piece * static_cast<size_t>(group.thread_rank()); at < bytes; at += stride)
        assay_host_copy_any(static_cast<char *>(to) + at, static_cast<const char *>(from) + at,
                            bytes - at < piece ? bytes - at : piece, barrier, file, line);
}

#endif
