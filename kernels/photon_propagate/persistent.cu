/* persistent: one launch. Blocks stay resident, lanes without a photon take the next one from the
 * queues, and a photon stays in registers from one step to the next. After a budget of steps it
 * goes back into the queue. Secondaries go into a queue of their own, and ends are listed. */
#include "resident.cuh"

enum {
    CHUNK      = 128, /* places that a warp claims at most */
    MOST_WARPS = 8    /* of a block */
};

/* What a lane holds. */
struct lane_work {
    photon_state p;
    uint32_t     place;
    unsigned     left; /* steps of the budget */
    bool         has_photon;
};

struct persistent_plan {
    unsigned budget; /* steps before a photon goes back into the queue */
    unsigned vacant; /* lanes without a photon before new photons are taken */
};

/* Takes the photon of a place. False if it has already ended: then the place is done. */
static __device__ inline bool begin_place(const photon_call &call, uint32_t place, unsigned budget,
                                          lane_work *lane)
{
    lane->p          = photon_load(call.pages, place);
    lane->place      = place;
    lane->left       = call.is_history ? budget : 1;
    lane->has_photon = !(lane->p.flags & PHOTON_ENDED);
    return lane->has_photon;
}

/* Fills lanes without a photon. Returns how many of the places that were taken are already done. */
static __device__ inline int refill(const photon_call &call, const photon_queues &q,
                                    const persistent_plan &plan, photon_claim *claim,
                                    lane_work *lane, photon_wait *wait)
{
    const bool     wants   = !lane->has_photon;
    const unsigned wanting = __ballot_sync(PHOTON_ALL_LANES, wants);
    uint32_t       place   = 0;

    if (static_cast<unsigned>(__popc(wanting)) < plan.vacant)
        return 0;
    if (claim->taken == claim->n)
        photon_claim_more(q, gridDim.x * blockDim.x / PHOTON_WARP, CHUNK, claim, wait);
    if (!photon_take(claim, wants, &place))
        return 0;
    return begin_place(call, place, plan.budget, lane) ? 0 : 1;
}

/* One step of the lane's photon and what follows from it, for the whole warp. Returns how many
 * places are done. */
static __device__ inline int advance_lane(const photon_call &call, const photon_world &world,
                                          const photon_queues &q, lane_work *lane,
                                          photon_wait *wait)
{
    const bool had_photon = lane->has_photon;
    bool       goes_on = false, is_spawned = false;
    uint32_t   row = 0;

    if (had_photon) {
        photon_step(&world, &lane->p);
        goes_on    = photon_conclude(call, lane->place, &lane->p);
        is_spawned = (lane->p.flags & PHOTON_REEMIT) != 0;
        row        = photon_row(call, lane->place, &lane->p);
        if (is_spawned)
            lane->p = photon_secondary(&lane->p);
        lane->left--;
        lane->has_photon = goes_on && lane->left > 0;
        if (!lane->has_photon && (goes_on || is_spawned || !call.is_history))
            photon_store(call.pages, lane->place, &lane->p);
    }
    photon_append(q.finished, q.n_finished, had_photon && !goes_on, row);
    if (!call.is_history)
        return had_photon;
    photon_put(q.spawn, is_spawned, lane->place, wait);
    photon_put(q.active, goes_on && !lane->has_photon, lane->place, wait);
    return had_photon && !goes_on && !is_spawned;
}

/* Four blocks on a multiprocessor: without this bound the compiler would take a few more registers
 * than it needs. */
static __global__ void __launch_bounds__(MOST_WARPS *PHOTON_WARP, 4)
    propagate_persistent_kernel(photon_call call, photon_queues q, persistent_plan plan)
{
    extern __shared__ __align__(16) float shared[];
    __shared__ uint32_t                   places[MOST_WARPS * CHUNK];
    const photon_world                    world = photon_stage(call.world, shared);
    photon_wait  wait   = photon_wait_until(clock64() + PHOTON_PATIENCE_TICKS);
    photon_claim claim  = { places + threadIdx.x / PHOTON_WARP * CHUNK, 0, 0 };
    int          n_done = 0;
    lane_work    lane;

    lane.has_photon = false;
    for (;;) {
        n_done += refill(call, q, plan, &claim, &lane, &wait);
        if (__any_sync(PHOTON_ALL_LANES, lane.has_photon)) {
            n_done += advance_lane(call, world, q, &lane, &wait);
            wait.deadline = clock64() + PHOTON_PATIENCE_TICKS;
            continue;
        }
        if (claim.taken < claim.n)
            continue;
        if (photon_is_over(q, &n_done, &wait))
            return;
        __nanosleep(200);
    }
}

ASSAY_WORKSPACE(photon_propagate_persistent_workspace) { return photon_queues_bytes(args); }

ASSAY_LAUNCHER(photon_propagate_persistent)
{
    const photon_call     call   = photon_call_of(args, args->tune[1]);
    const photon_queues   q      = photon_queues_in(args);
    const unsigned        block  = static_cast<unsigned>(args->tune[0]);
    const persistent_plan plan   = { static_cast<unsigned>(args->tune[2]),
                                     static_cast<unsigned>(args->tune[3]) };
    const size_t          shared = photon_staged_bytes(call);
    const int             error  = assay_allow_shared(propagate_persistent_kernel, shared);
    const unsigned blocks = photon_resident_blocks(propagate_persistent_kernel, block, shared,
                                                   assay_blocks_for(call.ends.photons, block));

    photon_launch_initialize(args, stream);
    photon_launch_fill(q, call.ends.photons, stream);
    assay_launch_co_resident(propagate_persistent_kernel, blocks, block, shared, stream, call, q,
                             plan);
    photon_launch_tally(args, stream, { q.finished, q.n_finished });
    return error != 0 ? error : assay_launch_status();
}
