/* Inline PTX for the matrices of a warp, asynchronous copies and barriers in memory. */
#ifndef ASSAY_HOST_PTX_TENSOR_H
#define ASSAY_HOST_PTX_TENSOR_H

#include "copy_calls.h"
#include "ptx_sync.h"
#include "tensor.h"

namespace assay_ptx
{

/* ---- mma.sync */

template <typename T> struct element {
    using type = T;
};
template <typename Format> struct element<half_of<Format>> {
    using type = Format;
};
template <> struct element<tf32> {
    using type = assay_tf32;
};
template <> struct element<e4m3> {
    using type = assay_e4m3;
};
template <> struct element<e5m2> {
    using type = assay_e5m2;
};
template <> struct element<int32_t> {
    using type = int;
};

/* A list of registers as an array of words. */
template <typename Word, typename V> inline void words_of(Word *words, const V &v)
{
    each_value<Word>(v, words, [](Word *w, Word x) { *w = x; });
}

template <unsigned M, unsigned K, typename D, typename A, typename B, typename C, typename LD,
          typename LA, typename LB, typename LC>
inline void multiply(site s, bool saturates, LD &&d, const LA &a, const LB &b, const LC &c)
{
    using in_a = typename element<A>::type;
    using in_b = typename element<B>::type;
    using sum  = typename element<C>::type;
    typename assay_tensor_of<in_a>::word  wa[count<LA>::value];
    typename assay_tensor_of<in_b>::word  wb[count<LB>::value];
    typename assay_accumulator<sum>::word wc[count<LC>::value];

    static_assert(std::is_same<D, C>::value, "results and accumulators are of one type");
    words_of(wa, a);
    words_of(wb, b);
    words_of(wc, c);
    assay_mma<M, K, in_a, in_b, sum>(wc, wa, wb, wc, saturates, s.file, s.line);
    each<typename assay_accumulator<sum>::word>(d, wc, [](const auto *w) { return *w; });
}
#define ASSAY_PTX_MMA(m, k)                                                                        \
    template <typename D, typename A, typename B, typename C, typename LD, typename LA,            \
              typename LB, typename LC>                                                            \
    inline void i_mma_sync_m##m##n8k##k##_row_col(site s, LD &&d, const LA &a, const LB &b,        \
                                                  const LC &c)                                     \
    {                                                                                              \
        multiply<m, k, D, A, B, C>(s, false, d, a, b, c);                                          \
    }                                                                                              \
    template <typename D, typename A, typename B, typename C, typename LD, typename LA,            \
              typename LB, typename LC>                                                            \
    inline void i_mma_sync_m##m##n8k##k##_row_col_satfinite(site s, LD &&d, const LA &a,           \
                                                            const LB &b, const LC &c)              \
    {                                                                                              \
        multiply<m, k, D, A, B, C>(s, true, d, a, b, c);                                           \
    }
ASSAY_PTX_MMA(8, 4)
ASSAY_PTX_MMA(8, 16)
ASSAY_PTX_MMA(16, 4)
ASSAY_PTX_MMA(16, 8)
ASSAY_PTX_MMA(16, 16)
ASSAY_PTX_MMA(16, 32)
#undef ASSAY_PTX_MMA

/* ---- ldmatrix, stmatrix, movmatrix */

#define ASSAY_PTX_MATRICES(n)                                                                      \
    template <typename T, typename D>                                                              \
    inline void i_ldmatrix_sync_m8n8_x##n(site s, D &&d, address a)                                \
    {                                                                                              \
        load_matrices<n>(s, d, a, false);                                                          \
    }                                                                                              \
    template <typename T, typename D>                                                              \
    inline void i_ldmatrix_sync_m8n8_x##n##_trans(site s, D &&d, address a)                        \
    {                                                                                              \
        load_matrices<n>(s, d, a, true);                                                           \
    }                                                                                              \
    template <typename T, typename V>                                                              \
    inline void i_stmatrix_sync_m8n8_x##n(site s, address a, const V &v)                           \
    {                                                                                              \
        store_matrices<n>(s, a, v, false);                                                         \
    }                                                                                              \
    template <typename T, typename V>                                                              \
    inline void i_stmatrix_sync_m8n8_x##n##_trans(site s, address a, const V &v)                   \
    {                                                                                              \
        store_matrices<n>(s, a, v, true);                                                          \
    }
template <unsigned N, typename D>
inline void load_matrices(site s, D &&d, address a, bool is_transposed)
{
    uint32_t words[N];

    assay_ldmatrix<N>(words, static_cast<uint32_t>(a.value), is_transposed, s.file, s.line);
    each<uint32_t>(d, words, [](const uint32_t *w) { return *w; });
}
template <unsigned N, typename V>
inline void store_matrices(site s, address a, const V &v, bool is_transposed)
{
    uint32_t words[N];

    words_of(words, v);
    assay_stmatrix<N>(static_cast<uint32_t>(a.value), words, is_transposed, s.file, s.line);
}
ASSAY_PTX_MATRICES(1)
ASSAY_PTX_MATRICES(2)
ASSAY_PTX_MATRICES(4)
#undef ASSAY_PTX_MATRICES
template <typename T, typename D, typename A>
inline void i_movmatrix_sync_m8n8_trans(site s, D &&d, const A &a)
{
    to<uint32_t>(d, assay_movmatrix(as<uint32_t>(a), s.file, s.line));
}

/* ---- asynchronous copies */

inline void i_cp_async(site s, address to_, address from, unsigned bytes, unsigned copied)
{
    assay_host_copy_async(pointer(to_.value, s), pointer(from.value, s),
                          copied < bytes ? copied : bytes, bytes, s.file, s.line);
}
inline void i_cp_async(site s, address to_, address from, unsigned bytes)
{
    i_cp_async(s, to_, from, bytes, bytes);
}
inline void i_cp_async_commit_group(site s) { assay_host_copy_commit(s.file, s.line); }
inline void i_cp_async_wait_group(site s, unsigned n) { assay_host_copy_wait(n, s.file, s.line); }
inline void i_cp_async_wait_all(site s) { assay_host_copy_wait_all(s.file, s.line); }
template <typename T> inline void i_cp_async_mbarrier_arrive(site s, address a)
{
    assay_host_copy_arrive(static_cast<uint64_t *>(a.of(s, 8)), false, s.file, s.line);
}
template <typename T> inline void i_cp_async_mbarrier_arrive_noinc(site s, address a)
{
    assay_host_copy_arrive(static_cast<uint64_t *>(a.of(s, 8)), true, s.file, s.line);
}

/* ---- barriers in memory */

template <typename T> inline void i_mbarrier_init(site s, address a, unsigned count)
{
    assay_host_mbarrier_init(static_cast<uint64_t *>(a.of(s, 8)), count, s.file, s.line);
}
template <typename T> inline void i_mbarrier_inval(site s, address a)
{
    assay_host_mbarrier_inval(static_cast<uint64_t *>(a.of(s, 8)), s.file, s.line);
}
template <typename T, typename D>
inline void i_mbarrier_arrive(site s, D &&d, address a, unsigned count = 1)
{
    to<uint64_t>(d, assay_host_mbarrier_arrive(static_cast<uint64_t *>(a.of(s, 8)), count, 0, false,
                                               s.file, s.line));
}
template <typename T, typename D>
inline void i_mbarrier_arrive_expect_tx(site s, D &&d, address a, unsigned bytes)
{
    to<uint64_t>(d, assay_host_mbarrier_arrive(static_cast<uint64_t *>(a.of(s, 8)), 1, bytes, false,
                                               s.file, s.line));
}
template <typename T> inline void i_mbarrier_expect_tx(site s, address a, unsigned bytes)
{
    assay_host_mbarrier_expect(static_cast<uint64_t *>(a.of(s, 8)), bytes, s.file, s.line);
}
template <typename T, typename D>
inline void i_mbarrier_test_wait_parity(site s, D &&d, address a, unsigned parity)
{
    to<bool>(d, assay_host_mbarrier_test(static_cast<uint64_t *>(a.of(s, 8)), parity & 1u, s.file,
                                         s.line));
}
template <typename T, typename D>
inline void i_mbarrier_try_wait_parity(site s, D &&d, address a, unsigned parity, unsigned = 0)
{
    to<bool>(d, assay_host_mbarrier_try(static_cast<uint64_t *>(a.of(s, 8)), parity & 1u, s.file,
                                        s.line));
}

} // namespace assay_ptx

#endif
