/* A study: how fast does a perturbation of one agent grow? For each step from which it is perturbed
 * and for each seed a line of CSV: rates a step of the share of agents that are elsewhere and of
 * the distance of the fields; behind them, on stderr, the means over the seeds with their 95 %
 * intervals. No mapping to the coefficients of the article's toy model is known.
 *
 *   physarum_sensitivity [SIDE [AGENTS [STEPS [SEEDS [START...]]]]]
 *
 * SEEDS from 2 to 31; without START after 2, 10, 50 and 200 steps. */
#include "physarum_growth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_SEEDS = 31
};

typedef struct study {
    physarum_model m;
    int64_t        steps, n_seeds;
    double        *share, *distance; /* [steps] */
} study;

static void say_means(int64_t start, const double *agents, const double *field, int n)
{
    physarum_mean a, f;

    if (physarum_mean_of(agents, n, &a) && physarum_mean_of(field, n, &f))
        (void)fprintf(stderr,
                      "perturbed at step %" PRId64 ", %d seeds: agents elsewhere grow by "
                      "exp(%.4f +- %.4f) a step, the distance of the fields by exp(%.4f +- %.4f)\n",
                      start, n, a.mean, a.half, f.mean, f.half);
}

static void study_start(const study *s, int64_t start)
{
    double agents[MOST_SEEDS], field[MOST_SEEDS];
    int    n = 0;

    for (int64_t seed = 1; seed <= s->n_seeds; seed++) {
        physarum_rates rates;

        physarum_grow(&s->m, (uint64_t)seed, start, s->steps, s->share, s->distance);
        if (!physarum_growth_of(s->share, s->distance, s->steps, &rates)) {
            (void)fprintf(stderr, "seed %" PRId64 " at step %" PRId64 ": no growth to be told\n",
                          seed, start);
            continue;
        }
        (void)printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6g,%.6g\n", start, seed, rates.steps,
                     rates.agents, rates.field);
        agents[n]  = rates.agents;
        field[n++] = rates.field;
    }
    say_means(start, agents, field, n);
}

/* A whole number in 1..most, or what stands for a word that is missing; -1: another word. */
static int64_t argument(int argc, char **argv, int i, int64_t fallback, int64_t most)
{
    char   *end   = NULL;
    int64_t value = argc > i ? strtoll(argv[i], &end, 10) : fallback;

    return (end && *end) || value < 1 || value > most ? -1 : value;
}

static int say_usage(void)
{
    (void)fprintf(stderr, "usage: physarum_sensitivity [SIDE [AGENTS [STEPS [SEEDS [START...]]]]]: "
                          "whole numbers above 0, SEEDS from 2 to 31\n");
    return 4;
}

int main(int argc, char **argv)
{
    static const int64_t usual[] = { 2, 10, 50, 200 };
    const int64_t        side    = argument(argc, argv, 1, 128, 1 << 15);
    const int64_t        n       = argument(argc, argv, 2, side * side, 1 << 28);
    study                s       = { .steps   = argument(argc, argv, 3, 100, 1 << 20),
                                     .n_seeds = argument(argc, argv, 4, 10, MOST_SEEDS) };

    if (side < 1 || n < 1 || s.steps < 1 || s.n_seeds < 2)
        return say_usage();
    for (int i = 5; i < argc; i++)
        if (argument(argc, argv, i, 1, 1 << 20) < 1)
            return say_usage();
    s.m        = physarum_test_model(PHYSARUM_CANONICAL, side, side, n);
    s.share    = calloc((size_t)s.steps, sizeof *s.share);
    s.distance = calloc((size_t)s.steps, sizeof *s.distance);
    if (!s.share || !s.distance)
        return 1;
    (void)printf("start,seed,steps,agents_rate,field_rate\n");
    for (int i = 5; i < argc; i++)
        study_start(&s, argument(argc, argv, i, 1, 1 << 20));
    for (size_t i = 0; argc <= 5 && i < sizeof usual / sizeof *usual; i++)
        study_start(&s, usual[i]);
    free(s.share);
    free(s.distance);
    return 0;
}
