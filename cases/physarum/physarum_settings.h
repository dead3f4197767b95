/* The numbers of a step: the article's, and other sets that the kernels are checked with. */
#ifndef PHYSARUM_SETTINGS_H
#define PHYSARUM_SETTINGS_H

#include "case.h"

enum {
    PHYSARUM_ARTICLE,      /* the article's, for the cases physarum and physarum_run */
    PHYSARUM_FAR,          /* sensors far away */
    PHYSARUM_WIDE,         /* sensors, and turns, of a sixth of a circle */
    PHYSARUM_LONG_STEPS,   /* steps of several cells, sensors at a distance that is no whole number
                            * of steps */
    PHYSARUM_DENSE,        /* large deposits, no decay, and half of the field is its mean */
    PHYSARUM_STILL,        /* agents turn where they stand */
    PHYSARUM_NO_DIFFUSION, /* the field only fades */
    PHYSARUM_N_SETTINGS
};

/* Step, reach, spread, blend, decay and deposit of a set (physarum_case.h). */
void physarum_set_scalars(int64_t setting, assay_shape *s);

#endif
