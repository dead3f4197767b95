/* A study: how fast does a perturbation of one agent grow? Two simulations from one state, the
 * heading of one agent off by a little in the second; by step the share of agents that are
 * elsewhere and the distance of the fields, and the growth rate while it grows. With the toy
 * model's exponent for comparison of form alone: no mapping to its coefficients is known.
 *
 *   physarum_sensitivity [SIDE [AGENTS [STEPS [START [SEED]]]]]
 *
 * START is the step from which it is perturbed, at least 1. */
#include "physarum_test.h"
#include "physarum_toy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct twin {
    physarum_model m;
    physarum_owned a, b;
} twin;

static double torus_distance(float a, float b, int64_t extent)
{
    const double d = fabs((double)a - (double)b);

    return fmin(d, (double)extent - d);
}

static double share_elsewhere(const twin *t)
{
    int64_t n = 0;

    for (int64_t i = 0; i < t->m.agents; i++)
        n += torus_distance(t->a.pos[2 * i], t->b.pos[2 * i], t->m.height) > 0.01 ||
             torus_distance(t->a.pos[2 * i + 1], t->b.pos[2 * i + 1], t->m.width) > 0.01;
    return (double)n / (double)t->m.agents;
}

static double field_distance(const twin *t)
{
    double sum = 0;

    for (int64_t i = 0; i < t->m.height * t->m.width; i++)
        sum += pow((double)t->a.field[i] - (double)t->b.field[i], 2);
    return sqrt(sum);
}

static void start(twin *t, int64_t step, uint64_t seed)
{
    const size_t n = (size_t)t->m.agents, cells = (size_t)(t->m.height * t->m.width);

    physarum_state_seed(&t->m, seed, &t->a);
    (void)physarum_advance(&t->m, t->a.pos, t->a.angle, t->a.field, step);
    memcpy(t->b.pos, t->a.pos, 2 * n * sizeof(float));
    memcpy(t->b.angle, t->a.angle, n * sizeof(float));
    memcpy(t->b.field, t->a.field, cells * sizeof(float));
    t->b.angle[0] += 0.1f;
}

/* While fewer than a tenth of the agents are elsewhere. */
static void report(const double *share, const double *distance, int64_t steps)
{
    int64_t end = 0;
    double  rate;

    while (end < steps && share[end] < 0.1)
        end++;
    if (physarum_growth_rate(share, 1, end, &rate))
        (void)printf("agents elsewhere grow by exp(%.4f) a step up to step %" PRId64 "\n", rate,
                     end);
    if (physarum_growth_rate(distance, 1, end, &rate))
        (void)printf("the distance of the fields grows by exp(%.4f) a step\n", rate);
}

static int64_t argument(int argc, char **argv, int i, int64_t fallback)
{
    const int64_t value = argc > i ? strtoll(argv[i], NULL, 10) : fallback;

    return value > 0 ? value : fallback;
}

int main(int argc, char **argv)
{
    const int64_t side = argument(argc, argv, 1, 128), n = argument(argc, argv, 2, side * side);
    const int64_t steps    = argument(argc, argv, 3, 100);
    twin          t        = { .m = physarum_test_model(PHYSARUM_CANONICAL, side, side, n) };
    double       *share    = calloc((size_t)steps, sizeof *share);
    double       *distance = calloc((size_t)steps, sizeof *distance);

    t.a = physarum_state_create(&t.m);
    t.b = physarum_state_create(&t.m);
    if (!share || !distance)
        return 1;
    start(&t, argument(argc, argv, 4, 10), (uint64_t)argument(argc, argv, 5, 1));
    (void)printf("step,share_elsewhere,field_distance\n");
    for (int64_t k = 0; k < steps; k++) {
        (void)physarum_advance(&t.m, t.a.pos, t.a.angle, t.a.field, 1);
        (void)physarum_advance(&t.m, t.b.pos, t.b.angle, t.b.field, 1);
        share[k]    = share_elsewhere(&t);
        distance[k] = field_distance(&t);
        (void)printf("%" PRId64 ",%.6g,%.6g\n", k + 1, share[k], distance[k]);
    }
    report(share, distance, steps);
    physarum_state_free(&t.a);
    physarum_state_free(&t.b);
    free(share);
    free(distance);
    return 0;
}
