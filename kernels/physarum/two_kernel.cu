/* two_kernel: the article's split. One kernel senses, turns and moves, another deposits; blur,
 * blend and decay are a kernel each. */
#include "physarum_device.cuh"

enum {
    UPDATE_BLOCK = 256
};

ASSAY_WORKSPACE(physarum_two_kernel_workspace)
{
    return 2 * sizeof(float) * static_cast<size_t>(args->count[PHYSARUM_BUF_FIELD]);
}

template <int S>
static __global__ void pheromone_deposit_kernel(physarum_grid g, const float2 *pos, float *field)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < g.agents)
        atomicAdd(field + physarum_deposit_at<S>(g, pos[i]), g.deposit);
}

/* ---- blur, blend, decay */

static __device__ int thread_cell(void)
{
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

template <bool TORUS>
static __global__ void blur_kernel(physarum_grid g, const float *field, float *mean)
{
    const int cell = thread_cell(), y = cell / g.width, x = cell % g.width, radius = g.blur / 2;
    float     sum = 0.0f;

    if (cell >= g.height * g.width)
        return;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            const int row    = TORUS ? (y + dy + 2 * g.height) % g.height : y + dy;
            const int column = TORUS ? (x + dx + 2 * g.width) % g.width : x + dx;

            if (row >= 0 && row < g.height && column >= 0 && column < g.width)
                sum += g.share * field[row * g.width + column];
        }
    }
    mean[cell] = sum;
}

static __global__ void blend_kernel(physarum_grid g, const float *field, const float *mean,
                                    float *out)
{
    const int cell = thread_cell();

    if (cell < g.height * g.width)
        out[cell] = g.keep * field[cell] + g.blend * mean[cell];
}

static __global__ void decay_kernel(physarum_grid g, float *field)
{
    const int cell = thread_cell();

    if (cell < g.height * g.width)
        field[cell] *= g.remain;
}

/* ---- a step */

static void deposit(const physarum_grid &g, const float2 *pos, float *field, unsigned block,
                    assay_stream stream)
{
    const unsigned blocks = assay_blocks_for(g.agents, block);

    if (g.agents == 0)
        return;
    if (g.semantics == PHYSARUM_TRITON)
        pheromone_deposit_kernel<PHYSARUM_TRITON><<<blocks, block, 0, stream>>>(g, pos, field);
    else
        pheromone_deposit_kernel<PHYSARUM_CANONICAL><<<blocks, block, 0, stream>>>(g, pos, field);
}

static void update(const physarum_grid &g, const float *field, float *mean, float *out,
                   assay_stream stream)
{
    const unsigned block  = UPDATE_BLOCK;
    const unsigned blocks = assay_blocks_for(static_cast<int64_t>(g.height) * g.width, block);

    if (g.semantics == PHYSARUM_CANONICAL)
        blur_kernel<true><<<blocks, block, 0, stream>>>(g, field, mean);
    else
        blur_kernel<false><<<blocks, block, 0, stream>>>(g, field, mean);
    blend_kernel<<<blocks, block, 0, stream>>>(g, field, mean, out);
    decay_kernel<<<blocks, block, 0, stream>>>(g, out);
}

/* Deposits go into the field that was sensed. They go into a copy only where the call has to leave
 * the field as it was: for its input, and for the state before its last step. */
ASSAY_LAUNCHER(physarum_two_kernel)
{
    const physarum_grid g     = physarum_grid_of(args);
    const int64_t       cells = args->count[PHYSARUM_BUF_FIELD];
    const int64_t       steps = args->param[PHYSARUM_PARAM_STEPS];
    const unsigned      block = static_cast<unsigned>(args->tune[0]);
    float *const        spare = static_cast<float *>(args->workspace);
    float *const        mean  = spare + cells;

    physarum_keep_input(args, stream);
    for (int64_t j = 0; j < steps; j++) {
        const physarum_slot from = physarum_slot_of(args, j), to = physarum_slot_of(args, j + 1);
        const bool          is_kept = j == 0 || j + 1 == steps;
        float *const        field   = is_kept ? spare : from.field;

        physarum_launch_agents(g, from, to, nullptr, block, stream);
        if (is_kept)
            physarum_copy(spare, from.field, cells, stream);
        deposit(g, to.pos, field, block, stream);
        update(g, field, mean, to.field, stream);
    }
    return assay_launch_status();
}
