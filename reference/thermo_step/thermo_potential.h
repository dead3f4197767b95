/* The gravitational potential of a density on a periodic grid in double: phi = -4 pi G rho / k^2 in
 * Fourier space, with a bound on the error of a fast transform in fp32. */
#ifndef ASSAY_REFERENCE_THERMO_POTENTIAL_H
#define ASSAY_REFERENCE_THERMO_POTENTIAL_H

#include "../thermo/thermo_number.h"

#include "kernel.h"

#include <stdbool.h>

/* How lines are transformed. */
typedef enum potential_way {
    POTENTIAL_CHOSEN, /* by definition if every extent is small, else fast if there is FFTW */
    POTENTIAL_DENSE,  /* the sum, by definition */
    POTENTIAL_FAST    /* by FFTW */
} potential_way;

typedef struct potential {
    const int64_t         *extent;
    int64_t                cells;
    double                 per_dx, gravity;
    potential_way          way;
    assay_parallel_for_fn *parallel_for;
} potential;

/* Is FFTW on this machine? It is loaded when it is needed. */
bool potential_has_fast(void);

/* phi from rho, both [cells]. POTENTIAL_FAST only if there is FFTW. */
void solve_potential(const potential *s, const number *rho, number *phi);

#endif
