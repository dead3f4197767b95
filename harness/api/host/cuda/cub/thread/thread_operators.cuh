/* Functors that CUB brings along, by its documentation. */
#ifndef ASSAY_HOST_CUB_THREAD_OPERATORS_CUH
#define ASSAY_HOST_CUB_THREAD_OPERATORS_CUH

#include "host/cub/types.h"

namespace cub
{

#define ASSAY_HOST_CUB_OPERATOR(name, expression)                                                  \
    struct name {                                                                                  \
        template <typename A, typename B> auto operator()(const A &a, const B &b) const            \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
ASSAY_HOST_CUB_OPERATOR(Equality, a == b)
ASSAY_HOST_CUB_OPERATOR(Inequality, a != b)
ASSAY_HOST_CUB_OPERATOR(Sum, a + b)
ASSAY_HOST_CUB_OPERATOR(Difference, a - b)
ASSAY_HOST_CUB_OPERATOR(Division, a / b)
ASSAY_HOST_CUB_OPERATOR(Max, a < b ? b : a)
ASSAY_HOST_CUB_OPERATOR(Min, b < a ? b : a)
#undef ASSAY_HOST_CUB_OPERATOR

template <typename EqualityOp> struct InequalityWrapper {
    EqualityOp op;

    explicit InequalityWrapper(EqualityOp op_) : op(op_) {}
    template <typename A, typename B> bool operator()(const A &a, const B &b) { return !op(a, b); }
};

/* Of pairs of an index and a value; of equal values the lower index. */
struct ArgMax {
    template <typename V, typename K>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename V, typename K>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

template <typename B> struct CastOp {
    template <typename A> B operator()(const A &a) const { return static_cast<B>(a); }
};

template <typename ScanOp> struct SwizzleScanOp {
    ScanOp op;

    explicit SwizzleScanOp(ScanOp op_) : op(op_) {}
    template <typename T> T operator()(const T &a, const T &b) { return op(b, a); }
};

/* Pairs of a segment's number and a value: where the second has a segment of its own, it alone. */
template <typename ReductionOp> struct ReduceBySegmentOp {
    ReductionOp op;

    ReduceBySegmentOp() = default;
    explicit ReduceBySegmentOp(ReductionOp op_) : op(op_) {}
    template <typename Pair> Pair operator()(const Pair &first, const Pair &second)
    {
        Pair both = second;

        both.key   = first.key + second.key;
        both.value = second.key ? second.value : op(first.value, second.value);
        return both;
    }
};
template <typename ReductionOp> struct ReduceByKeyOp {
    ReductionOp op;

    ReduceByKeyOp() = default;
    explicit ReduceByKeyOp(ReductionOp op_) : op(op_) {}
    template <typename Pair> Pair operator()(const Pair &first, const Pair &second)
    {
        Pair both = second;

        if (first.key == second.key)
            both.value = op(first.value, second.value);
        return both;
    }
};

} // namespace cub

#endif
