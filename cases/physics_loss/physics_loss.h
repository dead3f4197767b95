/* What the two parts of the case physics_loss share. */
#ifndef ASSAY_CASES_PHYSICS_LOSS_H
#define ASSAY_CASES_PHYSICS_LOSS_H

#include "case.h"

/* The fill of sigma or u at a time level. */
assay_fill physics_loss_fill(assay_input input, int level, bool is_sigma);

/* Each loss is the weighted mean square of the residuals or gradients that are written with it. */
assay_invariant_result physics_loss_mean_square_sigma(const assay_evidence *e);
assay_invariant_result physics_loss_mean_square_u(const assay_evidence *e);
/* Does the pass write both? */
bool physics_loss_has_loss(const assay_shape *s, assay_input input);

/* R_sigma is linear in sigma: sigma times its gradient sums to 2 L_sigma over all levels. */
assay_invariant_result physics_loss_linear_in_sigma(const assay_evidence *e);
bool                   physics_loss_has_all_levels(const assay_shape *s, assay_input input);

#endif
