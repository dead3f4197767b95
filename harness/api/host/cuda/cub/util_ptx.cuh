/* Where a thread is, and fields of bits, by CUB's documentation. */
#ifndef ASSAY_HOST_CUB_UTIL_PTX_CUH
#define ASSAY_HOST_CUB_UTIL_PTX_CUH

#include "host/device_calls.h"
#include "host/warp.h"

namespace cub
{

inline int RowMajorTid(int block_dim_x, int block_dim_y, int)
{
    return (static_cast<int>(threadIdx.z) * block_dim_y + static_cast<int>(threadIdx.y)) *
               block_dim_x +
           static_cast<int>(threadIdx.x);
}

inline unsigned LaneId(void) { return assay_host_lane(); }
inline unsigned WarpId(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32u;
}
inline unsigned LaneMaskLt(void) { return (1u << LaneId()) - 1u; }
inline unsigned LaneMaskLe(void) { return LaneMaskLt() | 1u << LaneId(); }
inline unsigned LaneMaskGt(void) { return ~LaneMaskLe(); }
inline unsigned LaneMaskGe(void) { return ~LaneMaskLt(); }

/* Lanes of the logical warp of this number. */
template <int LANES> inline unsigned WarpMask(unsigned warp_id)
{
    static_assert(LANES >= 1 && LANES <= 32, "a logical warp has 1 to 32 lanes");
    return (0xffffffffu >> (32 - LANES)) << warp_id * LANES % 32u;
}

/* n_bits of source, from bit `start` on. */
template <typename Unsigned> inline unsigned BFE(Unsigned source, unsigned start, unsigned n_bits)
{
    const unsigned long long mask = n_bits >= 64 ? ~0ull : (1ull << n_bits) - 1;

    return start >= 64
               ? 0u
               : static_cast<unsigned>(static_cast<unsigned long long>(source) >> start & mask);
}

/* x with n_bits of y in place of its own, from bit `start` on. */
inline void BFI(unsigned &result, unsigned x, unsigned y, unsigned start, unsigned n_bits)
{
    const unsigned long long field = ((1ull << n_bits) - 1) << start;

    result =
        static_cast<unsigned>((x & ~field) | (static_cast<unsigned long long>(y) << start & field));
}

} // namespace cub

#endif
