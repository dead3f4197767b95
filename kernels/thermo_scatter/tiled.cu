/* tiled: particles are sorted only by tiles of 4x8x8 cells (tile_sort.cu), and then by cell within
 * a block, in shared memory. A thread owns a cell and keeps the sums of its eight corners in
 * registers; a block adds its nodes to the fields once.
 *
 * Each block takes a window of the sorted list with equally many particles, so that many blocks
 * share a crowded tile. */
#include "scatter_scan.cuh"
#include "scatter_tile.h"

enum {
    BLOCK = TILE_CELLS /* one thread a cell */
};
static_assert(int { BLOCK } == int { SCATTER_SCAN_BLOCK }, "a block scans the counts of its cells");

/* The tile in which each window begins. One thread a tile finds the windows that begin in it. */
static __global__ void scatter_find_windows(scatter_tiling g, const int *start, int window,
                                            int *first_tile)
{
    const int tile = scatter_thread();

    if (tile >= g.tiles)
        return;
    const int begin = start[tile], stop = start[tile + 1];

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

/* The record's cell within the tile; cells and threads have the same numbers. */
static __device__ unsigned local_cell(const scatter_record &p)
{
    const unsigned i = static_cast<unsigned>(p.r[0]) % TILE_X;
    const unsigned j = static_cast<unsigned>(p.r[1]) % TILE_Y;
    const unsigned k = static_cast<unsigned>(p.r[2]) % TILE_Z;

    return (i * TILE_Y + j) * TILE_Z + k;
}

/* Records in shared memory, with their halves apart, so that 16-byte accesses to any of them spread
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
 * thread's cell begins in that order; *own gets how many particles it has. */
template <int WINDOW>
static __device__ int sort_by_cell(const scatter_record *from, int n, const scatter_halves &records,
                                   unsigned short *order, int *cell_count, int *warps, int *own)
{
    constexpr int ITEMS = WINDOW / BLOCK;
    unsigned      place[ITEMS]; /* cell, and number within the cell */
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

/* Adds the sums of a cell to its eight nodes, corner by corner, so that no two threads meet. */
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

/* Adds a tile's nodes to the fields; consecutive threads add to consecutive addresses. A node that
 * nothing was added to is left out. All nodes beyond the grid's end are among these, since no
 * particle is there. */
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

        if (sum != 0)
            atomicAdd(scatter_field(q.out, v,
                                    thermo_node(q.grid, i == q.grid.gx ? 0 : i,
                                                j == q.grid.gy ? 0 : j, k == q.grid.gz ? 0 : k)),
                      sum);
    }
}

template <int WINDOW> static __global__ void __launch_bounds__(BLOCK)
    scatter_tiles_kernel(scatter_problem q, scatter_tiling g, const int *start,
                         const int *first_tile, const scatter_record *sorted)
{
    extern __shared__ __align__(16) float4 halves[];
    __shared__ float                       nodes[THERMO_N_FIELDS * TILE_NODES];
    __shared__ unsigned short              order[WINDOW];
    __shared__ int                         cell_count[TILE_CELLS];
    __shared__ int                         warps[SCATTER_SCAN_WARPS];
    const int                              first   = static_cast<int>(blockIdx.x) * WINDOW;
    const int                              last    = min(first + WINDOW, start[g.tiles]);
    const scatter_halves                   records = { halves, halves + WINDOW };

    if (first >= last)
        return;
    int tile = first_tile[blockIdx.x];

    for (int begin = first; begin < last; tile++) {
        const int stop = min(last, start[tile + 1]);
        int       own;

        if (stop == begin)
            continue;
        clear_tile(nodes, cell_count);
        __syncthreads();
        const int    at = sort_by_cell<WINDOW>(sorted + begin, stop - begin, records, order,
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
    TUNE_ITEMS,
    TUNE_BLOCK
};

static int *take_first_tiles(const assay_args *args, thermo_arena *arena)
{
    return arena->take<int>(assay_ceil_div(scatter_particle_count(args), args->tune[TUNE_WINDOW]));
}

ASSAY_WORKSPACE(thermo_scatter_tiled_workspace)
{
    thermo_arena arena(nullptr);

    (void)scatter_take_tiles(args, scatter_tiling_of(args), &arena);
    (void)take_first_tiles(args, &arena);
    return arena.bytes();
}

template <int WINDOW> static int launch_tiles(const scatter_problem &q, const scatter_tiling &g,
                                              const scatter_tile_list &list, int *first_tile,
                                              assay_stream stream)
{
    const size_t bytes = WINDOW * sizeof(scatter_record);
    const size_t fixed = THERMO_N_FIELDS * TILE_NODES * sizeof(float) + WINDOW * sizeof(short) +
                         (TILE_CELLS + SCATTER_SCAN_WARPS) * sizeof(int);
    const int error = assay_allow_shared(scatter_tiles_kernel<WINDOW>, bytes + fixed);

    if (error)
        return error;
    scatter_find_windows<<<assay_blocks_for(g.tiles, BLOCK), BLOCK, 0, stream>>>(
        g, list.start, WINDOW, first_tile);
    scatter_tiles_kernel<WINDOW><<<assay_blocks_for(q.n, WINDOW), BLOCK, bytes, stream>>>(
        q, g, list.start, first_tile, list.records);
    return assay_launch_status();
}

static const struct {
    int64_t window;
    int (*launch)(const scatter_problem &q, const scatter_tiling &g, const scatter_tile_list &list,
                  int *first_tile, assay_stream stream);
} WINDOWS[] = { { 512, launch_tiles<512> },
                { 1024, launch_tiles<1024> },
                { 2048, launch_tiles<2048> },
                { 4096, launch_tiles<4096> } };

ASSAY_LAUNCHER(thermo_scatter_tiled)
{
    const scatter_problem     q = scatter_problem_of(args);
    const scatter_tiling      g = scatter_tiling_of(args);
    thermo_arena              arena(args->workspace);
    const scatter_tile_list   list       = scatter_take_tiles(args, g, &arena);
    int *const                first_tile = take_first_tiles(args, &arena);
    const scatter_tile_tuning tuning     = { args->tune[TUNE_ITEMS],
                                             static_cast<unsigned>(args->tune[TUNE_BLOCK]) };
    int                       error      = scatter_clear_fields(q, stream);

    error = error ? error : scatter_clear_errors(q, stream);
    if (error || q.n == 0)
        return error;
    error = scatter_sort_by_tile(q, g, list, tuning, stream);
    for (const auto &w : WINDOWS)
        if (!error && w.window == args->tune[TUNE_WINDOW])
            return w.launch(q, g, list, first_tile, stream);
    return error ? error : 1; /* cudaErrorInvalidValue */
}
