/* Instructions of inline PTX, as the translator calls them (harness/translate/ptx*.c):
 * i_NAME<types>(site, operands). A register is a variable of PTX's width; the instruction's type
 * says how its bits are read. */
#ifndef ASSAY_HOST_PTX_H
#define ASSAY_HOST_PTX_H

#include "address_space.h"
#include "atomics.h"
#include "host_math.h"
#include "ptx_values.h"
#include "warp.h"

namespace assay_ptx
{

/* ---- arithmetic: d = f(a, b, c) */

#define ASSAY_PTX_UNARY(name, value)                                                               \
    template <typename T, typename D, typename A> inline void i_##name(site, D &&d, const A &a_)   \
    {                                                                                              \
        const T a = as<T>(a_);                                                                     \
        to<T>(d, value);                                                                           \
    }
#define ASSAY_PTX_BINARY(name, value)                                                              \
    template <typename T, typename D, typename A, typename B>                                      \
    inline void i_##name(site, D &&d, const A &a_, const B &b_)                                    \
    {                                                                                              \
        const T a = as<T>(a_), b = as<T>(b_);                                                      \
        to<T>(d, value);                                                                           \
    }
#define ASSAY_PTX_TERNARY(name, value)                                                             \
    template <typename T, typename D, typename A, typename B, typename C>                          \
    inline void i_##name(site, D &&d, const A &a_, const B &b_, const C &c_)                       \
    {                                                                                              \
        const T a = as<T>(a_), b = as<T>(b_), c = as<T>(c_);                                       \
        to<T>(d, value);                                                                           \
    }

template <typename T, typename D, typename A> inline void i_mov(site, D &&d, const A &a)
{
    mov<T>(d, a);
}
ASSAY_PTX_BINARY(add, add_of(a, b))
ASSAY_PTX_BINARY(add_rn, add_of(a, b))
ASSAY_PTX_BINARY(sub, sub_of(a, b))
ASSAY_PTX_BINARY(sub_rn, sub_of(a, b))
ASSAY_PTX_BINARY(mul, mul_of(a, b))
ASSAY_PTX_BINARY(mul_rn, mul_of(a, b))
ASSAY_PTX_BINARY(mul_lo, mul_of(a, b))
ASSAY_PTX_BINARY(mul_hi, high_of(a, b))
ASSAY_PTX_TERNARY(mad, add_of(mul_of(a, b), c))
ASSAY_PTX_TERNARY(mad_lo, add_of(mul_of(a, b), c))
ASSAY_PTX_TERNARY(fma_rn, fma_of(a, b, c))
ASSAY_PTX_TERNARY(fma_rn_relu, max_of(fma_of(a, b, c), T {}))
ASSAY_PTX_BINARY(div, a / b)
ASSAY_PTX_BINARY(div_rn, a / b)
ASSAY_PTX_BINARY(rem, a % b)
ASSAY_PTX_BINARY(and, static_cast<T>(a &b))
ASSAY_PTX_BINARY(or, static_cast<T>(a | b))
ASSAY_PTX_BINARY(xor, static_cast<T>(a ^ b))
ASSAY_PTX_UNARY(not, not_of(a))
ASSAY_PTX_BINARY(min, min_of(a, b))
ASSAY_PTX_BINARY(max, max_of(a, b))
ASSAY_PTX_UNARY(abs, abs_of(a))
ASSAY_PTX_UNARY(neg, sub_of(T {}, a))
ASSAY_PTX_UNARY(ex2, T(exp2(a)))
ASSAY_PTX_UNARY(lg2, T(log2(a)))
ASSAY_PTX_UNARY(rcp, T(1) / a)
ASSAY_PTX_UNARY(rcp_rn, T(1) / a)
ASSAY_PTX_UNARY(sqrt, T(sqrt(a)))
ASSAY_PTX_UNARY(sqrt_rn, T(sqrt(a)))
ASSAY_PTX_UNARY(rsqrt, T(1.0 / sqrt(static_cast<double>(a))))
ASSAY_PTX_UNARY(sin, T(sin(a)))
ASSAY_PTX_UNARY(cos, T(cos(a)))
ASSAY_PTX_UNARY(tanh, T(tanh(a)))
ASSAY_PTX_UNARY(popc, static_cast<uint32_t>(__builtin_popcountll(a)))
ASSAY_PTX_UNARY(clz, static_cast<uint32_t>(sizeof(T) == 8 ? __clzll(static_cast<long long>(a))
                                                          : __clz(static_cast<int>(a))))
ASSAY_PTX_UNARY(brev,
                static_cast<T>(sizeof(T) == 8 ? __brevll(a) : __brev(static_cast<uint32_t>(a))))
#undef ASSAY_PTX_UNARY
#undef ASSAY_PTX_BINARY
#undef ASSAY_PTX_TERNARY

/* A shift by the number of bits or more gives 0, or -1 for an arithmetic shift of a negative
 * number. */
template <typename T, typename D, typename A, typename B>
inline void i_shl(site, D &&d, const A &a, const B &b)
{
    const uint32_t n = as<uint32_t>(b);

    to<T>(d, n < 8 * sizeof(T) ? static_cast<T>(as<T>(a) << n) : T {});
}
template <typename T, typename D, typename A, typename B>
inline void i_shr(site, D &&d, const A &a, const B &b)
{
    const uint32_t most = 8 * sizeof(T) - 1, n = as<uint32_t>(b);
    const T        x = as<T>(a);

    to<T>(d, n <= most                  ? static_cast<T>(x >> n)
             : std::is_signed<T>::value ? static_cast<T>(x >> most)
                                        : T {});
}
template <typename T, typename D, typename A, typename B>
inline void i_mul_wide(site, D &&d, const A &a, const B &b)
{
    using wide = typename wider<T>::type;

    to<wide>(d, static_cast<wide>(static_cast<wide>(as<T>(a)) * static_cast<wide>(as<T>(b))));
}
template <typename T, typename D, typename A, typename B, typename C>
inline void i_mad_wide(site, D &&d, const A &a, const B &b, const C &c)
{
    using wide = typename wider<T>::type;

    to<wide>(d,
             add_of(mul_of(static_cast<wide>(as<T>(a)), static_cast<wide>(as<T>(b))), as<wide>(c)));
}
template <typename T, typename D, typename A, typename B, typename P>
inline void i_selp(site, D &&d, const A &a, const B &b, const P &p)
{
    to<T>(d, p ? as<T>(a) : as<T>(b));
}
template <typename T, typename D, typename A, typename B, typename C>
inline void i_prmt(site, D &&d, const A &a, const B &b, const C &c)
{
    to<T>(d, __byte_perm(as<uint32_t>(a), as<uint32_t>(b), as<uint32_t>(c)));
}
/* Bit i of the result is the bit of the table whose number is made of bit i of a, b and c. */
template <typename T, typename D, typename A, typename B, typename C>
inline void i_lop3(site, D &&d, const A &a, const B &b, const C &c, unsigned table)
{
    const uint32_t x = as<uint32_t>(a), y = as<uint32_t>(b), z = as<uint32_t>(c);
    uint32_t       all = 0;

    for (unsigned k = 0; k < 8; k++)
        if (table >> k & 1u)
            all |= (k & 4u ? x : ~x) & (k & 2u ? y : ~y) & (k & 1u ? z : ~z);
    to<T>(d, all);
}
template <typename T, typename D, typename A, typename B, typename C>
inline void i_bfe(site, D &&d, const A &a, const B &b, const C &c)
{
    const uint32_t from = as<uint32_t>(b) & 0xffu, n = as<uint32_t>(c) & 0xffu,
                   bits = 8 * sizeof(T);
    const T x           = as<T>(a);
    T       field       = from < bits                ? static_cast<T>(x >> from)
                          : std::is_signed<T>::value ? static_cast<T>(x >> (bits - 1))
                                                     : T {};

    if (n == 0)
        field = T {};
    else if (n < bits) {
        using U     = typename std::make_unsigned<T>::type;
        const U low = static_cast<U>(static_cast<U>(field) << (bits - n));
        field       = static_cast<T>(static_cast<T>(low) >> (bits - n));
    }
    to<T>(d, field);
}

#define ASSAY_PTX_COMPARE(name, op)                                                                \
    template <typename T, typename D, typename A, typename B>                                      \
    inline void i_setp_##name(site, D &&d, const A &a, const B &b)                                 \
    {                                                                                              \
        d = as<T>(a) op as<T>(b);                                                                  \
    }
ASSAY_PTX_COMPARE(eq, ==)
ASSAY_PTX_COMPARE(ne, !=)
ASSAY_PTX_COMPARE(lt, <)
ASSAY_PTX_COMPARE(le, <=)
ASSAY_PTX_COMPARE(gt, >)
ASSAY_PTX_COMPARE(ge, >=)
ASSAY_PTX_COMPARE(lo, <)
ASSAY_PTX_COMPARE(ls, <=)
ASSAY_PTX_COMPARE(hi, >)
ASSAY_PTX_COMPARE(hs, >=)
#undef ASSAY_PTX_COMPARE

/* ---- conversions: to T from F */

template <typename T, typename F, typename D, typename A> inline void i_cvt(site, D &&d, const A &a)
{
    to<T>(d, convert<T>(as<F>(a)));
}
template <typename T, typename F, typename D, typename A>
inline void i_cvt_rn(site, D &&d, const A &a)
{
    to<T>(d, convert<T>(as<F>(a)));
}
/* Packs two numbers into a pair; the first becomes the upper one. */
template <typename T, typename F, typename D, typename A, typename B>
inline void i_cvt_rn(site, D &&d, const A &a, const B &b)
{
    to<T>(d, T(as<F>(b), as<F>(a)));
}
template <typename T, typename F, typename D, typename A, typename B>
inline void i_cvt_rn_relu(site, D &&d, const A &a, const B &b)
{
    to<T>(d, T(max_of(as<F>(b), F {}), max_of(as<F>(a), F {})));
}
template <typename T, typename F, typename D, typename A, typename B>
inline void i_cvt_rn_satfinite(site, D &&d, const A &a, const B &b)
{
    to<T>(d, T(as<F>(b), as<F>(a)));
}
template <typename T, typename F, typename D, typename A>
inline void i_cvt_rna(site, D &&d, const A &a)
{
    to<T>(d, T(as<F>(a)));
}
#define ASSAY_PTX_TO_INTEGER(name, round)                                                          \
    template <typename T, typename F, typename D, typename A>                                      \
    inline void i_cvt_##name(site, D &&d, const A &a)                                              \
    {                                                                                              \
        to<T>(d, integer<T>(round(static_cast<double>(as<F>(a)))));                                \
    }                                                                                              \
    template <typename T, typename F, typename D, typename A>                                      \
    inline void i_cvt_##name##_sat(site s, D &&d, const A &a)                                      \
    {                                                                                              \
        i_cvt_##name<T, F>(s, static_cast<D &&>(d), a);                                            \
    }
ASSAY_PTX_TO_INTEGER(rni, nearbyint)
ASSAY_PTX_TO_INTEGER(rzi, trunc)
ASSAY_PTX_TO_INTEGER(rmi, floor)
ASSAY_PTX_TO_INTEGER(rpi, ceil)
#undef ASSAY_PTX_TO_INTEGER
/* Saturates: integers to the nearest one of the type, floats to 0 through 1. */
template <typename T, typename F, typename D, typename A>
inline void i_cvt_sat(site, D &&d, const A &a)
{
    const F from = as<F>(a);

    if constexpr (!std::is_integral<T>::value)
        to<T>(d, min_of(max_of(convert<T>(from), T(0.0f)), T(1.0f)));
    else if (from < F {} &&
             static_cast<int64_t>(from) < static_cast<int64_t>(std::numeric_limits<T>::min()))
        to<T>(d, std::numeric_limits<T>::min());
    else if (from > F {} &&
             static_cast<uint64_t>(from) > static_cast<uint64_t>(std::numeric_limits<T>::max()))
        to<T>(d, std::numeric_limits<T>::max());
    else
        to<T>(d, static_cast<T>(from));
}

template <typename T, typename D, typename A> inline void i_cvta(site, D &&d, const A &a)
{
    to<uint64_t>(d, as<uint64_t>(a));
}
template <typename T, typename D, typename A> inline void i_cvta_to(site, D &&d, const A &a)
{
    to<uint64_t>(d, as<uint64_t>(a));
}
template <typename T, typename D, typename A>
inline void i_cvta_to_shared(site s, D &&d, const A &a)
{
    to<uint64_t>(d, assay_host_shared_address(pointer(as<uint64_t>(a), s), s.file, s.line));
}

/* ---- memory */

template <typename T, typename D> inline void i_ld(site s, D &&d, address a)
{
    each<T>(d, static_cast<const T *>(a.of(s, sizeof(T) * count_of(d))),
            [](const T *p) { return *p; });
}
template <typename T, typename D> inline void i_ldu(site s, D &&d, address a) { i_ld<T>(s, d, a); }
template <typename T, typename D> inline void i_ld_relaxed(site s, D &&d, address a)
{
    each<T>(d, static_cast<const T *>(a.of(s, sizeof(T) * count_of(d))),
            [s](const T *p) { return assay_load_relaxed(p, s.file, s.line); });
}
template <typename T, typename D> inline void i_ld_volatile(site s, D &&d, address a)
{
    i_ld_relaxed<T>(s, d, a);
}
template <typename T, typename D> inline void i_ld_acquire(site s, D &&d, address a)
{
    each<T>(d, static_cast<const T *>(a.of(s, sizeof(T) * count_of(d))),
            [s](const T *p) { return assay_load_acquire(p, s.file, s.line); });
}
template <typename T, typename V> inline void i_st(site s, address a, const V &v)
{
    each_value<T>(v, static_cast<T *>(a.of(s, sizeof(T) * count_of(v))), [](T *p, T x) { *p = x; });
}
template <typename T, typename V> inline void i_st_relaxed(site s, address a, const V &v)
{
    each_value<T>(v, static_cast<T *>(a.of(s, sizeof(T) * count_of(v))),
                  [s](T *p, T x) { assay_store_relaxed(p, x, s.file, s.line); });
}
template <typename T, typename V> inline void i_st_volatile(site s, address a, const V &v)
{
    i_st_relaxed<T>(s, a, v);
}
template <typename T, typename V> inline void i_st_release(site s, address a, const V &v)
{
    each_value<T>(v, static_cast<T *>(a.of(s, sizeof(T) * count_of(v))),
                  [s](T *p, T x) { assay_store_release(p, x, s.file, s.line); });
}
inline void i_prefetch(site, address) {}
inline void i_prefetchu(site, address) {}

} // namespace assay_ptx

#endif
