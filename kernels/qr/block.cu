/* qr, a block takes a matrix; and possible mistakes. */
#include "qr_block.cuh"

namespace
{

template <int FAULT> __global__ void __launch_bounds__(128) block_kernel(qr_problem p)
{
    extern __shared__ float qr_memory[];
    const qr_tile           t    = qr_tile_at(qr_memory, p);
    const int64_t           m    = blockIdx.x;
    const int               j    = static_cast<int>(threadIdx.x);
    float                   down = 1;

    qr_tile_load(t, p.type, p.a, m);
    if (j < t.columns && FAULT != QR_UNSCALED)
        down = qr_scale_column(t, j);
    __syncthreads();
    for (int k = 0; k < t.columns; k++) {
        if (j < 32)
            qr_make_reflector<FAULT>(t, k);
        __syncthreads();
        if (j > k && j < t.columns)
            qr_reflect(t, k, &t.a_at(0, j));
        __syncthreads();
    }
    if (j < t.columns) {
        qr_make_q(t, j);
        qr_store_r(t, p, m, j, down);
    }
    __syncthreads();
    qr_store_q(t, p, m);
}

template <int FAULT> int launch(const assay_args *args, assay_stream stream)
{
    const qr_problem p     = qr_problem_of(args);
    const size_t     bytes = qr_tile_bytes(p);
    const int        error = assay_allow_shared(block_kernel<FAULT>, bytes);

    if (error != 0 || p.batch == 0)
        return error;
    block_kernel<FAULT><<<assay_blocks_for(p.batch, 1), qr_tile_threads(p), bytes, stream>>>(p);
    return assay_launch_status();
}

/* Classical Gram-Schmidt, a thread takes a column: each column loses its part along the new one.
 * All products use the original column, so that their rounding errors are never corrected. */
__global__ void __launch_bounds__(128) gram_schmidt_kernel(qr_problem p)
{
    extern __shared__ float qr_memory[];
    const qr_tile           t = qr_tile_at(qr_memory, p);
    const int64_t           m = blockIdx.x;
    const int               j = static_cast<int>(threadIdx.x);
    float                   square;

    qr_tile_load(t, p.type, p.a, m);
    const float down = j < t.columns ? qr_scale_column(t, j) : 1;

    for (int k = 0; k < t.columns; k++) {
        __syncthreads();
        if (j < k) { /* the part of column k along q[j] */
            t.factor[j] = 0;
            for (int i = 0; i < t.rows; i++)
                t.factor[j] = fmaf(t.q_at(i, j), t.a_at(i, k), t.factor[j]);
        }
        __syncthreads();
        if (j != k)
            continue;
        square = 0;
        for (int i = 0; i < t.rows; i++) {
            t.q_at(i, k) = t.a_at(i, k);
            for (int l = 0; l < k; l++)
                t.q_at(i, k) = fmaf(-t.factor[l], t.q_at(i, l), t.q_at(i, k));
            square = fmaf(t.q_at(i, k), t.q_at(i, k), square);
        }
        t.diagonal[k] = sqrtf(square);
        for (int i = 0; i < t.rows; i++)
            t.q_at(i, k) /= square > 1e-30f ? t.diagonal[k] : 1;
        for (int l = 0; l < k; l++)
            t.a_at(l, k) = t.factor[l];
    }
    __syncthreads();
    if (j < t.columns)
        qr_store_r(t, p, m, j, down);
    qr_store_q(t, p, m);
}

} // namespace

ASSAY_LAUNCHER(qr_block) { return launch<QR_NO_FAULT>(args, stream); }

ASSAY_LAUNCHER(qr_unscaled) { return launch<QR_UNSCALED>(args, stream); }

ASSAY_LAUNCHER(qr_cancelling) { return launch<QR_CANCELLING>(args, stream); }

ASSAY_LAUNCHER(qr_gram_schmidt)
{
    const qr_problem p     = qr_problem_of(args);
    const size_t     bytes = qr_tile_bytes(p);
    const int        error = assay_allow_shared(gram_schmidt_kernel, bytes);

    if (error != 0 || p.batch == 0)
        return error;
    gram_schmidt_kernel<<<assay_blocks_for(p.batch, 1), qr_tile_threads(p), bytes, stream>>>(p);
    return assay_launch_status();
}
