/* The host side of one point and input class: initial contents of the buffers and what the
 * reference expects. Shared by all variants at the same axis values. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include "plan/plan.h"

typedef struct assay_inputs {
    bool is_valid;
    /* what they were made for */
    const assay_case *definition;
    assay_value       axis[ASSAY_MAX_AXES];
    assay_input       input;
    uint64_t          seed;

    assay_shape    shape;
    int            n_buffers;
    int64_t        count[ASSAY_MAX_BUFFERS];
    void          *initial[ASSAY_MAX_BUFFERS]; /* IN and INOUT, else NULL */
    assay_expected expected[ASSAY_MAX_BUFFERS];
} assay_inputs;

/* Were they made for this point and class? */
bool assay_inputs_fit(const assay_inputs *inputs, const assay_point *point, assay_input input);

/* Makes (or keeps, if they already fit) the inputs of this point. The expectation is computed by
 * assay_inputs_expect, so that a caller can say what it is waiting for. shared_fd: where another
 * process may have them from, and keep them (inputs_shared.h); 0: nowhere. */
assay_status assay_inputs_make(assay_inputs *inputs, const assay_point *point, assay_input input,
                               int shared_fd);
assay_status assay_inputs_expect(assay_inputs *inputs);
void         assay_inputs_free(assay_inputs *inputs); /* accepts NULL; zeroes */

#endif
