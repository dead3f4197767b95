/* What the kernels of attention_row share: the arguments of a launch, and rows without tiles, where
 * a warp takes a row. Types are those of the buffers; arithmetic is in fp32. */
#ifndef ATTENTION_CUH
#define ATTENTION_CUH

#include "../ops/ops_reduce.cuh"
#include "../ops/ops_types.cuh"
#include "attention_case.h"

template <typename T> struct attention {
    const T     *q, *k, *v, *d_out;
    const float *bias; /* NULL: no bias */
    T           *out, *d_q, *d_k, *d_v;
    float       *log_sum; /* workspace, for each row: top + log of the sum; -inf without a key */
    float       *delta;   /* workspace, for each row: d_out . out */
    int   n_heads, heads, n_q, n_k, size; /* n_heads of all batch entries, heads of one entry */
    bool  is_causal;
    float scale;
};

template <typename T> inline attention<T> attention_of(const assay_args *args)
{
    attention<T>  a    = {};
    const int64_t rows = args->count[ATTN_BUF_Q] / args->param[ATTN_PARAM_SIZE];

    a.q       = ASSAY_BUFFER(const T, ATTN_BUF_Q);
    a.k       = ASSAY_BUFFER(const T, ATTN_BUF_K);
    a.v       = ASSAY_BUFFER(const T, ATTN_BUF_V);
    a.d_out   = ASSAY_BUFFER(const T, ATTN_BUF_D_OUT);
    a.bias    = ASSAY_COUNT(ATTN_BUF_BIAS) > 0 ? ASSAY_BUFFER(const float, ATTN_BUF_BIAS) : nullptr;
    a.out     = ASSAY_BUFFER(T, ATTN_BUF_OUT);
    a.d_q     = ASSAY_BUFFER(T, ATTN_BUF_D_Q);
    a.d_k     = ASSAY_BUFFER(T, ATTN_BUF_D_K);
    a.d_v     = ASSAY_BUFFER(T, ATTN_BUF_D_V);
    a.log_sum = static_cast<float *>(args->workspace);
    a.delta   = a.log_sum + rows;
    a.heads   = ASSAY_PARAM(ATTN_PARAM_HEADS);
    a.n_heads = ASSAY_PARAM(ATTN_PARAM_BATCH) * a.heads;
    a.n_q     = ASSAY_PARAM(ATTN_PARAM_QUERIES);
    a.n_k     = ASSAY_PARAM(ATTN_PARAM_KEYS);
    a.size    = ASSAY_PARAM(ATTN_PARAM_SIZE);
    a.is_causal = args->param[ATTN_PARAM_IS_CAUSAL] != 0;
    a.scale     = ASSAY_SCALAR(ATTN_SCALAR_SCALE);
    return a;
}

/* ---- a warp and its row ---- */

enum {
    ATTN_WARP    = 32,
    ATTN_COLUMNS = ATTN_MAX_SIZE / ATTN_WARP /* elements of a row that a lane sums up */
};

/* Floats of shared memory of a warp: two vectors of the row, and two numbers for each lane. */
inline int attention_warp_floats(int size) { return 2 * size + 2 * ATTN_WARP; }

template <typename T> struct attention_warp {
    float *first, *second; /* two vectors of the row */
    float *of_lane, *of_lane_2;
    int    lane;
    long   row; /* counts over all heads; past the last one for a warp without a row */

    __device__ explicit attention_warp(float *shared, int size)
    {
        const int warp = threadIdx.x / ATTN_WARP;

        first     = shared + warp * (2 * size + 2 * ATTN_WARP);
        second    = first + size;
        of_lane   = second + size;
        of_lane_2 = of_lane + ATTN_WARP;
        lane      = threadIdx.x % ATTN_WARP;
        row       = static_cast<long>(blockIdx.x) * (blockDim.x / ATTN_WARP) + warp;
    }
    __device__ void load(float *to, const T *from, int size) const
    {
        for (int c = lane; c < size; c += ATTN_WARP)
            to[c] = ops_float(from[c]);
        __syncwarp();
    }
};

template <typename T> __device__ inline float attention_dot(const float *a, const T *b, int size)
{
    float sum = 0;

    for (int c = 0; c < size; c++)
        sum = fmaf(a[c], ops_float(b[c]), sum);
    return sum;
}

/* sum[c] += weight * element, over the n vectors from `from` on. */
template <typename T> __device__ inline void attention_add(float *sum, const float *weight,
                                                           const T *from, int n, int size, int lane)
{
    for (int c = 0; c < ATTN_COLUMNS && lane + c * ATTN_WARP < size; c++)
        for (int t = 0; t < n; t++)
            sum[c] =
                fmaf(weight[t], ops_float(from[static_cast<long>(t) * size + lane + c * ATTN_WARP]),
                     sum[c]);
}

/* Stores factor * sum as the row's vector. */
template <typename T>
__device__ inline void attention_store(T *to, const float *sum, float factor, int size, int lane)
{
    for (int c = 0; c < ATTN_COLUMNS && lane + c * ATTN_WARP < size; c++)
        to[lane + c * ATTN_WARP] = ops_round<T>(factor * sum[c]);
}

/* The bias of the keys of a head; NULL if there is none. */
template <typename T>
__device__ inline const float *attention_bias(const attention<T> &a, long head)
{
    return a.bias == nullptr ? nullptr : a.bias + head / a.heads * a.n_k;
}

/* Does any of the n queries from `query` on look at a key from `key` on? */
template <typename T>
__device__ inline bool attention_looks(const attention<T> &a, int query, int n, int key)
{
    return query < a.n_q && !(a.is_causal && key > query + n - 1);
}

/* Number of keys that a row looks at: under a causal mask those up to itself. */
template <typename T> __device__ inline int attention_keys(const attention<T> &a, long query)
{
    return a.is_causal && query + 1 < a.n_k ? static_cast<int>(query + 1) : a.n_k;
}

#endif
