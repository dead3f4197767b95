/* What `assay new` writes: text in, text out. */
#ifndef ASSAY_SCAFFOLD_H
#define ASSAY_SCAFFOLD_H

#include "found.h"

#include <stdio.h>

/* Are these valid names for a case with its program, and for its file of kernels? ASSAY_E_USAGE
 * says why not. */
assay_status assay_scaffold_check_name(const char *name);
assay_status assay_scaffold_check_file(const char *file);

/* Writes a file with one kernel to start from. */
assay_status assay_scaffold_kernel(const char *name, FILE *out);

/* Writes the definition of the case in C, and the place for its reference. It compiles, but the
 * check of definitions refuses it until the reference is written. Kernels that do not become
 * variants get their `why`. ASSAY_E_IO. */
assay_status assay_scaffold_case(const char *name, const char *file, assay_found *found, FILE *out);

/* Writes the CMakeLists.txt of a folder that has only this case. ASSAY_E_IO. */
assay_status assay_scaffold_build(const char *name, const char *file, FILE *out);

/* Prints what was found and what was made of it; after assay_scaffold_case. */
void assay_scaffold_list(const char *file, const assay_found *found, FILE *out);

#endif
