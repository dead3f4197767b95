/* The nearest valid word for a mistyped one. */
#ifndef ASSAY_NEAREST_H
#define ASSAY_NEAREST_H

#include <stddef.h>

/* Best of several candidates for a mistyped word: feed each, then ask. */
typedef struct assay_nearest {
    const char *word;
    const char *best; /* NULL until a candidate was seen */
    int         distance;
} assay_nearest;
void assay_nearest_try(assay_nearest *nearest, const char *candidate);
/* " (did you mean 'x'?)", or " (nearest: 'x')" if it is far, into text; "" without candidates. */
const char *assay_nearest_hint(const assay_nearest *nearest, char *text, size_t size);

#endif
