/* <cuda/functional> for host compilation: what std lacks. */
#ifndef ASSAY_HOST_CUDA_FUNCTIONAL_H
#define ASSAY_HOST_CUDA_FUNCTIONAL_H

#include "thread_scope.h"

#include <functional>
#include <type_traits>
#include <utility>

namespace cuda
{

template <typename T = void> struct maximum {
    constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename A, typename B> constexpr typename ::std::common_type<A, B>::type
    operator()(const A &first, const B &second) const
    {
        const typename ::std::common_type<A, B>::type a = first, b = second;

        return a < b ? b : a;
    }
};
template <typename T = void> struct minimum {
    constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <typename A, typename B> constexpr typename ::std::common_type<A, B>::type
    operator()(const A &first, const B &second) const
    {
        const typename ::std::common_type<A, B>::type a = first, b = second;

        return b < a ? b : a;
    }
};

/* CUDA needs a function that declares its result type; here the function itself is returned. */
template <typename Result, typename Function>
inline Function proclaim_return_type(Function &&function)
{
    return ::std::forward<Function>(function);
}

} // namespace cuda

#endif
