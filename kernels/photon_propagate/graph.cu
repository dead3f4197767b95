/* graph: the stages of a call as one CUDA graph with a loop: initialise; then, while photons are
 * left, propagate, emit secondaries and swap the lists; then postprocess. The host reads no
 * counter. The host device has no graphs: this file is empty there. */
#include "resident.cuh"

#ifndef ASSAY_HOST_KERNELS

/* What the stages pass on to each other, in the workspace. */
struct graph_state {
    uint32_t n, n_next, n_spawned; /* in the list of this round, in the next list, to be emitted */
    uint32_t round;
};

struct graph_plan {
    photon_call  call;
    graph_state *state;
    uint32_t    *list[2];
    uint32_t    *spawned;
};

static graph_plan plan_of(const assay_args *args)
{
    graph_plan plan;

    plan.call    = photon_call_of(args, args->tune[1]);
    plan.state   = static_cast<graph_state *>(args->workspace);
    plan.list[0] = reinterpret_cast<uint32_t *>(plan.state + 1);
    plan.list[1] = plan.list[0] + plan.call.ends.photons;
    plan.spawned = plan.list[1] + plan.call.ends.photons;
    return plan;
}

ASSAY_WORKSPACE(photon_propagate_graph_workspace)
{
    return sizeof(graph_state) +
           3 * static_cast<size_t>(args->param[PROPAGATE_PARAM_PHOTONS]) * sizeof(uint32_t);
}

/* ---- stages */

static __global__ void graph_start_kernel(graph_plan plan)
{
    const graph_state first = { static_cast<uint32_t>(plan.call.ends.photons), 0, 0, 0 };

    *plan.state = first;
}

/* The first round has no list: it takes all photons in order. Whole warps stay for the lists. */
static __global__ void propagate_list_kernel(graph_plan plan)
{
    extern __shared__ __align__(16) float shared[];
    const photon_call                    &call  = plan.call;
    const photon_world                    world = photon_stage(call.world, shared);
    const uint32_t                        n = plan.state->n, round = plan.state->round;
    const uint32_t *const                 from  = plan.list[(round + 1) % 2];
    const uint32_t                        first = blockIdx.x * blockDim.x + threadIdx.x / 32 * 32;

    for (uint64_t at = first; at < n; at += gridDim.x * blockDim.x) {
        const uint32_t k       = static_cast<uint32_t>(at) + threadIdx.x % 32;
        const uint32_t i       = k < n && round > 0 ? from[k] : k;
        bool           goes_on = false, is_spawned = false;

        if (k < n) {
            photon_state p = photon_load(call.pages, i);

            if (!(p.flags & PHOTON_ENDED)) {
                photon_step(&world, &p);
                goes_on    = photon_conclude(call, i, &p);
                is_spawned = (p.flags & PHOTON_REEMIT) != 0;
                photon_store(call.pages, i, &p);
            }
        }
        photon_append(plan.list[round % 2], &plan.state->n_next, goes_on, i);
        photon_append(plan.spawned, &plan.state->n_spawned, is_spawned, i);
    }
}

/* Puts secondaries into the places of the photons that were absorbed, and into the list of the next
 * round. */
static __global__ void emit_secondary_kernel(graph_plan plan)
{
    const uint32_t n = plan.state->n_spawned, n_next = plan.state->n_next;

    for (uint64_t k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        const uint32_t     i = plan.spawned[k];
        const photon_state p = photon_load(plan.call.pages, i), s = photon_secondary(&p);

        photon_store(plan.call.pages, i, &s);
        plan.list[plan.state->round % 2][n_next + k] = i;
    }
}

/* The next list becomes the current one. The loop ends when no photons are left, or after the one
 * step. */
static __global__ void graph_turn_kernel(graph_plan plan, cudaGraphConditionalHandle loop)
{
    graph_state *const s = plan.state;

    s->n      = s->n_next + s->n_spawned;
    s->n_next = s->n_spawned = 0;
    s->round++;
    cudaGraphSetConditional(loop, plan.call.is_history && s->n > 0 ? 1u : 0u);
}

/* ---- building */

static cudaError_t add_kernel(cudaGraph_t graph, cudaGraphNode_t *node, void *function,
                              unsigned blocks, unsigned block, size_t shared, void **arguments)
{
    cudaKernelNodeParams  params   = {};
    const cudaGraphNode_t previous = *node;

    params.func           = function;
    params.gridDim        = dim3(blocks);
    params.blockDim       = dim3(block);
    params.sharedMemBytes = static_cast<unsigned>(shared);
    params.kernelParams   = arguments;
    return cudaGraphAddKernelNode(node, graph, previous ? &previous : nullptr, previous ? 1 : 0,
                                  &params);
}

/* One round. */
static cudaError_t add_round(cudaGraph_t body, graph_plan plan, unsigned block,
                             cudaGraphConditionalHandle loop)
{
    const size_t    shared = photon_staged_bytes(plan.call);
    const unsigned  wanted = assay_blocks_for(plan.call.ends.photons, block);
    const unsigned  blocks = photon_resident_blocks(propagate_list_kernel, block, shared, wanted);
    void           *arguments[] = { &plan, &loop };
    cudaGraphNode_t node        = nullptr;
    cudaError_t     error = add_kernel(body, &node, reinterpret_cast<void *>(propagate_list_kernel),
                                       blocks, block, shared, arguments);

    if (error == cudaSuccess)
        error = add_kernel(body, &node, reinterpret_cast<void *>(emit_secondary_kernel), blocks,
                           block, 0, arguments);
    if (error == cudaSuccess)
        error = add_kernel(body, &node, reinterpret_cast<void *>(graph_turn_kernel), 1, 1, 0,
                           arguments);
    return error;
}

/* Captures everything on a stream that is being captured. */
static int capture_into(const assay_args *args, cudaStream_t stream)
{
    const graph_plan           plan = plan_of(args);
    cudaGraphConditionalHandle loop = 0;
    cudaGraph_t                body = nullptr;
    cudaError_t                status;
    const int error = assay_allow_shared(propagate_list_kernel, photon_staged_bytes(plan.call));

    if (error != 0)
        return error;
    photon_launch_initialize(args, stream);
    graph_start_kernel<<<1, 1, 0, stream>>>(plan);
    status = assay_graph_add_loop(stream, &loop, &body);
    if (status == cudaSuccess)
        status = add_round(body, plan, static_cast<unsigned>(args->tune[0]), loop);
    if (status != cudaSuccess)
        return static_cast<int>(status);
    photon_launch_tally(args, stream);
    return assay_launch_status();
}

ASSAY_EXPORT int photon_propagate_graph_setup(const assay_args *args, void **state)
{
    return assay_graph_setup(state,
                             [=](assay_stream stream) { return capture_into(args, stream); });
}

ASSAY_EXPORT void photon_propagate_graph_teardown(void *state) { assay_graph_teardown(state); }

ASSAY_LAUNCHER(photon_propagate_graph)
{
    return assay_graph_launch(args->state, stream,
                              [=](assay_stream captured) { return capture_into(args, captured); });
}

#endif
