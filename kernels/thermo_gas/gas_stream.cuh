/* A stage of the gas by tiles of 32 x ROWS threads that march along x, one column of cells a
 * thread.
 *
 * A thread keeps its cells of three planes in registers; neighbours along y and z come from the
 * plane in shared memory. There are two such planes: while this one is computed, the primitives of
 * the next one are derived into the other. Their raw values were fetched a plane before that. So
 * one barrier a plane is enough, and no thread waits for memory that it has just asked for. */
#ifndef ASSAY_GAS_STREAM_CUH
#define ASSAY_GAS_STREAM_CUH

#include "gas_plane.cuh"

enum {
    MARCH_LANES = 32
};

template <int ROWS> struct march_shape {
    static constexpr int THREADS = ROWS * MARCH_LANES;
    static constexpr int WIDTH   = MARCH_LANES + 2;
    static constexpr int CELLS   = (ROWS + 2) * WIDTH;
    using shelf                  = gas_shelf<CELLS, 1>;
    static_assert(2 * MARCH_LANES + 2 * ROWS <= THREADS, "at most one cell of the halo a thread");
};

struct march_grid {
    int tiles_y, tiles_z;
    int planes; /* planes that a block marches over */
};

/* A cell that a thread handles: its place in a plane of the grid and in shared memory. A thread
 * without one reads a cell of the grid like the others, and writes nothing. */
struct march_place {
    bool is_there;
    int  in_plane, on_shelf;
};

struct march_tile {
    int y, z, height, width; /* in cells; smaller at the end of an axis */
    int first, end;          /* planes */
};

template <int ROWS>
__device__ static inline march_tile march_tile_of_block(const gas_args &a, const march_grid &grid)
{
    const int  block = static_cast<int>(blockIdx.x);
    march_tile t;

    t.z      = block % grid.tiles_z * MARCH_LANES;
    t.y      = block / grid.tiles_z % grid.tiles_y * ROWS;
    t.first  = block / grid.tiles_z / grid.tiles_y * grid.planes;
    t.height = min(ROWS, a.gy - t.y);
    t.width  = min(MARCH_LANES, a.gz - t.z);
    t.end    = min(t.first + grid.planes, a.gx);
    return t;
}

/* Row j and column k of the tile; j is -1 to height, k is -1 to width. */
template <int ROWS> __device__ static inline march_place
march_place_at(const gas_args &a, const march_tile &t, int j, int k)
{
    const int   y = t.y + min(j, t.height), z = t.z + min(k, t.width);
    const int   row    = y < 0 ? a.gy - 1 : y == a.gy ? 0 : y;
    const int   column = z < 0 ? a.gz - 1 : z == a.gz ? 0 : z;
    march_place p;

    p.is_there = j <= t.height && k <= t.width;
    p.in_plane = row * a.gz + column;
    p.on_shelf = (j + 1) * march_shape<ROWS>::WIDTH + k + 1;
    return p;
}

/* The first two warps take the rows before and after the tile, the next threads the columns. */
template <int ROWS>
__device__ static inline march_place march_halo_of_thread(const gas_args &a, const march_tile &t)
{
    const int   thread = static_cast<int>(threadIdx.x), side = thread - 2 * MARCH_LANES;
    march_place p = {};

    if (side < 0) {
        p = march_place_at<ROWS>(a, t, thread < MARCH_LANES ? -1 : t.height, thread % MARCH_LANES);
        p.is_there &= thread % MARCH_LANES < t.width;
    } else if (side < 2 * ROWS) {
        p = march_place_at<ROWS>(a, t, side % ROWS, side < ROWS ? -1 : t.width);
        p.is_there &= side % ROWS < t.height;
    }
    return p;
}

__device__ static inline thermo_state march_fetch(const gas_args &a, const march_place &p,
                                                  int plane)
{
    return thermo_load(a.from, plane * (a.gy * a.gz) + p.in_plane);
}

template <int N> __device__ static inline gas_cell
march_publish(gas_shelf<N, 1> *shelf, const march_place &p, const thermo_state &u)
{
    const gas_cell c = gas_cell_of(u);

    if (p.is_there)
        gas_put(shelf, p.on_shelf, c);
    return c;
}

/* The halo takes a branch, since most warps have no part of it. */
template <int N> __device__ static inline void
march_publish_halo(gas_shelf<N, 1> *shelf, const march_place &p, const thermo_state &u)
{
    if (p.is_there)
        gas_put(shelf, p.on_shelf, gas_cell_of(u));
}

/* The new state of a cell between `low` and `high` along x. */
template <int ROWS, int STAGE> __device__ static inline thermo_state
march_cell(const gas_args &a, int cell, const thermo_state &start, const gas_side &low,
           const gas_cell &here, const gas_cell &high,
           const typename march_shape<ROWS>::shelf *shelf, int place)
{
    constexpr int WIDTH = march_shape<ROWS>::WIDTH;
    gas_rates     r;
    thermo_state  v;
    bool          are = gas_add_direction<0>(&r, low, here, gas_side_of(high, 0));

    are &= gas_add_direction<1>(&r, gas_get<1>(shelf, place - WIDTH), here,
                                gas_get<1>(shelf, place + WIDTH));
    are &=
        gas_add_direction<2>(&r, gas_get<2>(shelf, place - 1), here, gas_get<2>(shelf, place + 1));
    v = gas_advance(here.u, r, here.p, a.dt_per_2dx, a.dt_heat);
    if (STAGE == 2)
        v = gas_average(start, v);
    return gas_judge<STAGE>(a, cell, here, are, v);
}

/* What a stage asks of the step that it is part of, and tells it. This one is a step of its own. */
struct march_alone {
    __device__ void prepare(gas_args *) const {} /* would set the factors that contain dt */
    __device__ void tell(const thermo_state &) const {}
};

/* `Whole` is called for each cell of stage 2. */
template <int ROWS, int STAGE, int BLOCKS_PER_SM, int UNROLL, typename Whole>
static __global__ void __launch_bounds__(ROWS *MARCH_LANES, BLOCKS_PER_SM)
    gas_stream_kernel(gas_args a, march_grid grid, Whole whole)
{
    using shelf = typename march_shape<ROWS>::shelf;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    shelf            *shelves = reinterpret_cast<shelf *>(dynamic_shared); /* two shelves */
    const march_tile  t       = march_tile_of_block<ROWS>(a, grid);
    const int         lane    = static_cast<int>(threadIdx.x) % MARCH_LANES;
    const int         row     = static_cast<int>(threadIdx.x) / MARCH_LANES;
    const march_place halo    = march_halo_of_thread<ROWS>(a, t);
    march_place       own     = march_place_at<ROWS>(a, t, row, lane);
    const int         stride  = a.gy * a.gz;

    whole.prepare(&a);
    own.is_there = row < t.height && lane < t.width;
    gas_side low = gas_side_of(gas_cell_of(march_fetch(a, own, thermo_previous(t.first, a.gx))), 0);
    gas_cell here        = march_publish(shelves, own, march_fetch(a, own, t.first));
    int      next        = thermo_next(t.first, a.gx);
    thermo_state own_raw = march_fetch(a, own, next), halo_raw = march_fetch(a, halo, next);

    march_publish_halo(shelves, halo, march_fetch(a, halo, t.first));
    __syncthreads();
#pragma unroll UNROLL
    for (int i = t.first; i < t.end; i++) {
        const int    cell = i * stride + own.in_plane, parity = (i - t.first) & 1;
        thermo_state start = {};

        if (STAGE == 2)
            start = thermo_load(a.start, cell);
        const gas_cell high = march_publish(shelves + 1 - parity, own, own_raw);

        march_publish_halo(shelves + 1 - parity, halo, halo_raw);
        next = thermo_next(next, a.gx);
        if (i + 1 < t.end) {
            own_raw = march_fetch(a, own, next);
            if (halo.is_there)
                halo_raw = march_fetch(a, halo, next);
        }
        if (own.is_there) {
            const thermo_state v = march_cell<ROWS, STAGE>(a, cell, start, low, here, high,
                                                           shelves + parity, own.on_shelf);

            thermo_store(a.to, cell, v);
            if (STAGE == 2)
                whole.tell(v);
        }
        low  = gas_side_of(here, 0);
        here = high;
        __syncthreads();
    }
}

template <int ROWS> inline march_grid march_grid_of(const gas_args &a, int64_t planes)
{
    return { (a.gy + ROWS - 1) / ROWS, (a.gz + MARCH_LANES - 1) / MARCH_LANES,
             static_cast<int>(planes < a.gx ? planes : a.gx) };
}

inline int march_block_count(const gas_args &a, const march_grid &grid)
{
    return (a.gx + grid.planes - 1) / grid.planes * grid.tiles_y * grid.tiles_z;
}

template <int ROWS, int STAGE, int BLOCKS_PER_SM, int UNROLL, typename Whole>
static int march_launch(const gas_args &a, int64_t planes, Whole whole, assay_stream stream)
{
    constexpr size_t bytes  = 2 * sizeof(typename march_shape<ROWS>::shelf);
    const march_grid grid   = march_grid_of<ROWS>(a, planes);
    const unsigned   blocks = static_cast<unsigned>(march_block_count(a, grid));
    const int        error =
        assay_allow_shared(gas_stream_kernel<ROWS, STAGE, BLOCKS_PER_SM, UNROLL, Whole>, bytes);

    if (error != 0)
        return error;
    gas_stream_kernel<ROWS, STAGE, BLOCKS_PER_SM, UNROLL, Whole>
        <<<blocks, ROWS * MARCH_LANES, bytes, stream>>>(a, grid, whole);
    return assay_launch_status();
}

#endif
