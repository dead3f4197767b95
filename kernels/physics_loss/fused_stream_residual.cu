/* Physics loss, fused, gradient with respect to the residuals: planes stream along z through
 * registers, four cells along x a thread. Nothing goes through shared memory.
 *
 * A thread keeps its cells of three planes and fetches one plane ahead. Neighbours along x come
 * from the next lane, neighbours along y from the L1 cache, since the block read those rows itself
 * a plane earlier. Warps never wait for each other. */
#include "phys_stream.h"

static const int V = 4;

/* A thread outside the grid takes part in the exchange of its warp: it reads cells of the grid and
 * writes none. */
struct stream_place {
    unsigned column, row_low, row_high; /* places in a plane: its vector, its neighbours along y */
    unsigned left, right;               /* the values beside its row of lanes */
    bool     is_in, at_left, at_right;
};

template <int LANES, int ROWS> __device__ static inline stream_place
stream_place_of(const phys_kernel_args &a, const phys_tile &tile)
{
    const int  lane = static_cast<int>(threadIdx.x) % LANES;
    const int  x_at = (tile.x * LANES + lane) * V;
    const int  y_at = tile.y * ROWS + static_cast<int>(threadIdx.x) / LANES;
    const int  x = min(x_at, a.nx - V), y = min(y_at, a.ny - 1);
    const int  low = phys_below(y, a.ny, a.periodic[1]), high = phys_above(y, a.ny, a.periodic[1]);
    const auto nx = static_cast<unsigned>(a.nx), row = static_cast<unsigned>(y) * nx;
    stream_place p;

    p.column   = row + static_cast<unsigned>(x);
    p.row_low  = static_cast<unsigned>(low) * nx + static_cast<unsigned>(x);
    p.row_high = static_cast<unsigned>(high) * nx + static_cast<unsigned>(x);
    p.left     = row + static_cast<unsigned>(phys_below(x, a.nx, a.periodic[0]));
    p.right    = row + static_cast<unsigned>(phys_above(x + V - 1, a.nx, a.periodic[0]));
    p.is_in    = x_at < a.nx && y_at < a.ny;
    p.at_left  = lane == 0;
    p.at_right = lane == LANES - 1 || x_at + V >= a.nx;
    return p;
}

struct stream_cells {
    phys_vector<V> below[4], now[4], above[4]; /* t1 */
    phys_vector<V> before[4], after[4];        /* t0; t2 with central time only */
};

/* Values that only the current plane needs: t0, and t2 with central time. */
template <bool CENTRAL> __device__ static inline void
stream_load_once(const phys_kernel_args &a, int64_t plane, unsigned column, stream_cells *cells)
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->before[c] = phys_load_once<V>(a.before[c] + plane, column);
        if (CENTRAL)
            cells->after[c] = phys_load_once<V>(a.after[c] + plane, column);
    }
}

/* A plane begins at the same place for all threads: 64 bits for that, and 32 bits for each
 * thread. */
__device__ static inline void stream_load(const phys_kernel_args &a, int64_t plane, unsigned column,
                                          phys_vector<V> to[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        to[c] = phys_load<V>(a.now[c] + plane, column);
}

/* The residuals of a thread's cells. */
template <int LANES, bool CENTRAL>
__device__ static inline void stream_residuals(const phys_kernel_args &a, const stream_place &p,
                                               const stream_cells &cells, int64_t plane,
                                               phys_vector<V> r[4])
{
    phys_vector<V> low[4], high[4];
    float          left[4], right[4];

    stream_load(a, plane, p.row_low, low);
    stream_load(a, plane, p.row_high, high);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        left[c]  = __shfl_up_sync(0xffffffffu, cells.now[c].at[V - 1], 1, LANES);
        right[c] = __shfl_down_sync(0xffffffffu, cells.now[c].at[0], 1, LANES);
        if (p.at_left)
            left[c] = (a.now[c] + plane)[p.left];
        if (p.at_right)
            right[c] = (a.now[c] + plane)[p.right];
    }
#pragma unroll
    for (int v = 0; v < V; v++) {
        phys_cell cell;
        float     one[4];

#pragma unroll
        for (int c = 0; c < 4; c++) {
            const phys_vector<V> &now = cells.now[c];

            cell.now[c]  = now.at[v];
            cell.step[c] = (CENTRAL ? cells.after[c].at[v] : now.at[v]) - cells.before[c].at[v];
            cell.dx[c]   = (v < V - 1 ? now.at[v < V - 1 ? v + 1 : v] : right[c]) -
                         (v > 0 ? now.at[v > 0 ? v - 1 : v] : left[c]);
            cell.dy[c] = high[c].at[v] - low[c].at[v];
            cell.dz[c] = cells.above[c].at[v] - cells.below[c].at[v];
        }
        phys_residual(a, cell, one);
#pragma unroll
        for (int c = 0; c < 4; c++)
            r[c].at[v] = one[c];
    }
}

template <int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL>
static __global__ void __launch_bounds__(LANES *ROWS, BLOCKS_PER_SM)
    stream_kernel(phys_kernel_args a)
{
    const phys_tile    tile  = phys_tile_of_block(a);
    const stream_place place = stream_place_of<LANES, ROWS>(a, tile);
    const int          z0 = tile.z * a.planes, z1 = min(z0 + a.planes, a.nz);
    const int64_t      plane_cells = static_cast<int64_t>(a.nx) * a.ny;
    int                above       = phys_above(z0, a.nz, a.periodic[2]);
    phys_squares       sum         = { 0, 0 };
    stream_cells       cells;

    stream_load(a, phys_below(z0, a.nz, a.periodic[2]) * plane_cells, place.column, cells.below);
    stream_load(a, z0 * plane_cells, place.column, cells.now);
    stream_load(a, above * plane_cells, place.column, cells.above);
    stream_load_once<CENTRAL>(a, z0 * plane_cells, place.column, &cells);
#pragma unroll 1
    for (int z = z0; z < z1; z++) {
        phys_vector<V> fetched[4], r[4];
        const int      beyond = phys_above(above, a.nz, a.periodic[2]);

        /* After the last plane nothing needs it. */
        stream_load(a, (z + 1 < z1 ? beyond : above) * plane_cells, place.column, fetched);
        stream_residuals<LANES, CENTRAL>(a, place, cells, z * plane_cells, r);
        if (z + 1 < z1)
            stream_load_once<CENTRAL>(a, (z + 1) * plane_cells, place.column, &cells);
        if (place.is_in) {
            phys_write<V>(a, z * plane_cells + place.column, r);
            phys_add_vector_squares<V>(r, &sum);
        }
#pragma unroll
        for (int c = 0; c < 4; c++) {
            cells.below[c] = cells.now[c];
            cells.now[c]   = cells.above[c];
            cells.above[c] = fetched[c];
        }
        above = beyond;
    }
    if (a.loss[0] != NULL)
        phys_add_losses<LANES * ROWS>(a, sum, threadIdx.x);
}

template <int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL>
static int launch_shape(phys_kernel_args a, int64_t waves, assay_stream stream)
{
    const auto     kernel = stream_kernel<LANES, ROWS, BLOCKS_PER_SM, CENTRAL>;
    const unsigned blocks =
        phys_set_stream(&a, LANES * V, ROWS, waves * BLOCKS_PER_SM * PHYS_PROCESSORS, 1);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    kernel<<<blocks, LANES * ROWS, 0, stream>>>(a);
    return assay_launch_status();
}

/* By shape, then by time scheme; see phys_stream.h. */
static phys_stream_fn *const SHAPES[PHYS_STREAM_SHAPES][2] = {
    { launch_shape<16, 16, 1, false>, launch_shape<16, 16, 1, true> },
    { launch_shape<16, 8, 3, false>, launch_shape<16, 8, 2, true> },
    { launch_shape<32, 8, 1, false>, launch_shape<32, 8, 1, true> },
    { launch_shape<16, 12, 2, false>, launch_shape<16, 12, 2, true> },
    { launch_shape<8, 16, 3, false>, launch_shape<8, 16, 2, true> },
};

int phys_stream_residual(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                         assay_stream stream)
{
    return SHAPES[tuning.shape - 1][is_central](*a, tuning.waves, stream);
}
