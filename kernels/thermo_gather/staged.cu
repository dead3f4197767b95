/* A thread a particle, with whole lines read and written: the three components of a warp's
 * particles pass through shared memory. staged reads nodes from the fields; packed first lays what
 * a node has into 32 bytes side by side, which pays where neighbouring threads have nothing in
 * common. */
#include "gather_launch.h"

enum {
    WARP        = 32,
    WARP_VALUES = 3 * WARP
};

/* The part of the block's shared memory that belongs to this warp, and its first particle. */
struct warp_stage {
    float  *values;
    int     lane;
    int64_t first;
};

static __device__ warp_stage stage_of(float *block_values)
{
    const int warp = static_cast<int>(threadIdx.x) / WARP;

    return { block_values + warp * WARP_VALUES, static_cast<int>(threadIdx.x) % WARP,
             (static_cast<int64_t>(blockIdx.x) * blockDim.x + warp * WARP) * 3 };
}

/* Every lane of the warp calls these, also one without a particle. */
static __device__ void load_vector(const warp_stage &s, const float *from, int64_t n, float v[3])
{
    for (int k = s.lane; k < WARP_VALUES; k += WARP)
        s.values[k] = s.first + k < n ? from[s.first + k] : 0.0f;
    __syncwarp();
    for (int d = 0; d < 3; d++)
        v[d] = s.values[3 * s.lane + d];
    __syncwarp();
}

static __device__ void store_vector(const warp_stage &s, const float v[3], int64_t n, float *to)
{
    for (int d = 0; d < 3; d++)
        s.values[3 * s.lane + d] = v[d];
    __syncwarp();
    for (int k = s.lane; k < WARP_VALUES; k += WARP)
        if (s.first + k < n)
            to[s.first + k] = s.values[k];
    __syncwarp();
}

template <typename Load>
static __global__ void pic_gather_staged_kernel(gather_problem q, Load load)
{
    ASSAY_SHARED_DYNAMIC(float, values);
    const int        t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int64_t    n = 3 * static_cast<int64_t>(q.n);
    const warp_stage s = stage_of(values);
    float            pos[3];
    gather_result    r = {};

    load_vector(s, q.pos, n, pos);
    if (t < q.n) {
        r             = gather_particle(q, pos, q.mass[t], load);
        q.new_heat[t] = r.heat;
    }
    store_vector(s, r.pos, n, q.new_pos);
    store_vector(s, r.vel, n, q.new_vel);
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
    const gather_node at = gather_from_fields { q.fields, q.phi }(node);
    float4           *to = reinterpret_cast<float4 *>(nodes + node);

    to[0] = make_float4(at.rho, at.mom[0], at.mom[1], at.mom[2]);
    to[1] = make_float4(at.e, at.phi, 0, 0);
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
