/* Matrix fragments of a warp for host compilation, by the documentation of CUDA's header of this
 * name (nvcuda::wmma). CUDA does not say which lane holds which element. Here a lane holds every
 * 32nd one. */
#ifndef ASSAY_HOST_CUDA_MMA_H
#define ASSAY_HOST_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "host/tensor.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t {
    mem_row_major,
    mem_col_major
};
namespace precision
{
struct tf32 {
};
} // namespace precision

/* ---- elements: how they are stored, and the type of their sums */

template <typename T> struct assay_element {
    using stored = T;
    using sum    = T;
};
template <> struct assay_element<__half> {
    using stored = __half;
    using sum    = float;
};
template <> struct assay_element<__nv_bfloat16> {
    using stored = __nv_bfloat16;
    using sum    = float;
};
template <> struct assay_element<signed char> {
    using stored = signed char;
    using sum    = int64_t;
};
template <> struct assay_element<unsigned char> {
    using stored = unsigned char;
    using sum    = int64_t;
};
template <> struct assay_element<precision::tf32> {
    using stored = float;
    using sum    = float;
};

template <typename T>
inline typename assay_element<T>::sum assay_value(typename assay_element<T>::stored x)
{
    return static_cast<typename assay_element<T>::sum>(x);
}
/* The part of a tf32 that a multiplication uses. */
template <> inline float assay_value<precision::tf32>(float x)
{
    return assay_tensor_of<assay_tf32>::value(static_cast<uint32_t>(assay_host_pack(x)), 0);
}

/* Rounds to the nearest tf32, ties away from zero. */
inline float __float_to_tf32(float x)
{
    const uint32_t bits = static_cast<uint32_t>(assay_host_pack(x));

    return isfinite(x) ? assay_host_unpack<float>((bits + 0x1000u) & 0xffffe000u) : x;
}

/* ---- the supported shapes and their element types */

template <int M, int N, int K, typename T> struct assay_shape {
    static constexpr bool IS_16 = (M == 16 && N == 16 && K == 16) ||
                                  (M == 32 && N == 8 && K == 16) || (M == 8 && N == 32 && K == 16);
    static constexpr bool IS_TF32  = M == 16 && N == 16 && K == 8;
    static constexpr bool IS_FP64  = M == 8 && N == 8 && K == 4;
    static constexpr bool IS_SUM   = std::is_same<T, float>::value || std::is_same<T, int>::value;
    static constexpr bool IS_KNOWN = std::is_same<T, double>::value ? IS_FP64
                                     : std::is_same<T, precision::tf32>::value
                                         ? IS_TF32
                                         : IS_16 || (IS_TF32 && IS_SUM);
};

template <typename Use, int M, int N, int K> struct assay_extent;
template <int M, int N, int K> struct assay_extent<matrix_a, M, N, K> {
    static constexpr unsigned ROWS = M, COLUMNS = K;
};
template <int M, int N, int K> struct assay_extent<matrix_b, M, N, K> {
    static constexpr unsigned ROWS = K, COLUMNS = N;
};
template <int M, int N, int K> struct assay_extent<accumulator, M, N, K> {
    static constexpr unsigned ROWS = M, COLUMNS = N;
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment
{
  public:
    using element_type         = typename assay_element<T>::stored;
    using storage_element_type = element_type;
    using extent               = assay_extent<Use, M, N, K>;
    static_assert(assay_shape<M, N, K, T>::IS_KNOWN, "CUDA has no fragment of this shape");
    static_assert(std::is_same<Use, accumulator>::value == std::is_void<Layout>::value,
                  "a matrix has a layout, an accumulator none");

    static constexpr int num_elements         = extent::ROWS * extent::COLUMNS / 32;
    static constexpr int num_storage_elements = num_elements;
    element_type         x[num_elements];

    /* The index in the matrix of element i of this lane. */
    static unsigned assay_row(unsigned i) { return (32 * i + assay_host_lane()) / extent::COLUMNS; }
    static unsigned assay_column(unsigned i)
    {
        return (32 * i + assay_host_lane()) % extent::COLUMNS;
    }
};

/* ---- memory: each lane moves its elements, after all lanes have arrived */

template <typename F>
inline size_t assay_fragment_index(unsigned i, unsigned stride, bool is_by_rows)
{
    const size_t row = F::assay_row(i), column = F::assay_column(i);

    return is_by_rows ? row * stride + column : row * 1 + column * stride;
}

template <typename F> inline void assay_load(F &to, const typename F::element_type *from,
                                             unsigned stride, bool is_by_rows, const char *file,
                                             int line)
{
    __syncwarp(0xffffffffu, file, line);
    for (unsigned i = 0; i < F::num_elements; i++)
        to.x[i] = from[assay_fragment_index<F>(i, stride, is_by_rows)];
}

template <typename Use, int M, int N, int K, typename T, typename Layout>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>       &to,
                             const typename assay_element<T>::stored *from, unsigned stride,
                             ASSAY_HOST_SITE)
{
    static_assert(!std::is_void<Layout>::value, "an accumulator is loaded with a layout");
    assay_load(to, from, stride, std::is_same<Layout, row_major>::value, file, line);
}
template <int M, int N, int K, typename T>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from, unsigned stride,
                             layout_t layout, ASSAY_HOST_SITE)
{
    assay_load(to, from, stride, layout == mem_row_major, file, line);
}

template <int M, int N, int K, typename T>
inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from, unsigned stride,
                              layout_t layout, ASSAY_HOST_SITE)
{
    using F = fragment<accumulator, M, N, K, T>;

    __syncwarp(0xffffffffu, file, line);
    for (unsigned i = 0; i < F::num_elements; i++)
        to[assay_fragment_index<F>(i, stride, layout == mem_row_major)] = from.x[i];
}

template <typename Use, int M, int N, int K, typename T, typename Layout> inline void
fill_fragment(fragment<Use, M, N, K, T, Layout> &to, const typename assay_element<T>::stored &value)
{
    for (auto &element : to.x)
        element = value;
}

/* ---- d = a * b + c */

/* Converts the sum to an accumulator: integers wrap or, if `saturates`, stay at their limits. */
template <typename T, typename Sum> inline T assay_accumulated(Sum sum, bool) { return T(sum); }
template <> inline int assay_accumulated<int, int64_t>(int64_t sum, bool saturates)
{
    uint32_t word;

    assay_accumulator<int>::put(&word, 0, sum, saturates);
    return static_cast<int>(word);
}

template <typename T, typename A, typename B, typename Board>
inline void assay_put(Board &board, const A &a, const B &b)
{
    for (unsigned i = 0; i < A::num_elements; i++)
        board->a[A::assay_row(i)][A::assay_column(i)] = assay_value<T>(a.x[i]);
    for (unsigned i = 0; i < B::num_elements; i++)
        board->b[B::assay_row(i)][B::assay_column(i)] = assay_value<T>(b.x[i]);
}

template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename D,
          typename C>
inline void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,
         const fragment<matrix_b, M, N, K, T, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool saturates = false, ASSAY_HOST_SITE)
{
    using F   = fragment<accumulator, M, N, K, D>;
    using sum = typename assay_element<T>::sum;
    assay_host_warp_board<assay_mma_matrices<sum, M, N, K>> board(file, line);

    assay_put<T>(board, a, b);
    board.complete();
    for (unsigned i = 0; i < F::num_elements; i++)
        d.x[i] = assay_accumulated<D>(
            board->product(F::assay_row(i), F::assay_column(i), static_cast<sum>(c.x[i])),
            saturates);
}

} // namespace wmma
} // namespace nvcuda

#endif
