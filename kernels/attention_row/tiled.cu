/* attention_row by tiles, forward: a block has 128 queries of a head and goes through the keys tile
 * by tile. A warp owns 32 queries, with maxima, sums and weights; a thread has 8 rows.
 *
 * Two blocks fit on a multiprocessor: one computes while the other waits at a barrier. The next
 * tile of values is loaded while scores are computed, the next tile of keys while the output is. */
#include "attention_launch.h"
#include "attention_tiles.cuh"

enum {
    ROWS = 8, /* of a thread */
    BR   = 4 * ROWS * ATTN_WARPS
};

/* Keys of a tile: so few that two blocks fit into the shared memory of a multiprocessor. */
template <int SIZE> constexpr int BC_OF = SIZE == 64 ? 64 : 32;

template <int SIZE> struct forward_tiles {
    static constexpr int    BC    = BC_OF<SIZE>;
    static constexpr size_t BYTES = sizeof(float) * (BR * SIZE + 2 * BC * SIZE + BR * BC);
    float                  *q, *k, *v, *weights;

    __device__ explicit forward_tiles(float *shared)
        : q(shared), k(q + BR * SIZE), v(k + BC * SIZE), weights(v + BC * SIZE)
    {
    }
};

using thread_place               = attention_thread<ROWS>;
template <int SIZE> using scores = float[ROWS][BC_OF<SIZE> / 8];

/* What a thread knows of its rows so far; maxima are those of the scores in powers of two. */
template <int SIZE> struct row_state {
    float                         top[ROWS], sum[ROWS];
    attention_vectors<SIZE, ROWS> out;

    __device__ row_state()
    {
        for (int r = 0; r < ROWS; r++) {
            top[r] = -INFINITY;
            sum[r] = 0;
        }
    }
};

/* Over the 8 lanes that share a row. */
__device__ inline float top_of_row(float x)
{
#pragma unroll
    for (int offset = 2; offset <= 8; offset *= 2)
        x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, offset));
    return x;
}
__device__ inline float sum_of_row(float x)
{
#pragma unroll
    for (int offset = 2; offset <= 8; offset *= 2)
        x += __shfl_xor_sync(0xffffffffu, x, offset);
    return x;
}

/* ---- scores to weights ---- */

/* Where a tile lies. */
template <typename T> struct tile_place {
    const attention<T> &a;
    const float        *bias; /* of the head */
    int                 first_query, first_key;

    /* Is there a row of the block that does not see some key of the tile? */
    __device__ bool has_edge(int bc) const
    {
        return first_key + bc > a.n_k || (a.is_causal && first_key + bc - 1 > first_query);
    }
    __device__ float bias_of(int key) const
    {
        return first_key + key < a.n_k ? bias[first_key + key] : 0;
    }
    __device__ bool is_seen(int row, int key) const
    {
        return first_key + key < a.n_k && !(a.is_causal && first_key + key > first_query + row);
    }
};

/* Turns products into scores in powers of two. Most tiles have neither bias nor edge, so these have
 * loops of their own. */
template <int SIZE, typename T> __device__ inline void
scale_scores(const thread_place &t, const tile_place<T> &place, scores<SIZE> &score)
{
    constexpr int KEYS  = BC_OF<SIZE> / 8;
    const float   scale = place.a.scale * ATTN_LOG2_E;

#pragma unroll
    for (int i = 0; i < ROWS * KEYS; i++)
        score[i / KEYS][i % KEYS] *= scale;
    if (place.bias)
#pragma unroll
        for (int i = 0; i < ROWS * KEYS; i++)
            score[i / KEYS][i % KEYS] += ATTN_LOG2_E * place.bias_of(t.column + i % KEYS * 8);
    if (place.has_edge(BC_OF<SIZE>))
#pragma unroll
        for (int i = 0; i < ROWS * KEYS; i++)
            if (!place.is_seen(t.row + i / KEYS * 4, t.column + i % KEYS * 8))
                score[i / KEYS][i % KEYS] = -INFINITY;
}

/* Turns scores into weights, and rescales what was summed so far to the new maximum. */
template <int SIZE> __device__ inline void weigh(row_state<SIZE> &s, scores<SIZE> &score)
{
    constexpr int KEYS = BC_OF<SIZE> / 8;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float top = s.top[r];

#pragma unroll
        for (int c = 0; c < KEYS; c++)
            top = fmaxf(top, score[r][c]);
        top = top_of_row(top);

        const float base  = top == -INFINITY ? 0 : top; /* no key so far: weights are 0 */
        const float again = attention_power(s.top[r] - base);

        s.top[r] = top;
        s.sum[r] *= again;
#pragma unroll
        for (int c = 0; c < KEYS; c++) {
            score[r][c] = attention_power(score[r][c] - base);
            s.sum[r] += score[r][c];
        }
        s.out.scale(r, again);
    }
}

template <int SIZE, typename T>
__device__ inline void store_rows(const row_state<SIZE> &s, const thread_place &t,
                                  const attention<T> &a, long head, int first_query)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int   query = first_query + t.row + 4 * r;
        const float sum   = sum_of_row(s.sum[r]);
        const long  row   = head * a.n_q + query;

        if (query >= a.n_q)
            continue;
        s.out.store(r, a.out + row * SIZE, sum > 0 ? 1 / sum : 0, t.column);
        if (t.column == 0)
            a.log_sum[row] = sum > 0 ? s.top[r] / ATTN_LOG2_E + logf(sum) : -INFINITY;
    }
}

/* ---- the kernel ---- */

/* Rows with many keys come first: under a causal mask the last ones. */
template <int SIZE, typename T> __global__ void __launch_bounds__(ATTN_BLOCK, 2)
    attention_row_tiles(attention<T> a)
{
    constexpr int     BC = BC_OF<SIZE>;
    extern __shared__ __align__(16) float shared[];
    const forward_tiles<SIZE>             tile(shared);
    const thread_place                    t;
    row_state<SIZE>                       s;
    const long                            head = blockIdx.x;
    const int first_query                      = static_cast<int>(gridDim.y - 1 - blockIdx.y) * BR;
    const int n_keys                           = attention_keys(a, first_query + BR - 1);
    const T  *k = a.k + head * a.n_k * SIZE, *v = a.v + head * a.n_k * SIZE;

    attention_load<SIZE, BR>(tile.q, a.q + (head * a.n_q + first_query) * SIZE,
                             a.n_q - first_query);
    attention_load<SIZE, BC>(tile.k, k, a.n_k);
    for (int j = 0; j < n_keys; j += BC) {
        const tile_place<T> place = { a, attention_bias(a, head), first_query, j };
        scores<SIZE>        score = {};
        const bool          looks = attention_looks(a, first_query + t.warp_row, 4 * ROWS, j);

        attention_wait();
        __syncthreads(); /* the keys are there, and nobody reads the previous values any more */
        attention_load<SIZE, BC, ATTN_PLAIN>(tile.v, v + static_cast<long>(j) * SIZE, a.n_k - j);
        if (looks) {
            attention_multiply<SIZE>(score, tile.q, tile.k, t);
            scale_scores<SIZE>(t, place, score);
            weigh<SIZE>(s, score);
            attention_keep(tile.weights, score, t);
        }
        attention_wait();
        __syncthreads(); /* the values are there, and nobody reads the keys any more */
        if (j + BC < n_keys)
            attention_load<SIZE, BC>(tile.k, k + static_cast<long>(j + BC) * SIZE, a.n_k - j - BC);
        if (looks)
            attention_accumulate<BC, ATTN_PLAIN>(s.out, tile.weights, tile.v, t);
    }
    attention_wait(); /* without a key the loads were not waited for */
    store_rows(s, t, a, head, first_query);
}

template <int SIZE, typename T> static int launch(const attention<T> &a, assay_stream stream)
{
    const dim3       grid(static_cast<unsigned>(a.n_heads), assay_blocks_for(a.n_q, BR));
    constexpr size_t bytes = forward_tiles<SIZE>::BYTES;

    if (const int error = assay_allow_shared(attention_row_tiles<SIZE, T>, bytes))
        return error;
    attention_row_tiles<SIZE, T><<<grid, ATTN_BLOCK, bytes, stream>>>(a);
    return assay_launch_status();
}

template <typename T> static int run(const assay_args *args, assay_stream stream)
{
    const attention<T> a     = attention_of<T>(args);
    const int          error = a.size == 64 ? launch<64>(a, stream) : launch<128>(a, stream);

    if (error != 0 || !args->param[ATTN_PARAM_HAS_BACKWARD])
        return error;
    return args->param[ATTN_PARAM_TYPE] == ASSAY_F32 ? attention_row_backward_tiled(args, stream)
                                                     : attention_row_backward(args, stream);
}

ASSAY_LAUNCHER(attention_row_tiled)
{
    OPS_LAUNCH_BY_TYPE(args->param[ATTN_PARAM_TYPE], return run<T>(args, stream));
    return assay_launch_status();
}
