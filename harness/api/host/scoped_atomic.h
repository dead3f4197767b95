/* cuda::atomic, cuda::atomic_ref and those of cuda::std for host compilation, by the documentation
 * of libcu++. As in atomics.h, they are inline, and another thread may run at each of them. */
#ifndef ASSAY_HOST_SCOPED_ATOMIC_H
#define ASSAY_HOST_SCOPED_ATOMIC_H

#include "atomics.h"
#include "device_calls.h"
#include "thread_scope.h"

#include <atomic>
#include <string.h>
#include <type_traits>

inline constexpr unsigned assay_host_how(std::memory_order o)
{
    return o == std::memory_order_relaxed   ? 0
           : o == std::memory_order_seq_cst ? ASSAY_ATOMIC_ACQ_REL | ASSAY_ATOMIC_IN_ORDER
           : o == std::memory_order_acq_rel ? ASSAY_ATOMIC_ACQ_REL
           : o == std::memory_order_release ? ASSAY_ATOMIC_RELEASES
                                            : ASSAY_ATOMIC_ACQUIRES;
}

inline constexpr assay_host_scope assay_host_scope_of(cuda::thread_scope scope)
{
    return scope == cuda::thread_scope_system   ? ASSAY_SCOPE_SYSTEM
           : scope == cuda::thread_scope_device ? ASSAY_SCOPE_DEVICE
                                                : ASSAY_SCOPE_BLOCK;
}

/* The operations of all of them, with the given memory order and scope. */
template <typename T, assay_host_scope Scope> struct assay_host_ordered {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 8,
                  "an atomic has at most 8 bytes that can be copied");
    using order = std::memory_order;

    static T load(const T *p, order o, const char *file, int line)
    {
        return assay_host_load(p, assay_host_how(o), Scope, file, line);
    }
    static void store(T *p, T value, order o, const char *file, int line)
    {
        assay_host_store(p, value, assay_host_how(o), Scope, file, line);
    }
    static bool compare_exchange(T *p, T *expected, T desired, order o, const char *file, int line)
    {
        return assay_host_exchange_if(p, expected, desired, assay_host_how(o), Scope, file, line);
    }
    template <typename Next> static T update(T *p, Next next, order o, const char *file, int line)
    {
        return assay_host_update(p, next, assay_host_how(o), Scope, file, line);
    }
    static void wait(const T *p, T old, order o, const char *file, int line)
    {
        for (;;) {
            const T now = load(p, o, file, line);

            if (memcmp(&now, &old, sizeof now) != 0)
                return;
            assay_host_yield(ASSAY_YIELD_SLEEP, file, line);
        }
    }
};

/* Sums wrap, also signed ones. */
template <typename T, typename D, bool IsNegative> inline T assay_host_sum(T a, D b)
{
    if constexpr (std::is_integral<T>::value) {
        using bits    = typename std::make_unsigned<T>::type;
        const bits ab = static_cast<bits>(a), bb = static_cast<bits>(b);

        return static_cast<T>(static_cast<bits>(IsNegative ? ab - bb : ab + bb));
    } else {
        return IsNegative ? a - b : a + b;
    }
}

/* The members. Self has pointer(); D is the type that can be added. */
template <typename Self, typename T, assay_host_scope Scope> class assay_host_atomic_members
{
    using on    = assay_host_ordered<T, Scope>;
    using order = std::memory_order;
    using D     = typename std::conditional<std::is_pointer<T>::value, ptrdiff_t, T>::type;

    static constexpr order SEQ_CST = std::memory_order_seq_cst;

    T *at(void) const { return static_cast<const Self *>(this)->assay_pointer(); }

  public:
    using value_type      = T;
    using difference_type = D;

    static constexpr bool is_always_lock_free = true;
    bool                  is_lock_free(void) const { return true; }

    T    load(order o = SEQ_CST, ASSAY_HOST_SITE) const { return on::load(at(), o, file, line); }
    void store(T value, order o = SEQ_CST, ASSAY_HOST_SITE) const
    {
        on::store(at(), value, o, file, line);
    }
    T exchange(T value, order o = SEQ_CST, ASSAY_HOST_SITE) const
    {
        return on::update(
            at(), [value](T) { return value; }, o, file, line);
    }
    bool compare_exchange_strong(T &expected, T desired, order o = SEQ_CST, ASSAY_HOST_SITE) const
    {
        return on::compare_exchange(at(), &expected, desired, o, file, line);
    }
    bool compare_exchange_strong(T &expected, T desired, order o, order, ASSAY_HOST_SITE) const
    {
        return on::compare_exchange(at(), &expected, desired, o, file, line);
    }
    bool compare_exchange_weak(T &expected, T desired, order o = SEQ_CST, ASSAY_HOST_SITE) const
    {
        return on::compare_exchange(at(), &expected, desired, o, file, line);
    }
    bool compare_exchange_weak(T &expected, T desired, order o, order, ASSAY_HOST_SITE) const
    {
        return on::compare_exchange(at(), &expected, desired, o, file, line);
    }
    void wait(T old, order o = SEQ_CST, ASSAY_HOST_SITE) const
    {
        on::wait(at(), old, o, file, line);
    }
    void notify_one(ASSAY_HOST_SITE) const { assay_host_yield(ASSAY_YIELD_WRITE, file, line); }
    void notify_all(ASSAY_HOST_SITE) const { assay_host_yield(ASSAY_YIELD_WRITE, file, line); }

#define ASSAY_HOST_FETCH(name, type, next)                                                         \
    T name(type value, order o = SEQ_CST, ASSAY_HOST_SITE) const                                   \
    {                                                                                              \
        return on::update(                                                                         \
            at(), [value](T old) { return static_cast<T>(next); }, o, file, line);                 \
    }
    ASSAY_HOST_FETCH(fetch_add, D, (assay_host_sum<T, D, false>(old, value)))
    ASSAY_HOST_FETCH(fetch_sub, D, (assay_host_sum<T, D, true>(old, value)))
    ASSAY_HOST_FETCH(fetch_and, T, old &value)
    ASSAY_HOST_FETCH(fetch_or, T, old | value)
    ASSAY_HOST_FETCH(fetch_xor, T, old ^ value)
    ASSAY_HOST_FETCH(fetch_min, T, value < old ? value : old)
    ASSAY_HOST_FETCH(fetch_max, T, old < value ? value : old)
#undef ASSAY_HOST_FETCH

      operator T() const { return load(); }
    T operator++() const { return assay_host_sum<T, D, false>(fetch_add(D(1)), D(1)); }
    T operator--() const { return assay_host_sum<T, D, true>(fetch_sub(D(1)), D(1)); }
    T operator++(int) const { return fetch_add(D(1)); }
    T operator--(int) const { return fetch_sub(D(1)); }
    T operator+=(D value) const { return assay_host_sum<T, D, false>(fetch_add(value), value); }
    T operator-=(D value) const { return assay_host_sum<T, D, true>(fetch_sub(value), value); }
    T operator&=(T value) const { return static_cast<T>(fetch_and(value) & value); }
    T operator|=(T value) const { return static_cast<T>(fetch_or(value) | value); }
    T operator^=(T value) const { return static_cast<T>(fetch_xor(value) ^ value); }
};

/* An atomic with its own value. The default constructor leaves the value as it is, which shared
 * memory needs. */
template <typename T, assay_host_scope Scope = ASSAY_SCOPE_SYSTEM> class assay_host_atomic
    : public assay_host_atomic_members<assay_host_atomic<T, Scope>, T, Scope>
{
  public:
    assay_host_atomic() = default;
    constexpr assay_host_atomic(T value) : value_(value) {}
    assay_host_atomic(const assay_host_atomic &)            = delete;
    assay_host_atomic &operator=(const assay_host_atomic &) = delete;

    T operator=(T value)
    {
        this->store(value);
        return value;
    }
    T *assay_pointer(void) const { return &value_; }

  private:
    alignas(sizeof(T)) mutable T value_;
};

/* An atomic view of a variable. */
template <typename T, assay_host_scope Scope = ASSAY_SCOPE_SYSTEM> class assay_host_atomic_ref
    : public assay_host_atomic_members<assay_host_atomic_ref<T, Scope>, T, Scope>
{
  public:
    explicit assay_host_atomic_ref(T &value) : p_(&value) {}

    T operator=(T value) const
    {
        this->store(value);
        return value;
    }
    T *assay_pointer(void) const { return p_; }

  private:
    T *p_;
};

inline void assay_host_ordered_fence(std::memory_order o, assay_host_scope scope, const char *file,
                                     int line)
{
    if (o != std::memory_order_relaxed)
        assay_host_fence_at(assay_host_how(o), scope, file, line);
}

namespace cuda
{

namespace std
{
template <typename T> class atomic : public assay_host_atomic<T>
{
  public:
    atomic() = default;
    constexpr atomic(T value) : assay_host_atomic<T>(value) {}
    using assay_host_atomic<T>::operator=;
};
template <typename T> class atomic_ref : public assay_host_atomic_ref<T>
{
  public:
    using assay_host_atomic_ref<T>::assay_host_atomic_ref;
    using assay_host_atomic_ref<T>::operator=;
};
class atomic_flag
{
  public:
    bool test(::std::memory_order o = ::std::memory_order_seq_cst, ASSAY_HOST_SITE) const
    {
        return bit_.load(o, file, line) != 0;
    }
    bool test_and_set(::std::memory_order o = ::std::memory_order_seq_cst, ASSAY_HOST_SITE)
    {
        return bit_.exchange(1, o, file, line) != 0;
    }
    void clear(::std::memory_order o = ::std::memory_order_seq_cst, ASSAY_HOST_SITE)
    {
        bit_.store(0, o, file, line);
    }

  private:
    assay_host_atomic<int> bit_ { 0 };
};
inline void atomic_thread_fence(::std::memory_order o, ASSAY_HOST_SITE)
{
    assay_host_ordered_fence(o, ASSAY_SCOPE_SYSTEM, file, line);
}
} // namespace std

template <typename T, thread_scope Scope = thread_scope_system> class atomic
    : public assay_host_atomic<T, assay_host_scope_of(Scope)>
{
  public:
    atomic() = default;
    constexpr atomic(T value) : assay_host_atomic<T, assay_host_scope_of(Scope)>(value) {}
    using assay_host_atomic<T, assay_host_scope_of(Scope)>::operator=;
};
template <typename T, thread_scope Scope = thread_scope_system> class atomic_ref
    : public assay_host_atomic_ref<T, assay_host_scope_of(Scope)>
{
  public:
    using assay_host_atomic_ref<T, assay_host_scope_of(Scope)>::assay_host_atomic_ref;
    using assay_host_atomic_ref<T, assay_host_scope_of(Scope)>::operator=;
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

inline void atomic_thread_fence(memory_order o, thread_scope scope = thread_scope_system,
                                ASSAY_HOST_SITE)
{
    assay_host_ordered_fence(o, assay_host_scope_of(scope), file, line);
}

} // namespace cuda

#endif
