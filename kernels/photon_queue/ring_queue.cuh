/* What queues on the plain ring have in common. */
#ifndef PHOTON_QUEUE_RING_QUEUE_CUH
#define PHOTON_QUEUE_RING_QUEUE_CUH

#include "rest.cuh"

namespace queue
{

struct on_ring {
    typedef photon_ring   ring;
    static constexpr bool BY_BLOCK = false;

    static ring ring_of(const assay_args *args)
    {
        return photon_ring_in(args->workspace, args->param[QUEUE_PARAM_CAPACITY],
                              args->param[QUEUE_PARAM_WORDS]);
    }
    static __device__ void reset(const ring &ring, unsigned start, unsigned i, unsigned n)
    {
        photon_ring_reset(ring, start, i, n);
    }
    static __device__ bool has_room(const ring &ring, unsigned n)
    {
        return photon_n_items(ring) + n <= ring.capacity;
    }
    static __device__ bool has_items(const ring &ring, unsigned n)
    {
        return photon_n_items(ring) >= n;
    }
};

} // namespace queue

#endif
