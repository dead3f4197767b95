/* ThreadSanitizer's view of __threadfence and relaxed atomics. The tool knows no fences, so they
 * are turned into what they mean for the atomics around them: the thread's next atomic releases all
 * before the fence, and (if it reads too) acquires; the fence itself acquires what the atomics
 * before it saw. */
#include "executor.h"

#ifdef ASSAY_TSAN

static assay_thread *running(void)
{
    return assay_worker_self ? assay_worker_self->current : nullptr;
}

static void *object_of(const void *atomic) { return const_cast<void *>(atomic); }

void assay_host_fence(void)
{
    assay_thread *thread = running();

    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!thread)
        return;
    for (unsigned i = 0; i < thread->fence.n_recent && i < ASSAY_N_RECENT_ATOMICS; i++)
        assay_tsan_acquire(object_of(thread->fence.recent[i]));
    thread->fence.n_recent   = 0;
    thread->fence.is_pending = true;
}

/* Before a relaxed atomic that writes. */
void assay_host_before_atomic(const void *p)
{
    assay_thread *thread = running();

    if (!thread)
        return;
    thread->fence.fenced_atomic = nullptr;
    if (!thread->fence.is_pending)
        return;
    assay_tsan_release(object_of(p));
    thread->fence.is_pending    = false;
    thread->fence.fenced_atomic = p;
}

/* After a relaxed atomic that reads. */
void assay_host_after_atomic(const void *p)
{
    assay_thread *thread = running();

    if (!thread)
        return;
    if (thread->fence.fenced_atomic == p)
        assay_tsan_acquire(object_of(p));
    thread->fence.fenced_atomic = nullptr;
    for (unsigned i = 0; i < thread->fence.n_recent && i < ASSAY_N_RECENT_ATOMICS; i++)
        if (thread->fence.recent[i] == p)
            return;
    thread->fence.recent[thread->fence.n_recent++ % ASSAY_N_RECENT_ATOMICS] = p;
}

#endif
