/* The toy model against its matrix, and slopes of known growth. */
#include "physarum_test.h"
#include "physarum_toy.h"

#include <math.h>

/* A v, twice over. */
static void apply(const physarum_toy *toy, double v[2])
{
    const double p = (1 - toy->beta) * v[0] + toy->alpha * v[1];
    const double y = toy->gamma * v[0] + (1 - toy->kappa) * v[1];

    v[0] = p;
    v[1] = y;
}

static void test_random_matrices(void)
{
    for (uint64_t i = 0; i < 1000; i++) {
        const physarum_toy toy   = { 2 * physarum_uniform(1, 4 * i), physarum_uniform(1, 4 * i + 1),
                                     2 * physarum_uniform(1, 4 * i + 2),
                                     physarum_uniform(1, 4 * i + 3) };
        const double       trace = 2 - toy.beta - toy.kappa;
        const double       det   = (1 - toy.beta) * (1 - toy.kappa) - toy.alpha * toy.gamma;
        physarum_toy_spectrum s;

        trial_expect(physarum_toy_solve(&toy, &s), "toy %d has no spectrum", (int)i);
        trial_expect(fabs(s.larger + s.smaller - trace) < 1e-12 &&
                         fabs(s.larger * s.smaller - det) < 1e-12,
                     "toy %d: trace and determinant", (int)i);
        trial_expect(physarum_toy_grows(&toy) == (s.larger > 1) ||
                         fabs(toy.alpha * toy.gamma - toy.beta * toy.kappa) < 1e-12,
                     "toy %d: alpha gamma > beta kappa and larger > 1 disagree", (int)i);
    }
}

/* Iterated, a perturbation grows by the exponent. */
static void test_iteration(void)
{
    const physarum_toy    toy  = { 0.5, 0.1, 0.4, 0.3 };
    double                v[2] = { 1e-6, 0 }, distance[200], rate = 0;
    physarum_toy_spectrum s;

    trial_expect(physarum_toy_solve(&toy, &s) && physarum_toy_grows(&toy), "it grows");
    for (int k = 0; k < 200; k++) {
        distance[k] = hypot(v[0], v[1]);
        apply(&toy, v);
    }
    trial_expect(physarum_growth_rate(distance, 100, 200, &rate) && fabs(rate - s.exponent) < 1e-9,
                 "rate %.12g, exponent %.12g", rate, s.exponent);
}

static void test_limits(void)
{
    const physarum_toy    balanced = { 0.2, 0.4, 0.3, 0.15 }, bad = { -1, 0.1, 1, 0.1 };
    const physarum_toy    worse   = { 1, NAN, 1, 0.1 };
    const double          none[3] = { 0, 1, 0 };
    double                rate;
    physarum_toy_spectrum s;

    trial_expect(!physarum_toy_grows(&balanced) && physarum_toy_solve(&balanced, &s) &&
                     fabs(s.larger - 1) < 1e-12,
                 "alpha gamma = beta kappa neither grows nor shrinks");
    trial_expect(!physarum_toy_solve(&bad, &s) && !physarum_toy_solve(&worse, &s),
                 "negative or missing coefficients have no answer");
    trial_expect(!physarum_growth_rate(none, 0, 3, &rate), "one distance has no slope");
}

int main(void)
{
    test_random_matrices();
    test_iteration();
    test_limits();
    return trial_finish("test_physarum_toy");
}
