/* What a whole step must conserve, from its inputs and outputs, for stand-alone programs that make
 * many steps. */
#ifndef ASSAY_STEP_LAWS_H
#define ASSAY_STEP_LAWS_H

#include "step_test.h"

/* Errors over their bounds: at most 1. */
typedef struct step_laws {
    double mass, momentum, heat; /* of the gas, compared with the particles from which it was
                                  * deposited */
    double energy;               /* of the gas, compared with its work: only if asked for, else 0 */
    double exchange;  /* of heat and oscillator energy, for the particle nearest to its bound */
    double misplaced; /* particles outside the domain or with heat or energy below 0 */
} step_laws;

/* For the last launch. The work of the gas is a step of the reference, which takes a while. */
step_laws step_laws_of(const step_run *r, bool with_energy);

/* Totals over the particles after the last launch. */
typedef struct step_totals {
    double momentum[3], heat, energy;
} step_totals;
step_totals step_totals_of(const step_run *r);

#endif
