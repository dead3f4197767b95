/* Unfair schedules: one warp runs while others wait, for any length of time, as on a GPU. Each warp
 * of the resident blocks has a priority that is drawn when its block begins. The runnable warp with
 * the highest priority has the next turn. At a few random turns the running warp drops below all
 * others. This follows probabilistic concurrency testing (Burckhardt et al. 2010), except that the
 * number of changes in a block is only an average. A warp that polls drops below all others as
 * well, so that the warp it waits for has its turn. */
#include "worker_internal.h"

namespace
{
/* Blocks that are resident at once, unless the launch needs all of them: they interact in the
 * middle of their work. */
const unsigned MOST_BLOCKS = 4, MOST_THREADS = 2048;
/* The expected number of changes in a block is drawn from 0 to this. */
const uint32_t MOST_CHANGES = 3;
/* The number of turns of the first block is guessed: LEAST_TURNS, doubled a random number of
 * times. */
const uint32_t LEAST_TURNS = 32, N_GUESSES = 8;
/* Consecutive turns after which a warp drops below all others: what looks like work may be
 * waiting. */
const unsigned MOST_TURNS = 64;

const uint64_t HIGH = uint64_t { 1 } << 63;

struct unfair {
    assay_worker *worker;
    assay_launch *launch;
    assay_random  random;
    uint64_t      next;           /* position of the block that begins next */
    uint64_t      lowest;         /* the next warp to drop gets this priority */
    bool          is_shuffled;    /* otherwise neighbours are resident together */
    uint32_t      n_changes;      /* of a block */
    uint32_t      expected_turns; /* of a block */
    uint64_t     *last;           /* priority of the warp that had the last turn */
    unsigned      n_on_end;       /* its consecutive turns */

    std::vector<assay_block *> blocks;
};
} // namespace

/* Begins the next block of this worker in this place. False: there is none. */
static bool begin(unfair *u, assay_block *block)
{
    if (u->next >= u->launch->n_blocks)
        return false;
    assay_block_begin(
        block, u->is_shuffled ? assay_order_at(&u->launch->schedule, u->next, u->launch->n_blocks)
                              : u->next);
    u->next += u->launch->n_workers;
    block->n_turns = 0;
    for (uint64_t &priority : block->priority)
        priority = HIGH | u->random.next();
    return true;
}

static void begin_first(unfair *u)
{
    const unsigned room      = MOST_THREADS / u->launch->n_threads;
    const unsigned at_once   = room < 1 ? 1 : room < MOST_BLOCKS ? room : MOST_BLOCKS;
    const bool     takes_all = u->launch->request->is_co_resident;

    while (u->next < u->launch->n_blocks && (takes_all || u->blocks.size() < at_once)) {
        u->blocks.push_back(assay_worker_block(u->worker, static_cast<unsigned>(u->blocks.size())));
        (void)begin(u, u->blocks.back());
    }
}

/* Picks the next warp; returns its block, or NULL if no warp can run. */
static assay_block *pick(const unfair *u, unsigned *warp)
{
    assay_block *best    = nullptr;
    uint64_t     highest = 0;

    for (assay_block *block : u->blocks) {
        if (block->waits_for_grid)
            assay_grid_settle(block);
        for (unsigned w = 0; block->runnable > 0 && w * ASSAY_WARP_LANES < block->n_threads; w++)
            if (block->warps[w].runnable && block->priority[w] >= highest) {
                highest = block->priority[w];
                best    = block;
                *warp   = w;
            }
    }
    return best;
}

static bool has_polled(const assay_block *block, unsigned warp)
{
    for (unsigned rest = block->warps[warp].runnable; rest; rest &= rest - 1)
        if (block->threads[warp * ASSAY_WARP_LANES + static_cast<unsigned>(__builtin_ctz(rest))]
                .has_polled)
            return true;
    return false;
}

/* After a turn: decides whether the warp drops below all others. */
static void change(unfair *u, assay_block *block, unsigned warp)
{
    uint64_t *priority = &block->priority[warp];

    u->n_on_end = u->last == priority ? u->n_on_end + 1 : 1;
    u->last     = priority;
    if (u->random.below(u->expected_turns) >= u->n_changes && u->n_on_end < MOST_TURNS &&
        !has_polled(block, warp))
        return;
    *priority   = u->lowest--;
    u->n_on_end = 0;
}

static void end(unfair *u, assay_block *block)
{
    u->expected_turns = block->n_turns;
    assay_block_end(block);
    if (u->launch->has_fault || begin(u, block))
        return;
    for (size_t i = 0; i < u->blocks.size(); i++)
        if (u->blocks[i] == block)
            u->blocks.erase(u->blocks.begin() + static_cast<ptrdiff_t>(i));
}

void assay_unfair_run(assay_worker *worker)
{
    unfair           u {};
    assay_spin_watch watch {};
    unsigned         warp = 0;

    u.worker         = worker;
    u.launch         = worker->launch;
    u.random         = assay_random_of(&u.launch->schedule, ~uint64_t { 0 });
    u.is_shuffled    = u.random.below(2) != 0; /* the same for all workers */
    u.n_changes      = u.random.below(MOST_CHANGES + 1);
    u.expected_turns = LEAST_TURNS << u.random.below(N_GUESSES);
    u.random.state += worker->index;
    u.next   = worker->index;
    u.lowest = HIGH - 1;
    begin_first(&u);
    while (!u.blocks.empty() && !u.launch->has_fault) {
        assay_block *block = pick(&u, &warp);

        if (block) {
            block->n_turns++;
            if (assay_block_turn(block, warp))
                change(&u, block, warp);
            else if (!u.launch->has_fault)
                end(&u, block);
        }
        assay_worker_watch(worker, &watch);
    }
    for (assay_block *block : u.blocks)
        assay_block_end(block);
}
