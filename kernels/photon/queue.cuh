/* A bounded queue for many producers and many consumers in device memory: tickets, slots with a
 * sequence number, and rules for who may wait for whom. The case photon_queue measures its forms;
 * other cases use it.
 *
 * Two counters give out tickets, one to producers and one to consumers. Both start at the same
 * number, only grow, and wrap at 2^32: they are compared by their signed difference, never by size.
 * Ticket t belongs to slot t mod capacity, a power of two. The slot's sequence number says whose
 * turn it is:
 *
 *     t                 free: the producer with ticket t may write
 *     t + 1             full: the consumer with ticket t may read
 *     t + capacity      free again, for the producer one lap later
 *
 * A producer draws a ticket, waits until the slot is free, writes, and publishes (a release that
 * the consumer's acquire sees). A consumer draws a ticket, waits until the slot is full, reads, and
 * frees. Nothing else orders them: a ticket promises a place, not that the item is there. */
#ifndef PHOTON_QUEUE_CUH
#define PHOTON_QUEUE_CUH

#include "kernel.h"

enum : unsigned {
    PHOTON_WARP       = 32,
    PHOTON_LINE_WORDS = 32, /* each counter has a line of 128 bytes of its own */
    PHOTON_ALL_LANES  = 0xffffffffu,
};

struct photon_ring {
    unsigned       *tail, *head;      /* next ticket of producers, next ticket of consumers */
    int            *n_items, *n_room; /* not promised yet: for queues that answer at once */
    const unsigned *zeros;            /* [32], one for each lane */
    unsigned       *sequence;         /* [capacity] */
    unsigned       *words;            /* [n_words][capacity], the payload */
    unsigned        capacity, n_words;
};

/* ---- memory */

inline size_t photon_ring_bytes(int64_t capacity, int64_t n_words)
{
    return sizeof(unsigned) * (4 * PHOTON_LINE_WORDS +
                               static_cast<size_t>(capacity) * (1 + static_cast<size_t>(n_words)));
}

/* A ring in `memory` of photon_ring_bytes, aligned to 128. It must be reset before its first
 * use. */
inline photon_ring photon_ring_in(void *memory, int64_t capacity, int64_t n_words)
{
    unsigned   *at = static_cast<unsigned *>(memory);
    photon_ring ring;

    ring.tail     = at;
    ring.head     = at + PHOTON_LINE_WORDS;
    ring.n_items  = reinterpret_cast<int *>(at + 2 * PHOTON_LINE_WORDS);
    ring.n_room   = ring.n_items + 1;
    ring.zeros    = at + 3 * PHOTON_LINE_WORDS;
    ring.sequence = at + 4 * PHOTON_LINE_WORDS;
    ring.words    = ring.sequence + capacity;
    ring.capacity = static_cast<unsigned>(capacity);
    ring.n_words  = static_cast<unsigned>(n_words);
    return ring;
}

/* Thread i of n resets its part to an empty ring whose counters stand at `start`. All threads of a
 * kernel of its own call it; the next kernel may use the ring. */
static __device__ inline void photon_ring_reset(const photon_ring &ring, unsigned start, unsigned i,
                                                unsigned n)
{
    if (i == 0) {
        *ring.tail = *ring.head = start;
        *ring.n_items           = 0;
        *ring.n_room            = static_cast<int>(ring.capacity);
    }
    if (i < PHOTON_WARP)
        const_cast<unsigned *>(ring.zeros)[i] = 0;
    for (unsigned slot = i; slot < ring.capacity; slot += n)
        ring.sequence[slot] = start + ((slot - start) & (ring.capacity - 1));
}

/* ---- waiting */

/* The state of a thread that waits. It gives up after a time, so that a queue with a fault still
 * ends. */
struct photon_wait {
    long long deadline; /* by clock64 */
    bool      gave_up;
    /* Counters for statistics: failed exchanges, looks at a slot or counter in vain, and
     * atomics. */
    unsigned retries, polls, atomics;
};

static __device__ inline photon_wait photon_wait_until(long long deadline)
{
    return photon_wait { deadline, false, 0, 0, 0 };
}

/* Call after a look in vain: true if it is time to give up. */
static __device__ inline bool photon_is_late(photon_wait *wait)
{
    wait->polls++;
    if (clock64() > wait->deadline)
        wait->gave_up = true;
    return wait->gave_up;
}

/* The more often it has looked, the longer it pauses. */
static __device__ inline void photon_nap(unsigned n_looks)
{
    if (n_looks > 2)
        __nanosleep(n_looks < 16 ? 20 : 100);
}

/* Waits for the turn; false: gave up. Lanes that have finished wait after the loop until all lanes
 * of their warp have. So tickets that a warp waits for together must follow each other, as those of
 * photon_warp_draw do; and where warps draw different numbers of tickets, the ring must hold two
 * warps of them (docs/photon_queue.md says why). With tickets that lanes drew one by one, a warp
 * may wait for itself: photon_queue/by_thread.cu shows what such queues do instead. */
static __device__ inline bool photon_await(const unsigned *sequence, unsigned turn,
                                           photon_wait *wait)
{
    for (unsigned n = 0; assay_load_acquire(sequence) != turn; n++) {
        if (photon_is_late(wait))
            return false;
        photon_nap(n);
    }
    return true;
}

/* ---- slots */

static __device__ inline unsigned photon_slot(const photon_ring &ring, unsigned ticket)
{
    return ticket & (ring.capacity - 1);
}

static __device__ inline bool photon_await_free(const photon_ring &ring, unsigned ticket,
                                                photon_wait *wait)
{
    return photon_await(ring.sequence + photon_slot(ring, ticket), ticket, wait);
}
static __device__ inline bool photon_await_full(const photon_ring &ring, unsigned ticket,
                                                photon_wait *wait)
{
    return photon_await(ring.sequence + photon_slot(ring, ticket), ticket + 1, wait);
}

/* Call after the slot was written: the consumer may read everything that was written before. */
static __device__ inline void photon_publish(const photon_ring &ring, unsigned ticket)
{
    assay_store_release(ring.sequence + photon_slot(ring, ticket), ticket + 1);
}
/* Call after the slot was read. */
static __device__ inline void photon_free(const photon_ring &ring, unsigned ticket)
{
    assay_store_release(ring.sequence + photon_slot(ring, ticket), ticket + ring.capacity);
}

/* ---- at rest: what the counters say while no thread draws */

static __device__ inline unsigned photon_n_items(const photon_ring &ring)
{
    return assay_load_relaxed(ring.tail) - assay_load_relaxed(ring.head);
}

/* ---- drawing tickets, thread by thread */

/* Draws n tickets from the counter; returns the first. */
static __device__ inline unsigned photon_draw(unsigned *counter, unsigned n, photon_wait *wait)
{
    wait->atomics++;
    return assay_fetch_add_relaxed(counter, n);
}

/* Draws one ticket, only if its slot is ready: `ahead` is 0 for producers and 1 for consumers.
 * False: the queue is full (or empty), or the thread gave up. */
static __device__ inline bool photon_draw_if_ready(const photon_ring &ring, unsigned *counter,
                                                   unsigned ahead, unsigned nap_ns,
                                                   unsigned *ticket, photon_wait *wait)
{
    unsigned at = assay_load_relaxed(counter);

    for (;;) {
        const unsigned turn     = assay_load_acquire(ring.sequence + photon_slot(ring, at));
        const int      distance = static_cast<int>(turn - (at + ahead));
        unsigned       seen;

        if (distance < 0)
            return false;
        if (distance > 0) { /* other threads were quicker */
            if (photon_is_late(wait))
                return false;
            at = assay_load_relaxed(counter);
            continue;
        }
        wait->atomics++;
        seen = atomicCAS(counter, at, at + 1);
        if (seen == at) {
            *ticket = at;
            return true;
        }
        wait->retries++;
        if (photon_is_late(wait))
            return false;
        __nanosleep(nap_ns);
        at = assay_load_relaxed(counter);
    }
}

/* ---- promises: two counts in front of the ring, for queues that answer at once. A thread that was
 * promised n places (or items) draws n tickets and may wait for them: they come. A thread that asks
 * for more than there is takes it and gives the excess back. Meanwhile others see less than there
 * is; at rest a promise is exact. One count for both sides would not do: while one side overdraws,
 * it would show the other side more than there is. `of` returns how many of n are promised. */

static __device__ inline unsigned photon_promise(int *from, int *to, unsigned n, photon_wait *wait)
{
    const int wanted = static_cast<int>(n);
    int       before, granted;

    if (assay_load_relaxed(from) <= 0)
        return 0;
    wait->atomics++;
    before  = assay_fetch_add_relaxed(from, -wanted);
    granted = before <= 0 ? 0 : before < wanted ? before : wanted;
    if (granted < wanted) {
        wait->atomics++;
        assay_fetch_add_relaxed(from, wanted - granted);
    }
    if (granted > 0) {
        wait->atomics++;
        assay_fetch_add_relaxed(to, granted);
    }
    return static_cast<unsigned>(granted);
}

struct photon_promise_room {
    static __device__ unsigned of(const photon_ring &ring, unsigned n, photon_wait *wait)
    {
        return photon_promise(ring.n_room, ring.n_items, n, wait);
    }
};

struct photon_promise_items {
    static __device__ unsigned of(const photon_ring &ring, unsigned n, photon_wait *wait)
    {
        return photon_promise(ring.n_items, ring.n_room, n, wait);
    }
};

/* For queues that wait: promises everything. */
struct photon_promise_all {
    static __device__ unsigned of(const photon_ring &, unsigned n, photon_wait *) { return n; }
};

/* ---- drawing tickets, warp by warp */

static __device__ inline unsigned photon_lane(void) { return threadIdx.x % PHOTON_WARP; }

/* The lanes that exist in this warp of a one-dimensional block. */
static __device__ inline unsigned photon_lanes_present(void)
{
    const unsigned rest = blockDim.x - threadIdx.x / PHOTON_WARP * PHOTON_WARP;

    return rest >= PHOTON_WARP ? PHOTON_ALL_LANES : (1u << rest) - 1u;
}

/* Tickets of a warp: item j of this lane has ticket first + j * n_lanes + rank, and is granted if
 * j * n_lanes + rank < n_granted. */
struct photon_warp_tickets {
    unsigned first, n_lanes, rank, n_granted;
};

/* All lanes of `together` call it. Each lane that asks gets n tickets, by one atomic of the lowest
 * lane that asks; lane 0 may have left or ask for nothing. With a promise of room or items, only
 * what is promised is drawn. */
template <typename Promise> static __device__ inline photon_warp_tickets
photon_warp_draw(const photon_ring &ring, unsigned *counter, unsigned together, bool asks,
                 unsigned n, photon_wait *wait)
{
    const unsigned      asking = __ballot_sync(together, asks);
    const unsigned      leader = static_cast<unsigned>(__ffs(static_cast<int>(asking))) - 1u;
    photon_warp_tickets t      = { 0, 0, 0, 0 };

    if (asking == 0)
        return t;
    t.n_lanes   = static_cast<unsigned>(__popc(asking));
    t.rank      = static_cast<unsigned>(__popc(asking & ((1u << photon_lane()) - 1u)));
    t.n_granted = n * t.n_lanes;
    if (photon_lane() == leader) {
        t.n_granted = Promise::of(ring, t.n_granted, wait);
        if (t.n_granted > 0)
            t.first = photon_draw(counter, t.n_granted, wait);
    }
    t.first     = __shfl_sync(together, t.first, static_cast<int>(leader));
    t.n_granted = __shfl_sync(together, t.n_granted, static_cast<int>(leader));
    return t;
}

#endif
