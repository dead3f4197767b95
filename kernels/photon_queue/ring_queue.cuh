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

/* ---- n tickets from one on, and a wait for each. A lane moves an item as soon as its slot is
 * ready, inside the loop that the lanes leave together: tickets of one warp may be laps apart, and
 * what one lane waits for may be what another one is about to do. */

static __device__ inline unsigned put_all(const photon_ring &ring, const work &what, const op &op,
                                          unsigned ticket, unsigned n, photon_wait *wait)
{
    const unsigned together = __activemask();
    unsigned       j        = 0;

    for (unsigned looks = 0; __any_sync(together, j < n && !wait->gave_up); looks++) {
        if (j == n || wait->gave_up)
            continue;
        if (assay_load_acquire(ring.sequence + photon_slot(ring, ticket + j)) == ticket + j) {
            const unsigned item = op.first + j * op.stride;

            put(ring, what, ticket + j, item, what.items[item]);
            photon_publish(ring, ticket + j);
            j++;
        } else if (!photon_is_late(wait)) {
            photon_nap(looks);
        }
    }
    return j;
}

static __device__ inline unsigned take_all(const photon_ring &ring, const work &what, const op &op,
                                           unsigned ticket, unsigned n, photon_wait *wait)
{
    const unsigned together = __activemask();
    unsigned       j        = 0;

    for (unsigned looks = 0; __any_sync(together, j < n && !wait->gave_up); looks++) {
        if (j == n || wait->gave_up)
            continue;
        if (assay_load_acquire(ring.sequence + photon_slot(ring, ticket + j)) == ticket + j + 1) {
            take(ring, what, ticket + j, op.first + j * op.stride);
            photon_free(ring, ticket + j);
            j++;
        } else if (!photon_is_late(wait)) {
            photon_nap(looks);
        }
    }
    return j;
}

} // namespace queue

#endif
