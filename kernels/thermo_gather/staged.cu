/* A thread a particle, with whole lines read and written: the three components of a warp's
 * particles pass through shared memory. staged reads nodes from the fields; packed first lays what
 * a node has into 32 bytes side by side, which pays where neighbouring threads have nothing in
 * common. */
#include "gather_launch.h"
#include "gather_stage.cuh"

template <typename Load>
static __global__ void pic_gather_staged_kernel(gather_problem q, Load load)
{
    ASSAY_SHARED_DYNAMIC(float, values);
    const int          t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int64_t      n = 3 * static_cast<int64_t>(q.n);
    const gather_stage s = gather_stage_of(values);
    float              pos[3];
    gather_result      r = {};

    gather_load_vector(s, q.pos, n, pos);
    if (t < q.n) {
        r             = gather_particle(q, pos, q.mass[t], load);
        q.new_heat[t] = r.heat;
    }
    gather_store_vector(s, r.pos, n, q.new_pos);
    gather_store_vector(s, r.vel, n, q.new_vel);
}

template <typename Load>
static int launch_staged(const gather_problem &q, Load load, unsigned block, assay_stream stream)
{
    if (q.n == 0)
        return 0;
    ASSAY_LAUNCH((pic_gather_staged_kernel<Load>), gather_blocks(q.n, block), block,
                 3 * block * sizeof(float), stream, q, load);
    return assay_launch_status();
}

ASSAY_LAUNCHER(thermo_gather_staged)
{
    const gather_problem q = gather_problem_of(args);

    return launch_staged(q, gather_from_fields { q.fields, q.phi },
                         static_cast<unsigned>(args->tune[0]), stream);
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
    const unsigned       block = static_cast<unsigned>(args->tune[0]);
    gather_node         *nodes = static_cast<gather_node *>(args->workspace);

    ASSAY_LAUNCH(pic_pack_nodes, gather_blocks(q.cells, block), block, 0, stream, q, nodes);
    return launch_staged(q, gather_from_nodes { nodes }, block, stream);
}
