/* What a file of kernels contains, as far as its text tells. */
#ifndef ASSAY_SCAFFOLD_FOUND_H
#define ASSAY_SCAFFOLD_FOUND_H

#include "status.h"
#include "types.h"

enum {
    ASSAY_FOUND_NAME       = 64,
    ASSAY_FOUND_TEXT       = 256,
    ASSAY_FOUND_LINE       = 768,
    ASSAY_FOUND_PARAMETERS = 64
};

typedef enum assay_found_kind {
    ASSAY_FOUND_UNKNOWN,
    ASSAY_FOUND_BUFFER,
    ASSAY_FOUND_INTEGER,
    ASSAY_FOUND_REAL
} assay_found_kind;

typedef struct assay_found_parameter {
    char             name[ASSAY_FOUND_NAME];
    char             element[ASSAY_FOUND_TEXT]; /* its type without const, * and & */
    assay_found_kind kind;
    assay_type       type;  /* of an element */
    int              lanes; /* elements in one value of a vector type, else 1 */
    bool             is_const;
} assay_found_parameter;

/* A __global__ function with a body, or an instantiation of one. */
typedef struct assay_found_kernel {
    char                  name[ASSAY_FOUND_TEXT];    /* as in a declared launch */
    char                  plain[ASSAY_FOUND_NAME];   /* without scopes and template arguments */
    char                  written[ASSAY_FOUND_LINE]; /* its parameters */
    int                   line;
    bool                  is_template, is_instantiation;
    bool                  has_dynamic_shared;
    assay_found_parameter parameter[ASSAY_FOUND_PARAMETERS];
    int                   n_parameters;
    /* Of a launch in the file, as texts of a declared launch; "": there is none, or it cannot be
     * declared so. */
    char grid[ASSAY_FOUND_TEXT], block[ASSAY_FOUND_TEXT], shared[ASSAY_FOUND_TEXT];
    char why[ASSAY_FOUND_LINE]; /* why it cannot be declared; "": it can */
} assay_found_kernel;

/* A host function that launches, or takes a stream. */
typedef struct assay_found_launcher {
    char name[ASSAY_FOUND_TEXT], written[ASSAY_FOUND_LINE];
    int  line;
} assay_found_launcher;

typedef struct assay_found {
    assay_found_kernel   *kernel;
    int                   n_kernels, kernels_room;
    assay_found_launcher *launcher;
    int                   n_launchers, launchers_room;
    char                  notes[4 * ASSAY_FOUND_TEXT]; /* what was not read, one line each */
} assay_found;

/* Reads the text of a .cu file. What cannot be read is told in notes and in each kernel's why;
 * ASSAY_E_MEMORY is the only failure. The caller frees. */
assay_status assay_found_read(const char *text, assay_found *found);
void         assay_found_free(assay_found *found); /* accepts a zeroed one */

#endif
