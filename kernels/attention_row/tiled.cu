/* attention_row by tiles. A block has 128 queries of a head and goes through the keys tile by tile.
 *
 * A warp owns 32 of the queries, and of a tile's scores all keys, so that maxima, sums and weights
 * of a row never leave the warp; a thread has 8 rows, and of each BC/8 scores and SIZE/8 elements
 * of the output in registers. That is 64 products for 8 + 8 numbers read from shared memory.
 *
 * Tiles lie in shared memory row by row, in pieces of 16 bytes. Which piece lies where is mixed
 * with the row's number, so that the lanes of an instruction that read one column of several rows
 * meet different banks. Without padding two blocks fit on a multiprocessor: one computes where the
 * other waits at a barrier.
 *
 * The next tile of values is loaded while scores are computed, the next one of keys while the
 * output is. */
#include "attention.cuh"
#include "attention_launch.h"

enum {
    BLOCK     = 128,
    BR        = 128, /* rows of a block */
    WARP_ROWS = 32,
    ROWS      = 8, /* of a thread: every fourth of its warp */
    PIECE     = 4  /* floats of 16 bytes */
};

/* Keys of a tile, so that two blocks fit into the shared memory of a multiprocessor. */
template <int SIZE> constexpr int BC_OF = SIZE == 64 ? 64 : 32;

/* ---- shared memory ---- */

template <int SIZE> struct tiles {
    static constexpr int    BC    = BC_OF<SIZE>;
    static constexpr size_t BYTES = sizeof(float) * (BR * SIZE + 2 * BC * SIZE + BR * BC);
    float                  *q, *k, *v, *weights;

    __device__ explicit tiles(float *shared)
        : q(shared), k(q + BR * SIZE), v(k + BC * SIZE), weights(v + BC * SIZE)
    {
    }
};

/* Where piece `piece` of a row lies, in floats. */
__device__ inline int mixed(int piece, int row) { return (piece ^ (row & 7)) * PIECE; }

/* Of a piece that is not there no byte is read. */
__device__ inline void copy_piece(float *to, const float *from, bool is_there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(is_there ? 16 : 0)
                 : "memory");
}
template <typename T> __device__ inline void copy_piece(float *to, const T *from, bool is_there)
{
    for (int i = 0; i < PIECE; i++)
        to[i] = is_there ? ops_float(from[i]) : 0;
}

__device__ inline void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/* Starts to load N vectors, of which `there` are there; the others become zero. */
template <int SIZE, int N, bool IS_MIXED, typename T>
__device__ inline void load_tile(float *to, const T *from, int there)
{
    constexpr int PIECES = SIZE / PIECE, STEP = BLOCK / PIECES;
    const int     piece = threadIdx.x % PIECES, first = threadIdx.x / PIECES;

#pragma unroll
    for (int step = 0; step < N / STEP; step++) {
        const int  row      = first + step * STEP;
        const bool is_there = row < there;

        copy_piece(to + row * SIZE + (IS_MIXED ? mixed(piece, row) : piece * PIECE),
                   is_there ? from + row * SIZE + piece * PIECE : from, is_there);
    }
}

__device__ inline float4 load_piece(const float *from)
{
    return *reinterpret_cast<const float4 *>(from);
}

/* ---- a thread ---- */

/* Neighbouring lanes have different rows and the same columns: half a warp reads 2 rows and 8
 * columns. */
template <int SIZE> struct thread_state {
    static constexpr int BC = BC_OF<SIZE>, KEYS = BC / 8, PARTS = SIZE / 32;
    int                  ty, tx, first_row; /* its rows are first_row + 4 r */
    float                top[ROWS], sum[ROWS], out[ROWS][PARTS][PIECE];

    __device__ thread_state()
    {
        const int lane = threadIdx.x % ATTN_WARP;

        ty        = (lane & 1) + 2 * (lane >> 4);
        tx        = lane >> 1 & 7;
        first_row = threadIdx.x / ATTN_WARP * WARP_ROWS + ty;
        for (int r = 0; r < ROWS; r++) {
            top[r] = -INFINITY;
            sum[r] = 0;
            for (int c = 0; c < PARTS * PIECE; c++)
                out[r][c / PIECE][c % PIECE] = 0;
        }
    }
};

/* score[r][c]: row first_row + 4 r, key tx + 8 c. */
template <int SIZE> __device__ inline void multiply_keys(const thread_state<SIZE> &t,
                                                         const tiles<SIZE>        &tile,
                                                         float (&score)[ROWS][BC_OF<SIZE> / 8])
{
    constexpr int KEYS = thread_state<SIZE>::KEYS;
    const float  *q = tile.q + t.first_row * SIZE, *k = tile.k + t.tx * SIZE;

#pragma unroll 2
    for (int piece = 0; piece < SIZE / PIECE; piece++) {
        float4 b[KEYS];

#pragma unroll
        for (int c = 0; c < KEYS; c++)
            b[c] = load_piece(k + 8 * c * SIZE + mixed(piece, t.tx));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float4 a = load_piece(q + 4 * r * SIZE + mixed(piece, t.ty + 4 * (r & 1)));

#pragma unroll
            for (int c = 0; c < KEYS; c++)
                score[r][c] = fmaf(a.x, b[c].x, score[r][c]);
#pragma unroll
            for (int c = 0; c < KEYS; c++)
                score[r][c] = fmaf(a.y, b[c].y, score[r][c]);
#pragma unroll
            for (int c = 0; c < KEYS; c++)
                score[r][c] = fmaf(a.z, b[c].z, score[r][c]);
#pragma unroll
            for (int c = 0; c < KEYS; c++)
                score[r][c] = fmaf(a.w, b[c].w, score[r][c]);
        }
    }
}

__device__ inline float at(const float4 &x, int i)
{
    return i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w;
}

/* out += weights * values. Of a row of weights only pieces of the same parity change places. */
template <int SIZE>
__device__ inline void add_values(thread_state<SIZE> &t, const tiles<SIZE> &tile)
{
    constexpr int BC = BC_OF<SIZE>, PARTS = thread_state<SIZE>::PARTS;
    const float  *weights = tile.weights + t.first_row * BC, *v = tile.v + t.tx * PIECE;

#pragma unroll 1
    for (int piece = 0; piece < BC / PIECE; piece++) {
        float4 a[ROWS];

#pragma unroll
        for (int r = 0; r < ROWS; r++)
            a[r] = load_piece(weights + 4 * r * BC + mixed(piece, 2 * t.ty));
#pragma unroll
        for (int key = 0; key < PIECE; key++) {
#pragma unroll
            for (int p = 0; p < PARTS; p++) {
                const float4 b = load_piece(v + (piece * PIECE + key) * SIZE + p * 32);

#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    t.out[r][p][0] = fmaf(at(a[r], key), b.x, t.out[r][p][0]);
                    t.out[r][p][1] = fmaf(at(a[r], key), b.y, t.out[r][p][1]);
                    t.out[r][p][2] = fmaf(at(a[r], key), b.z, t.out[r][p][2]);
                    t.out[r][p][3] = fmaf(at(a[r], key), b.w, t.out[r][p][3]);
                }
            }
        }
    }
}

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

constexpr float LOG2_E = 1.44269504f;

/* 2^x for x <= 0 by one instruction, which is off by 2 units; exp2f() looks after denormals too. */
__device__ inline float power(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Where a tile lies; scores are in powers of two from here on. */
template <typename T> struct tile_place {
    const attention<T> &a;
    const float        *bias; /* of the head */
    int                 first_query, first_key;

    /* Does some row of the block not see some key of the tile? */
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

/* Most tiles have neither bias nor edge: these are loops of their own. */
template <int SIZE, typename T>
__device__ inline void scale_scores(const thread_state<SIZE> &t, const tile_place<T> &place,
                                    float (&score)[ROWS][BC_OF<SIZE> / 8])
{
    constexpr int BC = BC_OF<SIZE>, KEYS = BC / 8;
    const float   scale = place.a.scale * LOG2_E;

#pragma unroll
    for (int i = 0; i < ROWS * KEYS; i++)
        score[i / KEYS][i % KEYS] *= scale;
    if (place.bias)
#pragma unroll
        for (int i = 0; i < ROWS * KEYS; i++)
            score[i / KEYS][i % KEYS] += LOG2_E * place.bias_of(t.tx + i % KEYS * 8);
    if (place.has_edge(BC))
#pragma unroll
        for (int i = 0; i < ROWS * KEYS; i++)
            if (!place.is_seen(t.first_row + i / KEYS * 4, t.tx + i % KEYS * 8))
                score[i / KEYS][i % KEYS] = -INFINITY;
}

/* Stores the weights of the warp's rows, and takes what was summed so far to the new maximum. */
template <int SIZE> __device__ inline void weigh(thread_state<SIZE> &t, const tiles<SIZE> &tile,
                                                 const float (&score)[ROWS][BC_OF<SIZE> / 8])
{
    constexpr int BC = BC_OF<SIZE>, KEYS = BC / 8;
    float        *weights = tile.weights + t.first_row * BC + t.tx % PIECE;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float top = t.top[r];

#pragma unroll
        for (int c = 0; c < KEYS; c++)
            top = fmaxf(top, score[r][c]);
        top = top_of_row(top);

        const float base  = top == -INFINITY ? 0 : top; /* no key so far: weights of 0 */
        const float again = power(t.top[r] - base);

        t.top[r] = top;
        t.sum[r] *= again;
#pragma unroll
        for (int c = 0; c < KEYS; c++) {
            const float weight = power(score[r][c] - base);

            t.sum[r] += weight;
            weights[4 * r * BC + mixed(t.tx / PIECE + 2 * c, 2 * t.ty)] = weight;
        }
#pragma unroll
        for (int c = 0; c < thread_state<SIZE>::PARTS * PIECE; c++)
            t.out[r][c / PIECE][c % PIECE] *= again;
    }
}

template <int SIZE, typename T> __device__ inline void
store_rows(thread_state<SIZE> &t, const attention<T> &a, long head, int first_query)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int   query = first_query + t.first_row + 4 * r;
        const float sum = sum_of_row(t.sum[r]), factor = sum > 0 ? 1 / sum : 0;
        const long  row = head * a.n_q + query;

        if (query >= a.n_q)
            continue;
#pragma unroll
        for (int c = 0; c < thread_state<SIZE>::PARTS * PIECE; c++)
            a.out[row * SIZE + t.tx * PIECE + c / PIECE * 32 + c % PIECE] =
                ops_round<T>(t.out[r][c / PIECE][c % PIECE] * factor);
        if (t.tx == 0)
            a.log_sum[row] = sum > 0 ? t.top[r] / LOG2_E + logf(sum) : -INFINITY;
    }
}

/* ---- the kernel ---- */

/* Rows with many keys first: under a causal mask the last ones. */
template <int SIZE, typename T> __global__ void __launch_bounds__(BLOCK, 2)
    attention_row_tiles(attention<T> a)
{
    constexpr int     BC = BC_OF<SIZE>;
    extern __shared__ __align__(16) float shared[];
    const tiles<SIZE>                     tile(shared);
    thread_state<SIZE>                    t;
    const long                            head = blockIdx.x;
    const int first_query                      = static_cast<int>(gridDim.y - 1 - blockIdx.y) * BR;
    const int n_keys                           = attention_keys(a, first_query + BR - 1);
    const T  *k = a.k + head * a.n_k * SIZE, *v = a.v + head * a.n_k * SIZE;

    load_tile<SIZE, BR, true>(tile.q, a.q + (head * a.n_q + first_query) * SIZE,
                              a.n_q - first_query);
    load_tile<SIZE, BC, true>(tile.k, k, a.n_k);
    for (int j = 0; j < n_keys; j += BC) {
        const tile_place<T> place               = { a, attention_bias(a, head), first_query, j };
        float               score[ROWS][BC / 8] = {};

        wait_for_copies();
        __syncthreads(); /* keys are there, and nobody reads the values before these any more */
        load_tile<SIZE, BC, false>(tile.v, v + static_cast<long>(j) * SIZE, a.n_k - j);
        multiply_keys(t, tile, score);
        scale_scores(t, place, score);
        weigh(t, tile, score);
        wait_for_copies();
        __syncthreads(); /* values are there, and nobody reads the keys any more */
        if (j + BC < n_keys)
            load_tile<SIZE, BC, true>(tile.k, k + static_cast<long>(j + BC) * SIZE, a.n_k - j - BC);
        add_values(t, tile);
    }
    wait_for_copies(); /* without a key the loads were not waited for */
    store_rows(t, a, head, first_query);
}

template <int SIZE, typename T> static int launch(const attention<T> &a, assay_stream stream)
{
    const dim3 grid(static_cast<unsigned>(a.n_heads), assay_blocks_for(a.n_q, BR));

    if (const int error = assay_allow_shared(attention_row_tiles<SIZE, T>, tiles<SIZE>::BYTES))
        return error;
    attention_row_tiles<SIZE, T><<<grid, BLOCK, tiles<SIZE>::BYTES, stream>>>(a);
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

ASSAY_LAUNCHER(attention_row_tiled)
{
    OPS_LAUNCH_BY_TYPE(args->param[ATTN_PARAM_TYPE], return run<T>(args, stream));
    return assay_launch_status();
}
