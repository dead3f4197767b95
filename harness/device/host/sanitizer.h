/* What the executor tells the sanitizers. Without them every function here is empty.
 *
 * AddressSanitizer is recognised from the flags this file is compiled with. ThreadSanitizer is not:
 * the executor itself must be built without -fsanitize=thread (its switches would unbalance the
 * tool's shadow stack) but with ASSAY_TSAN defined, and be linked with kernels that are built with
 * -fsanitize=thread and ASSAY_TSAN. */
#ifndef ASSAY_HOST_SANITIZER_H
#define ASSAY_HOST_SANITIZER_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#error "build the host device without -fsanitize=thread, with -DASSAY_TSAN"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#error "build the host device without -fsanitize=thread, with -DASSAY_TSAN"
#endif
#endif

#ifdef ASSAY_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define ASSAY_NO_ASAN __attribute__((no_sanitize("address")))
constexpr bool ASSAY_HAS_ASAN = true;
#else
#define ASSAY_NO_ASAN
constexpr bool ASSAY_HAS_ASAN = false;
#endif

#ifdef ASSAY_TSAN
constexpr bool ASSAY_HAS_TSAN = true;
extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void  __tsan_destroy_fiber(void *fiber);
void  __tsan_switch_to_fiber(void *fiber, unsigned flags);
void  __tsan_acquire(void *address);
void  __tsan_release(void *address);
}
inline void *assay_tsan_current(void) { return __tsan_get_current_fiber(); }
inline void *assay_tsan_create(void) { return __tsan_create_fiber(0); }
inline void  assay_tsan_destroy(void *fiber) { __tsan_destroy_fiber(fiber); }
/* Flag 1: a switch alone orders nothing. */
inline void assay_tsan_switch(void *fiber) { __tsan_switch_to_fiber(fiber, 1); }
inline void assay_tsan_release(void *object) { __tsan_release(object); }
/* The runtime of LLVM 14 (and 19) tells 254 contexts apart at a time; others get the numbers of
 * contexts that rest. A context that gets a new number at an acquire does not record that in its
 * history. A race with what it does next then cannot be traced and is not reported. A release does
 * record it, so this releases an object that no thread acquires. */
inline void assay_tsan_trace(void)
{
    static thread_local char nobody;

    __tsan_release(&nobody);
}
inline void assay_tsan_acquire(void *object)
{
    __tsan_acquire(object);
    assay_tsan_trace();
}
#else
constexpr bool ASSAY_HAS_TSAN = false;
inline void   *assay_tsan_current(void) { return nullptr; }
inline void   *assay_tsan_create(void) { return nullptr; }
inline void    assay_tsan_destroy(void *) {}
inline void    assay_tsan_switch(void *) {}
inline void    assay_tsan_trace(void) {}
inline void    assay_tsan_acquire(void *) {}
inline void    assay_tsan_release(void *) {}
#endif

inline void assay_asan_poison(const void *memory, size_t bytes)
{
#ifdef ASSAY_ASAN
    __asan_poison_memory_region(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

inline void assay_asan_unpoison(const void *memory, size_t bytes)
{
#ifdef ASSAY_ASAN
    __asan_unpoison_memory_region(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* Reads the bytes if one of them must not be touched, so that the report comes from here. */
inline void assay_asan_touch(const void *memory, size_t bytes)
{
#ifdef ASSAY_ASAN
    const volatile char *p = static_cast<const volatile char *>(memory);

    if (bytes > 0 && __asan_region_is_poisoned(const_cast<void *>(memory), bytes))
        for (size_t i = 0; i < bytes; i++)
            (void)p[i];
#else
    (void)memory;
    (void)bytes;
#endif
}

#endif
