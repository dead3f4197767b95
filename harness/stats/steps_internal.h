/* What the files of steps share. */
#ifndef ASSAY_STEPS_INTERNAL_H
#define ASSAY_STEPS_INTERNAL_H

#include "steps.h"

typedef struct assay_series {
    double *x; /* logarithms */
    int64_t n;
    double  scale, penalty; /* b, and what a cut costs */
} assay_series;

/* The sorted values of a growing segment, and the parts of its cost. */
typedef struct assay_level {
    double *sorted; /* room for the whole series and one more */
    int64_t n;
    double  total, lower;
} assay_level;

void assay_level_reset(assay_level *level);
/* Adds x; returns the sum of distances from the median. */
double assay_level_add(assay_level *level, double x);

/* Makes steps from the cuts (which are changed), without those below the threshold. */
assay_status assay_steps_describe(const assay_series *s, int64_t *cuts, int64_t n_cuts,
                                  double threshold, assay_level *level, assay_steps *steps);

#endif
