/* Counting sort of agents by tile: count, number the tiles by a scan of two levels, and scatter to
 * the next place of each tile. Agents that come in any order cost an L2 sector for each access that
 * does not lie next to its neighbour's. There are three such accesses, since during the sort an
 * agent is one record of 16 bytes. The order of agents within a tile is left open. */
#include "order.cuh"
#include "sorted_agent.cuh"

enum {
    BLOCK           = 256,
    SCAN_BLOCK      = 256,
    SCAN_ITEMS      = 8,
    SCAN_SPAN       = SCAN_BLOCK * SCAN_ITEMS, /* bins of a block; also the most blocks */
    MOST_TILES_LOG2 = 11                       /* along a side: SCAN_SPAN tiles in all */
};

/* ---- tiles */

static int log2_above(int extent)
{
    int log2 = 0;

    while ((1 << log2) < extent)
        log2++;
    return log2;
}

physarum_tiles physarum_tiles_of(const physarum_grid &g, int64_t tile)
{
    const int      side = log2_above(g.height > g.width ? g.height : g.width);
    physarum_tiles tiles;

    tiles.shift = log2_above(static_cast<int>(tile));
    while (side - tiles.shift > MOST_TILES_LOG2)
        tiles.shift++;
    tiles.count = side <= tiles.shift ? 1 : int64_t(1) << 2 * (side - tiles.shift);
    return tiles;
}

__device__ inline unsigned tile_of(float y, float x, int shift)
{
    return z_order(static_cast<unsigned>(y) >> shift, static_cast<unsigned>(x) >> shift);
}

/* ---- where agents come from */

struct from_slot {
    physarum_slot slot;

    __device__ float2 at(const physarum_grid &, int i) const { return slot.pos[i]; }
    __device__ uint4  record(const physarum_grid &g, int i) const
    {
        const float2 pos = slot.pos[i];
        sorted_agent a   = { pos.x, kept_x(g, pos.y), 0 };
        float        rest;

        split_angle(slot.angle[i], &rest, &a.turn);
        return record_of(packed(a), rest);
    }
};

struct from_sorted {
    physarum_sorted agents;

    __device__ float2 at(const physarum_grid &, int i) const
    {
        const sorted_agent a = unpacked(agents.place[i]);

        return make_float2(a.y, a.x);
    }
    __device__ uint4 record(const physarum_grid &, int i) const
    {
        return record_of(agents.place[i], agents.rest[i]);
    }
};

/* ---- count, scan, scatter */

template <typename From>
static __global__ void count_kernel(physarum_grid g, From from, int shift, unsigned *count)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < g.agents) {
        const float2 at = from.at(g, i);

        atomicAdd(count + tile_of(at.x, at.y, shift), 1u);
    }
}

/* Each block replaces its bins by the sums of the bins before them in the block; total[block] gets
 * the sum of all. */
static __global__ void scan_kernel(int64_t n, unsigned *bins, unsigned *total)
{
    __shared__ unsigned warp_sum[SCAN_BLOCK / 32];
    const unsigned      lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int64_t at = (static_cast<int64_t>(blockIdx.x) * SCAN_BLOCK + threadIdx.x) * SCAN_ITEMS;
    unsigned      item[SCAN_ITEMS], sum = 0, before = 0;

    for (int k = 0; k < SCAN_ITEMS; k++) {
        item[k] = at + k < n ? bins[at + k] : 0u;
        sum += item[k];
    }
    before = lanes_before(sum, lane);
    if (lane == 31)
        warp_sum[warp] = before + sum;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        before += warp_sum[w];
    if (total && threadIdx.x == SCAN_BLOCK - 1)
        total[blockIdx.x] = before + sum;
    for (int k = 0; k < SCAN_ITEMS; k++) {
        if (at + k < n)
            bins[at + k] = before;
        before += item[k];
    }
}

/* Agents of one warp and one tile take their places together: agents that were sorted before are
 * mostly still neighbours. All lanes stay for the match; lanes past the end have a tile number that
 * no tile has. */
template <typename From> static __global__ void
scatter_kernel(physarum_grid g, From from, int shift, physarum_sort_memory memory)
{
    const int      i      = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int      lane   = static_cast<int>(threadIdx.x % 32);
    const int      n      = g.agents;
    const float2   at     = i < n ? from.at(g, i) : make_float2(0, 0);
    const unsigned tile   = i < n ? tile_of(at.x, at.y, shift) : 0xffffffffu;
    const unsigned same   = __match_any_sync(0xffffffffu, tile);
    const int      leader = __ffs(static_cast<int>(same)) - 1;
    unsigned       place  = 0;

    if (i < n && lane == leader)
        place = atomicAdd(memory.next + tile, static_cast<unsigned>(__popc(same))) +
                memory.total[tile / SCAN_SPAN];
    place = __shfl_sync(0xffffffffu, place, leader);
    if (i < n)
        memory.record[place + __popc(same & ((1u << lane) - 1u))] = from.record(g, i);
}

template <typename From> static int sort(const physarum_grid &g, const physarum_tiles &tiles,
                                         const physarum_sort_memory &memory, From from,
                                         assay_stream stream)
{
    const unsigned blocks      = assay_blocks_for(g.agents, BLOCK);
    const unsigned scan_blocks = assay_blocks_for(tiles.count, SCAN_SPAN);
    const int      error       = assay_memset_zero(
                   memory.next, static_cast<size_t>(tiles.count) * sizeof *memory.next, stream);

    if (error != 0)
        return error;
    count_kernel<From><<<blocks, BLOCK, 0, stream>>>(g, from, tiles.shift, memory.next);
    scan_kernel<<<scan_blocks, SCAN_BLOCK, 0, stream>>>(tiles.count, memory.next, memory.total);
    scan_kernel<<<1, SCAN_BLOCK, 0, stream>>>(static_cast<int64_t>(scan_blocks), memory.total,
                                              static_cast<unsigned *>(nullptr));
    scatter_kernel<From><<<blocks, BLOCK, 0, stream>>>(g, from, tiles.shift, memory);
    return 0;
}

/* ---- for the variants */

size_t physarum_sort_bytes(const physarum_grid &g, const physarum_tiles &tiles)
{
    return sizeof(uint4) * static_cast<size_t>(g.agents) +
           sizeof(unsigned) * (static_cast<size_t>(tiles.count) + SCAN_SPAN);
}

physarum_sort_memory physarum_sort_memory_of(const physarum_grid &g, const physarum_tiles &tiles,
                                             void *memory)
{
    physarum_sort_memory m;

    m.record = static_cast<uint4 *>(memory);
    m.next   = reinterpret_cast<unsigned *>(m.record + g.agents);
    m.total  = m.next + tiles.count;
    return m;
}

int physarum_sort(const physarum_grid &g, const physarum_tiles &tiles,
                  const physarum_sort_memory &memory, const physarum_slot &from,
                  assay_stream stream)
{
    return sort(g, tiles, memory, from_slot { from }, stream);
}

int physarum_sort_again(const physarum_grid &g, const physarum_tiles &tiles,
                        const physarum_sort_memory &memory, const physarum_sorted &from,
                        assay_stream stream)
{
    return sort(g, tiles, memory, from_sorted { from }, stream);
}

static __global__ void split_kernel(int n, const uint4 *record, physarum_sorted to)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n) {
        to.place[i] = place_of(record[i]);
        to.rest[i]  = rest_of(record[i]);
    }
}

void physarum_split_records(const physarum_grid &g, const uint4 *record, const physarum_sorted &to,
                            assay_stream stream)
{
    split_kernel<<<assay_blocks_for(g.agents, BLOCK), BLOCK, 0, stream>>>(g.agents, record, to);
}
