/* tiled: particles are sorted by tiles of 4x8x8 cells only, in one pass whose places to write stay
 * in the L2 cache, and then by cell within a block, in shared memory. A thread owns a cell and
 * keeps the sums of its eight corners in registers; a block adds its nodes to the fields once.
 *
 * Blocks take windows of equally many particles of the sorted list, so a crowded tile is shared by
 * many blocks. Each tile has several bins, by the number of the particle: atomics on the counters
 * of a crowded tile do not all meet on one address. */
#include "scatter_scan.cuh"
#include "scatter_sort.h"

enum {
    TILE_X     = 4,
    TILE_Y     = 8,
    TILE_Z     = 8,
    TILE_CELLS = TILE_X * TILE_Y * TILE_Z,
    TILE_NODES = (TILE_X + 1) * (TILE_Y + 1) * (TILE_Z + 1),
    BLOCK      = TILE_CELLS, /* of the deposit: a thread a cell */

    MAX_REPLICAS = 32
};
static_assert(int { BLOCK } == int { SCATTER_SCAN_BLOCK }, "a block scans the counts of its cells");

struct scatter_tiling {
    int tiles_y, tiles_z, tiles;
    int replicas; /* bins of a tile, a power of two */
};

/* Counts and ends of the bins, the tile in which each window begins, and the sorted particles. */
struct scatter_tiled_space {
    int            *count, *end, *sums, *first_tile;
    scatter_record *records;
};

/* ---- sort by tile ---- */

static __device__ int tile_of(const scatter_tiling &g, const thermo_cell &cell)
{
    return (cell.i / TILE_X * g.tiles_y + cell.j / TILE_Y) * g.tiles_z + cell.k / TILE_Z;
}

static __device__ int bin_of(const scatter_tiling &g, const thermo_place &at, int t)
{
    return tile_of(g, thermo_cell_of(at)) * g.replicas + (t & (g.replicas - 1));
}

/* By the position alone: what else may be wrong with a particle makes its record empty. */
static __global__ void scatter_count_tiles(scatter_problem q, scatter_tiling g, int *count)
{
    const int t = scatter_thread();
    float     pos[3];

    if (t >= q.n)
        return;
    scatter_load3(q.in.pos, t, pos);
    if (scatter_is_finite(pos))
        atomicAdd(count + bin_of(g, thermo_place_of(q.grid, pos), t), 1);
}

/* `end` has the starts of the bins, and afterwards their ends. */
static __global__ void scatter_reorder_tiles(scatter_problem q, scatter_tiling g,
                                             scatter_tiled_space space)
{
    const int t = scatter_thread();

    if (t >= q.n)
        return;
    const scatter_particle p    = scatter_load(q.in, t);
    const bool             good = scatter_is_accepted(p);

    if (!good)
        atomicAdd(q.errors, 1u);
    if (!scatter_is_finite(p.pos))
        return;
    const thermo_place at = thermo_place_of(q.grid, p.pos);
    const int          d  = atomicAdd(space.end + bin_of(g, at, t), 1);
    scatter_record     r  = { { at.r[0], at.r[1], at.r[2] }, 0, { 0, 0, 0 }, 0 };

    if (good) {
        r.mass = p.mass * q.per_volume;
        r.heat = p.heat * q.per_volume;
        for (int x = 0; x < 3; x++)
            r.vel[x] = p.vel[x];
    }
    scatter_store_record(space.records + d, r);
}

static __device__ int tile_end(const scatter_tiling &g, const int *end, int tile)
{
    return end[(tile + 1) * g.replicas - 1];
}
static __device__ int tile_begin(const scatter_tiling &g, const int *end, int tile)
{
    return tile > 0 ? end[tile * g.replicas - 1] : 0;
}

/* A thread a tile: the windows that begin in it. */
static __global__ void scatter_find_windows(scatter_tiling g, const int *end, int window,
                                            int *first_tile)
{
    const int tile = scatter_thread();

    if (tile >= g.tiles)
        return;
    const int begin = tile_begin(g, end, tile), stop = tile_end(g, end, tile);

    for (int w = (begin + window - 1) / window; w < (stop + window - 1) / window; w++)
        first_tile[w] = tile;
}

/* ---- deposit ---- */

/* Sums of the nodes of one tile, field by field. */
static __device__ float *node_at(float *nodes, int v, int node)
{
    return nodes + v * TILE_NODES + node;
}

static __device__ int local_node(int a, int b, int c)
{
    return (a * (TILE_Y + 1) + b) * (TILE_Z + 1) + c;
}

/* Its cell within the tile; cells and threads have the same numbers. */
static __device__ unsigned local_cell(const scatter_record &p)
{
    const unsigned i = static_cast<unsigned>(p.r[0]) % TILE_X;
    const unsigned j = static_cast<unsigned>(p.r[1]) % TILE_Y;
    const unsigned k = static_cast<unsigned>(p.r[2]) % TILE_Z;

    return (i * TILE_Y + j) * TILE_Z + k;
}

/* Records in shared memory, their halves apart: accesses of 16 bytes to any of them then spread
 * over all banks. */
struct scatter_halves {
    float4 *place, *motion;
};

static __device__ void store_halves(const scatter_halves &to, int s, const scatter_record &r)
{
    to.place[s]  = make_float4(r.r[0], r.r[1], r.r[2], r.mass);
    to.motion[s] = make_float4(r.vel[0], r.vel[1], r.vel[2], r.heat);
}

static __device__ scatter_record load_halves(const scatter_halves &from, int s)
{
    const float4 a = from.place[s], b = from.motion[s];

    return { { a.x, a.y, a.z }, a.w, { b.x, b.y, b.z }, b.w };
}

static __device__ void clear_tile(float *nodes, int *cell_count)
{
    for (int v = static_cast<int>(threadIdx.x); v < THERMO_N_FIELDS * TILE_NODES; v += BLOCK)
        nodes[v] = 0;
    cell_count[threadIdx.x] = 0;
}

/* Reads n particles and writes their numbers in the order of their cells. Returns where this
 * thread's cell begins there; *own gets how many it has. */
template <int WINDOW>
static __device__ int sort_by_cell(const scatter_record *from, int n, const scatter_halves &records,
                                   unsigned short *order, int *cell_count, int *warps, int *own)
{
    constexpr int ITEMS = WINDOW / BLOCK;
    unsigned      place[ITEMS]; /* cell, and number within it */
    int           total;

#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int s = static_cast<int>(threadIdx.x) + k * BLOCK;

        if (s >= n)
            continue;
        const scatter_record p    = scatter_load_record(from + s);
        const unsigned       cell = local_cell(p);
        const int            rank = atomicAdd(cell_count + cell, 1);

        store_halves(records, s, p);
        place[k] = static_cast<unsigned>(rank) * TILE_CELLS + cell;
    }
    __syncthreads();
    *own            = cell_count[threadIdx.x];
    const int begin = scatter_block_exclusive(*own, warps, &total);

    cell_count[threadIdx.x] = begin;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int s = static_cast<int>(threadIdx.x) + k * BLOCK;

        if (s < n)
            order[cell_count[place[k] % TILE_CELLS] + static_cast<int>(place[k] / TILE_CELLS)] =
                static_cast<unsigned short>(s);
    }
    __syncthreads();
    return begin;
}

/* The sums of a cell go to its eight nodes, corner by corner: no two threads meet. */
static __device__ void add_corners(const scatter_sums sums[THERMO_N_CORNERS], float *nodes)
{
    const int cell = static_cast<int>(threadIdx.x);
    const int a = cell / (TILE_Y * TILE_Z), b = cell / TILE_Z % TILE_Y, c = cell % TILE_Z;

#pragma unroll
    for (int corner = 0; corner < THERMO_N_CORNERS; corner++) {
        const int node = local_node(a + (corner >> 2), b + (corner >> 1 & 1), c + (corner & 1));

#pragma unroll
        for (int v = 0; v < THERMO_N_FIELDS; v++)
            *node_at(nodes, v, node) += sums[corner].v[v];
        __syncthreads();
    }
}

/* Adds a tile's nodes to the fields; consecutive threads to consecutive addresses. A node that
 * nothing was added to is left out, and so is one beyond the grid's end. */
static __device__ void add_tile(const scatter_problem &q, const scatter_tiling &g, int tile,
                                float *nodes)
{
    const int i0 = tile / g.tiles_z / g.tiles_y * TILE_X,
              j0 = tile / g.tiles_z % g.tiles_y * TILE_Y, k0 = tile % g.tiles_z * TILE_Z;

    for (int u = static_cast<int>(threadIdx.x); u < THERMO_N_FIELDS * TILE_NODES; u += BLOCK) {
        const bool  is_mom = u >= TILE_NODES && u < 4 * TILE_NODES;
        const int   node   = is_mom ? (u - TILE_NODES) / 3 : u % TILE_NODES;
        const int   v      = is_mom ? THERMO_MOM_X + (u - TILE_NODES) % 3 : u / TILE_NODES;
        const int   i      = i0 + node / ((TILE_Y + 1) * (TILE_Z + 1));
        const int   j      = j0 + node / (TILE_Z + 1) % (TILE_Y + 1);
        const int   k      = k0 + node % (TILE_Z + 1);
        const float sum    = *node_at(nodes, v, node);

        if (sum != 0 && i <= q.grid.gx && j <= q.grid.gy && k <= q.grid.gz)
            atomicAdd(scatter_field(q.out, v,
                                    thermo_node(q.grid, i == q.grid.gx ? 0 : i,
                                                j == q.grid.gy ? 0 : j, k == q.grid.gz ? 0 : k)),
                      sum);
    }
}

template <int WINDOW> static __global__ void __launch_bounds__(BLOCK)
    scatter_tiles_kernel(scatter_problem q, scatter_tiling g, scatter_tiled_space space)
{
    ASSAY_SHARED_DYNAMIC(float4, halves);
    ASSAY_SHARED(float, nodes, THERMO_N_FIELDS *TILE_NODES);
    ASSAY_SHARED(unsigned short, order, WINDOW);
    ASSAY_SHARED(int, cell_count, TILE_CELLS);
    ASSAY_SHARED(int, warps, SCATTER_SCAN_WARPS);
    const int            first   = static_cast<int>(blockIdx.x) * WINDOW;
    const int            last    = min(first + WINDOW, tile_end(g, space.end, g.tiles - 1));
    const scatter_halves records = { halves, halves + WINDOW };

    if (first >= last)
        return;
    int tile = space.first_tile[blockIdx.x];

    for (int begin = first; begin < last; tile++) {
        const int stop = min(last, tile_end(g, space.end, tile));
        int       own;

        if (stop == begin)
            continue;
        clear_tile(nodes, cell_count);
        __syncthreads();
        const int    at = sort_by_cell<WINDOW>(space.records + begin, stop - begin, records, order,
                                            cell_count, warps, &own);
        scatter_sums sums[THERMO_N_CORNERS] = {};

        for (int d = at; d < at + own; d++) {
            const scatter_record p    = load_halves(records, order[d]);
            const thermo_cell    cell = thermo_cell_of({ { p.r[0], p.r[1], p.r[2] } });

#pragma unroll
            for (int c = 0; c < THERMO_N_CORNERS; c++)
                scatter_accumulate(sums[c], p, thermo_corner_weight(cell.f, c));
        }
        add_corners(sums, nodes);
        add_tile(q, g, tile, nodes);
        __syncthreads();
        begin = stop;
    }
}

/* ---- launches ---- */

enum {
    TUNE_WINDOW,
    TUNE_BINS,
    TUNE_BLOCK
};

static int tiles_along(int64_t cells, int tile)
{
    return static_cast<int>((cells + tile - 1) / tile);
}

/* As many bins for each tile as keep all of them below the tuning value. */
static scatter_tiling tiling_of(const assay_args *args)
{
    const int      tiles_x = tiles_along(args->param[SCATTER_PARAM_GX], TILE_X);
    scatter_tiling g;

    g.tiles_y  = tiles_along(args->param[SCATTER_PARAM_GY], TILE_Y);
    g.tiles_z  = tiles_along(args->param[SCATTER_PARAM_GZ], TILE_Z);
    g.tiles    = tiles_x * g.tiles_y * g.tiles_z;
    g.replicas = 1;
    while (g.replicas < MAX_REPLICAS && 2 * g.replicas * g.tiles <= args->tune[TUNE_BINS])
        g.replicas *= 2;
    return g;
}

static scatter_tiled_space take_tiled(const assay_args *args, const scatter_tiling &g,
                                      thermo_arena *arena)
{
    const int64_t       n    = scatter_particle_count(args);
    const int64_t       bins = static_cast<int64_t>(g.tiles) * g.replicas;
    scatter_tiled_space space;

    space.count      = arena->take<int>(bins);
    space.end        = arena->take<int>(bins);
    space.sums       = arena->take<int>(scatter_scan_sums(bins));
    space.first_tile = arena->take<int>(scatter_blocks(n, args->tune[TUNE_WINDOW]));
    space.records    = arena->take<scatter_record>(n);
    return space;
}

ASSAY_WORKSPACE(thermo_scatter_tiled_workspace)
{
    thermo_arena arena(nullptr);

    (void)take_tiled(args, tiling_of(args), &arena);
    return arena.bytes();
}

static int sort_by_tile(const scatter_problem &q, const scatter_tiling &g,
                        const scatter_tiled_space &space, unsigned block, assay_stream stream)
{
    const int64_t  bins = static_cast<int64_t>(g.tiles) * g.replicas;
    const unsigned grid = scatter_blocks(q.n, block);
    int error = assay_memset_zero(space.count, static_cast<size_t>(bins) * sizeof(int), stream);

    if (error)
        return error;
    ASSAY_LAUNCH(scatter_count_tiles, grid, block, 0, stream, q, g, space.count);
    error = scatter_scan(space.count, bins, space.end, space.sums, stream);
    if (error)
        return error;
    ASSAY_LAUNCH(scatter_reorder_tiles, grid, block, 0, stream, q, g, space);
    return assay_launch_status();
}

template <int WINDOW> static int launch_tiles(const scatter_problem &q, const scatter_tiling &g,
                                              const scatter_tiled_space &space, assay_stream stream)
{
    const size_t bytes = WINDOW * sizeof(scatter_record);
    const size_t fixed = THERMO_N_FIELDS * TILE_NODES * sizeof(float) + WINDOW * sizeof(short) +
                         (TILE_CELLS + SCATTER_SCAN_WARPS) * sizeof(int);
    const int error = ASSAY_ALLOW_SHARED(scatter_tiles_kernel<WINDOW>, bytes + fixed);

    if (error)
        return error;
    ASSAY_LAUNCH(scatter_find_windows, scatter_blocks(g.tiles, BLOCK), BLOCK, 0, stream, g,
                 space.end, WINDOW, space.first_tile);
    ASSAY_LAUNCH((scatter_tiles_kernel<WINDOW>), scatter_blocks(q.n, WINDOW), BLOCK, bytes, stream,
                 q, g, space);
    return assay_launch_status();
}

static int launch_window(int64_t window, const scatter_problem &q, const scatter_tiling &g,
                         const scatter_tiled_space &space, assay_stream stream)
{
    switch (window) {
    case 512:
        return launch_tiles<512>(q, g, space, stream);
    case 1024:
        return launch_tiles<1024>(q, g, space, stream);
    case 2048:
        return launch_tiles<2048>(q, g, space, stream);
    case 4096:
        return launch_tiles<4096>(q, g, space, stream);
    default:
        return 1; /* cudaErrorInvalidValue */
    }
}

ASSAY_LAUNCHER(thermo_scatter_tiled)
{
    const scatter_problem     q = scatter_problem_of(args);
    const scatter_tiling      g = tiling_of(args);
    thermo_arena              arena(args->workspace);
    const scatter_tiled_space space = take_tiled(args, g, &arena);
    int                       error = scatter_clear_fields(q, stream);

    error = error ? error : scatter_clear_errors(q, stream);
    if (error || q.n == 0)
        return error;
    error = sort_by_tile(q, g, space, static_cast<unsigned>(args->tune[TUNE_BLOCK]), stream);
    return error ? error : launch_window(args->tune[TUNE_WINDOW], q, g, space, stream);
}
