/* x of A x = b, matrix by matrix, in double; or NaN, and the column whose pivot is too small. */
#include "lu_factor.h"

#include <math.h>

assay_reference_fn lu_solve_reference;

enum {
    CHUNKS = 64
};

static void solve(const assay_reference_args *args, int64_t m, lu_factors *f)
{
    const int64_t    n    = args->param[LU_PARAM_N];
    const assay_type type = (assay_type)args->param[LU_PARAM_TYPE];
    assay_expected  *x = &args->expect[LU_BUF_X], *info = &args->expect[LU_BUF_INFO];

    lu_factor(f, type, args->in[LU_BUF_A], n, m);
    info->integer[m] = f->first;
    info->law[m]     = f->kind == LU_EITHER ? ASSAY_EXEMPT : ASSAY_COMPARE;
    for (int64_t i = 0; i < n; i++) {
        x->value[m * n + i] = assay_type_load(type, args->in[LU_BUF_B], m * n + i);
        x->law[m * n + i]   = f->kind == LU_SOLVABLE ? ASSAY_COMPARE : ASSAY_MUST_BE_NAN;
    }
    if (f->kind == LU_SOLVABLE)
        lu_factors_solve(f, x->value + m * n);
}

static void solve_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    lu_factors f;

    (void)chunk;
    for (int64_t m = begin; m < end; m++)
        solve(context, m, &f);
}

void lu_solve_reference(const assay_reference_args *args)
{
    const int64_t batch = args->param[LU_PARAM_BATCH];

    args->parallel_for(batch, batch / CHUNKS + 1, solve_chunk, (void *)(uintptr_t)args);
}
