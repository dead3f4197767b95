/* One thread a particle, with whole lines read and written: the three components of a warp's
 * particles pass through shared memory. staged reads nodes from the fields. packed first stores the
 * values of each node in 32 bytes side by side, which pays where neighbouring threads read no nodes
 * in common. */
#include "gather_launch.h"
#include "gather_stage.cuh"

template <int WARPS, typename Load> static __global__ void GATHER_BOUNDS(WARPS)
    pic_gather_staged_kernel(gather_problem q, Load load)
{
    extern __shared__ __align__(16) float values[];
    const int          t    = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const float        mass = t < q.n ? __ldcs(q.mass + t) : 0.0f;
    const gather_stage s    = gather_stage_of(values, q.n);
    float              pos[3];

    gather_load_vector(s, q.pos, pos);
    const gather_result r = gather_particle(q, pos, mass, load);

    if (t < q.n)
        __stcs(q.new_heat + t, r.heat);
    gather_store_vector(s, r.pos, q.new_pos);
    gather_store_vector(s, r.vel, q.new_vel);
}

template <typename Load>
static int launch_staged(const assay_args *args, Load load, assay_stream stream)
{
    const gather_problem q     = gather_problem_of(args);
    const unsigned       block = static_cast<unsigned>(args->tune[GATHER_TUNE_BLOCK]);

    if (q.n == 0)
        return 0;
    return gather_launch_for(args->tune[GATHER_TUNE_WARPS], [&](auto warps) {
        pic_gather_staged_kernel<decltype(warps)::value, Load>
            <<<assay_blocks_for(q.n, block), block, 3 * block * sizeof(float), stream>>>(q, load);
        return assay_launch_status();
    });
}

ASSAY_LAUNCHER(thermo_gather_staged)
{
    const gather_problem q = gather_problem_of(args);

    return launch_staged(args, gather_from_fields { q.fields, q.phi }, stream);
}

/* ---- packed nodes ---- */

static __global__ void pic_pack_nodes(gather_problem q, gather_node *nodes)
{
    const int node = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (node >= q.cells)
        return;
    gather_pack(nodes + node, gather_from_fields { q.fields, q.phi }(node));
}

ASSAY_WORKSPACE(thermo_gather_packed_workspace)
{
    return static_cast<size_t>(args->count[GATHER_BUF_RHO]) * sizeof(gather_node);
}

ASSAY_LAUNCHER(thermo_gather_packed)
{
    const gather_problem q     = gather_problem_of(args);
    const unsigned       block = static_cast<unsigned>(args->tune[GATHER_TUNE_BLOCK]);
    gather_node         *nodes = static_cast<gather_node *>(args->workspace);

    pic_pack_nodes<<<assay_blocks_for(q.cells, block), block, 0, stream>>>(q, nodes);
    return launch_staged(args, gather_from_nodes { nodes }, stream);
}
