/* persistent_specialised: as persistent, but the warps of a block share the work by kind. Some walk
 * the tree, the others do everything else. Photons are handed over in slots in shared memory, and
 * rings there hold the numbers of the slots that wait. A warp does one thing at a time, for all
 * photons that are ready for it. */
#include "resident.cuh"

enum {
    STAGED_NODES = 512, /* nodes of the tree, in shared memory beside the slots */
    GATHER_POLLS = 8    /* looks at a ring before fewer slots than a warp are taken from it */
};

/* Slots of a block. The number of a slot is in one ring, or held by the warp that works on it. */
struct exchange {
    photon_state *state; /* [n_slots]; 17 words: lanes in a row have no bank conflict */
    photon_hit   *hit;
    uint32_t     *place;
    uint32_t     *claimed; /* [32] for each warp */
    photon_ring   vacant, to_trace, to_respond;
    unsigned      n_slots;
};

static inline size_t exchange_bytes(unsigned n_slots, unsigned block)
{
    return 3 * photon_ring_bytes(n_slots, 1) +
           n_slots * (sizeof(photon_state) + sizeof(photon_hit) + sizeof(uint32_t)) +
           block * sizeof(uint32_t);
}

/* A ring whose slots hold one word, at a place in shared memory. */
static __device__ inline photon_ring shared_ring(char *at, unsigned capacity)
{
    unsigned *const words = reinterpret_cast<unsigned *>(at);
    photon_ring     ring;

    ring.tail     = words;
    ring.head     = words + PHOTON_LINE_WORDS;
    ring.n_items  = reinterpret_cast<int *>(words + 2 * PHOTON_LINE_WORDS);
    ring.n_room   = ring.n_items + 1;
    ring.zeros    = words + 3 * PHOTON_LINE_WORDS;
    ring.sequence = words + 4 * PHOTON_LINE_WORDS;
    ring.words    = ring.sequence + capacity;
    ring.capacity = capacity;
    ring.n_words  = 1;
    return ring;
}

/* Lays the exchange out in shared memory, after what is staged there. Everything in it is a
 * multiple of 4 bytes. */
static __device__ inline exchange exchange_in(char *at, unsigned n_slots)
{
    const size_t ring = sizeof(unsigned) * (4 * PHOTON_LINE_WORDS + 2 * n_slots);
    exchange     x;

    x.n_slots    = n_slots;
    x.vacant     = shared_ring(at, n_slots);
    x.to_trace   = shared_ring(at + ring, n_slots);
    x.to_respond = shared_ring(at + 2 * ring, n_slots);
    x.hit        = reinterpret_cast<photon_hit *>(at + 3 * ring);
    x.state      = reinterpret_cast<photon_state *>(x.hit + n_slots);
    x.place      = reinterpret_cast<uint32_t *>(x.state + n_slots);
    x.claimed    = x.place + n_slots;
    return x;
}

/* Makes all slots vacant. Whole blocks call it. */
static __device__ inline void reset_exchange(const exchange &x)
{
    photon_ring_reset(x.vacant, 0, threadIdx.x, blockDim.x);
    photon_ring_reset(x.to_trace, 0, threadIdx.x, blockDim.x);
    photon_ring_reset(x.to_respond, 0, threadIdx.x, blockDim.x);
    for (unsigned s = threadIdx.x; s < x.n_slots; s += blockDim.x) {
        x.vacant.words[s]    = s;
        x.vacant.sequence[s] = s + 1;
    }
    if (threadIdx.x == 0) {
        *x.vacant.tail    = x.n_slots;
        *x.vacant.n_items = static_cast<int>(x.n_slots);
        *x.vacant.n_room  = 0;
    }
    __syncthreads();
}

/* Takes a slot for each lane that wants one, as long as there are any; false: this lane got
 * none. */
static __device__ inline bool take_slot(const photon_ring &ring, bool wants, uint32_t *slot,
                                        photon_wait *wait)
{
    const photon_warp_tickets t =
        photon_warp_draw<photon_promise_items>(ring, ring.head, PHOTON_ALL_LANES, wants, 1, wait);
    const unsigned ticket = t.first + t.rank;

    if (!wants || t.rank >= t.n_granted || !photon_await_full(ring, ticket, wait))
        return false;
    *slot = ring.words[photon_slot(ring, ticket)];
    photon_free(ring, ticket);
    return true;
}

/* Pauses so that others can fill a warp. */
static __device__ inline void gather(const photon_ring &ring)
{
    for (int k = 0; k < GATHER_POLLS; k++) {
        const unsigned n = __shfl_sync(PHOTON_ALL_LANES, photon_n_items(ring), 0);

        if (n == 0 || n >= PHOTON_WARP)
            return;
        __nanosleep(50);
    }
}

/* ---- walking the tree */

static __device__ inline bool trace_some(const photon_world &world, const exchange &x,
                                         photon_wait *wait)
{
    uint32_t slot = 0;

    gather(x.to_trace);
    const bool has_slot = take_slot(x.to_trace, true, &slot, wait);

    if (has_slot)
        x.hit[slot] = photon_trace(&world, &x.state[slot]);
    photon_put(x.to_respond, has_slot, slot, wait);
    return __any_sync(PHOTON_ALL_LANES, has_slot) != 0;
}

/* ---- everything else */

/* The state of a lane of a warp that responds. */
struct response {
    photon_state p;
    uint32_t     slot, place;
    bool         has_slot, has_photon;
    int          n_done; /* places */
};

/* The part of a step after the tree: records an end, and puts a secondary into its queue. Whole
 * warps. */
static __device__ inline void respond(const photon_call &call, const photon_world &world,
                                      const photon_queues &q, const exchange &x, response *r,
                                      photon_wait *wait)
{
    bool     goes_on = false, is_spawned = false;
    uint32_t row = 0;

    if (r->has_photon) {
        r->p     = x.state[r->slot];
        r->place = x.place[r->slot];
        if (!(r->p.flags & PHOTON_ENDED))
            photon_finish(&world, &x.hit[r->slot], &r->p);
        goes_on    = photon_conclude(call, r->place, &r->p);
        is_spawned = (r->p.flags & PHOTON_REEMIT) != 0;
        row        = photon_row(call, r->place, &r->p);
        if (is_spawned)
            r->p = photon_secondary(&r->p);
        if (is_spawned || !call.is_history)
            photon_store(call.pages, r->place, &r->p);
        r->n_done += call.is_history ? !goes_on && !is_spawned : 1;
    }
    photon_append(q.finished, q.n_finished, r->has_photon && !goes_on, row);
    if (call.is_history)
        photon_put(q.spawn, is_spawned, r->place, wait);
    r->has_photon = goes_on && call.is_history;
}

/* Takes a photon for each slot without one. Whole warps. */
static __device__ inline void refill(const photon_call &call, const photon_queues &q,
                                     photon_claim *claim, response *r, photon_wait *wait)
{
    const bool wants = r->has_slot && !r->has_photon;

    if (!__any_sync(PHOTON_ALL_LANES, wants))
        return;
    if (claim->taken == claim->n)
        photon_claim_more(q, gridDim.x * blockDim.x / PHOTON_WARP, PHOTON_WARP, claim, wait);
    if (!photon_take(claim, wants, &r->place))
        return;
    r->p          = photon_load(call.pages, r->place);
    r->has_photon = !(r->p.flags & PHOTON_ENDED);
    r->n_done += !r->has_photon;
}

/* Slots with a photon go to the tree; if the photon ends before that, straight back; slots without
 * one become vacant. */
static __device__ inline void hand_on(const photon_world &world, const exchange &x, response *r,
                                      photon_wait *wait)
{
    bool is_sound = false;

    if (r->has_photon) {
        is_sound         = photon_begin(&world, &r->p) != 0;
        x.state[r->slot] = r->p;
        x.place[r->slot] = r->place;
    }
    photon_put(x.to_trace, is_sound, r->slot, wait);
    photon_put(x.to_respond, r->has_photon && !is_sound, r->slot, wait);
    photon_put(x.vacant, r->has_slot && !r->has_photon, r->slot, wait);
}

static __device__ inline bool respond_some(const photon_call &call, const photon_world &world,
                                           const photon_queues &q, const exchange &x,
                                           photon_claim *claim, response *r, photon_wait *wait)
{
    gather(x.to_respond);
    r->has_slot = r->has_photon = take_slot(x.to_respond, true, &r->slot, wait);
    respond(call, world, q, x, r, wait);
    if (!r->has_slot)
        r->has_photon = false;
    /* Lanes without a slot take vacant ones. None of these is lost: they are put back. */
    if (take_slot(x.vacant, !r->has_slot, &r->slot, wait))
        r->has_slot = true;
    refill(call, q, claim, r, wait);
    const bool is_busy = __any_sync(PHOTON_ALL_LANES, r->has_photon) != 0;

    hand_on(world, x, r, wait);
    return is_busy;
}

/* ---- the kernel */

/* So few registers that three blocks of 256 threads fit on a multiprocessor. */
static __global__ void __maxnreg__(80)
    propagate_specialised_kernel(photon_call call, photon_queues q, unsigned n_slots,
                                 unsigned n_tracing, size_t staged_bytes)
{
    extern __shared__ __align__(16) float shared[];
    const photon_world                    world = photon_stage(call.world, shared);
    const exchange x = exchange_in(reinterpret_cast<char *>(shared) + staged_bytes, n_slots);
    const bool     is_tracing = threadIdx.x / PHOTON_WARP < n_tracing;
    photon_wait    wait       = photon_wait_until(clock64() + PHOTON_PATIENCE_TICKS);
    photon_claim   claim      = { x.claimed + threadIdx.x / PHOTON_WARP * PHOTON_WARP, 0, 0 };
    response       r          = {};

    reset_exchange(x);
    for (;;) {
        const bool is_busy = is_tracing ? trace_some(world, x, &wait)
                                        : respond_some(call, world, q, x, &claim, &r, &wait);

        if (is_busy) {
            wait.deadline = clock64() + PHOTON_PATIENCE_TICKS;
            continue;
        }
        if (photon_is_over(q, &r.n_done, &wait))
            return;
        __nanosleep(100);
    }
}

ASSAY_WORKSPACE(photon_propagate_specialised_workspace) { return photon_queues_bytes(args); }

ASSAY_LAUNCHER(photon_propagate_specialised)
{
    const photon_call   call      = photon_call_of(args, STAGED_NODES);
    const photon_queues q         = photon_queues_in(args);
    const unsigned      block     = static_cast<unsigned>(args->tune[0]);
    const unsigned      n_slots   = static_cast<unsigned>(args->tune[1]);
    const unsigned      n_warps   = block / PHOTON_WARP;
    const unsigned      n_tracing = n_warps * static_cast<unsigned>(args->tune[2]) / 8;
    const size_t        shared    = photon_staged_bytes(call) + exchange_bytes(n_slots, block);
    const int           error     = assay_allow_shared(propagate_specialised_kernel, shared);
    const unsigned      blocks = photon_resident_blocks(propagate_specialised_kernel, block, shared,
                                                        assay_blocks_for(call.ends.photons, n_slots));

    photon_launch_initialize(args, stream);
    photon_launch_fill(q, call.ends.photons, stream);
    assay_launch_co_resident(propagate_specialised_kernel, blocks, block, shared, stream, call, q,
                             n_slots, n_tracing, photon_staged_bytes(call));
    photon_launch_tally(args, stream, { q.finished, q.n_finished });
    return error != 0 ? error : assay_launch_status();
}
