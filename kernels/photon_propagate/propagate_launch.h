/* What the launchers of photon_propagate share: tables and the top of the tree in shared memory,
 * and the beginning and the end of a call. */
#ifndef PROPAGATE_LAUNCH_H
#define PROPAGATE_LAUNCH_H

#include "photon_ends.h"

/* Everything that a kernel needs of a call. */
struct photon_call {
    photon_world world;
    photon_pages pages;
    photon_ends  ends;
    uint32_t     steps;      /* of each photon */
    bool         is_history; /* else one step, and states are kept */
};
photon_call photon_call_of(const assay_args *args, int64_t staged_nodes);

/* Initialise: clears ends and tallies; for a history, also sets the photons of the source. */
void photon_launch_initialize(const assay_args *args, assay_stream stream);

/* Rows of ends in the order in which they came, in device memory; without a list: all rows. */
struct photon_row_list {
    const uint32_t *rows, *n_rows;
};

/* Postprocess: the tally of all ends, or of those that are listed. */
void photon_launch_tally(const assay_args *args, assay_stream stream,
                         photon_row_list list = { nullptr, nullptr });

/* Bytes of dynamic shared memory that photon_stage fills. */
size_t photon_staged_bytes(const photon_call &call);

/* Copies the tables and the first nodes of the tree to shared memory. All threads of the block call
 * it. */
__device__ inline photon_world photon_stage(const photon_world &from, float *shared)
{
    const unsigned n_nodes = from.n_top * (sizeof(photon_node) / sizeof(float));
    const unsigned media   = PHOTON_MEDIA * PHOTON_MEDIUM_SIZE;
    const unsigned total   = n_nodes + media + PHOTON_SURFACES * PHOTON_SURFACE_SIZE;
    const float   *nodes   = reinterpret_cast<const float *>(from.nodes);
    photon_world   to      = from;

    for (unsigned k = threadIdx.x; k < total; k += blockDim.x)
        shared[k] = k < n_nodes           ? nodes[k]
                    : k < n_nodes + media ? from.media[k - n_nodes]
                                          : from.surfaces[k - n_nodes - media];
    __syncthreads();
    to.top      = reinterpret_cast<const photon_node *>(shared);
    to.media    = shared + n_nodes;
    to.surfaces = to.media + media;
    return to;
}

/* What follows a step of the photon in place i: records its end, if it has ended. Returns whether
 * it goes on. A photon that was re-emitted (PHOTON_REEMIT) leaves its place to a secondary. */
__device__ inline bool photon_conclude(const photon_call &call, uint32_t i, photon_state *p)
{
    if (call.is_history && !(p->flags & PHOTON_ENDED) && photon_is_spent(p, call.steps))
        p->flags |= PHOTON_OUT_OF_STEPS;
    if (!(p->flags & PHOTON_ENDED))
        return true;
    photon_end(&call.ends, call.pages, i, p);
    return false;
}

/* Adds one item of each lane that has one to a list, with one atomic a warp. All lanes call it; the
 * leader is the lowest lane that adds. */
__device__ inline void photon_append(uint32_t *list, uint32_t *count, bool has_item, uint32_t item)
{
    const unsigned lane   = threadIdx.x % 32;
    const unsigned adding = __ballot_sync(0xffffffffu, has_item);
    const int      leader = __ffs(static_cast<int>(adding)) - 1;
    unsigned       first  = 0;

    if (adding == 0)
        return;
    if (static_cast<int>(lane) == leader)
        first = atomicAdd(count, static_cast<uint32_t>(__popc(adding)));
    first = __shfl_sync(0xffffffffu, first, leader);
    if (has_item)
        list[first + static_cast<unsigned>(__popc(adding & ((1u << lane) - 1u)))] = item;
}

#endif
