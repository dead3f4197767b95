/* Backward, a warp takes a row. Weights are computed again from the scores and the logarithms of
 * the sums that the forward pass stored. For queries a warp takes a row. For keys a warp takes a
 * key, or the warps of the queries add their parts by atomics. */
#ifndef ATTENTION_BACKWARD_CUH
#define ATTENTION_BACKWARD_CUH

#include "attention_forward.cuh"

/* Where the warps of the queries add up the gradients of all keys: NULL, or fp32 arrays shaped like
 * k and v. */
struct attention_sums {
    float *d_k, *d_v;
};

/* Adds a lane's part of factor * vector to a sum that several warps share. */
__device__ inline void attention_add_shared(float *sum, float factor, const float *vector, int size,
                                            int lane)
{
    for (int c = lane; c < size; c += ATTN_WARP)
        atomicAdd(sum + c, factor * vector[c]);
}

/* P and dS of a row and a key, from their two products. */
template <typename T> struct attention_pair {
    float weight, d_score;

    template <typename FAULT> __device__ attention_pair(const attention<T> &a, float product,
                                                        float bias, float d_weight, float log_sum,
                                                        float delta, FAULT wrong)
    {
        /* Without a key this would be exp(-inf - -inf). */
        weight  = log_sum == -INFINITY ? 0 : expf(fmaf(product, a.scale, bias) - log_sum);
        d_score = weight * (d_weight - (wrong.is(ATTN_DELTA_FORGOTTEN) ? 0 : delta));
    }
};

template <typename T>
__device__ inline float attention_delta(const attention<T> &a, const attention_warp<T> &w)
{
    float sum = 0;

    for (int c = w.lane; c < a.size; c += ATTN_WARP)
        sum = fmaf(w.second[c], ops_float(a.out[w.row * a.size + c]), sum);
    return ops_reduce_warp<ops_add>(sum);
}

/* For a query: d_q and delta; and, if `to` says where, its part of the gradients of all keys. */
template <typename T, typename FAULT>
__global__ void attention_row_d_q(attention<T> a, attention_sums to, FAULT wrong)
{
    extern __shared__ float shared[];
    attention_warp<T>       w(shared, a.size);
    float                   sum[ATTN_COLUMNS] = {};

    if (w.row >= static_cast<long>(a.n_heads) * a.n_q)
        return; /* the whole warp */
    const long   head = w.row / a.n_q, first = head * a.n_k, size = a.size;
    const int    n    = attention_keys(a, w.row % a.n_q);
    const float *bias = attention_bias(a, head);

    w.load(w.first, a.q + w.row * size, a.size);
    w.load(w.second, a.d_out + w.row * size, a.size);
    const float delta = attention_delta(a, w), log_sum = a.log_sum[w.row];

    if (w.lane == 0)
        a.delta[w.row] = delta;
    for (int j = 0; j < n; j += ATTN_WARP) {
        const int here = min(ATTN_WARP, n - j), mine = j + w.lane;

        if (mine < n) {
            const attention_pair<T> g(
                a, attention_dot(w.first, a.k + (first + mine) * size, a.size),
                bias ? bias[mine] : 0, attention_dot(w.second, a.v + (first + mine) * size, a.size),
                log_sum, delta, wrong);

            w.of_lane[w.lane]   = g.d_score;
            w.of_lane_2[w.lane] = g.weight;
        }
        __syncwarp();
        attention_add(sum, w.of_lane, a.k + (first + j) * size, here, a.size, w.lane);
        for (int t = 0; t < here && to.d_k != nullptr; t++) {
            attention_add_shared(to.d_k + (first + j + t) * size, w.of_lane[t] * a.scale, w.first,
                                 a.size, w.lane);
            attention_add_shared(to.d_v + (first + j + t) * size, w.of_lane_2[t], w.second, a.size,
                                 w.lane);
        }
        __syncwarp();
    }
    attention_store(a.d_q + w.row * size, sum, a.scale, a.size, w.lane);
}

/* For a key: d_k and d_v, from all queries that see it. */
template <typename T, typename FAULT>
__global__ void attention_row_d_kv(attention<T> a, FAULT wrong)
{
    extern __shared__ float shared[];
    attention_warp<T>       w(shared, a.size);
    float                   of_k[ATTN_COLUMNS] = {}, of_v[ATTN_COLUMNS] = {};

    if (w.row >= static_cast<long>(a.n_heads) * a.n_k)
        return; /* the whole warp */
    const long   head = w.row / a.n_k, key = w.row % a.n_k, first = head * a.n_q, size = a.size;
    const float *biases = attention_bias(a, head);
    const float  bias   = biases ? biases[key] : 0;

    w.load(w.first, a.k + w.row * size, a.size);
    w.load(w.second, a.v + w.row * size, a.size);
    for (long i = a.is_causal ? key : 0; i < a.n_q; i += ATTN_WARP) {
        const int  here = static_cast<int>(min(static_cast<long>(ATTN_WARP), a.n_q - i));
        const long mine = first + i + w.lane;

        if (w.lane < here) {
            const attention_pair<T> g(a, attention_dot(w.first, a.q + mine * size, a.size), bias,
                                      attention_dot(w.second, a.d_out + mine * size, a.size),
                                      a.log_sum[mine], a.delta[mine], wrong);

            w.of_lane[w.lane]   = g.d_score;
            w.of_lane_2[w.lane] = g.weight;
        }
        __syncwarp();
        attention_add(of_k, w.of_lane, a.q + (first + i) * size, here, a.size, w.lane);
        attention_add(of_v, w.of_lane_2, a.d_out + (first + i) * size, here, a.size, w.lane);
        __syncwarp();
    }
    attention_store(a.d_k + w.row * size, of_k, a.scale, a.size, w.lane);
    attention_store(a.d_v + w.row * size, of_v, 1, a.size, w.lane);
}

/* ---- launches ---- */

/* Threads of a block: as many whole warps of `block` as need no more shared memory than the default
 * limit. */
struct attention_grid {
    unsigned block, n_q, n_k;
    size_t   shared;

    template <typename T> attention_grid(const attention<T> &a, int64_t threads)
    {
        const int64_t warp = sizeof(float) * attention_warp_floats(a.size);
        const int64_t room = 48 * 1024 / warp, warps = threads / ATTN_WARP;
        const int64_t n = warps < room ? warps : room;

        block  = static_cast<unsigned>(n * ATTN_WARP);
        shared = static_cast<size_t>(n * warp);
        n_q    = assay_blocks_for(static_cast<int64_t>(a.n_heads) * a.n_q, n);
        n_k    = assay_blocks_for(static_cast<int64_t>(a.n_heads) * a.n_k, n);
    }
};

template <typename T, typename FAULT> inline void
attention_launch_forward(const attention<T> &a, int64_t block, FAULT wrong, assay_stream stream)
{
    const attention_grid g(a, block);

    attention_row_forward<T><<<g.n_q, g.block, g.shared, stream>>>(a, wrong);
}

/* Without atomics: the same bits every time. */
template <typename T, typename FAULT> inline void
attention_launch_backward(const attention<T> &a, int64_t block, FAULT wrong, assay_stream stream)
{
    const attention_grid g(a, block);

    attention_row_d_q<T><<<g.n_q, g.block, g.shared, stream>>>(a, attention_sums {}, wrong);
    attention_row_d_kv<T><<<g.n_k, g.block, g.shared, stream>>>(a, wrong);
}

#endif
