/* Products of tiles in fp32, for a block of four warps.
 *
 * A warp owns some rows, and goes through all columns of each tile, so that the values of a row
 * never leave the warp. Its 32 lanes have 4 different rows and 8 different columns; a thread keeps
 * ROWS x BC/8 numbers of a product in registers, or ROWS x SIZE/8 of a sum of vectors.
 *
 * Tiles lie in shared memory row by row, in pieces of 16 bytes. The place of a piece is mixed with
 * the number of its row, so that the lanes of an instruction that read one column of several rows
 * meet different banks, without padding. */
#ifndef ATTENTION_TILES_CUH
#define ATTENTION_TILES_CUH

#include "attention.cuh"

enum {
    ATTN_BLOCK = 128,
    ATTN_WARPS = ATTN_BLOCK / ATTN_WARP,
    ATTN_PIECE = 4 /* floats in 16 bytes */
};

constexpr float ATTN_LOG2_E = 1.44269504f;

/* 2^x for x <= 0 by one instruction, with an error of 2 units; exp2f() would also handle
 * denormals. */
__device__ inline float attention_power(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* ---- shared memory ---- */

/* The offset of a piece in its row, in floats. */
__device__ inline int attention_mixed(int piece, int row)
{
    return (piece ^ (row & 7)) * ATTN_PIECE;
}

__device__ inline float4 attention_piece(const float *from)
{
    return *reinterpret_cast<const float4 *>(from);
}

/* No byte is read for a piece that is not there. */
__device__ inline void attention_copy(float *to, const float *from, bool is_there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(is_there ? 16 : 0)
                 : "memory");
}
template <typename T> struct alignas(ATTN_PIECE * sizeof(T)) attention_four {
    T v[ATTN_PIECE];
};
template <typename T> __device__ inline void attention_copy(float *to, const T *from, bool is_there)
{
    attention_four<T> four = {};

    if (is_there)
        four = *reinterpret_cast<const attention_four<T> *>(from);
    for (int i = 0; i < ATTN_PIECE; i++)
        to[i] = ops_float(four.v[i]);
}
__device__ inline void attention_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/* A tile that is only read by rows, never by columns, needs no mixing. */
enum attention_order {
    ATTN_PLAIN,
    ATTN_MIXED
};
template <attention_order ORDER> __device__ inline int attention_at(int piece, int row)
{
    return ORDER == ATTN_MIXED ? attention_mixed(piece, row) : piece * ATTN_PIECE;
}

/* Starts to load N vectors. Only the first `there` exist; the others become zero. */
template <int SIZE, int N, attention_order ORDER = ATTN_MIXED, typename T>
__device__ inline void attention_load(float *to, const T *from, int there)
{
    constexpr int PIECES = SIZE / ATTN_PIECE, STEP = ATTN_BLOCK / PIECES;
    const int     piece = threadIdx.x % PIECES, first = threadIdx.x / PIECES;

#pragma unroll
    for (int step = 0; step < N / STEP; step++) {
        const int  row      = first + step * STEP;
        const bool is_there = row < there;

        attention_copy(to + row * SIZE + attention_at<ORDER>(piece, row),
                       is_there ? from + row * SIZE + piece * ATTN_PIECE : from, is_there);
    }
}

/* ---- a thread ---- */

/* The thread's rows are row + 4 r, its columns column + 8 c. Neighbouring lanes have different rows
 * and the same columns: half a warp reads 2 rows and 8 columns. */
template <int ROWS> struct attention_thread {
    int ty, column, row;
    int warp_row; /* the first row of its warp, which has 4 ROWS rows */

    __device__ attention_thread()
    {
        const int lane = threadIdx.x % ATTN_WARP;

        ty       = (lane & 1) + 2 * (lane >> 4);
        column   = lane >> 1 & 7;
        warp_row = threadIdx.x / ATTN_WARP * 4 * ROWS;
        row      = warp_row + ty;
    }
};

/* x[r][c] += a[row + 4 r] . b[column + 8 c] */
template <int SIZE, int ROWS, int COLUMNS>
__device__ inline void attention_multiply(float (&x)[ROWS][COLUMNS], const float *a, const float *b,
                                          const attention_thread<ROWS> &t)
{
    a += t.row * SIZE;
    b += t.column * SIZE;
#pragma unroll 2
    for (int piece = 0; piece < SIZE / ATTN_PIECE; piece++) {
        float4 right[COLUMNS];

#pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            right[c] = attention_piece(b + 8 * c * SIZE + attention_mixed(piece, t.column));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float4 left =
                attention_piece(a + 4 * r * SIZE + attention_mixed(piece, t.ty + 4 * (r & 1)));

#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                x[r][c] = fmaf(left.x, right[c].x, x[r][c]);
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                x[r][c] = fmaf(left.y, right[c].y, x[r][c]);
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                x[r][c] = fmaf(left.z, right[c].z, x[r][c]);
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
                x[r][c] = fmaf(left.w, right[c].w, x[r][c]);
        }
    }
}

/* Stores x[r][c] as weights of the warp's rows. Their pieces are swapped in pairs, so that the
 * stores of a warp also meet different banks. */
template <int ROWS, int COLUMNS> __device__ inline void
attention_keep(float *weights, const float (&x)[ROWS][COLUMNS], const attention_thread<ROWS> &t)
{
    weights += t.row * COLUMNS * 8 + t.column % ATTN_PIECE;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            weights[4 * r * COLUMNS * 8 +
                    attention_mixed(t.column / ATTN_PIECE + 2 * c, 2 * t.ty)] = x[r][c];
}

/* SIZE/8 elements of each of a thread's rows: 4 column + i of every 32. */
template <int SIZE, int ROWS> struct attention_vectors {
    static constexpr int PARTS = SIZE / 32;
    float                x[ROWS][PARTS][ATTN_PIECE];

    __device__ attention_vectors()
    {
#pragma unroll
        for (int i = 0; i < ROWS * PARTS * ATTN_PIECE; i++)
            x[i / ATTN_PIECE / PARTS][i / ATTN_PIECE % PARTS][i % ATTN_PIECE] = 0;
    }
    __device__ void scale(int r, float factor)
    {
#pragma unroll
        for (int i = 0; i < PARTS * ATTN_PIECE; i++)
            x[r][i / ATTN_PIECE][i % ATTN_PIECE] *= factor;
    }
    __device__ void add(int r, int part, float weight, const float4 &v)
    {
        x[r][part][0] = fmaf(weight, v.x, x[r][part][0]);
        x[r][part][1] = fmaf(weight, v.y, x[r][part][1]);
        x[r][part][2] = fmaf(weight, v.z, x[r][part][2]);
        x[r][part][3] = fmaf(weight, v.w, x[r][part][3]);
    }
    template <typename T> __device__ void store(int r, T *to, float factor, int column) const
    {
#pragma unroll
        for (int i = 0; i < PARTS * ATTN_PIECE; i++)
            to[column * ATTN_PIECE + i / ATTN_PIECE * 32 + i % ATTN_PIECE] =
                ops_round<T>(x[r][i / ATTN_PIECE][i % ATTN_PIECE] * factor);
    }
};

__device__ inline float attention_element(const float4 &x, int i)
{
    return i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w;
}

/* sum += weights * b, for BC vectors b. */
template <int BC, attention_order ORDER, int SIZE, int ROWS>
__device__ inline void attention_accumulate(attention_vectors<SIZE, ROWS> &sum,
                                            const float *weights, const float *b,
                                            const attention_thread<ROWS> &t)
{
    weights += t.row * BC;
#pragma unroll 1
    for (int piece = 0; piece < BC / ATTN_PIECE; piece++) {
        float4 w[ROWS];

#pragma unroll
        for (int r = 0; r < ROWS; r++)
            w[r] = attention_piece(weights + 4 * r * BC + attention_mixed(piece, 2 * t.ty));
#pragma unroll
        for (int i = 0; i < ATTN_PIECE; i++) {
            const int    key  = piece * ATTN_PIECE + i;
            const float *from = b + key * SIZE + attention_at<ORDER>(t.column, key);

#pragma unroll
            for (int part = 0; part < SIZE / 32; part++) {
                const float4 v = attention_piece(from + part * 32);

#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum.add(r, part, attention_element(w[r], i), v);
            }
        }
    }
}

#endif
