/* The judges of eigen. */
#ifndef ASSAY_EIGEN_JUDGE_H
#define ASSAY_EIGEN_JUDGE_H

#include "case.h"

/* Are w and V finite, and is w ascending? */
assay_compare_fn eigen_compare;

/* The largest |w - w of the reference|, |A v - w v| and |V'V - 1|, in units of what rounding errors
 * explain. */
assay_invariant_result eigen_values(const assay_evidence *evidence);
assay_invariant_result eigen_residual(const assay_evidence *evidence);
assay_invariant_result eigen_orthogonality(const assay_evidence *evidence);

#endif
