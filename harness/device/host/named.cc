/* Named barriers of a block: PTX's bar.sync, bar.arrive, bar.red and barrier.sync. */
#include "part_internal.h"

static bool is_vote(unsigned op) { return op >= ASSAY_NAMED_AND && op <= ASSAY_NAMED_COUNT; }

/* Two uses of one barrier at the same time must have the same count and operation. */
static bool does_agree(assay_block *block, const assay_named_barrier &named,
                       const assay_thread &thread)
{
    if (named.arrived == 0)
        return true;
    if (named.n_threads != assay_part_threads(thread)) {
        assay_fault_raise(block, ASSAY_FAULT_MISUSE,
                          "barrier misuse: thread %u in %s %u with a count of %u threads at %s, "
                          "while the barrier waits for %u (%s)",
                          thread.rank, assay_part_op_text(thread.op), assay_part_low(thread),
                          assay_part_threads(thread), assay_site_text(thread.site).text,
                          named.n_threads, assay_site_text(named.site).text);
        return false;
    }
    if ((is_vote(named.op) || is_vote(thread.op)) && named.op != thread.op) {
        assay_fault_raise(block, ASSAY_FAULT_MISUSE,
                          "barrier misuse: %s at %s and %s at %s meet in barrier %u",
                          assay_part_op_text(named.op), assay_site_text(named.site).text,
                          assay_part_op_text(thread.op), assay_site_text(thread.site).text,
                          assay_part_low(thread));
        return false;
    }
    return true;
}

static bool is_complete(const assay_block *block, const assay_named_barrier &named)
{
    unsigned n_warps = 0;

    if (named.n_threads != 0 || named.arrived == 0)
        return named.arrived >= named.n_threads && named.arrived > 0;
    for (unsigned w = 0; w * ASSAY_WARP_LANES < block->n_threads; w++)
        n_warps += assay_live_lanes(block->warps[w]) != 0;
    return named.arrived >= n_warps * ASSAY_WARP_LANES;
}

static uint64_t vote_of(const assay_named_barrier &named)
{
    switch (named.op) {
    case ASSAY_NAMED_AND:
        return named.n_voted == named.n_voters;
    case ASSAY_NAMED_OR:
        return named.n_voted > 0;
    case ASSAY_NAMED_COUNT:
        return named.n_voted;
    default:
        return 0;
    }
}

static void *named_object(const assay_block *block, unsigned id)
{
    return block->objects ? &block->objects->named[id][block->parts.named[id].turn & 1u] : nullptr;
}

/* Resumes all threads that wait at the barrier, and resets it. */
static void open(assay_block *block, unsigned id)
{
    assay_named_barrier *named  = &block->parts.named[id];
    const uint64_t       vote   = vote_of(*named);
    void                *object = named_object(block, id);

    for (unsigned w = 0; w * ASSAY_WARP_LANES < block->n_threads; w++) {
        const unsigned lanes = block->parts.warps[w].arrived;
        assay_thread  *first;

        if (!lanes)
            continue;
        first = assay_thread_first(block, w, lanes);
        if (assay_part_is_group(*first) || assay_part_low(*first) != id)
            continue;
        for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
            assay_thread *thread = assay_thread_first(block, w, rest);

            thread->value = vote;
            if (object)
                assay_part_in_context(thread, assay_tsan_acquire, object);
        }
        assay_part_wake(block, w);
    }
    *named = assay_named_barrier { 0, 0, 0, 0, named->turn + 1, ASSAY_NAMED_SYNC, {} };
}

void assay_named_arrive(assay_block *block, unsigned index)
{
    const unsigned       lanes = block->parts.warps[index].arrived;
    const assay_thread  *first = assay_thread_first(block, index, lanes);
    const unsigned       id    = assay_part_low(*first);
    assay_named_barrier *named = &block->parts.named[id];

    if (!does_agree(block, *named, *first))
        return;
    if (named->arrived == 0) {
        named->n_threads = assay_part_threads(*first);
        named->op        = static_cast<assay_part_op>(first->op);
        named->site      = first->site;
    }
    named->arrived += ASSAY_WARP_LANES;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const assay_thread *thread = assay_thread_first(block, index, rest);

        named->n_voters++;
        named->n_voted += thread->vote;
        if (block->objects)
            assay_part_in_context(thread, assay_tsan_release, named_object(block, id));
    }
    if (first->op == ASSAY_NAMED_ARRIVE)
        assay_part_wake(block, index);
    if (is_complete(block, *named))
        open(block, id);
}

void assay_named_recheck(assay_block *block)
{
    for (unsigned id = 0; id < ASSAY_N_NAMED_BARRIERS; id++)
        if (block->parts.named[id].arrived && is_complete(block, block->parts.named[id]))
            open(block, id);
}

static void check_named(assay_thread *thread, unsigned op, unsigned id, unsigned n_threads)
{
    const unsigned whole =
        (thread->block->n_threads + ASSAY_WARP_LANES - 1) / ASSAY_WARP_LANES * ASSAY_WARP_LANES;
    const char *const why = id >= ASSAY_N_NAMED_BARRIERS ? "a block has the barriers 0 to 15"
                            : n_threads % ASSAY_WARP_LANES != 0
                                ? "a count is a multiple of the 32 threads of a warp"
                            : n_threads > whole ? "the block has fewer threads"
                            : n_threads == 0 && op == ASSAY_NAMED_ARRIVE
                                ? "a thread that only arrives must give a count"
                                : nullptr;

    if (why)
        assay_fault_stop(thread, ASSAY_FAULT_MISUSE,
                         "barrier misuse: %s %u with a count of %u threads at %s, thread %u: %s",
                         assay_part_op_text(op), id, n_threads, assay_site_text(thread->site).text,
                         thread->rank, why);
}

int assay_host_named_barrier(assay_part_op op, unsigned id, unsigned n_threads, bool is_aligned,
                             bool predicate, const char *file, int line)
{
    assay_thread *thread = assay_thread_running(file, line);

    check_named(thread, op, id, n_threads);
    thread->op    = op;
    thread->mask  = n_threads << 16 | (is_aligned ? ASSAY_PART_ALIGNED : 0u) | id;
    thread->vote  = predicate;
    thread->value = 0;
    return static_cast<int>(assay_part_meet(thread));
}
