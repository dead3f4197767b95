/* Where threads of a block wait for each other: warp operations of the lanes in a mask, active
 * masks, block barriers. */
#include "executor.h"

/* ---- warp operations */

namespace
{
/* One complete rendezvous: its lanes and its operation. */
struct meeting {
    assay_thread *first; /* thread of lane 0, whether or not it takes part */
    unsigned      lanes;
    unsigned      mask;
    unsigned      op;
};
} // namespace

template <typename T, typename Combine> static uint64_t fold(const meeting &m, Combine combine)
{
    unsigned rest   = m.lanes;
    T        result = static_cast<T>(m.first[__builtin_ctz(rest)].value);

    for (rest &= rest - 1; rest != 0; rest &= rest - 1)
        result = combine(result, static_cast<T>(m.first[__builtin_ctz(rest)].value));
    return static_cast<uint32_t>(result);
}

/* Lanes whose operand is `value`. */
static unsigned lanes_with(const meeting &m, uint64_t value)
{
    unsigned same = 0;

    for (unsigned rest = m.lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));

        if (m.first[lane].value == value)
            same |= 1u << lane;
    }
    return same;
}

static uint64_t reduce(const meeting &m)
{
    const auto smaller = [](auto a, auto b) { return b < a ? b : a; };
    const auto larger  = [](auto a, auto b) { return a < b ? b : a; };

    switch (m.op) {
    case ASSAY_WARP_ADD:
        return fold<uint32_t>(m, [](uint32_t a, uint32_t b) { return a + b; });
    case ASSAY_WARP_MIN_SIGNED:
        return fold<int32_t>(m, smaller);
    case ASSAY_WARP_MAX_SIGNED:
        return fold<int32_t>(m, larger);
    case ASSAY_WARP_MIN_UNSIGNED:
        return fold<uint32_t>(m, smaller);
    case ASSAY_WARP_MAX_UNSIGNED:
        return fold<uint32_t>(m, larger);
    case ASSAY_WARP_AND:
        return fold<uint32_t>(m, [](uint32_t a, uint32_t b) { return a & b; });
    case ASSAY_WARP_OR:
        return fold<uint32_t>(m, [](uint32_t a, uint32_t b) { return a | b; });
    case ASSAY_WARP_XOR:
        return fold<uint32_t>(m, [](uint32_t a, uint32_t b) { return a ^ b; });
    default:
        return 0; /* __syncwarp */
    }
}

/* The result that is the same for all lanes. */
static uint64_t common_result(const meeting &m)
{
    const unsigned set = m.lanes & ~lanes_with(m, 0);

    switch (m.op) {
    case ASSAY_WARP_BALLOT:
        return set;
    case ASSAY_WARP_ANY:
        return set != 0;
    case ASSAY_WARP_ALL:
        return set == m.lanes;
    case ASSAY_WARP_MATCH_ALL:
        return lanes_with(m, m.first[__builtin_ctz(m.lanes)].value) == m.lanes ? m.lanes : 0;
    default:
        return reduce(m);
    }
}

static const char *why_no_source(const assay_warp &warp, unsigned mask, unsigned source)
{
    const unsigned bit = 1u << source;

    return !(warp.exists & bit) ? "the block has no such thread"
           : !(mask & bit)      ? "the mask does not have it"
                                : "it has exited";
}

/* Computes the results; false after a fault. */
static bool compute(assay_block *block, const assay_warp &warp, const meeting &m)
{
    const uint64_t common =
        m.op == ASSAY_WARP_SHUFFLE || m.op == ASSAY_WARP_MATCH_ANY ? 0 : common_result(m);
    uint64_t result[ASSAY_WARP_LANES];

    for (unsigned rest = m.lanes; rest != 0; rest &= rest - 1) {
        const unsigned      lane   = static_cast<unsigned>(__builtin_ctz(rest));
        const assay_thread &thread = m.first[lane];

        result[lane] = common;
        if (m.op == ASSAY_WARP_MATCH_ANY)
            result[lane] = lanes_with(m, thread.value);
        if (m.op != ASSAY_WARP_SHUFFLE)
            continue;
        if (!(m.lanes >> (thread.source & 31u) & 1u)) {
            assay_fault_raise(block, ASSAY_FAULT_MISUSE,
                              "warp misuse: lane %u (thread %u) shuffles from lane %u at %s: %s "
                              "(mask 0x%08x)",
                              lane, thread.rank, thread.source & 31u,
                              assay_site_text(thread.site).text,
                              why_no_source(warp, m.mask, thread.source & 31u), m.mask);
            return false;
        }
        result[lane] = m.first[thread.source & 31u].value;
    }
    for (unsigned rest = m.lanes; rest != 0; rest &= rest - 1)
        m.first[__builtin_ctz(rest)].value = result[__builtin_ctz(rest)];
    return true;
}

/* Every lane releases what it did, so that each can acquire all of it when it resumes. The object
 * belongs to the lowest lane, which takes part in every rendezvous that uses it; two objects
 * alternate. */
static void order_lanes(assay_block *block, const meeting &m)
{
    const unsigned leader = m.first->rank + static_cast<unsigned>(__builtin_ctz(m.lanes));
    uint64_t      *object = &block->objects->warp[leader][block->objects->warp_turn[leader]++ & 1u];
    void          *self   = assay_tsan_current();

    for (unsigned rest = m.lanes; rest != 0; rest &= rest - 1) {
        assay_thread &thread = m.first[__builtin_ctz(rest)];

        assay_tsan_switch(assay_fiber_tsan_context(thread.fiber));
        assay_tsan_release(object);
        thread.warp_object = object;
    }
    assay_tsan_switch(self);
}

static bool is_same_request(const assay_thread &a, const assay_thread &b)
{
    return a.mask == b.mask && a.op == b.op;
}

static void raise_mismatch(assay_block *block, const assay_thread &a, const assay_thread &b)
{
    assay_fault_raise(block, ASSAY_FAULT_MISUSE,
                      "warp misuse: lanes of one mask meet in different operations: thread %u in "
                      "%s, mask 0x%08x, at %s; thread %u in %s, mask 0x%08x, at %s",
                      a.rank, assay_warp_op_text(a.op), a.mask, assay_site_text(a.site).text,
                      b.rank, assay_warp_op_text(b.op), b.mask, assay_site_text(b.site).text);
}

/* Does the thread wait for a lane that is still running? That lane may still arrive. */
static bool may_go_on(const assay_warp &warp, const assay_thread &thread)
{
    return (thread.mask & warp.exists & ~warp.done & ~warp.waiting) != 0;
}

/* Completes the rendezvous that `thread` waits in if every lane of its mask that has not exited is
 * there. False: not yet, or a fault. */
static bool try_complete(assay_block *block, assay_thread *thread)
{
    const unsigned index = thread->rank / ASSAY_WARP_LANES;
    assay_warp    *warp  = &block->warps[index];
    const unsigned lanes = thread->mask & warp->exists & ~warp->done;
    const meeting  m     = { &block->threads[index * ASSAY_WARP_LANES], lanes, thread->mask,
                             thread->op };

    if ((lanes & ~warp->waiting) != 0)
        return false;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const assay_thread &other = m.first[__builtin_ctz(rest)];

        if (!is_same_request(*thread, other)) {
            if (!may_go_on(*warp, other))
                raise_mismatch(block, *thread, other);
            return false;
        }
    }
    if (!compute(block, *warp, m))
        return false;
    if (block->objects)
        order_lanes(block, m);
    warp->waiting &= ~lanes;
    block->worker->has_progress = true;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        if (m.first[__builtin_ctz(rest)].state == ASSAY_THREAD_WARP)
            assay_thread_wake(&m.first[__builtin_ctz(rest)]);
    return true;
}

void assay_warp_recheck(assay_block *block, unsigned warp)
{
    assay_thread *first = &block->threads[warp * ASSAY_WARP_LANES];

    for (unsigned lane = 0; lane < ASSAY_WARP_LANES; lane++)
        if (block->warps[warp].waiting >> lane & 1u)
            (void)try_complete(block, &first[lane]);
}

uint64_t assay_host_warp_exchange(assay_warp_op op, unsigned mask, uint64_t value, unsigned source,
                                  const char *file, int line)
{
    assay_thread  *thread = assay_thread_running(file, line);
    assay_block   *block  = thread->block;
    const unsigned lane   = thread->rank % ASSAY_WARP_LANES;

    thread->op     = op;
    thread->mask   = mask;
    thread->value  = value;
    thread->source = source;
    if (!(mask >> lane & 1u))
        assay_fault_stop(thread, ASSAY_FAULT_MISUSE,
                         "warp misuse: lane %u (thread %u) is not in its own mask 0x%08x of %s at "
                         "%s",
                         lane, thread->rank, mask, assay_warp_op_text(op),
                         assay_site_text(thread->site).text);
    if (op == ASSAY_WARP_SYNC)
        assay_orders_barrier(thread, true);
    block->warps[thread->rank / ASSAY_WARP_LANES].waiting |= 1u << lane;
    /* The last lane to arrive gives way as well: the schedule decides which one resumes first. */
    assay_thread_leave(thread, try_complete(block, thread) ? ASSAY_THREAD_RUN : ASSAY_THREAD_WARP);
    if (block->objects)
        assay_tsan_acquire(thread->warp_object);
    return thread->value;
}

/* ---- active masks */

unsigned assay_host_active_mask(const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    thread->op = ASSAY_WARP_ACTIVE_MASK;
    thread->block->active++;
    assay_thread_leave(thread, ASSAY_THREAD_ACTIVE);
    return static_cast<unsigned>(thread->value);
}

/* Lanes that reach the same line in the same round are active together. */
static void settle_active_warp(assay_block *block, assay_thread *first, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned mask = 0;

        if (first[i].state != ASSAY_THREAD_ACTIVE)
            continue;
        for (unsigned j = i; j < n; j++)
            if (first[j].state == ASSAY_THREAD_ACTIVE && first[j].site == first[i].site)
                mask |= 1u << j;
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            first[__builtin_ctz(rest)].value = mask;
            assay_thread_wake(&first[__builtin_ctz(rest)]);
            block->active--;
        }
    }
}

void assay_active_settle(assay_block *block)
{
    for (unsigned at = 0; at < block->n_threads; at += ASSAY_WARP_LANES) {
        const unsigned left = block->n_threads - at;

        settle_active_warp(block, &block->threads[at],
                           left < ASSAY_WARP_LANES ? left : ASSAY_WARP_LANES);
    }
    block->worker->has_progress = true;
}

/* ---- block barriers */

int assay_host_block_barrier(assay_block_op op, bool predicate, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);
    assay_block  *block  = thread->block;
    void *object = block->objects ? &block->objects->barrier[block->barrier_turn & 1u] : nullptr;

    thread->op   = op;
    thread->vote = predicate;
    block->at_barrier++;
    assay_orders_barrier(thread, false);
    if (object)
        assay_tsan_release(object);
    assay_thread_leave(thread, ASSAY_THREAD_BARRIER);
    if (object)
        assay_tsan_acquire(object);
    return block->barrier_result;
}

static int vote_result(unsigned op, unsigned n_voted, unsigned n)
{
    switch (op) {
    case ASSAY_BLOCK_COUNT:
        return static_cast<int>(n_voted);
    case ASSAY_BLOCK_AND:
        return n_voted == n;
    case ASSAY_BLOCK_OR:
        return n_voted > 0;
    default:
        return 0;
    }
}

static void note_early_exits(assay_launch *launch, const assay_site &site)
{
    const std::lock_guard<std::mutex> lock(launch->mutex);

    launch->n_early_exits++;
    launch->early_exit = site;
}

/* All live threads wait at barriers. Opens the barrier if all wait at the same one. */
void assay_barrier_settle(assay_block *block)
{
    const assay_thread *first   = nullptr;
    unsigned            n_voted = 0;

    for (const assay_thread &thread : block->threads) {
        if (thread.state != ASSAY_THREAD_BARRIER)
            continue;
        if (!first)
            first = &thread;
        if (thread.op != first->op || !(thread.site == first->site)) {
            assay_fault_raise(block, ASSAY_FAULT_BARRIER,
                              "divergent barrier: threads of one block wait at different "
                              "barriers: %s",
                              assay_fault_threads(block).c_str());
            return;
        }
        n_voted += thread.vote;
    }
    if (block->live < block->n_threads)
        note_early_exits(block->launch, first->site);
    block->barrier_result = vote_result(first->op, n_voted, block->at_barrier);
    block->at_barrier     = 0;
    block->barrier_turn++;
    block->worker->has_progress = true;
    for (assay_thread &thread : block->threads)
        if (thread.state == ASSAY_THREAD_BARRIER)
            assay_thread_wake(&thread);
}
