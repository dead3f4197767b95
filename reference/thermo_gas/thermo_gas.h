/* Entry points of the gas reference beyond the case: states in double, so that its own tests and
 * the whole step are not limited by the rounding of fp32 fields. */
#ifndef ASSAY_REFERENCE_THERMO_GAS_H
#define ASSAY_REFERENCE_THERMO_GAS_H

#include "kernel.h"

#include <stdbool.h>

/* rho, three of mom, e of a cell. */
typedef struct thermo_gas_state {
    double u[5];
} thermo_gas_state;

/* The largest |u|_2 + c, and |u|_1 + 3c, over the cells with rho > rho_min; 0 without such cells.
 * And their largest diffusivity max(mu/rho, k/(rho c_v)). */
typedef struct thermo_gas_speeds {
    double signal, sum, diffusivity;
} thermo_gas_speeds;

/* One step of Heun's method on a periodic grid of n[0] * n[1] * n[2] cells from `from` to `to`,
 * which must differ; false: out of memory. A poisoned cell is NaN in all five values. `work` gets
 * dt/2 times the sum of p div u over both stages; it may be NULL. */
ASSAY_EXPORT bool thermo_gas_step(const int64_t n[3], double dt, const thermo_gas_state *from,
                                  thermo_gas_state *to, double *work);

/* Only the first stage. */
ASSAY_EXPORT bool thermo_gas_first_stage(const int64_t n[3], double dt,
                                         const thermo_gas_state *from, thermo_gas_state *to);

ASSAY_EXPORT thermo_gas_speeds thermo_gas_speeds_of(const thermo_gas_state *state, int64_t cells);

/* How long a step may be. */
typedef enum thermo_gas_dt_rule {
    THERMO_GAS_DT_METAL,   /* the smallest of 0.4 dx / max(|u|_1 + 3c), or dx if nothing moves,
                            * diffusion, and 0.015 */
    THERMO_GAS_DT_TRITON,  /* the same with |u|_2 + c */
    THERMO_GAS_DT_STABLE,  /* 1/dt = 1/(0.9 dx / 3 max(|u|_2 + c)) + 1/diffusion, at most 0.015 */
    THERMO_GAS_DT_MINIMUM, /* instead of the sum in STABLE: the smaller of the same two */
} thermo_gas_dt_rule;
ASSAY_EXPORT double thermo_gas_dt(thermo_gas_dt_rule rule, const thermo_gas_speeds *speeds,
                                  double dx);

#endif
