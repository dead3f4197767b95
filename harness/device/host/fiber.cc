/* Fibers: stacks, the switch in assembly (ucontext elsewhere), and what the sanitizers must know.
 */
#include "fiber.h"

#include "sanitizer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if (!defined(__x86_64__) && !defined(__aarch64__)) || defined(ASSAY_FIBER_UCONTEXT)
#define ASSAY_USES_UCONTEXT 1
#include <ucontext.h>
#endif

namespace
{
/* Sanitized frames are larger. Pages are only used when touched. */
const size_t STACK_BYTES = (ASSAY_HAS_ASAN || ASSAY_HAS_TSAN ? 256 : 64) * 1024;
} // namespace

struct assay_fiber {
    void *stack_pointer;
    char *mapping; /* guard page, then the stack */
    char *stack;
    void (*body)(void *argument);
    void             *argument;
    assay_fiber_home *home;
    void             *asan_fake_stack;
    void             *tsan_context;
#ifdef ASSAY_USES_UCONTEXT
    ucontext_t context, home_context;
#endif
};

extern "C" {
__attribute__((visibility("hidden"))) void assay_fiber_main(assay_fiber *fiber);
__attribute__((visibility("hidden"))) void assay_fiber_swap(void **save, void *load);
__attribute__((visibility("hidden"))) void assay_fiber_begin(void);
}

#ifndef ASSAY_USES_UCONTEXT
#if defined(__x86_64__)
/* Saves the registers that a called function must preserve, exchanges stacks, and restores. A new
 * stack begins with the fiber in rbx; the missing caller ends a debugger's unwinding. */
asm(R"(
    .text
    .hidden assay_fiber_swap
    .globl assay_fiber_swap
    .type assay_fiber_swap,@function
assay_fiber_swap:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size assay_fiber_swap,.-assay_fiber_swap

    .hidden assay_fiber_begin
    .globl assay_fiber_begin
    .type assay_fiber_begin,@function
assay_fiber_begin:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    movq %rbx, %rdi
    call assay_fiber_main
    ud2
    .cfi_endproc
    .size assay_fiber_begin,.-assay_fiber_begin
)");

static void *first_frame(char *top, assay_fiber *fiber)
{
    void **frame = reinterpret_cast<void **>(top) - 9;

    memset(frame, 0, 9 * sizeof *frame);
    frame[4] = fiber; /* rbx */
    frame[6] = reinterpret_cast<void *>(assay_fiber_begin);
    /* Two words remain above the return address, so that the stack is aligned at the call. */
    return frame;
}
#else
asm(R"(
    .text
    .hidden assay_fiber_swap
    .globl assay_fiber_swap
    .type assay_fiber_swap,%function
assay_fiber_swap:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size assay_fiber_swap,.-assay_fiber_swap

    .hidden assay_fiber_begin
    .globl assay_fiber_begin
    .type assay_fiber_begin,%function
assay_fiber_begin:
    .cfi_startproc
    .cfi_undefined x30
    mov x29, #0
    mov x0, x19
    bl assay_fiber_main
    brk #1
    .cfi_endproc
    .size assay_fiber_begin,.-assay_fiber_begin
)");

static void *first_frame(char *top, assay_fiber *fiber)
{
    void **frame = reinterpret_cast<void **>(top) - 20;

    memset(frame, 0, 20 * sizeof *frame);
    frame[0]  = fiber; /* x19 */
    frame[11] = reinterpret_cast<void *>(assay_fiber_begin);
    return frame;
}
#endif

static void swap_in(assay_fiber_home *home, assay_fiber *fiber)
{
    assay_fiber_swap(&home->stack_pointer, fiber->stack_pointer);
}

static void swap_out(assay_fiber_home *home, assay_fiber *fiber)
{
    assay_fiber_swap(&fiber->stack_pointer, home->stack_pointer);
}

void assay_fiber_start(assay_fiber *fiber, void (*body)(void *argument), void *argument)
{
    fiber->body          = body;
    fiber->argument      = argument;
    fiber->stack_pointer = first_frame(fiber->stack + STACK_BYTES, fiber);
}

#else

static void context_main(unsigned high, unsigned low)
{
    const uintptr_t address = static_cast<uintptr_t>(static_cast<uint64_t>(high) << 32 | low);

    assay_fiber_main(reinterpret_cast<assay_fiber *>(address));
}

static void swap_in(assay_fiber_home *, assay_fiber *fiber)
{
    if (swapcontext(&fiber->home_context, &fiber->context) != 0)
        abort();
}

static void swap_out(assay_fiber_home *, assay_fiber *fiber)
{
    if (swapcontext(&fiber->context, &fiber->home_context) != 0)
        abort();
}

void assay_fiber_start(assay_fiber *fiber, void (*body)(void *argument), void *argument)
{
    const uint64_t address = reinterpret_cast<uintptr_t>(fiber);

    fiber->body     = body;
    fiber->argument = argument;
    if (getcontext(&fiber->context) != 0)
        abort();
    fiber->context.uc_stack.ss_sp   = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link          = nullptr;
    makecontext(&fiber->context, reinterpret_cast<void (*)(void)>(context_main), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}
#endif

static size_t page_bytes(void) { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

assay_fiber *assay_fiber_create(void)
{
    const size_t guard = page_bytes();
    assay_fiber *fiber = static_cast<assay_fiber *>(calloc(1, sizeof *fiber));
    void        *mapping;

    if (!fiber)
        return nullptr;
    mapping = mmap(nullptr, guard + STACK_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        free(fiber);
        return nullptr;
    }
    fiber->mapping = static_cast<char *>(mapping);
    fiber->stack   = fiber->mapping + guard;
    if (mprotect(fiber->mapping, guard, PROT_NONE) != 0) {
        assay_fiber_destroy(fiber);
        return nullptr;
    }
    fiber->tsan_context = assay_tsan_create();
    return fiber;
}

void assay_fiber_destroy(assay_fiber *fiber)
{
    if (!fiber)
        return;
    if (fiber->tsan_context)
        assay_tsan_destroy(fiber->tsan_context);
    assay_asan_unpoison(fiber->stack, STACK_BYTES);
    (void)munmap(fiber->mapping, page_bytes() + STACK_BYTES);
    free(fiber);
}

ASSAY_NO_ASAN void assay_fiber_main(assay_fiber *fiber)
{
#ifdef ASSAY_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &fiber->home->asan_bottom, &fiber->home->asan_bytes);
#endif
    fiber->body(fiber->argument);
    abort(); /* the body never returns: it leaves for good */
}

ASSAY_NO_ASAN void assay_fiber_enter(assay_fiber_home *home, assay_fiber *fiber)
{
    fiber->home = home;
#ifdef ASSAY_ASAN
    __sanitizer_start_switch_fiber(&home->asan_fake_stack, fiber->stack, STACK_BYTES);
#endif
    assay_tsan_switch(fiber->tsan_context);
    assay_tsan_trace(); /* its own atomics may acquire */
    swap_in(home, fiber);
#ifdef ASSAY_ASAN
    __sanitizer_finish_switch_fiber(home->asan_fake_stack, nullptr, nullptr);
#endif
}

ASSAY_NO_ASAN void assay_fiber_leave(assay_fiber_home *home, assay_fiber *fiber, bool is_last)
{
#ifdef ASSAY_ASAN
    /* Without a place to save it in, the fake stack of the fiber is freed. */
    __sanitizer_start_switch_fiber(is_last ? nullptr : &fiber->asan_fake_stack, home->asan_bottom,
                                   home->asan_bytes);
#else
    (void)is_last;
#endif
    assay_tsan_switch(home->tsan_context);
    swap_out(home, fiber);
#ifdef ASSAY_ASAN
    __sanitizer_finish_switch_fiber(fiber->asan_fake_stack, &home->asan_bottom, &home->asan_bytes);
#endif
}

void assay_fiber_abandon(assay_fiber *fiber)
{
    /* Frames that were left behind still have their red zones, and their calls are still in the
     * shadow stack of ThreadSanitizer. */
    assay_asan_unpoison(fiber->stack, STACK_BYTES);
    if (fiber->tsan_context) {
        assay_tsan_destroy(fiber->tsan_context);
        fiber->tsan_context = assay_tsan_create();
    }
}

bool assay_fiber_holds(const assay_fiber *fiber, const void *p)
{
    const char *at = static_cast<const char *>(p);

    return at >= fiber->stack && at < fiber->stack + STACK_BYTES;
}

void *assay_fiber_tsan_context(const assay_fiber *fiber) { return fiber->tsan_context; }
