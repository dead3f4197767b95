/* What the kernels of svd share: the matrices. */
#ifndef ASSAY_SVD_DEVICE_CUH
#define ASSAY_SVD_DEVICE_CUH

#include "../ops/ops_any.cuh"
#include "svd_case.h"

struct svd_problem {
    int         rows, columns, type;
    int64_t     batch;
    const void *a;
    void       *s, *u, *v;
};

static inline svd_problem svd_problem_of(const assay_args *args)
{
    svd_problem p;

    p.rows    = static_cast<int>(args->param[SVD_PARAM_ROWS]);
    p.columns = static_cast<int>(args->param[SVD_PARAM_COLUMNS]);
    p.type    = static_cast<int>(args->param[SVD_PARAM_TYPE]);
    p.batch   = args->param[SVD_PARAM_BATCH];
    p.a       = args->buf[SVD_BUF_A];
    p.s       = args->buf[SVD_BUF_S];
    p.u       = args->buf[SVD_BUF_U];
    p.v       = args->buf[SVD_BUF_V];
    return p;
}

#endif
