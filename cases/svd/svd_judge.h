/* The judges of svd. */
#ifndef ASSAY_SVD_JUDGE_H
#define ASSAY_SVD_JUDGE_H

#include "case.h"

/* Are s, U and V finite, and is s descending and not negative? */
assay_compare_fn svd_compare;

/* The largest |s - s of the reference|, |A v - s u|, |U'U - 1| and |V'V - 1|, in units of what
 * rounding errors explain. */
assay_invariant_result svd_values(const assay_evidence *evidence);
assay_invariant_result svd_residual(const assay_evidence *evidence);
assay_invariant_result svd_orthogonality_u(const assay_evidence *evidence);
assay_invariant_result svd_orthogonality_v(const assay_evidence *evidence);

#endif
