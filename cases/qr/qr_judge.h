/* The judges of qr. */
#ifndef ASSAY_QR_JUDGE_H
#define ASSAY_QR_JUDGE_H

#include "case.h"

/* Are Q and R finite, and is R a triangle? */
assay_compare_fn qr_compare;

/* The largest |A - Q R|, and |Q'Q - 1|, in units of what rounding errors explain. */
assay_invariant_result qr_residual(const assay_evidence *evidence);
assay_invariant_result qr_orthogonality(const assay_evidence *evidence);

#endif
