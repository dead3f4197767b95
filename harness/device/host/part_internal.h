/* What part.cc and named.cc share: how a thread that waits in a barrier of a part of its block is
 * described. */
#ifndef ASSAY_HOST_PART_INTERNAL_H
#define ASSAY_HOST_PART_INTERNAL_H

#include "executor.h"

/* What a waiting thread keeps in `mask`: the barrier's number or the group's first thread in the
 * low half, how many threads meet in the high one. */
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
/* Lets a thread do what ThreadSanitizer is to know of it. */
void assay_part_in_context(const assay_thread *thread, void (*what)(void *), void *object);
/* The lanes of a warp that wait go on; the running thread sees it by its bit. */
void assay_part_wake(assay_block *block, unsigned warp);
/* On the fiber of the thread, whose operands are set. */
uint64_t assay_part_meet(assay_thread *thread);

/* ---- named.cc */
/* A complete warp arrives. */
void assay_named_arrive(assay_block *block, unsigned warp);
/* A whole warp has exited. */
void assay_named_recheck(assay_block *block);

#pragma GCC visibility pop

#endif
