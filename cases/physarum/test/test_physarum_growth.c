/* Growth of a perturbation with known results: simulations without growth, shares and distances of
 * given rates, and means of given values. */
#include "physarum_growth.h"

#include <math.h>

enum {
    SIDE   = 64,
    AGENTS = 800,
    STEPS  = 400
};

static double share[STEPS], distance[STEPS];

/* With sensors where the agent itself is, all three read one cell: nobody turns, and the agent that
 * goes another way does not affect the others. */
static void test_agents_that_do_not_sense(void)
{
    physarum_model m      = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, AGENTS);
    physarum_rates rates  = { 0 };
    bool           is_one = true;

    m.reach = 0;
    physarum_grow(&m, 3, 20, PHYSARUM_PERTURBATION, STEPS, share, distance);
    for (int k = 1; k < STEPS; k++)
        is_one = is_one && share[k] * AGENTS <= 1.000001;
    trial_expect(is_one, "only the perturbed agent is elsewhere");
    trial_expect(physarum_growth_of(share + STEPS / 2, distance + STEPS / 2, STEPS / 2, &rates),
                 "it has a growth");
    /* after the trails of the first hundreds of steps have faded, by 0.99 a step */
    trial_expect(fabs(rates.agents) < 1e-12 && fabs(rates.field) < 2e-3,
                 "without sensing rates are %.3g and %.3g", rates.agents, rates.field);
}

/* The same simulation with sensors, which the study is about, does grow. */
static void test_agents_that_sense(void)
{
    const physarum_model m     = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, SIDE * SIDE);
    physarum_rates       rates = { 0 };

    physarum_grow(&m, 3, 20, PHYSARUM_PERTURBATION, 100, share, distance);
    trial_expect(physarum_growth_of(share, distance, 100, &rates) && rates.agents > 0.01 &&
                     rates.field > 0.01,
                 "with sensing rates are %.3g and %.3g", rates.agents, rates.field);
}

/* Two growths up to a tenth; what is beyond is left out. */
static void test_known_rates(void)
{
    physarum_rates rates = { 0 };

    for (int k = 0; k < 100; k++) {
        share[k]    = 1e-4 * exp(0.08 * k);
        distance[k] = k > 90 ? 7 : 1e-3 * exp(0.05 * k);
    }
    trial_expect(physarum_growth_of(share, distance, 100, &rates) &&
                     fabs(rates.agents - 0.08) < 1e-12 && fabs(rates.field - 0.05) < 1e-12 &&
                     rates.steps == 86,
                 "rates %.6g and %.6g over %d steps", rates.agents, rates.field, (int)rates.steps);
    share[0] = 0.5;
    trial_expect(!physarum_growth_of(share, distance, 100, &rates), "saturated from the start");
}

static void test_means(void)
{
    const double  values[32] = { 1, 2, 3, 4, 5 };
    physarum_mean mean       = { 0 };

    trial_expect(physarum_mean_of(values, 5, &mean) && fabs(mean.mean - 3) < 1e-12 &&
                     fabs(mean.half - 2.776 * sqrt(0.5)) < 1e-12,
                 "1 to 5 are %.6g +- %.6g", mean.mean, mean.half);
    trial_expect(physarum_mean_of(values, 2, &mean) && fabs(mean.half - 12.706 * 0.5) < 1e-12,
                 "1 and 2 are %.6g +- %.6g", mean.mean, mean.half);
    trial_expect(physarum_mean_of(values, 31, &mean), "31 values have a mean");
    trial_expect(!physarum_mean_of(values, 1, &mean), "one value has no interval");
    trial_expect(!physarum_mean_of(values, 32, &mean), "nor have more than the table knows");
}

/* The interval holds the mean of 95 of 100 samples. */
static void test_coverage(void)
{
    int n_inside = 0;

    for (uint64_t k = 0; k < 2000; k++) {
        double        values[6];
        physarum_mean mean;

        for (uint64_t i = 0; i < 6; i++) { /* a normally distributed number, by Box and Muller */
            const double u = physarum_uniform(5, 12 * k + 2 * i) + 0x1p-60;
            const double v = physarum_uniform(5, 12 * k + 2 * i + 1);

            values[i] = 3 + 0.5 * sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
        }
        n_inside += physarum_mean_of(values, 6, &mean) && fabs(mean.mean - 3) <= mean.half;
    }
    /* 1900 +- 4 standard deviations of a binomial number */
    trial_expect(n_inside > 1861 && n_inside < 1939, "%d of 2000 intervals hold the mean",
                 n_inside);
}

int main(void)
{
    test_agents_that_do_not_sense();
    test_agents_that_sense();
    test_known_rates();
    test_means();
    test_coverage();
    return trial_finish("test_physarum_growth");
}
