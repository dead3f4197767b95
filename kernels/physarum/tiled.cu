/* fused_tiled: one kernel a step, whose blocks have a tile of the grid and the agents that were
 * sorted into it (tiled.cuh). Between two sorts agents leave their tiles, so that a block needs the
 * field as far around its tile as they may have come. */
#include "sorted_call.h"
#include "tiled.cuh"

#include <math.h>

enum {
    MOST_THREADS   = 1024,
    LEAST_LOG2     = 9, /* of the cells of a tile: not fewer than those of the sort's largest */
    MOST_LOG2      = 13,
    INVALID        = 1, /* cudaErrorInvalidValue */
    FEW_ROWS       = 3,
    MANY_ROWS      = 7,
    UPDATE_ROWS    = 2, /* of the update after the last step, by a warp */
    BANKS_REPEATED = 16
};

/* Tuning axes beside those of sorted_call.h. */
enum {
    TUNE_BLOCK,
    TUNE_TILES /* at most so many, unless they are as large as they get */
};

/* Where agents begin in the sort is read before the wait: a step that follows a sort begins when
 * that has ended, and later ones are let in by it. */
template <bool IS_LAST, int ROWS> static __global__ void __launch_bounds__(MOST_THREADS)
    tiled_step_kernel(tiled_run r)
{
    ASSAY_SHARED_DYNAMIC(float, field);
    const tiled_block b = block_at(r, static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x));
    const tiled_share share = share_of_tile(r, b.y, b.x);
    tiled_agent       ahead;

    assay_grid_launch_dependents();
    assay_grid_dependency_wait();
    ahead = agent_at(r.agents, share.first + static_cast<int>(threadIdx.x), share.end);
    tiled_field<IS_LAST, ROWS>::make(r, b, field);
    __syncthreads();
    step_agents<IS_LAST>(r, b, share, ahead, field);
}

/* ---- tiles */

static unsigned parts_of(int extent, int log2)
{
    return static_cast<unsigned>((extent + (1 << log2) - 1) >> log2);
}

/* Wider than high by a factor of 2 or not at all: then a range of the Z order is a tile. */
static void set_tile(const physarum_grid &g, int64_t most, tiled_shape *s)
{
    for (int log2 = LEAST_LOG2; log2 <= MOST_LOG2; log2++) {
        s->width_log2  = (log2 + 1) / 2;
        s->height_log2 = log2 / 2;
        if (static_cast<int64_t>(parts_of(g.width, s->width_log2)) *
                parts_of(g.height, s->height_log2) <=
            most)
            return;
    }
}

/* Agents have come `drift` steps from their tile at most, to which the roundings of all of them add
 * less than a cell. Rows begin at banks that rows near them do not. */
static tiled_shape shape_of(const physarum_grid &g, int64_t most_tiles, int64_t drift)
{
    tiled_shape s = {};
    int         columns;

    set_tile(g, most_tiles, &s);
    s.halo   = static_cast<int>(ceilf(g.step * static_cast<float>(drift) + g.reach)) + 1;
    s.margin = (s.halo + 1 + 3) / 4 * 4;
    s.rows   = (1 << s.height_log2) + 2 * s.halo;
    columns  = (1 << s.width_log2) + 2 * s.margin;
    s.quads  = columns / 4;
    s.pitch =
        (columns + BANKS_REPEATED / 2 - 1) / BANKS_REPEATED * BANKS_REPEATED + BANKS_REPEATED / 2;
    return s;
}

static size_t shared_bytes(const tiled_shape &s)
{
    return sizeof(float) * static_cast<size_t>(s.rows) * static_cast<size_t>(s.pitch);
}

/* ---- launches */

template <int ROWS> static int allow(size_t bytes)
{
    const int error = ASSAY_ALLOW_SHARED((tiled_step_kernel<false, ROWS>), bytes);

    return error != 0 ? error : ASSAY_ALLOW_SHARED((tiled_step_kernel<true, ROWS>), bytes);
}

struct tiled_launch {
    dim3         blocks;
    unsigned     block;
    size_t       bytes;
    bool         is_dependent;
    assay_stream stream;
};

template <bool IS_LAST, int ROWS>
static void launch_step(const tiled_launch &to, const tiled_run &run)
{
    if (to.is_dependent)
        ASSAY_LAUNCH_DEPENDENT((tiled_step_kernel<IS_LAST, ROWS>), to.blocks, to.block, to.bytes,
                               to.stream, run);
    else
        ASSAY_LAUNCH((tiled_step_kernel<IS_LAST, ROWS>), to.blocks, to.block, to.bytes, to.stream,
                     run);
}

/* How many rows a warp computes at a time, and the kernels for that. */
struct tiled_way {
    int (*allow)(size_t bytes);
    void (*launch[2])(const tiled_launch &to, const tiled_run &run); /* [1]: the last step */
};

template <int ROWS> constexpr tiled_way way_of(void)
{
    return tiled_way { allow<ROWS>, { launch_step<false, ROWS>, launch_step<true, ROWS> } };
}

static const tiled_way by_cells = way_of<0>(), by_few_rows = way_of<FEW_ROWS>(),
                       by_many_rows = way_of<MANY_ROWS>();

/* The fewest rows that the warps of a block do all at once: what each waits for is the same. */
static const tiled_way *choose_way(const physarum_grid &g, const tiled_shape &s, unsigned block)
{
    const int few = (s.rows + FEW_ROWS - 1) / FEW_ROWS * tiled_strips(s);

    if (g.width % 4 != 0)
        return &by_cells;
    return few <= static_cast<int>(block / 32) ? &by_few_rows : &by_many_rows;
}

/* ---- a call */

ASSAY_WORKSPACE(physarum_fused_tiled_workspace) { return sorted_workspace(args); }

/* Where C_j is, so that the field after the call is computed from another buffer. */
static float *deposits_of(const sorted_call &c, const assay_args *args, int64_t j)
{
    float *const buffer[] = { c.copy[0], c.copy[1],
                              static_cast<float *>(args->buf[PHYSARUM_BUF_NEW_FIELD]) };

    return buffer[(args->param[PHYSARUM_PARAM_STEPS] - 1 - j) % 3];
}

static tiled_run run_of(const sorted_call &c, const assay_args *args, const tiled_shape &shape,
                        int64_t j)
{
    const int64_t steps = args->param[PHYSARUM_PARAM_STEPS];
    tiled_run     run   = {};

    run.g        = c.g;
    run.shape    = shape;
    run.tiles    = c.tiles;
    run.sort     = c.sort;
    run.agents   = c.agents;
    run.is_first = j == 0;
    run.from     = j == 0 ? physarum_slot_of(args, 0).field : deposits_of(c, args, j - 1);
    run.to       = deposits_of(c, args, j);
    run.next     = j + 1 < steps ? deposits_of(c, args, j + 1) : nullptr;
    run.before   = sorted_before_last(args);
    run.after    = physarum_slot_of(args, steps);
    return run;
}

static int take_steps(sorted_call *c, const assay_args *args, const tiled_shape &shape,
                      const tiled_way &way, tiled_launch to)
{
    const int64_t steps = args->param[PHYSARUM_PARAM_STEPS];
    const int64_t every = args->tune[SORTED_TUNE_EVERY];

    for (int64_t j = 0; j < steps; j++) {
        const int error =
            j % every == 0 ? sorted_sort_at(c, j, physarum_slot_of(args, j), to.stream) : 0;

        if (error != 0)
            return error;
        to.is_dependent = j % every != 0;
        way.launch[j + 1 == steps](to, run_of(*c, args, shape, j));
    }
    return 0;
}

static tiled_launch launch_of(const physarum_grid &g, const tiled_shape &s, unsigned block,
                              assay_stream stream)
{
    tiled_launch to = {};

    to.blocks = dim3(parts_of(g.width, s.width_log2), parts_of(g.height, s.height_log2));
    to.block  = block;
    to.bytes  = shared_bytes(s);
    to.stream = stream;
    return to;
}

ASSAY_LAUNCHER(physarum_fused_tiled)
{
    sorted_call       c     = sorted_call_of(args, args->workspace);
    const int64_t     steps = args->param[PHYSARUM_PARAM_STEPS];
    const int64_t     every = args->tune[SORTED_TUNE_EVERY];
    const unsigned    block = static_cast<unsigned>(args->tune[TUNE_BLOCK]);
    const tiled_shape shape =
        shape_of(c.g, args->tune[TUNE_TILES], (every < steps ? every : steps) - 1);
    const tiled_way *const way   = choose_way(c.g, shape, block);
    int                    error = way->allow(shared_bytes(shape));

    if (!sorted_turns_by_eighths(c.g) || c.g.blur != 3)
        return INVALID;
    physarum_copy(deposits_of(c, args, 0), physarum_slot_of(args, 0).field,
                  args->count[PHYSARUM_BUF_FIELD], stream);
    if (error == 0)
        error = take_steps(&c, args, shape, *way, launch_of(c.g, shape, block, stream));
    if (error != 0)
        return error;
    physarum_launch_update(c.g, deposits_of(c, args, steps - 1),
                           physarum_slot_of(args, steps).field, nullptr, UPDATE_ROWS, stream);
    return assay_launch_status();
}
