/* A study: how fast does a perturbation of one agent grow? For each step at which it is perturbed
 * and for each seed it writes a line of CSV: the rates per step of the share of agents that are
 * elsewhere and of the distance of the fields. Then it writes to stderr the means over the seeds
 * with their 95 % intervals. The article introduces this by its average sensitivity, which is
 * physarum_columns.
 *
 *   physarum_sensitivity [--db FILE [--resume] [--processes N]] [NUMBERS]
 *                        [SIDE [AGENTS [STEPS [SEEDS [START...]]]]]
 *
 * NUMBERS are options for the numbers of a step (physarum_options.h). SEEDS: 2 to 31; without START
 * after 2, 10, 50 and 200 steps. With --db the means are facts of a run of that database, and the
 * time of each seed's two simulations is a sample. */
#include "physarum_growth.h"
#include "physarum_study.h"

#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MOST_SEEDS  = 31,
    MOST_STARTS = 64
};

typedef struct study {
    physarum_model m;
    char    numbers[PHYSARUM_OPTIONS_TEXT]; /* numbers of a step that are not the article's */
    int64_t side, steps, n_seeds;
    int64_t start[MOST_STARTS];
    int     n_starts;
    double *share, *distance; /* [steps] */
    assay_program *program;   /* NULL: nothing is stored */
} study;

/* The results of the seeds of one start. */
typedef struct seeds {
    double        agents[MOST_SEEDS], field[MOST_SEEDS], time_ns[MOST_SEEDS];
    int           n; /* seeds with a growth */
    physarum_mean of_agents, of_field;
    bool          has_means;
} seeds;

/* ---- one start ---- */

static double now_ns(void)
{
    struct timespec now = { 0, 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* this clock is always there */
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void study_seed(const study *s, int64_t start, int64_t seed, seeds *found)
{
    const double   begun_ns = now_ns();
    physarum_rates rates;

    physarum_grow(&s->m, (uint64_t)seed, start, PHYSARUM_PERTURBATION, s->steps, s->share,
                  s->distance);
    found->time_ns[seed - 1] = now_ns() - begun_ns;
    if (!physarum_growth_of(s->share, s->distance, s->steps, &rates)) {
        (void)fprintf(stderr, "seed %" PRId64 " at step %" PRId64 ": no growth to be told\n", seed,
                      start);
        return;
    }
    (void)printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6g,%.6g\n", start, seed, rates.steps,
                 rates.agents, rates.field);
    found->agents[found->n]  = rates.agents;
    found->field[found->n++] = rates.field;
}

static void say_means(int64_t start, const seeds *f)
{
    if (f->has_means)
        (void)fprintf(stderr,
                      "perturbed at step %" PRId64 ", %d seeds: agents elsewhere grow by "
                      "exp(%.4f +- %.4f) a step, the distance of the fields by exp(%.4f +- %.4f)\n",
                      start, f->n, f->of_agents.mean, f->of_agents.half, f->of_field.mean,
                      f->of_field.half);
}

/* How far two simulations diverge when neither is perturbed. */
static double apart_unperturbed(const study *s, int64_t start)
{
    double most = 0;

    physarum_grow(&s->m, 1, start, 0, s->steps, s->share, s->distance);
    for (int64_t k = 0; k < s->steps; k++)
        most = s->distance[k] <= most && s->share[k] == 0 ? most : s->distance[k] + s->share[k];
    return most;
}

/* ---- what is stored ---- */

static assay_status put_facts(const study *s, int64_t point, const seeds *f)
{
    const struct {
        const char *name;
        double      value;
    } facts[] = {
        { "agents_rate_a_step", f->of_agents.mean },
        { "agents_rate_half_interval", f->of_agents.half },
        { "field_rate_a_step", f->of_field.mean },
        { "field_rate_half_interval", f->of_field.half },
        { "seeds_with_growth", f->n },
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        ASSAY_CHECK(assay_program_put_fact(s->program, point, facts[i].name, facts[i].value));
out:
    return st;
}

static assay_status put_start(const study *s, int64_t point, const seeds *f)
{
    const assay_program_check checks[] = {
        { .output = "unperturbed",
          .why    = "two simulations of one state are one: what grows is the perturbation",
          .error  = s->program ? apart_unperturbed(s, s->start[point]) : 0 },
        { .output = "seeds_without_growth",
          .why    = "a mean with its interval needs two seeds",
          .error  = (double)(s->n_seeds - f->n),
          .bound  = (double)(s->n_seeds - 2) },
    };
    const assay_program_times times = { .clock    = ASSAY_PROGRAM_WALL,
                                        .time_ns  = f->time_ns,
                                        .n        = s->n_seeds,
                                        .n_blocks = 1,
                                        .calls    = 1 };
    assay_status              st    = ASSAY_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        ASSAY_CHECK(assay_program_put_check(s->program, point, &checks[i]));
    if (checks[0].error == 0 && checks[1].error <= checks[1].bound) {
        ASSAY_CHECK(assay_program_put_times(s->program, point, &times));
        ASSAY_CHECK(put_facts(s, point, f));
    }
    ASSAY_CHECK(assay_program_finish(s->program));
out:
    return st;
}

static assay_status study_start(const study *s, int64_t point)
{
    seeds        found     = { .n = 0 };
    bool         is_wanted = false;
    assay_status st        = ASSAY_OK;

    ASSAY_CHECK(assay_program_take(s->program, point, 1, &is_wanted));
    if (!is_wanted)
        goto out;
    for (int64_t seed = 1; seed <= s->n_seeds; seed++)
        study_seed(s, s->start[point], seed, &found);
    found.has_means = physarum_mean_of(found.agents, found.n, &found.of_agents) &&
                      physarum_mean_of(found.field, found.n, &found.of_field);
    say_means(s->start[point], &found);
    ASSAY_CHECK(put_start(s, point, &found));
out:
    return st;
}

static void plan(const study *s, assay_program_point points[MOST_STARTS])
{
    for (int i = 0; i < s->n_starts; i++)
        points[i] = (assay_program_point) {
            .case_name    = "physarum_sensitivity",
            .case_what    = "growth of a perturbation of one agent, two simulations a seed",
            .case_version = 1,
            .variant      = "reference",
            .axis         = { { .name = "side", .value = { s->side } },
                              { .name = "agents", .value = { s->m.agents } },
                              { .name = "steps", .value = { s->steps } },
                              { .name = "seeds", .value = { s->n_seeds } },
                              { .name = "start", .value = { s->start[i] } },
                              { .name = "numbers", .word = s->numbers } },
            .n_axes       = s->numbers[0] ? 6 : 5,
            .seed         = 1,
            .cells        = 2 * s->m.agents * (s->start[i] + s->steps),
            .is_timed     = true,
            .is_cpu       = true,
        };
}

/* ---- the command line ---- */

static bool read_starts(int argc, char **argv, study *s)
{
    static const int64_t usual[] = { 2, 10, 50, 200 };
    const int            n_usual = sizeof usual / sizeof *usual;

    s->n_starts =
        physarum_options_list(argc, argv, 5, usual, n_usual, 1 << 20, s->start, MOST_STARTS);
    return s->n_starts > 0;
}

static bool read_study(int argc, char **argv, study *s)
{
    const int64_t side = physarum_options_number(argc, argv, 1, 128, 1 << 15);
    const int64_t n    = physarum_options_number(argc, argv, 2, side * side, 1 << 28);

    s->side    = side;
    s->steps   = physarum_options_number(argc, argv, 3, 100, 1 << 20);
    s->n_seeds = physarum_options_number(argc, argv, 4, 10, MOST_SEEDS);
    if (side < 1 || n < 1 || s->steps < 1 || s->n_seeds < 2 || !read_starts(argc, argv, s))
        return false;
    s->m.height = s->m.width = side;
    s->m.agents              = n;
    return true;
}

/* ---- all of it ---- */

static assay_status study_all(const assay_program_words *words, study *s)
{
    assay_program_point       points[MOST_STARTS];
    const assay_program_start start = { "physarum_sensitivity", words, assay_module_api(), points,
                                        s->n_starts };
    assay_status              st    = ASSAY_OK;

    plan(s, points);
    s->share    = calloc((size_t)s->steps, sizeof *s->share);
    s->distance = calloc((size_t)s->steps, sizeof *s->distance);
    ASSAY_REQUIRE(s->share && s->distance, ASSAY_E_MEMORY, "no memory for %" PRId64 " steps",
                  s->steps);
    ASSAY_CHECK(assay_program_open(&start, &s->program));
    (void)printf("start,seed,steps,agents_rate,field_rate\n");
    for (int i = 0; i < s->n_starts; i++)
        ASSAY_CHECK(study_start(s, i));
out:
    return st;
}

int main(int argc, char **argv)
{
    study               s = { .m = physarum_test_model(PHYSARUM_CANONICAL, 1, 1, 1) };
    int                 status;
    assay_program_words words;
    assay_status        st = ASSAY_OK;

    ASSAY_CHECK(physarum_study_begin(&argc, argv, &words, &s.m, s.numbers));
    ASSAY_REQUIRE(read_study(argc, argv, &s), ASSAY_E_USAGE,
                  "usage: physarum_sensitivity " ASSAY_PROGRAM_USAGE " " PHYSARUM_OPTIONS_USAGE
                  " [SIDE [AGENTS [STEPS [SEEDS [START...]]]]]: whole numbers above 0, SEEDS from "
                  "2 to 31, at most %d STARTs",
                  MOST_STARTS);
    ASSAY_CHECK(study_all(&words, &s));
out:
    status = physarum_study_end(s.program, st);
    free(s.share);
    free(s.distance);
    return status;
}
