/* Parts of an event's result: ends in the order in which they happen, in pieces that the host
 * fetches while the event runs. */
#ifndef SESSION_PARTS_CUH
#define SESSION_PARTS_CUH

#include "session_work.cuh"

/* The leader of a group of lanes is the lowest of them. */
static __device__ inline int session_leader(unsigned group)
{
    return __ffs(static_cast<int>(group)) - 1;
}

/* Writes place `at` of the event's ends, from the row that this lane has just written. */
static __device__ inline void session_copy_end(const session_launch &s, unsigned slot, uint32_t at,
                                               uint32_t row)
{
    const session_order &o     = s.events[slot].order;
    const uint64_t       rows  = uint64_t { PHOTON_GENERATIONS } * o.photons;
    const size_t         first = static_cast<size_t>(slot) * s.n_parts * s.part_ends;
    photon_end_row       end   = {};

    end.row = row;
    for (int k = 0; k < 3; k++)
        end.place[k] = o.records[k * rows + row];
    end.time           = o.records[3 * rows + row];
    end.flags          = reinterpret_cast<const uint32_t *>(o.records + 4 * rows)[row];
    end.face           = reinterpret_cast<const int32_t *>(o.records + 5 * rows)[row];
    s.ends[first + at] = end;
}

/* This lane's end has been written; the lane that completes a part tells the host. `having`: all
 * lanes that call this. */
static __device__ inline void session_count_end(const session_launch &s, unsigned having,
                                                unsigned slot, uint32_t at)
{
    const unsigned part  = slot * s.n_parts + at / s.part_ends;
    const unsigned group = __match_any_sync(having, part);
    const uint32_t n     = static_cast<uint32_t>(__popc(group));

    if (static_cast<int>(photon_lane()) != session_leader(group))
        return;
    if (assay_fetch_add_acq_rel(&s.written[part], n) + n == s.part_ends)
        assay_store_release_system(&s.ready[part], s.events[slot].order.ticket + 1);
}

/* One atomic for each event in the warp, and one for each part. Whole warps; `ends`: this lane's
 * photon has ended, with its record in `row`. */
static __device__ inline void session_hand_out(const session_launch &s, unsigned slot, bool ends,
                                               uint32_t row)
{
    const bool     has    = ends && s.events[slot].order.wants_parts != 0;
    const unsigned having = __ballot_sync(PHOTON_ALL_LANES, has);
    uint32_t       at     = 0;

    if (having == 0)
        return;
    if (has) {
        const unsigned group = __match_any_sync(having, slot);
        const int      rank  = __popc(group & ((1u << photon_lane()) - 1u));

        if (rank == 0)
            at = assay_fetch_add_relaxed(&s.events[slot].n_ends,
                                         static_cast<uint32_t>(__popc(group)));
        at = __shfl_sync(having, at, session_leader(group)) + static_cast<uint32_t>(rank);
        session_copy_end(s, slot, at, row);
    }
    __syncwarp(); /* a leader passes on what its group has written */
    if (has)
        session_count_end(s, having, slot, at);
    __syncwarp();
}

/* Call before an event with parts begins. Whole warp. */
static __device__ inline void session_clear_parts(const session_launch &s, unsigned slot,
                                                  uint32_t photons)
{
    const uint64_t n = uint64_t { PHOTON_GENERATIONS } * photons + s.part_ends - 1;

    for (uint64_t k = photon_lane(); k < n / s.part_ends; k += PHOTON_WARP)
        s.written[slot * s.n_parts + k] = 0;
}

#endif
