/* Forward, a warp takes a row: one key a lane, with running maximum and sum (online softmax). The
 * faulty variants of the case are the same kernel with one mistake. */
#ifndef ATTENTION_FORWARD_CUH
#define ATTENTION_FORWARD_CUH

#include "attention.cuh"

enum attention_fault {
    ATTN_RIGHT,
    ATTN_MAX_FROM_ZERO,
    ATTN_MASKED_ROW_NAN,
    ATTN_SEES_NEXT_KEY,
    ATTN_SCALE_FORGOTTEN,
    ATTN_SCALE_AFTER_BIAS,
    ATTN_HALF_SUM,
    ATTN_DELTA_FORGOTTEN
};

/* The right kernel knows at compile time that it has no mistake. */
struct attention_is_right {
    __device__ bool is(attention_fault) const { return false; }
};
struct attention_is_wrong {
    attention_fault fault;
    __device__ bool is(attention_fault other) const { return fault == other; }
};

/* What a lane knows of its row so far. */
struct attention_state {
    float top, sum; /* sum: of the lane's own keys */
    float out[ATTN_COLUMNS];
};

template <typename FAULT>
__device__ inline float attention_score(float product, float scale, float bias, FAULT wrong)
{
    if (wrong.is(ATTN_SCALE_FORGOTTEN))
        return product + bias;
    return wrong.is(ATTN_SCALE_AFTER_BIAS) ? (product + bias) * scale : fmaf(product, scale, bias);
}

/* Like attention_add(), but each sum is rounded to the type: the mistake. */
template <typename T>
__device__ inline void attention_add_narrow(attention_state &s, const float *weight, const T *from,
                                            int n, int size, int lane)
{
    for (int t = 0; t < n; t++) {
        s.sum = ops_float(ops_round<T>(s.sum + (t == lane ? weight[t] : 0)));
        for (int c = 0; c < ATTN_COLUMNS && lane + c * ATTN_WARP < size; c++) {
            const float x = ops_float(from[static_cast<long>(t) * size + lane + c * ATTN_WARP]);

            s.out[c] = ops_float(ops_round<T>(fmaf(weight[t], x, s.out[c])));
        }
    }
}

/* Adds one more key in each lane: `score` is -inf where there is none. */
template <typename T, typename FAULT>
__device__ inline void attention_step(attention_state &s, const attention_warp<T> &w, float score,
                                      const T *values, int n, int size, FAULT wrong)
{
    const float top = fmaxf(s.top, ops_reduce_warp<ops_max>(score));

    if (top == -INFINITY && !wrong.is(ATTN_MASKED_ROW_NAN))
        return; /* no key so far */
    const float again = expf(s.top - top), weight = expf(score - top);

    s.top = top;
    s.sum *= again;
    for (int c = 0; c < ATTN_COLUMNS; c++)
        s.out[c] *= again;
    w.of_lane[w.lane] = weight;
    __syncwarp();
    if (wrong.is(ATTN_HALF_SUM)) {
        attention_add_narrow(s, w.of_lane, values, n, size, w.lane);
    } else {
        s.sum += weight;
        attention_add(s.out, w.of_lane, values, n, size, w.lane);
    }
    __syncwarp();
}

template <typename T, typename FAULT>
__global__ void attention_row_forward(attention<T> a, FAULT wrong)
{
    extern __shared__ float shared[];
    attention_warp<T>       w(shared, a.size);
    attention_state         s = { wrong.is(ATTN_MAX_FROM_ZERO) ? 0 : -INFINITY, 0, {} };

    if (w.row >= static_cast<long>(a.n_heads) * a.n_q)
        return; /* the whole warp */
    const long   head = w.row / a.n_q, query = w.row % a.n_q, size = a.size;
    const int    n    = attention_keys(a, query + (wrong.is(ATTN_SEES_NEXT_KEY) ? 1 : 0));
    const T     *keys = a.k + head * a.n_k * size, *values = a.v + head * a.n_k * size;
    const float *bias = attention_bias(a, head);

    w.load(w.first, a.q + w.row * size, a.size);
    for (int j = 0; j < n; j += ATTN_WARP) {
        const int mine  = j + w.lane;
        float     score = -INFINITY;

        if (mine < n)
            score = attention_score(attention_dot(w.first, keys + mine * size, a.size), a.scale,
                                    bias ? bias[mine] : 0, wrong);
        attention_step(s, w, score, values + j * size, min(ATTN_WARP, n - j), a.size, wrong);
    }
    s.sum              = ops_reduce_warp<ops_add>(s.sum);
    const bool is_seen = s.sum > 0 || wrong.is(ATTN_MASKED_ROW_NAN);

    attention_store(a.out + w.row * size, s.out, is_seen ? 1 / s.sum : 0, a.size, w.lane);
    if (w.lane == 0 && a.log_sum != nullptr)
        a.log_sum[w.row] = is_seen ? s.top + logf(s.sum) : -INFINITY;
}

#endif
