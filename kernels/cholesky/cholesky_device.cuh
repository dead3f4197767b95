/* What the kernels of cholesky share: the matrices. */
#ifndef ASSAY_CHOLESKY_DEVICE_CUH
#define ASSAY_CHOLESKY_DEVICE_CUH

#include "../ops/ops_any.cuh"
#include "cholesky_case.h"

struct cholesky_problem {
    int         n, type;
    int64_t     batch;
    const void *a;
    void       *l;
    int        *info;
};

static inline cholesky_problem cholesky_problem_of(const assay_args *args)
{
    cholesky_problem p;

    p.n     = static_cast<int>(args->param[CHOLESKY_PARAM_N]);
    p.type  = static_cast<int>(args->param[CHOLESKY_PARAM_TYPE]);
    p.batch = args->param[CHOLESKY_PARAM_BATCH];
    p.a     = args->buf[CHOLESKY_BUF_A];
    p.l     = args->buf[CHOLESKY_BUF_L];
    p.info  = static_cast<int *>(args->buf[CHOLESKY_BUF_INFO]);
    return p;
}

#endif
