/* The machine code in the file of a kernel module: what has changed since a run is told before
 * anything of it is loaded, and without a GPU. */
#ifndef ASSAY_MODULE_CODE_H
#define ASSAY_MODULE_CODE_H

#include "status.h"

#include <stdbool.h>

/* Kernels by mangled name, with the hash of their code for each architecture in the file. */
typedef struct assay_module_code assay_module_code;

/* Finds the cubins in a library; none in one for the host. ASSAY_E_IO: it cannot be read. The
 * caller frees. */
assay_status assay_module_code_read(const char *path, assay_module_code **code);
void         assay_module_code_free(assay_module_code *code); /* accepts NULL */

/* `module_id`: of the module that an earlier run had; of the same one nothing has changed.
 * `launches`: lines of a kernel's mangled name, a space and its hash in hex, as the store has them
 * of that run. True if one of these kernels has other code now, or if none of them is there any
 * more. Kernels of libraries, which the file has not, say nothing beside one that it has; nor does
 * a file without machine code, or no line at all. */
bool assay_module_code_has_changed(const assay_module_code *code, const char *module_id,
                                   const char *launches);

#endif
