/* A .cu file prepared for tokens: without comments and directives. */
#ifndef ASSAY_SCAFFOLD_SOURCE_H
#define ASSAY_SCAFFOLD_SOURCE_H

#include "status.h"

#include <stdbool.h>

/* `#define name value`, without parameters. */
typedef struct assay_source_macro {
    char *name, *value;
} assay_source_macro;

typedef struct assay_source {
    char               *text; /* as long as the file, line by line */
    assay_source_macro *macro;
    int                 n_macros, room;
    bool                has_branches;     /* of #if and #else, only the first branch was read */
    bool                has_kernel_macro; /* a macro makes kernels, which are not seen */
} assay_source;

/* ASSAY_E_MEMORY. Caller frees. */
assay_status assay_source_read(const char *text, assay_source *source);
void         assay_source_free(assay_source *source); /* accepts a zeroed one */

/* Returns the value of a macro without parameters; NULL: there is none of this name. */
const char *assay_source_macro_value(const assay_source *source, const char *name);

#endif
