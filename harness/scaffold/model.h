/* Makes a case of a file's kernels: variants, and a role and names for each parameter. */
#ifndef ASSAY_SCAFFOLD_MODEL_H
#define ASSAY_SCAFFOLD_MODEL_H

#include "case.h"
#include "found.h"

typedef enum assay_item_role {
    ASSAY_ITEM_AXIS,
    ASSAY_ITEM_PARAM,
    ASSAY_ITEM_SCALAR,
    ASSAY_ITEM_BUFFER,
    ASSAY_N_ITEM_ROLES
} assay_item_role;

typedef struct assay_item {
    const assay_found_parameter *of;
    assay_item_role              role;
    char                         place[ASSAY_FOUND_NAME + 8]; /* its enumerator */
    char local[ASSAY_FOUND_NAME + 8]; /* of an axis or buffer: a variable's name */
} assay_item;

typedef struct assay_model {
    assay_item item[ASSAY_FOUND_PARAMETERS + 2]; /* in the order of the kernels' parameters */
    int        n_items, n[ASSAY_N_ITEM_ROLES];
    bool       has_own_axis; /* the last item is an axis that no kernel has as a parameter */
    struct {
        const assay_found_kernel *kernel;
        char                      name[ASSAY_FOUND_NAME];
    } variant[ASSAY_MAX_VARIANTS];
    int n_variants; /* 0: the items are made up */
} assay_model;

/* Chooses the kernel with the case's name, else the first one that can be declared. All kernels
 * with the same parameters become variants; `why` of the others says why they do not. */
void assay_model_make(const char *name, assay_found *found, assay_model *model);

#endif
