/* fused_sorted: agents in the order of tiles, so that a warp senses and deposits in one
 * neighbourhood. Agents of a warp that come to the same cell deposit by one atomic. Traffic to the
 * L2 cache limits a step: an agent takes 12 bytes of it. Agents are sorted at the beginning of a
 * call and every so many steps. */
#include "sorted_call.h"
#include "sorted_step.cuh"

enum {
    MOST_THREADS = 512 /* of a block */
};

/* ---- an agent's step */

struct kept_agent {
    uint2 place;
    float rest;
};

/* Loads past the L1 cache, which may hold an old value: another multiprocessor may have written
 * since. */
__device__ inline kept_agent kept_at(const physarum_sorted &agents, int i, int end)
{
    if (i >= end)
        return kept_agent {};
    return kept_agent { __ldcg(agents.place + i), __ldcg(agents.rest + i) };
}

template <bool WRAPS, bool IS_LAST> __device__ inline sorted_agent
next_agent(const physarum_grid &g, const float *field, const sorted_agent &a, float rest)
{
    const sorted_view v = view_of<WRAPS>(g, a, direction_of_rest(rest));
    sorted_agent      next =
        moved_agent<WRAPS>(g, a, v.ahead, field[v.cell[0]], field[v.cell[1]], field[v.cell[2]]);

    if (WRAPS && !IS_LAST)
        next.x = kept_x(g, next.x);
    return next;
}

/* Steps an agent in place, as it is kept. The last step of a call instead writes the states before
 * and after it as arrays. Returns the cell to deposit in. */
template <bool IS_LAST>
__device__ inline int step_agent(const physarum_grid &g, const inner_cells &inner,
                                 const physarum_sorted &agents, int i, const kept_agent &kept,
                                 const float *field, const physarum_slot &before,
                                 const physarum_slot &to)
{
    const sorted_agent a    = unpacked(kept.place);
    const sorted_agent next = is_inside(inner, a)
                                  ? next_agent<false, IS_LAST>(g, field, a, kept.rest)
                                  : next_agent<true, IS_LAST>(g, field, a, kept.rest);

    if (IS_LAST) {
        write_state(before, i, a, kept.rest);
        write_state(to, i, next, kept.rest);
    } else {
        agents.place[i] = packed(next);
    }
    return static_cast<int>(cell_of(g, next.y, next.x));
}

__device__ inline void deposit_in(const physarum_grid &g, float *deposited, int cell)
{
    const int n = count_in_warp(cell);

    if (n > 0)
        atomicAdd(deposited + cell, g.deposit * static_cast<float>(n));
}

/* One agent a thread; or a block has `share` agents, which follow each other in the order of tiles:
 * what one agent has read is near what the next reads, and on the same multiprocessor. */
template <bool IS_LAST, bool HAS_SHARE> static __global__ void __launch_bounds__(MOST_THREADS)
    sorted_step_kernel(physarum_grid g, inner_cells inner, physarum_sorted agents, int share,
                       const float *field, float *deposited, physarum_slot before, physarum_slot to)
{
    const int  threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
    const int  first = static_cast<int>(blockIdx.x) * (HAS_SHARE ? share : threads);
    const int  end   = HAS_SHARE ? min(first + share, g.agents) : g.agents;
    int        i     = first + thread;
    kept_agent next;

    assay_grid_launch_dependents();
    /* These agents were written by the step before. It has completed when this kernel may begin:
     * the update between the two lets this kernel in only then. */
    next = kept_at(agents, i, end);
    assay_grid_dependency_wait();
    do {
        const kept_agent a = next;

        if (HAS_SHARE)
            next = kept_at(agents, i + threads, end); /* loads while this one senses */
        deposit_in(g, deposited,
                   i < end ? step_agent<IS_LAST>(g, inner, agents, i, a, field, before, to) : -1);
        i += threads;
    } while (HAS_SHARE && i - thread < end);
}

/* ---- a call */

/* Tuning axes beside those of sorted_call.h. */
enum {
    TUNE_BLOCK,
    TUNE_ROWS
};

ASSAY_WORKSPACE(physarum_fused_sorted_workspace) { return sorted_workspace(args); }

/* Agents of a block: one a thread. If all threads on the device at once would have eight agents or
 * more each, a block has that many a thread instead. (With four, at 1024 x 1024, blocks that come
 * one after the other are 3 % faster.) */
static int64_t share_of_block(const physarum_grid &g, int64_t threads, int64_t block)
{
    return g.agents < 8 * threads ? block : assay_ceil_div(g.agents, threads) * block;
}

/* A step reads agents before its wait. So a step that follows a sort begins when the sort has
 * ended. */
template <bool IS_LAST, bool HAS_SHARE>
static void launch_blocks(const sorted_call &c, const assay_args *args, int64_t j, int64_t share,
                          assay_stream stream)
{
    const unsigned      block  = static_cast<unsigned>(args->tune[TUNE_BLOCK]);
    const unsigned      blocks = assay_blocks_for(c.g.agents, static_cast<unsigned>(share));
    const float *const  field  = physarum_slot_of(args, j).field;
    const physarum_slot before = sorted_before_last(args), to = physarum_slot_of(args, j + 1);

    if (j % args->tune[SORTED_TUNE_EVERY] == 0)
        sorted_step_kernel<IS_LAST, HAS_SHARE><<<blocks, block, 0, stream>>>(
            c.g, inner_cells_of(c.g), c.agents, static_cast<int>(share), field, c.copy[j % 2],
            before, to);
    else
        assay_launch_dependent(sorted_step_kernel<IS_LAST, HAS_SHARE>, blocks, block, 0, stream,
                               c.g, inner_cells_of(c.g), c.agents, static_cast<int>(share), field,
                               c.copy[j % 2], before, to);
}

template <bool IS_LAST> static void launch_agents(const sorted_call &c, const assay_args *args,
                                                  int64_t j, int64_t share, assay_stream stream)
{
    if (share > args->tune[TUNE_BLOCK])
        launch_blocks<IS_LAST, true>(c, args, j, share, stream);
    else
        launch_blocks<IS_LAST, false>(c, args, j, share, stream);
}

static void step(const sorted_call &c, const assay_args *args, int64_t j, int64_t share,
                 assay_stream stream)
{
    const bool is_last = j + 1 == args->param[PHYSARUM_PARAM_STEPS];

    if (is_last)
        launch_agents<true>(c, args, j, share, stream);
    else
        launch_agents<false>(c, args, j, share, stream);
    physarum_launch_update(c.g, c.copy[j % 2], physarum_slot_of(args, j + 1).field,
                           is_last ? nullptr : c.copy[(j + 1) % 2], args->tune[TUNE_ROWS], stream);
}

static int sort_at(const sorted_call &c, int64_t j, const physarum_slot &from, assay_stream stream)
{
    const int error = sorted_sort_at(c, j, from, stream);

    if (error == 0)
        physarum_split_records(c.g, c.sort.record, c.agents, stream);
    return error;
}

ASSAY_LAUNCHER(physarum_fused_sorted)
{
    const sorted_call c       = sorted_call_of(args, args->workspace);
    const int64_t     cells   = args->count[PHYSARUM_BUF_FIELD];
    int64_t           threads = 0, share;
    int               error   = physarum_device_threads(&threads);

    if (!sorted_turns_by_eighths(c.g))
        return SORTED_NOT_AN_EIGHTH;
    if (error != 0)
        return error;
    share = share_of_block(c.g, threads, args->tune[TUNE_BLOCK]);
    physarum_keep_input(args, stream);
    physarum_copy(c.copy[0], physarum_slot_of(args, 0).field, cells, stream);
    for (int64_t j = 0; j < args->param[PHYSARUM_PARAM_STEPS]; j++) {
        if (j % args->tune[SORTED_TUNE_EVERY] == 0)
            error = sort_at(c, j, physarum_slot_of(args, j), stream);
        if (error != 0)
            return error;
        step(c, args, j, share, stream);
    }
    return assay_launch_status();
}
