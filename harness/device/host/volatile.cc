/* Volatile accesses of kernels. On a GPU these are relaxed atomics, so under ThreadSanitizer
 * compilers put a call before each of them. */
#include "orders_internal.h"

#ifdef ASSAY_TSAN

/* Only words that other threads can use; the stack of a thread is its own. */
static bool is_shared(const void *p)
{
    const assay_thread *thread = assay_order_thread();

    return thread && !assay_fiber_holds(thread->fiber, p);
}

/* Adding 0 reports a write without making one. */
#define ASSAY_VOLATILE(bytes, bits, type)                                                            \
    type                   __tsan_atomic##bits##_load(const volatile type *p, int order);            \
    type                   __tsan_atomic##bits##_fetch_add(volatile type *p, type value, int order); \
    void                   __tsan_read##bytes(void *p);                                              \
    void                   __tsan_write##bytes(void *p);                                             \
    ASSAY_EXPORT_HERE void __tsan_volatile_read##bytes(void *p)                                      \
    {                                                                                                \
        if (!is_shared(p)) {                                                                         \
            __tsan_read##bytes(p);                                                                   \
            return;                                                                                  \
        }                                                                                            \
        (void)__tsan_atomic##bits##_load(static_cast<type *>(p), __ATOMIC_RELAXED);                  \
        assay_order_note_read(p);                                                                    \
    }                                                                                                \
    ASSAY_EXPORT_HERE void __tsan_volatile_write##bytes(void *p)                                     \
    {                                                                                                \
        if (!is_shared(p)) {                                                                         \
            __tsan_write##bytes(p);                                                                  \
            return;                                                                                  \
        }                                                                                            \
        (void)__tsan_atomic##bits##_fetch_add(static_cast<type *>(p), 0, __ATOMIC_RELAXED);          \
        assay_order_note_write(p);                                                                   \
    }
/* Sizes without an atomic operation count as ordinary accesses. */
#define ASSAY_VOLATILE_PLAIN(name, bytes)                                                          \
    void                   __tsan_##name##read##bytes(void *p);                                    \
    void                   __tsan_##name##write##bytes(void *p);                                   \
    ASSAY_EXPORT_HERE void __tsan_##name##volatile_read##bytes(void *p)                            \
    {                                                                                              \
        __tsan_##name##read##bytes(p);                                                             \
    }                                                                                              \
    ASSAY_EXPORT_HERE void __tsan_##name##volatile_write##bytes(void *p)                           \
    {                                                                                              \
        __tsan_##name##write##bytes(p);                                                            \
    }
/* The linker lists all names of the tool as exported; the module has to keep its own. */
#define ASSAY_EXPORT_HERE __attribute__((visibility("protected")))

extern "C" {
ASSAY_VOLATILE(1, 8, char)
ASSAY_VOLATILE(2, 16, short)
ASSAY_VOLATILE(4, 32, int)
ASSAY_VOLATILE(8, 64, long long)
ASSAY_VOLATILE_PLAIN(, 16)
ASSAY_VOLATILE_PLAIN(unaligned_, 2)
ASSAY_VOLATILE_PLAIN(unaligned_, 4)
ASSAY_VOLATILE_PLAIN(unaligned_, 8)
ASSAY_VOLATILE_PLAIN(unaligned_, 16)
}

#endif
