/* OS threads of the executor. Each runs its share of a launch's blocks, and together they find out
 * when only polling is left in a launch. */
#include "worker_internal.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <system_error>
#include <thread>
#include <time.h>

__thread assay_worker *assay_worker_self;
double                 assay_worker_spin_cpu_s = 2;

namespace
{
/* If nothing has changed for this many resumed threads and assay_worker_spin_cpu_s of CPU time, on
 * every OS thread, the launch polls for a change that will never come. */
const uint64_t SPIN_RESUMED = uint64_t { 1 } << 20;
/* Reading the clock is a system call, so it is read once in this many passes. */
const uint64_t CLOCK_PASSES = 64;
/* Passes without a change after which a worker yields its core: each of the first ones, later one
 * in many. On a busy host it has to queue for the core each time, and would never poll enough. */
const uint64_t PROMPT_YIELDS = 256, LATER_YIELDS = 4096;
/* ThreadSanitizer knows about 8000 contexts, and a worker may need one for each of 1024 threads. */
const unsigned MAX_WORKERS = ASSAY_HAS_TSAN ? 5 : 64;
} // namespace

/* ---- polling that leads nowhere */

static uint64_t all_epochs(const assay_launch *launch)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < launch->n_workers; i++)
        sum += launch->workers[i].epoch.load(std::memory_order_relaxed);
    return sum;
}

/* Are all workers polling since the same change? What a worker found before that change does not
 * count: it may have had no CPU since, and may find what it waits for as soon as it has one. */
static bool are_all_spinning(const assay_launch *launch, uint64_t epochs)
{
    for (unsigned i = 0; i < launch->n_workers; i++)
        if (launch->workers[i].spun_at != epochs + 1 && !launch->workers[i].is_finished)
            return false;
    return all_epochs(launch) == epochs;
}

/* CPU time of this OS thread: without CPU time it has not polled. */
static double cpu_s(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return 0;
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static void raise_spin(assay_worker *worker)
{
    assay_launch  *launch = worker->launch;
    const uint64_t left   = launch->n_blocks - launch->blocks_begun;
    assay_block   *block  = worker->blocks[0].get(); /* of this launch: each worker has one */

    for (const auto &other : worker->blocks)
        if (other->launch == launch && other->runnable > 0)
            block = other.get();
    if (left > 0)
        assay_fault_raise(block, ASSAY_FAULT_DEADLOCK,
                          "deadlock: threads poll for a change that no running thread makes, %llu "
                          "blocks have not begun (blocks that wait for each other need "
                          "cudaLaunchCooperativeKernel): %s",
                          static_cast<unsigned long long>(left),
                          assay_fault_threads(block).c_str());
    else
        assay_fault_raise(block, ASSAY_FAULT_DEADLOCK,
                          "deadlock: threads poll for a change that no thread makes: %s",
                          assay_fault_threads(block).c_str());
}

/* Another OS thread may have to act first. */
static void give_way(const assay_launch *launch, uint64_t n_passes)
{
    if (launch->n_workers > 1 && (n_passes < PROMPT_YIELDS || n_passes % LATER_YIELDS == 0))
        (void)sched_yield();
}

void assay_worker_watch(assay_worker *worker, assay_spin_watch *watch)
{
    if (worker->has_progress) {
        worker->has_progress = false;
        worker->epoch.fetch_add(1, std::memory_order_relaxed);
        watch->is_running = false;
        return;
    }
    if (!watch->is_running)
        *watch = assay_spin_watch { worker->n_resumed, all_epochs(worker->launch), 0, 0, true };
    give_way(worker->launch, watch->n_passes++);
    if (watch->n_passes == CLOCK_PASSES)
        watch->since_cpu_s = cpu_s();
    if (all_epochs(worker->launch) != watch->epochs) {
        watch->is_running = false;
        return;
    }
    /* Blocks that wait for the grid resume no thread; the blocks of other workers decide. */
    if (worker->n_resumed - watch->resumed_before < SPIN_RESUMED &&
        worker->n_resumed != watch->resumed_before)
        return;
    if (watch->n_passes % CLOCK_PASSES != 0 ||
        cpu_s() - watch->since_cpu_s < assay_worker_spin_cpu_s)
        return;
    worker->spun_at = watch->epochs + 1;
    if (are_all_spinning(worker->launch, watch->epochs))
        raise_spin(worker);
}

/* ---- a worker's share */

assay_block *assay_worker_block(assay_worker *worker, unsigned slot)
{
    assay_block *block;

    while (worker->blocks.size() <= slot)
        worker->blocks.push_back(std::make_unique<assay_block>());
    block         = worker->blocks[slot].get();
    block->launch = worker->launch;
    block->worker = worker;
    block->slot   = slot;
    block->threads.clear();
    return block;
}

/* Runs one block after the other. */
static void run_in_turn(assay_worker *worker)
{
    assay_launch    *launch = worker->launch;
    assay_block     *block  = assay_worker_block(worker, 0);
    assay_spin_watch watch {};

    for (uint64_t at = worker->index; at < launch->n_blocks && !launch->has_fault;
         at += launch->n_workers) {
        assay_block_begin(block, assay_order_at(&launch->schedule, at, launch->n_blocks));
        while (assay_block_round(block))
            assay_worker_watch(worker, &watch);
        assay_block_end(block);
    }
}

/* The order in which resident blocks get their next round. */
static void order_blocks(const assay_launch *launch, assay_random *random,
                         std::vector<assay_block *> *blocks)
{
    if (launch->schedule.order != ASSAY_SHUFFLED)
        return;
    for (uint32_t i = static_cast<uint32_t>(blocks->size()); i > 1; i--)
        std::swap((*blocks)[i - 1], (*blocks)[random->below(i)]);
}

/* Runs all blocks at once, a round each. */
static void run_together(assay_worker *worker)
{
    assay_launch *launch = worker->launch;
    assay_random  random = assay_random_of(&launch->schedule, ~uint64_t { worker->index });
    std::vector<assay_block *> blocks;
    assay_spin_watch           watch {};

    for (uint64_t at = worker->index; at < launch->n_blocks; at += launch->n_workers) {
        blocks.push_back(assay_worker_block(worker, static_cast<unsigned>(blocks.size())));
        assay_block_begin(blocks.back(), assay_order_at(&launch->schedule, at, launch->n_blocks));
    }
    while (!blocks.empty() && !launch->has_fault) {
        order_blocks(launch, &random, &blocks);
        for (size_t i = 0; i < blocks.size() && !launch->has_fault;) {
            if (assay_block_round(blocks[i])) {
                i++;
                continue;
            }
            assay_block_end(blocks[i]);
            blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(i));
        }
        assay_worker_watch(worker, &watch);
    }
    for (assay_block *block : blocks)
        assay_block_end(block);
}

/* Everything that the fibers did comes before the end of the launch. */
static void release_end(assay_worker *worker)
{
    for (const assay_fiber *fiber : worker->fibers) {
        if (!ASSAY_HAS_TSAN || !fiber)
            continue;
        assay_tsan_switch(assay_fiber_tsan_context(fiber));
        assay_tsan_release(&worker->launch->end_object);
    }
    assay_tsan_switch(worker->home.tsan_context);
}

/* Memory ran out in the home context. */
static void give_up(assay_worker *worker)
{
    assay_launch *launch = worker->launch;

    if (!launch->has_fault.exchange(true)) {
        launch->fault.kind = ASSAY_FAULT_MEMORY;
        (void)strcpy(launch->fault.text, "out of host memory while a kernel ran");
    }
    for (const auto &block : worker->blocks)
        if (block->launch == launch && block->live > 0)
            assay_block_end(block.get());
}

/* A mode that the launcher has set would not reach a kernel on a GPU, and a mode that a kernel sets
 * must not reach the next kernel. */
static void note_float_mode(assay_launch *launch, const fenv_t *mode)
{
    char what[ASSAY_FLOAT_MODE_SIZE];

    if (assay_float_mode_leave(mode, what))
        return;
    const std::lock_guard<std::mutex> lock(launch->mutex);

    (void)strcpy(launch->float_mode, what);
}

void assay_worker_run(assay_worker *worker)
{
    fenv_t mode;

    assay_float_mode_enter(&mode);
    assay_worker_self         = worker;
    worker->current           = nullptr;
    worker->has_progress      = false;
    worker->n_resumed         = 0;
    worker->home.tsan_context = assay_tsan_current();
    blockDim                  = worker->launch->request->block;
    gridDim                   = worker->launch->request->grid;
    try {
        if (worker->launch->schedule.order == ASSAY_UNFAIR)
            assay_unfair_run(worker);
        else if (worker->launch->request->is_co_resident)
            run_together(worker);
        else
            run_in_turn(worker);
    } catch (const std::bad_alloc &) {
        give_up(worker);
    }
    release_end(worker);
    note_float_mode(worker->launch, &mode);
    worker->is_finished = true;
    assay_worker_self   = nullptr;
}

void assay_worker_destroy(assay_worker *worker)
{
    for (assay_fiber *fiber : worker->fibers)
        assay_fiber_destroy(fiber);
    worker->fibers.clear();
    for (const auto &block : worker->blocks)
        assay_shared_destroy(&block->shared);
    worker->blocks.clear();
    if (worker->janitor)
        assay_tsan_destroy(worker->janitor);
    worker->janitor = nullptr;
}

/* ---- the pool */

namespace
{
/* Worker 0 is the thread that launches; the others wait here between launches. */
struct pool {
    std::mutex               mutex;
    std::condition_variable  begin, end;
    std::vector<std::thread> threads;
    assay_worker             workers[MAX_WORKERS];
    uint64_t                 turn    = 0; /* number of launches that used the pool */
    unsigned                 working = 0;
    unsigned                 wanted  = 0; /* workers of this turn */
    bool                     is_over = false;

    ~pool() { assay_pool_shut_down(); }
};
pool the_pool;
} // namespace

static void serve(unsigned index, uint64_t seen)
{
    std::unique_lock<std::mutex> lock(the_pool.mutex);

    for (;;) {
        the_pool.begin.wait(lock, [&] { return the_pool.is_over || the_pool.turn != seen; });
        if (the_pool.is_over)
            return;
        seen = the_pool.turn;
        if (index >= the_pool.wanted)
            continue;
        lock.unlock();
        assay_worker_run(&the_pool.workers[index]);
        lock.lock();
        if (--the_pool.working == 0)
            the_pool.end.notify_all();
    }
}

unsigned assay_pool_size(void)
{
    static const unsigned size = [] {
        const char    *text   = getenv("ASSAY_HOST_THREADS");
        const long     asked  = text ? strtol(text, nullptr, 10) : 0;
        const unsigned cores  = std::max(1u, std::thread::hardware_concurrency());
        const unsigned common = std::min(cores, 4u);

        if (asked > 0)
            return static_cast<unsigned>(std::min<long>(asked, MAX_WORKERS));
        /* Neighbouring blocks run on different OS threads; otherwise their races would not be
         * seen. */
        return ASSAY_HAS_TSAN ? std::max(common, 3u) : common;
    }();

    return size;
}

/* Starts OS threads until there are n - 1; returns how many workers there are. */
static unsigned staff(unsigned n)
{
    while (the_pool.threads.size() + 1 < n) {
        const unsigned index = static_cast<unsigned>(the_pool.threads.size()) + 1;

        try {
            the_pool.threads.emplace_back(serve, index, the_pool.turn);
        } catch (const std::system_error &) {
            return index;
        }
    }
    return n;
}

void assay_pool_run(assay_launch *launch, unsigned n_workers)
{
    std::unique_lock<std::mutex> lock(the_pool.mutex);
    const unsigned               n = staff(std::min(n_workers, assay_pool_size()));

    launch->n_workers = n;
    launch->workers   = the_pool.workers;
    for (unsigned i = 0; i < n; i++) {
        the_pool.workers[i].index       = i;
        the_pool.workers[i].launch      = launch;
        the_pool.workers[i].epoch       = 0;
        the_pool.workers[i].spun_at     = 0;
        the_pool.workers[i].is_finished = false;
    }
    assay_orders_reset(launch);
    if (n > 1) {
        the_pool.wanted  = n;
        the_pool.working = n - 1;
        the_pool.turn++;
        the_pool.begin.notify_all();
    }
    lock.unlock();
    assay_worker_run(&the_pool.workers[0]);
    lock.lock();
    the_pool.end.wait(lock, [] { return the_pool.working == 0; });
    for (unsigned i = 0; i < n; i++)
        the_pool.workers[i].launch = nullptr;
}

void assay_pool_shut_down(void)
{
    {
        const std::lock_guard<std::mutex> lock(the_pool.mutex);

        the_pool.is_over = true;
        the_pool.begin.notify_all();
    }
    for (std::thread &thread : the_pool.threads)
        thread.join();
    the_pool.threads.clear();
    the_pool.is_over = false;
    for (assay_worker &worker : the_pool.workers)
        assay_worker_destroy(&worker);
}
