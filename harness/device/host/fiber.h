/* Fibers: a stack of its own for each CUDA thread that has begun, switched to without the kernel of
 * the operating system. A fiber stays on the OS thread that starts it. */
#ifndef ASSAY_HOST_FIBER_H
#define ASSAY_HOST_FIBER_H

#include <stddef.h>

/* The OS thread's own stack, to which fibers return. */
struct assay_fiber_home {
    void       *stack_pointer;
    void       *asan_fake_stack;
    const void *asan_bottom;
    size_t      asan_bytes;
    void       *tsan_context;
};

struct assay_fiber;

#pragma GCC visibility push(hidden)

/* NULL when memory runs out. Caller destroys; destroy accepts NULL. */
assay_fiber *assay_fiber_create(void);
void         assay_fiber_destroy(assay_fiber *fiber);

/* Makes the next enter call body(argument) on an empty stack. `body` never returns: it ends with
 * assay_fiber_leave(home, fiber, true). */
void assay_fiber_start(assay_fiber *fiber, void (*body)(void *argument), void *argument);
/* Runs the fiber until it leaves. */
void assay_fiber_enter(assay_fiber_home *home, assay_fiber *fiber);
/* Called on the fiber: back to the home. is_last: the fiber will only be entered after a new start.
 */
void assay_fiber_leave(assay_fiber_home *home, assay_fiber *fiber, bool is_last);
/* Called at home for a fiber that left but will never go on: makes it fit for a new start. */
void assay_fiber_abandon(assay_fiber *fiber);

/* Is this an address of its stack? */
bool assay_fiber_holds(const assay_fiber *fiber, const void *p);

void *assay_fiber_tsan_context(const assay_fiber *fiber);

#pragma GCC visibility pop

#endif
