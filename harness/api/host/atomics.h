/* Atomics of CUDA C++ and of kernel.h. They are inline so that ThreadSanitizer sees them as atomics
 * of the kernel, relaxed unless the name says more; each is a yield point. */
#ifndef ASSAY_HOST_ATOMICS_H
#define ASSAY_HOST_ATOMICS_H

#include "device_calls.h"

#include <string.h>

/* Replaces *p by next(*p); returns what was there. */
template <typename T, typename Next>
inline T assay_host_update(T *p, Next next, const char *file, int line)
{
    T seen, wanted;

    assay_host_before_atomic(p);
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    do {
        wanted = next(seen);
    } while (
        !__atomic_compare_exchange(p, &seen, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    assay_host_after_atomic(p);
    /* Rewriting the same value moves nobody on: a spin lock's failed exchange is a poll. */
    assay_host_yield(memcmp(&seen, &wanted, sizeof seen) != 0 ? ASSAY_YIELD_WRITE
                                                              : ASSAY_YIELD_POLL,
                     file, line);
    return seen;
}

template <typename T>
inline T assay_host_compare_and_swap(T *p, T expected, T desired, const char *file, int line)
{
    assay_host_before_atomic(p);
    const bool is_stored = __atomic_compare_exchange(p, &expected, &desired, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    assay_host_after_atomic(p);
    assay_host_yield(is_stored ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return expected;
}

/* One function and its _block and _system forms; scopes make no difference here. */
#define ASSAY_HOST_ATOMIC_AS(name, type, next)                                                     \
    inline type name(type *p, type value, ASSAY_HOST_SITE)                                         \
    {                                                                                              \
        return assay_host_update(                                                                  \
            p, [value](type old) -> type { return next; }, file, line);                            \
    }
#define ASSAY_HOST_ATOMIC(name, type, next)                                                        \
    ASSAY_HOST_ATOMIC_AS(name, type, next)                                                         \
    ASSAY_HOST_ATOMIC_AS(name##_block, type, next)                                                 \
    ASSAY_HOST_ATOMIC_AS(name##_system, type, next)

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

#define ASSAY_HOST_CAS_AS(name, type)                                                              \
    inline type name(type *p, type expected, type desired, ASSAY_HOST_SITE)                        \
    {                                                                                              \
        return assay_host_compare_and_swap(p, expected, desired, file, line);                      \
    }
#define ASSAY_HOST_CAS(type)                                                                       \
    ASSAY_HOST_CAS_AS(atomicCAS, type)                                                             \
    ASSAY_HOST_CAS_AS(atomicCAS_block, type)                                                       \
    ASSAY_HOST_CAS_AS(atomicCAS_system, type)
ASSAY_HOST_CAS(int)
ASSAY_HOST_CAS(unsigned)
ASSAY_HOST_CAS(unsigned short)
ASSAY_HOST_CAS(unsigned long long)
#undef ASSAY_HOST_CAS
#undef ASSAY_HOST_CAS_AS

inline void __threadfence(ASSAY_HOST_SITE)
{
    assay_host_fence();
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
}
inline void __threadfence_block(ASSAY_HOST_SITE) { __threadfence(file, line); }
inline void __threadfence_system(ASSAY_HOST_SITE) { __threadfence(file, line); }

/* ---- the atomics of kernel.h: on 4- and 8-byte integers */

template <typename T> inline T assay_load_acquire(const T *p, ASSAY_HOST_SITE)
{
    const T value = __atomic_load_n(p, __ATOMIC_ACQUIRE);

    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return value;
}

template <typename T> inline T assay_load_relaxed(const T *p, ASSAY_HOST_SITE)
{
    const T value = __atomic_load_n(p, __ATOMIC_RELAXED);

    assay_host_after_atomic(p);
    assay_host_yield(ASSAY_YIELD_POLL, file, line);
    return value;
}

template <typename T> inline void assay_store_release(T *p, T value, ASSAY_HOST_SITE)
{
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

template <typename T> inline void assay_store_relaxed(T *p, T value, ASSAY_HOST_SITE)
{
    assay_host_before_atomic(p);
    __atomic_store_n(p, value, __ATOMIC_RELAXED);
    assay_host_yield(ASSAY_YIELD_WRITE, file, line);
}

template <typename T> inline T assay_fetch_add_acq_rel(T *p, T value, ASSAY_HOST_SITE)
{
    const T old = __atomic_fetch_add(p, value, __ATOMIC_ACQ_REL);

    assay_host_yield(value != 0 ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return old;
}

template <typename T> inline void assay_add_release(T *p, T value, ASSAY_HOST_SITE)
{
    (void)__atomic_fetch_add(p, value, __ATOMIC_RELEASE);
    assay_host_yield(value != 0 ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
}

template <typename T> inline T assay_fetch_add_relaxed(T *p, T value, ASSAY_HOST_SITE)
{
    assay_host_before_atomic(p);
    const T old = __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
    assay_host_after_atomic(p);
    assay_host_yield(value != 0 ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return old;
}

template <typename T> inline T assay_exchange_acq_rel(T *p, T value, ASSAY_HOST_SITE)
{
    const T old = __atomic_exchange_n(p, value, __ATOMIC_ACQ_REL);

    assay_host_yield(old != value ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return old;
}

template <typename T>
inline bool assay_compare_exchange_acq_rel(T *p, T *expected, T desired, ASSAY_HOST_SITE)
{
    const bool is_stored = __atomic_compare_exchange_n(p, expected, desired, false,
                                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);

    assay_host_yield(is_stored ? ASSAY_YIELD_WRITE : ASSAY_YIELD_POLL, file, line);
    return is_stored;
}

/* Scopes make no difference here. */
template <typename T> inline T assay_load_acquire_system(const T *p, ASSAY_HOST_SITE)
{
    return assay_load_acquire(p, file, line);
}
template <typename T> inline void assay_store_release_system(T *p, T value, ASSAY_HOST_SITE)
{
    assay_store_release(p, value, file, line);
}

#endif
