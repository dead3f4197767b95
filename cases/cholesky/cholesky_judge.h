/* The judges of cholesky. */
#ifndef ASSAY_CHOLESKY_JUDGE_H
#define ASSAY_CHOLESKY_JUDGE_H

#include "case.h"

/* Is each matrix that is not positive definite reported, and is L a triangle? */
assay_compare_fn cholesky_compare;

/* The largest |A - L L'|, in units of what rounding errors explain. */
assay_invariant_result cholesky_residual(const assay_evidence *evidence);

#endif
