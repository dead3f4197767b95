/* warp_flagged and block_flagged: words that carry their own turn; one lane draws for its warp, one
 * thread for its block. */
#include "../photon/queue_flagged.cuh"
#include "rest.cuh"

namespace
{

enum : unsigned {
    GROUP = 4 /* words that a thread has under way at once */
};

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

struct flagged {
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

    /* Moves one word, after a first look at it. */
    static __device__ void put_word(const ring &ring, const queue::work &what, const queue::op &op,
                                    unsigned ticket, const cursor &at, photon_word seen,
                                    photon_wait *wait)
    {
        photon_word *place = photon_flagged_place(ring, ticket, at.w);

        seen = photon_flagged_wait(ring, place, ticket, seen, wait);
        if (photon_turn_of(seen) == ticket)
            assay_store_relaxed(
                place,
                photon_word_of(ticket + 1, what.items[static_cast<size_t>(at.w) * what.n_all +
                                                      op.first + at.j * op.stride]));
    }
    static __device__ void take_word(const ring &ring, const queue::work &what, const queue::op &op,
                                     unsigned ticket, const cursor &at, photon_word seen,
                                     photon_wait *wait)
    {
        photon_word   *place = photon_flagged_place(ring, ticket, at.w);
        const unsigned item  = op.first + at.j * op.stride;

        seen = photon_flagged_wait(ring, place, ticket + 1, seen, wait);
        if (photon_turn_of(seen) != ticket + 1)
            return;
        assay_store_relaxed(place, photon_word_of(ticket + ring.capacity, 0));
        what.taken[static_cast<size_t>(at.w) * what.n_all + item] = static_cast<unsigned>(seen);
    }

    /* The first looks of a group go out together. */
    template <bool IS_PUSH> static __device__ void move(const ring &ring, const queue::work &what,
                                                        const queue::op &op, const tickets &t,
                                                        photon_wait *wait)
    {
        cursor ahead = { 0, 0 }, at = { 0, 0 };

        while (at.j < op.n) {
            photon_word seen[GROUP];

#pragma unroll
            for (unsigned k = 0; k < GROUP; k++, ahead.next(ring.n_words))
                if (ahead.j < op.n)
                    seen[k] = assay_load_relaxed(
                        photon_flagged_place(ring, t.first + ahead.j * t.stride, ahead.w));
#pragma unroll
            for (unsigned k = 0; k < GROUP; k++, at.next(ring.n_words)) {
                if (at.j >= op.n)
                    break;
                if (IS_PUSH)
                    put_word(ring, what, op, t.first + at.j * t.stride, at, seen[k], wait);
                else
                    take_word(ring, what, op, t.first + at.j * t.stride, at, seen[k], wait);
            }
        }
    }
};

/* ---- one draw a warp */

struct warp_flagged : flagged {
    static constexpr bool BY_BLOCK = false;

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
        move<true>(ring, what, op, draw(ring.tail, op, wait), wait);
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        move<false>(ring, what, op, draw(ring.head, op, wait), wait);
        return op.n;
    }
};

/* ---- one draw a block */

struct block_flagged : flagged {
    static constexpr bool BY_BLOCK = true;

    static __device__ tickets draw(unsigned *counter, const queue::op &op, photon_wait *wait)
    {
        ASSAY_SHARED(unsigned, drawn, 1);
        unsigned first;

        if (threadIdx.x == 0)
            *drawn = photon_draw(counter, op.n_of_block, wait);
        __syncthreads();
        first = *drawn;
        __syncthreads(); /* all have read it before the next draw */
        return tickets { first + threadIdx.x, blockDim.x };
    }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        if (op.n_of_block > 0)
            move<true>(ring, what, op, draw(ring.tail, op, wait), wait);
        return op.n;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        if (op.n_of_block > 0)
            move<false>(ring, what, op, draw(ring.head, op, wait), wait);
        return op.n;
    }
};

} // namespace

ASSAY_WORKSPACE(photon_queue_flagged_workspace)
{
    return photon_flagged_bytes(args->param[QUEUE_PARAM_CAPACITY], args->param[QUEUE_PARAM_WORDS]);
}

ASSAY_LAUNCHER(photon_queue_warp_flagged) { return queue::launch<warp_flagged>(args, stream); }
ASSAY_LAUNCHER(photon_queue_block_flagged) { return queue::launch<block_flagged>(args, stream); }
