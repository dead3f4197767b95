/* Two simulations from one state, and what their distance shows. */
#include "physarum_growth.h"

#include "physarum_toy.h"

#include <math.h>
#include <string.h>

static const double ELSEWHERE  = 0.01; /* cells apart: more than rounding explains */
static const double SATURATION = 0.1;  /* share of agents from which on growth no longer counts */

/* ---- a pair of simulations */

typedef struct twin {
    const physarum_model *m;
    physarum_owned        a, b;
} twin;

static double torus_distance(float a, float b, int64_t extent)
{
    const double d = fabs((double)a - (double)b);

    return fmin(d, (double)extent - d);
}

static double share_elsewhere(const twin *t)
{
    int64_t n = 0;

    for (int64_t i = 0; i < t->m->agents; i++)
        n += torus_distance(t->a.pos[2 * i], t->b.pos[2 * i], t->m->height) > ELSEWHERE ||
             torus_distance(t->a.pos[2 * i + 1], t->b.pos[2 * i + 1], t->m->width) > ELSEWHERE;
    return (double)n / (double)t->m->agents;
}

static double field_distance(const twin *t)
{
    double sum = 0;

    for (int64_t i = 0; i < t->m->height * t->m->width; i++)
        sum += pow((double)t->a.field[i] - (double)t->b.field[i], 2);
    return sqrt(sum);
}

static void begin(twin *t, uint64_t seed, int64_t start, double perturbation)
{
    const size_t n = (size_t)t->m->agents, cells = (size_t)(t->m->height * t->m->width);

    physarum_state_seed(t->m, seed, &t->a);
    (void)physarum_advance(t->m, t->a.pos, t->a.angle, t->a.field, start);
    memcpy(t->b.pos, t->a.pos, 2 * n * sizeof(float));
    memcpy(t->b.angle, t->a.angle, n * sizeof(float));
    memcpy(t->b.field, t->a.field, cells * sizeof(float));
    t->b.angle[0] += (float)perturbation;
}

void physarum_grow(const physarum_model *m, uint64_t seed, int64_t start, double perturbation,
                   int64_t steps, double *share, double *distance)
{
    twin t = { m, physarum_state_create(m), physarum_state_create(m) };

    begin(&t, seed, start, perturbation);
    for (int64_t k = 0; k < steps; k++) {
        (void)physarum_advance(m, t.a.pos, t.a.angle, t.a.field, 1);
        (void)physarum_advance(m, t.b.pos, t.b.angle, t.b.field, 1);
        share[k]    = share_elsewhere(&t);
        distance[k] = field_distance(&t);
    }
    physarum_state_free(&t.a);
    physarum_state_free(&t.b);
}

/* ---- rates */

/* Not from the first step, in which the perturbation itself becomes a distance. */
bool physarum_growth_of(const double *share, const double *distance, int64_t steps,
                        physarum_rates *rates)
{
    int64_t end = 0;

    while (end < steps && share[end] < SATURATION)
        end++;
    rates->steps = end > 0 ? end - 1 : 0;
    return physarum_growth_rate(share, 1, end, &rates->agents) &&
           physarum_growth_rate(distance, 1, end, &rates->field);
}

/* 97.5 % quantiles of Student's t by degrees of freedom, from 1. */
static const double student[] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
};

bool physarum_mean_of(const double *values, int n, physarum_mean *mean)
{
    double sum = 0, squares = 0;

    if (n < 2 || n - 1 > (int)(sizeof student / sizeof *student))
        return false;
    for (int i = 0; i < n; i++)
        sum += values[i];
    mean->mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += pow(values[i] - mean->mean, 2);
    mean->half = student[n - 2] * sqrt(squares / (n - 1) / n);
    return true;
}
