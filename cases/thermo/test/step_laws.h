/* What a whole step must keep, from what went into it and what came out, for stand-alone programs
 * that take many. */
#ifndef ASSAY_STEP_LAWS_H
#define ASSAY_STEP_LAWS_H

#include "step_test.h"

/* Errors over their bounds: at most 1. */
typedef struct step_laws {
    double mass, momentum, heat; /* of the gas, against the particles that it was deposited from */
    double energy;               /* of the gas, against its work: only if asked for, else 0 */
    double exchange;  /* of heat and oscillator energy, the particle that is nearest to its bound */
    double misplaced; /* particles outside the domain or with heat or energy below 0 */
} step_laws;

/* Of the last launch. The work of the gas is a step of the reference: it takes a while. */
step_laws step_laws_of(const step_run *r, bool with_energy);

/* What the particles have after the last launch. */
typedef struct step_totals {
    double momentum[3], heat, energy;
} step_totals;
step_totals step_totals_of(const step_run *r);

#endif
