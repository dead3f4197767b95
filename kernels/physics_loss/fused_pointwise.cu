/* Physics loss, fused: one thread a cell; neighbours come through the caches. */
#include "phys_launch.h"

static const int LANES = 32; /* cells of a block along x; ROWS along y */

template <int ROWS, bool CENTRAL> static __global__ void __launch_bounds__(LANES *ROWS)
    pointwise_kernel(phys_kernel_args a)
{
    const phys_tile tile = phys_tile_of_block(a);
    const int       x    = tile.x * LANES + static_cast<int>(threadIdx.x);
    const int       y    = tile.y * ROWS + static_cast<int>(threadIdx.y);
    const int       z    = tile.z;
    phys_squares    sum  = { 0, 0 };

    if (x < a.nx && y < a.ny) {
        const int64_t row   = static_cast<int64_t>(z) * a.ny + y;
        const int64_t here  = row * a.nx + x;
        const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
        const int64_t x_m   = here - x + phys_below(x, a.nx, a.periodic[0]);
        const int64_t x_p   = here - x + phys_above(x, a.nx, a.periodic[0]);
        const int64_t y_m =
            here + static_cast<int64_t>(phys_below(y, a.ny, a.periodic[1]) - y) * a.nx;
        const int64_t y_p =
            here + static_cast<int64_t>(phys_above(y, a.ny, a.periodic[1]) - y) * a.nx;
        const int64_t z_m = here + (phys_below(z, a.nz, a.periodic[2]) - z) * plane;
        const int64_t z_p = here + (phys_above(z, a.nz, a.periodic[2]) - z) * plane;
        phys_cell     cell;

#pragma unroll
        for (int c = 0; c < 4; c++) {
            const float *f = a.now[c];

            cell.now[c]  = f[here];
            cell.step[c] = (CENTRAL ? a.after[c][here] : cell.now[c]) - a.before[c][here];
            cell.dx[c]   = f[x_p] - f[x_m];
            cell.dy[c]   = f[y_p] - f[y_m];
            cell.dz[c]   = f[z_p] - f[z_m];
        }
        phys_finish_cell(a, here, cell, &sum);
    }
    if (a.loss[0] != NULL)
        phys_add_losses<LANES * ROWS>(a, sum, threadIdx.y * LANES + threadIdx.x);
}

template <int ROWS>
static int launch_pointwise(phys_kernel_args a, bool is_central, assay_stream stream)
{
    const unsigned blocks = phys_set_tiles(&a, LANES, ROWS, 1);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        ASSAY_LAUNCH((pointwise_kernel<ROWS, true>), blocks, dim3(LANES, ROWS), 0, stream, a);
    else
        ASSAY_LAUNCH((pointwise_kernel<ROWS, false>), blocks, dim3(LANES, ROWS), 0, stream, a);
    return assay_launch_status();
}

/* By threads of a block. */
static const struct {
    int64_t block;
    int (*launch)(phys_kernel_args a, bool is_central, assay_stream stream);
} LAUNCHES[] = {
    { 256, launch_pointwise<8> },
    { 64, launch_pointwise<2> },
    { 128, launch_pointwise<4> },
    { 512, launch_pointwise<16> },
};

int phys_launch_pointwise(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                          assay_stream stream)
{
    for (const auto &size : LAUNCHES)
        if (size.block == tuning.block)
            return size.launch(*a, is_central, stream);
    return PHYS_INVALID_VALUE;
}
