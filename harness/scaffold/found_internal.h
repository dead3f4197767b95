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

/* Tokens [from, to) as text; cut at its size, and then false. */
bool assay_reading_text(const assay_tokens *tokens, int from, int to, char *text, size_t size);

/* The parameters between the brackets at `open`. The first that cannot be declared is said in
 * kernel->why. */
void assay_found_parameters(const assay_reading *r, int open, assay_found_kernel *kernel);

/* Type of an element of this name, and how many there are in one of it; false: none that is known.
 */
bool assay_found_type(const char *name, assay_type *type, int *lanes);

/* Looks for a launch of the kernel in the file, and writes down what it says. */
void assay_found_launch(const assay_reading *r, assay_found_kernel *kernel);

#endif
