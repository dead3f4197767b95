/* What the kernels of lu_solve share: the systems, and what is reported of each. */
#ifndef ASSAY_LU_DEVICE_CUH
#define ASSAY_LU_DEVICE_CUH

#include "../ops/ops_any.cuh"
#include "lu_case.h"

struct lu_problem {
    int         n, type;
    int64_t     batch, first; /* matrices of this launch: number, and first one */
    const void *a, *b;
    void       *x;
    int        *info;
};

static inline lu_problem lu_problem_of(const assay_args *args)
{
    lu_problem p;

    p.n     = static_cast<int>(args->param[LU_PARAM_N]);
    p.type  = static_cast<int>(args->param[LU_PARAM_TYPE]);
    p.batch = args->param[LU_PARAM_BATCH];
    p.first = 0;
    p.a     = args->buf[LU_BUF_A];
    p.b     = args->buf[LU_BUF_B];
    p.x     = args->buf[LU_BUF_X];
    p.info  = static_cast<int *>(args->buf[LU_BUF_INFO]);
    return p;
}

/* A pivot must be larger than this; `largest` is the matrix's largest entry. */
__device__ inline float lu_threshold(int n, float largest)
{
    return static_cast<float>(LU_THRESHOLD * n) * 0x1p-24f * largest;
}

#endif
