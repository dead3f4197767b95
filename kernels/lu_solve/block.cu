/* lu_solve, a block takes a matrix: all matrices in one launch, or one launch each. */
#include "lu_block.cuh"

enum {
    TUNE_THREADS
};

ASSAY_LAUNCHER(lu_solve_block)
{
    return lu_launch_blocks<LU_NO_FAULT>(lu_problem_of(args),
                                         static_cast<unsigned>(args->tune[TUNE_THREADS]), stream);
}

ASSAY_LAUNCHER(lu_solve_single)
{
    const int64_t batch = args->param[LU_PARAM_BATCH];
    lu_problem    p     = lu_problem_of(args);
    int           error = 0;

    p.batch = 1;
    for (p.first = 0; p.first < batch && error == 0; p.first++)
        error = lu_launch_blocks<LU_NO_FAULT>(p, 128, stream);
    return error;
}
