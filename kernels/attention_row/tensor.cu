/* attention_row forward by the tensor cores, for 16-bit types: products of 16 x 16 and 16 x 8
 * numbers, added up in fp32. A block has 128 queries of a head; a warp has 32 of them with their
 * maxima and sums. A lane has the scores of a product exactly where the next product expects the
 * weights, so that these never leave the registers.
 *
 * Keys and values have two tiles each: one is loaded while the other is used. */
#include "attention_launch.h"
#include "attention_tiles.cuh"

enum {
    BC        = 64, /* keys of a tile */
    STRIPS    = 2,  /* strips of 16 rows in a warp */
    BR        = 16 * STRIPS * ATTN_WARPS,
    KEY_TILES = BC / 8
};

/* Tiles in shared memory, of rows in pieces of 16 bytes, mixed like those of floats. */
template <int SIZE, typename T> struct tensor_tiles {
    static constexpr size_t BYTES = sizeof(T) * (BR + 4 * BC) * SIZE;
    T                      *q, *k, *v; /* k and v twice */

    __device__ explicit tensor_tiles(T *shared) : q(shared), k(q + BR * SIZE), v(k + 2 * BC * SIZE)
    {
    }
};

template <int SIZE> __device__ inline int place_of(int row, int piece)
{
    return row * SIZE + ((piece ^ (row & 7)) * 8);
}

template <int SIZE, int N, typename T>
__device__ inline void load_rows(T *to, const T *from, int there)
{
    constexpr int PIECES = SIZE / 8, STEP = ATTN_BLOCK / PIECES;
    const int     piece = threadIdx.x % PIECES, first = threadIdx.x / PIECES;

#pragma unroll
    for (int step = 0; step < N / STEP; step++) {
        const int  row      = first + step * STEP;
        const bool is_there = row < there;

        attention_copy(
            reinterpret_cast<float *>(to + place_of<SIZE>(row, piece)),
            reinterpret_cast<const float *>(is_there ? from + row * SIZE + piece * 8 : from),
            is_there);
    }
}

/* ---- matrices in registers ---- */

/* Loads four matrices of 8 x 8; eight lanes point at the rows of each. */
template <typename T> __device__ inline void load_matrices(unsigned (&m)[4], const T *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                 : "memory");
}
template <typename T> __device__ inline void load_transposed(unsigned (&m)[4], const T *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                 : "memory");
}

/* c += a b: 16 x 8 numbers, each the sum of 16 products. */
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1,
                                __half)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ inline void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1,
                                __nv_bfloat16)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Two neighbours of a row, rounded. */
template <typename T> __device__ inline unsigned rounded_pair(float first, float second)
{
    const T  pair[2] = { ops_round<T>(first), ops_round<T>(second) };
    unsigned bits;

    memcpy(&bits, pair, sizeof bits);
    return bits;
}

/* ---- a warp ---- */

/* In strip s and matrix n, a lane has the elements [s][n][e] of row 16 s + lane/4 + 8 (e/2) and
 * column 8 n + 2 (lane%4) + e%2. */
template <int SIZE> struct warp_state {
    float score[STRIPS][KEY_TILES][4], out[STRIPS][SIZE / 8][4];
    float top[STRIPS][2], sum[STRIPS][2]; /* of the two rows of a strip; sum: the lane's part */
};

template <int SIZE, typename T>
__device__ inline void score_tile(warp_state<SIZE> &w, const T *q, const T *k, int lane)
{
#pragma unroll
    for (int i = 0; i < STRIPS * KEY_TILES * 4; i++)
        w.score[i / 4 / KEY_TILES][i / 4 % KEY_TILES][i % 4] = 0;
#pragma unroll
    for (int piece = 0; piece < SIZE / 8; piece += 2) {
        unsigned a[STRIPS][4];

#pragma unroll
        for (int s = 0; s < STRIPS; s++)
            load_matrices(a[s], q + place_of<SIZE>(16 * s + lane % 16, piece + lane / 16));
#pragma unroll
        for (int n = 0; n < KEY_TILES; n += 2) {
            unsigned b[4];

            load_matrices(
                b, k + place_of<SIZE>(8 * n + lane % 8 + lane / 16 * 8, piece + lane / 8 % 2));
#pragma unroll
            for (int s = 0; s < STRIPS; s++) {
                multiply(w.score[s][n], a[s], b[0], b[1], T());
                multiply(w.score[s][n + 1], a[s], b[2], b[3], T());
            }
        }
    }
}

template <int SIZE, typename T>
__device__ inline void add_values(warp_state<SIZE> &w, const T *v, int lane)
{
#pragma unroll
    for (int n = 0; n < KEY_TILES; n += 2) {
        unsigned a[STRIPS][4];

#pragma unroll
        for (int i = 0; i < STRIPS * 4; i++) {
            const float *pair = &w.score[i / 4][n + i % 4 / 2][i % 2 * 2];

            a[i / 4][i % 4] = rounded_pair<T>(pair[0], pair[1]);
        }
#pragma unroll
        for (int piece = 0; piece < SIZE / 8; piece += 2) {
            unsigned b[4];

            load_transposed(b, v + place_of<SIZE>(8 * n + lane % 16, piece + lane / 16));
#pragma unroll
            for (int s = 0; s < STRIPS; s++) {
                multiply(w.out[s][piece], a[s], b[0], b[1], T());
                multiply(w.out[s][piece + 1], a[s], b[2], b[3], T());
            }
        }
    }
}

/* ---- scores to weights ---- */

/* Turns products into scores in powers of two; `query` and `key` are those of the lane's first
 * element. Most tiles have neither bias nor edge, so these have loops of their own. */
template <int SIZE, typename T>
__device__ inline void scale_scores(warp_state<SIZE> &w, const attention<T> &a, const float *bias,
                                    int query, int key, bool has_edge)
{
    constexpr int COLUMNS = 2 * KEY_TILES, ROWS = 2 * STRIPS; /* of a lane */

#pragma unroll
    for (int i = 0; i < STRIPS * KEY_TILES * 4; i++)
        w.score[i / 4 / KEY_TILES][i / 4 % KEY_TILES][i % 4] *= a.scale * ATTN_LOG2_E;
    if (bias)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const int   column = key + c / 2 * 8 + c % 2;
            const float add    = column < a.n_k ? bias[column] * ATTN_LOG2_E : 0;

#pragma unroll
            for (int r = 0; r < ROWS; r++)
                w.score[r / 2][c / 2][r % 2 * 2 + c % 2] += add;
        }
    if (has_edge)
#pragma unroll
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            const int c = i / ROWS, r = i % ROWS, column = key + c / 2 * 8 + c % 2;

            if (column >= a.n_k || (a.is_causal && column > query + r / 2 * 16 + r % 2 * 8))
                w.score[r / 2][c / 2][r % 2 * 2 + c % 2] = -INFINITY;
        }
}

/* Over the 4 lanes that share a row. */
__device__ inline float top_of_row(float x)
{
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ inline float sum_of_row(float x)
{
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

/* Row h of strip s: turns scores into weights, and rescales what was summed so far to the new
 * maximum. */
template <int SIZE> __device__ inline void weigh(warp_state<SIZE> &w, int s, int h)
{
    float top = w.top[s][h];

#pragma unroll
    for (int i = 0; i < KEY_TILES * 2; i++)
        top = fmaxf(top, w.score[s][i / 2][2 * h + i % 2]);
    top = top_of_row(top);

    const float base  = top == -INFINITY ? 0 : top; /* no key so far: weights are 0 */
    const float again = attention_power(w.top[s][h] - base);

    w.top[s][h] = top;
    w.sum[s][h] *= again;
#pragma unroll
    for (int i = 0; i < KEY_TILES * 2; i++) {
        float &score = w.score[s][i / 2][2 * h + i % 2];

        score = attention_power(score - base);
        w.sum[s][h] += score;
    }
#pragma unroll
    for (int i = 0; i < SIZE / 4; i++)
        w.out[s][i / 2][2 * h + i % 2] *= again;
}

template <int SIZE, typename T> __device__ inline void
store_row(const warp_state<SIZE> &w, int s, int h, const attention<T> &a, long row, int lane)
{
    const float sum = sum_of_row(w.sum[s][h]), factor = sum > 0 ? 1 / sum : 0;

    if (row < 0)
        return;
#pragma unroll
    for (int n = 0; n < SIZE / 8; n++)
        *reinterpret_cast<unsigned *>(a.out + row * SIZE + 8 * n + lane % 4 * 2) =
            rounded_pair<T>(w.out[s][n][2 * h] * factor, w.out[s][n][2 * h + 1] * factor);
    if (lane % 4 == 0)
        a.log_sum[row] = sum > 0 ? w.top[s][h] / ATTN_LOG2_E + logf(sum) : -INFINITY;
}

/* ---- the kernel ---- */

template <int SIZE, typename T> __device__ inline void
load_tile(const tensor_tiles<SIZE, T> &tile, const attention<T> &a, long head, int j)
{
    const int  half = j / BC % 2 * BC * SIZE;
    const long from = (head * a.n_k + j) * SIZE;

    load_rows<SIZE, BC>(tile.k + half, a.k + from, a.n_k - j);
    load_rows<SIZE, BC>(tile.v + half, a.v + from, a.n_k - j);
}

/* Rows with many keys come first: under a causal mask the last ones. */
template <int SIZE, typename T> __global__ void __launch_bounds__(ATTN_BLOCK, 2)
    attention_row_tensor_cores(attention<T> a)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const tensor_tiles<SIZE, T>                   tile(reinterpret_cast<T *>(shared));
    warp_state<SIZE>                              w    = {};
    const long                                    head = blockIdx.x;
    const int                                     lane = threadIdx.x % ATTN_WARP;
    const int first_query = static_cast<int>(gridDim.y - 1 - blockIdx.y) * BR;
    const int first_row   = threadIdx.x / ATTN_WARP * 16 * STRIPS;
    const int query       = first_query + first_row + lane / 4;
    const int n_keys      = attention_keys(a, first_query + BR - 1);

    for (int i = 0; i < STRIPS * 2; i++)
        w.top[i / 2][i % 2] = -INFINITY;
    load_rows<SIZE, BR>(tile.q, a.q + (head * a.n_q + first_query) * SIZE, a.n_q - first_query);
    load_tile(tile, a, head, 0);
    for (int j = 0; j < n_keys; j += BC) {
        const int  half = j / BC % 2 * BC * SIZE;
        const bool has_edge =
            j + BC > a.n_k || (a.is_causal && j + BC - 1 > first_query + first_row);

        attention_wait();
        __syncthreads(); /* the tile is there, and nobody uses the one before any more */
        if (j + BC < n_keys)
            load_tile(tile, a, head, j + BC);
        if (!attention_looks(a, first_query + first_row, 16 * STRIPS, j))
            continue;
        score_tile(w, tile.q + first_row * SIZE, tile.k + half, lane);
        scale_scores(w, a, attention_bias(a, head), query, j + lane % 4 * 2, has_edge);
#pragma unroll
        for (int i = 0; i < STRIPS * 2; i++)
            weigh(w, i / 2, i % 2);
        add_values(w, tile.v + half, lane);
    }
    attention_wait(); /* without a key the loads were not waited for */
#pragma unroll
    for (int i = 0; i < STRIPS * 2; i++) {
        const int at = query + i / 2 * 16 + i % 2 * 8;

        store_row(w, i / 2, i % 2, a, at < a.n_q ? head * a.n_q + at : -1, lane);
    }
}

template <int SIZE, typename T> static int launch(const attention<T> &a, assay_stream stream)
{
    const dim3       grid(static_cast<unsigned>(a.n_heads), assay_blocks_for(a.n_q, BR));
    constexpr size_t bytes = tensor_tiles<SIZE, T>::BYTES;

    if (const int error = assay_allow_shared(attention_row_tensor_cores<SIZE, T>, bytes))
        return error;
    attention_row_tensor_cores<SIZE, T><<<grid, ATTN_BLOCK, bytes, stream>>>(a);
    return assay_launch_status();
}

template <typename T> static int run(const assay_args *args, assay_stream stream)
{
    const attention<T> a     = attention_of<T>(args);
    const int          error = a.size == 64 ? launch<64>(a, stream) : launch<128>(a, stream);

    return error != 0 || !args->param[ATTN_PARAM_HAS_BACKWARD]
               ? error
               : attention_row_backward(args, stream);
}

/* There is no such product for fp32: the case does not ask for it. */
ASSAY_LAUNCHER(attention_row_tensor)
{
    return args->param[ATTN_PARAM_TYPE] == ASSAY_F16 ? run<__half>(args, stream)
                                                     : run<__nv_bfloat16>(args, stream);
}
