/* The declarations of a file, one after the other: what a translation has to know of its structure.
 */
#ifndef ASSAY_UNITS_H
#define ASSAY_UNITS_H

#include "tokens.h"

typedef enum assay_unit_kind {
    ASSAY_UNIT_DECLARATION, /* a class is one, with all in it */
    ASSAY_UNIT_FUNCTION,    /* with a body */
    ASSAY_UNIT_OPEN,        /* `namespace x {`, `extern "C" {` */
    ASSAY_UNIT_CLOSE,       /* its `}` */
} assay_unit_kind;

typedef struct assay_unit {
    assay_unit_kind kind;
    int             begin, end; /* its tokens */
    int             body;       /* of a function: its `{`, else -1 */
    int             brace;      /* of a class: its `{`, else -1 */
    int             depth;      /* classes around it: what is in one is listed after the class */
    bool            is_device;  /* __device__ or __global__ stands in it, or before its body */
} assay_unit;

typedef struct assay_units {
    assay_unit *unit;
    int         n, room;
} assay_units;

/* Lists the units of tokens whose brackets are paired. ASSAY_E_MEMORY. Caller frees. */
assay_status assay_units_list(const assay_tokens *tokens, assay_units *units);
void         assay_units_free(assay_units *units); /* accepts a zeroed one */

/* Is one of the words in [from, to), outside any brackets within? */
bool assay_units_has_word(const assay_tokens *tokens, int from, int to, const char *word);

#endif
