/* How the launch code of the physics loss cuts a grid, for C. */
#include "phys_tiles.h"

#include "../../../kernels/physics_loss/phys_launch.h"

phys_tiles phys_tiles_of(const phys_grid_spec *grid, int64_t x, int64_t y, int64_t z)
{
    /* Any address will do: nothing is read. */
    float *const       somewhere = reinterpret_cast<float *>(uintptr_t { 1 } << 20);
    const phys_weights weights   = { 1, 1 };
    phys_buf           buf       = {};

    buf.sigma_t0 = buf.sigma_t1 = buf.sigma_t2 = somewhere;
    buf.u_t0 = buf.u_t1 = buf.u_t2 = somewhere;

    phys_kernel_args a = phys_make_args(grid, &weights, &buf, 0);
    phys_tiles       tiles;

    tiles.blocks          = phys_set_tiles(&a, x, y, z);
    tiles.cells           = a.cells;
    tiles.component_bytes = static_cast<int64_t>(reinterpret_cast<uintptr_t>(a.now[3]) -
                                                 reinterpret_cast<uintptr_t>(a.now[2]));
    return tiles;
}
