/* Atomics of CUDA C++ and of kernel.h. They have device scope and are relaxed unless the name says
 * otherwise. They are inline so that ThreadSanitizer sees them as atomics of the kernel. At each of
 * them another thread may run. */
#ifndef ASSAY_HOST_ATOMICS_H
#define ASSAY_HOST_ATOMICS_H

#include "device_calls.h"

#include <string.h>

/* The compiler's memory order for an atomic of this scope and these effects. */
inline constexpr int assay_host_order(unsigned what, assay_host_scope scope)
{
    return assay_host_is_told && scope != ASSAY_SCOPE_SYSTEM       ? __ATOMIC_RELAXED
           : what & ASSAY_ATOMIC_IN_ORDER                          ? __ATOMIC_SEQ_CST
           : (what & ASSAY_ATOMIC_ACQ_REL) == ASSAY_ATOMIC_ACQ_REL ? __ATOMIC_ACQ_REL
           : what & ASSAY_ATOMIC_ACQUIRES                          ? __ATOMIC_ACQUIRE
           : what & ASSAY_ATOMIC_RELEASES                          ? __ATOMIC_RELEASE
                                                                   : __ATOMIC_RELAXED;
}

/* `how`: ASSAY_ATOMIC_ACQUIRES, _RELEASES, _IN_ORDER; 0: relaxed. A load does not release, and a
 * store does not acquire. */
template <typename T> inline T assay_host_load(const T *p, unsigned how, assay_host_scope scope,
                                               const char *file, int line)
{
    T value;

    how &= ~static_cast<unsigned>(ASSAY_ATOMIC_RELEASES);
    assay_host_atomic_begin(p);
    __atomic_load(p, &value, assay_host_order(how, scope));
    assay_host_atomic_end(p, ASSAY_ATOMIC_READS | how, scope, file, line);
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return value;
}

template <typename T> inline void
assay_host_store(T *p, T value, unsigned how, assay_host_scope scope, const char *file, int line)
{
    how &= ~static_cast<unsigned>(ASSAY_ATOMIC_ACQUIRES);
    assay_host_atomic_begin(p);
    __atomic_store(p, &value, assay_host_order(how, scope));
    assay_host_atomic_end(p, ASSAY_ATOMIC_WRITES | how, scope, file, line);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

/* The memory order of a failed exchange. */
inline constexpr unsigned assay_host_failed(unsigned how)
{
    return how & ~static_cast<unsigned>(ASSAY_ATOMIC_RELEASES);
}

template <typename T> inline bool assay_host_try(T *p, T *seen, T wanted, bool is_weak,
                                                 unsigned how, assay_host_scope scope)
{
    return __atomic_compare_exchange(p, seen, &wanted, is_weak, assay_host_order(how, scope),
                                     assay_host_order(assay_host_failed(how), scope));
}

/* Replaces *p by next(*p) and returns the old value. */
template <typename T, typename Next> inline T
assay_host_update(T *p, Next next, unsigned how, assay_host_scope scope, const char *file, int line)
{
    T seen, wanted;

    assay_host_atomic_begin(p);
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    do {
        wanted = next(seen);
    } while (!assay_host_try(p, &seen, wanted, true, how, scope));
    assay_host_atomic_end(p, ASSAY_ATOMIC_UPDATES | how, scope, file, line);
    /* Storing the same value helps no other thread: the failed exchange of a spin lock counts as a
     * poll. */
    assay_host_yield(memcmp(&seen, &wanted, sizeof seen) != 0 ? ASSAY_YIELD_WRITE
                                                              : ASSAY_YIELD_POLL,
                     file, line);
    return seen;
}

template <typename T> inline bool assay_host_exchange_if(T *p, T *expected, T desired, unsigned how,
                                                         assay_host_scope scope, const char *file,
                                                         int line)
{
    assay_host_atomic_begin(p);
    const bool is_stored = assay_host_try(p, expected, desired, false, how, scope);
    assay_host_atomic_end(
        p, is_stored ? ASSAY_ATOMIC_UPDATES | how : ASSAY_ATOMIC_READS | assay_host_failed(how),
        scope, file, line);
    assay_host_yield(is_stored ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return is_stored;
}

template <typename T> inline T assay_host_compare_and_swap(T *p, T expected, T desired,
                                                           unsigned how, assay_host_scope scope,
                                                           const char *file, int line)
{
    (void)assay_host_exchange_if(p, &expected, desired, how, scope, file, line);
    return expected;
}

/* Defines one function and its _block and _system forms. */
#define ASSAY_HOST_ATOMIC_AS(name, type, next, scope)                                              \
    inline type name(type *p, type value, ASSAY_HOST_SITE)                                         \
    {                                                                                              \
        return assay_host_update(                                                                  \
            p, [value](type old) -> type { return next; }, 0, scope, file, line);                  \
    }
#define ASSAY_HOST_ATOMIC(name, type, next)                                                        \
    ASSAY_HOST_ATOMIC_AS(name, type, next, ASSAY_SCOPE_DEVICE)                                     \
    ASSAY_HOST_ATOMIC_AS(name##_block, type, next, ASSAY_SCOPE_BLOCK)                              \
    ASSAY_HOST_ATOMIC_AS(name##_system, type, next, ASSAY_SCOPE_SYSTEM)

/* Signed sums wrap on the GPU. */
#define ASSAY_HOST_WRAP(op)                                                                        \
    static_cast<int>(static_cast<unsigned>(old) op static_cast<unsigned>(value))

ASSAY_HOST_ATOMIC(atomicAdd, int, ASSAY_HOST_WRAP(+))
ASSAY_HOST_ATOMIC(atomicAdd, unsigned, old + value)
ASSAY_HOST_ATOMIC(atomicAdd, unsigned long long, old + value)
ASSAY_HOST_ATOMIC(atomicAdd, float, old + value)
ASSAY_HOST_ATOMIC(atomicAdd, double, old + value)
ASSAY_HOST_ATOMIC(atomicSub, int, ASSAY_HOST_WRAP(-))
ASSAY_HOST_ATOMIC(atomicSub, unsigned, old - value)
ASSAY_HOST_ATOMIC(atomicExch, int, (static_cast<void>(old), value))
ASSAY_HOST_ATOMIC(atomicExch, unsigned, (static_cast<void>(old), value))
ASSAY_HOST_ATOMIC(atomicExch, unsigned long long, (static_cast<void>(old), value))
ASSAY_HOST_ATOMIC(atomicExch, float, (static_cast<void>(old), value))
ASSAY_HOST_ATOMIC(atomicInc, unsigned, old >= value ? 0u : old + 1u)
ASSAY_HOST_ATOMIC(atomicDec, unsigned, old == 0u || old > value ? value : old - 1u)

#define ASSAY_HOST_ATOMIC_ORDERED(type)                                                            \
    ASSAY_HOST_ATOMIC(atomicMin, type, value < old ? value : old)                                  \
    ASSAY_HOST_ATOMIC(atomicMax, type, old < value ? value : old)                                  \
    ASSAY_HOST_ATOMIC(atomicAnd, type, old &value)                                                 \
    ASSAY_HOST_ATOMIC(atomicOr, type, old | value)                                                 \
    ASSAY_HOST_ATOMIC(atomicXor, type, old ^ value)
ASSAY_HOST_ATOMIC_ORDERED(int)
ASSAY_HOST_ATOMIC_ORDERED(unsigned)
ASSAY_HOST_ATOMIC_ORDERED(long long)
ASSAY_HOST_ATOMIC_ORDERED(unsigned long long)
#undef ASSAY_HOST_ATOMIC_ORDERED
#undef ASSAY_HOST_WRAP
#undef ASSAY_HOST_ATOMIC
#undef ASSAY_HOST_ATOMIC_AS

#define ASSAY_HOST_CAS_AS(name, type, scope)                                                       \
    inline type name(type *p, type expected, type desired, ASSAY_HOST_SITE)                        \
    {                                                                                              \
        return assay_host_compare_and_swap(p, expected, desired, 0, scope, file, line);            \
    }
#define ASSAY_HOST_CAS(type)                                                                       \
    ASSAY_HOST_CAS_AS(atomicCAS, type, ASSAY_SCOPE_DEVICE)                                         \
    ASSAY_HOST_CAS_AS(atomicCAS_block, type, ASSAY_SCOPE_BLOCK)                                    \
    ASSAY_HOST_CAS_AS(atomicCAS_system, type, ASSAY_SCOPE_SYSTEM)
ASSAY_HOST_CAS(int)
ASSAY_HOST_CAS(unsigned)
ASSAY_HOST_CAS(unsigned short)
ASSAY_HOST_CAS(unsigned long long)
#undef ASSAY_HOST_CAS
#undef ASSAY_HOST_CAS_AS

inline void assay_host_fence_at(unsigned what, assay_host_scope scope, const char *file, int line)
{
    assay_host_fence(what, scope);
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
}
inline void __threadfence(ASSAY_HOST_SITE)
{
    assay_host_fence_at(ASSAY_ATOMIC_ACQ_REL, ASSAY_SCOPE_DEVICE, file, line);
}
inline void __threadfence_block(ASSAY_HOST_SITE)
{
    assay_host_fence_at(ASSAY_ATOMIC_ACQ_REL, ASSAY_SCOPE_BLOCK, file, line);
}
inline void __threadfence_system(ASSAY_HOST_SITE)
{
    assay_host_fence_at(ASSAY_ATOMIC_ACQ_REL, ASSAY_SCOPE_SYSTEM, file, line);
}

/* ---- the atomics of kernel.h: on 4- and 8-byte integers */

#define ASSAY_HOST_LOAD_AS(name, how, scope)                                                       \
    template <typename T> inline T name(const T *p, ASSAY_HOST_SITE)                               \
    {                                                                                              \
        return assay_host_load(p, how, scope, file, line);                                         \
    }
#define ASSAY_HOST_STORE_AS(name, how, scope)                                                      \
    template <typename T> inline void name(T *p, T value, ASSAY_HOST_SITE)                         \
    {                                                                                              \
        assay_host_store(p, value, how, scope, file, line);                                        \
    }
#define ASSAY_HOST_ADD_AS(name, how)                                                               \
    template <typename T> inline T name(T *p, T value, ASSAY_HOST_SITE)                            \
    {                                                                                              \
        return assay_host_update(                                                                  \
            p, [value](T old) -> T { return static_cast<T>(old + value); }, how,                   \
            ASSAY_SCOPE_DEVICE, file, line);                                                       \
    }
ASSAY_HOST_LOAD_AS(assay_load_acquire, ASSAY_ATOMIC_ACQUIRES, ASSAY_SCOPE_DEVICE)
ASSAY_HOST_LOAD_AS(assay_load_acquire_system, ASSAY_ATOMIC_ACQUIRES, ASSAY_SCOPE_SYSTEM)
ASSAY_HOST_LOAD_AS(assay_load_relaxed, 0, ASSAY_SCOPE_DEVICE)
ASSAY_HOST_STORE_AS(assay_store_release, ASSAY_ATOMIC_RELEASES, ASSAY_SCOPE_DEVICE)
ASSAY_HOST_STORE_AS(assay_store_release_system, ASSAY_ATOMIC_RELEASES, ASSAY_SCOPE_SYSTEM)
ASSAY_HOST_STORE_AS(assay_store_relaxed, 0, ASSAY_SCOPE_DEVICE)
ASSAY_HOST_ADD_AS(assay_fetch_add_acq_rel, ASSAY_ATOMIC_ACQ_REL)
ASSAY_HOST_ADD_AS(assay_fetch_add_relaxed, 0)
#undef ASSAY_HOST_LOAD_AS
#undef ASSAY_HOST_STORE_AS
#undef ASSAY_HOST_ADD_AS

template <typename T> inline void assay_add_release(T *p, T value, ASSAY_HOST_SITE)
{
    (void)assay_host_update(
        p, [value](T old) -> T { return static_cast<T>(old + value); }, ASSAY_ATOMIC_RELEASES,
        ASSAY_SCOPE_DEVICE, file, line);
}

template <typename T> inline T assay_exchange_acq_rel(T *p, T value, ASSAY_HOST_SITE)
{
    return assay_host_update(
        p, [value](T) -> T { return value; }, ASSAY_ATOMIC_ACQ_REL, ASSAY_SCOPE_DEVICE, file, line);
}

template <typename T>
inline bool assay_compare_exchange_acq_rel(T *p, T *expected, T desired, ASSAY_HOST_SITE)
{
    return assay_host_exchange_if(p, expected, desired, ASSAY_ATOMIC_ACQ_REL, ASSAY_SCOPE_DEVICE,
                                  file, line);
}

#endif
