/* fused_sorted: agents in the order of tiles, so that a warp senses and deposits in one
 * neighbourhood. Agents of a warp that come to one cell deposit by one atomic. What limits a step
 * is the traffic to the L2 cache: agents are 12 bytes there. They are sorted at the beginning of a
 * call and every so many steps. */
#include "sorted_call.h"
#include "sorted_step.cuh"

/* ---- an agent's step */

template <bool WRAPS, bool IS_LAST> __device__ inline sorted_agent
next_agent(const physarum_grid &g, const float *field, const sorted_agent &a, float rest)
{
    const sorted_view v = view_of<WRAPS>(g, a, rest);
    sorted_agent      next =
        moved_agent<WRAPS>(g, a, v.ahead, field[v.cell[0]], field[v.cell[1]], field[v.cell[2]]);

    if (WRAPS && !IS_LAST)
        next.x = kept_x(g, next.x);
    return next;
}

/* In place, as it is kept; the last step of a call writes the states before and after it as arrays
 * instead. Returns the cell to deposit in. */
template <bool IS_LAST>
__device__ inline int step_agent(const physarum_grid &g, const inner_cells &inner,
                                 const physarum_sorted &agents, int i, const sorted_agent &a,
                                 float rest, const float *field, const physarum_slot &before,
                                 const physarum_slot &to)
{
    const sorted_agent next = is_inside(inner, a) ? next_agent<false, IS_LAST>(g, field, a, rest)
                                                  : next_agent<true, IS_LAST>(g, field, a, rest);

    if (IS_LAST) {
        write_state(before, i, a, rest);
        write_state(to, i, next, rest);
    } else {
        agents.place[i] = packed(next);
    }
    return static_cast<int>(cell_of(g, next.y, next.x));
}

template <bool IS_LAST>
static __global__ void sorted_step_kernel(physarum_grid g, inner_cells inner,
                                          physarum_sorted agents, const float *field,
                                          float *deposited, physarum_slot before, physarum_slot to)
{
    const int i     = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int       cell  = -1, n;
    uint2     place = {};
    float     rest  = 0.0f;

    assay_grid_launch_dependents();
    /* The step before has completed when this kernel may begin: the update between the two lets it
     * in only then. Another SM's cache may still hold what the agents were. */
    if (i < g.agents) {
        place = __ldcg(agents.place + i);
        rest  = __ldcg(agents.rest + i);
    }
    assay_grid_dependency_wait();
    if (i < g.agents)
        cell = step_agent<IS_LAST>(g, inner, agents, i, unpacked(place), rest, field, before, to);
    n = count_in_warp(cell);
    if (n > 0)
        atomicAdd(deposited + cell, g.deposit * static_cast<float>(n));
}

/* ---- a call */

/* Tuning axes beside those of sorted_call.h. */
enum {
    TUNE_BLOCK,
    TUNE_ROWS
};

ASSAY_WORKSPACE(physarum_fused_sorted_workspace) { return sorted_workspace(args); }

/* The agents of a step are read before its wait, so one that follows a sort begins when that has
 * ended. */
template <bool IS_LAST> static void launch_agents(const sorted_call *c, const assay_args *args,
                                                  int64_t j, assay_stream stream)
{
    const unsigned      block  = static_cast<unsigned>(args->tune[TUNE_BLOCK]);
    const unsigned      blocks = physarum_blocks(c->g.agents, block);
    const float *const  field  = physarum_slot_of(args, j).field;
    const physarum_slot before = sorted_before_last(args), to = physarum_slot_of(args, j + 1);

    if (j % args->tune[SORTED_TUNE_EVERY] == 0)
        ASSAY_LAUNCH((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g,
                     inner_cells_of(c->g), c->agents, field, c->copy[j % 2], before, to);
    else
        ASSAY_LAUNCH_DEPENDENT((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g,
                               inner_cells_of(c->g), c->agents, field, c->copy[j % 2], before, to);
}

static void step(const sorted_call *c, const assay_args *args, int64_t j, assay_stream stream)
{
    const bool is_last = j + 1 == args->param[PHYSARUM_PARAM_STEPS];

    if (is_last)
        launch_agents<true>(c, args, j, stream);
    else
        launch_agents<false>(c, args, j, stream);
    physarum_launch_update(c->g, c->copy[j % 2], physarum_slot_of(args, j + 1).field,
                           is_last ? nullptr : c->copy[(j + 1) % 2], args->tune[TUNE_ROWS], stream);
}

ASSAY_LAUNCHER(physarum_fused_sorted)
{
    sorted_call   c     = sorted_call_of(args, args->workspace);
    const int64_t cells = args->count[PHYSARUM_BUF_FIELD];

    if (!sorted_turns_by_eighths(c.g))
        return SORTED_NOT_AN_EIGHTH;
    physarum_keep_input(args, stream);
    physarum_copy(c.copy[0], physarum_slot_of(args, 0).field, cells, stream);
    for (int64_t j = 0; j < args->param[PHYSARUM_PARAM_STEPS]; j++) {
        const int error = j % args->tune[SORTED_TUNE_EVERY] == 0
                              ? sorted_sort_at(&c, j, physarum_slot_of(args, j), stream)
                              : 0;

        if (error != 0)
            return error;
        step(&c, args, j, stream);
    }
    return assay_launch_status();
}
