/* Norms in their simplest form: a block takes a row, and reads it again for each quantity that it
 * needs. Any width. In the backward pass the sums over rows are a kernel of their own. */
#ifndef ASSAY_NORMS_PLAIN_CUH
#define ASSAY_NORMS_PLAIN_CUH

#include "norms.cuh"

/* What is normalised. With a residual, this is the sum as it is stored. */
template <typename T, int KIND>
__device__ inline float norms_plain_x(const norms_args<T> &a, int64_t i)
{
    const float x = ops_float(a.x[i]);

    return KIND == NORMS_FUSED ? ops_float(ops_round<T>(x + ops_float(a.residual[i]))) : x;
}

template <typename T, int KIND>
__device__ inline float norms_plain_mean(const norms_args<T> &a, int64_t row, float *slot)
{
    float sum[1] = { 0 };

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x)
        sum[0] += norms_plain_x<T, KIND>(a, row + c);
    ops_sum_block(sum, slot);
    return sum[0] / a.cols;
}

/* 1 / sqrt(mean square of (x - mean) + eps). */
template <typename T, int KIND>
__device__ inline float norms_plain_r(const norms_args<T> &a, int64_t row, float mean, float *slot)
{
    float sum[1] = { 0 };

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float d = norms_plain_x<T, KIND>(a, row + c) - mean;

        sum[0] += d * d;
    }
    ops_sum_block(sum, slot);
    return rsqrtf(sum[0] / a.cols + a.eps);
}

/* Writes y of a row. With a residual, the sum replaces it: each thread reads an element before it
 * writes it. */
template <typename T, typename O, int KIND>
__device__ inline void norms_plain_write(const norms_args<T> &a, int64_t row, float mean, float r)
{
    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float x = norms_plain_x<T, KIND>(a, row + c);
        float       y = (x - mean) * r * ops_float(a.weight[c]);

        if (KIND == NORMS_LAYER)
            y += ops_float(a.bias[c]);
        if (KIND == NORMS_FUSED)
            a.residual[row + c] = ops_round<T>(x);
        static_cast<O *>(a.y)[row + c] = ops_round<O>(y * a.per_scale);
    }
}

template <typename T, typename O, int KIND> static __global__ void __launch_bounds__(1024)
    norms_plain_forward(norms_args<T> a)
{
    __shared__ float slot[32];
    const int64_t    row  = static_cast<int64_t>(blockIdx.x) * a.cols;
    const float      mean = KIND == NORMS_LAYER ? norms_plain_mean<T, KIND>(a, row, slot) : 0;
    const float      r    = norms_plain_r<T, KIND>(a, row, mean, slot);

    norms_plain_write<T, O, KIND>(a, row, mean, r);
}

/* ---- the way back ---- */

/* Mean and r of each row, for the sums over rows. */
struct norms_of_row {
    float mean, r;
};

/* In the backward pass x is already the sum. */
template <int KIND> constexpr int NORMS_KIND_BACK = KIND == NORMS_FUSED ? NORMS_RMS : KIND;

template <typename T, int KIND> static __global__ void __launch_bounds__(1024)
    norms_plain_dx(norms_args<T> a, norms_of_row *of_row)
{
    constexpr int    BACK = NORMS_KIND_BACK<KIND>;
    __shared__ float slot[64];
    const int64_t    row    = static_cast<int64_t>(blockIdx.x) * a.cols;
    const float      mean   = BACK == NORMS_LAYER ? norms_plain_mean<T, BACK>(a, row, slot) : 0;
    const float      r      = norms_plain_r<T, BACK>(a, row, mean, slot);
    float            sum[2] = { 0, 0 }; /* sums of g = w dy and of g (x - mean) */

    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float g = ops_float(a.weight[c]) * ops_float(a.dy[row + c]);

        sum[0] += g;
        sum[1] += g * (ops_float(a.x[row + c]) - mean);
    }
    ops_sum_block(sum, slot);
    for (int c = threadIdx.x; c < a.cols; c += blockDim.x) {
        const float g = ops_float(a.weight[c]) * ops_float(a.dy[row + c]);
        const float z = (ops_float(a.x[row + c]) - mean) * r;
        float       t = g - z * (r * sum[1] / a.cols);

        if (KIND == NORMS_LAYER)
            t -= sum[0] / a.cols;
        t *= r;
        if (KIND == NORMS_FUSED)
            t += ops_float(a.d_out[row + c]);
        a.dx[row + c] = ops_round<T>(t);
    }
    if (threadIdx.x == 0)
        of_row[blockIdx.x] = { mean, r };
}

/* A block of 128 x 2 threads sums 128 columns of the rows k, k + n, ... with k = blockIdx.y. */
template <typename T, int KIND> static __global__ void __launch_bounds__(256)
    norms_plain_columns(norms_args<T> a, const norms_of_row *of_row, norms_partial partial)
{
    __shared__ float share[2][128];
    const int        col    = static_cast<int>(blockIdx.x * 128 + threadIdx.x);
    const int64_t    to     = blockIdx.y * static_cast<int64_t>(a.cols) + col;
    float            sum[2] = { 0, 0 }; /* sums of dy (x - mean) r and of dy */

    for (int64_t row = blockIdx.y + partial.n * threadIdx.y; col < a.cols && row < a.rows;
         row += partial.n * 2) {
        const float dy = ops_float(a.dy[row * a.cols + col]);

        sum[0] += dy * (ops_float(a.x[row * a.cols + col]) - of_row[row].mean) * of_row[row].r;
        sum[1] += dy;
    }
    if (threadIdx.y == 1) {
        share[0][threadIdx.x] = sum[0];
        share[1][threadIdx.x] = sum[1];
    }
    __syncthreads();
    if (threadIdx.y == 1 || col >= a.cols)
        return;
    partial.weight[to] = sum[0] + share[0][threadIdx.x];
    if (KIND == NORMS_LAYER)
        partial.bias[to] = sum[1] + share[1][threadIdx.x];
}

/* ---- launches ---- */

/* Partial sums of a column: one for every 32 rows. Fewer where all of them together would be more
 * than two million, or more than a grid may be high. */
static inline int64_t norms_plain_sums(const assay_args *args)
{
    const int64_t room   = (1 << 21) / args->param[NORMS_COLS] + 1;
    const int64_t most   = room < 65535 ? room : 65535;
    const int64_t wanted = assay_ceil_div(args->param[NORMS_ROWS], 32);

    return wanted < most ? wanted : most;
}

/* Memory of the backward pass: partial sums, then mean and r of each row. */
static inline size_t norms_plain_bytes(const assay_args *args, int kind)
{
    if (args->param[NORMS_PASS] != NORMS_BACKWARD)
        return 0;
    return norms_partial_bytes(kind, norms_plain_sums(args), args->param[NORMS_COLS]) +
           static_cast<size_t>(args->param[NORMS_ROWS]) * sizeof(norms_of_row);
}

/* As many threads as are asked for, but no more warps than a row can use. */
static inline unsigned norms_plain_block(const assay_args *args)
{
    const int64_t wanted = args->tune[NORMS_TUNE_BLOCK];
    const int64_t most   = 32 * assay_ceil_div(args->param[NORMS_COLS], 32);

    return static_cast<unsigned>(wanted < most ? wanted : most);
}

template <typename T, int KIND>
static inline void norms_plain_back(const assay_args *args, const norms_places &at, unsigned block,
                                    assay_stream stream)
{
    const norms_args<T> a       = norms_args_of<T>(args, at);
    const int64_t       n       = norms_plain_sums(args);
    const norms_partial partial = norms_partial_at(args->workspace, KIND, n, a.cols);
    norms_of_row *const of_row  = reinterpret_cast<norms_of_row *>(
        static_cast<char *>(args->workspace) + norms_partial_bytes(KIND, n, a.cols));
    const dim3 grid(assay_blocks_for(a.cols, 128), static_cast<unsigned>(n));

    if (a.rows > 0) {
        norms_plain_dx<T, KIND><<<assay_blocks_for(a.rows, 1), block, 0, stream>>>(a, of_row);
        norms_plain_columns<T, KIND><<<grid, dim3(128, 2), 0, stream>>>(a, of_row, partial);
    }
    norms_total(partial, norms_buffer<T>(args, at.d_weight), norms_buffer<T>(args, at.d_bias),
                a.cols, stream);
}

template <typename T, int KIND> static inline void
norms_plain_pass(const assay_args *args, const norms_places &at, assay_stream stream)
{
    const norms_args<T> a     = norms_args_of<T>(args, at);
    const unsigned      block = norms_plain_block(args);
    const unsigned      grid  = assay_blocks_for(a.rows, 1);

    if (args->param[NORMS_PASS] == NORMS_BACKWARD)
        norms_plain_back<T, KIND>(args, at, block, stream);
    else if (a.rows == 0)
        return;
    else if (args->param[NORMS_PASS] == NORMS_FORWARD)
        norms_plain_forward<T, T, KIND><<<grid, block, 0, stream>>>(a);
    else if constexpr (KIND == NORMS_RMS)
        norms_plain_forward<T, __nv_fp8_e4m3, NORMS_RMS><<<grid, block, 0, stream>>>(a);
}

template <int KIND>
static inline int norms_plain(const assay_args *args, const norms_places &at, assay_stream stream)
{
    if (args->param[NORMS_COLS] > 0)
        OPS_LAUNCH_BY_TYPE(args->param[NORMS_TYPE], norms_plain_pass<T, KIND>(args, at, stream));
    return assay_launch_status();
}

#endif
