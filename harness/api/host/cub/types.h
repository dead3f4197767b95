/* Types that CUB's other headers use, written from its documentation: raw memory for a collective,
 * the empty value, a key with its value. */
#ifndef ASSAY_HOST_CUB_TYPES_H
#define ASSAY_HOST_CUB_TYPES_H

#include "host/cuda_functional.h"

#include <type_traits>

namespace cub
{

/* The value type of a primitive that has keys only. */
struct NullType {
    bool operator==(const NullType &) const { return true; }
    bool operator!=(const NullType &) const { return false; }
};

/* Memory for a T that is not constructed, so it may be shared memory or part of a union. */
template <typename T> struct Uninitialized {
    alignas(T) unsigned char bytes[sizeof(T)];

    T &Alias() { return *reinterpret_cast<T *>(this); }
};

template <typename Key_, typename Value_> struct KeyValuePair {
    using Key   = Key_;
    using Value = Value_;

    Key   key;
    Value value;

    KeyValuePair() = default;
    KeyValuePair(const Key &k, const Value &v) : key(k), value(v) {}
    bool operator==(const KeyValuePair &other) const
    {
        return key == other.key && value == other.value;
    }
    bool operator!=(const KeyValuePair &other) const { return !(*this == other); }
};

template <int A> struct Int2Type {
    enum {
        VALUE = A
    };
};

template <int N> struct PowerOfTwo {
    static constexpr bool VALUE = N > 0 && (N & (N - 1)) == 0;
};

/* Rounded up. */
template <int N> struct Log2 {
    static constexpr int VALUE = 1 + Log2<(N + 1) / 2>::VALUE;
};
template <> struct Log2<1> {
    static constexpr int VALUE = 0;
};

} // namespace cub

#endif
