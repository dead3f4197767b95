/* The host side of one point and input class: initial contents of the buffers, and what the
 * reference expects. All variants at the same axis values share it. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include "plan/plan.h"

typedef struct assay_inputs {
    bool is_valid;
    /* what the inputs were made for */
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

/* Makes the inputs of this point, or keeps them if they fit already. assay_inputs_expect computes
 * the expectation separately, so that a caller can say what it waits for. shared_fd: a file from
 * which inputs of another process are read, and in which they are kept (inputs_shared.h); 0: none.
 */
assay_status assay_inputs_make(assay_inputs *inputs, const assay_point *point, assay_input input,
                               int shared_fd);
assay_status assay_inputs_expect(assay_inputs *inputs);
void         assay_inputs_free(assay_inputs *inputs); /* accepts NULL; zeroes *inputs */

#endif
