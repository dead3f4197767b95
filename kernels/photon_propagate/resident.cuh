/* What resident kernels share: queues of photons in device memory, claims on them, and the count
 * that tells that nothing is left. */
#ifndef PHOTON_RESIDENT_CUH
#define PHOTON_RESIDENT_CUH

#include "../photon/queue.cuh"
#include "propagate_launch.h"

/* Places of photons wait in two rings: active has those of the source and those that go on, spawn
 * has secondaries. Both rings have room for all, so that nobody waits for room. */
struct photon_queues {
    photon_ring active, spawn;
    uint32_t   *finished; /* rows of the photons that have ended, in that order */
    uint32_t   *n_finished;
    int        *live; /* injected + spawned - finished: at 0 nothing more comes */
};

size_t        photon_queues_bytes(const assay_args *args);
photon_queues photon_queues_in(const assay_args *args);

/* Fills the active queue with all places, in order. */
void photon_launch_fill(const photon_queues &queues, int64_t photons, assay_stream stream);

/* Blocks that can be resident at once, at most `wanted`. */
template <typename... P> inline unsigned
photon_resident_blocks(void (*kernel)(P...), unsigned block, size_t shared_bytes, unsigned wanted)
{
    int n_sms = 1, per_sm = 1;

    /* If this reports an error, the launch reports it as well. */
    (void)assay_resident_blocks(kernel, block, shared_bytes, &n_sms, &per_sm);
    const unsigned most = static_cast<unsigned>(n_sms * (per_sm > 0 ? per_sm : 1));

    return wanted < most ? wanted : most;
}

/* Four to eight seconds without work, depending on the device: a queue with a fault then ends. */
const long long PHOTON_PATIENCE_TICKS = 8000000000;

/* ---- claims: places that a warp has taken from a queue for its lanes, in shared memory. Their
 * slots are freed at once: a warp that held them could wait for itself when it puts something into
 * the ring. */

const uint32_t PHOTON_NO_PLACE = 0xffffffffu;

struct photon_claim {
    uint32_t *places;
    unsigned  n, taken; /* the same in all lanes */
};

/* As many items as leave some for all other warps, within limits. */
__device__ inline unsigned photon_fair_share(const photon_ring &ring, unsigned n_warps,
                                             unsigned chunk)
{
    const unsigned share = photon_n_items(ring) / (2 * n_warps);

    return share < PHOTON_WARP ? PHOTON_WARP : share < chunk ? share : chunk;
}

/* Tickets of one ring. */
struct photon_tickets {
    unsigned first, n, is_spawn;
};

/* Tickets of the active queue or, if that has nothing, of the spawn queue. One lane draws for its
 * warp. */
__device__ inline photon_tickets photon_draw_tickets(const photon_queues &q, unsigned n_warps,
                                                     unsigned chunk, photon_wait *wait)
{
    photon_tickets t = { 0, 0, 0 };

    t.n = photon_promise_items::of(q.active, photon_fair_share(q.active, n_warps, chunk), wait);
    if (t.n > 0) {
        t.first = photon_draw(q.active.head, t.n, wait);
        return t;
    }
    t.is_spawn = 1;
    t.n        = photon_promise_items::of(q.spawn, PHOTON_WARP, wait);
    if (t.n > 0)
        t.first = photon_draw(q.spawn.head, t.n, wait);
    return t;
}

/* Replaces a used-up claim by the tickets that lane 0 has drawn. Whole warps. */
__device__ inline void photon_claim_by(const photon_queues &q, photon_tickets t, photon_claim *c,
                                       photon_wait *wait)
{
    t.first                 = __shfl_sync(PHOTON_ALL_LANES, t.first, 0);
    t.n                     = __shfl_sync(PHOTON_ALL_LANES, t.n, 0);
    t.is_spawn              = __shfl_sync(PHOTON_ALL_LANES, t.is_spawn, 0);
    const photon_ring &ring = t.is_spawn != 0 ? q.spawn : q.active;

    __syncwarp(); /* nobody reads the old places any more */
    for (unsigned k = photon_lane(); k < t.n; k += PHOTON_WARP) {
        const bool is_there = photon_await_full(ring, t.first + k, wait);

        c->places[k] = is_there ? ring.words[photon_slot(ring, t.first + k)] : PHOTON_NO_PLACE;
        if (is_there)
            photon_free(ring, t.first + k);
    }
    /* The fence passes on to all lanes what the waiting lane has seen of the photons. */
    __threadfence();
    __syncwarp();
    c->n     = t.n;
    c->taken = 0;
}

/* Makes a new claim of up to `chunk` places. Whole warps. */
__device__ inline void photon_claim_more(const photon_queues &q, unsigned n_warps, unsigned chunk,
                                         photon_claim *c, photon_wait *wait)
{
    photon_tickets t = { 0, 0, 0 };

    if (photon_lane() == 0)
        t = photon_draw_tickets(q, n_warps, chunk, wait);
    photon_claim_by(q, t, c, wait);
}

/* Gives each lane that wants one the next place of the claim; false: there was none for it. Whole
 * warps. */
__device__ inline bool photon_take(photon_claim *c, bool wants, uint32_t *place)
{
    const unsigned wanting = __ballot_sync(PHOTON_ALL_LANES, wants);
    const unsigned rank    = static_cast<unsigned>(__popc(wanting & ((1u << photon_lane()) - 1u)));
    const unsigned n = static_cast<unsigned>(__popc(wanting)), at = c->taken + rank;

    c->taken = c->n - c->taken < n ? c->n : c->taken + n;
    if (!wants || at >= c->n || c->places[at] == PHOTON_NO_PLACE)
        return false;
    *place = c->places[at];
    return true;
}

/* Puts the places of the lanes that have one into a ring. A lane that takes a place sees what was
 * written before it was put there. Whole warps. */
__device__ inline void photon_put(const photon_ring &ring, bool has, uint32_t place,
                                  photon_wait *wait)
{
    const photon_warp_tickets t =
        photon_warp_draw<photon_promise_room>(ring, ring.tail, PHOTON_ALL_LANES, has, 1, wait);
    const unsigned ticket = t.first + t.rank;

    if (!has || t.rank >= t.n_granted || !photon_await_free(ring, ticket, wait))
        return;
    ring.words[photon_slot(ring, ticket)] = place;
    photon_publish(ring, ticket);
}

/* The row of a photon's record. */
__device__ inline uint32_t photon_row(const photon_call &call, uint32_t place,
                                      const photon_state *p)
{
    return (p->origin & 0xffu) * static_cast<uint32_t>(call.ends.photons) + place;
}

/* For a warp with nothing to do. Tells all others how many places its lanes have done. Returns
 * whether it may leave: nothing is left, or nothing has come for too long. */
__device__ inline bool photon_is_over(const photon_queues &q, int *n_done, photon_wait *wait)
{
    const int sum = __reduce_add_sync(PHOTON_ALL_LANES, *n_done);

    if (photon_lane() == 0 && sum > 0)
        assay_fetch_add_acq_rel(q.live, -sum);
    *n_done = 0;
    return __any_sync(PHOTON_ALL_LANES, assay_load_acquire(q.live) <= 0 || photon_is_late(wait)) !=
           0;
}

#endif
