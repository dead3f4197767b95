/* What every queue goes through: the flow under contention, and a script at rest.
 *
 * A queue is a class of static members:
 *     ring                      what its kernels get
 *     ring_of(args)             ... in the workspace, of workspace_bytes(args)
 *     reset(ring, start, i, n)  thread i of n: its part of an empty ring
 *     ANSWERS                   push and pop answer at once; else they wait
 *     BY_BLOCK                  a block's threads push and pop together
 *     push(ring, work, op, wait), pop(...)   number of this thread's op.n items that moved
 *     has_room(ring, n), has_items(ring, n)  for queues that wait, at rest: would n items
 *                                            go through? */
#ifndef PHOTON_QUEUE_FLOW_CUH
#define PHOTON_QUEUE_FLOW_CUH

#include "kernel.h"

#include "../photon/queue.cuh"
#include "queue_case.h"

namespace queue
{

enum : unsigned {
    MAX_THREADS    = 256, /* of a block */
    BLOCKS_AN_SM   = 8,   /* so that 2048 threads fit on one */
    RESET_THREADS  = 256,
    MAX_RESET_GRID = 128,
};
/* Ten to twenty seconds, depending on the device: a queue with a fault then ends, and the threads
 * that gave up are counted. */
const long long LIMIT_TICKS = 20000000000;
/* The pause of a thread that was told full or empty, before it asks again; it doubles each time. */
const unsigned SHORTEST_NAP_NS = 32, LONGEST_NAP_NS = 8192;

/* What is moved: word w of item i is items[w * n_all + i]. */
struct work {
    const unsigned     *items;
    unsigned           *taken, *answers;
    unsigned long long *stats;
    unsigned            n_all, n_flow;
    long long           limit_ticks; /* of clock64: a thread that needs longer gives up */
};

/* A thread's part of an operation: its items first, first + stride, ... */
struct op {
    unsigned first, stride, n;
    unsigned n_of_block; /* items of the whole block, the same for all its threads: for queues
                          * BY_BLOCK */
};

struct flow {
    work     what;
    unsigned producers, period, n_producer_threads, n_consumer_threads;
    unsigned pushes, pops, batch, n_rounds;
    unsigned longest_nap_ns; /* for threads that were refused */
    bool     sits_out;       /* in each round another lane of every warp does nothing */
};

/* ---- payload */

/* Word 0 is loaded before the wait for the slot, so that nothing waits for that load afterwards. */
static __device__ inline void put(const photon_ring &ring, const work &what, unsigned ticket,
                                  unsigned item, unsigned first)
{
    const unsigned slot = photon_slot(ring, ticket);

    ring.words[slot] = first;
    for (unsigned w = 1; w < ring.n_words; w++)
        ring.words[static_cast<size_t>(w) * ring.capacity + slot] =
            what.items[static_cast<size_t>(w) * what.n_all + item];
}

static __device__ inline void take(const photon_ring &ring, const work &what, unsigned ticket,
                                   unsigned item)
{
    const unsigned slot = photon_slot(ring, ticket);

    for (unsigned w = 0; w < ring.n_words; w++)
        what.taken[static_cast<size_t>(w) * what.n_all + item] =
            ring.words[static_cast<size_t>(w) * ring.capacity + slot];
}

/* Waits for the slot of a ticket that was drawn, and moves one item; false: gave up. */
static __device__ inline bool put_when_free(const photon_ring &ring, const work &what,
                                            unsigned ticket, unsigned item, photon_wait *wait)
{
    const unsigned first = what.items[item];

    if (!photon_await_free(ring, ticket, wait))
        return false;
    put(ring, what, ticket, item, first);
    photon_publish(ring, ticket);
    return true;
}

static __device__ inline bool take_when_full(const photon_ring &ring, const work &what,
                                             unsigned ticket, unsigned item, photon_wait *wait)
{
    if (!photon_await_full(ring, ticket, wait))
        return false;
    take(ring, what, ticket, item);
    photon_free(ring, ticket);
    return true;
}

/* ---- one side of a thread: what it pushes, or what it pops */

/* The times of a side, if it is watched: QUEUE_SIDE_... */
struct times {
    long long start, asked; /* when it asked for what it is waiting for; 0: it is not waiting */
    unsigned  n_asked, n_done, n_outside;
    unsigned long long waited;
};

struct side {
    unsigned    row, n_rows; /* this thread among all threads of its side */
    unsigned    quota, done; /* items */
    times       at;
    photon_wait wait;
};

static __device__ inline op op_of(const side &s, const flow &f, bool is_active)
{
    const unsigned left = s.quota - s.done;
    op             o;

    o.first      = s.row + s.done * s.n_rows;
    o.stride     = s.n_rows;
    o.n          = !is_active ? 0 : left < f.batch ? left : f.batch;
    o.n_of_block = left > 0 ? f.batch * blockDim.x : 0;
    return o;
}

/* The bin of a time, by powers of two. */
static __device__ inline unsigned bin_of(long long ticks)
{
    const unsigned low = ticks < 1              ? 1u
                         : ticks > 0xffffffffll ? 0xffffffffu
                                                : static_cast<unsigned>(ticks);

    return QUEUE_BINS - 1u - static_cast<unsigned>(__clz(static_cast<int>(low)));
}

template <bool IS_WATCHED> static __device__ inline void ask(side *s, const op &o)
{
    if (IS_WATCHED && o.n > 0 && s->at.asked == 0) {
        s->at.asked = clock64();
        s->at.n_asked++;
    }
}

template <bool IS_WATCHED>
static __device__ inline void settle(side *s, unsigned moved, unsigned *bins)
{
    if (IS_WATCHED && moved > 0) {
        const long long ticks = clock64() - s->at.asked;

        atomicAdd(bins + bin_of(ticks), moved);
        s->at.n_done++;
        s->at.n_outside += ticks < 0 || s->at.asked < s->at.start;
        s->at.waited += static_cast<unsigned long long>(ticks) * moved;
        s->at.asked = 0;
    }
    s->done += moved;
}

static __device__ inline side producer_of(const flow &f, long long start)
{
    const unsigned group = blockIdx.x / f.period, place = blockIdx.x % f.period;
    const bool     is_both = f.producers == 0;
    const unsigned block   = is_both ? blockIdx.x : group * f.producers + place;

    return side { block * blockDim.x + threadIdx.x,
                  f.n_producer_threads,
                  is_both || place < f.producers ? f.pushes * f.batch : 0,
                  0,
                  times { start, 0, 0, 0, 0, 0 },
                  photon_wait_until(start + f.what.limit_ticks) };
}

static __device__ inline side consumer_of(const flow &f, long long start)
{
    const unsigned group = blockIdx.x / f.period, place = blockIdx.x % f.period;
    const bool     is_both = f.producers == 0;
    const unsigned block =
        is_both ? blockIdx.x : group * (f.period - f.producers) + place - f.producers;

    return side { block * blockDim.x + threadIdx.x,
                  f.n_consumer_threads,
                  is_both || place >= f.producers ? f.pops * f.batch : 0,
                  0,
                  times { start, 0, 0, 0, 0, 0 },
                  photon_wait_until(start + f.what.limit_ticks) };
}

/* ---- the flow */

static __device__ inline bool takes_part(const flow &f, unsigned round)
{
    return !f.sits_out || (round - threadIdx.x) % PHOTON_WARP != 0;
}

/* For queues that wait: push, pop, and so on. An operation that gave up counts as done, so that all
 * threads of a block stay together. */
template <typename Queue, bool IS_WATCHED> static __device__ void
run_waiting(const typename Queue::ring &ring, const flow &f, side *push, side *pop, unsigned *bins)
{
    for (unsigned round = 0; round < f.n_rounds; round++) {
        const bool is_active = Queue::BY_BLOCK || takes_part(f, round);
        op         o         = op_of(*push, f, is_active);

        if (push->quota > 0) {
            ask<IS_WATCHED>(push, o);
            Queue::push(ring, f.what, o, &push->wait);
            settle<IS_WATCHED>(push, o.n, bins);
        }
        if (pop->quota > 0) {
            o = op_of(*pop, f, is_active);
            ask<IS_WATCHED>(pop, o);
            Queue::pop(ring, f.what, o, &pop->wait);
            settle<IS_WATCHED>(pop, o.n, bins + QUEUE_BINS);
        }
    }
}

/* For queues that answer: a thread that is told that the queue is full goes on to pop. */
template <typename Queue, bool IS_WATCHED>
static __device__ void run_answering(const typename Queue::ring &ring, const flow &f, side *push,
                                     side *pop, unsigned *bins)
{
    const unsigned present = photon_lanes_present();
    bool           has_more;
    unsigned       round = 0, nap_ns = SHORTEST_NAP_NS, n_moved;

    do {
        const bool is_active = takes_part(f, round++);
        op         o         = op_of(*push, f, is_active);
        unsigned   moved;

        ask<IS_WATCHED>(push, o);
        moved = Queue::push(ring, f.what, o, &push->wait);
        settle<IS_WATCHED>(push, moved, bins);
        n_moved = moved;
        if (moved < o.n && photon_is_late(&push->wait))
            push->quota = push->done;
        o = op_of(*pop, f, is_active);
        ask<IS_WATCHED>(pop, o);
        moved = Queue::pop(ring, f.what, o, &pop->wait);
        settle<IS_WATCHED>(pop, moved, bins + QUEUE_BINS);
        if (moved < o.n && photon_is_late(&pop->wait))
            pop->quota = pop->done;
        n_moved += moved;
        if (n_moved == 0)
            __nanosleep(nap_ns);
        nap_ns   = n_moved > 0 ? SHORTEST_NAP_NS : nap_ns < f.longest_nap_ns ? 2 * nap_ns : nap_ns;
        has_more = push->done < push->quota || pop->done < pop->quota;
    } while (__any_sync(present, has_more));
}

static __device__ inline void add_side(unsigned long long *stats, const side &s)
{
    const unsigned long long counts[QUEUE_SIDE_TICKS] = { s.wait.retries, s.wait.polls,
                                                          s.wait.atomics, s.at.n_asked,
                                                          s.at.n_done,    s.at.n_outside,
                                                          s.at.waited };

    for (unsigned k = 0; k < QUEUE_SIDE_TICKS; k++)
        atomicAdd(stats + k, counts[k]);
}

/* Runs both sides of a thread from their start. All threads of the block call it. */
template <typename Queue, bool IS_WATCHED>
static __device__ void run(const typename Queue::ring &ring, const flow &f, side *push, side *pop)
{
    __shared__ unsigned       bins[2 * QUEUE_BINS];
    unsigned long long *const stats = f.what.stats;

    if (IS_WATCHED) {
        for (unsigned i = threadIdx.x; i < 2 * QUEUE_BINS; i += blockDim.x)
            bins[i] = 0;
        __syncthreads();
    }
    if (Queue::ANSWERS)
        run_answering<Queue, IS_WATCHED>(ring, f, push, pop, bins);
    else
        run_waiting<Queue, IS_WATCHED>(ring, f, push, pop, bins);
    if (push->wait.gave_up || pop->wait.gave_up)
        atomicAdd(stats + QUEUE_STAT_GAVE_UP, 1ull);
    if (IS_WATCHED) {
        atomicAdd(stats + QUEUE_STAT_SPAN,
                  static_cast<unsigned long long>(clock64() - push->at.start));
        add_side(stats + QUEUE_STAT_PUSH, *push);
        add_side(stats + QUEUE_STAT_POP, *pop);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < 2 * QUEUE_BINS; i += blockDim.x)
            atomicAdd(stats + (i < QUEUE_BINS ? QUEUE_STAT_PUSH : QUEUE_STAT_POP) +
                          QUEUE_SIDE_TICKS + i % QUEUE_BINS,
                      static_cast<unsigned long long>(bins[i]));
    }
}

template <typename Queue, bool IS_WATCHED>
static __global__ void __launch_bounds__(MAX_THREADS, BLOCKS_AN_SM)
    queue_flow_kernel(typename Queue::ring ring, flow f)
{
    const long long start = clock64();
    side            push  = producer_of(f, start);
    side            pop   = consumer_of(f, start);

    run<Queue, IS_WATCHED>(ring, f, &push, &pop);
}

} // namespace queue

#endif
