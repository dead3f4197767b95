/* The order in which blocks and threads run: what a schedule draws. */
#include "executor.h"

#include <utility>

assay_random assay_random_of(const assay_schedule *schedule, uint64_t number)
{
    assay_random random { schedule->seed };

    random.state = random.next() ^ number * 0xd1342543de82ef95u;
    return random;
}

/* A bijection on 0 to 2^(2 half_bits) - 1, by four Feistel rounds. */
static uint64_t permute(uint64_t seed, uint64_t x, unsigned half_bits)
{
    const uint64_t half  = (uint64_t { 1 } << half_bits) - 1;
    uint64_t       left  = x >> half_bits;
    uint64_t       right = x & half;

    for (uint64_t i = 0; i < 4; i++) {
        assay_random   random { seed ^ (right * 4 + i) };
        const uint64_t next = left ^ (random.next() & half);

        left  = right;
        right = next;
    }
    return left << half_bits | right;
}

uint64_t assay_order_at(const assay_schedule *schedule, uint64_t position, uint64_t n)
{
    unsigned half_bits = 1;
    uint64_t x         = position;

    if (schedule->order == ASSAY_ASCENDING)
        return position;
    if (schedule->order == ASSAY_DESCENDING)
        return n - 1 - position;
    while ((uint64_t { 1 } << 2 * half_bits) < n)
        half_bits++;
    do
        x = permute(schedule->seed, x, half_bits);
    while (x >= n);
    return x;
}

/* ---- threads */

/* A GPU may run one warp from barrier to barrier before another begins. So some warps are held back
 * while others can run; others are held behind each barrier, and now and then. None is held if a
 * thread polls, since it may wait for one of them. */
static void hold_warps(assay_block *block)
{
    enum {
        ROUNDS = 64 /* average number of rounds that hold the same warps */
    };
    uint32_t able = 0;

    block->held = block->is_fair ? 0 : block->held;
    if (block->is_fair)
        return;
    for (unsigned w = 0; w * ASSAY_WARP_LANES < block->n_threads; w++)
        able |= uint32_t { block->warps[w].runnable != 0 } << w;
    if ((able & ~block->held) == 0 || block->held_turn != block->barrier_turn ||
        block->random.below(ROUNDS) == 0)
        block->held = static_cast<uint32_t>(block->random.next());
    block->held_turn = block->barrier_turn;
    if ((able & ~block->held) == 0)
        block->held = 0;
}

/* Appends the runnable lanes of a warp to the first n of the order. */
static unsigned add_warp(assay_block *block, unsigned warp, unsigned n)
{
    for (unsigned rest = block->warps[warp].runnable; rest; rest &= rest - 1)
        block->order[n++] = static_cast<uint16_t>(warp * ASSAY_WARP_LANES +
                                                  static_cast<unsigned>(__builtin_ctz(rest)));
    return n;
}

static unsigned shuffle(assay_block *block, unsigned n)
{
    for (uint32_t i = n; i > 1; i--)
        std::swap(block->order[i - 1], block->order[block->random.below(i)]);
    return n;
}

unsigned assay_shuffle_round(assay_block *block)
{
    unsigned n = 0;

    hold_warps(block);
    for (unsigned w = 0; w * ASSAY_WARP_LANES < block->n_threads; w++)
        if (!(block->held >> w & 1u))
            n = add_warp(block, w, n);
    return shuffle(block, n);
}

unsigned assay_shuffle_warp(assay_block *block, unsigned warp)
{
    const unsigned n = shuffle(block, add_warp(block, warp, 0));

    for (unsigned k = 0; k < n; k++)
        block->threads[block->order[k]].has_polled = false;
    return n;
}
