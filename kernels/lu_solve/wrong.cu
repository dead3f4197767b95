/* Wrong on purpose: each variant in one way. */
#include "lu_block.cuh"

static const unsigned THREADS = 128;

ASSAY_LAUNCHER(lu_solve_half_arithmetic)
{
    return lu_launch_blocks<LU_HALF_ARITHMETIC>(lu_problem_of(args), THREADS, stream);
}

ASSAY_LAUNCHER(lu_solve_absolute_threshold)
{
    return lu_launch_blocks<LU_ABSOLUTE_THRESHOLD>(lu_problem_of(args), THREADS, stream);
}

ASSAY_LAUNCHER(lu_solve_silent_singular)
{
    return lu_launch_blocks<LU_SILENT_SINGULAR>(lu_problem_of(args), THREADS, stream);
}

ASSAY_LAUNCHER(lu_solve_no_pivoting)
{
    return lu_launch_blocks<LU_NO_PIVOTING>(lu_problem_of(args), THREADS, stream);
}

ASSAY_LAUNCHER(lu_solve_forgets_b)
{
    return lu_launch_blocks<LU_FORGETS_B>(lu_problem_of(args), THREADS, stream);
}
