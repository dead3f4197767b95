/* Short rows: a group of lanes of a warp takes a row, one pack of 16 bytes each, and works on
 * several rows at once. There is no barrier but at the end of the backward pass. */
#ifndef ASSAY_NORMS_WARP_CUH
#define ASSAY_NORMS_WARP_CUH

#include "norms_row.cuh"

enum {
    NORMS_WARP_BLOCK = 256,
    NORMS_WARP_ROWS  = 4, /* rows of a group of lanes at once */
    NORMS_WARP_BACK  = 2  /* the same in the backward pass */
};

/* Sums over the `group` lanes of each group. `group` is a power of two; all 32 lanes call it. */
template <int N> __device__ inline void norms_sum_group(float (&sum)[N], int group)
{
    for (int offset = group / 2; offset > 0; offset /= 2)
#pragma unroll
        for (int i = 0; i < N; i++)
            sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], offset);
}

/* `group` is a power of two: the compiler does not know that, so shifts and masks take the place of
 * division. */
template <typename T>
__device__ inline norms_lane norms_group_lane(const norms_args<T> &a, int group)
{
    return { static_cast<int>(threadIdx.x) & (group - 1), group, a.cols, a.is_aligned };
}
__device__ inline int norms_group_of(int i, int group) { return i >> (31 - __clz(group)); }

/* Neighbouring rows belong to neighbouring groups of a block: a block reads N pieces of memory
 * without gaps. */
__device__ inline int64_t norms_group_row(int64_t begin, int i, int group)
{
    return begin + norms_group_of(i * NORMS_WARP_BLOCK + static_cast<int>(threadIdx.x), group);
}

template <typename T, int N>
__device__ inline void norms_load_rows(norms_row<T, 1> (&row)[N], const T *from,
                                       const norms_args<T> &a, int64_t begin, const norms_lane &l)
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int64_t at = norms_group_row(begin, i, l.stride);

        row[i] = {};
        if (at < a.rows)
            norms_load(row[i], from + at * a.cols, l);
    }
}

template <typename T, int N>
__device__ inline void norms_add_residual(norms_row<T, 1> (&x)[N], const norms_args<T> &a,
                                          int64_t begin, const norms_lane &l)
{
    norms_row<T, 1> other[N] = {};

#pragma unroll
    for (int i = 0; i < N; i++) {
        const int64_t at = norms_group_row(begin, i, l.stride);

        if (at < a.rows)
            norms_load_changing(other[i], a.residual + at * a.cols, l);
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int64_t at = norms_group_row(begin, i, l.stride);

        norms_add(x[i], other[i], a.residual + at * a.cols, l, at < a.rows);
    }
}

template <typename T, int KIND, int N>
__device__ inline void norms_group_means(float (&mean)[N], const norms_row<T, 1> (&x)[N],
                                         const norms_args<T> &a, const norms_lane &l)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        mean[i] = KIND == NORMS_LAYER ? norms_own_sum(x[i]) : 0;
    if (KIND != NORMS_LAYER)
        return;
    norms_sum_group(mean, l.stride);
#pragma unroll
    for (int i = 0; i < N; i++)
        mean[i] *= a.per_cols;
}

template <typename T, int KIND> static __global__ void __launch_bounds__(NORMS_WARP_BLOCK)
    norms_warp_forward(norms_args<T> a, int group)
{
    constexpr int    N = NORMS_WARP_ROWS;
    const norms_lane l = norms_group_lane(a, group);
    const int64_t    begin =
        static_cast<int64_t>(blockIdx.x) * norms_group_of(N * NORMS_WARP_BLOCK, group);
    float           mean[N], squares[N];
    norms_row<T, 1> x[N], weight;

    norms_load_rows(x, a.x, a, begin, l);
    if (KIND == NORMS_FUSED)
        norms_add_residual(x, a, begin, l);
    norms_load(weight, a.weight, l);
    norms_group_means<T, KIND>(mean, x, a, l);
#pragma unroll
    for (int i = 0; i < N; i++)
        squares[i] = norms_own_squares<KIND>(x[i], mean[i], l);
    norms_sum_group(squares, group);
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int64_t row = norms_group_row(begin, i, group);
        const float   r   = rsqrtf(squares[i] * a.per_cols + a.eps);

        if (row < a.rows)
            norms_write_y<T, T, KIND>(a, row * a.cols, x[i], weight, mean[i], r, l);
    }
}

/* ---- the way back ---- */

/* A thread's sums over rows, for each element of its pack. */
template <typename T> struct norms_own_sums {
    float weight[ops_pack<T>::SIZE], bias[ops_pack<T>::SIZE];
};

template <typename T, int KIND>
__device__ inline void norms_warp_write_dx(const norms_args<T> &a, int64_t row,
                                           const norms_back_pack &in, const uint4 &weight,
                                           const norms_back &b, const norms_lane &l,
                                           norms_own_sums<T> &own)
{
    float to_weight[ops_pack<T>::SIZE], to_bias[ops_pack<T>::SIZE];

    norms_write_dx<T, KIND>(a, row * a.cols, norms_column<T>(l, 0), in, weight, b, l, to_weight,
                            to_bias);
#pragma unroll
    for (int v = 0; v < ops_pack<T>::SIZE; v++) {
        own.weight[v] += to_weight[v];
        own.bias[v] += to_bias[v];
    }
}

template <typename T, int KIND>
__device__ inline void norms_warp_rows_back(const norms_args<T> &a, int64_t begin,
                                            const uint4 &weight, const norms_lane &l,
                                            norms_own_sums<T> &own)
{
    constexpr int   N = NORMS_WARP_BACK, SUMS = NORMS_N_SUMS<KIND>;
    norms_row<T, 1> x[N], dy[N], d_out[N] = {};
    float           mean[N], sum[SUMS * N] = {};

    norms_load_rows(x, a.x, a, begin, l);
    norms_load_rows(dy, a.dy, a, begin, l);
    if (KIND == NORMS_FUSED)
        norms_load_rows(d_out, a.d_out, a, begin, l);
    norms_group_means<T, KIND>(mean, x, a, l);
#pragma unroll
    for (int i = 0; i < N; i++) {
        sum[SUMS * i + NORMS_SQUARES] = norms_own_squares<KIND>(x[i], mean[i], l);
        norms_add_products<T, KIND>(sum + SUMS * i, x[i].word[0], dy[i].word[0], weight, mean[i]);
    }
    norms_sum_group(sum, l.stride);
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int64_t         row = norms_group_row(begin, i, l.stride);
        const norms_back_pack in  = { x[i].word[0], dy[i].word[0], d_out[i].word[0] };
        const norms_back      b   = norms_back_of<KIND>(sum + SUMS * i, mean[i], a.per_cols, a.eps);

        if (row < a.rows)
            norms_warp_write_dx<T, KIND>(a, row, in, weight, b, l, own);
    }
}

/* Adds up the sums of a block's groups, in their order. `share` is as large as all packs of the
 * block. */
template <typename T>
__device__ inline void norms_warp_write_sums(const float (&own)[ops_pack<T>::SIZE], float *share,
                                             float *to, const norms_lane &l)
{
    constexpr int SIZE  = ops_pack<T>::SIZE;
    const int     width = l.stride * SIZE;

    __syncthreads(); /* all threads have read what the previous call left */
#pragma unroll
    for (int v = 0; v < SIZE; v++)
        share[threadIdx.x * SIZE + v] = own[v];
    __syncthreads();
    for (int c = threadIdx.x; c < l.cols; c += NORMS_WARP_BLOCK) {
        float sum = 0;

        for (int k = 0; k < NORMS_WARP_BLOCK / l.stride; k++)
            sum += share[k * width + c];
        to[static_cast<int64_t>(blockIdx.x) * l.cols + c] = sum;
    }
}

template <typename T, int KIND> static __global__ void __launch_bounds__(NORMS_WARP_BLOCK)
    norms_warp_backward(norms_args<T> a, int group, norms_partial partial)
{
    __shared__ float  share[NORMS_WARP_BLOCK * ops_pack<T>::SIZE];
    const norms_lane  l    = norms_group_lane(a, group);
    const int64_t     step = norms_group_of(NORMS_WARP_BACK * NORMS_WARP_BLOCK, group);
    norms_own_sums<T> own  = {};
    norms_row<T, 1>   weight;

    norms_load(weight, a.weight, l);
    for (int64_t begin = blockIdx.x * step; begin < a.rows; begin += gridDim.x * step)
        norms_warp_rows_back<T, KIND>(a, begin, weight.word[0], l, own);
    norms_warp_write_sums<T>(own.weight, share, partial.weight, l);
    if (KIND == NORMS_LAYER)
        norms_warp_write_sums<T>(own.bias, share, partial.bias, l);
}

/* ---- launches ---- */

/* Lanes that hold a row, one pack each. The case has no rows that need more than 32. */
template <typename T> static inline int norms_warp_group(int64_t cols)
{
    int group = 1;

    while (group < 32 && group * ops_pack<T>::SIZE < cols)
        group *= 2;
    return group;
}

/* Blocks of the backward pass: each does two turns of rows where there are enough rows. */
template <typename T> static inline int64_t norms_warp_sums_of(const assay_args *args)
{
    const int     groups = NORMS_WARP_BLOCK / norms_warp_group<T>(args->param[NORMS_COLS]);
    const int64_t wanted = assay_ceil_div(args->param[NORMS_ROWS], 2 * NORMS_WARP_BACK * groups);
    const int64_t blocks = args->tune[NORMS_TUNE_BLOCKS];

    return wanted < blocks ? wanted : blocks;
}

static inline size_t norms_warp_bytes(const assay_args *args, int kind)
{
    const int64_t n = args->param[NORMS_TYPE] == ASSAY_F32 ? norms_warp_sums_of<float>(args)
                                                           : norms_warp_sums_of<__half>(args);

    return args->param[NORMS_PASS] == NORMS_BACKWARD
               ? norms_partial_bytes(kind, n, args->param[NORMS_COLS])
               : 0;
}

template <typename T, int KIND> static inline void
norms_warp_back(const assay_args *args, const norms_places &at, int group, assay_stream stream)
{
    const norms_args<T> a       = norms_args_of<T>(args, at);
    const int64_t       n       = norms_warp_sums_of<T>(args);
    const norms_partial partial = norms_partial_at(args->workspace, KIND, n, a.cols);

    if (a.rows > 0)
        norms_warp_backward<T, KIND>
            <<<static_cast<unsigned>(n), NORMS_WARP_BLOCK, 0, stream>>>(a, group, partial);
    norms_total(partial, norms_buffer<T>(args, at.d_weight), norms_buffer<T>(args, at.d_bias),
                a.cols, stream);
}

template <typename T, int KIND> static inline void
norms_warp_pass(const assay_args *args, const norms_places &at, assay_stream stream)
{
    const norms_args<T> a     = norms_args_of<T>(args, at);
    const int           group = norms_warp_group<T>(a.cols);
    const unsigned grid = assay_blocks_for(a.rows, NORMS_WARP_ROWS * (NORMS_WARP_BLOCK / group));

    if (args->param[NORMS_PASS] == NORMS_BACKWARD)
        norms_warp_back<T, KIND>(args, at, group, stream);
    else if (a.rows > 0)
        norms_warp_forward<T, KIND><<<grid, NORMS_WARP_BLOCK, 0, stream>>>(a, group);
}

template <int KIND>
static inline int norms_warp(const assay_args *args, const norms_places &at, assay_stream stream)
{
    if (args->param[NORMS_COLS] > 0)
        OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], norms_warp_pass<T, KIND>(args, at, stream));
    return assay_launch_status();
}

#endif
