/* A Heun step over a grid, plane by plane, from numbers to numbers: the gas case and the whole step
 * use it. */
#ifndef ASSAY_REFERENCE_THERMO_GAS_PASS_H
#define ASSAY_REFERENCE_THERMO_GAS_PASS_H

#include "thermo_gas_cell.h"

#include "kernel.h"

typedef struct thermo_gas_grid {
    int64_t n[3];
    double  per_dx;
    number  dt;
} thermo_gas_grid;

/* dx = 1 / max(n); dt as given to kernels, which round it. */
thermo_gas_grid thermo_gas_grid_of(const int64_t n[3], double dt);

/* Where U0 comes from, and where the results go. */
typedef struct thermo_gas_passage {
    thermo_gas_grid g;
    void (*load)(const void *from, int64_t cell, number u[5]);
    const void *from;
    void (*store)(void *to, int stage, int64_t cell, const point *c);
    void *to;
} thermo_gas_passage;

/* Both stages for the planes begin..end-1 along x; false: out of memory. */
bool thermo_gas_pass_planes(const thermo_gas_passage *w, int64_t begin, int64_t end);

#endif
