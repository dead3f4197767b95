/* The one warp of the resident kernel that talks with the host: it takes orders, checks that the
 * host is there, and samples. */
#ifndef SESSION_SERVICE_CUH
#define SESSION_SERVICE_CUH

#include "session_parts.cuh"

struct session_service_state {
    uint32_t submitted, upper; /* the bell at the last look */
    uint32_t host_beat, device_beat;
    uint64_t heard_ns, beat_ns, sample_ns;
    bool     is_sparse;
};

const uint64_t SESSION_BEAT_NS = 1000000;

/* ingest: turns an order into an event that warps may claim from. What the lanes need of it is read
 * together, in one trip to the host. Whole warp. */
static __device__ inline void session_admit(const session_launch &s, uint32_t ticket)
{
    const session_order *const from    = s.mail->order + ticket % SESSION_SLOTS;
    const uint32_t             slot    = from->slot;
    const uint32_t             photons = from->photons;
    const bool                 parts   = from->wants_parts != 0;
    const uint32_t *const      before  = from->given == SESSION_IN_STATES ? from->tally : nullptr;
    session_event *const       e       = s.events + slot;
    uint32_t *const            tally   = s.tallies + static_cast<size_t>(slot) * s.n_tally;

    for (unsigned k = photon_lane(); k < s.n_tally; k += PHOTON_WARP)
        tally[k] = before != nullptr ? before[k] : 0;
    if (parts)
        session_clear_parts(s, slot, photons);
    __syncwarp();
    if (photon_lane() == 0) {
        e->order              = *from;
        e->order.source.event = &e->order.seed;
        e->admitted_ns        = assay_global_time_ns();
        e->n_dropped          = 0;
        e->n_ends             = 0;
        e->cancelled          = SESSION_GOES_ON;
        e->live               = static_cast<int32_t>(e->order.photons);
        assay_store_relaxed(&s.control->slot_of[ticket % SESSION_SLOTS], slot);
        assay_store_release(&e->source, static_cast<uint64_t>(e->order.photons) << 32);
        assay_store_release(&s.control->n_admitted, ticket + 1);
    }
    __syncwarp();
    if (photons == 0)
        session_complete(s, slot);
}

/* Cancels events whose ticket the host has cancelled, by slot: each lane takes some slots. */
static __device__ inline void session_cancel(const session_launch &s)
{
    for (unsigned slot = photon_lane(); slot < s.n_slots; slot += PHOTON_WARP) {
        const uint64_t cancel = assay_load_acquire_system(&s.mail->cancel[slot]);

        if (cancel != 0 && static_cast<uint32_t>(cancel) == s.events[slot].order.ticket + 1)
            assay_store_relaxed(&s.events[slot].cancelled, static_cast<uint32_t>(cancel >> 32));
    }
}

/* Takes the orders since the last look; false: the host wants the kernel to end. */
static __device__ inline bool session_listen(const session_launch &s, session_service_state *state)
{
    const uint64_t bell = __shfl_sync(
        PHOTON_ALL_LANES,
        photon_lane() == 0 ? assay_load_acquire_system(&s.mail->bell) : uint64_t { 0 }, 0);
    const uint32_t submitted = static_cast<uint32_t>(bell);
    const uint32_t upper     = static_cast<uint32_t>(bell >> 32);

    if (state->submitted == submitted && state->upper == upper)
        return (upper & SESSION_BELL_STOP) == 0;
    __syncwarp(); /* passes what lane 0 has acquired to all lanes */
    for (; state->submitted != submitted; state->submitted++)
        session_admit(s, state->submitted);
    if (upper != state->upper)
        session_cancel(s);
    state->upper = upper;
    return (upper & SESSION_BELL_STOP) == 0;
}

/* Tells that the kernel is there, and checks whether the host is; false: it is not. Only lane 0. */
static __device__ inline bool session_beat(const session_launch &s, uint64_t now,
                                           session_service_state *state)
{
    uint32_t host_beat;

    if (now - state->beat_ns < SESSION_BEAT_NS)
        return true;
    state->beat_ns = now;
    assay_store_release_system(&s.mail->beat_ns, now);
    assay_store_release_system(&s.mail->device_beat, ++state->device_beat);
    host_beat = assay_load_acquire_system(&s.mail->host_beat);
    if (host_beat != state->host_beat) {
        state->host_beat = host_beat;
        state->heard_ns  = now;
    }
    return now - state->heard_ns < s.patience_ns;
}

/* The counters are read one after the other. */
static __device__ inline unsigned session_depth(const photon_ring &ring)
{
    const int n = static_cast<int>(photon_n_items(ring));

    return n > 0 ? static_cast<unsigned>(n) : 0;
}

static __device__ inline unsigned session_busy_warps(const session_launch &s)
{
    unsigned n_busy = 0;

    for (unsigned sm = photon_lane(); sm < s.n_sms; sm += PHOTON_WARP)
        n_busy += assay_load_relaxed(&s.clocks[sm].n_busy);
    return __reduce_add_sync(PHOTON_ALL_LANES, n_busy);
}

/* For compaction by occupancy: of all warps but this one, are fewer at work than there should be?
 * That is also so while none is, so that nothing waits in spawn_queue for ever. Whole warp. */
static __device__ inline void session_look_at_occupancy(const session_launch  &s,
                                                        session_service_state *state)
{
    const unsigned n_warps = gridDim.x * blockDim.x / PHOTON_WARP - 1;
    const bool     is_sparse =
        static_cast<float>(session_busy_warps(s)) < s.compact_below * static_cast<float>(n_warps);

    if (photon_lane() == 0 && is_sparse != state->is_sparse)
        assay_store_relaxed(&s.control->is_sparse, is_sparse ? 1u : 0u);
    state->is_sparse = is_sparse;
}

/* Telemetry: depths of the queues, and how many warps are at work. Whole warp. */
static __device__ inline void session_sample_now(const session_launch &s, const photon_queues &q,
                                                 uint64_t now)
{
    const uint32_t  n            = assay_load_relaxed(&s.mail->n_samples);
    session_sample *sample       = s.mail->sample + n % SESSION_SAMPLES;
    const unsigned  n_busy       = session_busy_warps(s);
    unsigned        n_unfinished = 0, n_finished = 0;

    for (unsigned slot = photon_lane(); slot < s.n_slots; slot += PHOTON_WARP) {
        const unsigned live = static_cast<unsigned>(assay_load_relaxed(&s.events[slot].live));

        n_unfinished += live;
        n_finished += live > 0 ? s.events[slot].order.photons - live : 0; /* this warp admits */
    }
    n_unfinished = __reduce_add_sync(PHOTON_ALL_LANES, n_unfinished);
    n_finished   = __reduce_add_sync(PHOTON_ALL_LANES, n_finished);
    if (photon_lane() != 0)
        return;
    sample->time_ns      = now;
    sample->n_active     = session_depth(q.active);
    sample->n_spawn      = session_depth(q.spawn);
    sample->n_unfinished = n_unfinished;
    sample->n_finished   = n_finished;
    sample->n_busy_warps = n_busy;
    assay_store_release_system(&s.mail->n_samples, n + 1);
}

/* Serves until the host ends it or is lost. Whole warp. */
static __device__ inline void session_serve(const session_launch &s, const photon_queues &q)
{
    const uint64_t        begin = __shfl_sync(PHOTON_ALL_LANES, assay_global_time_ns(), 0);
    session_service_state state = { 0, 0, 0, 0, begin, begin, begin, false };
    bool                  goes_on;

    if (photon_lane() == 0)
        assay_store_relaxed(&s.control->begun_ns, begin);
    do {
        const uint64_t now = __shfl_sync(PHOTON_ALL_LANES, assay_global_time_ns(), 0);

        goes_on = session_listen(s, &state);
        goes_on = __all_sync(PHOTON_ALL_LANES,
                             goes_on && (photon_lane() != 0 || session_beat(s, now, &state)));
        if (s.compact_below > 0)
            session_look_at_occupancy(s, &state);
        if (s.sample_interval_ns > 0 && now - state.sample_ns >= s.sample_interval_ns) {
            state.sample_ns = now;
            session_sample_now(s, q, now);
        }
        __nanosleep(100);
    } while (goes_on);
    if (photon_lane() == 0)
        assay_store_release(&s.control->must_stop, 1u);
}

#endif
