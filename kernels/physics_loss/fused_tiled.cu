/* Physics loss, fused: a tile of LANES x ROWS threads marches along z, V cells along x a thread.
 *
 * A thread keeps its cells of three planes in registers, so that each value at t1 comes from memory
 * once (apart from the halo). It fetches what the next plane needs while it computes the current
 * one. Neighbours along x come from the next lane, neighbours along y through the plane in shared
 * memory. Two planes alternate there, so that one barrier a plane is enough: a warp that is a plane
 * ahead writes the other one. */
#include "phys_launch.h"

/* The shared memory of a block. Rows hold whole vectors. The threads that one phase of a 16-byte
 * access serves are neighbours in a row and cover all banks, so that rows need no padding. */
template <int V, int LANES, int ROWS> struct march_shape {
    static constexpr int THREADS = LANES * ROWS;
    static constexpr int FIELD = (ROWS + 2) * LANES; /* vectors of a component, with 2 halo rows */
    static constexpr int PLANE = 4 * FIELD;
    static constexpr int SIDES = 4 * 2 * ROWS; /* left and right of each row of a plane */
    static_assert(4 * 2 * LANES <= THREADS && SIDES <= THREADS, "one halo item of a kind a thread");
    static_assert(32 % LANES == 0 && THREADS % 32 == 0, "a row is in one warp");
};

/* What a thread fetches for the halo: one vector of a row above or below the tile, and one value
 * beside it. The first threads take vectors, the last take values. */
struct march_halo {
    bool         has_row, has_side;
    const float *row_from, *side_from; /* in plane 0 */
    int          row_to, side_to;      /* place in the shared plane */
};

__device__ static inline const float *component(const phys_kernel_args &a, int c)
{
    return c == 0 ? a.now[0] : a.now[1] + (c - 1) * a.cells;
}

template <int V, int LANES, int ROWS>
__device__ static inline march_halo make_halo(const phys_kernel_args &a, const phys_tile &tile)
{
    using shape       = march_shape<V, LANES, ROWS>;
    const int  thread = static_cast<int>(threadIdx.x), side = shape::THREADS - 1 - thread;
    const int  x0 = tile.x * LANES * V, y0 = tile.y * ROWS;
    const int  width = min(LANES * V, a.nx - x0), height = min(ROWS, a.ny - y0);
    march_halo halo = {};

    if (thread < 4 * 2 * LANES) {
        const int  c = thread / (2 * LANES), lane = thread % LANES;
        const bool is_above = thread / LANES % 2 == 1;
        const int  y        = is_above ? phys_above(y0 + height - 1, a.ny, a.periodic[1])
                                       : phys_below(y0, a.ny, a.periodic[1]);

        halo.has_row  = lane * V < width;
        halo.row_from = component(a, c) + static_cast<int64_t>(y) * a.nx + x0 + lane * V;
        halo.row_to   = c * shape::FIELD + (is_above ? height + 1 : 0) * LANES + lane;
    }
    if (side < shape::SIDES) {
        const int  c = side / (2 * ROWS), row = side % ROWS;
        const bool is_right = side / ROWS % 2 == 1;
        const int  x        = is_right ? phys_above(x0 + width - 1, a.nx, a.periodic[0])
                                       : phys_below(x0, a.nx, a.periodic[0]);

        halo.has_side  = row < height;
        halo.side_from = component(a, c) + static_cast<int64_t>(y0 + row) * a.nx + x;
        halo.side_to   = side;
    }
    return halo;
}

/* Differences along x of the V cells of a thread. */
template <int V, int LANES>
__device__ static inline void x_differences(const phys_vector<V> &now, float left_of_row,
                                            float right_of_row, int lane, bool is_last, float d[V])
{
    float left  = __shfl_up_sync(0xffffffffu, now.at[V - 1], 1, LANES);
    float right = __shfl_down_sync(0xffffffffu, now.at[0], 1, LANES);

    if (lane == 0)
        left = left_of_row;
    if (is_last)
        right = right_of_row;
#pragma unroll
    for (int v = 0; v < V; v++)
        d[v] = (v < V - 1 ? now.at[v < V - 1 ? v + 1 : v] : right) -
               (v > 0 ? now.at[v > 0 ? v - 1 : v] : left);
}

/* What a thread holds of the current plane and the planes around it. */
template <int V> struct march_cells {
    phys_vector<V> below[4], now[4], above[4]; /* t1 */
    phys_vector<V> before[4], after[4];        /* t0; t2 with central time only */
};

/* Where a thread's cells lie. */
struct march_place {
    int     lane, row;
    int64_t column;  /* place in a plane */
    bool    is_in;   /* in the grid? */
    bool    is_last; /* no cell to the right in this tile */
};

template <int V, int LANES, int ROWS>
__device__ static inline march_place make_place(const phys_kernel_args &a, const phys_tile &tile)
{
    march_place at;

    at.lane = static_cast<int>(threadIdx.x) % LANES;
    at.row  = static_cast<int>(threadIdx.x) / LANES;

    const int x = (tile.x * LANES + at.lane) * V, y = tile.y * ROWS + at.row;

    at.column  = static_cast<int64_t>(y) * a.nx + x;
    at.is_in   = x < a.nx && y < a.ny;
    at.is_last = at.lane == LANES - 1 || x + V >= a.nx;
    return at;
}

/* Starts fetching what plane z needs and plane z - 1 did not: the plane above z, and z's values at
 * t0 and t2. */
template <int V, bool CENTRAL> __device__ static inline void
march_fetch(const phys_kernel_args &a, const march_place &at, int z, march_cells<V> *cells)
{
    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
    const int64_t here  = z * plane + at.column;
    const int64_t next  = phys_above(z, a.nz, a.periodic[2]) * plane + at.column;

    if (!at.is_in)
        return;
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->above[c]  = phys_load<V>(a.now[c], next);
        cells->before[c] = phys_load_once<V>(a.before[c], here);
        if (CENTRAL)
            cells->after[c] = phys_load_once<V>(a.after[c], here);
    }
}

/* Loads everything for the first plane of a block, as nothing was fetched before. */
template <int V, bool CENTRAL> __device__ static inline void
march_start(const phys_kernel_args &a, const march_place &at, int z, march_cells<V> *cells)
{
    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
    const int64_t below = phys_below(z, a.nz, a.periodic[2]) * plane + at.column;

#pragma unroll
    for (int c = 0; c < 4; c++)
        if (at.is_in) {
            cells->below[c] = phys_load<V>(a.now[c], below);
            cells->now[c]   = phys_load<V>(a.now[c], z * plane + at.column);
        }
    march_fetch<V, CENTRAL>(a, at, z, cells);
}

/* A plane's halo on its way from memory to shared memory. */
template <int V> struct march_halo_values {
    phys_vector<V> row;
    float          side;
};

template <int V> __device__ static inline void
halo_fetch(const march_halo &halo, int64_t plane_start, march_halo_values<V> *values)
{
    if (halo.has_row)
        values->row = phys_load<V>(halo.row_from, plane_start);
    if (halo.has_side)
        values->side = halo.side_from[plane_start];
}

template <int V, int LANES, int ROWS> __device__ static inline void
march_publish(const march_place &at, const phys_vector<V> now[4], const march_halo &halo,
              const march_halo_values<V> &values, phys_vector<V> *plane, float *sides)
{
    using shape = march_shape<V, LANES, ROWS>;

    /* A thread outside the grid writes nothing: its place may belong to the halo. */
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (at.is_in)
            plane[c * shape::FIELD + (at.row + 1) * LANES + at.lane] = now[c];
    if (halo.has_row)
        plane[halo.row_to] = values.row;
    if (halo.has_side)
        sides[halo.side_to] = values.side;
}

/* The residuals of a thread's cells, from registers and the shared plane. */
template <int V, int LANES, int ROWS, bool CENTRAL> __device__ static inline void
march_residuals(const phys_kernel_args &a, const march_place &at, const march_cells<V> &cells,
                const phys_vector<V> *plane, const float *sides, phys_vector<V> r[4])
{
    using shape = march_shape<V, LANES, ROWS>;
    float dx[4][V], dy[4][V];

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const phys_vector<V> *field = plane + c * shape::FIELD + at.lane;
        const float          *left  = sides + c * 2 * ROWS + at.row;
        const phys_vector<V>  y_m = field[at.row * LANES], y_p = field[(at.row + 2) * LANES];

        x_differences<V, LANES>(cells.now[c], left[0], left[ROWS], at.lane, at.is_last, dx[c]);
#pragma unroll
        for (int v = 0; v < V; v++)
            dy[c][v] = y_p.at[v] - y_m.at[v];
    }
#pragma unroll
    for (int v = 0; v < V; v++) {
        phys_cell cell;
        float     residual[4];

#pragma unroll
        for (int c = 0; c < 4; c++) {
            const float now = cells.now[c].at[v];

            cell.now[c]  = now;
            cell.step[c] = (CENTRAL ? cells.after[c].at[v] : now) - cells.before[c].at[v];
            cell.dx[c]   = dx[c][v];
            cell.dy[c]   = dy[c][v];
            cell.dz[c]   = cells.above[c].at[v] - cells.below[c].at[v];
        }
        phys_residual(a, cell, residual);
#pragma unroll
        for (int c = 0; c < 4; c++)
            r[c].at[v] = residual[c];
    }
}

/* Moves one plane up: what was fetched becomes what is held. */
template <int V>
__device__ static inline void march_advance(march_cells<V> *cells, const march_cells<V> &fetched)
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->below[c]  = cells->now[c];
        cells->now[c]    = cells->above[c];
        cells->above[c]  = fetched.above[c];
        cells->before[c] = fetched.before[c];
        cells->after[c]  = fetched.after[c];
    }
}

template <int V, int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL>
static __global__ void __launch_bounds__(LANES *ROWS, BLOCKS_PER_SM)
    march_kernel(phys_kernel_args a)
{
    using shape = march_shape<V, LANES, ROWS>;
    __shared__ phys_vector<V> rows[2 * shape::PLANE];
    __shared__ float          sides[2 * shape::SIDES];
    const phys_tile           tile = phys_tile_of_block(a);
    const march_place         at   = make_place<V, LANES, ROWS>(a, tile);
    const march_halo          halo = make_halo<V, LANES, ROWS>(a, tile);
    const int                 z0 = tile.z * a.planes, z1 = min(z0 + a.planes, a.nz);
    const int64_t             plane_cells = static_cast<int64_t>(a.nx) * a.ny;
    march_cells<V>            cells = {}, fetched = {};
    march_halo_values<V>      values = {};
    phys_squares              sum    = { 0, 0 };

    march_start<V, CENTRAL>(a, at, z0, &cells);
    halo_fetch<V>(halo, z0 * plane_cells, &values);
#pragma unroll 1
    for (int z = z0; z < z1; z++) {
        phys_vector<V> *plane  = rows + (z & 1) * shape::PLANE;
        float          *beside = sides + (z & 1) * shape::SIDES;
        phys_vector<V>  r[4];

        march_publish<V, LANES, ROWS>(at, cells.now, halo, values, plane, beside);
        /* Everything that the next plane needs is fetched while this one is computed. */
        if (z + 1 < z1) {
            march_fetch<V, CENTRAL>(a, at, z + 1, &fetched);
            halo_fetch<V>(halo, (z + 1) * plane_cells, &values);
        }
        __syncthreads();
        march_residuals<V, LANES, ROWS, CENTRAL>(a, at, cells, plane, beside, r);
        if (at.is_in) {
            phys_write<V>(a, z * plane_cells + at.column, r);
            phys_add_vector_squares<V>(r, &sum);
        }
        march_advance<V>(&cells, fetched);
    }
    if (a.loss[0] != NULL)
        phys_add_losses<shape::THREADS>(a, sum, threadIdx.x);
}

template <int V, int LANES, int ROWS, int BLOCKS_PER_SM> static int
launch_march(phys_kernel_args a, int64_t wanted_blocks, bool is_central, assay_stream stream)
{
    const unsigned blocks = phys_set_march(&a, LANES * V, ROWS, wanted_blocks);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        march_kernel<V, LANES, ROWS, BLOCKS_PER_SM, true><<<blocks, LANES * ROWS, 0, stream>>>(a);
    else
        march_kernel<V, LANES, ROWS, BLOCKS_PER_SM, false><<<blocks, LANES * ROWS, 0, stream>>>(a);
    return assay_launch_status();
}

/* Tiles for rows of vectors, by their cells. Each leaves 256 threads of an SM enough registers to
 * fetch a plane ahead. A tile with fewer than 8 rows, or fewer vectors in a row, would have more
 * halo items than threads. */
static const struct {
    int64_t x, y;
    int (*launch)(phys_kernel_args a, int64_t wanted_blocks, bool is_central, assay_stream stream);
} TILES[] = {
    { 64, 8, launch_march<4, 16, 8, 2> },
    { 64, 16, launch_march<4, 16, 16, 1> },
    { 32, 8, launch_march<4, 8, 8, 4> },
    { 32, 16, launch_march<4, 8, 16, 2> },
};

/* Measured on an H100: best are tiles of 64 x 8 cells, two blocks an SM with the registers to fetch
 * a plane ahead, and about four blocks for each SM. Wider tiles are no faster, and a third block on
 * an SM would take those registers. Where half of the last tile of a row would be idle, the default
 * tile is half as wide and twice as high. Rows that cannot be read as vectors have one tile,
 * whatever is asked for. */
int phys_launch_march(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                      assay_stream stream)
{
    const int  last      = a->nx % 64;
    const bool is_narrow = last > 0 && last <= 32 && tuning.tile_x == 64 && tuning.tile_y == 8;
    const auto x = is_narrow ? 32 : tuning.tile_x, y = is_narrow ? 16 : tuning.tile_y;

    if (phys_vector_width(a) != 4)
        return launch_march<1, 32, 8, 3>(*a, tuning.blocks, is_central, stream);
    for (const auto &tile : TILES)
        if (tile.x == x && tile.y == y)
            return tile.launch(*a, tuning.blocks, is_central, stream);
    return PHYS_INVALID_VALUE;
}
