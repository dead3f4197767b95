/* warp_flagged and block_flagged: words that carry their own turn. One lane draws for its warp, or
 * one thread for its block. */
#include "../photon/queue_flagged.cuh"
#include "rest.cuh"

namespace
{

/* Item j of a thread's operation has the ticket first + j * stride. */
struct tickets {
    unsigned first, stride;
};

/* Word w of item j. */
struct cursor {
    unsigned j, w;

    __device__ void next(unsigned n_words)
    {
        w++;
        if (w == n_words) {
            w = 0;
            j++;
        }
    }
};

/* A thread looks at `Group` words at a time, so that these loads are in flight together. */
template <unsigned Group> struct flagged {
    typedef photon_flagged_ring ring;
    static constexpr bool       ANSWERS = false;

    static ring ring_of(const assay_args *args)
    {
        return photon_flagged_ring_in(args->workspace, args->param[QUEUE_PARAM_CAPACITY],
                                      args->param[QUEUE_PARAM_WORDS], args->tune[0]);
    }
    static __device__ void reset(const ring &ring, unsigned start, unsigned i, unsigned n)
    {
        photon_flagged_reset(ring, start, i, n);
    }
    static __device__ unsigned held(const ring &ring)
    {
        return assay_load_relaxed(ring.tail) - assay_load_relaxed(ring.head);
    }
    static __device__ bool has_room(const ring &ring, unsigned n)
    {
        return held(ring) + n <= ring.capacity;
    }
    static __device__ bool has_items(const ring &ring, unsigned n) { return held(ring) >= n; }

    static __device__ size_t word_of(const queue::work &what, const queue::op &op, const cursor &at)
    {
        return static_cast<size_t>(at.w) * what.n_all + op.first + at.j * op.stride;
    }

    /* Loads the payload of a group. It comes before the draw, so that both are in flight
     * together. */
    static __device__ void load(const ring &ring, const queue::work &what, const queue::op &op,
                                cursor at, unsigned payload[Group])
    {
#pragma unroll
        for (unsigned k = 0; k < Group; k++, at.next(ring.n_words))
            payload[k] = at.j < op.n ? what.items[word_of(what, op, at)] : 0;
    }

    static __device__ void look(const ring &ring, const queue::op &op, const tickets &t, cursor at,
                                photon_word seen[Group])
    {
#pragma unroll
        for (unsigned k = 0; k < Group; k++, at.next(ring.n_words))
            seen[k] = at.j < op.n ? assay_load_relaxed(
                                        photon_flagged_place(ring, t.first + at.j * t.stride, at.w))
                                  : 0;
    }

    /* `payload` is that of the first group. */
    static __device__ void put(const ring &ring, const queue::work &what, const queue::op &op,
                               const tickets &t, unsigned payload[Group], photon_wait *wait)
    {
        photon_word seen[Group];

        for (cursor at = { 0, 0 }; at.j < op.n;) {
            look(ring, op, t, at, seen);
#pragma unroll
            for (unsigned k = 0; k < Group; k++, at.next(ring.n_words)) {
                const unsigned ticket = t.first + at.j * t.stride;
                photon_word   *place  = photon_flagged_place(ring, ticket, at.w);

                if (at.j >= op.n)
                    break;
                seen[k] = photon_flagged_wait(ring, place, ticket, seen[k], wait);
                if (photon_turn_of(seen[k]) == ticket)
                    assay_store_relaxed(place, photon_word_of(ticket + 1, payload[k]));
            }
            if (at.j < op.n)
                load(ring, what, op, at, payload);
        }
    }

    static __device__ void take(const ring &ring, const queue::work &what, const queue::op &op,
                                const tickets &t, photon_wait *wait)
    {
        photon_word seen[Group];

        for (cursor at = { 0, 0 }; at.j < op.n;) {
            look(ring, op, t, at, seen);
#pragma unroll
            for (unsigned k = 0; k < Group; k++, at.next(ring.n_words)) {
                const unsigned ticket = t.first + at.j * t.stride;
                photon_word   *place  = photon_flagged_place(ring, ticket, at.w);

                if (at.j >= op.n)
                    break;
                seen[k] = photon_flagged_wait(ring, place, ticket + 1, seen[k], wait);
                if (photon_turn_of(seen[k]) != ticket + 1)
                    continue;
                assay_store_relaxed(place, photon_word_of(ticket + ring.capacity, 0));
                what.taken[word_of(what, op, at)] = static_cast<unsigned>(seen[k]);
            }
        }
    }
};

/* ---- one draw a warp */

template <unsigned Group> struct warp_flagged : flagged<Group> {
    typedef photon_flagged_ring ring;
    static constexpr bool       BY_BLOCK = false;

    static __device__ tickets draw(unsigned *counter, const queue::op &op, photon_wait *wait)
    {
        const unsigned            present = photon_lanes_present();
        const photon_warp_tickets t       = photon_warp_draw<photon_promise_all>(
            photon_ring {}, counter, present, op.n > 0, __reduce_max_sync(present, op.n), wait);

        return tickets { t.first + t.rank, t.n_lanes };
    }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        unsigned payload[Group];

        flagged<Group>::load(ring, what, op, cursor { 0, 0 }, payload);
        flagged<Group>::put(ring, what, op, draw(ring.tail, op, wait), payload, wait);
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        flagged<Group>::take(ring, what, op, draw(ring.head, op, wait), wait);
        return op.n;
    }
};

/* ---- one draw a block */

template <unsigned Group> struct block_flagged : flagged<Group> {
    typedef photon_flagged_ring ring;
    static constexpr bool       BY_BLOCK = true;

    static __device__ tickets draw(unsigned *counter, const queue::op &op, photon_wait *wait)
    {
        __shared__ unsigned drawn[1];

        /* All threads have finished with what was drawn before. Otherwise some could wait for room
         * that only the pops drawn here make, and those pops wait for them. */
        __syncthreads();
        if (threadIdx.x == 0)
            *drawn = photon_draw(counter, op.n_of_block, wait);
        __syncthreads();
        return tickets { *drawn + threadIdx.x, blockDim.x };
    }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        unsigned payload[Group];

        if (op.n_of_block == 0)
            return 0;
        flagged<Group>::load(ring, what, op, cursor { 0, 0 }, payload);
        flagged<Group>::put(ring, what, op, draw(ring.tail, op, wait), payload, wait);
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        if (op.n_of_block > 0)
            flagged<Group>::take(ring, what, op, draw(ring.head, op, wait), wait);
        return op.n;
    }
};

} // namespace

ASSAY_WORKSPACE(photon_queue_flagged_workspace)
{
    return photon_flagged_bytes(args->param[QUEUE_PARAM_CAPACITY], args->param[QUEUE_PARAM_WORDS]);
}

/* Items of one word, one at a time, need fewer registers. */
static bool is_single(const assay_args *args)
{
    return args->param[QUEUE_PARAM_WORDS] * args->param[QUEUE_PARAM_BATCH] == 1;
}

ASSAY_LAUNCHER(photon_queue_warp_flagged)
{
    return is_single(args) ? queue::launch<warp_flagged<1>>(args, stream)
                           : queue::launch<warp_flagged<4>>(args, stream);
}
ASSAY_LAUNCHER(photon_queue_block_flagged)
{
    return is_single(args) ? queue::launch<block_flagged<1>>(args, stream)
                           : queue::launch<block_flagged<4>>(args, stream);
}
