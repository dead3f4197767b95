/* Entry points of the physics loss reference beyond the C API: on double fields, so that its own
 * tests are not limited by the rounding of fp32 inputs. */
#ifndef ASSAY_REFERENCE_PHYSICS_LOSS_H
#define ASSAY_REFERENCE_PHYSICS_LOSS_H

#include "../kernels/physics_loss/phys_loss.h"

/* Component c of the state at one level: 0 sigma, 1 ux, 2 uy, 3 uz. */
typedef struct physics_loss_fields {
    const double *t0[4], *t1[4], *t2[4]; /* t2: with PHYS_CENTRAL only */
} physics_loss_fields;

/* Residuals r[c][cell] in double from double fields. */
ASSAY_EXPORT void physics_loss_residuals(const phys_grid_spec      *grid,
                                         const physics_loss_fields *fields, double *const r[4]);

#endif
