/* Barriers of a part of a block. A warp arrives when all of its threads that have not exited are
 * there, as in PTX. This file has what named barriers and groups share, and groups of whole
 * warps. */
#include "part_internal.h"

namespace
{
/* The warps of a group. */
struct warps {
    unsigned begin, end;
};
} // namespace

static warps warps_of(const assay_thread &thread)
{
    const unsigned end = assay_part_low(thread) + assay_part_threads(thread);

    return { assay_part_low(thread) / ASSAY_WARP_LANES,
             (end + ASSAY_WARP_LANES - 1) / ASSAY_WARP_LANES };
}

const char *assay_part_op_text(unsigned op)
{
    static const char *const texts[ASSAY_N_PART_OPS] = {
        "bar.sync", "bar.arrive", "bar.red.and", "bar.red.or", "bar.red.popc",
        "sync()",   "shfl()",     "any()",       "all()",
    };

    return op < ASSAY_N_PART_OPS ? texts[op] : "?";
}

std::string assay_part_text(const assay_thread &thread)
{
    const std::string first = std::to_string(assay_part_low(thread)),
                      n     = std::to_string(assay_part_threads(thread));
    const assay_named_barrier *named;

    if (assay_part_is_group(thread))
        return std::string(assay_part_op_text(thread.op)) + " of the group of " + n +
               " threads that begins with " + first;
    named = &thread.block->parts.named[assay_part_low(thread)];
    return assay_part_op_text(thread.op) + (" " + first) +
           (assay_part_threads(thread) ? ", " + n : "") + " (" + std::to_string(named->arrived) +
           (assay_part_threads(thread) ? " of " + n : "") + " threads arrived)";
}

void assay_part_in_context(const assay_thread *thread, void (*what)(void *), void *object)
{
    void *self = assay_tsan_current();

    assay_tsan_switch(assay_fiber_tsan_context(thread->fiber));
    what(object);
    assay_tsan_switch(self);
}

/* ---- warps */

static void raise_divergent(assay_block *block, const assay_thread &a, const assay_thread &b)
{
    assay_fault_raise(block, ASSAY_FAULT_BARRIER,
                      "divergent barrier: thread %u in %s at %s meets thread %u in %s at %s",
                      a.rank, assay_part_text(a).c_str(), assay_site_text(a.site).text, b.rank,
                      assay_part_text(b).c_str(), assay_site_text(b.site).text);
}

/* The warp arrives if all of its threads wait. False: not yet, or a fault. */
static bool gather(assay_block *block, unsigned index)
{
    assay_part_warp    *warp  = &block->parts.warps[index];
    const unsigned      lanes = assay_live_lanes(block->warps[index]);
    const assay_thread *first;

    if (warp->gathering == 0 || warp->gathering != lanes)
        return false;
    first = assay_thread_first(block, index, lanes);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const assay_thread *other = assay_thread_first(block, index, rest);

        if (other->op != first->op || other->mask != first->mask ||
            ((first->mask & ASSAY_PART_ALIGNED) && !(other->site == first->site))) {
            raise_divergent(block, *first, *other);
            return false;
        }
    }
    warp->gathering             = 0;
    warp->arrived               = lanes;
    block->worker->has_progress = true;
    return true;
}

void assay_part_wake(assay_block *block, unsigned index)
{
    for (unsigned rest = block->parts.warps[index].arrived; rest != 0; rest &= rest - 1) {
        assay_thread *thread = assay_thread_first(block, index, rest);

        if (thread->state == ASSAY_THREAD_PART)
            assay_thread_wake(thread);
    }
    block->parts.warps[index].arrived = 0;
}

/* ---- groups of warps */

/* A group would wait forever for a warp that has exited. */
static bool has_left(assay_block *block, const assay_thread &thread)
{
    const warps part = warps_of(thread);

    for (unsigned w = part.begin; w < part.end; w++)
        if (!assay_live_lanes(block->warps[w])) {
            assay_fault_raise(block, ASSAY_FAULT_DEADLOCK,
                              "deadlock: thread %u waits in %s at %s, but threads %u to %u have "
                              "exited",
                              thread.rank, assay_part_text(thread).c_str(),
                              assay_site_text(thread.site).text, w * ASSAY_WARP_LANES,
                              w * ASSAY_WARP_LANES + ASSAY_WARP_LANES - 1);
            return true;
        }
    return false;
}

static bool are_all_here(assay_block *block, const assay_thread &thread)
{
    const warps part = warps_of(thread);

    for (unsigned w = part.begin; w < part.end; w++) {
        const unsigned      lanes = block->parts.warps[w].arrived;
        const assay_thread *other;

        if (!lanes)
            return false;
        other = assay_thread_first(block, w, lanes);
        if (!assay_part_is_group(*other) || other->mask != thread.mask)
            return false;
        if (other->op != thread.op) {
            raise_divergent(block, *other, thread);
            return false;
        }
    }
    return true;
}

/* Computes the results. False after a fault: the source of a shuffle is missing. */
static bool compute(assay_block *block, const assay_thread &thread)
{
    const unsigned first = assay_part_low(thread), n = assay_part_threads(thread);
    uint64_t       result[ASSAY_MAX_BLOCK_THREADS];
    bool           any = false, all = true;

    for (unsigned i = 0; i < n; i++) {
        const assay_thread &one = block->threads[first + i];

        result[i] = 0;
        if (one.state == ASSAY_THREAD_DONE)
            continue;
        any = any || one.value != 0;
        all = all && one.value != 0;
        if (one.op != ASSAY_GROUP_SHUFFLE)
            continue;
        if (one.source >= n || block->threads[first + one.source].state == ASSAY_THREAD_DONE) {
            assay_fault_raise(block, ASSAY_FAULT_MISUSE,
                              "group misuse: thread %u in %s takes the value of rank %u at %s, "
                              "which %s",
                              one.rank, assay_part_text(one).c_str(), one.source,
                              assay_site_text(one.site).text,
                              one.source >= n ? "the group does not have" : "has exited");
            return false;
        }
        result[i] = block->threads[first + one.source].value;
    }
    for (unsigned i = 0; i < n; i++)
        block->threads[first + i].value = thread.op == ASSAY_GROUP_SHUFFLE ? result[i]
                                          : thread.op == ASSAY_GROUP_ANY   ? any
                                                                           : all;
    return true;
}

/* Everything that each thread did comes before all that any of them does next. */
static void order_threads(assay_block *block, const assay_thread &thread)
{
    const unsigned index  = assay_part_low(thread) / ASSAY_WARP_LANES;
    void          *object = &block->objects->group[index][block->objects->group_turn[index]++ & 1u];

    for (auto *what : { assay_tsan_release, assay_tsan_acquire })
        for (unsigned i = 0; i < assay_part_threads(thread); i++)
            if (block->threads[assay_part_low(thread) + i].fiber)
                assay_part_in_context(&block->threads[assay_part_low(thread) + i], what, object);
}

static void arrive_group(assay_block *block, const assay_thread &thread)
{
    const warps part = warps_of(thread);

    if (has_left(block, thread) || !are_all_here(block, thread) || !compute(block, thread))
        return;
    if (block->objects)
        order_threads(block, thread);
    for (unsigned w = part.begin; w < part.end; w++)
        assay_part_wake(block, w);
}

/* ---- both */

static void arrive(assay_block *block, unsigned index)
{
    const unsigned lanes = block->parts.warps[index].arrived;
    const unsigned lane  = static_cast<unsigned>(__builtin_ctz(lanes));

    if (assay_part_is_group(*assay_thread_at(block, index, lane)))
        arrive_group(block, *assay_thread_at(block, index, lane));
    else
        assay_named_arrive(block, index);
}

uint64_t assay_part_meet(assay_thread *thread)
{
    assay_block     *block = thread->block;
    const unsigned   index = thread->rank / ASSAY_WARP_LANES;
    const unsigned   bit   = 1u << thread->rank % ASSAY_WARP_LANES;
    assay_part_warp *warp  = &block->parts.warps[index];

    block->parts.is_used = true;
    assay_orders_barrier(thread, false);
    warp->gathering |= bit;
    if (gather(block, index))
        arrive(block, index);
    assay_thread_leave(thread, (warp->gathering | warp->arrived) & bit ? ASSAY_THREAD_PART
                                                                       : ASSAY_THREAD_RUN);
    return thread->value;
}

void assay_part_recheck(assay_block *block, unsigned warp)
{
    if (gather(block, warp)) {
        arrive(block, warp);
        return;
    }
    if (assay_live_lanes(block->warps[warp]) != 0)
        return;
    assay_named_recheck(block);
    for (const assay_thread &thread : block->threads)
        if (thread.state == ASSAY_THREAD_PART && assay_part_is_group(thread) &&
            warps_of(thread).begin <= warp && warp < warps_of(thread).end &&
            has_left(block, thread))
            return;
}

uint64_t assay_host_group_exchange(assay_part_op op, unsigned first, unsigned n_threads,
                                   uint64_t value, unsigned source, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    if (first % ASSAY_WARP_LANES != 0 || thread->rank - first >= n_threads ||
        first + n_threads > thread->block->n_threads)
        assay_fault_stop(
            thread, ASSAY_FAULT_MISUSE,
            "group misuse: %s of threads %u to %u at %s, thread %u: not whole warps of "
            "the block that the thread is in",
            assay_part_op_text(op), first, first + n_threads - 1,
            assay_site_text(thread->site).text, thread->rank);
    thread->op     = op;
    thread->mask   = n_threads << 16 | first;
    thread->value  = value;
    thread->source = source;
    return assay_part_meet(thread);
}
