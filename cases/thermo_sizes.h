/* What the particle cases of thermo share: how many cells and particles they can count, and the
 * threads of a block. */
#ifndef ASSAY_THERMO_SIZES_H
#define ASSAY_THERMO_SIZES_H

#include "case.h"

#define THERMO_BLOCKS ASSAY_TUNING("block", 256, 128, 512)

/* Kernels number the three components of a vector on the grid, and those of a position, by int. */
static inline const char *thermo_uncountable_sizes(const int64_t grid[3], int64_t n)
{
    const int64_t most_side = 1 << 20, most = 1 << 29;

    for (int d = 0; d < 3; d++)
        if (grid[d] > most_side)
            return "a grid has up to 2^20 cells a side";
    if (grid[0] * grid[1] * grid[2] > most)
        return "a grid has up to 2^29 cells";
    return n > most ? "there are up to 2^29 particles" : NULL;
}

#endif
