/* What the particle cases of thermo share: how many cells and particles they can count, axes, the
 * threads of a block, and values from random bits. */
#ifndef ASSAY_THERMO_PARTICLES_H
#define ASSAY_THERMO_PARTICLES_H

#include "case.h"

#define THERMO_BLOCKS ASSAY_TUNING("block", 256, 128, 512)

/* For the cases that do one thing to particles on a grid. The long grid has more tiles of 4x8x8
 * cells than the tiled deposit counts at once. */
#define THERMO_AXIS_GRID                                                                           \
    ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1), ASSAY_QGRID(2, 3, 1),                \
               ASSAY_QGRID(7, 8, 9), ASSAY_QGRID(64, 7, 11), ASSAY_QGRID(65541, 1, 1),             \
               ASSAY_FGRID(64, 64, 64), ASSAY_FGRID(128, 128, 128), ASSAY_FGRID(256, 256, 256),    \
               ASSAY_FGRID(512, 512, 512))
#define THERMO_AXIS_N                                                                              \
    ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(257), ASSAY_Q(2053),           \
               ASSAY_F(1 << 20), ASSAY_F(1 << 22), ASSAY_F(1 << 24), ASSAY_F(1 << 25),             \
               ASSAY_F(1 << 26))

/* Kernels index the three components of a vector on the grid, and those of a position, by int. */
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

/* Real sizes: 1 to 64 particles a cell; the largest grid has as many as possible. */
static inline const char *thermo_excluded_load(int64_t cells, int64_t n)
{
    const int64_t most = 1 << 26;

    return n < (cells < most ? cells : most) || n > 64 * cells ? "1 to 64 particles a cell, or 2^26"
                                                               : NULL;
}

static inline int64_t longest_side(const int64_t grid[3])
{
    int64_t most = 1;

    for (int d = 0; d < 3; d++)
        most = grid[d] > most ? grid[d] : most;
    return most;
}

/* Quarters of the spacing are exact if it is a power of two. */
static inline const char *thermo_excluded_input(const int64_t grid[3], assay_input input)
{
    const int64_t most = longest_side(grid);

    return input == ASSAY_INPUT_EXACT && (most & (most - 1)) != 0
               ? "dx is no power of two: nothing is exact"
               : NULL;
}

static inline double unit_interval(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

/* 0 .. n-1, from bits that unit_interval hardly uses. */
static inline int64_t pick(uint64_t random, int64_t n)
{
    return (int64_t)((random & 0xffffff) * (uint64_t)n >> 24);
}

#endif
