/* Wrong on purpose, each variant in one way: a bounded queue. The flow, the script at rest and the
 * ring are those of photon_queue. */
#include "kernel.h"

#include <stddef.h>

#include "../../photon_queue/ring_queue.cuh"

namespace
{

/* In cycles; on the host in ns. */
const long long LATE_TICKS = 100000; /* long against an operation */
/* For queues that would wait for ever; the others end by themselves, if late on a loaded
 * machine. */
const long long SHORT_LIMIT_TICKS = 500000000;

enum : unsigned {
    NAP_NS     = 64,
    IDLE_POLLS = 16
};

/* Makes a thread late for certain: another thread that relies on what it has not done yet comes too
 * early. */
__device__ void be_late(void)
{
    const long long start = clock64();

    while (clock64() - start < LATE_TICKS)
        __nanosleep(1000);
}

/* ---- one item by compare and exchange, in pieces that the wrong queues combine differently */

struct by_cas : queue::on_ring {
    static constexpr bool ANSWERS = true;

    static __device__ bool draw_push(const ring &ring, unsigned *ticket, photon_wait *wait)
    {
        return photon_draw_if_ready(ring, ring.tail, 0, NAP_NS, ticket, wait);
    }
    static __device__ bool draw_pop(const ring &ring, unsigned *ticket, photon_wait *wait)
    {
        return photon_draw_if_ready(ring, ring.head, 1, NAP_NS, ticket, wait);
    }
};

struct right : by_cas {
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        unsigned ticket;

        if (op.n == 0 || !draw_push(ring, &ticket, wait))
            return 0;
        queue::put(ring, what, ticket, op.first, what.items[op.first]);
        photon_publish(ring, ticket);
        return 1;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        unsigned ticket;

        if (op.n == 0 || !draw_pop(ring, &ticket, wait))
            return 0;
        queue::take(ring, what, ticket, op.first);
        photon_free(ring, ticket);
        return 1;
    }
};

/* ---- the order of writing and publishing */

struct publish_before_write : right {
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        unsigned ticket;

        if (op.n == 0 || !draw_push(ring, &ticket, wait))
            return 0;
        photon_publish(ring, ticket);
        be_late();
        queue::put(ring, what, ticket, op.first, what.items[op.first]);
        return 1;
    }
};

struct free_before_read : right {
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        unsigned ticket;

        if (op.n == 0 || !draw_pop(ring, &ticket, wait))
            return 0;
        photon_free(ring, ticket);
        be_late();
        queue::take(ring, what, ticket, op.first);
        return 1;
    }
};

/* ---- counters compared by size: right until one of them has wrapped and the other has not */

struct wrap_compare : right {
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const unsigned tail = assay_load_relaxed(ring.tail), head = assay_load_relaxed(ring.head);

        return tail >= head + ring.capacity ? 0 : right::push(ring, what, op, wait);
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const unsigned tail = assay_load_relaxed(ring.tail), head = assay_load_relaxed(ring.head);

        return tail <= head ? 0 : right::pop(ring, what, op, wait);
    }
};

/* ---- takes some looks in vain for the end, although others may still have items to give */

struct idle_exit : right {
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        be_late();
        return right::push(ring, what, op, wait);
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        return wait->polls > IDLE_POLLS ? op.n : right::pop(ring, what, op, wait);
    }
};

/* ---- one draw a warp, by a leader. Lane 0 draws and moves its items alone, and leaves. */

struct lowest_lane_leads {
    static __device__ unsigned draw(const photon_ring &ring, unsigned *counter, photon_wait *wait)
    {
        const photon_warp_tickets t = photon_warp_draw<photon_promise_all>(
            ring, counter, photon_lanes_present() & ~1u, true, 1, wait);

        return t.first + t.rank;
    }
};

struct lane0_leads {
    static __device__ unsigned draw(const photon_ring &, unsigned *counter, photon_wait *wait)
    {
        const unsigned lanes = __ballot_sync(photon_lanes_present(), true);
        unsigned       first = 0;

        if (photon_lane() == 0)
            first = photon_draw(counter, static_cast<unsigned>(__popc(lanes)), wait);
        first = __shfl_sync(photon_lanes_present(), first, 0);
        return first + static_cast<unsigned>(__popc(lanes & ((1u << photon_lane()) - 1u)));
    }
};

/* Moves one side item after item, with tickets drawn alone or by the warp. */
template <typename Leader> __device__ void move_all(const photon_ring &ring, const queue::flow &f,
                                                    queue::side *s, unsigned *counter, bool is_push)
{
    while (s->done < s->quota) {
        const unsigned item   = s->row + s->done * s->n_rows;
        const unsigned ticket = photon_lane() == 0 ? photon_draw(counter, 1, &s->wait)
                                                   : Leader::draw(ring, counter, &s->wait);

        if (is_push)
            queue::put_when_free(ring, f.what, ticket, item, &s->wait);
        else
            queue::take_when_full(ring, f.what, ticket, item, &s->wait);
        s->done++;
    }
}

/* Nobody looks at the times here: each item took no time. */
__device__ void add_times(unsigned long long *stats, unsigned n)
{
    atomicAdd(stats + QUEUE_SIDE_ASKED, static_cast<unsigned long long>(n));
    atomicAdd(stats + QUEUE_SIDE_DONE, static_cast<unsigned long long>(n));
    atomicAdd(stats + QUEUE_SIDE_TICKS, static_cast<unsigned long long>(n));
}

template <typename Leader> __global__ void leader_kernel(photon_ring ring, queue::flow f)
{
    const long long start   = clock64();
    queue::side     push    = queue::producer_of(f, start);
    queue::side     pop     = queue::consumer_of(f, start);
    const bool      is_late = photon_lane() != 0;

    if (is_late)
        be_late(); /* lane 0 has left by then */
    move_all<Leader>(ring, f, &push, ring.tail, true);
    move_all<Leader>(ring, f, &pop, ring.head, false);
    if (push.wait.gave_up || pop.wait.gave_up)
        atomicAdd(f.what.stats + QUEUE_STAT_GAVE_UP, 1ull);
    if (f.sits_out) { /* watched */
        add_times(f.what.stats + QUEUE_STAT_PUSH, push.done);
        add_times(f.what.stats + QUEUE_STAT_POP, pop.done);
    }
}

/* ---- times */

/* Right, and slow in every operation. */
struct slow : right {
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        if (op.n > 0)
            be_late();
        return right::push(ring, what, op, wait);
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        if (op.n > 0)
            be_late();
        return right::pop(ring, what, op, wait);
    }
};

/* The same for a queue that waits. */
struct slow_waiting : queue::on_ring {
    static constexpr bool ANSWERS = false;

    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        if (op.n == 0)
            return 0;
        be_late();
        return queue::put_all(ring, what, op, photon_draw(ring.tail, op.n, wait), op.n, wait);
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        if (op.n == 0)
            return 0;
        be_late();
        return queue::take_all(ring, what, op, photon_draw(ring.head, op.n, wait), op.n, wait);
    }
};

/* Its times begin when the operation is over: it finds the times next to the `wait` that it is
 * given. */
struct late_stamp : slow_waiting {
    static __device__ void stamp(const queue::op &op, photon_wait *wait)
    {
        char *const at = reinterpret_cast<char *>(wait) - offsetof(queue::side, wait);

        if (op.n > 0)
            reinterpret_cast<queue::side *>(at)->at.asked = clock64();
    }
    static __device__ unsigned push(const ring &ring, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const unsigned moved = slow_waiting::push(ring, what, op, wait);

        stamp(op, wait);
        return moved;
    }
    static __device__ unsigned pop(const ring &ring, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const unsigned moved = slow_waiting::pop(ring, what, op, wait);

        stamp(op, wait);
        return moved;
    }
};

/* A shorter time was not measured from asking to done. */
__device__ void expect_long(unsigned long long *stats, const queue::side &s)
{
    if (s.at.waited < static_cast<unsigned long long>(LATE_TICKS) * s.done)
        atomicAdd(stats + QUEUE_SIDE_OUTSIDE, 1ull);
}

template <typename Queue> __global__ void slow_kernel(photon_ring ring, queue::flow f)
{
    const long long start = clock64();
    queue::side     push  = queue::producer_of(f, start);
    queue::side     pop   = queue::consumer_of(f, start);

    queue::run<Queue, true>(ring, f, &push, &pop);
    expect_long(f.what.stats + QUEUE_STAT_PUSH, push);
    expect_long(f.what.stats + QUEUE_STAT_POP, pop);
}

/* Its first times begin when the thread does. */
__global__ void early_kernel(photon_ring ring, queue::flow f)
{
    const long long start = clock64();
    queue::side     push  = queue::producer_of(f, start);
    queue::side     pop   = queue::consumer_of(f, start);

    push.at.asked = pop.at.asked = start;
    queue::run<right, true>(ring, f, &push, &pop);
}

typedef void flow_kernel(photon_ring ring, queue::flow f);

/* Times that are not watched are not looked at. */
template <flow_kernel *Kernel> int launch_timed(const assay_args *args, assay_stream stream)
{
    const photon_ring ring = right::ring_of(args);
    const queue::flow f    = queue::flow_of(args, queue::LIMIT_TICKS);

    if (!f.sits_out)
        return queue::launch<right>(args, stream);
    queue::launch_reset<right>(ring, args, stream);
    assay_launch_co_resident(Kernel, queue::param_of(args, QUEUE_PARAM_BLOCKS),
                             queue::param_of(args, QUEUE_PARAM_THREADS), 0, stream, ring, f);
    queue::launch_rest<right>(ring, args, f.what, stream);
    return assay_launch_status();
}

template <typename Leader>
int launch_leader(const assay_args *args, assay_stream stream, long long limit_ticks)
{
    const photon_ring ring = right::ring_of(args);
    const queue::flow f    = queue::flow_of(args, limit_ticks);

    queue::launch_reset<right>(ring, args, stream);
    assay_launch_co_resident(leader_kernel<Leader>, queue::param_of(args, QUEUE_PARAM_BLOCKS),
                             queue::param_of(args, QUEUE_PARAM_THREADS), 0, stream, ring, f);
    if (f.sits_out)
        queue::launch_rest<right>(ring, args, f.what, stream);
    return assay_launch_status();
}

} // namespace

#define LAUNCHER(name, limit)                                                                      \
    ASSAY_LAUNCHER(selftest_queue_##name) { return queue::launch<name>(args, stream, limit); }

LAUNCHER(right, queue::LIMIT_TICKS)
LAUNCHER(publish_before_write, queue::LIMIT_TICKS)
LAUNCHER(free_before_read, queue::LIMIT_TICKS)
LAUNCHER(wrap_compare, queue::LIMIT_TICKS)
LAUNCHER(idle_exit, SHORT_LIMIT_TICKS) /* producers wait for consumers that have left */
ASSAY_LAUNCHER(selftest_queue_slow) { return launch_timed<slow_kernel<slow>>(args, stream); }
ASSAY_LAUNCHER(selftest_queue_slow_waiting)
{
    return launch_timed<slow_kernel<slow_waiting>>(args, stream);
}
ASSAY_LAUNCHER(selftest_queue_late_time)
{
    return launch_timed<slow_kernel<late_stamp>>(args, stream);
}
ASSAY_LAUNCHER(selftest_queue_early_time) { return launch_timed<early_kernel>(args, stream); }
ASSAY_LAUNCHER(selftest_queue_lane0_gone)
{
    return launch_leader<lowest_lane_leads>(args, stream, queue::LIMIT_TICKS);
}
ASSAY_LAUNCHER(selftest_queue_lane0_leader)
{
    return launch_leader<lane0_leads>(args, stream, SHORT_LIMIT_TICKS);
}

ASSAY_WORKSPACE(selftest_queue_workspace)
{
    return photon_ring_bytes(args->param[QUEUE_PARAM_CAPACITY], args->param[QUEUE_PARAM_WORDS]);
}
