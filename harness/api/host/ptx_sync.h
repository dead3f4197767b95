/* Inline PTX between threads: atomics, fences, barriers, warp instructions, special registers. */
#ifndef ASSAY_HOST_PTX_SYNC_H
#define ASSAY_HOST_PTX_SYNC_H

#include "block_calls.h"
#include "ptx.h"

namespace assay_ptx
{

/* ---- atomics: relaxed, unless the name says more */

template <typename T, typename D, typename Next>
inline void update(site s, D &&d, address a, Next next, unsigned how = 0)
{
    T *p = static_cast<T *>(a.of(s, sizeof(T)));

    to<T>(d, assay_host_update(p, next, how, ASSAY_SCOPE_DEVICE, s.file, s.line));
}
#define ASSAY_PTX_ATOMIC(name, next)                                                               \
    template <typename T, typename D, typename V>                                                  \
    inline void i_atom_##name(site s, D &&d, address a, const V &v)                                \
    {                                                                                              \
        const T value = as<T>(v);                                                                  \
        update<T>(s, d, a, [value](const T &old) -> T { return next; });                           \
    }                                                                                              \
    template <typename T, typename V> inline void i_red_##name(site s, address a, const V &v)      \
    {                                                                                              \
        i_atom_##name<T>(s, nothing(), a, v);                                                      \
    }
ASSAY_PTX_ATOMIC(add, add_of(old, value))
ASSAY_PTX_ATOMIC(add_noftz, add_of(old, value))
ASSAY_PTX_ATOMIC(min, min_of(old, value))
ASSAY_PTX_ATOMIC(max, max_of(old, value))
ASSAY_PTX_ATOMIC(and, static_cast<T>(old &value))
ASSAY_PTX_ATOMIC(or, static_cast<T>(old | value))
ASSAY_PTX_ATOMIC(xor, static_cast<T>(old ^ value))
ASSAY_PTX_ATOMIC(exch, (static_cast<void>(old), value))
ASSAY_PTX_ATOMIC(inc, old >= value ? T {} : static_cast<T>(old + 1))
ASSAY_PTX_ATOMIC(dec, old == T {} || old > value ? value : static_cast<T>(old - 1))
#undef ASSAY_PTX_ATOMIC
template <typename T, typename D, typename E, typename V>
inline void i_atom_cas(site s, D &&d, address a, const E &expected, const V &desired)
{
    to<T>(d, assay_host_compare_and_swap(static_cast<T *>(a.of(s, sizeof(T))), as<T>(expected),
                                         as<T>(desired), 0, ASSAY_SCOPE_DEVICE, s.file, s.line));
}

/* The same with a memory order. */
#define ASSAY_PTX_ORDERED(prefix, how)                                                             \
    template <typename T, typename D, typename V>                                                  \
    inline void i_##prefix##_atom_add(site s, D &&d, address a, const V &v)                        \
    {                                                                                              \
        const T value = as<T>(v);                                                                  \
        update<T>(                                                                                 \
            s, d, a, [value](const T &old) -> T { return add_of(old, value); }, how);              \
    }                                                                                              \
    template <typename T, typename D, typename V>                                                  \
    inline void i_##prefix##_atom_exch(site s, D &&d, address a, const V &v)                       \
    {                                                                                              \
        const T value = as<T>(v);                                                                  \
        update<T>(                                                                                 \
            s, d, a, [value](const T &) -> T { return value; }, how);                              \
    }                                                                                              \
    template <typename T, typename D, typename E, typename V>                                      \
    inline void i_##prefix##_atom_cas(site s, D &&d, address a, const E &e, const V &desired)      \
    {                                                                                              \
        to<T>(d, assay_host_compare_and_swap(static_cast<T *>(a.of(s, sizeof(T))), as<T>(e),       \
                                             as<T>(desired), how, ASSAY_SCOPE_DEVICE, s.file,      \
                                             s.line));                                             \
    }
ASSAY_PTX_ORDERED(acquire, ASSAY_ATOMIC_ACQUIRES)
ASSAY_PTX_ORDERED(release, ASSAY_ATOMIC_RELEASES)
ASSAY_PTX_ORDERED(acq_rel, ASSAY_ATOMIC_ACQ_REL)
#undef ASSAY_PTX_ORDERED
template <typename T, typename V> inline void i_release_red_add(site s, address a, const V &v)
{
    i_release_atom_add<T>(s, nothing(), a, v);
}

inline void i_fence(site s) { __threadfence(s.file, s.line); }
inline void i_fence_cta(site s) { __threadfence_block(s.file, s.line); }
inline void i_fence_sys(site s) { __threadfence_system(s.file, s.line); }

/* ---- barriers of the block: of all threads, or of the given number */

inline void i_bar_sync(site s, unsigned id)
{
    if (id == 0)
        (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, s.file, s.line);
    else
        (void)assay_host_named_barrier(ASSAY_NAMED_SYNC, id, 0, true, false, s.file, s.line);
}
inline void i_bar_sync(site s, unsigned id, unsigned count)
{
    (void)assay_host_named_barrier(ASSAY_NAMED_SYNC, id, count, true, false, s.file, s.line);
}
inline void i_bar_arrive(site s, unsigned id, unsigned count)
{
    (void)assay_host_named_barrier(ASSAY_NAMED_ARRIVE, id, count, true, false, s.file, s.line);
}

/* ---- the warp */

inline void i_bar_warp_sync(site s, unsigned mask) { __syncwarp(mask, s.file, s.line); }

/* The low bits of `edge` hold the last lane, or for `up` the first. The bits above them divide the
 * warp into segments. */
template <typename Source> inline uint32_t shuffle(site s, uint32_t value, uint32_t edge,
                                                   uint32_t mask, bool *is_inside, Source source)
{
    const uint32_t lane = assay_host_lane(), parts = edge >> 8 & 31u, clamp = edge & 31u;
    const uint32_t last = (lane & parts) | (clamp & ~parts & 31u);
    const uint32_t from = source(lane, lane & parts, last, is_inside);

    return assay_host_shuffle(mask, value, *is_inside ? from : lane, s.file, s.line);
}
#define ASSAY_PTX_SHUFFLE(name, ...)                                                               \
    template <typename T, typename D, typename P, typename A, typename B, typename C, typename M>  \
    inline void i_shfl_sync_##name(site s, D &&d, P &&p, const A &a, const B &b_, const C &c,      \
                                   const M &mask)                                                  \
    {                                                                                              \
        const uint32_t b      = as<uint32_t>(b_) & 31u;                                            \
        bool           inside = false;                                                             \
        const uint32_t value  = shuffle(                                                           \
             s, as<uint32_t>(a), as<uint32_t>(c), as<uint32_t>(mask), &inside,                     \
             [b](uint32_t lane, uint32_t first, uint32_t last, bool *is_inside) -> uint32_t {      \
                (void)lane, (void)first, (void)last;                                              \
                __VA_ARGS__                                                                       \
            });                                                                                   \
        to<uint32_t>(d, value);                                                                    \
        to<bool>(p, inside);                                                                       \
    }                                                                                              \
    template <typename T, typename D, typename A, typename B, typename C, typename M>              \
    inline void i_shfl_sync_##name(site s, D &&d, const A &a, const B &b, const C &c, const M &m)  \
    {                                                                                              \
        i_shfl_sync_##name<T>(s, d, nothing(), a, b, c, m);                                        \
    }
ASSAY_PTX_SHUFFLE(up, const int at = static_cast<int>(lane) - static_cast<int>(b);
                  *is_inside = at >= static_cast<int>(last); return static_cast<uint32_t>(at);)
ASSAY_PTX_SHUFFLE(down, *is_inside = lane + b <= last; return lane + b;)
ASSAY_PTX_SHUFFLE(bfly, *is_inside = (lane ^ b) <= last; return lane ^ b;)
ASSAY_PTX_SHUFFLE(idx, const uint32_t at = first | b; *is_inside = at <= last; return at;)
#undef ASSAY_PTX_SHUFFLE

template <typename T, typename D> inline void i_vote_sync_ballot(site s, D &&d, bool p, unsigned m)
{
    to<uint32_t>(d, __ballot_sync(m, p, s.file, s.line));
}
template <typename T, typename D> inline void i_vote_sync_any(site s, D &&d, bool p, unsigned m)
{
    to<bool>(d, __any_sync(m, p, s.file, s.line) != 0);
}
template <typename T, typename D> inline void i_vote_sync_all(site s, D &&d, bool p, unsigned m)
{
    to<bool>(d, __all_sync(m, p, s.file, s.line) != 0);
}
template <typename T, typename D> inline void i_activemask(site s, D &&d)
{
    to<uint32_t>(d, __activemask(s.file, s.line));
}
template <typename T, typename D, typename A>
inline void i_match_any_sync(site s, D &&d, const A &a, unsigned m)
{
    to<uint32_t>(d, __match_any_sync(m, as<T>(a), s.file, s.line));
}
#define ASSAY_PTX_REDUCE(name)                                                                     \
    template <typename T, typename D, typename A>                                                  \
    inline void i_redux_sync_##name(site s, D &&d, const A &a, unsigned m)                         \
    {                                                                                              \
        to<T>(d, __reduce_##name##_sync(m, as<T>(a), s.file, s.line));                             \
    }
ASSAY_PTX_REDUCE(add)
ASSAY_PTX_REDUCE(min)
ASSAY_PTX_REDUCE(max)
ASSAY_PTX_REDUCE(and)
ASSAY_PTX_REDUCE(or)
ASSAY_PTX_REDUCE(xor)
#undef ASSAY_PTX_REDUCE

/* ---- special registers, and what ends a thread or a launch */

inline uint32_t warp_id(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32u;
}
inline uint32_t sm_id(void) { return blockIdx.x % 2; }
/* side 0: this lane; 1: those before it; 2: those behind it. */
inline uint32_t lanes(unsigned side, unsigned itself)
{
    const uint32_t bit = 1u << assay_host_lane();

    return side == 0   ? bit
           : side == 1 ? (bit - 1u) | (itself ? bit : 0u)
                       : ~(bit - 1u) & ~(itself ? 0u : bit);
}
inline void i_trap(site s) { assay_host_trap("inline PTX: trap", s.file, s.line); }
template <typename T, typename A> inline void i_nanosleep(site s, const A &)
{
    assay_host_yield(ASSAY_YIELD_SLEEP, s.file, s.line);
}
template <typename... A> inline void i_nothing(site, const A &...) {}

} // namespace assay_ptx

#endif
