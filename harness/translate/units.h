/* The declarations of a file in order: its structure, as far as a translation needs it. */
#ifndef ASSAY_UNITS_H
#define ASSAY_UNITS_H

#include "tokens.h"

typedef enum assay_unit_kind {
    ASSAY_UNIT_DECLARATION, /* a class is one, with all its members */
    ASSAY_UNIT_FUNCTION,    /* with a body */
    ASSAY_UNIT_OPEN,        /* `namespace x {`, `extern "C" {` */
    ASSAY_UNIT_CLOSE,       /* its `}` */
} assay_unit_kind;

typedef struct assay_unit {
    assay_unit_kind kind;
    int             begin, end; /* its tokens */
    int             body;       /* of a function: its `{`, else -1 */
    int             brace;      /* of a class: its `{`, else -1 */
    int             depth; /* number of enclosing classes: members are listed after their class */
    bool            is_device; /* it has __device__ or __global__ before its body, or anywhere */
} assay_unit;

typedef struct assay_units {
    assay_unit *unit;
    int         n, room;
} assay_units;

/* Lists the units of tokens whose brackets are paired. ASSAY_E_MEMORY. The caller frees. */
assay_status assay_units_list(const assay_tokens *tokens, assay_units *units);
void         assay_units_free(assay_units *units); /* accepts a zeroed one */

/* Is one of the words in [from, to), outside any brackets? */
bool assay_units_has_word(const assay_tokens *tokens, int from, int to, const char *word);

#endif
