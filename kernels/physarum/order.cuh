/* What the sorts have in common: an order of tiles, and sums over the lanes of a warp. */
#ifndef PHYSARUM_ORDER_CUH
#define PHYSARUM_ORDER_CUH

#include "kernel.h"

/* Bits of v, moved to even places. */
__device__ inline unsigned spread_bits(unsigned v)
{
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

/* Order along a Z curve, on which most neighbours stay neighbours; for numbers below 2^16. */
__device__ inline unsigned z_order(unsigned y, unsigned x)
{
    return spread_bits(x) | spread_bits(y) << 1;
}

/* The sum over the lanes before this one. */
__device__ inline unsigned lanes_before(unsigned value, unsigned lane)
{
    unsigned sum = value;

    for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned below = __shfl_up_sync(0xffffffffu, sum, d);

        sum += lane >= d ? below : 0u;
    }
    return sum - value;
}

#endif
