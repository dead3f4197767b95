/* The beginning and the end of a call, which all variants share. */
#include "propagate_launch.h"

enum {
    BLOCK         = 256,
    TALLY_SENSORS = 1024 /* counted in shared memory; the others directly in global memory */
};

photon_call photon_call_of(const assay_args *args, int64_t staged_nodes)
{
    const int64_t n_nodes = args->count[PROPAGATE_BUF_NODES] / 8;
    photon_call   call;

    call.world       = photon_world_of(args);
    call.world.n_top = static_cast<uint32_t>(staged_nodes < n_nodes ? staged_nodes : n_nodes);
    call.pages       = photon_pages_of(args);
    call.ends        = photon_ends_of(args);
    call.steps       = static_cast<uint32_t>(args->param[PROPAGATE_PARAM_STEPS]);
    call.is_history  = args->param[PROPAGATE_PARAM_IS_HISTORY] != 0;
    return call;
}

size_t photon_staged_bytes(const photon_call &call)
{
    return call.world.n_top * sizeof(photon_node) +
           sizeof(float) *
               (PHOTON_MEDIA * PHOTON_MEDIUM_SIZE + PHOTON_SURFACES * PHOTON_SURFACE_SIZE);
}

/* ---- initialise */

static __global__ void initialize_kernel(photon_pages pages, photon_ends ends, photon_source source,
                                         const float *weights, bool is_history, uint32_t *tally,
                                         int64_t n_tally)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < n_tally)
        tally[i] = 0;
    if (i >= ends.photons)
        return;
    for (int g = 0; g < PHOTON_GENERATIONS; g++)
        photon_clear_end(&ends, g * ends.photons + i);
    if (is_history) {
        const photon_state p = photon_of_source(&source, static_cast<uint32_t>(i));

        photon_store(pages, i, &p);
        *photon_weight(pages, i) = weights ? weights[i] : 1.0f;
    }
}

void photon_launch_initialize(const assay_args *args, assay_stream stream)
{
    const int64_t n_tally = args->count[PROPAGATE_BUF_TALLY];
    const int64_t photons = args->param[PROPAGATE_PARAM_PHOTONS];

    initialize_kernel<<<(assay_blocks_for(photons > n_tally ? photons : n_tally, BLOCK)), BLOCK, 0,
                        stream>>>(photon_pages_of(args), photon_ends_of(args),
                                  photon_source_of(args), photon_weights_of(args),
                                  args->param[PROPAGATE_PARAM_IS_HISTORY] != 0,
                                  static_cast<uint32_t *>(args->buf[PROPAGATE_BUF_TALLY]), n_tally);
}

/* ---- postprocess */

/* Counts kinds and the first sensors in shared memory, and adds these up at the end. */
static __global__ void tally_kernel(photon_ends ends, photon_row_list list, const uint32_t *faces,
                                    uint32_t *tally, uint32_t n_tally)
{
    __shared__ uint32_t count[PHOTON_TALLIES + TALLY_SENSORS];
    const uint32_t n_shared = min(n_tally, static_cast<uint32_t>(PHOTON_TALLIES + TALLY_SENSORS));
    const int64_t  step     = static_cast<int64_t>(gridDim.x) * blockDim.x;
    const int64_t  n        = list.rows ? static_cast<int64_t>(*list.n_rows) : ends.rows;

    for (uint32_t k = threadIdx.x; k < n_shared; k += blockDim.x)
        count[k] = 0;
    __syncthreads();
    for (int64_t k = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < n;
         k += step) {
        const int64_t  row   = list.rows ? static_cast<int64_t>(list.rows[k]) : k;
        const uint32_t flags = ends.flags[row];

        if (flags != 0)
            atomicAdd(&count[photon_tally_of(flags)], 1u);
        if (flags & PHOTON_SURFACE_DETECT) {
            const uint32_t sensor = faces[2 * static_cast<int64_t>(ends.face[row]) + 1];
            const uint32_t at     = PHOTON_TALLIES + sensor;

            if (sensor != PHOTON_NO_SENSOR) /* a mesh may detect where it names no sensor */
                atomicAdd(at < n_shared ? &count[at] : &tally[at], 1u);
        }
    }
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < n_shared; k += blockDim.x)
        if (count[k] > 0)
            atomicAdd(&tally[k], count[k]);
}

void photon_launch_tally(const assay_args *args, assay_stream stream, photon_row_list list)
{
    const photon_ends ends = photon_ends_of(args);
    const unsigned    most = 1056; /* blocks: as many as run at once, so that each has much to do */
    const unsigned    blocks = assay_blocks_for(ends.rows, 4 * BLOCK);

    tally_kernel<<<(blocks < most ? blocks : most), BLOCK, 0, stream>>>(
        ends, list, static_cast<const uint32_t *>(args->buf[PROPAGATE_BUF_FACES]),
        static_cast<uint32_t *>(args->buf[PROPAGATE_BUF_TALLY]),
        static_cast<uint32_t>(args->count[PROPAGATE_BUF_TALLY]));
}
