/* Runs one block: begins its threads, resumes them round by round, and finds out when none can
 * run. */
#include "executor.h"

#include <string.h>

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3  blockDim(1, 1, 1);
__thread dim3  gridDim(1, 1, 1);

namespace
{
/* How many yield points a thread may pass before it gives way: few enough to interleave, enough to
 * keep kernels full of atomics fast. */
const unsigned YIELD_BUDGET = 8;
} // namespace

static unsigned new_budget(assay_block *block)
{
    return block->launch->schedule.order >= ASSAY_SHUFFLED ? 1 + block->random.below(YIELD_BUDGET)
                                                           : YIELD_BUDGET;
}

/* ---- threads */

/* The first code that runs on a thread's fiber. */
static void thread_main(void *argument)
{
    assay_thread *thread = static_cast<assay_thread *>(argument);
    assay_block  *block  = thread->block;

    assay_tsan_acquire(&block->launch->begin_object);
    block->launch->request->invoke(block->launch->request->arguments);
    if (block->copies.n_on_way > 0)
        assay_copies_leave(thread);
    if (block->objects)
        assay_tsan_release(&block->objects->finish);
    thread->state = ASSAY_THREAD_DONE;
    assay_fiber_leave(&block->worker->home, thread->fiber, true);
}

static assay_warp *warp_of(assay_block *block, const assay_thread *thread)
{
    return &block->warps[thread->rank / ASSAY_WARP_LANES];
}

static unsigned lane_bit(const assay_thread *thread)
{
    return 1u << thread->rank % ASSAY_WARP_LANES;
}

static void stop_running(assay_block *block, const assay_thread *thread)
{
    block->runnable--;
    warp_of(block, thread)->runnable &= ~lane_bit(thread);
}

void assay_thread_leave(assay_thread *thread, assay_thread_state state)
{
    assay_block *block = thread->block;

    if (state != ASSAY_THREAD_RUN)
        stop_running(block, thread);
    thread->state = state;
    assay_fiber_leave(&block->worker->home, thread->fiber, false);
}

void assay_thread_wake(assay_thread *thread)
{
    thread->state = ASSAY_THREAD_RUN;
    thread->block->runnable++;
    warp_of(thread->block, thread)->runnable |= lane_bit(thread);
}

static assay_fiber *take_fiber(assay_worker *worker, const assay_thread *thread)
{
    assay_fiber *fiber = nullptr;

    if (ASSAY_HAS_TSAN) {
        /* Each thread of the block has a context of its own, since shared ones would hide races. */
        const size_t at = size_t { thread->block->slot } * thread->block->n_threads + thread->rank;

        if (worker->fibers.size() <= at)
            worker->fibers.resize(at + 1);
        if (!worker->fibers[at])
            worker->fibers[at] = assay_fiber_create();
        return worker->fibers[at];
    }
    if (worker->fibers.empty())
        return assay_fiber_create();
    /* Takes the fiber that was used last, since its stack is in the cache. */
    fiber = worker->fibers.back();
    worker->fibers.pop_back();
    return fiber;
}

static void give_fiber(assay_worker *worker, assay_thread *thread)
{
    if (!ASSAY_HAS_TSAN)
        worker->fibers.push_back(thread->fiber);
    thread->fiber = nullptr;
}

static bool begin_thread(assay_worker *worker, assay_thread *thread)
{
    thread->fiber = take_fiber(worker, thread);
    if (!thread->fiber) {
        assay_fault_raise(thread->block, ASSAY_FAULT_MEMORY, "no memory for the stack of a thread");
        return false;
    }
    thread->state  = ASSAY_THREAD_RUN;
    thread->budget = new_budget(thread->block);
    assay_fiber_start(thread->fiber, thread_main, thread);
    return true;
}

/* Other threads may have waited for the thread that exited. */
static void recheck(assay_block *block, unsigned warp)
{
    if (block->warps[warp].waiting)
        assay_warp_recheck(block, warp);
    if (block->parts.is_used)
        assay_part_recheck(block, warp);
}

static void end_thread(assay_worker *worker, assay_thread *thread)
{
    assay_block *block = thread->block;
    assay_warp  *warp  = warp_of(block, thread);

    give_fiber(worker, thread);
    worker->has_progress = true;
    block->live--;
    stop_running(block, thread);
    warp->done |= lane_bit(thread);
    if (warp->waiting | block->parts.is_used)
        recheck(block, thread->rank / ASSAY_WARP_LANES);
}

static inline void resume(assay_worker *worker, assay_thread *thread)
{
    if (thread->state == ASSAY_THREAD_FRESH && !begin_thread(worker, thread))
        return;
    threadIdx       = thread->index;
    worker->current = thread;
    worker->n_resumed++;
    assay_fiber_enter(&worker->home, thread->fiber);
    worker->current = nullptr;
    if (thread->state == ASSAY_THREAD_DONE)
        end_thread(worker, thread);
}

/* ---- blocks */

/* Sets what is the same for all blocks of a launch. */
static void lay_out(assay_block *block)
{
    const dim3 size = block->launch->request->block;

    block->n_threads = block->launch->n_threads;
    block->threads.resize(block->n_threads);
    block->order.resize(block->n_threads);
    for (unsigned i = 0; i < block->n_threads; i++) {
        assay_thread &thread = block->threads[i];

        thread       = assay_thread {};
        thread.rank  = i;
        thread.block = block;
        thread.index = uint3 { i % size.x, i / size.x % size.y, i / size.x / size.y };
    }
}

void assay_block_begin(assay_block *block, uint64_t number)
{
    const dim3 grid = block->launch->request->grid;

    if (block->threads.empty())
        lay_out(block);
    block->number = number;
    block->index  = uint3 { static_cast<unsigned>(number % grid.x),
                           static_cast<unsigned>(number / grid.x % grid.y),
                           static_cast<unsigned>(number / grid.x / grid.y) };
    block->random = assay_random_of(&block->launch->schedule, number);
    block->live = block->runnable = block->n_threads;
    block->at_barrier = block->at_grid = block->active = 0;
    block->barrier_turn = block->held_turn = 0;
    block->waits_for_grid                  = false;
    block->grid_turn                       = 0;
    block->held                            = 0;
    block->is_fair                         = false;
    for (assay_thread &thread : block->threads) {
        thread.state      = ASSAY_THREAD_FRESH;
        thread.has_polled = false;
        assay_orders_begin(&thread);
    }
    for (unsigned w = 0; w * ASSAY_WARP_LANES < block->n_threads; w++) {
        const unsigned lanes  = block->n_threads - w * ASSAY_WARP_LANES;
        const unsigned exists = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1u;

        block->warps[w] = assay_warp { exists, 0, 0, exists };
    }
    if (block->parts.is_used)
        block->parts = assay_parts {};
    assay_shared_begin(block);
    block->launch->blocks_begun.fetch_add(1, std::memory_order_relaxed);
}

static void check_stuck(assay_block *block)
{
    if (block->runnable > 0 || block->live == 0 || block->waits_for_grid ||
        block->launch->has_fault)
        return;
    assay_fault_raise(block, ASSAY_FAULT_DEADLOCK, "deadlock: no thread can run on: %s",
                      assay_fault_threads(block).c_str());
}

/* Resumes the first `n` threads in an order; if it is shuffled, the first `n` of block->order. */
static void resume_all(assay_block *block, unsigned n, assay_order order)
{
    assay_worker      *worker = block->worker;
    std::atomic<bool> &fault  = block->launch->has_fault;

    blockIdx = block->index;
    for (unsigned k = 0; k < n && !fault.load(std::memory_order_relaxed); k++) {
        const unsigned i      = order == ASSAY_SHUFFLED     ? block->order[k]
                                : order == ASSAY_DESCENDING ? n - 1 - k
                                                            : k;
        assay_thread  *thread = &block->threads[i];

        if (thread->state <= ASSAY_THREAD_RUN)
            resume(worker, thread);
    }
}

/* Settles the waits that no further thread can join. */
static void settle(assay_block *block)
{
    if (block->active > 0)
        assay_active_settle(block);
    if (block->at_barrier > 0 && block->at_barrier == block->live)
        assay_barrier_settle(block);
    if (block->at_grid > 0 && block->at_grid == block->live)
        assay_grid_settle(block);
    check_stuck(block);
}

bool assay_block_round(assay_block *block)
{
    const assay_order order = block->launch->schedule.order;

    if (block->waits_for_grid)
        assay_grid_settle(block);
    if (block->copies.n_on_way > 0)
        assay_copies_round(block, block->n_threads);
    if (block->runnable > 0) {
        resume_all(block, order == ASSAY_SHUFFLED ? assay_shuffle_round(block) : block->n_threads,
                   order);
        settle(block);
    }
    return block->live > 0 && !block->launch->has_fault;
}

bool assay_block_turn(assay_block *block, unsigned warp)
{
    const unsigned n = assay_shuffle_warp(block, warp);

    if (block->copies.n_on_way > 0)
        assay_copies_round(block, n);
    resume_all(block, n, ASSAY_SHUFFLED);
    settle(block);
    return block->live > 0 && !block->launch->has_fault;
}

/* Gives up the threads that a fault has stopped. */
static void abandon(assay_worker *worker, assay_block *block)
{
    for (assay_thread &thread : block->threads) {
        if (!thread.fiber)
            continue;
        if (block->objects) {
            assay_tsan_switch(assay_fiber_tsan_context(thread.fiber));
            assay_tsan_release(&block->objects->finish);
            assay_tsan_release(&block->launch->end_object);
            assay_tsan_switch(worker->home.tsan_context);
        }
        assay_fiber_abandon(thread.fiber);
        give_fiber(worker, &thread);
    }
}

void assay_block_end(assay_block *block)
{
    if (block->live > 0)
        abandon(block->worker, block);
    if (block->copies.is_used)
        assay_copies_end(block);
    assay_shared_end(block);
    assay_grid_block_done(block);
    block->live = block->runnable = 0;
}

/* ---- giving way */

void assay_host_yield(assay_yield kind, const char *file, int line)
{
    assay_worker *worker = assay_worker_self;
    assay_thread *thread = worker ? worker->current : nullptr;

    if (!thread)
        return;
    if (kind == ASSAY_YIELD_WRITE)
        worker->has_progress = true;
    if (kind != ASSAY_YIELD_SLEEP && --thread->budget > 0)
        return;
    thread->budget     = new_budget(thread->block);
    thread->site       = assay_site { file, line };
    thread->has_polled = kind != ASSAY_YIELD_WRITE;
    thread->block->is_fair |= thread->has_polled;
    assay_thread_leave(thread, ASSAY_THREAD_RUN);
}
