/* Warp intrinsics: shuffles, votes, matches, reductions, __syncwarp. */
#ifndef ASSAY_HOST_WARP_H
#define ASSAY_HOST_WARP_H

#include "device_calls.h"

#include <string.h>
#include <type_traits>

/* Values travel as 64 bits. */
template <typename T> inline uint64_t assay_host_pack(T value)
{
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value,
                  "a warp operation takes values of at most 8 bytes");
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T> inline T assay_host_unpack(uint64_t bits)
{
    T value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
inline T assay_host_shuffle(unsigned mask, T value, unsigned source, const char *file, int line)
{
    return assay_host_unpack<T>(assay_host_warp_exchange(
        ASSAY_WARP_SHUFFLE, mask, assay_host_pack(value), source, file, line));
}

inline void __syncwarp(unsigned mask = 0xffffffffu, ASSAY_HOST_SITE)
{
    (void)assay_host_warp_exchange(ASSAY_WARP_SYNC, mask, 0, 0, file, line);
}

/* A source lane outside the caller's segment of `width` lanes is replaced by the caller's lane, as
 * CUDA defines. */
template <typename T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, ASSAY_HOST_SITE)
{
    const unsigned segment = static_cast<unsigned>(width) - 1u;
    const unsigned first   = assay_host_lane() & ~segment;

    return assay_host_shuffle(mask, value, first | (static_cast<unsigned>(source) & segment), file,
                              line);
}

template <typename T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ASSAY_HOST_SITE)
{
    const unsigned lane = assay_host_lane();
    const unsigned rank = lane & (static_cast<unsigned>(width) - 1u);

    return assay_host_shuffle(mask, value, rank < delta ? lane : lane - delta, file, line);
}

template <typename T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ASSAY_HOST_SITE)
{
    const unsigned lane = assay_host_lane();
    const unsigned rank = lane & (static_cast<unsigned>(width) - 1u);
    const bool     is_inside =
        delta < static_cast<unsigned>(width) && rank + delta < static_cast<unsigned>(width);

    return assay_host_shuffle(mask, value, is_inside ? lane + delta : lane, file, line);
}

template <typename T>
inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, ASSAY_HOST_SITE)
{
    const unsigned lane   = assay_host_lane();
    const unsigned last   = lane | (static_cast<unsigned>(width) - 1u);
    const unsigned source = lane ^ static_cast<unsigned>(lane_mask);

    return assay_host_shuffle(mask, value, source <= last ? source : lane, file, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, ASSAY_HOST_SITE)
{
    return static_cast<unsigned>(
        assay_host_warp_exchange(ASSAY_WARP_BALLOT, mask, predicate != 0, 0, file, line));
}

inline int __any_sync(unsigned mask, int predicate, ASSAY_HOST_SITE)
{
    return static_cast<int>(
        assay_host_warp_exchange(ASSAY_WARP_ANY, mask, predicate != 0, 0, file, line));
}

inline int __all_sync(unsigned mask, int predicate, ASSAY_HOST_SITE)
{
    return static_cast<int>(
        assay_host_warp_exchange(ASSAY_WARP_ALL, mask, predicate != 0, 0, file, line));
}

inline unsigned __activemask(ASSAY_HOST_SITE) { return assay_host_active_mask(file, line); }

template <typename T> inline unsigned __match_any_sync(unsigned mask, T value, ASSAY_HOST_SITE)
{
    return static_cast<unsigned>(assay_host_warp_exchange(ASSAY_WARP_MATCH_ANY, mask,
                                                          assay_host_pack(value), 0, file, line));
}

template <typename T>
inline unsigned __match_all_sync(unsigned mask, T value, int *predicate, ASSAY_HOST_SITE)
{
    const unsigned same = static_cast<unsigned>(assay_host_warp_exchange(
        ASSAY_WARP_MATCH_ALL, mask, assay_host_pack(value), 0, file, line));

    *predicate = same != 0;
    return same;
}

/* Reductions exist for 32-bit integers only, as on the GPU. */
#define ASSAY_HOST_REDUCE(name, type, op)                                                          \
    inline type __reduce_##name##_sync(unsigned mask, type value, ASSAY_HOST_SITE)                 \
    {                                                                                              \
        return static_cast<type>(static_cast<uint32_t>(                                            \
            assay_host_warp_exchange(op, mask, static_cast<uint32_t>(value), 0, file, line)));     \
    }
ASSAY_HOST_REDUCE(add, int, ASSAY_WARP_ADD)
ASSAY_HOST_REDUCE(add, unsigned, ASSAY_WARP_ADD)
ASSAY_HOST_REDUCE(min, int, ASSAY_WARP_MIN_SIGNED)
ASSAY_HOST_REDUCE(min, unsigned, ASSAY_WARP_MIN_UNSIGNED)
ASSAY_HOST_REDUCE(max, int, ASSAY_WARP_MAX_SIGNED)
ASSAY_HOST_REDUCE(max, unsigned, ASSAY_WARP_MAX_UNSIGNED)
ASSAY_HOST_REDUCE(and, unsigned, ASSAY_WARP_AND)
ASSAY_HOST_REDUCE(or, unsigned, ASSAY_WARP_OR)
ASSAY_HOST_REDUCE(xor, unsigned, ASSAY_WARP_XOR)
#undef ASSAY_HOST_REDUCE

#endif
