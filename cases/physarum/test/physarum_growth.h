/* How fast a perturbation of one agent grows in the reference: a pair of simulations, the rates of
 * one pair, and the mean over pairs. */
#ifndef PHYSARUM_GROWTH_H
#define PHYSARUM_GROWTH_H

#include "physarum_test.h"

#define PHYSARUM_PERTURBATION 0.1 /* of a heading */

/* For each step: the share of agents that are not where they are in the other simulation, and the
 * distance of the fields. Both simulations begin from the state after `start` steps of a seed; in
 * one of them the first agent's heading is off by `perturbation`. */
void physarum_grow(const physarum_model *m, uint64_t seed, int64_t start, double perturbation,
                   int64_t steps, double *share, double *distance);

/* Growth per step, of logarithms, while fewer than a tenth of the agents are elsewhere. */
typedef struct physarum_rates {
    int64_t steps; /* steps that the rates come from */
    double  agents, field;
} physarum_rates;
/* False: there are too few such steps. */
bool physarum_growth_of(const double *share, const double *distance, int64_t steps,
                        physarum_rates *rates);

/* Mean of n values, and half of its 95 % interval by Student's t; n is 2 to 31. */
typedef struct physarum_mean {
    double mean, half;
} physarum_mean;
bool physarum_mean_of(const double *values, int n, physarum_mean *mean);

#endif
