/* A study: the article's average sensitivity. If one coordinate of the state or one number of a
 * step is changed by eps, how much does the field change some steps later, over eps? Summed over
 * the coordinates of a kind, and averaged over seeds. Beside it: the Jacobian's part (columns on
 * which no deposit goes elsewhere), and what the linear toy model says about the field's sum.
 * Writes a line of CSV for each kind, eps, number of steps and seed; then, to stderr, means over
 * seeds with 95 % intervals.
 *
 *   physarum_columns [--db FILE [--resume] [--processes N]] [NUMBERS]
 *                    [SIDE [AGENTS [SEEDS [START [STEPS...]]]]]
 *
 * NUMBERS are options for the numbers of a step (physarum_options.h). SEEDS: 2 to 31, for states
 * after START steps; without STEPS 1, 10 and 50 steps later. With --db the means are facts of a
 * run. */
#include "physarum_growth.h"
#include "physarum_step_map.h"
#include "physarum_study.h"

#include "program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MOST_SEEDS = 31,
    MOST_STEPS = 8, /* most numbers of steps */
    SAMPLES    = 32 /* columns of a kind that are drawn for a seed */
};

/* eps is one over these. */
static const int64_t pers[] = { 10, 100, 1000 };

enum {
    N_PERS      = sizeof pers / sizeof *pers,
    MOST_POINTS = PHYSARUM_N_KINDS * N_PERS * MOST_STEPS
};

typedef struct study {
    physarum_model m;
    char    numbers[PHYSARUM_OPTIONS_TEXT]; /* numbers of a step that are not the article's */
    int64_t side, n_seeds, start;
    int64_t steps[MOST_STEPS];
    int     n_steps;
    physarum_owned state, run;
    double        *y, *other;
    assay_program *program; /* NULL: nothing is stored */
} study;

/* What a point stands for. */
typedef struct place {
    physarum_kind kind;
    int64_t       per, steps;
} place;

static place place_of(const study *s, int64_t point)
{
    return (place) { (physarum_kind)(point / (N_PERS * s->n_steps)),
                     pers[point / s->n_steps % N_PERS], s->steps[point % s->n_steps] };
}

/* The results of a point's seeds. */
typedef struct seeds {
    double sensitivity[MOST_SEEDS], jacobian[MOST_SEEDS], time_ns[MOST_SEEDS];
    double smooth, sum, toy_sum;  /* means */
    double apart, sum_off, bound; /* the largest ones; bound: for sum_off, from roundings */
    int    n, n_jacobian;
} seeds;

/* ---- one seed ---- */

static double now_ns(void)
{
    struct timespec now = { 0, 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* this clock is always there */
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* How far the field's sum may be off: each cell rounds once a step, in both runs. */
static double rounding_of(const study *s, const place *p)
{
    const double deposited = s->m.deposit * (double)(s->m.agents * p->steps);
    const double most      = physarum_field_sum(&s->m, s->state.field) + deposited;

    return 2 * (double)p->steps * PHYSARUM_ROUNDOFF * most * 1.1 * (double)p->per;
}

static void keep(seeds *f, const place *p, int64_t seed, const physarum_local *l, double toy_sum,
                 int64_t n_seeds)
{
    (void)printf("%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6g,%.6g,%.4g,%.6g,%.6g\n",
                 physarum_kind_words[p->kind], p->per, p->steps, seed, l->drawn, l->sensitivity,
                 l->jacobian, l->smooth, l->sum, toy_sum);
    f->sensitivity[f->n++] = l->sensitivity;
    if (l->smooth > 0)
        f->jacobian[f->n_jacobian++] = l->jacobian;
    f->smooth += l->smooth / (double)n_seeds;
    f->sum += l->sum / (double)n_seeds;
    f->toy_sum += toy_sum / (double)n_seeds;
    f->sum_off = fmax(f->sum_off, fabs(l->sum - toy_sum));
}

static void study_seed(study *s, const place *p, int64_t seed, seeds *f)
{
    const double       begun_ns = now_ns();
    physarum_step_map  sim      = { &s->m, &s->state, p->steps, s->run };
    const physarum_map map      = physarum_step_map_of(&sim);
    const double       eps      = 1 / (double)p->per;
    physarum_group     group    = physarum_step_map_group(&sim, p->kind);
    physarum_image_of  at       = { s->y, s->other, 0 };
    physarum_local     local;

    for (int64_t c = 0; c < map.m; c++)
        s->state.field[c] = 0;
    physarum_state_seed(&s->m, (uint64_t)seed, &s->state);
    (void)physarum_advance(&s->m, s->state.pos, s->state.angle, s->state.field, s->start);
    group.samples = SAMPLES;
    group.seed    = (uint64_t)seed;
    at.piece      = map.apply(map.context, 0, 0, at.y);
    f->apart      = fmax(f->apart, physarum_column_at(&map, &at, group.first, 0x1p-1000).norm);
    local         = physarum_local_at(&map, &at, &group, eps);
    f->bound      = fmax(f->bound, rounding_of(s, p));
    keep(f, p, seed, &local, physarum_step_map_toy_sum(&sim, p->kind, eps), s->n_seeds);
    f->time_ns[seed - 1] = now_ns() - begun_ns;
}

/* ---- what is stored ---- */

static assay_status put_facts(const study *s, int64_t point, const seeds *f,
                              const physarum_mean *all, const physarum_mean *jacobian)
{
    const struct {
        const char *name;
        double      value;
    } facts[] = {
        { "average_sensitivity", all->mean },
        { "average_sensitivity_half_interval", all->half },
        { "jacobian_part", jacobian->mean },
        { "jacobian_part_half_interval", jacobian->half },
        { "share_smooth", f->smooth },
        { "sum_change_over_eps", f->sum },
        { "toy_sum_change_over_eps", f->toy_sum },
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (isfinite(facts[i].value))
            ASSAY_CHECK(assay_program_put_fact(s->program, point, facts[i].name, facts[i].value));
out:
    return st;
}

static assay_status put_point(const study *s, int64_t point, const seeds *f,
                              const physarum_mean *all, const physarum_mean *jacobian)
{
    const assay_program_check checks[] = {
        { .output = "unperturbed",
          .why    = "changed by nothing, a state comes to the same field",
          .error  = f->apart },
        { .output = "sum",
          .why    = "the toy model of totals is exact on a torus, but for a rounding of each cell "
                    "and step in both runs",
          .error  = f->sum_off,
          .bound  = f->bound },
    };
    const assay_program_times times = { .clock    = ASSAY_PROGRAM_WALL,
                                        .time_ns  = f->time_ns,
                                        .n        = s->n_seeds,
                                        .n_blocks = 1,
                                        .calls    = 1 };
    assay_status              st    = ASSAY_OK;

    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        ASSAY_CHECK(assay_program_put_check(s->program, point, &checks[i]));
    if (checks[0].error <= 0 && checks[1].error <= checks[1].bound) {
        ASSAY_CHECK(assay_program_put_times(s->program, point, &times));
        ASSAY_CHECK(put_facts(s, point, f, all, jacobian));
    }
    ASSAY_CHECK(assay_program_finish(s->program));
out:
    return st;
}

static assay_status study_point(study *s, int64_t point)
{
    const place   p   = place_of(s, point);
    seeds         f   = { .n = 0 };
    physarum_mean all = { NAN, NAN }, jacobian = { NAN, NAN };
    bool          is_wanted = false;
    assay_status  st        = ASSAY_OK;

    ASSAY_CHECK(assay_program_take(s->program, point, 1, &is_wanted));
    if (!is_wanted)
        goto out;
    for (int64_t seed = 1; seed <= s->n_seeds; seed++)
        study_seed(s, &p, seed, &f);
    (void)physarum_mean_of(f.sensitivity, f.n, &all); /* at least two seeds */
    if (!physarum_mean_of(f.jacobian, f.n_jacobian, &jacobian))
        jacobian = (physarum_mean) { NAN, NAN }; /* too few columns are smooth */
    (void)fprintf(stderr,
                  "%s, eps 1/%" PRId64 ", %" PRId64 " steps: sensitivity %.4g +- %.2g, Jacobian's "
                  "part %.4g +- %.2g, smooth %.3g, the sum changes by %.4g (toy model %.4g)\n",
                  physarum_kind_words[p.kind], p.per, p.steps, all.mean, all.half, jacobian.mean,
                  jacobian.half, f.smooth, f.sum, f.toy_sum);
    ASSAY_CHECK(put_point(s, point, &f, &all, &jacobian));
out:
    return st;
}

static int64_t plan(const study *s, assay_program_point points[MOST_POINTS])
{
    const int64_t n = (int64_t)PHYSARUM_N_KINDS * N_PERS * s->n_steps;

    for (int64_t i = 0; i < n; i++) {
        const place p = place_of(s, i);

        points[i] = (assay_program_point) {
            .case_name    = "physarum_columns",
            .case_what    = "average sensitivity of the field, by kind of coordinate and eps",
            .case_version = 1,
            .variant      = "reference",
            .axis         = { { .name = "side", .value = { s->side } },
                              { .name = "agents", .value = { s->m.agents } },
                              { .name = "seeds", .value = { s->n_seeds } },
                              { .name = "start", .value = { s->start } },
                              { .name = "steps", .value = { p.steps } },
                              { .name = "kind", .word = physarum_kind_words[p.kind] },
                              { .name = "per", .value = { p.per } },
                              { .name = "numbers", .word = s->numbers } },
            .n_axes       = s->numbers[0] ? 8 : 7,
            .seed         = 1,
            .cells        = s->m.agents * p.steps,
            .is_timed     = true,
            .is_cpu       = true,
        };
    }
    return n;
}

/* ---- the command line ---- */

static bool read_steps(int argc, char **argv, study *s)
{
    static const int64_t usual[] = { 1, 10, 50 };
    const int            n_usual = sizeof usual / sizeof *usual;

    s->n_steps =
        physarum_options_list(argc, argv, 5, usual, n_usual, 1 << 16, s->steps, MOST_STEPS);
    return s->n_steps > 0;
}

static bool read_study(int argc, char **argv, study *s)
{
    s->side     = physarum_options_number(argc, argv, 1, 64, 1 << 12);
    s->n_seeds  = physarum_options_number(argc, argv, 3, 20, MOST_SEEDS);
    s->start    = physarum_options_number(argc, argv, 4, 50, 1 << 20);
    s->m.height = s->m.width = s->side;
    s->m.agents = physarum_options_number(argc, argv, 2, s->side * s->side / 4, 1 << 24);
    return s->side > 0 && s->m.agents > 0 && s->n_seeds >= 2 && s->start > 0 &&
           read_steps(argc, argv, s);
}

/* ---- all of it ---- */

static assay_status study_all(const assay_program_words *words, study *s)
{
    static assay_program_point points[MOST_POINTS];
    const int64_t              n     = plan(s, points);
    const assay_program_start  start = { "physarum_columns", words, assay_module_api(), points, n };
    const size_t               cells = (size_t)(s->side * s->side);
    assay_status               st    = ASSAY_OK;

    s->state = physarum_state_create(&s->m);
    s->run   = physarum_state_create(&s->m);
    s->y     = calloc(cells, sizeof *s->y);
    s->other = calloc(cells, sizeof *s->other);
    ASSAY_REQUIRE(s->y && s->other, ASSAY_E_MEMORY, "no memory for a field");
    ASSAY_CHECK(assay_program_open(&start, &s->program));
    (void)printf("kind,per,steps,seed,columns,sensitivity,jacobian,smooth,sum,toy_sum\n");
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
    ASSAY_REQUIRE(
        read_study(argc, argv, &s), ASSAY_E_USAGE,
        "usage: physarum_columns " ASSAY_PROGRAM_USAGE " " PHYSARUM_OPTIONS_USAGE
        " [SIDE [AGENTS [SEEDS [START [STEPS...]]]]]: whole numbers above 0, SEEDS from 2 "
        "to 31, at most %d STEPS",
        MOST_STEPS);
    ASSAY_CHECK(study_all(&words, &s));
out:
    status = physarum_study_end(s.program, st);
    physarum_state_free(&s.state);
    physarum_state_free(&s.run);
    free(s.y);
    free(s.other);
    return status;
}
