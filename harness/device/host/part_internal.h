/* What part.cc and named.cc share: the description of a thread that waits in a barrier of a part of
 * its block. */
#ifndef ASSAY_HOST_PART_INTERNAL_H
#define ASSAY_HOST_PART_INTERNAL_H

#include "executor.h"

/* The `mask` of a waiting thread: the low half has the barrier's number or the group's first
 * thread, the high half the number of threads that meet. */
enum : unsigned {
    ASSAY_PART_ALIGNED = 0x8000, /* the threads of a warp must come from one place */
    ASSAY_PART_LOW     = 0x7fff,
};
inline unsigned assay_part_low(const assay_thread &thread) { return thread.mask & ASSAY_PART_LOW; }
inline unsigned assay_part_threads(const assay_thread &thread) { return thread.mask >> 16; }
inline bool     assay_part_is_group(const assay_thread &thread)
{
    return thread.op >= ASSAY_GROUP_SYNC;
}

inline unsigned      assay_live_lanes(const assay_warp &warp) { return warp.exists & ~warp.done; }
inline assay_thread *assay_thread_at(assay_block *block, unsigned warp, unsigned lane)
{
    return &block->threads[warp * ASSAY_WARP_LANES + lane];
}
/* The lowest of some lanes. */
inline assay_thread *assay_thread_first(assay_block *block, unsigned warp, unsigned lanes)
{
    return assay_thread_at(block, warp, static_cast<unsigned>(__builtin_ctz(lanes)));
}

#pragma GCC visibility push(hidden)

const char *assay_part_op_text(unsigned op);
/* Calls `what` on the object in the thread's context of ThreadSanitizer. */
void assay_part_in_context(const assay_thread *thread, void (*what)(void *), void *object);
/* Resumes the waiting lanes of a warp; the running thread sees it by its own bit. */
void assay_part_wake(assay_block *block, unsigned warp);
/* Called on the fiber of the thread, after its operands are set. */
uint64_t assay_part_meet(assay_thread *thread);

/* ---- named.cc */
/* Called when a warp is complete. */
void assay_named_arrive(assay_block *block, unsigned warp);
/* Called when a whole warp has exited. */
void assay_named_recheck(assay_block *block);

#pragma GCC visibility pop

#endif
