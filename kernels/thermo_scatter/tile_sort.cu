/* Sort by tile in two passes over the particles. The first finds the number of each particle within
 * its tile: a block counts its own particles in shared memory, adds its count of each tile to the
 * tile's count of all blocks once, and so gets a run of numbers there. However crowded a tile is,
 * its counter in memory sees one addition a block. The second pass writes the records to their
 * places; neighbours in a tile come from one block, so that lines are filled while they are in the
 * L2 cache. */
#include "scatter_sort.h"
#include "scatter_tile.h"

enum {
    COUNT_BLOCK = 512,
    COUNTERS    = 16384, /* of a block, 64 KiB, so that three blocks share an SM. More tiles take
                          * turns */
    COUNTS = 8           /* additions to memory that a thread has in flight */
};

static __device__ int tile_of(const scatter_tiling &g, const thermo_cell &cell)
{
    const unsigned i = static_cast<unsigned>(cell.i) / TILE_X;
    const unsigned j = static_cast<unsigned>(cell.j) / TILE_Y;
    const unsigned k = static_cast<unsigned>(cell.k) / TILE_Z;

    return (static_cast<int>(i) * g.tiles_y + static_cast<int>(j)) * g.tiles_z +
           static_cast<int>(k);
}

/* By the position only: any other fault of a particle makes its record empty. -1 without a
 * position. */
static __device__ int tile_of_particle(const scatter_problem &q, const scatter_tiling &g, int t)
{
    float pos[3];

    if (t >= q.n)
        return -1;
    scatter_load3(q.in.pos, t, pos);
    return scatter_is_finite(pos) ? tile_of(g, thermo_cell_of(thermo_place_of(q.grid, pos))) : -1;
}

/* Some of the tiles, with their counters in shared memory. */
struct tile_part {
    int *counter;
    int  first, n;
};

static __device__ bool is_in(const tile_part &part, int tile)
{
    return static_cast<unsigned>(tile - part.first) < static_cast<unsigned>(part.n);
}

static __device__ void clear_counters(const tile_part &part)
{
    for (int c = static_cast<int>(threadIdx.x); c < part.n; c += COUNT_BLOCK)
        part.counter[c] = 0;
}

/* Replaces the block's count of each tile by the block's first number there. Consecutive threads
 * add to consecutive addresses; each has several additions in flight. */
static __device__ void reserve_numbers(const tile_part &part, int *count)
{
    for (int c = static_cast<int>(threadIdx.x); c < part.n; c += COUNTS * COUNT_BLOCK) {
        int number[COUNTS];

#pragma unroll
        for (int k = 0; k < COUNTS; k++) {
            const int at = c + k * COUNT_BLOCK;

            number[k] = at < part.n ? part.counter[at] : 0;
            if (number[k] > 0)
                number[k] = atomicAdd(count + part.first + at, number[k]);
        }
#pragma unroll
        for (int k = 0; k < COUNTS; k++)
            if (c + k * COUNT_BLOCK < part.n)
                part.counter[c + k * COUNT_BLOCK] = number[k];
    }
}

template <int ITEMS> static __global__ void __launch_bounds__(COUNT_BLOCK)
    scatter_count_tiles(scatter_problem q, scatter_tiling g, int *count, int *rank)
{
    extern __shared__ __align__(16) int counter[];
    const int first = static_cast<int>(blockIdx.x * (COUNT_BLOCK * ITEMS) + threadIdx.x);
    int       tile[ITEMS], number[ITEMS];

#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        tile[k]   = tile_of_particle(q, g, first + k * COUNT_BLOCK);
        number[k] = -1;
    }
    for (int begin = 0; begin < g.tiles; begin += COUNTERS) {
        const tile_part part = { counter, begin, min(int { COUNTERS }, g.tiles - begin) };

        clear_counters(part);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if (is_in(part, tile[k]))
                number[k] = atomicAdd(counter + tile[k] - begin, 1);
        __syncthreads();
        reserve_numbers(part, count);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            if (is_in(part, tile[k]))
                number[k] += counter[tile[k] - begin];
        __syncthreads(); /* before the counters are cleared for other tiles */
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (first + k * COUNT_BLOCK < q.n)
            rank[first + k * COUNT_BLOCK] = number[k];
}

/* ---- reorder ---- */

/* Takes both by value: a choice between two variables in memory would keep them there. */
static __device__ float4 choose(bool first, float4 a, float4 b)
{
    return make_float4(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w);
}

static __device__ float4 exchange(float4 v)
{
    constexpr unsigned all = 0xffffffffu;

    return make_float4(__shfl_xor_sync(all, v.x, 1), __shfl_xor_sync(all, v.y, 1),
                       __shfl_xor_sync(all, v.z, 1), __shfl_xor_sync(all, v.w, 1));
}

/* A record is two halves of 16 bytes. Two neighbouring lanes write together: first the record of
 * the even lane, then that of the odd one, each lane the half of its parity. A store then has whole
 * sectors of 32 bytes, and half as many. d < 0: no record. All lanes of a warp call it. */
static __device__ void store_by_twos(scatter_record *records, int d, const scatter_record &r)
{
    const bool    is_odd = threadIdx.x % 2 != 0;
    const float4  place  = make_float4(r.r[0], r.r[1], r.r[2], r.mass);
    const float4  motion = make_float4(r.vel[0], r.vel[1], r.vel[2], r.heat);
    const float4  got    = exchange(choose(is_odd, place, motion));
    const int     d_got  = __shfl_xor_sync(0xffffffffu, d, 1);
    const int64_t even = is_odd ? d_got : d, odd = is_odd ? d : d_got;
    float4 *const to = reinterpret_cast<float4 *>(records) + (is_odd ? 1 : 0);

    if (even >= 0)
        to[2 * even] = choose(is_odd, got, place);
    if (odd >= 0)
        to[2 * odd] = choose(is_odd, motion, got);
}

static __device__ scatter_record record_at(const scatter_problem &q, const thermo_place &at,
                                           const scatter_particle &p, bool is_good)
{
    scatter_record r = { { at.r[0], at.r[1], at.r[2] }, 0, { 0, 0, 0 }, 0 };

    if (is_good) {
        r.mass = p.mass * q.per_volume;
        r.heat = p.heat * q.per_volume;
        for (int x = 0; x < 3; x++)
            r.vel[x] = p.vel[x];
    }
    return r;
}

static __global__ void scatter_reorder_tiles(scatter_problem q, scatter_tiling g,
                                             scatter_tile_list list)
{
    const int      t = scatter_thread();
    int            d = -1;
    scatter_record r = {};

    if (t < q.n) {
        const scatter_particle p       = scatter_load(q.in, t);
        const bool             is_good = scatter_is_accepted(p);

        d = list.rank[t];
        if (!is_good)
            atomicAdd(q.errors, 1u);
        if (d >= 0) {
            const thermo_place at = thermo_place_of(q.grid, p.pos);

            d += list.start[tile_of(g, thermo_cell_of(at))];
            r = record_at(q, at, p, is_good);
        }
    }
    store_by_twos(list.records, d, r);
}

/* ---- launches ---- */

static int tiles_along(int64_t cells, int tile)
{
    return static_cast<int>(assay_ceil_div(cells, tile));
}

scatter_tiling scatter_tiling_of(const assay_args *args)
{
    scatter_tiling g;

    g.tiles_y = tiles_along(args->param[SCATTER_PARAM_GY], TILE_Y);
    g.tiles_z = tiles_along(args->param[SCATTER_PARAM_GZ], TILE_Z);
    g.tiles   = tiles_along(args->param[SCATTER_PARAM_GX], TILE_X) * g.tiles_y * g.tiles_z;
    return g;
}

scatter_tile_list scatter_take_tiles(const assay_args *args, const scatter_tiling &g,
                                     thermo_arena *arena)
{
    const int64_t     n = scatter_particle_count(args), ends = g.tiles + 1;
    scatter_tile_list list;

    list.count   = arena->take<int>(ends);
    list.start   = arena->take<int>(ends);
    list.sums    = arena->take<int>(scatter_scan_sums(ends));
    list.rank    = arena->take<int>(n);
    list.records = arena->take<scatter_record>(n);
    return list;
}

template <int ITEMS> static int launch_count(const scatter_problem &q, const scatter_tiling &g,
                                             const scatter_tile_list &list, assay_stream stream)
{
    const size_t bytes = sizeof(int) * static_cast<size_t>(g.tiles < COUNTERS ? g.tiles : COUNTERS);
    const int    error = assay_allow_shared(scatter_count_tiles<ITEMS>, bytes);

    if (error)
        return error;
    scatter_count_tiles<ITEMS>
        <<<assay_blocks_for(q.n, COUNT_BLOCK * ITEMS), COUNT_BLOCK, bytes, stream>>>(
            q, g, list.count, list.rank);
    return assay_launch_status();
}

static const struct {
    int64_t items;
    int (*launch)(const scatter_problem &q, const scatter_tiling &g, const scatter_tile_list &list,
                  assay_stream stream);
} COUNT_LAUNCHES[] = { { 4, launch_count<4> }, { 8, launch_count<8> }, { 16, launch_count<16> } };

static int count_tiles(int64_t items, const scatter_problem &q, const scatter_tiling &g,
                       const scatter_tile_list &list, assay_stream stream)
{
    for (const auto &count : COUNT_LAUNCHES)
        if (count.items == items)
            return count.launch(q, g, list, stream);
    return 1; /* cudaErrorInvalidValue */
}

int scatter_sort_by_tile(const scatter_problem &q, const scatter_tiling &g,
                         const scatter_tile_list &list, const scatter_tile_tuning &tuning,
                         assay_stream stream)
{
    const int64_t  ends = g.tiles + 1;
    const unsigned grid = assay_blocks_for(q.n, tuning.block);
    int error = assay_memset_zero(list.count, static_cast<size_t>(ends) * sizeof(int), stream);

    error = error ? error : count_tiles(tuning.items, q, g, list, stream);
    error = error ? error : scatter_scan(list.count, ends, list.start, list.sums, stream);
    if (error)
        return error;
    scatter_reorder_tiles<<<grid, tuning.block, 0, stream>>>(q, g, list);
    return assay_launch_status();
}
