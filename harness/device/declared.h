/* Kernels that a case declares (case.h, assay_kernel), found in a module and made ready for a
 * point. */
#ifndef ASSAY_DECLARED_H
#define ASSAY_DECLARED_H

#include "module.h"
#include "plan/plan.h"

/* Works out the launches of the point's variant: kernels by name, extents, and arguments converted
 * to the types of the kernel's parameters. ASSAY_E_CASE with a sentence where the module has no
 * such kernel, or an argument does not fit. Caller frees, also after a failure. */
assay_status assay_declared_plan(const assay_module *module, const assay_point *point,
                                 const assay_shape *shape, assay_launch_plan *plan);
void         assay_declared_free(assay_launch_plan *plan); /* accepts a zeroed one */

/* Is there a kernel of each name? ASSAY_E_CASE names one that is not, and those that are. */
assay_status assay_declared_find(const assay_module *module, const assay_variant *variant);

#endif
