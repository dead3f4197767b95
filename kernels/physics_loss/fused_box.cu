/* Physics loss, fused: a box of cells and its halo of one in shared memory, one thread a cell.
 *
 * The residual needs fields one cell around. A gradient with respect to the fields would need
 * residuals one cell around, and so fields two cells around. */
#include "phys_launch.h"

/* The place that halo place g reads its value from. g is -1 to n, or beyond n in a box that sticks
 * out. */
__device__ static inline int box_source(int g, int n, int periodic)
{
    if (g < 0)
        return periodic ? n - 1 : 0;
    return g < n ? g : periodic ? 0 : n - 1;
}

/* A cell's four components lie together. So a neighbour is one 16-byte access, eight threads of a
 * row cover all banks, and no width needs padding. */
template <int TX, int TY, int TZ> __device__ static inline void
box_load(const phys_kernel_args &a, const phys_tile &tile, unsigned thread, float4 *box)
{
    constexpr int WX = TX + 2, WY = TY + 2, WZ = TZ + 2;

    for (int i = static_cast<int>(thread); i < WX * WY * WZ; i += TX * TY * TZ) {
        const int     bx = i % WX - 1, by = i / WX % WY - 1, bz = i / (WX * WY) - 1;
        const int     x    = box_source(tile.x * TX + bx, a.nx, a.periodic[0]);
        const int     y    = box_source(tile.y * TY + by, a.ny, a.periodic[1]);
        const int     z    = box_source(tile.z * TZ + bz, a.nz, a.periodic[2]);
        const int64_t from = (static_cast<int64_t>(z) * a.ny + y) * a.nx + x;

        box[i] = make_float4(a.now[0][from], a.now[1][from], a.now[2][from], a.now[3][from]);
    }
}

__device__ static inline void box_difference(const float4 &above, const float4 &below, float d[4])
{
    d[0] = above.x - below.x;
    d[1] = above.y - below.y;
    d[2] = above.z - below.z;
    d[3] = above.w - below.w;
}

template <int TX, int TY, int TZ, bool CENTRAL> static __global__ void __launch_bounds__(TX *TY *TZ)
    box_kernel(phys_kernel_args a)
{
    constexpr int     WX = TX + 2, WXY = WX * (TY + 2);
    __shared__ float4 box[WXY * (TZ + 2)];
    const phys_tile   tile = phys_tile_of_block(a);
    const int         tx   = static_cast<int>(threadIdx.x) % TX;
    const int         ty   = static_cast<int>(threadIdx.x) / TX % TY;
    const int         tz   = static_cast<int>(threadIdx.x) / (TX * TY);
    const int         x = tile.x * TX + tx, y = tile.y * TY + ty, z = tile.z * TZ + tz;
    phys_squares      sum = { 0, 0 };

    box_load<TX, TY, TZ>(a, tile, threadIdx.x, box);
    __syncthreads();
    if (x < a.nx && y < a.ny && z < a.nz) {
        const int64_t here   = (static_cast<int64_t>(z) * a.ny + y) * a.nx + x;
        const float4 *centre = &box[(tz + 1) * WXY + (ty + 1) * WX + tx + 1];
        phys_cell     cell;

        cell.now[0] = centre->x;
        cell.now[1] = centre->y;
        cell.now[2] = centre->z;
        cell.now[3] = centre->w;
        box_difference(centre[1], centre[-1], cell.dx);
        box_difference(centre[WX], centre[-WX], cell.dy);
        box_difference(centre[WXY], centre[-WXY], cell.dz);
#pragma unroll
        for (int c = 0; c < 4; c++)
            cell.step[c] = (CENTRAL ? a.after[c][here] : cell.now[c]) - a.before[c][here];
        phys_finish_cell(a, here, cell, &sum);
    }
    if (a.loss[0] != NULL)
        phys_add_losses<TX * TY * TZ>(a, sum, threadIdx.x);
}

/* There is no free choice: the box is 8 x 8 x 4 cells. */
int phys_launch_box(const phys_kernel_args *args, bool is_central, const phys_tuning &,
                    assay_stream stream)
{
    phys_kernel_args a      = *args;
    const unsigned   blocks = phys_set_tiles(&a, 8, 8, 4);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        box_kernel<8, 8, 4, true><<<blocks, 256, 0, stream>>>(a);
    else
        box_kernel<8, 8, 4, false><<<blocks, 256, 0, stream>>>(a);
    return assay_launch_status();
}
