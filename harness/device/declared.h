/* Kernels that a case declares (case_kernel.h): finds them in a module and prepares their launches
 * for a point. */
#ifndef ASSAY_DECLARED_H
#define ASSAY_DECLARED_H

#include "module.h"
#include "plan/plan.h"

/* Makes the launches of the point's variant: kernels by name, extents, and arguments converted to
 * the types of the kernel's parameters. ASSAY_E_CASE, with a sentence, if the module has no such
 * kernel or an argument does not fit. The caller frees, also after a failure. */
assay_status assay_declared_plan(const assay_module *module, const assay_point *point,
                                 const assay_shape *shape, assay_launch_plan *plan);
void         assay_declared_free(assay_launch_plan *plan); /* accepts a zeroed one */

/* Does the module have a kernel of each name? ASSAY_E_CASE names one that it lacks, and those that
 * it has. */
assay_status assay_declared_find(const assay_module *module, const assay_variant *variant);

#endif
