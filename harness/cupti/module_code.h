/* The machine code in the file of a kernel module. It tells what has changed since a run, before
 * anything is loaded and without a GPU. */
#ifndef ASSAY_MODULE_CODE_H
#define ASSAY_MODULE_CODE_H

#include "status.h"

#include <stdbool.h>

/* Kernels by mangled name, each with the hash of its code for every architecture in the file. */
typedef struct assay_module_code assay_module_code;

/* Finds the cubins in a library; a library for the host has none. ASSAY_E_IO: it cannot be read.
 * The caller frees. */
assay_status assay_module_code_read(const char *path, assay_module_code **code);
void         assay_module_code_free(assay_module_code *code); /* accepts NULL */

/* Has the code changed since an earlier run? `module_id`: of the module of that run; if it is the
 * same, nothing has changed. `launches`: lines from the store, each with a kernel's mangled name, a
 * space and its hash in hex. True if one of these kernels has other code now, or if none of them
 * exists any more. Kernels of libraries, which are not in the file, do not count if it has one of
 * the others; a file without machine code, or no lines, tell nothing. */
bool assay_module_code_has_changed(const assay_module_code *code, const char *module_id,
                                   const char *launches);

#endif
