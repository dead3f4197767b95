/* What declared*.c share. */
#ifndef ASSAY_DECLARED_INTERNAL_H
#define ASSAY_DECLARED_INTERNAL_H

#include "declared.h"

/* Finds the only kernel of this name in the module. ASSAY_E_CASE says what it has instead: other
 * names, or several kernels of this name, since several files may define one and it is not known
 * which is meant. */
assay_status assay_declared_entry(const assay_module *module, const char *name,
                                  assay_kernel_entry *entry);

/* Finds the list of parameters in "void mine::sum<float, 4>(float const*, int)": returns its `(`,
 * or NULL. */
const char *assay_declared_parameters(const char *text);

#endif
