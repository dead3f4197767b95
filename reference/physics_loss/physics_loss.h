/* Entry points of the physics loss reference beyond the C API: on double fields, so that its own
 * tests are not limited by the rounding of fp32 inputs. */
#ifndef ASSAY_REFERENCE_PHYSICS_LOSS_H
#define ASSAY_REFERENCE_PHYSICS_LOSS_H

#include "../../kernels/physics_loss/phys_loss.h"

/* Component c of the state at each level: 0 sigma, 1 ux, 2 uy, 3 uz. */
typedef struct physics_loss_fields {
    const double *t[3][4]; /* t2: with PHYS_CENTRAL only */
} physics_loss_fields;

/* Residuals r[c][cell] in double from double fields. */
ASSAY_EXPORT void physics_loss_residuals(const phys_grid_spec      *grid,
                                         const physics_loss_fields *fields, double *const r[4]);

/* The transpose of the residuals' derivative at these fields, applied to cotangents[c][cell]: by
 * how much a change of each field at each level changes the product of cotangents and residuals.
 * d[level][c]; all three levels are written, t2 with zeros under PHYS_FIRST_ORDER. */
ASSAY_EXPORT void physics_loss_transpose(const phys_grid_spec      *grid,
                                         const physics_loss_fields *fields,
                                         const double *const cotangents[4], double *d[3][4]);

#endif
