/* CUDA's integer intrinsics beyond those of host_math.h: products of four bytes with a sum, clamped
 * funnel shifts, means, distances. */
#ifndef ASSAY_HOST_INTEGER_H
#define ASSAY_HOST_INTEGER_H

#include "vector_types.h"

#include <stdint.h>
#include <string.h>

/* ---- __dp4a, __dp2a: c plus the products of a's numbers with b's; sums wrap */

template <typename A, typename B, typename Word>
inline unsigned assay_host_dot(Word a_word, Word b_word, unsigned first_b, unsigned n, unsigned c)
{
    static_assert(sizeof(Word) == 4, "numbers lie in words of 32 bits");
    const unsigned a = static_cast<unsigned>(a_word), b = static_cast<unsigned>(b_word);

    for (unsigned i = 0; i < n; i++) {
        const int x = static_cast<A>(a >> 8 * sizeof(A) * i);
        const int y = static_cast<B>(b >> 8 * sizeof(B) * (first_b + i));

        c += static_cast<unsigned>(x * y);
    }
    return c;
}

template <typename Vector> inline unsigned assay_host_word_of(Vector v)
{
    static_assert(sizeof(Vector) == 4, "a vector of 32 bits");
    unsigned word;

    memcpy(&word, &v, sizeof word);
    return word;
}

#define ASSAY_HOST_DOT(name, sum, a_type, b_type, word_type, a_vector, b_vector, first, n)         \
    inline sum name(word_type a, word_type b, sum c)                                               \
    {                                                                                              \
        return static_cast<sum>(                                                                   \
            assay_host_dot<a_type, b_type>(a, b, first, n, static_cast<unsigned>(c)));             \
    }                                                                                              \
    inline sum name(a_vector a, b_vector b, sum c)                                                 \
    {                                                                                              \
        return static_cast<sum>(assay_host_dot<a_type, b_type>(                                    \
            assay_host_word_of(a), assay_host_word_of(b), first, n, static_cast<unsigned>(c)));    \
    }
ASSAY_HOST_DOT(__dp4a, int, int8_t, int8_t, int, char4, char4, 0, 4)
ASSAY_HOST_DOT(__dp4a, unsigned, uint8_t, uint8_t, unsigned, uchar4, uchar4, 0, 4)
ASSAY_HOST_DOT(__dp2a_lo, int, int16_t, int8_t, int, short2, char4, 0, 2)
ASSAY_HOST_DOT(__dp2a_lo, unsigned, uint16_t, uint8_t, unsigned, ushort2, uchar4, 0, 2)
ASSAY_HOST_DOT(__dp2a_hi, int, int16_t, int8_t, int, short2, char4, 2, 2)
ASSAY_HOST_DOT(__dp2a_hi, unsigned, uint16_t, uint8_t, unsigned, ushort2, uchar4, 2, 2)
#undef ASSAY_HOST_DOT

/* ---- shifts over two words, by at most 32 */

inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    const uint64_t both = static_cast<uint64_t>(high) << 32 | low;

    return static_cast<unsigned>(both << (shift < 32 ? shift : 32) >> 32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    const uint64_t both = static_cast<uint64_t>(high) << 32 | low;

    return static_cast<unsigned>(both >> (shift < 32 ? shift : 32));
}

/* ---- means, rounded down or (r) up; distances; high halves */

inline int __hadd(int a, int b) { return static_cast<int>((static_cast<int64_t>(a) + b) >> 1); }
inline int __rhadd(int a, int b)
{
    return static_cast<int>((static_cast<int64_t>(a) + b + 1) >> 1);
}
inline unsigned __uhadd(unsigned a, unsigned b)
{
    return static_cast<unsigned>((static_cast<uint64_t>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b)
{
    return static_cast<unsigned>((static_cast<uint64_t>(a) + b + 1) >> 1);
}
inline unsigned __sad(int a, int b, unsigned c)
{
    return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                      : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
__extension__ typedef __int128 assay_host_int128;
inline long long               __mul64hi(long long a, long long b)
{
    return static_cast<long long>(static_cast<assay_host_int128>(a) * b >> 64);
}

/* ---- minimum and maximum with the type in the name */

#define ASSAY_HOST_LEAST_LARGEST(prefix, type)                                                     \
    inline type prefix##min(type a, type b) { return b < a ? b : a; }                              \
    inline type prefix##max(type a, type b) { return a < b ? b : a; }
ASSAY_HOST_LEAST_LARGEST(u, unsigned)
ASSAY_HOST_LEAST_LARGEST(ll, long long)
ASSAY_HOST_LEAST_LARGEST(ull, unsigned long long)
#undef ASSAY_HOST_LEAST_LARGEST

#endif
