/* One thread a particle, as in the Metal original. plain takes particles as they are in memory.
 * sorted_order takes them in the order of their cells, by a list of their numbers: neighbouring
 * threads then read the same nodes, but particles from all over memory. */
#include "gather_launch.h"

static __device__ void pic_update(const gather_problem &q, int t)
{
    const int64_t       at     = 3 * static_cast<int64_t>(t);
    const float         pos[3] = { q.pos[at], q.pos[at + 1], q.pos[at + 2] };
    const gather_result r =
        gather_particle(q, pos, q.mass[t], gather_from_fields { q.fields, q.phi });

    for (int d = 0; d < 3; d++) {
        q.new_pos[at + d] = r.pos[d];
        q.new_vel[at + d] = r.vel[d];
    }
    q.new_heat[t] = r.heat;
}

template <int WARPS> static __global__ void GATHER_BOUNDS(WARPS)
    pic_gather_update_particles(gather_problem q)
{
    const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (t < q.n)
        pic_update(q, t);
}

static __global__ void pic_gather_update_in_order(gather_problem q, const int *order)
{
    const int t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (t < q.n)
        pic_update(q, order[t]);
}

ASSAY_LAUNCHER(thermo_gather_plain)
{
    const gather_problem q     = gather_problem_of(args);
    const unsigned       block = static_cast<unsigned>(args->tune[GATHER_TUNE_BLOCK]);

    if (q.n == 0)
        return 0;
    return gather_launch_for(args->tune[GATHER_TUNE_WARPS], [&](auto warps) {
        pic_gather_update_particles<decltype(warps)::value>
            <<<assay_blocks_for(q.n, block), block, 0, stream>>>(q);
        return assay_launch_status();
    });
}

ASSAY_LAUNCHER(thermo_gather_sorted_order)
{
    const gather_problem q     = gather_problem_of(args);
    const unsigned       block = static_cast<unsigned>(args->tune[0]);

    if (q.n == 0)
        return 0;
    pic_gather_update_in_order<<<assay_blocks_for(q.n, block), block, 0, stream>>>(
        q, gather_buffer<const int>(args, GATHER_BUF_ORDER));
    return assay_launch_status();
}
