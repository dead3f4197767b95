/* attention_row, a warp takes a row: the plain variant, the one with atomics, and the wrong
 * ones. */
#include "attention_backward.cuh"
#include "attention_launch.h"

ASSAY_WORKSPACE(attention_row_workspace)
{
    return static_cast<size_t>(2 * args->count[ATTN_BUF_Q] / args->param[ATTN_PARAM_SIZE]) *
           sizeof(float);
}

template <typename T, typename FAULT>
static void run_rows(const assay_args *args, int64_t block, FAULT wrong, assay_stream stream)
{
    const attention<T> a = attention_of<T>(args);

    attention_launch_forward(a, block, wrong, stream);
    if (args->param[ATTN_PARAM_HAS_BACKWARD])
        attention_launch_backward(a, block, wrong, stream);
}

ASSAY_LAUNCHER(attention_row_plain)
{
    OPS_LAUNCH_BY_TYPE(args->param[ATTN_PARAM_TYPE],
                       run_rows<T>(args, args->tune[0], attention_is_right {}, stream));
    return assay_launch_status();
}

int attention_row_backward(const assay_args *args, assay_stream stream)
{
    OPS_LAUNCH_BY_TYPE(
        args->param[ATTN_PARAM_TYPE],
        attention_launch_backward(attention_of<T>(args), 256, attention_is_right {}, stream));
    return assay_launch_status();
}

/* ---- by atomics ---- */

/* Bytes of the numbers of the rows, a multiple of 16; the sums of d_k and d_v come after them. */
static size_t rows_bytes(const assay_args *args)
{
    return (attention_row_workspace(args) + 15) / 16 * 16;
}

ASSAY_WORKSPACE(attention_row_atomic_workspace)
{
    return rows_bytes(args) + 2 * static_cast<size_t>(args->count[ATTN_BUF_D_K]) * sizeof(float);
}

/* Rounds to the type of the buffers. */
template <typename T>
__global__ void attention_row_round(T *d_k, T *d_v, attention_sums from, int64_t count)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= count)
        return;
    d_k[i] = ops_round<T>(from.d_k[i]);
    d_v[i] = ops_round<T>(from.d_v[i]);
}

template <typename T>
static int run_atomic(const assay_args *args, int64_t block, assay_stream stream)
{
    const attention<T>   a     = attention_of<T>(args);
    const int64_t        count = args->count[ATTN_BUF_D_K];
    const attention_grid g(a, block);
    attention_sums       sums;

    sums.d_k = reinterpret_cast<float *>(static_cast<char *>(args->workspace) + rows_bytes(args));
    sums.d_v = sums.d_k + count;
    if (const int error =
            assay_memset_zero(sums.d_k, 2 * static_cast<size_t>(count) * sizeof(float), stream))
        return error;
    attention_launch_forward(a, block, attention_is_right {}, stream);
    attention_row_d_q<T><<<g.n_q, g.block, g.shared, stream>>>(a, sums, attention_is_right {});
    attention_row_round<T>
        <<<assay_blocks_for(count, 256), 256, 0, stream>>>(a.d_k, a.d_v, sums, count);
    return assay_launch_status();
}

ASSAY_LAUNCHER(attention_row_atomic)
{
    OPS_LAUNCH_BY_TYPE(args->param[ATTN_PARAM_TYPE],
                       return run_atomic<T>(args, args->tune[0], stream));
    return assay_launch_status();
}

/* ---- wrong ---- */

static int run_wrong(const assay_args *args, attention_fault fault, assay_stream stream)
{
    OPS_LAUNCH_BY_TYPE(args->param[ATTN_PARAM_TYPE],
                       run_rows<T>(args, 128, attention_is_wrong { fault }, stream));
    return assay_launch_status();
}

ASSAY_LAUNCHER(attention_row_max_from_zero) { return run_wrong(args, ATTN_MAX_FROM_ZERO, stream); }
ASSAY_LAUNCHER(attention_row_masked_row_nan)
{
    return run_wrong(args, ATTN_MASKED_ROW_NAN, stream);
}
ASSAY_LAUNCHER(attention_row_sees_next_key) { return run_wrong(args, ATTN_SEES_NEXT_KEY, stream); }
ASSAY_LAUNCHER(attention_row_scale_forgotten)
{
    return run_wrong(args, ATTN_SCALE_FORGOTTEN, stream);
}
ASSAY_LAUNCHER(attention_row_scale_after_bias)
{
    return run_wrong(args, ATTN_SCALE_AFTER_BIAS, stream);
}
ASSAY_LAUNCHER(attention_row_half_sum) { return run_wrong(args, ATTN_HALF_SUM, stream); }
ASSAY_LAUNCHER(attention_row_delta_forgotten)
{
    return run_wrong(args, ATTN_DELTA_FORGOTTEN, stream);
}
