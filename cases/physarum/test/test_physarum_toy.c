/* The toy model compared with its matrix, and slopes of known growth. */
#include "physarum_test.h"
#include "physarum_toy.h"

#include <math.h>

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
        physarum_toy_advance(&toy, v, 1);
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

/* The totals of a simulation are those of the toy, with coefficients for which nothing grows. */
static void test_totals(void)
{
    const physarum_model  m     = physarum_test_model(PHYSARUM_CANONICAL, 40, 24, 200);
    const physarum_toy    toy   = physarum_toy_of_totals(m.decay, m.deposit);
    double                v[2]  = { 0, (double)m.agents };
    physarum_owned        s     = physarum_state_create(&m);
    physarum_toy_spectrum found = { 0 };

    physarum_state_seed(&m, 3, &s);
    (void)physarum_advance(&m, s.pos, s.angle, s.field, 60);
    physarum_toy_advance(&toy, v, 60);
    trial_expect(fabs(physarum_field_sum(&m, s.field) / v[0] - 1) < 1e-6, "a sum of %.9g, not %.9g",
                 physarum_field_sum(&m, s.field), v[0]);
    trial_expect(!physarum_toy_grows(&toy) && physarum_toy_solve(&toy, &found) &&
                     fabs(found.exponent) < 1e-12,
                 "the exponent of totals is %.3g", found.exponent);
    physarum_state_free(&s);
}

int main(void)
{
    test_totals();
    test_random_matrices();
    test_iteration();
    test_limits();
    return trial_finish("test_physarum_toy");
}
