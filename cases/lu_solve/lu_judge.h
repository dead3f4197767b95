/* The judges of lu_solve. */
#ifndef ASSAY_LU_JUDGE_H
#define ASSAY_LU_JUDGE_H

#include "case.h"

/* Is each singular matrix reported, each other one solved, and are exact results exact? */
assay_compare_fn lu_solve_compare;

/* The largest residual of all solutions, in units of what rounding errors explain. */
assay_invariant_result lu_solve_residual(const assay_evidence *evidence);

#endif
