/* Queues in which one lane draws for its warp: warp_aggregated, warp_broker. */
#include "ring_queue.cuh"

namespace
{

/* Waits for everything. Items of a warp lie side by side, so that its accesses do too. */
struct warp_aggregated : queue::on_ring {
    static constexpr bool ANSWERS = false;

    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const photon_warp_tickets t = photon_warp_draw<photon_promise_all>(
            ring, ring.tail, photon_lanes_present(), op.n > 0, most(op.n), wait);

        for (unsigned j = 0; j < op.n; j++)
            if (!queue::put_when_free(ring, what, t.first + j * t.n_lanes + t.rank,
                                      op.first + j * op.stride, wait))
                return j;
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const photon_warp_tickets t = photon_warp_draw<photon_promise_all>(
            ring, ring.head, photon_lanes_present(), op.n > 0, most(op.n), wait);

        for (unsigned j = 0; j < op.n; j++)
            if (!queue::take_when_full(ring, what, t.first + j * t.n_lanes + t.rank,
                                       op.first + j * op.stride, wait))
                return j;
        return op.n;
    }

  private:
    /* The number that the asking lanes ask for, which is the same for all of them; the others ask
     * for nothing. */
    static __device__ unsigned most(unsigned n)
    {
        return __reduce_max_sync(photon_lanes_present(), n);
    }
};

/* Answers at once. Lanes may have different numbers of items left, so items are asked for one by
 * one. */
struct warp_broker : queue::on_ring {
    static constexpr bool ANSWERS = true;

    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const unsigned present = photon_lanes_present();
        unsigned       n       = 0;

        while (__any_sync(present, n < op.n)) {
            const photon_warp_tickets t =
                photon_warp_draw<photon_promise_room>(ring, ring.tail, present, n < op.n, 1, wait);
            const bool asks = n < op.n;
            const bool moved =
                asks && t.rank < t.n_granted &&
                queue::put_when_free(ring, what, t.first + t.rank, op.first + n * op.stride, wait);

            n += moved;
            if (!__all_sync(present, moved || !asks))
                break;
        }
        return n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const unsigned present = photon_lanes_present();
        unsigned       n       = 0;

        while (__any_sync(present, n < op.n)) {
            const photon_warp_tickets t =
                photon_warp_draw<photon_promise_items>(ring, ring.head, present, n < op.n, 1, wait);
            const bool asks = n < op.n;
            const bool moved =
                asks && t.rank < t.n_granted &&
                queue::take_when_full(ring, what, t.first + t.rank, op.first + n * op.stride, wait);

            n += moved;
            if (!__all_sync(present, moved || !asks))
                break;
        }
        return n;
    }
};

} // namespace

ASSAY_LAUNCHER(photon_queue_warp_aggregated)
{
    return queue::launch<warp_aggregated>(args, stream);
}
ASSAY_LAUNCHER(photon_queue_warp_broker)
{
    return queue::launch<warp_broker>(args, stream, queue::LIMIT_TICKS,
                                      static_cast<unsigned>(args->tune[0]));
}
