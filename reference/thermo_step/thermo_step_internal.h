/* What the files of the step's reference share. */
#ifndef ASSAY_REFERENCE_THERMO_STEP_INTERNAL_H
#define ASSAY_REFERENCE_THERMO_STEP_INTERNAL_H

#include "../thermo_gas/thermo_gas_pass.h"
#include "thermo_step_particle.h"
#include "thermo_transform.h"

#include "../../kernels/thermo_step/step_case.h"

typedef struct step_log step_log; /* thermo_step_log.c */

typedef struct cell_numbers {
    number u[5];
} cell_numbers;

typedef struct step {
    const assay_reference_args *args;
    const float                *pos, *vel, *mass, *heat, *energy, *omega;
    int64_t                     n, cells;
    const int64_t              *extent;
    float                       dx;
    double                      per_dx;
    cell_numbers               *u0, *u2;
    number                     *phi; /* NULL without gravity */
    number                      dt;
    int64_t                     halvings;
    step_log                   *log; /* NULL: none is kept */
} step;

/* Fields and errors from the particles: thermo_step_deposit.c. */
void step_deposit_particles(step *s);

/* The log of an attempt's sources of NaN. Cells may be recorded in any order, each by one
 * thread. */
step_log *step_log_create(int64_t cells); /* caller frees; aborts without memory */
void      step_log_free(step_log *log);   /* accepts NULL */
void      step_log_note(step_log *log, int stage, int64_t cell, const point *c);
/* Adds the sources of an attempt with this dt, which ends the attempt. */
void step_log_add_attempt(step_log *log, const step *s);
void step_log_expect(const step_log *log, const assay_reference_args *args);

#endif
