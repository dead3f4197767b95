/* Sensitivities of maps with known answers: a matrix, a curve, a staircase; and of simulations in
 * which they follow from the definition. */
#include "physarum_step_map.h"

#include <math.h>
#include <stdlib.h>

/* ---- maps of three numbers */

enum {
    N = 3,
    M = 2
};

static const double matrix[M][N] = { { 3, 0, -1 }, { 4, 2, 1 } };

static uint64_t apply_matrix(void *context, int64_t i, double by, double *y)
{
    const double *x = context;

    for (int k = 0; k < M; k++) {
        y[k] = 0;
        for (int j = 0; j < N; j++)
            y[k] += matrix[k][j] * (x[j] + (j == i ? by : 0));
    }
    return 0;
}

/* (x0^2, x1 x2): columns (2 x0, 0), (0, x2), (0, x1). */
static uint64_t apply_curve(void *context, int64_t i, double by, double *y)
{
    const double *x  = context;
    const double  x0 = x[0] + (i == 0 ? by : 0);

    y[0] = x0 * x0;
    y[1] = (x[1] + (i == 1 ? by : 0)) * (x[2] + (i == 2 ? by : 0));
    return 0;
}

/* Its derivative is 0 wherever there is one. A step of eps climbs a stair with probability eps, by
 * 1: the mean of the quotient is 1. */
static uint64_t apply_stairs(void *context, int64_t i, double by, double *y)
{
    const double *x = context;

    y[0] = floor(x[i] + by);
    y[1] = 0;
    return (uint64_t)y[0];
}

typedef struct trial {
    double            x[N], y[M], other[M];
    physarum_map      map;
    physarum_image_of at;
} trial;

static void begin(trial *t, uint64_t (*apply)(void *, int64_t, double, double *))
{
    t->map      = (physarum_map) { N, M, apply, t->x };
    t->at       = (physarum_image_of) { t->y, t->other, 0 };
    t->at.piece = apply(t->x, 0, 0, t->y);
}

static void test_matrix(void)
{
    const physarum_group all = { 0, N, 100, 1 }, some = { 1, 2, 1, 1 };
    trial                t = { .x = { 5, 6, 7 } };
    physarum_local       l;

    begin(&t, apply_matrix);
    l = physarum_local_at(&t.map, &t.at, &all, 0.25);
    trial_expect(l.drawn == N && fabs(l.sensitivity - (5 + 2 + sqrt(2))) < 1e-12,
                 "norms sum to %.9g", l.sensitivity);
    trial_expect(fabs(l.jacobian - l.sensitivity) < 1e-12 && fabs(l.smooth - 1) < 1e-12,
                 "all columns are the Jacobian's");
    trial_expect(fabs(l.sum - (7 + 2 + 0) / 3.0) < 1e-12, "the sum changes by %.9g", l.sum);
    l = physarum_local_at(&t.map, &t.at, &some, 0.25);
    trial_expect(l.drawn == 1 &&
                     (fabs(l.sensitivity - 4) < 1e-12 || fabs(l.sensitivity - 2 * sqrt(2)) < 1e-12),
                 "one of two columns stands for both: %.9g", l.sensitivity);
}

static void test_curve(void)
{
    const physarum_group all  = { 0, N, N, 1 };
    trial                t    = { .x = { 2, -3, 4 } };
    double               last = 0;

    begin(&t, apply_curve);
    for (int k = 1; k <= 20; k++) {
        const double eps = ldexp(1, -k);
        const double off = fabs(physarum_local_at(&t.map, &t.at, &all, eps).sensitivity - 11);

        trial_expect(fabs(off - eps) < 1e-9, "at eps 2^-%d off by %.3g", k, off);
        last = off;
    }
    trial_expect(last < 1e-5, "the limit is 4 + 4 + 3");
}

/* As eps goes to 0, the mean of the quotients does not go to the mean of their limits. */
static void test_stairs(void)
{
    const physarum_group one   = { 0, 1, 1, 1 };
    const double         eps[] = { 0.25, 0.0625 };

    for (int e = 0; e < 2; e++) {
        double mean = 0, jacobian = 0;
        trial  t = { .x = { 0 } };

        for (int k = 0; k < 4096; k++) {
            physarum_local l;

            t.x[0] = ((double)k + 0.5) / 4096;
            begin(&t, apply_stairs);
            l = physarum_local_at(&t.map, &t.at, &one, eps[e]);
            mean += l.sensitivity / 4096;
            jacobian += l.smooth > 0 ? fabs(l.jacobian) : 0;
            trial_expect((l.smooth > 0) == (l.sensitivity < 0.5), "a stair is no slope");
            trial_expect(l.smooth > 0 || isnan(l.jacobian), "and has no column");
        }
        trial_expect(fabs(mean - 1) < 1e-12 && jacobian <= 0, "eps %.3g: mean %.9g, slopes %.3g",
                     eps[e], mean, jacobian);
    }
}

/* ---- simulations */

enum {
    SIDE   = 24,
    AGENTS = 60,
    STEPS  = 6
};

typedef struct model_trial {
    physarum_model    m;
    physarum_owned    state;
    double            y[SIDE * SIDE], other[SIDE * SIDE];
    physarum_step_map sim;
    physarum_map      map;
    physarum_image_of at;
} model_trial;

static void begin_model(model_trial *t, float reach)
{
    t->m       = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, AGENTS);
    t->m.reach = reach;
    t->state   = physarum_state_create(&t->m);
    physarum_state_seed(&t->m, 2, &t->state);
    (void)physarum_advance(&t->m, t->state.pos, t->state.angle, t->state.field, 10);
    t->sim      = (physarum_step_map) { &t->m, &t->state, STEPS, physarum_state_create(&t->m) };
    t->map      = physarum_step_map_of(&t->sim);
    t->at       = (physarum_image_of) { t->y, t->other, 0 };
    t->at.piece = t->map.apply(t->map.context, 0, 0, t->y);
}

static physarum_local local_of(const model_trial *t, physarum_kind kind, double eps)
{
    physarum_group group = physarum_step_map_group(&t->sim, kind);

    group.samples = 20;
    group.seed    = 4;
    return physarum_local_at(&t->map, &t->at, &group, eps);
}

static void end_model(model_trial *t)
{
    physarum_state_free(&t->state);
    physarum_state_free(&t->sim.run);
}

static void test_coordinates(void)
{
    model_trial    t;
    physarum_group g;
    int64_t        next = 0;

    begin_model(&t, 5);
    for (int k = 0; k < PHYSARUM_N_KINDS; k++) {
        g = physarum_step_map_group(&t.sim, (physarum_kind)k);
        trial_expect(g.first == next && g.count > 0, "%s follows", physarum_kind_words[k]);
        next += g.count;
    }
    trial_expect(next == t.map.n && next == 3 * AGENTS + SIDE * SIDE + 6, "%d coordinates",
                 (int)next);
    end_model(&t);
}

/* Without sensors, a cell's column is what blur and decay make of it, the same for every cell. The
 * column of the deposit is the whole field of deposits; those of strength and decay are difference
 * quotients. */
static void test_agents_that_do_not_sense(void)
{
    model_trial    t;
    physarum_local l, half;
    physarum_model none;
    physarum_owned spot;
    double         squares = 0;

    begin_model(&t, 0);
    none          = t.m;
    none.agents   = 0;
    spot          = physarum_state_create(&t.m);
    spot.field[0] = 1;
    (void)physarum_advance(&none, spot.pos, spot.angle, spot.field, STEPS);
    for (int c = 0; c < SIDE * SIDE; c++)
        squares += (double)spot.field[c] * (double)spot.field[c];
    l = local_of(&t, PHYSARUM_CELL, 0.5);
    trial_expect(fabs(l.smooth - 1) < 1e-12, "no agent hears of a cell");
    trial_expect(fabs(l.sensitivity / (SIDE * SIDE * sqrt(squares)) - 1) < 1e-5,
                 "a cell's column is %.6g, not %.6g", l.sensitivity / (SIDE * SIDE), sqrt(squares));
    trial_expect(fabs(l.sum - pow(0.99, STEPS)) < 1e-5, "its sum %.6g", l.sum);
    for (int k = PHYSARUM_STRENGTH; k <= PHYSARUM_DEPOSIT; k++) {
        l    = local_of(&t, (physarum_kind)k, 0.002);
        half = local_of(&t, (physarum_kind)k, 0.001);
        trial_expect(l.smooth > 0.5 && fabs(l.sensitivity / half.sensitivity - 1) < 0.02,
                     "%s: %.6g and %.6g", physarum_kind_words[k], l.sensitivity, half.sensitivity);
    }
    physarum_state_free(&spot);
    end_model(&t);
}

/* An agent's place does not matter until it deposits elsewhere: smooth columns are 0. The toy model
 * of totals predicts the sum, whatever agents do. */
static void test_agents_that_sense(void)
{
    model_trial t;

    begin_model(&t, 5);
    for (int k = 0; k < PHYSARUM_N_KINDS; k++) {
        const physarum_kind  kind = (physarum_kind)k;
        const physarum_local l    = local_of(&t, kind, 0.01);
        const double         toy  = physarum_step_map_toy_sum(&t.sim, kind, 0.01);
        const bool           is_of_agents =
            kind == PHYSARUM_HEADING || kind == PHYSARUM_PLACE || kind >= PHYSARUM_STEP;

        trial_expect(fabs(l.sum - toy) < 0.02 + 1e-3 * fabs(toy), "%s: sum %.6g, toy model %.6g",
                     physarum_kind_words[k], l.sum, toy);
        trial_expect(!is_of_agents || l.smooth <= 0 || l.jacobian <= 0, "%s: slope %.3g",
                     physarum_kind_words[k], l.jacobian);
    }
    end_model(&t);
}

int main(void)
{
    test_matrix();
    test_curve();
    test_stairs();
    test_coordinates();
    test_agents_that_do_not_sense();
    test_agents_that_sense();
    return trial_finish("test_physarum_map");
}
