/* How the launch code of the physics loss cuts a grid, for C. */
#ifndef ASSAY_PHYS_TILES_H
#define ASSAY_PHYS_TILES_H

#include "../../../kernels/physics_loss/phys_loss.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct phys_tiles {
    unsigned blocks; /* 0: refused */
    int64_t  cells;
    int64_t  component_bytes; /* from one component of u to the next, in bytes */
} phys_tiles;

/* Cuts a valid grid into tiles of x, y and z cells. Launches nothing. */
phys_tiles phys_tiles_of(const phys_grid_spec *grid, int64_t x, int64_t y, int64_t z);

#ifdef __cplusplus
}
#endif
#endif
