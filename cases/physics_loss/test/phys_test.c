/* Shared parts of the stand-alone physics loss programs. */
#include "phys_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.283185307179586476925;

/* ---- problems ---- */

/* 32 mixed bits of a counter (the finaliser of SplitMix64, Steele et al. 2014). */
static uint32_t mixed(uint64_t counter)
{
    uint64_t v = counter + 0x9E3779B97F4A7C15u;

    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((v ^ (v >> 31)) >> 32);
}

/* One wave for each component, with a different wave number on each axis. */
static double smooth_value(const phys_grid_spec *g, int c, int level, const int64_t at[3])
{
    static const double k[4][3]  = { { 2, 3, 4 }, { 1, 2, 0 }, { 0, 2, 1 }, { 1, 0, 3 } };
    static const double phase[4] = { 0.0, 0.3, 1.1, 2.0 };
    const double        x = (double)at[0] * g->hx, y = (double)at[1] * g->hy;
    const double        z = (double)at[2] * g->hz, t = (double)level * g->dt;

    return (c == 0 ? 1.0 : 0.5) *
           sin(k[c][0] * x + k[c][1] * y + k[c][2] * z - (1 + c) * t + phase[c]);
}

static float value_of(const phys_problem *p, int c, int level, int64_t cell)
{
    const phys_grid_spec *g       = &p->grid;
    const int64_t         at[3]   = { cell % g->nx, cell / g->nx % g->ny, cell / g->nx / g->ny };
    const uint64_t        counter = ((uint64_t)(4 * level + c) << 40) + (uint64_t)cell;

    switch (p->kind) {
    case PHYS_FIELDS_EXACT:
        return (float)((int)(mixed(counter) % 17) - 8);
    case PHYS_FIELDS_SMOOTH:
        return (float)smooth_value(g, c, level, at);
    case PHYS_FIELDS_RANDOM:
        break;
    }
    return (float)mixed(counter) * 0x1p-31f - 1;
}

static void set_scales(phys_problem *p)
{
    phys_grid_spec *g = &p->grid;

    switch (p->kind) {
    case PHYS_FIELDS_EXACT:
        g->hx = 0.5, g->hy = 0.25, g->hz = 0.125, g->dt = 0.25;
        p->weights = (phys_weights) { (double)p->cells, 2 * (double)p->cells };
        return;
    case PHYS_FIELDS_SMOOTH: /* the residual stays near 1, so that 1e-6 is a unit-scale bound */
        g->hx = TWO_PI / (double)g->nx, g->hy = TWO_PI / (double)g->ny;
        g->hz = TWO_PI / (double)g->nz, g->dt = 0.05;
        p->weights = (phys_weights) { 1.1, 0.8 };
        return;
    case PHYS_FIELDS_RANDOM:
        g->hx = 0.11, g->hy = 0.17, g->hz = 0.13, g->dt = 0.05;
        p->weights = (phys_weights) { 1.3, 0.7 };
        return;
    }
}

bool phys_problem_create(phys_problem *problem, phys_fields_kind kind, const int64_t n[3],
                         const int boundary[3], int time)
{
    phys_problem p = { .kind = kind, .cells = n[0] * n[1] * n[2] };

    p.grid = (phys_grid_spec) {
        .nx       = n[0],
        .ny       = n[1],
        .nz       = n[2],
        .boundary = { boundary[0], boundary[1], boundary[2] },
        .time     = time,
    };
    set_scales(&p);
    *problem = p;
    for (int level = 0; level < 3; level++) {
        problem->field[level] = malloc(4 * (size_t)p.cells * sizeof(float));
        if (problem->field[level] == NULL) {
            phys_problem_free(problem);
            return false;
        }
        for (int c = 0; c < 4; c++)
            for (int64_t i = 0; i < p.cells; i++)
                problem->field[level][c * p.cells + i] = value_of(&p, c, level, i);
    }
    return true;
}

void phys_problem_free(phys_problem *problem)
{
    for (int level = 0; level < 3; level++) {
        free(problem->field[level]);
        problem->field[level] = NULL;
    }
}

bool phys_result_create(phys_result *result, int64_t cells)
{
    const size_t bytes = 4 * (size_t)cells * sizeof(float);

    *result = (phys_result) { .r = malloc(bytes) };
    for (int level = 0; level < 3; level++)
        result->d[level] = malloc(bytes);
    if (result->r != NULL && result->d[0] != NULL && result->d[1] != NULL && result->d[2] != NULL)
        return true;
    phys_result_free(result);
    return false;
}

void phys_result_free(phys_result *result)
{
    free(result->r);
    for (int level = 0; level < 3; level++)
        free(result->d[level]);
    *result = (phys_result) { 0 };
}

phys_buf phys_host_buf(const phys_problem *problem, phys_result *result)
{
    const int64_t n   = problem->cells;
    phys_buf      buf = {
             .sigma_t0   = problem->field[0],
             .sigma_t1   = problem->field[1],
             .sigma_t2   = problem->field[2],
             .u_t0       = problem->field[0] + n,
             .u_t1       = problem->field[1] + n,
             .u_t2       = problem->field[2] + n,
             .r_sigma    = result->r,
             .r_u        = result->r + n,
             .loss_sigma = &result->loss[0],
             .loss_u     = &result->loss[1],
    };

    for (int level = 0; level < 3; level++) {
        buf.d_sigma[level] = result->d[level];
        buf.d_u[level]     = result->d[level] == NULL ? NULL : result->d[level] + n;
    }
    return buf;
}

phys_distance phys_compare(const float *got, const float *expected, int64_t count)
{
    double        squares = 0, reference = 0;
    phys_distance d = { 0 };

    for (int64_t i = 0; i < count; i++) {
        const double error = fabs((double)got[i] - (double)expected[i]);

        if (isnan(error))
            return (phys_distance) { NAN, NAN, NAN };
        squares += error * error;
        reference += (double)expected[i] * (double)expected[i];
        d.max_abs       = fmax(d.max_abs, error);
        d.max_reference = fmax(d.max_reference, fabs((double)expected[i]));
    }
    d.relative_l2 = squares > 0 ? sqrt(squares / reference) : 0;
    return d;
}

const char *phys_describe(const phys_problem *problem)
{
    static const char *const kinds[] = { "exact", "smooth", "random" };
    static char              text[160];
    const phys_grid_spec    *g = &problem->grid;

    (void)snprintf(
        text, sizeof text, "%s %lldx%lldx%lld boundary %d%d%d time %d gradient of %s, %s",
        kinds[problem->kind], (long long)g->nx, (long long)g->ny, (long long)g->nz, g->boundary[0],
        g->boundary[1], g->boundary[2], g->time, g->vjp == PHYS_VJP_FIELD ? "fields" : "residuals",
        g->levels == PHYS_LEVELS_ALL ? "all levels" : "t1");
    return text;
}

const phys_extent phys_test_grids[] = {
    { { 5, 6, 7 } },   { { 33, 17, 9 } }, { { 1, 1, 1 } },  { { 1, 5, 4 } },   { { 6, 1, 5 } },
    { { 5, 4, 1 } },   { { 2, 2, 2 } },   { { 8, 8, 4 } },  { { 7, 7, 3 } },   { { 9, 9, 5 } },
    { { 32, 16, 4 } }, { { 28, 15, 3 } }, { { 60, 7, 5 } }, { { 124, 9, 4 } }, { { 36, 17, 5 } },
    { { 64, 33, 6 } }, { { 68, 4, 21 } },
};
const int phys_n_test_grids = (int)(sizeof phys_test_grids / sizeof phys_test_grids[0]);

/* mixture: one bit for each axis. */
static bool is_worth_running(phys_fields_kind kind, const int64_t n[3], int mixture)
{
    const int64_t few = 4000;

    return (kind == PHYS_FIELDS_EXACT && n[0] * n[1] * n[2] < few) || mixture == 0 ||
           mixture == 2 || mixture == 7;
}

void phys_for_each_problem(phys_fields_kind kind, phys_check_fn *check, void *context)
{
    for (int i = 0; i < phys_n_test_grids; i++)
        for (int mix = 0; mix < 8 * PHYS_N_TIMES; mix++) {
            const int    boundary[3] = { mix & 1, mix >> 1 & 1, mix >> 2 & 1 };
            phys_problem problem;

            if (!is_worth_running(kind, phys_test_grids[i].n, mix & 7))
                continue;
            if (!trial_expect(
                    phys_problem_create(&problem, kind, phys_test_grids[i].n, boundary, mix >> 3),
                    "out of memory"))
                return;
            check(&problem, context);
            phys_problem_free(&problem);
        }
}

/* Does it have an axis of three cells? On a periodic axis of two, and on one of one, all
 * differences are zero. */
static bool has_differences(const phys_grid_spec *g) { return g->nx > 2 || g->ny > 2 || g->nz > 2; }

void phys_for_each_gradient(const phys_problem *problem, phys_check_fn *check, void *context)
{
    phys_problem p = *problem;

    check(&p, context);
    p.grid.vjp = PHYS_VJP_FIELD;
    if (p.kind != PHYS_FIELDS_EXACT && !has_differences(&p.grid))
        return;
    check(&p, context);
    p.grid.levels = PHYS_LEVELS_ALL;
    if (p.kind == PHYS_FIELDS_EXACT)
        check(&p, context);
}
