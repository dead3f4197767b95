/* The script at rest: one block pushes and pops, step after step, so that every answer is known.
 * How many items a step can move depends only on the count. */
#ifndef PHOTON_QUEUE_REST_CUH
#define PHOTON_QUEUE_REST_CUH

#include "flow.cuh"

namespace queue
{

enum : unsigned {
    ONE,
    BATCH,
    ALL
};

/* The same in all threads of the block. */
struct script {
    work        what;
    unsigned    capacity, pushed, popped, step;
    photon_wait wait;
};

static __device__ inline unsigned batch_of(const script &s)
{
    const unsigned most = QUEUE_REST_BATCH;

    return s.capacity < most ? s.capacity : most;
}

/* Where the queue should refuse, there may be no item left. Then any item will do, since it should
 * stay where it is. */
static __device__ inline op rest_op(const script &s, unsigned moved, unsigned n)
{
    const unsigned item = s.what.n_flow + moved + threadIdx.x, last = s.what.n_all - 1;

    return op { item < last ? item : last, 0, threadIdx.x < n ? 1u : 0u, n };
}

/* After a wrong answer there may be fewer items left than a batch. */
static __device__ inline bool has_left(const script &s, unsigned moved, unsigned n)
{
    return n == 1 || s.what.n_flow + moved + n <= s.what.n_all;
}

template <typename Queue>
static __device__ unsigned rest_push(const typename Queue::ring &ring, script *s, unsigned n)
{
    const op   o     = rest_op(*s, s->pushed, n);
    const bool goes  = has_left(*s, s->pushed, n) && (Queue::ANSWERS || Queue::has_room(ring, n));
    unsigned   moved = 0;

    __syncthreads(); /* all threads have looked before any of them moves */
    if (goes)
        moved = Queue::push(ring, s->what, o, &s->wait);
    moved = static_cast<unsigned>(__syncthreads_count(moved > 0));
    s->pushed += moved;
    return moved;
}

template <typename Queue>
static __device__ unsigned rest_pop(const typename Queue::ring &ring, script *s, unsigned n)
{
    const op   o     = rest_op(*s, s->popped, n);
    const bool goes  = has_left(*s, s->popped, n) && (Queue::ANSWERS || Queue::has_items(ring, n));
    unsigned   moved = 0;

    __syncthreads();
    if (goes)
        moved = Queue::pop(ring, s->what, o, &s->wait);
    moved = static_cast<unsigned>(__syncthreads_count(moved > 0));
    s->popped += moved;
    return moved;
}

/* One step; the number of items that it moved is an answer. */
template <typename Queue> static __device__ void rest_step(const typename Queue::ring &ring,
                                                           script *s, bool is_push, unsigned size)
{
    const unsigned n       = size == ONE ? 1 : batch_of(*s);
    const unsigned repeats = size == ALL ? s->capacity / n : 1;
    unsigned       moved   = 0;

    for (unsigned i = 0; i < repeats; i++)
        moved += is_push ? rest_push<Queue>(ring, s, n) : rest_pop<Queue>(ring, s, n);
    if (threadIdx.x == 0)
        s->what.answers[s->step] = moved;
    s->step++;
}

/* On the ring as the flow has left it: empty. */
template <typename Queue>
static __device__ void rest_after_flow(const typename Queue::ring &ring, script *s)
{
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, true, ONE);
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, false, ONE);
}

/* From empty to full and back; each direction is asked for more than there is. */
template <typename Queue>
static __device__ void rest_script(const typename Queue::ring &ring, script *s)
{
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, true, ONE);
    rest_step<Queue>(ring, s, true, ONE);
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, false, ONE);
    rest_step<Queue>(ring, s, true, ALL);
    rest_step<Queue>(ring, s, true, ONE);
    rest_step<Queue>(ring, s, false, BATCH);
    rest_step<Queue>(ring, s, true, BATCH);
    rest_step<Queue>(ring, s, true, ONE);
    rest_step<Queue>(ring, s, false, ALL);
    rest_step<Queue>(ring, s, false, ONE);
}

template <typename Queue> static __global__ void __launch_bounds__(QUEUE_REST_BATCH)
    queue_rest_kernel(typename Queue::ring ring, work what, unsigned capacity, unsigned start)
{
    script s = { what, capacity, 0, 0, 0, photon_wait_until(clock64() + what.limit_ticks) };

    rest_after_flow<Queue>(ring, &s);
    for (unsigned i = 0; i < QUEUE_N_RESTARTS; i++) {
        /* The second time the counters wrap while the queue is being filled. */
        __syncthreads();
        Queue::reset(ring, i == 0 ? start : 0u - capacity / 2, threadIdx.x, blockDim.x);
        __syncthreads();
        rest_script<Queue>(ring, &s);
    }
    if (s.wait.gave_up)
        atomicAdd(what.stats + QUEUE_STAT_GAVE_UP, 1ull);
}

/* ---- the launch: an empty ring, the flow, and, if it is watched, the script */

template <typename Queue> static __global__ void
queue_reset_kernel(typename Queue::ring ring, unsigned start, unsigned long long *stats)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    Queue::reset(ring, start, i, gridDim.x * blockDim.x);
    if (i < QUEUE_N_STATS)
        stats[i] = 0;
}

inline unsigned param_of(const assay_args *args, int which)
{
    return static_cast<unsigned>(args->param[which]);
}

/* Rounds until every lane has had its turns: it is idle in one of 32. */
inline unsigned rounds_for(unsigned turns, bool sits_out)
{
    return sits_out && turns > 0 ? turns + turns / (PHOTON_WARP - 1) + 3 : turns;
}

inline flow flow_of(const assay_args *args, long long limit_ticks,
                    unsigned longest_nap_ns = LONGEST_NAP_NS)
{
    const unsigned period    = param_of(args, QUEUE_PARAM_PERIOD);
    const unsigned producers = param_of(args, QUEUE_PARAM_PRODUCERS);
    const unsigned threads =
        param_of(args, QUEUE_PARAM_BLOCKS) / period * param_of(args, QUEUE_PARAM_THREADS);
    flow f;

    f.what.items         = static_cast<const unsigned *>(args->buf[QUEUE_BUF_ITEMS]);
    f.what.taken         = static_cast<unsigned *>(args->buf[QUEUE_BUF_TAKEN]);
    f.what.answers       = static_cast<unsigned *>(args->buf[QUEUE_BUF_ANSWERS]);
    f.what.stats         = static_cast<unsigned long long *>(args->buf[QUEUE_BUF_STATS]);
    f.what.n_all         = param_of(args, QUEUE_PARAM_N_ALL);
    f.what.n_flow        = param_of(args, QUEUE_PARAM_N_FLOW);
    f.what.limit_ticks   = limit_ticks;
    f.producers          = producers;
    f.period             = period;
    f.n_producer_threads = threads * (producers > 0 ? producers : 1);
    f.n_consumer_threads = threads * (producers > 0 ? period - producers : 1);
    f.pushes             = param_of(args, QUEUE_PARAM_PUSHES);
    f.pops               = param_of(args, QUEUE_PARAM_POPS);
    f.batch              = param_of(args, QUEUE_PARAM_BATCH);
    f.longest_nap_ns     = longest_nap_ns;
    f.sits_out           = param_of(args, QUEUE_PARAM_IS_WATCHED) != 0;
    f.n_rounds           = rounds_for(f.pushes > f.pops ? f.pushes : f.pops, f.sits_out);
    return f;
}

template <typename Queue> inline void launch_reset(const typename Queue::ring &ring,
                                                   const assay_args *args, assay_stream stream)
{
    const unsigned wanted = assay_blocks_for(param_of(args, QUEUE_PARAM_CAPACITY), RESET_THREADS);

    queue_reset_kernel<Queue>
        <<<(wanted < MAX_RESET_GRID ? wanted : MAX_RESET_GRID), RESET_THREADS, 0, stream>>>(
            ring, param_of(args, QUEUE_PARAM_START),
            static_cast<unsigned long long *>(args->buf[QUEUE_BUF_STATS]));
}

template <typename Queue> inline void launch_rest(const typename Queue::ring &ring,
                                                  const assay_args *args, const work &what,
                                                  assay_stream stream)
{
    const unsigned capacity = param_of(args, QUEUE_PARAM_CAPACITY), batch = QUEUE_REST_BATCH;

    queue_rest_kernel<Queue><<<1, (capacity < batch ? capacity : batch), 0, stream>>>(
        ring, what, capacity, param_of(args, QUEUE_PARAM_START));
}

template <typename Queue> inline int launch(const assay_args *args, assay_stream stream,
                                            long long limit_ticks    = LIMIT_TICKS,
                                            unsigned  longest_nap_ns = LONGEST_NAP_NS)
{
    const typename Queue::ring ring    = Queue::ring_of(args);
    const flow                 f       = flow_of(args, limit_ticks, longest_nap_ns);
    const unsigned             blocks  = param_of(args, QUEUE_PARAM_BLOCKS);
    const unsigned             threads = param_of(args, QUEUE_PARAM_THREADS);

    launch_reset<Queue>(ring, args, stream);
    if (f.sits_out) {
        assay_launch_co_resident(queue_flow_kernel<Queue, true>, blocks, threads, 0, stream, ring,
                                 f);
        launch_rest<Queue>(ring, args, f.what, stream);
    } else {
        assay_launch_co_resident(queue_flow_kernel<Queue, false>, blocks, threads, 0, stream, ring,
                                 f);
    }
    return assay_launch_status();
}

} // namespace queue

#endif
