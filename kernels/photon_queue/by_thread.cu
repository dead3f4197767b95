/* Queues in which every thread draws for itself: thread_cas, thread_faa, thread_faa_aggregated,
 * broker. */
#include "ring_queue.cuh"

namespace
{

/* ---- thread_cas: draws a ticket only for a slot that is ready, by compare and exchange */

struct cas_ring {
    photon_ring base;
    unsigned    nap_ns;
};

struct thread_cas {
    typedef cas_ring      ring;
    static constexpr bool ANSWERS  = true;
    static constexpr bool BY_BLOCK = false;

    static ring ring_of(const assay_args *args)
    {
        return ring { queue::on_ring::ring_of(args), static_cast<unsigned>(args->tune[0]) };
    }
    static __device__ void reset(const ring &ring, unsigned start, unsigned i, unsigned n)
    {
        photon_ring_reset(ring.base, start, i, n);
    }
    static __device__ bool     has_room(const ring &, unsigned) { return true; }
    static __device__ bool     has_items(const ring &, unsigned) { return true; }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const photon_ring &base = ring.base;
        unsigned           ticket;

        for (unsigned j = 0; j < op.n; j++) {
            const unsigned item = op.first + j * op.stride, first = what.items[item];

            if (!photon_draw_if_ready(base, base.tail, 0, ring.nap_ns, &ticket, wait))
                return j;
            queue::put(base, what, ticket, item, first);
            photon_publish(base, ticket);
        }
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const photon_ring &base = ring.base;
        unsigned           ticket;

        for (unsigned j = 0; j < op.n; j++) {
            if (!photon_draw_if_ready(base, base.head, 1, ring.nap_ns, &ticket, wait))
                return j;
            queue::take(base, what, ticket, op.first + j * op.stride);
            photon_free(base, ticket);
        }
        return op.n;
    }
};

/* ---- tickets by fetch-and-add, and a wait for each */

/* The compiler turns additions to one address into one atomic a warp. An address that seems to
 * depend on the lane prevents that. */
template <bool IS_BY_LANE> struct thread_faa : queue::on_ring {
    static constexpr bool ANSWERS = false;

    static __device__ unsigned draw(const ring &ring, unsigned *counter, unsigned n,
                                    photon_wait *wait)
    {
        return photon_draw(counter + (IS_BY_LANE ? ring.zeros[photon_lane()] : 0), n, wait);
    }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        if (op.n == 0)
            return 0;
        return queue::put_all(ring, what, op, draw(ring, ring.tail, op.n, wait), op.n, wait);
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        if (op.n == 0)
            return 0;
        return queue::take_all(ring, what, op, draw(ring, ring.head, op.n, wait), op.n, wait);
    }
};

/* ---- broker: counts in front of the ring answer at once; a thread may wait for what they
 * promise */

struct broker : queue::on_ring {
    static constexpr bool ANSWERS = true;

    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const unsigned n = op.n > 0 ? photon_promise_room::of(ring, op.n, wait) : 0;

        return n > 0 ? queue::put_all(ring, what, op, photon_draw(ring.tail, n, wait), n, wait) : 0;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const unsigned n = op.n > 0 ? photon_promise_items::of(ring, op.n, wait) : 0;

        return n > 0 ? queue::take_all(ring, what, op, photon_draw(ring.head, n, wait), n, wait)
                     : 0;
    }
};

} // namespace

ASSAY_WORKSPACE(photon_queue_ring_workspace)
{
    return photon_ring_bytes(args->param[QUEUE_PARAM_CAPACITY], args->param[QUEUE_PARAM_WORDS]);
}

ASSAY_LAUNCHER(photon_queue_thread_cas) { return queue::launch<thread_cas>(args, stream); }
ASSAY_LAUNCHER(photon_queue_thread_faa) { return queue::launch<thread_faa<true>>(args, stream); }
ASSAY_LAUNCHER(photon_queue_thread_faa_aggregated)
{
    return queue::launch<thread_faa<false>>(args, stream);
}
ASSAY_LAUNCHER(photon_queue_broker)
{
    return queue::launch<broker>(args, stream, queue::LIMIT_TICKS,
                                 static_cast<unsigned>(args->tune[0]));
}
