/* The resident kernel of a session. It is launched once, takes orders from the host, propagates the
 * photons of all events that are on the device, and tells the host of each end. Stages are
 * functions here, not launches, since nothing else can run on the device meanwhile. */
#include "session_service.cuh"

/* ---- initialize: a photon of the source, one that was given, or one that goes on */

static __device__ inline photon_state session_of_page(const session_order &o, const float *real,
                                                      uint32_t i)
{
    photon_state p = photon_of_source(&o.source, i);

    p.pos        = photon_load_vec(real + PHOTON_POS * PHOTON_PAGE);
    p.dir        = photon_load_vec(real + PHOTON_DIR * PHOTON_PAGE);
    p.pol        = photon_load_vec(real + PHOTON_POL * PHOTON_PAGE);
    p.wavelength = real[PHOTON_WAVELENGTH * PHOTON_PAGE];
    p.time       = real[PHOTON_TIME * PHOTON_PAGE];
    p.flags      = __float_as_uint(real[SESSION_GIVEN_FLAGS * PHOTON_PAGE]);
    return p;
}

static __device__ inline photon_vec session_vec(const float *all, uint32_t n, uint32_t i)
{
    return photon_vec_of(all[i], all[size_t { n } + i], all[2 * size_t { n } + i]);
}

/* Neighbours in the batch are neighbours in a warp that claims them. */
static __device__ inline photon_state session_of_batch(const session_order &o, uint32_t i)
{
    photon_state p = photon_of_source(&o.source, i);

    p.pos        = session_vec(o.batch.pos, o.photons, i);
    p.dir        = session_vec(o.batch.dir, o.photons, i);
    p.pol        = session_vec(o.batch.pol, o.photons, i);
    p.wavelength = o.batch.wavelength[i];
    p.time       = o.batch.time[i];
    p.flags      = o.batch.flags != nullptr ? o.batch.flags[i] & PHOTON_ISOTROPIC_INIT : 0;
    return p;
}

static __device__ inline photon_state session_photon(const session_launch &s,
                                                     const session_order &o, uint32_t place,
                                                     uint32_t i, bool is_new)
{
    photon_state p;

    if (!is_new || o.given == SESSION_IN_STATES)
        return photon_load(s.pages, place);
    if (o.given == SESSION_OF_SOURCE)
        return photon_of_source(&o.source, i);
    p      = o.given == SESSION_IN_PAGES
                 ? session_of_page(o, s.pages.real + photon_place(place, PHOTON_REALS), i)
                 : session_of_batch(o, i);
    p.draw = (p.flags & PHOTON_ISOTROPIC_INIT) != 0 ? PHOTON_DRAW_EMIT : PHOTON_DRAW_STEP;
    return p;
}

/* For a checkpoint: writes the state of a photon that has not begun, or does not go on, to its
 * page. */
static __device__ inline void session_keep(const session_launch &s, const session_order &o,
                                           uint32_t place, uint32_t i, bool is_new)
{
    const photon_state p    = session_photon(s, o, place, i, is_new);
    const uint64_t     rows = uint64_t { PHOTON_GENERATIONS } * o.photons;

    photon_store(s.pages, place, &p);
    reinterpret_cast<uint32_t *>(o.records + 4 * rows)[(p.origin & 0xffu) * o.photons + i] =
        SESSION_LEFT;
}

/* Is this a place of a checkpoint whose photon had ended? */
static __device__ inline bool session_is_gone(const session_launch &s, const session_order &o,
                                              uint32_t place, bool is_new)
{
    return is_new && o.given == SESSION_IN_STATES &&
           s.pages.word[photon_place(place, PHOTON_WORDS) + PHOTON_FLAGS * PHOTON_PAGE] ==
               SESSION_GONE;
}

static __device__ inline void session_initialize(const session_launch &s, uint32_t place,
                                                 bool is_new, session_lane *lane)
{
    const unsigned             slot = place >> s.log2_places;
    const session_event *const e    = s.events + slot;
    const uint32_t             i    = place & ((1u << s.log2_places) - 1u);

    lane->place              = place;
    lane->left               = s.budget;
    const uint32_t cancelled = assay_load_relaxed(&e->cancelled);

    if (session_is_gone(s, e->order, place, is_new)) {
        lane->is_done = true;
        return;
    }
    if (cancelled == SESSION_KEEPS)
        session_keep(s, e->order, place, i, is_new);
    if (cancelled != SESSION_GOES_ON) {
        lane->is_done = lane->is_dropped = true;
        return;
    }
    lane->has_photon = true;
    lane->p          = session_photon(s, e->order, place, i, is_new);
}

/* ---- compact: gives photons to lanes without one; false: the kernel is to end */

static __device__ inline bool session_compact(const session_launch &s, const photon_queues &q,
                                              session_claim *claim, session_lane *lane,
                                              session_stages *stages, photon_wait *wait)
{
    uint32_t place = 0;
    bool     has_place;

    session_settle(s, lane);
    session_end_stage(stages, PHOTON_STAGE_POSTPROCESS);
    wait->deadline = clock64() + PHOTON_PATIENCE_TICKS;
    if (claim->at.taken == claim->at.n && !session_claim_more(s, q, claim, wait))
        return false;
    has_place = photon_take(&claim->at, !lane->has_photon, &place);
    session_end_stage(stages, PHOTON_STAGE_COMPACT);
    if (has_place)
        session_initialize(s, place, claim->is_source, lane);
    __syncwarp();
    session_end_stage(stages, PHOTON_STAGE_INITIALIZE);
    return true;
}

/* ---- propagate and emit_secondary */

static __device__ inline photon_call session_call(const session_launch &s, const session_order &o)
{
    photon_call    call = {};
    const uint64_t rows = uint64_t { PHOTON_GENERATIONS } * o.photons;

    call.ends.place   = o.records;
    call.ends.time    = o.records + 3 * rows;
    call.ends.flags   = reinterpret_cast<uint32_t *>(o.records + 4 * rows);
    call.ends.face    = reinterpret_cast<int32_t *>(o.records + 5 * rows);
    call.ends.photons = o.photons;
    call.ends.rows    = static_cast<int64_t>(rows);
    call.pages        = s.pages;
    call.steps        = o.steps;
    call.is_history   = true;
    return call;
}

/* The outcome of a step. */
struct session_outcome {
    bool     has_ended, is_spawned, goes_back;
    int      kind; /* of end */
    uint32_t sensor, row;
};

/* One step of the lane's photon. With its last row, the rows of generations that will not exist are
 * cleared. */
static __device__ inline session_outcome
session_propagate(const session_launch &s, const photon_world *worlds, session_lane *lane)
{
    const session_order &o          = s.events[lane->place >> s.log2_places].order;
    const photon_world  &world      = worlds[o.detector];
    const photon_call    call       = session_call(s, o);
    const uint32_t       i          = lane->place & ((1u << s.log2_places) - 1u);
    const uint32_t       generation = lane->p.origin & 0xffu;
    session_outcome      out        = { false, false, false, 0, 0, 0 };

    photon_step(&world, &lane->p);
    out.has_ended  = !photon_conclude(call, i, &lane->p);
    out.is_spawned = out.has_ended && (lane->p.flags & PHOTON_REEMIT) != 0;
    lane->left--;
    out.goes_back    = !out.has_ended && lane->left == 0;
    lane->has_photon = !out.has_ended && !out.goes_back;
    if (out.has_ended) {
        out.row  = generation * o.photons + i;
        out.kind = photon_tally_of(lane->p.flags);
        if (out.kind == PHOTON_TALLY_DETECT)
            out.sensor = world.faces[2 * static_cast<int64_t>(lane->p.face) + 1];
    }
    if (out.is_spawned) {
        lane->p = photon_secondary(&lane->p);
    } else if (out.has_ended) {
        for (uint32_t g = generation + 1; g < PHOTON_GENERATIONS; g++)
            photon_clear_end(&call.ends, static_cast<int64_t>(g) * call.ends.photons + i);
        lane->is_done = true;
    }
    if (out.is_spawned || out.goes_back)
        photon_store(s.pages, lane->place, &lane->p);
    return out;
}

static __device__ inline void session_step(const session_launch &s, const photon_queues &q,
                                           const photon_world *worlds, session_lane *lane,
                                           session_stages *stages, photon_wait *wait)
{
    session_outcome out = { false, false, false, 0, 0, 0 };
    unsigned        ending;

    if (lane->has_photon)
        out = session_propagate(s, worlds, lane);
    ending = __ballot_sync(PHOTON_ALL_LANES, out.has_ended);
    session_end_stage(stages, PHOTON_STAGE_PROPAGATE);
    session_tally(s, lane, ending, out.kind, out.sensor);
    if (s.part_ends > 0)
        session_hand_out(s, lane->place >> s.log2_places, out.has_ended, out.row);
    session_end_stage(stages, PHOTON_STAGE_POSTPROCESS);
    photon_put(q.spawn, out.is_spawned, lane->place, wait); /* emit_secondary */
    __syncwarp();
    session_end_stage(stages, PHOTON_STAGE_EMIT_SECONDARY);
    photon_put(q.active, out.goes_back, lane->place, wait);
    __syncwarp();
    session_end_stage(stages, PHOTON_STAGE_COMPACT);
}

/* ---- the kernel */

/* Words that many warps write have lines of their own. */
static_assert(offsetof(session_event, source) % 128 == 0 &&
                  offsetof(session_event, live) % 128 == 0 && sizeof(session_event) % 128 == 0,
              "an event is no sum of lines");

/* Worlds as the lanes see them: the first detector's tables and the top of its tree are staged. */
static __device__ inline void session_stage(const session_launch &s, float *shared,
                                            photon_world *worlds)
{
    const photon_world first = photon_stage(s.detectors[0], shared);

    if (threadIdx.x == 0)
        worlds[0] = first;
    for (unsigned d = threadIdx.x + 1; d < s.n_detectors; d += blockDim.x)
        worlds[d] = s.detectors[d];
    __syncthreads();
}

enum : uint32_t {
    SESSION_WARPS_MOST  = 32, /* of a block */
    SESSION_NAP_NS      = 100,
    SESSION_NAP_MOST_NS = 3200
};

static __device__ inline void session_work(const session_launch &s, const photon_queues &q,
                                           const photon_world *worlds, uint32_t *places,
                                           session_stages *stages)
{
    photon_wait   wait  = photon_wait_until(0);
    session_claim claim = { { places, 0, 0 }, false };
    session_lane  lane;
    uint32_t      since = 0, n_steps = 0, n_lanes = 0, nap_ns = SESSION_NAP_NS;
    bool          is_busy = false;

    lane.has_photon = lane.is_done = lane.is_dropped = false;
    lane.place                                       = 0;
    for (;;) {
        if (!is_busy)
            session_begin_stages(stages);
        const unsigned vacant =
            static_cast<unsigned>(__popc(__ballot_sync(PHOTON_ALL_LANES, !lane.has_photon)));

        if (vacant >= s.vacant || (vacant > 0 && since >= s.every)) {
            since = 0;
            if (!session_compact(s, q, &claim, &lane, stages, &wait))
                break;
        }
        const unsigned having = __ballot_sync(PHOTON_ALL_LANES, lane.has_photon);

        if (having != 0) {
            if (!is_busy && photon_lane() == 0)
                session_begin_work(s);
            is_busy = true;
            nap_ns  = SESSION_NAP_NS;
            n_steps++;
            n_lanes += static_cast<uint32_t>(__popc(having));
            since++;
            session_step(s, q, worlds, &lane, stages, &wait);
        } else if (claim.at.taken == claim.at.n && !__any_sync(PHOTON_ALL_LANES, lane.is_done)) {
            if (is_busy && photon_lane() == 0)
                session_end_work(s, *stages, n_steps, n_lanes);
            is_busy = false;
            n_steps = n_lanes = 0;
            /* Thousands of warps that look at the same words would slow down those that work. */
            __nanosleep(nap_ns);
            nap_ns = min(2 * nap_ns, static_cast<uint32_t>(SESSION_NAP_MOST_NS));
        }
    }
    if (is_busy && photon_lane() == 0)
        session_end_work(s, *stages, n_steps, n_lanes);
}

/* What photon_stage fills; after it come the places that each warp has claimed. */
static __host__ __device__ inline uint32_t session_staged_words(const session_launch &s)
{
    return s.detectors[0].n_top * static_cast<uint32_t>(sizeof(photon_node) / sizeof(float)) +
           PHOTON_MEDIA * PHOTON_MEDIUM_SIZE + PHOTON_SURFACES * PHOTON_SURFACE_SIZE;
}

static __global__ void __launch_bounds__(SESSION_WARPS_MOST *PHOTON_WARP)
    session_resident_kernel(session_launch s, photon_queues q)
{
    extern __shared__ __align__(16) float shared[];
    __shared__ photon_world               worlds[SESSION_DETECTORS];
    __shared__ session_stages             stages[SESSION_WARPS_MOST];

    uint32_t *const places = reinterpret_cast<uint32_t *>(shared) + session_staged_words(s) +
                             threadIdx.x / PHOTON_WARP * SESSION_CHUNK;
    session_stages *const own = stages + threadIdx.x / PHOTON_WARP;

    session_stage(s, shared, worlds);
    if (blockIdx.x == 0 && threadIdx.x < PHOTON_WARP)
        session_serve(s, q);
    else
        session_work(s, q, worlds, places, own);
}

/* ---- the launch */

/* Room for all places, and at least for two warps, as lanes of a warp may wait for each other. */
static int64_t capacity_of(const session_launch *s)
{
    int64_t capacity = 2 * PHOTON_WARP;

    while (capacity < static_cast<int64_t>(s->n_slots) << s->log2_places)
        capacity *= 2;
    return capacity;
}

static photon_queues queues_of(const session_launch *s)
{
    const int64_t capacity = capacity_of(s);
    char *const   memory   = static_cast<char *>(s->rings);
    photon_queues q        = {};

    q.active = photon_ring_in(memory, capacity, 1);
    q.spawn  = photon_ring_in(memory + photon_ring_bytes(capacity, 1), capacity, 1);
    return q;
}

static __global__ void session_reset_kernel(photon_queues q)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

    photon_ring_reset(q.active, 0, i, n);
    photon_ring_reset(q.spawn, 0, i, n);
}

static size_t shared_bytes(const session_launch *s)
{
    return sizeof(uint32_t) * (session_staged_words(*s) + s->block / PHOTON_WARP * SESSION_CHUNK);
}

extern "C" size_t session_rings_bytes(const session_launch *s)
{
    return 2 * photon_ring_bytes(capacity_of(s), 1);
}

/* On the host device a block counts as an SM. */
static uint32_t session_sms(uint32_t blocks)
{
#ifndef ASSAY_HOST_KERNELS
    int n_sms = 0;

    if (assay_device_attribute(cudaDevAttrMultiProcessorCount, &n_sms) == 0)
        return static_cast<uint32_t>(n_sms);
#endif
    return blocks;
}

extern "C" int session_plan(session_launch *s)
{
    const size_t shared = shared_bytes(s);
    const int    error  = assay_allow_shared(session_resident_kernel, shared);

    s->blocks = photon_resident_blocks(session_resident_kernel, s->block, shared,
                                       s->blocks == 0 ? ~0u : s->blocks);
    s->n_sms  = session_sms(s->blocks);
    return error;
}

extern "C" int session_start(const session_launch *s, assay_stream stream)
{
    const photon_queues q      = queues_of(s);
    const unsigned      block  = 256;
    const unsigned      blocks = assay_blocks_for(q.active.capacity, block);

    session_reset_kernel<<<(blocks < 1056 ? blocks : 1056), block, 0, stream>>>(q);
    assay_launch_co_resident(session_resident_kernel, s->blocks, s->block, shared_bytes(s), stream,
                             *s, q);
    return assay_launch_status();
}

extern "C" int session_await(assay_stream stream) { return assay_stream_wait(stream); }
