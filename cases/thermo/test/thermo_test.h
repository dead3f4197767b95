/* What the stand-alone programs of the thermo references share: a run of a reference on arrays of
 * its own. */
#ifndef ASSAY_THERMO_TEST_H
#define ASSAY_THERMO_TEST_H

#include "kernel.h"

#include "../../testing/trial.h"

enum {
    THERMO_TEST_BUFS   = 24,
    THERMO_TEST_PARAMS = 16
};

/* Arrays by buffer number, owned by the run. */
typedef struct thermo_run {
    void          *in[THERMO_TEST_BUFS];
    assay_expected expect[THERMO_TEST_BUFS];
    int64_t        count[THERMO_TEST_BUFS];
    int64_t        param[THERMO_TEST_PARAMS];
    double         scalar[THERMO_TEST_PARAMS];
} thermo_run;

/* Zeroed inputs and outputs; the program ends if there is no memory. */
void   thermo_run_input(thermo_run *run, int b, int64_t count);
void   thermo_run_output(thermo_run *run, int b, int64_t count);
void   thermo_run_reference(thermo_run *run, assay_reference_fn *reference);
void   thermo_run_prepare(thermo_run *run, assay_prepare_fn *prepare);
void   thermo_run_free(thermo_run *run);
float *thermo_run_floats(const thermo_run *run, int b);

/* A number in [0, 1) that depends only on its arguments. */
double thermo_random(uint64_t stream, uint64_t index);

/* A deposit of n particles at rest at the origin, with mass and heat 0, on a grid with spacing 1 /
 * most; its stages are outputs. */
thermo_run thermo_scatter_make(int64_t gx, int64_t gy, int64_t gz, int64_t most, int64_t n);
/* For deposit and gather, whose positions are the same buffer. */
void thermo_put(thermo_run *run, int64_t t, float x, float y, float z);
/* Particles of a deposit anywhere in a box. */
void thermo_fill_random(thermo_run *run, int64_t n, const double length[3]);

#endif
