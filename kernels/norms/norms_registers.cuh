/* A block takes a row and holds it in registers: memory is read once. */
#ifndef ASSAY_NORMS_REGISTERS_CUH
#define ASSAY_NORMS_REGISTERS_CUH

#include "norms_row.cuh"

enum {
    NORMS_PACKS        = 4,  /* that a thread holds at most in the forward pass */
    NORMS_BACK         = 16, /* elements that it holds at most in the backward pass */
    NORMS_BACK_THREADS = NORMS_WIDEST / NORMS_BACK /* of a block there at most */
};

template <typename T> constexpr int NORMS_BACK_PACKS = NORMS_BACK / ops_pack<T>::SIZE;

/* The most threads that a block of the forward pass may have: those that hold the widest row. */
template <typename T> constexpr int norms_most_threads(void)
{
    return NORMS_WIDEST / (NORMS_PACKS * ops_pack<T>::SIZE);
}

template <typename T> __device__ inline norms_lane norms_block_lane(const norms_args<T> &a)
{
    return { static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), a.cols, a.is_aligned };
}

/* Elements of a row that a warp holds. */
template <typename T> __device__ inline int norms_warp_elements(const norms_lane &l, int warp)
{
    constexpr int MOST = 32 * ops_pack<T>::SIZE;
    int           n    = 0;

#pragma unroll
    for (int k = 0; k < NORMS_PACKS; k++)
        n += min(max(l.cols - (k * l.stride + 32 * warp) * ops_pack<T>::SIZE, 0), MOST);
    return n;
}

/* Mean and sum of squared deviations of a row with one barrier: of each warp by itself, about its
 * own mean; then of all (T. F. Chan, G. H. Golub and R. J. LeVeque, Updating formulae and a
 * pairwise algorithm for computing sample variances, 1979). `slot` is 64 floats. */
template <typename T>
__device__ inline float norms_block_deviations(const norms_row<T, NORMS_PACKS> &x,
                                               const norms_lane &l, float per_cols, float *slot,
                                               float *mean)
{
    const int lane = l.lane % 32, warp = l.lane / 32, n_warps = l.stride / 32;
    const int n       = norms_warp_elements<T>(l, warp);
    float     sum     = ops_reduce_warp<ops_add>(norms_own_sum(x));
    float     squares = ops_reduce_warp<ops_add>(norms_own_squares<NORMS_LAYER>(x, sum / n, l));

    *mean = sum * per_cols;
    if (n_warps == 1)
        return squares;
    if (lane == 0) {
        slot[warp]      = sum;
        slot[32 + warp] = squares;
    }
    __syncthreads();
    sum     = lane < n_warps ? slot[lane] : 0;
    squares = lane < n_warps ? slot[32 + lane] : 0;
    *mean   = ops_reduce_warp<ops_add>(sum) * per_cols;
    if (lane < n_warps) {
        const int   others = norms_warp_elements<T>(l, lane);
        const float off    = sum / others - *mean;

        squares += others * off * off;
    }
    return ops_reduce_warp<ops_add>(squares);
}

/* Leaves registers for at least 1024 threads on a multiprocessor, whatever the size of a block. */
template <typename T, typename O, int KIND>
static __global__ void __launch_bounds__(norms_most_threads<T>(), 1024 / norms_most_threads<T>())
    norms_registers_forward(norms_args<T> a)
{
    __shared__ float          slot[64];
    const norms_lane          l      = norms_block_lane(a);
    const int64_t             at     = static_cast<int64_t>(blockIdx.x) * a.cols;
    float                     sum[1] = { 0 }, mean = 0;
    norms_row<T, NORMS_PACKS> x, other;

    norms_load(x, a.x + at, l);
    if (KIND == NORMS_FUSED) {
        norms_load_changing(other, a.residual + at, l);
        norms_add(x, other, a.residual + at, l, true);
    }
    norms_load(other, a.weight, l); /* this load overlaps the sums */
    if (KIND == NORMS_LAYER) {
        sum[0] = norms_block_deviations<T>(x, l, a.per_cols, slot, &mean);
    } else {
        sum[0] = norms_own_squares<KIND>(x, mean, l);
        ops_sum_block(sum, slot);
    }
    norms_write_y<T, O, KIND>(a, at, x, other, mean, rsqrtf(sum[0] * a.per_cols + a.eps), l);
}

/* ---- the way back: a block takes rows blockIdx.x, blockIdx.x + gridDim.x, ..., and sums its
 * columns in shared memory, each thread those that it holds ---- */

template <typename T, int KIND>
__device__ inline norms_back norms_registers_back_of(const norms_args<T>                     &a,
                                                     const norms_row<T, NORMS_BACK_PACKS<T>> &x,
                                                     const norms_row<T, NORMS_BACK_PACKS<T>> &dy,
                                                     const norms_lane &l, float *slot)
{
    float sum[NORMS_N_SUMS<KIND>] = {}, first[1] = { 0 };

    if (KIND == NORMS_LAYER) {
        first[0] = norms_own_sum(x);
        ops_sum_block(first, slot);
        first[0] *= a.per_cols;
    }
    sum[NORMS_SQUARES] = norms_own_squares<KIND>(x, first[0], l);
#pragma unroll
    for (int k = 0; k < NORMS_BACK_PACKS<T>; k++)
        norms_add_products<T, KIND>(sum, x.word[k], dy.word[k],
                                    norms_load_pack(a.weight, norms_column<T>(l, k), l), first[0]);
    ops_sum_block(sum, slot);
    return norms_back_of<KIND>(sum, first[0], a.per_cols, a.eps);
}

/* A thread's sums over rows in shared memory, four to a word. The same word of neighbouring threads
 * lies side by side. Packs from `packs` on have no sums here. */
template <typename T> struct norms_shared_sums {
    float4 *at;
    int     packs;

    __device__ float4 &word(int k, int q) const
    {
        return at[(k * (ops_pack<T>::SIZE / 4) + q) * static_cast<int>(blockDim.x) +
                  static_cast<int>(threadIdx.x)];
    }
    __device__ void clear(void) const
    {
        for (int k = 0; k < packs; k++)
            for (int q = 0; q < ops_pack<T>::SIZE / 4; q++)
                word(k, q) = make_float4(0, 0, 0, 0);
    }
    __device__ void add(int k, const float (&x)[ops_pack<T>::SIZE]) const
    {
        if (k >= packs)
            return;
#pragma unroll
        for (int q = 0; q < ops_pack<T>::SIZE / 4; q++) {
            const float4 old = word(k, q);

            word(k, q) = make_float4(old.x + x[4 * q], old.y + x[4 * q + 1], old.z + x[4 * q + 2],
                                     old.w + x[4 * q + 3]);
        }
    }
    __device__ void write(float *to, const norms_lane &l) const
    {
        for (int k = 0; k < packs; k++)
            for (int q = 0; q < ops_pack<T>::SIZE / 4; q++) {
                const float4 sum  = word(k, q);
                const float  x[4] = { sum.x, sum.y, sum.z, sum.w };
                const int    c    = norms_column<T>(l, k) + 4 * q;

                for (int v = 0; v < 4; v++)
                    if (c + v < l.cols)
                        to[c + v] = x[v];
            }
    }
};

template <typename T, int KIND> __device__ inline void norms_registers_write(
    const norms_args<T> &a, int64_t at, const norms_row<T, NORMS_BACK_PACKS<T>> &x,
    const norms_row<T, NORMS_BACK_PACKS<T>> &dy, const norms_back &b, const norms_lane &l,
    const norms_shared_sums<T> &weights, const norms_shared_sums<T> &biases)
{
    norms_row<T, NORMS_BACK_PACKS<T>> d_out = {};

    if (KIND == NORMS_FUSED)
        norms_load(d_out, a.d_out + at, l);
#pragma unroll
    for (int k = 0; k < NORMS_BACK_PACKS<T>; k++) {
        const int             c  = norms_column<T>(l, k);
        const norms_back_pack in = { x.word[k], dy.word[k], d_out.word[k] };
        float                 to_weight[ops_pack<T>::SIZE], to_bias[ops_pack<T>::SIZE];

        norms_write_dx<T, KIND>(a, at, c, in, norms_load_pack(a.weight, c, l), b, l, to_weight,
                                to_bias);
        weights.add(k, to_weight);
        if (KIND == NORMS_LAYER)
            biases.add(k, to_bias);
    }
}

template <typename T, int KIND> static __global__ void __launch_bounds__(NORMS_BACK_THREADS)
    norms_registers_backward(norms_args<T> a, int packs, norms_partial partial)
{
    extern __shared__ float4   memory[]; /* packs * SIZE floats a thread; twice that with a bias */
    __shared__ float           slot[96];
    const norms_lane           l       = norms_block_lane(a);
    const norms_shared_sums<T> weights = { memory, packs };
    const norms_shared_sums<T> biases  = {
         memory + packs * (ops_pack<T>::SIZE / 4) * static_cast<int>(blockDim.x), packs
    };
    norms_row<T, NORMS_BACK_PACKS<T>> x, dy;

    weights.clear();
    if (KIND == NORMS_LAYER)
        biases.clear();
    for (int64_t row = blockIdx.x; row < a.rows; row += gridDim.x) {
        norms_load(x, a.x + row * a.cols, l);
        norms_load(dy, a.dy + row * a.cols, l);

        const norms_back b = norms_registers_back_of<T, KIND>(a, x, dy, l, slot);

        norms_registers_write<T, KIND>(a, row * a.cols, x, dy, b, l, weights, biases);
    }
    weights.write(partial.weight + static_cast<int64_t>(blockIdx.x) * a.cols, l);
    if (KIND == NORMS_LAYER)
        biases.write(partial.bias + static_cast<int64_t>(blockIdx.x) * a.cols, l);
}

/* ---- launches ---- */

/* Packs that a thread holds at most, and the threads of a block, in whole warps. A thread has as
 * many elements as are asked for; fewer if the pass has no registers for them, more where a block
 * would need too many threads. */
struct norms_registers_shape {
    int      packs;
    unsigned block;
};

template <typename T>
static inline norms_registers_shape norms_registers_shape_of(const assay_args *args)
{
    constexpr int SIZE    = ops_pack<T>::SIZE;
    const bool    is_back = args->param[NORMS_PASS] == NORMS_BACKWARD;
    const int64_t cols    = args->param[NORMS_COLS];
    const int64_t most    = is_back ? NORMS_BACK_PACKS<T> : NORMS_PACKS;
    const int64_t least   = assay_ceil_div(cols, NORMS_WIDEST / most);
    const int64_t wanted  = args->tune[NORMS_TUNE_ELEMENTS] / SIZE;
    const int64_t packs   = wanted > most ? most : wanted > least ? wanted : least;

    return { static_cast<int>(packs),
             32 * static_cast<unsigned>(assay_ceil_div(cols, 32 * packs * SIZE)) };
}

/* Blocks of the backward pass: limited by the number of columns of partial sums in all, and by
 * eight rows a block. */
static inline int64_t norms_registers_sums(const assay_args *args)
{
    const int64_t columns = args->tune[NORMS_TUNE_SUMS], cols = args->param[NORMS_COLS];
    const int64_t most   = columns > cols && cols > 0 ? columns / cols : 1;
    const int64_t wanted = assay_ceil_div(args->param[NORMS_ROWS], 8);

    return wanted < most ? wanted : most;
}

static inline size_t norms_registers_bytes(const assay_args *args, int kind)
{
    return args->param[NORMS_PASS] == NORMS_BACKWARD
               ? norms_partial_bytes(kind, norms_registers_sums(args), args->param[NORMS_COLS])
               : 0;
}

/* 0 or an error number. */
template <typename T, int KIND>
static inline int norms_registers_back(const assay_args *args, const norms_places &at,
                                       norms_registers_shape shape, assay_stream stream)
{
    const norms_args<T> a       = norms_args_of<T>(args, at);
    const int64_t       n       = norms_registers_sums(args);
    const norms_partial partial = norms_partial_at(args->workspace, KIND, n, a.cols);
    const size_t        bytes   = (KIND == NORMS_LAYER ? 2 : 1) * sizeof(float) * shape.block *
                         static_cast<size_t>(shape.packs * ops_pack<T>::SIZE);
    /* `slot` is shared memory too: together they may be more than a kernel gets by default. */
    const int error =
        assay_allow_shared(norms_registers_backward<T, KIND>, bytes + 96 * sizeof(float));

    if (error)
        return error;
    if (a.rows > 0)
        norms_registers_backward<T, KIND>
            <<<static_cast<unsigned>(n), shape.block, bytes, stream>>>(a, shape.packs, partial);
    norms_total(partial, norms_buffer<T>(args, at.d_weight), norms_buffer<T>(args, at.d_bias),
                a.cols, stream);
    return 0;
}

/* 0 or an error number. */
template <typename T, int KIND> static inline int
norms_registers_pass(const assay_args *args, const norms_places &at, assay_stream stream)
{
    const norms_args<T>         a     = norms_args_of<T>(args, at);
    const unsigned              grid  = assay_blocks_for(a.rows, 1);
    const norms_registers_shape shape = norms_registers_shape_of<T>(args);

    if (args->param[NORMS_PASS] == NORMS_BACKWARD)
        return norms_registers_back<T, KIND>(args, at, shape, stream);
    if (a.rows == 0)
        return 0;
    if (args->param[NORMS_PASS] == NORMS_FORWARD)
        norms_registers_forward<T, T, KIND><<<grid, shape.block, 0, stream>>>(a);
    else if constexpr (KIND == NORMS_RMS)
        norms_registers_forward<T, __nv_fp8_e4m3, NORMS_RMS><<<grid, shape.block, 0, stream>>>(a);
    return 0;
}

template <int KIND> static inline int norms_registers(const assay_args   *args,
                                                      const norms_places &at, assay_stream stream)
{
    int error = 0;

    if (args->param[NORMS_COLS] > 0)
        OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE],
                           error = norms_registers_pass<T, KIND>(args, at, stream));
    return error ? error : assay_launch_status();
}

#endif
