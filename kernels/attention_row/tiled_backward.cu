/* attention_row by tiles, backward, fp32. There are two kernels of the same form: a block owns
 * queries, or keys, and goes through the tiles of the others. Of each it has two vectors, whose
 * products are the scores and the gradients of the weights:
 *
 *   owner    a1     a2      others  b1    b2      sums
 *   queries  q      d_out           k     v       d_q += dS k
 *   keys     k      v               q     d_out   d_k += dS q, d_v += P d_out
 *
 * There are no atomics, at the cost of computing both products twice. */
#include "attention_launch.h"
#include "attention_tiles.cuh"

enum {
    BC      = 32,
    COLUMNS = BC / 8
};

/* Rows of a thread: so few that two sums of vectors fit into its registers. */
template <int SIZE> constexpr int ROWS_OF = SIZE == 64 ? 8 : 4;
template <int SIZE> constexpr int BR_OF   = 4 * ROWS_OF<SIZE> *ATTN_WARPS;

template <int SIZE> struct backward_tiles {
    static constexpr int    BR    = BR_OF<SIZE>;
    static constexpr size_t BYTES = sizeof(float) * (2 * BR * SIZE + 2 * BC * SIZE + BR * BC);
    float                  *a1, *a2, *b1, *b2, *weights;

    __device__ explicit backward_tiles(float *shared)
        : a1(shared), a2(a1 + BR * SIZE), b1(a2 + BR * SIZE), b2(b1 + BC * SIZE),
          weights(b2 + BC * SIZE)
    {
    }
};

/* Vectors of a head, of the owners and of the others. */
template <bool OF_KEYS> struct roles {
    const float *a1, *a2, *b1, *b2;
    int          n_a, n_b;

    __device__ roles(const attention<float> &a, long head)
    {
        const long   q = head * a.n_q * a.size, k = head * a.n_k * a.size;
        const float *of_query[] = { a.q + q, a.d_out + q }, *of_key[] = { a.k + k, a.v + k };

        a1  = OF_KEYS ? of_key[0] : of_query[0];
        a2  = OF_KEYS ? of_key[1] : of_query[1];
        b1  = OF_KEYS ? of_query[0] : of_key[0];
        b2  = OF_KEYS ? of_query[1] : of_key[1];
        n_a = OF_KEYS ? a.n_k : a.n_q;
        n_b = OF_KEYS ? a.n_q : a.n_k;
    }
};

/* For the queries and keys of a thread's pairs, in powers of two: what is subtracted from a score
 * and what is added to it. P becomes 0 if there is no query, or no key that it sees. */
template <bool OF_KEYS, int ROWS> struct pair_numbers {
    static constexpr int QUERIES = OF_KEYS ? COLUMNS : ROWS, KEYS = OF_KEYS ? ROWS : COLUMNS;
    float                log_sum[QUERIES], delta[QUERIES], bias[KEYS];

    __device__ pair_numbers(const attention<float> &a, long head, int first_query, int query_step,
                            int first_key, int key_step)
    {
        const float *biases = attention_bias(a, head);

#pragma unroll
        for (int i = 0; i < QUERIES; i++) {
            const int   query  = first_query + i * query_step;
            const long  row    = head * a.n_q + query;
            const float of_row = query < a.n_q ? a.log_sum[row] : -INFINITY;

            log_sum[i] = of_row == -INFINITY ? INFINITY : of_row * ATTN_LOG2_E;
            delta[i]   = query < a.n_q ? a.delta[row] : 0;
        }
#pragma unroll
        for (int i = 0; i < KEYS; i++) {
            const int key = first_key + i * key_step;

            bias[i] = key >= a.n_k ? -INFINITY : biases ? biases[key] * ATTN_LOG2_E : 0;
        }
    }
};

/* Turns products x and y, of the owners' vectors and those of the tile at `other`, into P and
 * dS. */
template <bool OF_KEYS, int ROWS>
__device__ inline void differentiate(const attention<float> &a, long head, int owner, int other,
                                     float (&x)[ROWS][COLUMNS], float (&y)[ROWS][COLUMNS])
{
    const int query = OF_KEYS ? other : owner, key = OF_KEYS ? owner : other;
    const pair_numbers<OF_KEYS, ROWS> of(a, head, query, OF_KEYS ? 8 : 4, key, OF_KEYS ? 4 : 8);

#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const int r = i / COLUMNS, c = i % COLUMNS, q = OF_KEYS ? c : r, k = OF_KEYS ? r : c;

        x[r][c] = attention_power(fmaf(x[r][c], a.scale * ATTN_LOG2_E, of.bias[k] - of.log_sum[q]));
        if (a.is_causal &&
            (OF_KEYS ? owner + 4 * r > other + 8 * c : other + 8 * c > owner + 4 * r))
            x[r][c] = 0;
        y[r][c] = x[r][c] * (y[r][c] - of.delta[q]);
    }
}

/* Does one of n owners form a pair with one of the tile at `other`? */
template <bool OF_KEYS>
__device__ inline bool meets(const attention<float> &a, int owner, int n, int other)
{
    return OF_KEYS ? owner < a.n_k && attention_looks(a, other, BC, owner)
                   : attention_looks(a, owner, n, other);
}

template <int SIZE, bool OF_KEYS> __global__ void __launch_bounds__(ATTN_BLOCK, 2)
    attention_row_tiles_backward(attention<float> a)
{
    constexpr int     ROWS = ROWS_OF<SIZE>, BR = BR_OF<SIZE>;
    extern __shared__ __align__(16) float shared[];
    const backward_tiles<SIZE>            tile(shared);
    const attention_thread<ROWS>          t;
    attention_vectors<SIZE, ROWS>         of_score, of_weight;
    const long                            head = blockIdx.x;
    const roles<OF_KEYS>                  role(a, head);
    /* Owners with many others come first. */
    const int first = static_cast<int>(OF_KEYS ? blockIdx.y : gridDim.y - 1 - blockIdx.y) * BR;
    const int begin = OF_KEYS && a.is_causal ? first : 0;
    const int end   = OF_KEYS ? a.n_q : attention_keys(a, first + BR - 1);

    attention_load<SIZE, BR>(tile.a1, role.a1 + static_cast<long>(first) * SIZE, role.n_a - first);
    attention_load<SIZE, BR>(tile.a2, role.a2 + static_cast<long>(first) * SIZE, role.n_a - first);
    for (int j = begin; j < end; j += BC) {
        float x[ROWS][COLUMNS] = {}, y[ROWS][COLUMNS] = {};

        __syncthreads(); /* nobody reads the previous tile any more */
        attention_load<SIZE, BC>(tile.b1, role.b1 + static_cast<long>(j) * SIZE, role.n_b - j);
        attention_load<SIZE, BC>(tile.b2, role.b2 + static_cast<long>(j) * SIZE, role.n_b - j);
        attention_wait();
        __syncthreads();
        if (!meets<OF_KEYS>(a, first + t.warp_row, 4 * ROWS, j))
            continue;
        attention_multiply<SIZE>(x, tile.a1, tile.b1, t);
        attention_multiply<SIZE>(y, tile.a2, tile.b2, t);
        differentiate<OF_KEYS>(a, head, first + t.row, j + t.column, x, y);
        if (OF_KEYS) {
            attention_keep(tile.weights, x, t);
            __syncwarp();
            attention_accumulate<BC, ATTN_MIXED>(of_weight, tile.weights, tile.b2, t);
            __syncwarp();
        }
        attention_keep(tile.weights, y, t);
        __syncwarp();
        attention_accumulate<BC, ATTN_MIXED>(of_score, tile.weights, tile.b1, t);
    }
    attention_wait(); /* without others the loads were not waited for */
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int  owner = first + t.row + 4 * r;
        const long at    = (head * role.n_a + owner) * SIZE;

        if (owner >= role.n_a)
            continue;
        of_score.store(r, (OF_KEYS ? a.d_k : a.d_q) + at, a.scale, t.column);
        if (OF_KEYS)
            of_weight.store(r, a.d_v + at, 1, t.column);
    }
}

/* ---- delta = d_out . out, a warp a row ---- */

static __global__ void attention_row_delta(attention<float> a)
{
    const long row  = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / ATTN_WARP;
    const int  lane = threadIdx.x % ATTN_WARP;
    float      sum  = 0;

    if (row >= static_cast<long>(a.n_heads) * a.n_q)
        return; /* the whole warp */
    for (int c = lane; c < a.size; c += ATTN_WARP)
        sum = fmaf(a.d_out[row * a.size + c], a.out[row * a.size + c], sum);
    sum = ops_reduce_warp<ops_add>(sum);
    if (lane == 0)
        a.delta[row] = sum;
}

/* ---- launches ---- */

template <int SIZE, bool OF_KEYS>
static int launch_owners(const attention<float> &a, assay_stream stream)
{
    const dim3       grid(static_cast<unsigned>(a.n_heads),
                          assay_blocks_for(OF_KEYS ? a.n_k : a.n_q, BR_OF<SIZE>));
    constexpr size_t bytes = backward_tiles<SIZE>::BYTES;

    if (const int error = assay_allow_shared(attention_row_tiles_backward<SIZE, OF_KEYS>, bytes))
        return error;
    attention_row_tiles_backward<SIZE, OF_KEYS><<<grid, ATTN_BLOCK, bytes, stream>>>(a);
    return assay_launch_status();
}

template <int SIZE> static int launch_both(const attention<float> &a, assay_stream stream)
{
    const int error = launch_owners<SIZE, false>(a, stream);

    return error != 0 ? error : launch_owners<SIZE, true>(a, stream);
}

int attention_row_backward_tiled(const assay_args *args, assay_stream stream)
{
    const attention<float> a    = attention_of<float>(args);
    const int64_t          rows = static_cast<int64_t>(a.n_heads) * a.n_q;

    attention_row_delta<<<assay_blocks_for(rows * ATTN_WARP, 256), 256, 0, stream>>>(a);
    return a.size == 64 ? launch_both<64>(a, stream) : launch_both<128>(a, stream);
}
