/* What the kernels of qr share: the matrices, and reflections H = 1 - factor v v'. */
#ifndef ASSAY_QR_DEVICE_CUH
#define ASSAY_QR_DEVICE_CUH

#include "../ops/ops_any.cuh"
#include "../ops/ops_scale.cuh"
#include "qr_case.h"

struct qr_problem {
    int         rows, columns, type;
    int64_t     batch;
    const void *a;
    void       *q, *r;
};

static inline qr_problem qr_problem_of(const assay_args *args)
{
    qr_problem p;

    p.rows    = static_cast<int>(args->param[QR_PARAM_ROWS]);
    p.columns = static_cast<int>(args->param[QR_PARAM_COLUMNS]);
    p.type    = static_cast<int>(args->param[QR_PARAM_TYPE]);
    p.batch   = args->param[QR_PARAM_BATCH];
    p.a       = args->buf[QR_BUF_A];
    p.q       = args->buf[QR_BUF_Q];
    p.r       = args->buf[QR_BUF_R];
    return p;
}

/* The reflection that gives a vector x `diagonal` in its first place and 0 in all others: v is x,
 * except for its first place, v0. A vector that is 0, or negligible beside its column, stays as it
 * is. */
struct qr_reflection {
    float diagonal, v0, factor;
};

__device__ inline qr_reflection qr_reflection_of(float x0, float square)
{
    const float   length = sqrtf(square);
    qr_reflection h      = { x0, 0, 0 };

    if (square > 1e-30f) {
        h.diagonal = -copysignf(length, x0); /* away from x0, so that v0 has no cancellation */
        h.v0       = x0 - h.diagonal;
        h.factor   = 1 / (length * (length + fabsf(x0)));
    }
    return h;
}

#endif
