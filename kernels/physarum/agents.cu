/* Sense, turn and move, with and without the deposit in the same kernel. */
#include "physarum_device.cuh"

template <int S> static __global__ void
agent_sense_and_update_kernel(physarum_grid g, physarum_slot from, physarum_slot to)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < g.agents) {
        const physarum_agent next = physarum_next_agent<S>(g, from, i);

        to.pos[i]   = next.pos;
        to.angle[i] = next.angle;
    }
}

/* Deposits go to a copy of the field, since other agents still sense the field itself. Additions of
 * one constant give the same bits in any order; in torch semantics every agent in a cell writes the
 * same sum. */
template <int S> static __global__ void agent_step_kernel(physarum_grid g, physarum_slot from,
                                                          physarum_slot to, float *deposited)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    physarum_begin_moves();
    if (i < g.agents) {
        const physarum_agent next = physarum_next_agent<S>(g, from, i);
        const int            cell = physarum_deposit_at<S>(g, next.pos);

        to.pos[i]   = next.pos;
        to.angle[i] = next.angle;
        if (S == PHYSARUM_TORCH)
            assay_store_relaxed(reinterpret_cast<unsigned *>(deposited) + cell,
                                __float_as_uint(from.field[cell] + g.deposit));
        else
            atomicAdd(deposited + cell, g.deposit);
    }
}

template <int S> static void launch(const physarum_grid &g, const physarum_slot &from,
                                    const physarum_slot &to, float *deposited, unsigned block,
                                    assay_stream stream)
{
    const unsigned blocks = assay_blocks_for(g.agents, block);

    if (deposited)
        assay_launch_dependent(agent_step_kernel<S>, blocks, block, 0, stream, g, from, to,
                               deposited);
    else
        agent_sense_and_update_kernel<S><<<blocks, block, 0, stream>>>(g, from, to);
}

void physarum_launch_agents(const physarum_grid &g, const physarum_slot &from,
                            const physarum_slot &to, float *deposited, unsigned block,
                            assay_stream stream)
{
    if (g.agents == 0)
        return;
    if (g.semantics == PHYSARUM_TORCH)
        launch<PHYSARUM_TORCH>(g, from, to, deposited, block, stream);
    else if (g.semantics == PHYSARUM_TRITON)
        launch<PHYSARUM_TRITON>(g, from, to, deposited, block, stream);
    else
        launch<PHYSARUM_CANONICAL>(g, from, to, deposited, block, stream);
}
