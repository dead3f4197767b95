/* The barrier of the whole grid, across the OS threads of a co-resident launch. */
#include "executor.h"

void assay_host_grid_barrier(const char *file, int line)
{
    assay_worker *worker = assay_worker_self;
    assay_thread *thread = worker ? worker->current : nullptr;
    assay_block  *block;
    uint64_t     *object;

    if (!thread)
        assay_abort(file, line, "grid.sync() was called outside a kernel");
    block        = thread->block;
    thread->site = assay_site { file, line };
    if (!block->launch->request->is_co_resident)
        assay_fault_stop(
            thread, ASSAY_FAULT_MISUSE,
            "grid.sync() at %s: the launch at %s is not cooperative, use "
            "cudaLaunchCooperativeKernel or assay_launch_co_resident",
            assay_site_text(thread->site).text,
            assay_site_text({ block->launch->request->file, block->launch->request->line }).text);
    object = &block->launch->grid_object[block->grid_turn & 1u];
    block->at_grid++;
    assay_tsan_release(object);
    assay_thread_leave(thread, ASSAY_THREAD_GRID);
    assay_tsan_acquire(object);
}

bool assay_host_grid_is_co_resident(void)
{
    const assay_worker *worker = assay_worker_self;

    return worker && worker->launch && worker->launch->request->is_co_resident;
}

/* Finds blocks that wait for blocks that have ended. */
static void check_joined(assay_block *block, uint64_t count)
{
    const uint64_t done = count >> 32, waiting = count & 0xffffffffu;
    assay_launch  *launch = block->launch;

    if (done == 0 || waiting == 0 || done + waiting < launch->n_blocks)
        return;
    const std::lock_guard<std::mutex> lock(launch->mutex);

    assay_fault_raise(block, ASSAY_FAULT_DEADLOCK,
                      "deadlock: %llu of %llu blocks wait at grid.sync() (%s), the others have "
                      "ended without it",
                      static_cast<unsigned long long>(waiting),
                      static_cast<unsigned long long>(launch->n_blocks),
                      assay_site_text(launch->grid_site).text);
}

static void arrive(assay_block *block, const assay_site &site)
{
    assay_launch *launch = block->launch;
    uint64_t      count;

    {
        const std::lock_guard<std::mutex> lock(launch->mutex);

        launch->grid_site = site;
    }
    block->waits_for_grid = true;
    count                 = launch->grid_count.fetch_add(1) + 1;
    if ((count & 0xffffffffu) == launch->n_blocks) {
        /* No block arrives again before the turn is over. */
        launch->grid_count.fetch_sub(launch->n_blocks);
        launch->grid_turn.fetch_add(1);
        return;
    }
    check_joined(block, count);
}

static void pass(assay_block *block)
{
    block->waits_for_grid = false;
    block->at_grid        = 0;
    block->grid_turn++;
    block->worker->has_progress = true;
    for (assay_thread &thread : block->threads)
        if (thread.state == ASSAY_THREAD_GRID)
            assay_thread_wake(&thread);
}

/* Called when all live threads of the block are at the grid barrier. */
void assay_grid_settle(assay_block *block)
{
    const assay_thread *first = nullptr;

    if (!block->waits_for_grid) {
        for (const assay_thread &thread : block->threads) {
            if (thread.state != ASSAY_THREAD_GRID)
                continue;
            if (first && !(thread.site == first->site)) {
                assay_fault_raise(block, ASSAY_FAULT_BARRIER,
                                  "divergent barrier: threads of one block wait at different "
                                  "grid.sync(): %s",
                                  assay_fault_threads(block).c_str());
                return;
            }
            first = first ? first : &thread;
        }
        arrive(block, first->site);
    }
    if (block->waits_for_grid && block->launch->grid_turn.load() > block->grid_turn)
        pass(block);
}

void assay_grid_block_done(assay_block *block)
{
    if (block->launch->request->is_co_resident && !block->launch->has_fault)
        check_joined(block, block->launch->grid_count.fetch_add(uint64_t { 1 } << 32) +
                                (uint64_t { 1 } << 32));
}
