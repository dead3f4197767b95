/* What a sort says of its tiles, for kernels that come after it. */
#ifndef PHYSARUM_SORT_CUH
#define PHYSARUM_SORT_CUH

#include "sort.h"

/* Bits of v, moved to even places. */
__device__ inline unsigned physarum_spread_bits(unsigned v)
{
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

/* The tile that a cell is in. */
__device__ inline unsigned physarum_tile_at(unsigned y, unsigned x, int shift)
{
    return physarum_spread_bits(x >> shift) | physarum_spread_bits(y >> shift) << 1;
}

/* Where the agents of a tile begin. */
__device__ inline unsigned physarum_tile_start(const physarum_sort_memory &m, unsigned tile)
{
    return m.start[tile] + m.total[tile / PHYSARUM_SCAN_SPAN];
}

#endif
