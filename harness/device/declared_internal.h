/* What declared*.c share. */
#ifndef ASSAY_DECLARED_INTERNAL_H
#define ASSAY_DECLARED_INTERNAL_H

#include "declared.h"

/* The kernel of this name, if the module has one of them. ASSAY_E_CASE says what it has instead:
 * others, or several of the name, since files may define kernels of one name, and which of them is
 * meant nobody knows then. */
assay_status assay_declared_entry(const assay_module *module, const char *name,
                                  assay_kernel_entry *entry);

/* The list of parameters in "void mine::sum<float, 4>(float const*, int)": its `(`, or NULL. */
const char *assay_declared_parameters(const char *text);

#endif
