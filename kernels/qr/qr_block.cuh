/* A block takes a matrix, a thread a column, in shared memory. */
#ifndef ASSAY_QR_BLOCK_CUH
#define ASSAY_QR_BLOCK_CUH

#include "../ops/ops_reduce.cuh"
#include "qr_device.cuh"

enum qr_fault {
    QR_NO_FAULT,
    QR_UNSCALED,
    QR_CANCELLING
};

/* Columns `ld` apart. ld is odd, so that threads with a column each read different banks. */
struct qr_tile {
    float *a, *q; /* A becomes R; on and below its diagonal: the reflectors */
    float *diagonal, *factor;
    int    rows, columns, ld;

    __device__ float &a_at(int i, int j) const { return a[j * ld + i]; }
    __device__ float &q_at(int i, int j) const { return q[j * ld + i]; }
};

static inline size_t qr_tile_bytes(const qr_problem &p)
{
    return static_cast<size_t>(2 * (p.rows | 1) + 2) * static_cast<size_t>(p.columns) *
           sizeof(float);
}

/* A thread a column, in whole warps. */
static inline unsigned qr_tile_threads(const qr_problem &p)
{
    return static_cast<unsigned>(p.columns + 31) / 32 * 32;
}

__device__ inline qr_tile qr_tile_at(float *memory, const qr_problem &p)
{
    qr_tile t;

    t.rows     = p.rows;
    t.columns  = p.columns;
    t.ld       = p.rows | 1;
    t.a        = memory;
    t.q        = t.a + t.ld * t.columns;
    t.diagonal = t.q + t.ld * t.columns;
    t.factor   = t.diagonal + t.columns;
    return t;
}

__device__ inline void qr_tile_load(const qr_tile &t, int type, const void *from, int64_t m)
{
    for (int j = ops_warp(); j < t.columns; j += ops_warps())
        for (int i = ops_lane(); i < t.rows; i += 32)
            t.a_at(i, j) = ops_load_any(type, from, (m * t.columns + j) * t.rows + i);
    __syncthreads();
}

/* Scales column j; returns the factor that scales it back. */
__device__ inline float qr_scale_column(const qr_tile &t, int j)
{
    unsigned largest = 0;

    for (int i = 0; i < t.rows; i++)
        largest = max(largest, ops_magnitude(t.a_at(i, j)));
    const ops_scale s = ops_scale_of(largest);

    for (int i = 0; i < t.rows; i++)
        t.a_at(i, j) *= s.up;
    return s.down;
}

/* Computes the reflector of column k, by one warp. */
template <int FAULT> __device__ inline void qr_make_reflector(const qr_tile &t, int k)
{
    const float x0     = t.a_at(k, k);
    float       square = 0;

    for (int i = k + static_cast<int>(threadIdx.x); i < t.rows; i += 32)
        square = fmaf(t.a_at(i, k), t.a_at(i, k), square);
    square          = ops_reduce_warp<ops_add>(square);
    qr_reflection h = qr_reflection_of(x0, square);

    if (FAULT == QR_CANCELLING && square > 1e-30f) {
        h.diagonal = copysignf(sqrtf(square), x0);
        h.v0       = x0 - h.diagonal;
        h.factor   = h.v0 != 0 ? 1 / (sqrtf(square) * fabsf(h.v0)) : 0;
    }
    if (threadIdx.x == 0) { /* all have read x0, since the sum needed all of them */
        t.a_at(k, k)  = h.v0;
        t.diagonal[k] = h.diagonal;
        t.factor[k]   = h.factor;
    }
}

/* Reflects a column, whose elements lie `ld` apart, by reflector k. */
__device__ inline void qr_reflect(const qr_tile &t, int k, float *column)
{
    float along = 0;

    for (int i = k; i < t.rows; i++)
        along = fmaf(t.a_at(i, k), column[i], along);
    along *= t.factor[k];
    for (int i = k; i < t.rows; i++)
        column[i] = fmaf(-along, t.a_at(i, k), column[i]);
}

/* Computes column j of Q: the reflections, from the last to the first, applied to unit vector j.
 * Reflections after j do not change it. */
__device__ inline void qr_make_q(const qr_tile &t, int j)
{
    for (int i = 0; i < t.rows; i++)
        t.q_at(i, j) = i == j ? 1 : 0;
    for (int k = j; k >= 0; k--)
        qr_reflect(t, k, &t.q_at(0, j));
}

__device__ inline void qr_store_q(const qr_tile &t, const qr_problem &p, int64_t m)
{
    for (int j = ops_warp(); j < t.columns; j += ops_warps())
        for (int i = ops_lane(); i < t.rows; i += 32)
            ops_store_any(p.type, p.q, (m * t.columns + j) * t.rows + i, t.q_at(i, j));
}

/* Column j of R, scaled back. */
__device__ inline void qr_store_r(const qr_tile &t, const qr_problem &p, int64_t m, int j,
                                  float down)
{
    for (int i = 0; i < t.columns; i++) {
        const float r = i < j ? t.a_at(i, j) : i == j ? t.diagonal[j] : 0;

        ops_store_any(p.type, p.r, (m * t.columns + j) * t.columns + i, r * down);
    }
}

#endif
