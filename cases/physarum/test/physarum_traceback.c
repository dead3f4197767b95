/* A study: the article says that whoever knows the numbers of a simulation can trace back the
 * picture with which the field began. Is that so? And can a number be found from the picture? It
 * writes a line of CSV for each way, number of steps and seed: how far the result is from the
 * original; then, to stderr, means over seeds with 95 % intervals.
 *
 *   physarum_traceback [--db FILE [--resume] [--processes N]] [NUMBERS]
 *                      [SIDE [AGENTS [SEEDS [STEPS...]]]]
 *
 * NUMBERS are options for the numbers of a step (physarum_options.h), which are known. SEEDS: 2 to
 * 31; without STEPS 1, 2, 5, 10, 20, 35 and 50. With --db the means are facts of a run. */
#include "physarum_backward.h"
#include "physarum_growth.h"
#include "physarum_study.h"

#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known besides the numbers, and what is to be found. */
typedef enum way {
    BY_STATE,    /* known: the last state, agents and all; to find: the first field */
    BY_FIELD,    /* the last field and the agents' beginning; the first field */
    BY_PICTURE,  /* the same, with the last field in 256 levels */
    BY_STRANGER, /* the last field and the beginning of other agents; the first field */
    STRENGTH,    /* the last field and the first state; the strength */
    N_WAYS
} way;

static const struct {
    const char *word, *what;
} ways[N_WAYS] = {
    { "state", "the picture, from the last field and agents" },
    { "field", "the picture, from the last field and the agents' beginning" },
    { "picture", "the picture, from the last field in 256 levels and the agents' beginning" },
    { "stranger", "the picture, from the last field and the beginning of other agents" },
    { "strength", "the strength, from the last field and the first state" },
};

enum {
    MOST_SEEDS  = 31,
    MOST_STEPS  = 16, /* most numbers of steps */
    MOST_POINTS = N_WAYS * MOST_STEPS,
    ROUNDS      = 30
};

typedef struct study {
    physarum_model m;
    char    numbers[PHYSARUM_OPTIONS_TEXT]; /* numbers of a step that are not the article's */
    int64_t side, n_seeds;
    int64_t steps[MOST_STEPS];
    int     n_steps;
    assay_program *program; /* NULL: nothing is stored */
} study;

/* ---- what is to be found ---- */

/* A disc with a pattern in it. */
static float grey_at(const physarum_model *m, int64_t y, int64_t x)
{
    const double v = ((double)y + 0.5) / (double)m->height * 2 - 1;
    const double u = ((double)x + 0.5) / (double)m->width * 2 - 1;

    return u * u + v * v > 0.7 ? 0 : (float)physarum_level(1.5 * (1 + sin(9 * u) * sin(9 * v)));
}

static physarum_owned start_of(const physarum_model *m, uint64_t seed)
{
    physarum_owned s = physarum_state_create(m);

    physarum_state_seed(m, seed, &s);
    for (int64_t c = 0; c < m->height * m->width; c++)
        s.field[c] = grey_at(m, c / m->width, c % m->width);
    return s;
}

static physarum_owned end_of(const physarum_model *m, uint64_t seed, int64_t steps)
{
    physarum_owned s = start_of(m, seed);

    (void)physarum_advance(m, s.pos, s.angle, s.field, steps);
    return s;
}

/* The error of a picture found in levels. 1: as far off as a picture with the mean everywhere. */
static double picture_error(const physarum_model *m, const double *found)
{
    const int64_t cells = m->height * m->width;
    double        mean = 0, off = 0, size = 0;

    for (int64_t c = 0; c < cells; c++)
        mean += (double)grey_at(m, c / m->width, c % m->width) / (double)cells;
    for (int64_t c = 0; c < cells; c++) {
        const double grey = (double)grey_at(m, c / m->width, c % m->width);

        off += pow((double)(float)physarum_level(found[c]) - grey, 2);
        size += pow(grey - mean, 2);
    }
    return sqrt(off / size);
}

/* ---- ways ---- */

typedef struct answer {
    double error; /* of the picture, or of the strength */
    double open;  /* BY_STATE: turns per agent and step that the senses leave open; else rounds */
} answer;

static answer by_state(const physarum_model *m, const physarum_owned *end, int64_t steps)
{
    physarum_back b = physarum_back_create(m, end);
    answer        a = { .open = 0 };

    for (int64_t k = 0; k < steps; k++) {
        int64_t open = 0;

        (void)physarum_step_back(m, &b, &open); /* there is an inverse: read_study has checked */
        a.open += (double)open / (double)(m->agents * steps);
    }
    a.error = picture_error(m, b.field);
    physarum_back_free(&b);
    return a;
}

/* The field as a picture shows it: 256 levels up to its largest value. */
static void to_picture(const physarum_model *m, double *field)
{
    double most = 0;

    for (int64_t c = 0; c < m->height * m->width; c++)
        most = fmax(most, field[c]);
    for (int64_t c = 0; c < m->height * m->width; c++)
        field[c] = rint(field[c] / most * 255) * most / 255;
}

static answer by_field(const physarum_model *m, const physarum_owned *end, way w, uint64_t seed,
                       int64_t steps)
{
    const int64_t  cells = m->height * m->width;
    physarum_owned start = start_of(m, w == BY_STRANGER ? seed + 1000 : seed);
    double *const  field = physarum_allocate(cells, sizeof *field);
    double *const  first = physarum_allocate(cells, sizeof *first);
    answer         a;

    for (int64_t c = 0; c < cells; c++)
        field[c] = (double)end->field[c];
    if (w == BY_PICTURE)
        to_picture(m, field);
    a.open  = physarum_find_first(m, &start, field, steps, ROUNDS, first);
    a.error = picture_error(m, first);
    physarum_state_free(&start);
    free(field);
    free(first);
    return a;
}

static answer strength(const physarum_model *m, const physarum_owned *end, uint64_t seed,
                       int64_t steps)
{
    physarum_owned start = start_of(m, seed);
    const double   found = physarum_find_strength(m, &start, end->field, steps);

    physarum_state_free(&start);
    return (answer) { .error = fabs(found - m->blend) };
}

static answer find(const physarum_model *m, way w, uint64_t seed, int64_t steps)
{
    physarum_owned end = end_of(m, seed, steps);
    answer         a;

    if (w == BY_STATE)
        a = by_state(m, &end, steps);
    else if (w == STRENGTH)
        a = strength(m, &end, seed, steps);
    else
        a = by_field(m, &end, w, seed, steps);
    physarum_state_free(&end);
    return a;
}

/* ---- a point, and what is stored of it ---- */

/* The distance of two fields of one seed: nothing in a simulation is random. */
static double apart(const physarum_model *m, int64_t steps)
{
    physarum_owned a = end_of(m, 1, steps), b = end_of(m, 1, steps);
    double         most = 0;

    for (int64_t c = 0; c < m->height * m->width; c++)
        most = fmax(most, fabs((double)a.field[c] - (double)b.field[c]));
    physarum_state_free(&a);
    physarum_state_free(&b);
    return most;
}

static assay_status put_point(const study *s, int64_t point, const physarum_mean *error,
                              double open)
{
    const assay_program_check check = { .output = "again",
                                        .why    = "a state comes to one field: there is something "
                                                  "to trace back",
                                        .error  = apart(&s->m, s->steps[point % s->n_steps]) };
    assay_status              st    = ASSAY_OK;

    ASSAY_CHECK(assay_program_put_check(s->program, point, &check));
    if (check.error <= 0) {
        ASSAY_CHECK(assay_program_put_fact(s->program, point, "error", error->mean));
        ASSAY_CHECK(assay_program_put_fact(s->program, point, "error_half_interval", error->half));
        ASSAY_CHECK(assay_program_put_fact(s->program, point, "open", open));
    }
    ASSAY_CHECK(assay_program_finish(s->program));
out:
    return st;
}

static assay_status study_point(const study *s, int64_t point)
{
    const way     w     = (way)(point / s->n_steps);
    const int64_t steps = s->steps[point % s->n_steps];
    double        errors[MOST_SEEDS], open = 0;
    physarum_mean mean      = { NAN, NAN };
    bool          is_wanted = false;
    assay_status  st        = ASSAY_OK;

    ASSAY_CHECK(assay_program_take(s->program, point, 1, &is_wanted));
    if (!is_wanted)
        goto out;
    for (int64_t seed = 1; seed <= s->n_seeds; seed++) {
        const answer a = find(&s->m, w, (uint64_t)seed, steps);

        (void)printf("%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6g,%.6g\n", ways[w].word,
                     s->m.agents, steps, seed, a.error, a.open);
        errors[seed - 1] = a.error;
        open += a.open / (double)s->n_seeds;
    }
    (void)physarum_mean_of(errors, (int)s->n_seeds, &mean); /* at least two seeds */
    (void)fprintf(stderr, "%s, after %" PRId64 " steps: off by %.4g +- %.2g\n", ways[w].what, steps,
                  mean.mean, mean.half);
    ASSAY_CHECK(put_point(s, point, &mean, open));
out:
    return st;
}

static int64_t plan(const study *s, assay_program_point points[MOST_POINTS])
{
    const int64_t n = (int64_t)N_WAYS * s->n_steps;

    for (int64_t i = 0; i < n; i++)
        points[i] = (assay_program_point) {
            .case_name    = "physarum_traceback",
            .case_what    = "what of a simulation's beginning can be had from its end",
            .case_version = 1,
            .variant      = "reference",
            .axis         = { { .name = "side", .value = { s->side } },
                              { .name = "agents", .value = { s->m.agents } },
                              { .name = "seeds", .value = { s->n_seeds } },
                              { .name = "steps", .value = { s->steps[i % s->n_steps] } },
                              { .name = "way", .word = ways[i / s->n_steps].word },
                              { .name = "numbers", .word = s->numbers } },
            .n_axes       = s->numbers[0] ? 6 : 5,
            .seed         = 1,
            .cells        = s->m.agents * s->steps[i % s->n_steps],
            .is_cpu       = true,
        };
    return n;
}

/* ---- the command line ---- */

static bool read_steps(int argc, char **argv, study *s)
{
    static const int64_t usual[] = { 1, 2, 5, 10, 20, 35, 50 };
    const int            n_usual = sizeof usual / sizeof *usual;

    s->n_steps =
        physarum_options_list(argc, argv, 4, usual, n_usual, 1 << 12, s->steps, MOST_STEPS);
    return s->n_steps > 0;
}

static bool read_study(int argc, char **argv, study *s)
{
    s->side     = physarum_options_number(argc, argv, 1, 64, 1 << 10);
    s->n_seeds  = physarum_options_number(argc, argv, 3, 10, MOST_SEEDS);
    s->m.height = s->m.width = s->side;
    s->m.agents              = physarum_options_number(argc, argv, 2, 200, 1 << 20);
    return s->side > 0 && s->m.agents > 0 && s->n_seeds >= 2 && read_steps(argc, argv, s);
}

/* ---- all of it ---- */

static assay_status study_all(const assay_program_words *words, study *s)
{
    assay_program_point       points[MOST_POINTS];
    const int64_t             n     = plan(s, points);
    const assay_program_start start = { "physarum_traceback", words, assay_module_api(), points,
                                        n };
    assay_status              st    = ASSAY_OK;

    ASSAY_CHECK(assay_program_open(&start, &s->program));
    (void)printf("way,agents,steps,seed,error,open\n");
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(study_point(s, i));
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
    ASSAY_REQUIRE(s.m.blend < 0.75 && s.m.decay < 1, ASSAY_E_USAGE,
                  "a field has no inverse with a strength of 3/4 or more, or a decay of 1");
    ASSAY_REQUIRE(read_study(argc, argv, &s), ASSAY_E_USAGE,
                  "usage: physarum_traceback " ASSAY_PROGRAM_USAGE " " PHYSARUM_OPTIONS_USAGE
                  " [SIDE [AGENTS [SEEDS [STEPS...]]]]: whole numbers above 0, SEEDS from 2 to 31, "
                  "at most %d STEPS",
                  MOST_STEPS);
    ASSAY_CHECK(study_all(&words, &s));
out:
    status = physarum_study_end(s.program, st);
    return status;
}
