/* Allocates the queues of the resident kernels in the workspace, and fills them. */
#include "resident.cuh"

enum {
    BLOCK = 256
};

/* At least two warps: docs/photon_queue.md says why lanes that wait together need that. */
static int64_t capacity_of(const assay_args *args)
{
    int64_t capacity = 2 * PHOTON_WARP;

    while (capacity < args->param[PROPAGATE_PARAM_PHOTONS])
        capacity *= 2;
    return capacity;
}

/* A line of counters, two rings, and a list of all rows. */
size_t photon_queues_bytes(const assay_args *args)
{
    return PHOTON_LINE_WORDS * sizeof(unsigned) + 2 * photon_ring_bytes(capacity_of(args), 1) +
           static_cast<size_t>(args->count[PROPAGATE_BUF_END_FLAGS]) * sizeof(uint32_t);
}

photon_queues photon_queues_in(const assay_args *args)
{
    const int64_t capacity = capacity_of(args);
    const size_t  bytes    = photon_ring_bytes(capacity, 1);
    char *const rings = static_cast<char *>(args->workspace) + PHOTON_LINE_WORDS * sizeof(unsigned);
    photon_queues q;

    q.live       = static_cast<int *>(args->workspace);
    q.n_finished = static_cast<uint32_t *>(args->workspace) + 1;
    q.active     = photon_ring_in(rings, capacity, 1);
    q.spawn      = photon_ring_in(rings + bytes, capacity, 1);
    q.finished   = reinterpret_cast<uint32_t *>(rings + 2 * bytes);
    return q;
}

/* As if n producers had put their numbers into the active ring, each into its own slot. */
static __global__ void fill_kernel(photon_queues q, uint32_t photons)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

    photon_ring_reset(q.active, 0, i, n);
    photon_ring_reset(q.spawn, 0, i, n);
    for (unsigned k = i; k < photons; k += n) { /* slots that this thread has reset */
        q.active.words[k]    = k;
        q.active.sequence[k] = k + 1;
    }
    if (i == 0) {
        *q.active.tail    = photons;
        *q.active.n_items = static_cast<int>(photons);
        *q.active.n_room  = static_cast<int>(q.active.capacity - photons);
        *q.live           = static_cast<int>(photons);
        *q.n_finished     = 0;
    }
}

void photon_launch_fill(const photon_queues &queues, int64_t photons, assay_stream stream)
{
    const unsigned most   = 1056; /* blocks: as many as run at once, so that each has much to do */
    const unsigned blocks = assay_blocks_for(queues.active.capacity, BLOCK);

    fill_kernel<<<(blocks < most ? blocks : most), BLOCK, 0, stream>>>(
        queues, static_cast<uint32_t>(photons));
}
