/* Particles sorted by tiles of 4x8x8 cells: what the sort produces, and its steps. Each step
 * enqueues on the stream and returns 0 or the error of a launch. */
#ifndef ASSAY_SCATTER_TILE_H
#define ASSAY_SCATTER_TILE_H

#include "scatter_launch.h"

enum {
    TILE_X     = 4,
    TILE_Y     = 8,
    TILE_Z     = 8,
    TILE_CELLS = TILE_X * TILE_Y * TILE_Z,
    TILE_NODES = (TILE_X + 1) * (TILE_Y + 1) * (TILE_Z + 1)
};

struct scatter_tiling {
    int tiles_y, tiles_z, tiles;
};

struct scatter_tile_list {
    int            *count; /* [tiles + 1] particles of a tile; the last is 0 */
    int            *start; /* [tiles + 1] where a tile begins; the last: where all end */
    int            *sums;  /* of the scan */
    int            *rank;  /* [n] number of a particle within its tile; -1: it has none */
    scatter_record *records;
};

scatter_tiling    scatter_tiling_of(const assay_args *args);
scatter_tile_list scatter_take_tiles(const assay_args *args, const scatter_tiling &g,
                                     thermo_arena *arena);

/* How to sort: particles that a thread counts, and threads of a block that reorders. */
struct scatter_tile_tuning {
    int64_t  items;
    unsigned block;
};

/* Also counts the rejected particles. A rejected particle that has a position gets an empty record
 * there. */
int scatter_sort_by_tile(const scatter_problem &q, const scatter_tiling &g,
                         const scatter_tile_list &list, const scatter_tile_tuning &tuning,
                         assay_stream stream);

#endif
