/* The article's linear toy model, and the growth of a small perturbation in a simulation. The
 * article does not say how the toy's coefficients follow from a simulation. */
#ifndef PHYSARUM_TOY_H
#define PHYSARUM_TOY_H

#include <stdbool.h>
#include <stdint.h>

/* Trail p and activity y: p' = (1 - beta) p + alpha y, y' = gamma p + (1 - kappa) y. */
typedef struct physarum_toy {
    double alpha, beta, gamma, kappa;
} physarum_toy;

typedef struct physarum_toy_spectrum {
    double larger, smaller; /* eigenvalues, both real as alpha gamma >= 0 */
    double exponent;        /* log of the spectral radius */
} physarum_toy_spectrum;

/* False unless alpha, gamma >= 0 and beta, kappa are in [0, 1]. */
bool physarum_toy_solve(const physarum_toy *toy, physarum_toy_spectrum *spectrum);
/* Perturbations grow if and only if alpha gamma > beta kappa. */
bool physarum_toy_grows(const physarum_toy *toy);

/* Does `steps` steps of (p, y). */
void physarum_toy_advance(const physarum_toy *toy, double v[2], int64_t steps);

/* The one interpretation of a simulation that is exact on a torus: p is the field's sum, y the
 * number of agents, each of which deposits in every step and is never lost. No agent responds to
 * the trail in it, so that it never grows. */
physarum_toy physarum_toy_of_totals(double decay, double deposit);

/* Least-squares slope of log(distance) over those steps begin..end-1 whose distance is above 0;
 * false with fewer than two of them. */
bool physarum_growth_rate(const double *distance, int64_t begin, int64_t end, double *rate);

#endif
