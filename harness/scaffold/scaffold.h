/* What `assay new` writes: text in, text out. */
#ifndef ASSAY_SCAFFOLD_H
#define ASSAY_SCAFFOLD_H

#include "found.h"

#include <stdio.h>

/* Can a case and its program be called so, and its file of kernels? ASSAY_E_USAGE says why not. */
assay_status assay_scaffold_check_name(const char *name);
assay_status assay_scaffold_check_file(const char *file);

/* A file with one kernel to start from. */
assay_status assay_scaffold_kernel(const char *name, FILE *out);

/* The definition of the case, in C, and where its reference will be: it compiles, and the check of
 * definitions refuses it until that is written. Kernels that become no variant get their `why`.
 * ASSAY_E_IO. */
assay_status assay_scaffold_case(const char *name, const char *file, assay_found *found, FILE *out);

/* The CMakeLists.txt of a folder that has this case alone. ASSAY_E_IO. */
assay_status assay_scaffold_build(const char *name, const char *file, FILE *out);

/* What was found, and what became of it, for people; after assay_scaffold_case. */
void assay_scaffold_list(const char *file, const assay_found *found, FILE *out);

#endif
