/* A call of a launcher on the host device, as the stand-alone physarum programs make it. */
#ifndef PHYSARUM_CALL_H
#define PHYSARUM_CALL_H

#include "physarum_test.h"

#include "kernel.h"

typedef struct physarum_call {
    physarum_owned state[3]; /* input, new, before */
    void          *buf[9];
    int64_t        count[9], param[16], tune[5];
    double         scalar[16];
    assay_args     args;
} physarum_call;

/* Sets what a call of `steps` steps gets, without memory. The arguments point into the call itself,
 * which must not move. */
void physarum_call_shape(physarum_call *c, const physarum_model *m, int64_t steps);
/* With memory for everything; aborts if there is none. */
void physarum_call_create(physarum_call *c, const physarum_model *m, int64_t steps,
                          assay_workspace_fn *workspace);
/* Allocates it again, for other values of the tuning axes. */
void physarum_call_workspace(physarum_call *c, assay_workspace_fn *workspace);
void physarum_call_free(physarum_call *c);

#endif
