/* What the files that read kernels share. */
#ifndef ASSAY_SCAFFOLD_FOUND_INTERNAL_H
#define ASSAY_SCAFFOLD_FOUND_INTERNAL_H

#include "found.h"
#include "source.h"

#include "translate/heads.h"
#include "translate/units.h"

typedef struct assay_reading {
    const assay_source *source;
    assay_tokens        tokens;
    assay_units         units;
    assay_found        *found;
} assay_reading;

/* Writes tokens [from, to) as text; false: it was truncated. */
bool assay_reading_text(const assay_tokens *tokens, int from, int to, char *text, size_t size);

/* Reads the parameters between the brackets at `open`. The first one that cannot be declared is
 * told in kernel->why. */
void assay_found_parameters(const assay_reading *r, int open, assay_found_kernel *kernel);

/* Gives the element type of a type name, and the number of elements in it; false: it is not known.
 */
bool assay_found_type(const char *name, assay_type *type, int *lanes);

/* Looks for a launch of the kernel in the file, and records its configuration. */
void assay_found_launch(const assay_reading *r, assay_found_kernel *kernel);

#endif
