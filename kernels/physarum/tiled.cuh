/* The device side of fused_tiled: a step in one kernel, a tile of the grid a block.
 *
 * Step j is update and moves at once: C_j is the field before the step and what its agents deposit.
 * The kernel of step j computes that field from C_(j-1), on its tile and as far around it as its
 * agents' sensors reach, in shared memory; its agents sense there and deposit to C_j in memory; and
 * the block adds the field of its own tile to C_j. C_j was all zeros, so deposits of other blocks
 * may come before that or after it, and a sum has no rounding more than one that begins with the
 * field.
 *
 * Three buffers are enough. Kernel j reads that of C_(j-1), adds to that of C_j, and clears its
 * tile of the third, which holds C_(j-2) and will hold C_(j+1). C_(j-2) was read by kernel j - 1
 * and by no later one, and that has completed; kernel j + 1, the first to add to C_(j+1), begins
 * when kernel j has cleared all of it. So with C_0 as a copy of the input, to which the first
 * kernel adds deposits alone, and C_1 cleared by it.
 *
 * A sensor reads where its agent is, and that is as far from the tile as steps since the sort took
 * it. Places stay those of the grid, since index arithmetic has to round as the definition says;
 * only whole cells are counted from the tile. */
#ifndef PHYSARUM_TILED_CUH
#define PHYSARUM_TILED_CUH

#include "sort.cuh"
#include "sorted_step.cuh"
#include "update.cuh"

/* Tiles, and the part of the field that a block computes. */
struct tiled_shape {
    int width_log2, height_log2;
    int halo;   /* cells around a tile that sensors reach */
    int margin; /* left and right of it in shared memory: the halo and one more, a multiple of 4 */
    int rows, quads; /* rows, and groups of four columns, in shared memory */
    int pitch;
};

/* What the kernel of one step gets. */
struct tiled_run {
    physarum_grid        g;
    tiled_shape          shape;
    physarum_tiles       tiles; /* of the sort */
    physarum_sort_memory sort;
    physarum_sorted      agents;
    const float         *from;      /* C_(j-1); in the first step the field itself */
    float               *to, *next; /* C_j; what will be C_(j+1), NULL in the last step */
    bool                 is_first;
    physarum_slot        before, after; /* of the last step */
};

/* ---- a block's tile */

struct tiled_block {
    int y, x, height, width; /* as much of the tile as there is of the grid */
};

__device__ inline tiled_block block_at(const tiled_run &r, int row, int column)
{
    tiled_block b;

    b.y      = row << r.shape.height_log2;
    b.x      = column << r.shape.width_log2;
    b.height = min(1 << r.shape.height_log2, r.g.height - b.y);
    b.width  = min(1 << r.shape.width_log2, r.g.width - b.x);
    return b;
}

struct tiled_share {
    int first, end;
};

/* The sort's tiles in this one follow one another; the last may be the last of all. */
__device__ inline tiled_share share_of_tile(const tiled_run &r, int y, int x)
{
    const int      bins_log2 = r.shape.width_log2 + r.shape.height_log2 - 2 * r.tiles.shift;
    const unsigned first =
        physarum_tile_at(static_cast<unsigned>(y), static_cast<unsigned>(x), r.tiles.shift);
    const int64_t end = static_cast<int64_t>(first) + (int64_t(1) << bins_log2);

    return tiled_share { static_cast<int>(physarum_tile_start(r.sort, first)),
                         end < r.tiles.count ? static_cast<int>(physarum_tile_start(
                                                   r.sort, static_cast<unsigned>(end)))
                                             : r.g.agents };
}

/* ---- the field of the step: to shared memory, and the tile's own part to C_j */

/* Of the place i on a torus; the halo of a small grid goes round it more than once. */
__device__ inline int place_on_torus(int i, int extent) { return (i % extent + extent) % extent; }

/* Additions in memory take what is below the normal range for 0. As long as nobody has deposited
 * there the cell is 0 and may be set; on top of a deposit it makes no difference. */
__device__ inline void add_to_cell(float *to, float v)
{
    const float normal = 1.17549435e-38f;

    if (fabsf(v) >= normal)
        atomicAdd(to, v);
    else if (v != 0.0f)
        (void)atomicCAS(reinterpret_cast<unsigned *>(to), 0u, __float_as_uint(v));
}

__device__ inline bool is_added_as_it_is(float v) { return fabsf(v) >= 1.17549435e-38f || v == 0; }

__device__ inline void add_to_quad(float *to, float4 v)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (is_added_as_it_is(v.x) && is_added_as_it_is(v.y) && is_added_as_it_is(v.z) &&
        is_added_as_it_is(v.w)) {
        atomicAdd(reinterpret_cast<float4 *>(to), v);
        return;
    }
#endif
    add_to_cell(to, v.x);
    add_to_cell(to + 1, v.y);
    add_to_cell(to + 2, v.z);
    add_to_cell(to + 3, v.w);
}

template <bool IS_LAST> __device__ inline void settle_quad(const tiled_run &r, const tiled_block &b,
                                                           int row, int quad, float4 v)
{
    const int y = row - r.shape.halo, x = 4 * quad - r.shape.margin;
    const int at = (b.y + y) * r.g.width + b.x + x;

    if (static_cast<unsigned>(y) >= static_cast<unsigned>(b.height) ||
        static_cast<unsigned>(x) >= static_cast<unsigned>(b.width))
        return;
    if (IS_LAST)
        *reinterpret_cast<float4 *>(r.before.field + at) = v;
    else
        *reinterpret_cast<float4 *>(r.next + at) = make_float4(0, 0, 0, 0);
    if (!r.is_first)
        add_to_quad(r.to + at, v);
}

/* Four columns a lane from `quad` on, whose neighbours come by shuffle: all lanes are here, and the
 * first and the last give their outer neighbours alone. */
enum {
    STRIP_QUADS = 30 /* computed by a warp, beside those at the ends of a row */
};

template <int ROWS> __device__ inline void load_rows(const tiled_run &r, const tiled_block &b,
                                                     int first, int quad, float4 (&here)[ROWS + 2])
{
    const bool is_there = quad < r.shape.quads;
    const int  x        = place_on_torus(b.x - r.shape.margin + 4 * quad, r.g.width);
    int        y        = place_on_torus(b.y - r.shape.halo + first - 1, r.g.height);

#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        here[k] = is_there ? *reinterpret_cast<const float4 *>(r.from + y * r.g.width + x)
                           : make_float4(0, 0, 0, 0);
        y       = y + 1 < r.g.height ? y + 1 : 0;
    }
}

__device__ inline float4 sum_of_row(float4 here)
{
    return sum_along<1>(row_part<1> { here, { 0.0f } });
}

__device__ inline float4 blended_quad(const physarum_grid &g, float4 here, float4 sum)
{
    return make_float4(blended(g, here.x, sum.x), blended(g, here.y, sum.y),
                       blended(g, here.z, sum.z), blended(g, here.w, sum.w));
}

/* Rows `first` to first + ROWS - 1 of the shared part. */
template <bool IS_LAST, int ROWS> __device__ inline void
make_rows(const tiled_run &r, const tiled_block &b, int first, int strip, float *field)
{
    const int  lane = static_cast<int>(threadIdx.x % 32), quad = strip * STRIP_QUADS + lane;
    const bool is_kept =
        quad < r.shape.quads && (lane > 0 || quad == 0) && (lane < 31 || quad == r.shape.quads - 1);
    float4 here[ROWS + 2], above, middle;

    load_rows<ROWS>(r, b, first, quad, here);
    above  = sum_of_row(here[0]);
    middle = sum_of_row(here[1]);
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const float4 below = sum_of_row(here[k + 2]);
        float4       v     = here[k + 1];

        add_to(&above, middle);
        add_to(&above, below);
        if (!r.is_first)
            v = blended_quad(r.g, v, above);
        above  = middle;
        middle = below;
        if (is_kept && first + k < r.shape.rows) {
            *reinterpret_cast<float4 *>(field + (first + k) * r.shape.pitch + 4 * quad) = v;
            settle_quad<IS_LAST>(r, b, first + k, quad, v);
        }
    }
}

inline __device__ __host__ int tiled_strips(const tiled_shape &s)
{
    return s.quads <= 32 ? 1 : (s.quads - 2 + STRIP_QUADS - 1) / STRIP_QUADS;
}

/* Widths that four divides: warps take ROWS rows of a strip of columns. */
template <bool IS_LAST, int ROWS> struct tiled_field {
    static __device__ void make(const tiled_run &r, const tiled_block &b, float *field)
    {
        const int warps  = static_cast<int>(blockDim.x / 32);
        const int groups = (r.shape.rows + ROWS - 1) / ROWS;
        const int parts  = groups * tiled_strips(r.shape);

        for (int p = static_cast<int>(threadIdx.x / 32); p < parts; p += warps)
            make_rows<IS_LAST, ROWS>(r, b, p % groups * ROWS, p / groups, field);
    }
};

template <bool IS_LAST>
__device__ inline void settle_cell(const tiled_run &r, const tiled_block &b, int y, int x, float v)
{
    const int at = (b.y + y) * r.g.width + b.x + x;

    if (static_cast<unsigned>(y) >= static_cast<unsigned>(b.height) ||
        static_cast<unsigned>(x) >= static_cast<unsigned>(b.width))
        return;
    if (IS_LAST)
        r.before.field[at] = v;
    else
        r.next[at] = 0.0f;
    if (!r.is_first)
        add_to_cell(r.to + at, v);
}

/* Any width: cell by cell. */
template <bool IS_LAST> struct tiled_field<IS_LAST, 0> {
    static __device__ void make(const tiled_run &r, const tiled_block &b, float *field)
    {
        const tiled_shape &s       = r.shape;
        const int          columns = 4 * s.quads;

        for (int c = static_cast<int>(threadIdx.x); c < s.rows * columns;
             c += static_cast<int>(blockDim.x)) {
            const int   row = c / columns, column = c % columns;
            const int   y    = place_on_torus(b.y - s.halo + row, r.g.height);
            const int   x    = place_on_torus(b.x - s.margin + column, r.g.width);
            const float here = r.from[y * r.g.width + x];
            const float v    = r.is_first
                                   ? here
                                   : r.g.remain * (r.g.keep * here +
                                                r.g.blend * mean_around<true>(r.g, r.from, y, x));

            field[row * s.pitch + column] = v;
            settle_cell<IS_LAST>(r, b, row - s.halo, column - s.margin, v);
        }
    }
};

/* ---- agents */

/* What tells an agent inside, whose place and sensors are on this side of the seam. */
struct tiled_inside {
    inner_cells cells;
    unsigned    origin; /* subtracted from cells in shared memory */
};

enum {
    TILED_BASE = 0x4b000000 /* the bits of 2^23 */
};

/* Along one axis: from `lo` to `hi` an agent is as near to the tile as its steps allow, and further
 * from the seam than it looks. */
__device__ inline void inside_range(const physarum_grid &g, int halo, int first, int size,
                                    float extent, float *middle, float *half)
{
    const float drift = static_cast<float>(halo) - g.reach - 0.5f, seam = g.reach + g.step + 1.0f;
    const float lo = fmaxf(static_cast<float>(first) - drift, seam);
    const float hi = fminf(static_cast<float>(first + size) + drift, extent - seam);

    *middle = (lo + hi) * 0.5f;
    *half   = (hi - lo) * 0.5f;
}

__device__ inline tiled_inside inside_of(const tiled_run &r, const tiled_block &b)
{
    const tiled_shape &s = r.shape;
    tiled_inside       in;

    in.origin = static_cast<unsigned>(TILED_BASE) * static_cast<unsigned>(s.pitch + 1) +
                static_cast<unsigned>((b.y - s.halo) * s.pitch + b.x - s.margin);
    inside_range(r.g, s.halo, b.y, b.height, r.g.extent_y, &in.cells.middle_y, &in.cells.half_y);
    inside_range(r.g, s.halo, b.x, b.width, r.g.extent_x, &in.cells.middle_x, &in.cells.half_x);
    return in;
}

/* From the tile's first cell, the shorter way round the grid: what is further than the halo is
 * nearer on the other side. */
__device__ inline int from_tile(float place, int first, int size, int halo, int extent)
{
    const int i = static_cast<int>(place) - first;

    return i < -halo ? i + extent : i >= size + halo ? i - extent : i;
}

/* Where a sensor reads in shared memory. */
template <bool WRAPS>
__device__ inline unsigned shared_cell(const tiled_run &r, const tiled_block &b, unsigned origin,
                                       const sorted_agent &a, physarum_heading h)
{
    const tiled_shape &s = r.shape;
    const float        y = place_at<WRAPS>(a.y + r.g.reach * h.sine, r.g.extent_y);
    const float        x = place_at<WRAPS>(a.x + r.g.reach * h.cosine, r.g.extent_x);

    if (!WRAPS)
        return __float_as_uint(__fadd_rd(y, 8388608.0f)) * static_cast<unsigned>(s.pitch) +
               (__float_as_uint(__fadd_rd(x, 8388608.0f)) - origin);
    return static_cast<unsigned>((from_tile(y, b.y, b.height, s.halo, r.g.height) + s.halo) *
                                     s.pitch +
                                 from_tile(x, b.x, b.width, s.halo, r.g.width) + s.margin);
}

template <bool WRAPS, bool IS_LAST>
__device__ inline sorted_agent next_in_tile(const tiled_run &r, const tiled_block &b,
                                            unsigned origin, const float *field,
                                            const sorted_agent &a, float rest)
{
    const physarum_headings h = physarum_turned(r.g, direction_of(rest, a.turn));
    sorted_agent            next =
        moved_agent<WRAPS>(r.g, a, h.ahead, field[shared_cell<WRAPS>(r, b, origin, a, h.ahead)],
                           field[shared_cell<WRAPS>(r, b, origin, a, h.left)],
                           field[shared_cell<WRAPS>(r, b, origin, a, h.right)]);

    if (WRAPS && !IS_LAST)
        next.x = kept_x(r.g, next.x);
    return next;
}

/* In place; the last step of a call writes the states before and after it as arrays instead.
 * Returns the cell to deposit in. */
template <bool IS_LAST>
__device__ inline int step_in_tile(const tiled_run &r, const tiled_block &b, const tiled_inside &in,
                                   const float *field, int i, const sorted_agent &a, float rest)
{
    const sorted_agent next = is_inside(in.cells, a)
                                  ? next_in_tile<false, IS_LAST>(r, b, in.origin, field, a, rest)
                                  : next_in_tile<true, IS_LAST>(r, b, in.origin, field, a, rest);

    if (IS_LAST) {
        write_state(r.before, i, a, rest);
        write_state(r.after, i, next, rest);
    } else {
        r.agents.place[i] = packed(next);
    }
    return static_cast<int>(cell_of(r.g, next.y, next.x));
}

struct tiled_agent {
    uint2 place;
    float rest;
};

__device__ inline tiled_agent agent_at(const physarum_sorted &agents, int i, int end)
{
    return i < end ? tiled_agent { agents.place[i], agents.rest[i] } : tiled_agent {};
}

/* All threads of the block, one agent after another, the next on its way meanwhile. */
template <bool IS_LAST> __device__ inline void step_agents(const tiled_run &r, const tiled_block &b,
                                                           const tiled_share &share,
                                                           tiled_agent ahead, const float *field)
{
    const int          threads = static_cast<int>(blockDim.x);
    const tiled_inside in      = inside_of(r, b);

    for (int first = share.first; first < share.end; first += threads) {
        const int         i    = first + static_cast<int>(threadIdx.x);
        const tiled_agent here = ahead;
        int               cell = -1, n;

        ahead = agent_at(r.agents, i + threads, share.end);
        if (i < share.end)
            cell = step_in_tile<IS_LAST>(r, b, in, field, i, unpacked(here.place), here.rest);
        n = count_in_warp(cell);
        if (n > 0)
            atomicAdd(r.to + cell, r.g.deposit * static_cast<float>(n));
    }
}

#endif
