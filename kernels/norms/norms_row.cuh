/* A row in the registers of the threads that share it, in packs of 16 bytes. Aligned rows are
 * loaded and stored by packs, others element by element at the same places. */
#ifndef ASSAY_NORMS_ROW_CUH
#define ASSAY_NORMS_ROW_CUH

#include "norms.cuh"

/* Where a thread's packs lie: pack k begins at column (k * stride + lane) * SIZE. */
struct norms_lane {
    int  lane, stride, cols;
    bool is_aligned;
};

/* Packs as words: two 16-bit elements share a register. */
template <typename T, int K> struct norms_row {
    static constexpr int SIZE = ops_pack<T>::SIZE;
    uint4                word[K];
};

template <typename T>
__device__ inline void norms_unpack(const uint4 &word, float (&x)[ops_pack<T>::SIZE])
{
    ops_pack<T> pack;

    memcpy(&pack, &word, sizeof pack);
#pragma unroll
    for (int v = 0; v < ops_pack<T>::SIZE; v++)
        x[v] = ops_float(pack.v[v]);
}

template <typename T> __device__ inline int norms_column(const norms_lane &l, int k)
{
    return (k * l.stride + l.lane) * ops_pack<T>::SIZE;
}

/* A pack of a row that may begin at any address. */
template <typename T> __device__ inline uint4 norms_gather(const T *from, int c, int cols)
{
    ops_pack<T> pack;
    uint4       word;

#pragma unroll
    for (int v = 0; v < ops_pack<T>::SIZE; v++)
        pack.v[v] = c + v < cols ? from[c + v] : ops_round<T>(0);
    memcpy(&word, &pack, sizeof word);
    return word;
}

/* The pack at column c; zeros beyond the end of the row. Nothing writes the array while the kernel
 * runs, so that such loads may go ahead of stores. */
template <typename T>
__device__ inline uint4 norms_load_pack(const T *from, int c, const norms_lane &l)
{
    if (l.is_aligned)
        return c < l.cols ? __ldg(reinterpret_cast<const uint4 *>(from + c)) : uint4 {};
    return norms_gather(from, c, l.cols);
}

template <typename T, int K>
__device__ inline void norms_load(norms_row<T, K> &row, const T *from, const norms_lane &l)
{
#pragma unroll
    for (int k = 0; k < K; k++)
        row.word[k] = norms_load_pack(from, norms_column<T>(l, k), l);
}

/* The same for an array that the kernel writes. */
template <typename T, int K>
__device__ inline void norms_load_changing(norms_row<T, K> &row, const T *from, const norms_lane &l)
{
#pragma unroll
    for (int k = 0; k < K; k++) {
        const int c = norms_column<T>(l, k);

        if (l.is_aligned)
            row.word[k] = c < l.cols ? *reinterpret_cast<const uint4 *>(from + c) : uint4 {};
        else
            row.word[k] = norms_gather(from, c, l.cols);
    }
}

/* As many elements as 16 bytes of T hold, stored as O: smaller than a pack of T if O is smaller. */
template <typename T, typename O> struct alignas(ops_pack<T>::SIZE * sizeof(O)) norms_out {
    O v[ops_pack<T>::SIZE];
};

template <typename T, typename O> __device__ inline void
norms_store(O *to, const float (&x)[ops_pack<T>::SIZE], int c, const norms_lane &l)
{
    norms_out<T, O> pack;

#pragma unroll
    for (int v = 0; v < ops_pack<T>::SIZE; v++)
        pack.v[v] = ops_round<O>(x[v]);
    if (l.is_aligned) {
        if (c < l.cols)
            *reinterpret_cast<norms_out<T, O> *>(to + c) = pack;
        return;
    }
#pragma unroll
    for (int v = 0; v < ops_pack<T>::SIZE; v++)
        if (c + v < l.cols)
            to[c + v] = pack.v[v];
}

/* x becomes x + residual, rounded to T as it is stored at `to`, where the residual begins. */
template <typename T, int K>
__device__ inline void norms_add(norms_row<T, K> &x, const norms_row<T, K> &residual, T *to,
                                 const norms_lane &l, bool is_stored)
{
    constexpr int SIZE = ops_pack<T>::SIZE;

#pragma unroll
    for (int k = 0; k < K; k++) {
        float       sum[SIZE], other[SIZE];
        ops_pack<T> pack;

        norms_unpack<T>(x.word[k], sum);
        norms_unpack<T>(residual.word[k], other);
#pragma unroll
        for (int v = 0; v < SIZE; v++) {
            sum[v] += other[v];
            pack.v[v] = ops_round<T>(sum[v]);
        }
        memcpy(&x.word[k], &pack, sizeof pack);
        if (is_stored)
            norms_store<T, T>(to, sum, norms_column<T>(l, k), l);
    }
}

/* What a kind does not have must cost no instruction: a compiler has to keep x + 0 and x * 1. */
template <int KIND> __device__ inline float norms_less(float x, float mean)
{
    return KIND == NORMS_LAYER ? x - mean : x;
}

template <typename T, int K> __device__ inline float norms_own_sum(const norms_row<T, K> &row)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < K; k++) {
        float x[ops_pack<T>::SIZE];

        norms_unpack<T>(row.word[k], x);
#pragma unroll
        for (int v = 0; v < ops_pack<T>::SIZE; v++)
            sum += x[v];
    }
    return sum;
}

/* IS_WHOLE: no pack of the thread reaches beyond the row. */
template <int KIND, bool IS_WHOLE, typename T, int K>
__device__ inline float norms_squares(const norms_row<T, K> &row, float mean, const norms_lane &l)
{
    float sum = 0;

#pragma unroll
    for (int k = 0; k < K; k++) {
        float x[ops_pack<T>::SIZE];

        norms_unpack<T>(row.word[k], x);
#pragma unroll
        for (int v = 0; v < ops_pack<T>::SIZE; v++)
            sum += IS_WHOLE || norms_column<T>(l, k) + v < l.cols
                       ? norms_less<KIND>(x[v], mean) * norms_less<KIND>(x[v], mean)
                       : 0;
    }
    return sum;
}

/* A thread's sum of (x - mean)^2 within the row. Beyond the row x is 0, which only a mean turns
 * into something else. One branch for all packs: one for each keeps them from overlapping. */
template <int KIND, typename T, int K> __device__ inline float
norms_own_squares(const norms_row<T, K> &row, float mean, const norms_lane &l)
{
    const int end = norms_column<T>(l, K - 1) + ops_pack<T>::SIZE;

    return KIND != NORMS_LAYER || end <= l.cols ? norms_squares<KIND, true>(row, mean, l)
                                                : norms_squares<KIND, false>(row, mean, l);
}

/* ---- forward ---- */

/* Writes y of a thread's packs of the row that begins at element `at`. */
template <typename T, typename O, int KIND, int K>
__device__ inline void norms_write_y(const norms_args<T> &a, int64_t at, const norms_row<T, K> &x,
                                     const norms_row<T, K> &weight, float mean, float r,
                                     const norms_lane &l)
{
    constexpr int SIZE = ops_pack<T>::SIZE;

#pragma unroll
    for (int k = 0; k < K; k++) {
        const int c = norms_column<T>(l, k);
        float     y[SIZE], w[SIZE], b[SIZE];

        norms_unpack<T>(x.word[k], y);
        norms_unpack<T>(weight.word[k], w);
        if (KIND == NORMS_LAYER)
            norms_unpack<T>(norms_load_pack(a.bias, c, l), b);
#pragma unroll
        for (int v = 0; v < SIZE; v++) {
            y[v] = norms_less<KIND>(y[v], mean) * r * w[v];
            if (KIND == NORMS_LAYER)
                y[v] += b[v];
            if (sizeof(O) == 1)
                y[v] *= a.per_scale;
        }
        norms_store<T, O>(static_cast<O *>(a.y) + at, y, c, l);
    }
}

/* ---- the way back, pack by pack ---- */

/* Sums of a row: of (x - mean)^2, of (w dy) (x - mean) and, only with a mean, of w dy. */
enum {
    NORMS_SQUARES,
    NORMS_GD,
    NORMS_G
};
template <int KIND> constexpr int NORMS_N_SUMS = KIND == NORMS_LAYER ? 3 : 2;

/* What a pack adds to the last two of these sums; `sum` begins with the first. */
template <typename T, int KIND> __device__ inline void
norms_add_products(float *sum, const uint4 &x, const uint4 &dy, const uint4 &weight, float mean)
{
    constexpr int SIZE = ops_pack<T>::SIZE;
    float         d[SIZE], g[SIZE], w[SIZE];

    norms_unpack<T>(x, d);
    norms_unpack<T>(dy, g);
    norms_unpack<T>(weight, w);
#pragma unroll
    for (int v = 0; v < SIZE; v++) {
        g[v] *= w[v];
        sum[NORMS_GD] += g[v] * norms_less<KIND>(d[v], mean);
        if (KIND == NORMS_LAYER)
            sum[NORMS_G] += g[v];
    }
}

/* What all elements of a row use: z = (x - mean) r, dx = r (w dy - g - z gz). */
struct norms_back {
    float mean, r, g, gz;
};

template <int KIND>
__device__ inline norms_back norms_back_of(const float *sum, float mean, float per_cols, float eps)
{
    const float r = rsqrtf(sum[NORMS_SQUARES] * per_cols + eps);

    return { mean, r, KIND == NORMS_LAYER ? sum[NORMS_G] * per_cols : 0,
             r * sum[NORMS_GD] * per_cols };
}

/* The packs of x, dy and d_out (NORMS_FUSED) that dx is made of. */
struct norms_back_pack {
    uint4 x, dy, d_out;
};

/* Writes dx of the pack at column c of the row that begins at element `at`, and sets what the pack
 * adds to the sums over rows. */
template <typename T, int KIND> __device__ inline void
norms_write_dx(const norms_args<T> &a, int64_t at, int c, const norms_back_pack &in,
               const uint4 &weight, const norms_back &b, const norms_lane &l,
               float (&to_weight)[ops_pack<T>::SIZE], float (&to_bias)[ops_pack<T>::SIZE])
{
    constexpr int SIZE = ops_pack<T>::SIZE;
    float         z[SIZE], d_x[SIZE], d_out[SIZE];

    if (KIND == NORMS_FUSED)
        norms_unpack<T>(in.d_out, d_out);
    norms_unpack<T>(in.x, z);
    norms_unpack<T>(in.dy, to_bias);
    norms_unpack<T>(weight, d_x);
#pragma unroll
    for (int v = 0; v < SIZE; v++) {
        z[v]         = norms_less<KIND>(z[v], b.mean) * b.r;
        d_x[v]       = (norms_less<KIND>(d_x[v] * to_bias[v], b.g) - z[v] * b.gz) * b.r;
        d_x[v]       = KIND == NORMS_FUSED ? d_x[v] + d_out[v] : d_x[v];
        to_weight[v] = to_bias[v] * z[v];
    }
    norms_store<T, T>(a.dx + at, d_x, c, l);
}

#endif
