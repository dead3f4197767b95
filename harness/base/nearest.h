/* The nearest valid word for a mistyped one. */
#ifndef ASSAY_NEAREST_H
#define ASSAY_NEAREST_H

#include <stddef.h>

/* The best of several candidates for a mistyped word. Offer each candidate, then ask for the
 * result. */
typedef struct assay_nearest {
    const char *word;
    const char *best; /* NULL until a candidate was offered */
    int         distance;
} assay_nearest;
void assay_nearest_try(assay_nearest *nearest, const char *candidate);
/* Writes " (did you mean 'x'?)", or " (nearest: 'x')" if it is far, into text; "" without
 * candidates. */
const char *assay_nearest_hint(const assay_nearest *nearest, char *text, size_t size);

#endif
