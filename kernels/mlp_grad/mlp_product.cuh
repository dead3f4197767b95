/* The tiled product of mlp_grad: square tiles in shared memory, two of which alternate. Bias,
 * activation, loss and slope are applied to the tile in registers before it is written. */
#ifndef ASSAY_MLP_PRODUCT_CUH
#define ASSAY_MLP_PRODUCT_CUH

#include "mlp_device.cuh"

enum {
    THREADS = 256
};

/* What happens to a tile of the product. */
enum mlp_finish {
    FINISH_HIDDEN, /* + bias, activation */
    FINISH_OUTPUT, /* + bias: y; delta and part of the loss */
    FINISH_SLOPE,  /* times the slope of the layer before */
    FINISH_PLAIN,  /* d_x, and parts of the gradient of the weights */
};

/* C[m][n] = sum over k of A and B. An operand lies along k (element (r, k) at r * k_all + k) or
 * across (at k * r_all + r). */
struct mlp_product {
    int64_t      m, n, k;
    int64_t      k_part;           /* each part of the blocks sums over this much of k */
    int64_t      tiles_m, tiles_n; /* of the launch: block b is tile b % tiles_n, ... */
    const float *a, *b;
    float       *c;        /* part p: at p * part_size */
    float       *row_sums; /* of A over k, likewise; NULL: not wanted */
    int64_t      part_size;
    bool         a_vectors, b_vectors, c_vectors; /* rows can be read four floats at a time */
    mlp_finish   finish;
    int          activation;
    const float *biases; /* [n] */
    const float *other;  /* [m][n]: targets, or the activations whose slope is needed */
    float       *delta;  /* [m][n] */
    float        factor; /* of delta */
    double      *losses; /* one a block */
};

/* ---- from global to shared memory ---- */

/* Each thread loads four floats of each operand's tile: TILE x DEPTH numbers in all. */
template <int TILE> struct tile_shape {
    static constexpr int DEPTH  = 4 * THREADS / TILE; /* along k */
    static constexpr int STRIDE = TILE + 4;
    static constexpr int SIDE   = TILE / 16; /* results of a thread along m and along n */
};

/* Where a thread reads its four floats of an operand, and how much of the operand is left. */
struct mlp_source {
    const float *at;
    int64_t      step; /* to the next tile along k */
    int          k_left, rows_left;
    bool         vectors;
};

template <int TILE, bool ALONG_K>
static __device__ inline mlp_source source_of(const float *from, int64_t rows, int64_t k_all,
                                              int64_t row0, int64_t k_begin, int64_t k_end,
                                              bool vectors)
{
    constexpr int DEPTH = tile_shape<TILE>::DEPTH, QUADS = (ALONG_K ? DEPTH : TILE) / 4;
    const int     me  = static_cast<int>(threadIdx.x);
    const int64_t row = row0 + (ALONG_K ? me / QUADS : me % QUADS * 4);
    const int64_t k   = k_begin + (ALONG_K ? me % QUADS * 4 : me / QUADS);
    mlp_source    s;

    s.at        = from + (ALONG_K ? row * k_all + k : k * rows + row);
    s.step      = ALONG_K ? DEPTH : DEPTH * rows;
    s.k_left    = static_cast<int>(k_end - k);
    s.rows_left = static_cast<int>(rows - row);
    s.vectors   = vectors;
    return s;
}

/* The next four floats; zero past the end. */
template <int TILE, bool ALONG_K> static __device__ inline float4 fetch(mlp_source &s)
{
    const int n    = ALONG_K ? (s.rows_left > 0 ? s.k_left : 0) : (s.k_left > 0 ? s.rows_left : 0);
    float4    four = make_float4(0, 0, 0, 0);

    if (s.vectors && n >= 4) {
        four = *reinterpret_cast<const float4 *>(s.at);
    } else {
        four.x = n > 0 ? s.at[0] : 0;
        four.y = n > 1 ? s.at[1] : 0;
        four.z = n > 2 ? s.at[2] : 0;
        four.w = n > 3 ? s.at[3] : 0;
    }
    s.at += s.step;
    s.k_left -= tile_shape<TILE>::DEPTH;
    return four;
}

/* The tile is stored as [k][row]. */
template <int TILE, bool ALONG_K> static __device__ inline void put(float *tile, float4 four)
{
    constexpr int STRIDE = tile_shape<TILE>::STRIDE;
    const int     me     = static_cast<int>(threadIdx.x);

    if constexpr (ALONG_K) {
        constexpr int QUADS = tile_shape<TILE>::DEPTH / 4;
        float        *to    = tile + me % QUADS * 4 * STRIDE + me / QUADS;

        to[0]          = four.x;
        to[STRIDE]     = four.y;
        to[2 * STRIDE] = four.z;
        to[3 * STRIDE] = four.w;
    } else {
        constexpr int QUADS = TILE / 4;

        *reinterpret_cast<float4 *>(tile + me / QUADS * STRIDE + me % QUADS * 4) = four;
    }
}

/* ---- a tile in registers ---- */

/* Results of a thread: groups of four rows and of four columns, 64 apart. */
template <int TILE> struct thread_tile {
    float at[tile_shape<TILE>::SIDE][tile_shape<TILE>::SIDE];
};

template <int TILE> static __device__ inline void read_side(const float *row, int place,
                                                            float (&side)[tile_shape<TILE>::SIDE])
{
#pragma unroll
    for (int g = 0; g < tile_shape<TILE>::SIDE / 4; g++) {
        const float4 four = *reinterpret_cast<const float4 *>(row + 64 * g + 4 * place);

        side[4 * g]     = four.x;
        side[4 * g + 1] = four.y;
        side[4 * g + 2] = four.z;
        side[4 * g + 3] = four.w;
    }
}

template <int TILE>
static __device__ inline void multiply(const float *a, const float *b, thread_tile<TILE> &sum)
{
    constexpr int SIDE = tile_shape<TILE>::SIDE, STRIDE = tile_shape<TILE>::STRIDE;
    const int     tm = static_cast<int>(threadIdx.x) / 16, tn = static_cast<int>(threadIdx.x) % 16;

#pragma unroll
    for (int k = 0; k < tile_shape<TILE>::DEPTH; k++) {
        float rows[SIDE], columns[SIDE];

        read_side<TILE>(a + k * STRIDE, tm, rows);
        read_side<TILE>(b + k * STRIDE, tn, columns);
#pragma unroll
        for (int i = 0; i < SIDE; i++)
#pragma unroll
            for (int j = 0; j < SIDE; j++)
                sum.at[i][j] = fmaf(rows[i], columns[j], sum.at[i][j]);
    }
}

/* ---- from registers to global memory ---- */

static __device__ inline float finish_one(const mlp_product &p, int64_t row, int64_t column,
                                          float sum, double *square)
{
    const int64_t at = row * p.n + column;

    if (p.finish == FINISH_HIDDEN)
        return mlp_activate(p.activation, sum + p.biases[column]);
    if (p.finish == FINISH_SLOPE)
        return sum * mlp_slope(p.activation, p.other[at]);
    if (p.finish == FINISH_OUTPUT) {
        const float y = sum + p.biases[column];
        const float r = y - p.other[at];

        p.delta[at] = p.factor * r;
        *square += static_cast<double>(r) * static_cast<double>(r);
        return y;
    }
    return sum;
}

static __device__ inline void finish_four(const mlp_product &p, float *c, int64_t row,
                                          int64_t column, const float *sums, double *square)
{
    float done[4] = { 0, 0, 0, 0 };

#pragma unroll
    for (int j = 0; j < 4; j++)
        if (column + j < p.n)
            done[j] = finish_one(p, row, column + j, sums[j], square);
    if (p.c_vectors) { /* n and column are multiples of four */
        *reinterpret_cast<float4 *>(c + row * p.n + column) =
            make_float4(done[0], done[1], done[2], done[3]);
        return;
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (column + j < p.n)
            c[row * p.n + column + j] = done[j];
}

template <int TILE> static __device__ inline double
write_tile(const mlp_product &p, float *c, int64_t m0, int64_t n0, const thread_tile<TILE> &sum)
{
    constexpr int SIDE = tile_shape<TILE>::SIDE;
    const int     tm = static_cast<int>(threadIdx.x) / 16, tn = static_cast<int>(threadIdx.x) % 16;
    double        square = 0;

#pragma unroll
    for (int i = 0; i < SIDE; i++) {
        const int64_t row = m0 + i / 4 * 64 + 4 * tm + i % 4;

#pragma unroll
        for (int g = 0; g < SIDE / 4; g++) {
            const int64_t column = n0 + 64 * g + 4 * tn;

            if (row < p.m && column < p.n)
                finish_four(p, c, row, column, &sum.at[i][4 * g], &square);
        }
    }
    return square;
}

/* ---- the kernel ---- */

template <int TILE>
static __device__ inline float sum_rows(const float *a, bool is_wanted, float sum)
{
    if (is_wanted && threadIdx.x < TILE)
        for (int k = 0; k < tile_shape<TILE>::DEPTH; k++)
            sum += a[k * tile_shape<TILE>::STRIDE + static_cast<int>(threadIdx.x)];
    return sum;
}

template <int TILE, bool A_ALONG_K, bool B_ALONG_K>
static __global__ void __launch_bounds__(THREADS, 2) product_kernel(mlp_product p)
{
    constexpr int     DEPTH = tile_shape<TILE>::DEPTH, SIZE = DEPTH * tile_shape<TILE>::STRIDE;
    __shared__ float4 tiles[4 * SIZE / 4];
    float *const a_tiles = reinterpret_cast<float *>(tiles), *const b_tiles = a_tiles + 2 * SIZE;
    const int64_t     tile_n = blockIdx.x % p.tiles_n, tile_m = blockIdx.x / p.tiles_n % p.tiles_m;
    const int64_t     part = blockIdx.x / p.tiles_n / p.tiles_m;
    const int64_t     m0 = tile_m * TILE, n0 = tile_n * TILE;
    const int64_t     k_begin = part * p.k_part, k_end = min(p.k, k_begin + p.k_part);
    const bool        sums_rows = p.row_sums != NULL && tile_n == 0;
    float             row_sum   = 0;
    double            square;
    thread_tile<TILE> sum = {};

    mlp_source a = source_of<TILE, A_ALONG_K>(p.a, p.m, p.k, m0, k_begin, k_end, p.a_vectors);
    mlp_source b = source_of<TILE, B_ALONG_K>(p.b, p.n, p.k, n0, k_begin, k_end, p.b_vectors);

    put<TILE, A_ALONG_K>(a_tiles, fetch<TILE, A_ALONG_K>(a));
    put<TILE, B_ALONG_K>(b_tiles, fetch<TILE, B_ALONG_K>(b));
    __syncthreads();
    for (int turn = 0, left = static_cast<int>(k_end - k_begin); left > 0;
         left -= DEPTH, turn ^= 1) {
        const float4 next_a = fetch<TILE, A_ALONG_K>(a), next_b = fetch<TILE, B_ALONG_K>(b);

        multiply<TILE>(a_tiles + turn * SIZE, b_tiles + turn * SIZE, sum);
        row_sum = sum_rows<TILE>(a_tiles + turn * SIZE, sums_rows, row_sum);
        put<TILE, A_ALONG_K>(a_tiles + (turn ^ 1) * SIZE, next_a);
        put<TILE, B_ALONG_K>(b_tiles + (turn ^ 1) * SIZE, next_b);
        __syncthreads();
    }
    square = write_tile<TILE>(p, p.c + part * p.part_size, m0, n0, sum);
    if (sums_rows && threadIdx.x < TILE && m0 + threadIdx.x < p.m)
        p.row_sums[part * p.part_size + m0 + threadIdx.x] = row_sum;
    if (p.losses != NULL) {
        __shared__ double sums[THREADS];

        square = mlp_block_sum(sums, square);
        if (threadIdx.x == 0)
            p.losses[blockIdx.x] = square;
    }
}

#endif
