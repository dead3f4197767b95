/* How warps of the resident kernel get photons, and how an event knows that it has ended. */
#ifndef SESSION_WORK_CUH
#define SESSION_WORK_CUH

#include "../photon_propagate/resident.cuh"
#include "session_mail.h"

enum : unsigned {
    SESSION_CHUNK = 128, /* photons that a warp claims at most */
};

/* What a warp has claimed: places of photons that go on, or new ones of a source. */
struct session_claim {
    photon_claim at;
    bool         is_source;
};

/* What lane 0 draws for a claim: items of a ring, or photons of the source of an event. */
struct session_draw {
    photon_tickets t;
    unsigned       is_source, slot;
};

/* A lane: its photon, or the place of one that has ended and whose event does not know it yet. */
struct session_lane {
    photon_state p;
    uint32_t     place, left; /* left: steps of the budget */
    bool         has_photon, is_done, is_dropped;
};

/* ---- claims: lane 0 */

static __device__ inline unsigned session_share(unsigned n, unsigned n_warps)
{
    const unsigned share = n / (2 * n_warps);

    return share < PHOTON_WARP ? PHOTON_WARP : share < SESSION_CHUNK ? share : SESSION_CHUNK;
}

static __device__ inline bool draw_from_ring(const photon_ring &ring, unsigned n_warps,
                                             photon_tickets *t, photon_wait *wait)
{
    t->n = photon_promise_items::of(ring, photon_fair_share(ring, n_warps, SESSION_CHUNK), wait);
    if (t->n == 0)
        return false;
    t->first = photon_draw(ring.head, t->n, wait);
    return true;
}

/* Claims from the first event that has photons left to claim. Claims and their limit are one word:
 * a slow lane that finds another event in the slot claims from that one. */
static __device__ inline bool draw_from_source(const session_launch &s, unsigned n_warps,
                                               session_draw *d)
{
    for (;;) {
        uint32_t current = assay_load_relaxed(&s.control->current);
        uint64_t word;

        /* A relaxed look comes first: an acquire empties the cache of the whole SM, and idle warps
         * look often. */
        if (current == assay_load_relaxed(&s.control->n_admitted) ||
            current == assay_load_acquire(&s.control->n_admitted))
            return false;
        d->slot = assay_load_relaxed(&s.control->slot_of[current % SESSION_SLOTS]);
        word    = assay_load_relaxed(&s.events[d->slot].source);
        if (static_cast<uint32_t>(word) < word >> 32) {
            const uint32_t left = static_cast<uint32_t>(word >> 32) - static_cast<uint32_t>(word);
            const unsigned n    = session_share(left, n_warps);

            word = assay_fetch_add_acq_rel(&s.events[d->slot].source, static_cast<uint64_t>(n));
            if (static_cast<uint32_t>(word) < word >> 32) {
                d->t.first = static_cast<uint32_t>(word);
                d->t.n     = min(n, static_cast<uint32_t>(word >> 32) - d->t.first);
                return true;
            }
        }
        (void)assay_compare_exchange_acq_rel(&s.control->current, &current, current + 1);
    }
}

/* Secondaries come first if many wait, then photons that go on, then new ones, then the rest.
 * Nothing is taken from spawn_queue if its photons go by way of active_photons. */
static __device__ inline session_draw draw_some(const session_launch &s, const photon_queues &q,
                                                photon_wait *wait)
{
    const unsigned n_warps = gridDim.x * blockDim.x / PHOTON_WARP;
    session_draw   d       = { { 0, 0, 1 }, 0, 0 };

    if (photon_n_items(q.spawn) >= s.spawn_depth && draw_from_ring(q.spawn, n_warps, &d.t, wait))
        return d;
    d.t.is_spawn = 0;
    if (draw_from_ring(q.active, n_warps, &d.t, wait))
        return d;
    d.is_source = draw_from_source(s, n_warps, &d);
    if (!d.is_source && s.compact_below == 0)
        d.t.is_spawn = draw_from_ring(q.spawn, n_warps, &d.t, wait);
    return d;
}

/* Fills the claim with places of a source that lane 0 has claimed. Whole warps. */
static __device__ inline void claim_source(const session_launch &s, session_draw d, photon_claim *c)
{
    d.t.first = __shfl_sync(PHOTON_ALL_LANES, d.t.first, 0);
    d.t.n     = __shfl_sync(PHOTON_ALL_LANES, d.t.n, 0);
    d.slot    = __shfl_sync(PHOTON_ALL_LANES, d.slot, 0);
    __syncwarp(); /* nobody reads the old places; lane 0 passes on what it acquired */
    for (unsigned k = photon_lane(); k < d.t.n; k += PHOTON_WARP)
        c->places[k] = d.slot << s.log2_places | (d.t.first + k);
    __syncwarp();
    c->n     = d.t.n;
    c->taken = 0;
}

/* compact by occupancy: if too few warps are at work, a warp that comes for more first moves some
 * photons from spawn_queue to active_photons. Whole warps, whose claim is used up before and
 * after. */
static __device__ inline void session_rebalance(const session_launch &s, const photon_queues &q,
                                                photon_claim *c, photon_wait *wait)
{
    photon_tickets t = { 0, 0, 1 };

    if (photon_lane() == 0 && assay_load_relaxed(&s.control->is_sparse) != 0)
        (void)draw_from_ring(q.spawn, gridDim.x * blockDim.x / PHOTON_WARP, &t, wait);
    if (__shfl_sync(PHOTON_ALL_LANES, t.n, 0) == 0)
        return;
    photon_claim_by(q, t, c, wait);
    while (c->taken < c->n) {
        uint32_t   place = 0;
        const bool has   = photon_take(c, true, &place);

        photon_put(q.active, has, place, wait);
    }
}

/* Replaces a claim that is used up; false: the kernel is to end. Whole warps. */
static __device__ inline bool session_claim_more(const session_launch &s, const photon_queues &q,
                                                 session_claim *c, photon_wait *wait)
{
    enum : unsigned {
        NOTHING,
        SOURCE,
        RING,
        STOP
    };
    session_draw d    = { { 0, 0, 0 }, 0, 0 };
    unsigned     what = STOP;

    if (s.compact_below > 0)
        session_rebalance(s, q, &c->at, wait);
    if (photon_lane() == 0 && assay_load_relaxed(&s.control->must_stop) == 0) {
        d    = draw_some(s, q, wait);
        what = d.is_source ? SOURCE : d.t.n > 0 ? RING : NOTHING;
    }
    what         = __shfl_sync(PHOTON_ALL_LANES, what, 0);
    c->is_source = what == SOURCE;
    if (what == SOURCE)
        claim_source(s, d, &c->at);
    if (what == RING)
        photon_claim_by(q, d.t, &c->at, wait);
    return what != STOP;
}

/* ---- postprocess: tallies as photons end, and the event's end */

/* One atomic for each event and kind in the warp; sensors one by one. Whole warps; `ending`: the
 * lanes whose photon has ended. */
static __device__ inline void session_tally(const session_launch &s, const session_lane *lane,
                                            unsigned ending, int kind, uint32_t sensor)
{
    if ((ending >> photon_lane() & 1u) != 0) {
        const unsigned  slot  = lane->place >> s.log2_places;
        uint32_t *const tally = s.tallies + static_cast<size_t>(slot) * s.n_tally;
        const unsigned  same =
            __match_any_sync(ending, slot * PHOTON_TALLIES + static_cast<unsigned>(kind));

        if (static_cast<int>(photon_lane()) == __ffs(static_cast<int>(same)) - 1)
            atomicAdd(&tally[kind], static_cast<uint32_t>(__popc(same)));
        if (kind == PHOTON_TALLY_DETECT)
            atomicAdd(&tally[PHOTON_TALLIES + sensor], 1u);
    }
    __syncwarp(); /* the next lane that publishes also publishes the others' tally */
}

/* The last photon has ended: sends the tally to the host, and the notice. Whole warps. */
static __device__ inline void session_complete(const session_launch &s, unsigned slot)
{
    session_event *const  e     = s.events + slot;
    session_notice *const n     = s.mail->notice + slot;
    const uint32_t *const tally = s.tallies + static_cast<size_t>(slot) * s.n_tally;

    __syncwarp(); /* passes on what the lane that counted the last photon acquired */
    for (unsigned k = photon_lane(); k < s.n_tally; k += PHOTON_WARP)
        e->order.tally[k] = assay_load_relaxed(&tally[k]);
    __syncwarp();
    if (photon_lane() != 0)
        return;
    n->n_spawned   = assay_load_relaxed(&tally[PHOTON_TALLY_REEMIT]);
    n->n_dropped   = assay_load_relaxed(&e->n_dropped);
    n->admitted_ns = e->admitted_ns;
    n->ended_ns    = assay_global_time_ns();
    assay_store_release_system(&n->done, e->order.ticket + 1);
}

/* Tells the events of all lanes what is done, and ends events whose last photon that was. Whole
 * warps. */
static __device__ inline void session_settle(const session_launch &s, session_lane *lane)
{
    const unsigned done    = __ballot_sync(PHOTON_ALL_LANES, lane->is_done);
    const unsigned dropped = __ballot_sync(PHOTON_ALL_LANES, lane->is_dropped);
    const unsigned slot    = lane->place >> s.log2_places;
    bool           ends    = false;

    if (done == 0)
        return;
    if (lane->is_done) {
        const unsigned       same = __match_any_sync(done, slot);
        const int            n    = __popc(same);
        session_event *const e    = s.events + slot;

        if (static_cast<int>(photon_lane()) == __ffs(static_cast<int>(same)) - 1) {
            if ((same & dropped) != 0)
                assay_fetch_add_relaxed(&e->n_dropped,
                                        static_cast<uint32_t>(__popc(same & dropped)));
            ends = assay_fetch_add_acq_rel(&e->live, -n) == n;
        }
        lane->is_done = lane->is_dropped = false;
    }
    for (unsigned ending = __ballot_sync(PHOTON_ALL_LANES, ends); ending; ending &= ending - 1)
        session_complete(s,
                         __shfl_sync(PHOTON_ALL_LANES, slot, __ffs(static_cast<int>(ending)) - 1));
}

/* ---- stages of a warp's work: lane 0 reads the SM's clock where a stage ends, after all lanes
 * have arrived there. Its counts are in shared memory, since registers are short. */

struct session_stages {
    uint64_t cycles[PHOTON_STAGES]; /* since the work began */
    uint64_t begun, last;           /* the clock then, and at the end of the previous stage */
};

/* Call before a warp that is not at work looks for work. */
static __device__ inline void session_begin_stages(session_stages *stages)
{
    if (photon_lane() != 0)
        return;
    for (int stage = 0; stage < PHOTON_STAGES; stage++)
        stages->cycles[stage] = 0;
    stages->begun = stages->last = static_cast<uint64_t>(clock64());
}

static __device__ inline void session_end_stage(session_stages *stages, photon_session_stage stage)
{
    if (photon_lane() != 0)
        return;
    const uint64_t now = static_cast<uint64_t>(clock64());

    stages->cycles[stage] += now - stages->last;
    stages->last = now;
}

/* ---- clocks of an SM: updated by lane 0 of a warp that begins or ends work. They are sums of
 * differences, so that the order of the warps does not matter. */

static __device__ inline session_clock *session_clock_here(const session_launch &s)
{
#ifndef ASSAY_HOST_KERNELS
    unsigned sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
#else
    const unsigned sm = blockIdx.x;
#endif
    return s.clocks + sm % SESSION_SMS;
}

/* Since the kernel began. */
static __device__ inline uint64_t session_time_ns(const session_launch &s)
{
    return assay_global_time_ns() - assay_load_relaxed(&s.control->begun_ns);
}

static __device__ inline void session_begin_work(const session_launch &s)
{
    session_clock *const c   = session_clock_here(s);
    const uint64_t       now = session_time_ns(s);

    if (assay_fetch_add_relaxed(&c->n_busy, 1u) == 0)
        assay_fetch_add_relaxed(&c->sm_ns, uint64_t { 0 } - now);
    assay_fetch_add_relaxed(&c->warp_ns, uint64_t { 0 } - now);
}

static __device__ inline void session_end_work(const session_launch &s,
                                               const session_stages &stages, uint64_t n_steps,
                                               uint64_t n_lanes)
{
    session_clock *const c   = session_clock_here(s);
    const uint64_t       now = session_time_ns(s);

    assay_fetch_add_relaxed(&c->warp_ns, now);
    assay_fetch_add_relaxed(&c->n_steps, n_steps);
    assay_fetch_add_relaxed(&c->n_lanes, n_lanes);
    assay_fetch_add_relaxed(&c->work_cycles, static_cast<uint64_t>(clock64()) - stages.begun);
    for (int stage = 0; stage < PHOTON_STAGES; stage++)
        assay_fetch_add_relaxed(&c->stage_cycles[stage], stages.cycles[stage]);
    if (assay_fetch_add_relaxed(&c->n_busy, ~0u) == 1)
        assay_fetch_add_relaxed(&c->sm_ns, now);
}

#endif
