/* What the kernels of eigen share: the matrices. */
#ifndef ASSAY_EIGEN_DEVICE_CUH
#define ASSAY_EIGEN_DEVICE_CUH

#include "../ops/ops_any.cuh"
#include "eigen_case.h"

struct eigen_problem {
    int         n, type;
    int64_t     batch;
    const void *a;
    void       *w, *v;
};

static inline eigen_problem eigen_problem_of(const assay_args *args)
{
    eigen_problem p;

    p.n     = static_cast<int>(args->param[EIGEN_PARAM_N]);
    p.type  = static_cast<int>(args->param[EIGEN_PARAM_TYPE]);
    p.batch = args->param[EIGEN_PARAM_BATCH];
    p.a     = args->buf[EIGEN_BUF_A];
    p.w     = args->buf[EIGEN_BUF_W];
    p.v     = args->buf[EIGEN_BUF_V];
    return p;
}

#endif
