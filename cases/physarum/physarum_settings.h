/* What a step's numbers are: the article's, and sets of others that the kernels are checked with.
 */
#ifndef PHYSARUM_SETTINGS_H
#define PHYSARUM_SETTINGS_H

#include "case.h"

enum {
    PHYSARUM_ARTICLE,      /* the article's, of the cases physarum and physarum_run */
    PHYSARUM_FAR,          /* sensors far away */
    PHYSARUM_WIDE,         /* sensors, and turns, of a sixth of a circle */
    PHYSARUM_LONG_STEPS,   /* steps of several cells, sensors at no whole number of them */
    PHYSARUM_DENSE,        /* much deposited, nothing lost, and half of the field its mean */
    PHYSARUM_STILL,        /* agents turn where they stand */
    PHYSARUM_NO_DIFFUSION, /* the field only fades */
    PHYSARUM_N_SETTINGS
};

/* Step, reach, spread, blend, decay and deposit of a set (physarum_case.h). */
void physarum_set_scalars(int64_t setting, assay_shape *s);

#endif
