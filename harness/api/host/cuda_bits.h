/* <cuda/std/bit> and <cuda/cmath> for host compilation: what C++17 lacks. */
#ifndef ASSAY_HOST_CUDA_BITS_H
#define ASSAY_HOST_CUDA_BITS_H

#include "thread_scope.h"

#include <limits>
#include <string.h>
#include <type_traits>

namespace cuda
{

template <typename T, typename U>
constexpr typename ::std::common_type<T, U>::type ceil_div(T a, U b)
{
    using V = typename ::std::common_type<T, U>::type;

    return static_cast<V>(static_cast<V>(a) / static_cast<V>(b) +
                          (static_cast<V>(a) % static_cast<V>(b) != 0));
}
template <typename T, typename U>
constexpr typename ::std::common_type<T, U>::type round_up(T a, U b)
{
    return ceil_div(a, b) * b;
}
template <typename T, typename U>
constexpr typename ::std::common_type<T, U>::type round_down(T a, U b)
{
    return a / b * b;
}

namespace std
{
template <typename To, typename From> inline To bit_cast(const From &from)
{
    static_assert(sizeof(To) == sizeof(From), "bits of the same number");
    To to;

    memcpy(&to, &from, sizeof to);
    return to;
}
template <typename T> constexpr int popcount(T a) { return __builtin_popcountll(a); }
template <typename T> constexpr int countl_zero(T a)
{
    return a == 0 ? ::std::numeric_limits<T>::digits
                  : __builtin_clzll(a) - (64 - ::std::numeric_limits<T>::digits);
}
template <typename T> constexpr int countr_zero(T a)
{
    return a == 0 ? ::std::numeric_limits<T>::digits : __builtin_ctzll(a);
}
template <typename T> constexpr int bit_width(T a)
{
    return ::std::numeric_limits<T>::digits - countl_zero(a);
}
template <typename T> constexpr bool has_single_bit(T a) { return popcount(a) == 1; }
template <typename T> constexpr T    bit_floor(T a)
{
    return a == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(a) - 1));
}
template <typename T> constexpr T bit_ceil(T a)
{
    return a <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(a - 1)));
}
} // namespace std

} // namespace cuda

#endif
