/* Registers of inline PTX as variables: how to read and write them as a type, and the arithmetic of
 * each type. */
#ifndef ASSAY_HOST_PTX_VALUES_H
#define ASSAY_HOST_PTX_VALUES_H

#include "address_space.h"
#include "device_calls.h"
#include "host_math.h"
#include "narrow_float.h"
#include "plain_launch.h"

#include <string.h>
#include <tuple>
#include <type_traits>

namespace assay_ptx
{

/* The file and line of the asm statement. */
struct site {
    const char *file;
    int         line;
};

/* Ends the launch; the point becomes UNSUPPORTED with this reason and text. */
[[noreturn]] inline void unknown(const char *text, const char *reason, const char *file, int line)
{
    assay_host_unsupported(text, reason, file, line);
}

/* ---- types that C++ lacks: fp16 and bf16, alone and as pairs, and results of conversions */

template <typename Format> struct half_of {
    uint16_t bits;

    half_of() = default;
    half_of(float value) : bits(static_cast<uint16_t>(Format::from_float(value))) {}
    operator float() const { return Format::to_float(bits); }
};
template <typename Half> struct pair_of {
    Half low, high;

    pair_of() = default;
    pair_of(float l, float h) : low(l), high(h) {}
};
using f16    = half_of<assay_binary16>;
using bf16   = half_of<assay_bfloat16>;
using f16x2  = pair_of<f16>;
using bf16x2 = pair_of<bf16>;

template <typename Format> struct bytes_of {
    uint8_t low, high;

    bytes_of() = default;
    bytes_of(float l, float h) : low(byte(l)), high(byte(h)) {}
    /* Values that are too large, and infinity, become the largest number. */
    static uint8_t byte(float x)
    {
        const float most = Format::to_float(Format::LARGEST);

        return static_cast<uint8_t>(Format::from_float(x > most ? most : x < -most ? -most : x));
    }
};
/* Single ones occur only in matrices. */
struct e4m3 {
};
struct e5m2 {
};
using e4m3x2 = bytes_of<assay_e4m3>;
using e5m2x2 = bytes_of<assay_e5m2>;

/* Rounds to a fraction of ten bits, ties away from zero. */
struct tf32 {
    uint32_t bits;

    tf32() = default;
    tf32(float x)
    {
        const uint32_t all = assay_host_bits<uint32_t>(x);

        bits = (all & 0x7f800000u) == 0x7f800000u ? all : (all + 0x1000u) & 0xffffe000u;
    }
};

/* ---- registers */

inline float  float_of(uint32_t bits) { return assay_host_bits<float>(bits); }
inline double double_of(uint64_t bits) { return assay_host_bits<double>(bits); }

/* `_`: a result that is not used. */
struct nothing {
};

template <typename T, typename V> inline T in(V *value)
{
    return static_cast<T>(reinterpret_cast<uintptr_t>(value));
}
template <typename T, typename V> inline T in(const V &value)
{
    if constexpr (std::is_arithmetic<V>::value &&
                  !(std::is_floating_point<V>::value && std::is_integral<T>::value))
        return static_cast<T>(value);
    else if constexpr (std::is_enum<V>::value)
        return static_cast<T>(value);
    else {
        T to {};

        memcpy(&to, &value, sizeof(V) < sizeof(T) ? sizeof(V) : sizeof(T));
        return to;
    }
}
template <typename X, typename V> inline void out(X &to, const V &value)
{
    if constexpr (std::is_integral<X>::value && std::is_integral<V>::value)
        to = static_cast<X>(value);
    else if constexpr (std::is_pointer<X>::value)
        to = reinterpret_cast<X>(static_cast<uintptr_t>(value));
    else
        memcpy(&to, &value, sizeof(X) < sizeof(V) ? sizeof(X) : sizeof(V));
}

/* Reads a register's bits as T. A number in the text of the asm has its type already. */
template <typename T, typename V> inline T as(const V &value)
{
    if constexpr (std::is_same<T, V>::value)
        return value;
    else if constexpr (std::is_same<V, int>::value || std::is_same<V, bool>::value ||
                       std::is_same<V, long>::value ||
                       (std::is_same<V, double>::value && std::is_same<T, float>::value))
        return static_cast<T>(value);
    else {
        T to {};

        memcpy(static_cast<void *>(&to), &value, sizeof(V) < sizeof(T) ? sizeof(V) : sizeof(T));
        return to;
    }
}

/* Writes to a register that is wider than T: sign-extended if T is signed, else zero-extended. */
template <typename T> inline void             to(const nothing &, const T &) {}
template <typename T, typename D> inline void to(D &d, const T &value)
{
    if constexpr (std::is_integral<T>::value && std::is_integral<D>::value)
        d = static_cast<D>(value);
    else {
        d = D {};
        memcpy(&d, &value, sizeof(D) < sizeof(T) ? sizeof(D) : sizeof(T));
    }
}

/* ---- lists of registers: {a, b} */

template <typename... R> inline std::tuple<R &&...> list(R &&...registers)
{
    return std::tuple<R &&...>(std::forward<R>(registers)...);
}
template <typename D> struct count {
    static constexpr size_t value = 1;
};
template <typename... R> struct count<std::tuple<R...>> {
    static constexpr size_t value = sizeof...(R);
};
template <typename D> constexpr size_t count_of(const D &) { return count<D>::value; }

template <typename D> constexpr bool    is_list                   = false;
template <typename... R> constexpr bool is_list<std::tuple<R...>> = true;

template <typename T, typename D, typename Load> inline void each(D &d, const T *from, Load load)
{
    if constexpr (is_list<D>)
        std::apply([&](auto &&...one) { (to<T>(one, load(from++)), ...); }, d);
    else
        to<T>(d, load(from));
}
template <typename T, typename V, typename Store>
inline void each_value(const V &v, T *p, Store store)
{
    if constexpr (is_list<V>)
        std::apply([&](auto &&...one) { (store(p++, as<T>(one)), ...); }, v);
    else
        store(p, as<T>(v));
}

/* mov from halves to a whole register, and from a whole register to its halves. */
template <typename T, typename D, typename A> inline void mov(D &d, const A &a)
{
    T whole {};

    if constexpr (is_list<A>) {
        unsigned char *at = reinterpret_cast<unsigned char *>(&whole);
        const size_t   n  = sizeof(T) / count<A>::value;

        std::apply([&](auto &&...one) { ((memcpy(at, &one, n), at += n), ...); }, a);
    } else
        whole = as<T>(a);
    if constexpr (is_list<D>) {
        const unsigned char *at = reinterpret_cast<const unsigned char *>(&whole);
        const size_t         n  = sizeof(T) / count<D>::value;

        std::apply([&](auto &&...one) { ((one = {}, memcpy(&one, at, n), at += n), ...); }, d);
    } else
        to<T>(d, whole);
}

/* ---- addresses: one of 32 bits, or of 64 bits with a value below 2^32, is in shared memory */

inline void *pointer(uint64_t address, site s)
{
    return address >> 32 == 0 && address != 0
               ? assay_host_shared_pointer(static_cast<uint32_t>(address), s.file, s.line)
               : reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}
struct address {
    uint64_t value;

    void *of(site s, size_t bytes) const
    {
        void *p = pointer(value, s);

        if (reinterpret_cast<uintptr_t>(p) % bytes != 0)
            assay_host_trap("inline PTX: a misaligned address", s.file, s.line);
        return p;
    }
};
template <typename V> inline address at(const V &value)
{
    return address { static_cast<uint64_t>(value) };
}

/* ---- arithmetic: integers wrap; an operation on a pair applies to both numbers */

template <typename T> using unsigned_of                  = typename std::make_unsigned<T>::type;
template <typename T> constexpr bool is_pair             = false;
template <typename H> constexpr bool is_pair<pair_of<H>> = true;

#define ASSAY_PTX_ARITHMETIC(name, op)                                                             \
    template <typename T> inline T name(const T &a, const T &b)                                    \
    {                                                                                              \
        if constexpr (is_pair<T>)                                                                  \
            return T(a.low op b.low, a.high op b.high);                                            \
        else if constexpr (std::is_integral<T>::value)                                             \
            return static_cast<T>(static_cast<uint64_t>(a) op static_cast<uint64_t>(b));           \
        else                                                                                       \
            return T(a op b);                                                                      \
    }
ASSAY_PTX_ARITHMETIC(add_of, +)
ASSAY_PTX_ARITHMETIC(sub_of, -)
ASSAY_PTX_ARITHMETIC(mul_of, *)
#undef ASSAY_PTX_ARITHMETIC

template <typename T> inline T fma_of(const T &a, const T &b, const T &c)
{
    if constexpr (is_pair<T>)
        return T(fma_of(a.low, b.low, c.low), fma_of(a.high, b.high, c.high));
    else if constexpr (sizeof(T) == 2)
        return T(static_cast<float>(assay_narrow_fma(static_cast<double>(float(a)),
                                                     static_cast<double>(float(b)),
                                                     static_cast<double>(float(c)))));
    else
        return std::fma(a, b, c);
}
/* If one operand is NaN, the result is the other one. */
template <typename T> inline T min_of(const T &a, const T &b)
{
    if constexpr (is_pair<T>)
        return T(min_of(a.low, b.low), min_of(a.high, b.high));
    else if constexpr (std::is_integral<T>::value)
        return b < a ? b : a;
    else
        return T(fmin(a, b));
}
template <typename T> inline T max_of(const T &a, const T &b)
{
    if constexpr (is_pair<T>)
        return T(max_of(a.low, b.low), max_of(a.high, b.high));
    else if constexpr (std::is_integral<T>::value)
        return a < b ? b : a;
    else
        return T(fmax(a, b));
}
template <typename T> inline T abs_of(const T &a)
{
    if constexpr (is_pair<T>)
        return T(fabsf(a.low), fabsf(a.high));
    else if constexpr (std::is_integral<T>::value)
        return a < T {} ? sub_of(T {}, a) : a;
    else
        return T(fabs(a));
}
template <typename T> inline T not_of(const T &a)
{
    if constexpr (std::is_same<T, bool>::value)
        return !a;
    else
        return static_cast<T>(~a);
}

template <typename T> struct wider;
template <> struct wider<uint16_t> {
    using type = uint32_t;
};
template <> struct wider<int16_t> {
    using type = int32_t;
};
template <> struct wider<uint32_t> {
    using type = uint64_t;
};
template <> struct wider<int32_t> {
    using type = int64_t;
};

template <typename T> inline T high_of(const T &a, const T &b)
{
    __extension__ typedef __int128 whole;

    return static_cast<T>((static_cast<whole>(a) * static_cast<whole>(b)) >> 8 * sizeof(T));
}

/* ---- conversions */

/* Converts to an integer of any width. Values out of range become the nearest limit; NaN becomes 0.
 */
template <typename T> inline T integer(double x)
{
    constexpr double low  = std::is_signed<T>::value ? -0x1p63 : 0.0;
    constexpr int    bits = 8 * sizeof(T) - std::is_signed<T>::value;

    if constexpr (sizeof(T) == 8)
        return assay_host_saturate<T>(x, low, std::is_signed<T>::value ? 0x1p63 : 0x1p64);
    else
        return isnan(x)
                   ? T {}
                   : static_cast<T>(fmin(fmax(x, std::is_signed<T>::value ? -ldexp(1, bits) : 0.0),
                                         ldexp(1, bits) - 1));
}
template <typename T, typename F> inline T convert(const F &from)
{
    if constexpr (std::is_integral<F>::value && std::is_integral<T>::value)
        return static_cast<T>(from);
    else if constexpr (std::is_integral<F>::value)
        return T(static_cast<
                 typename std::conditional<std::is_same<T, double>::value, double, float>::type>(
            from));
    else if constexpr (std::is_same<T, double>::value)
        return static_cast<double>(from);
    else
        return T(static_cast<float>(from));
}

} // namespace assay_ptx

#endif
