/* Tests the physics loss reference itself: manufactured waves with the factors of the discrete
 * operators, tiny grids computed by hand, identities, gradients by complex step, and refusal of
 * invalid arguments. Needs no GPU. */
#include "../../../reference/physics_loss/physics_loss.h"
#include "phys_ref_gradient.h"
#include "phys_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586476925;

enum {
    MAX_CELLS = 16 * 12 * 20
};

/* A state of double fields with its residuals. */
typedef struct full_state {
    double t[3][4][MAX_CELLS], r[4][MAX_CELLS];
} full_state;

static void run(const phys_grid_spec *g, full_state *s)
{
    double *const       r[4]   = { s->r[0], s->r[1], s->r[2], s->r[3] };
    physics_loss_fields fields = { 0 };

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            fields.t[level][c] = s->t[level][c];

    physics_loss_residuals(g, &fields, r);
}

static int64_t cells_of(const phys_grid_spec *g) { return g->nx * g->ny * g->nz; }

/* ---- waves: f = mean + amplitude sin(k x - w t + phase), periodic ---- */

typedef struct wave {
    double mean, amplitude, k[3], w, phase;
} wave;

static double wave_angle(const wave *f, const double at[3], double t)
{
    return f->k[0] * at[0] + f->k[1] * at[1] + f->k[2] * at[2] - f->w * t + f->phase;
}

static double wave_value(const wave *f, const double at[3], double t)
{
    return f->mean + f->amplitude * sin(wave_angle(f, at, t));
}

/* The centred difference of sin(k x) is cos(k x) sin(k h) / h. */
static double wave_space(const wave *f, const double at[3], double t, int axis, double h)
{
    return f->amplitude * cos(wave_angle(f, at, t)) * sin(f->k[axis] * h) / h;
}

/* Central at t1: -cos sin(w dt)/dt. First order: the same about the middle of t0 and t1, with half
 * the step. */
static double wave_time(const wave *f, const double at[3], double t1, double dt, int time)
{
    if (time == PHYS_CENTRAL)
        return -f->amplitude * cos(wave_angle(f, at, t1)) * sin(f->w * dt) / dt;
    return -f->amplitude * cos(wave_angle(f, at, t1 - dt / 2)) * 2 * sin(f->w * dt / 2) / dt;
}

static void wave_residuals(const phys_grid_spec *g, const wave w[4], const double at[3], double t1,
                           double r[4])
{
    const double h[3] = { g->hx, g->hy, g->hz };

    for (int c = 0; c < 4; c++) {
        r[c] = wave_time(&w[c], at, t1, g->dt, g->time);
        for (int d = 0; d < 3; d++)
            r[c] += wave_value(&w[1 + d], at, t1) * wave_space(&w[c], at, t1, d, h[d]);
    }
    for (int d = 0; d < 3; d++)
        r[0] += wave_value(&w[0], at, t1) * wave_space(&w[1 + d], at, t1, d, h[d]);
}

static void check_waves(const char *name, const wave w[4], int time)
{
    static full_state    s;
    const phys_grid_spec g = {
        .nx   = 16,
        .ny   = 12,
        .nz   = 20,
        .hx   = TWO_PI / 16,
        .hy   = TWO_PI / 12,
        .hz   = TWO_PI / 20,
        .dt   = 0.1,
        .time = time,
    };
    double  worst = 0, largest = 0;
    int64_t cell = 0;

    for (int pass = 0; pass < 2; pass++, cell = 0) {
        for (int64_t z = 0; z < g.nz; z++)
            for (int64_t y = 0; y < g.ny; y++)
                for (int64_t x = 0; x < g.nx; x++, cell++) {
                    const double at[3] = { (double)x * g.hx, (double)y * g.hy, (double)z * g.hz };
                    double       r[4];

                    wave_residuals(&g, w, at, 0.3 + g.dt, r);
                    for (int c = 0; c < 4; c++) {
                        for (int level = 0; pass == 0 && level < 3; level++)
                            s.t[level][c][cell] = wave_value(&w[c], at, 0.3 + level * g.dt);
                        if (pass == 1)
                            worst = fmax(worst, fabs(s.r[c][cell] - r[c]));
                        largest = fmax(largest, fabs(r[c]));
                    }
                }
        if (pass == 0)
            run(&g, &s);
    }
    trial_expect(largest > 0.1, "%s time %d: the residual says nothing, %g", name, time, largest);
    trial_expect(worst < 1e-12 * fmax(1, largest), "%s time %d: off by %g", name, time, worst);
}

static void test_waves(void)
{
    /* sigma = sin(x + y + z - t), u = 1 */
    static const wave plane[4] = {
        { 0, 1, { 1, 1, 1 }, 1, 0 },
        { .mean = 1 },
        { .mean = 1 },
        { .mean = 1 },
    };
    /* different wave numbers on each axis of each component, div u != 0, R_u != 0 */
    static const wave asymmetric[4] = {
        { 0.2, 1.0, { 2, 3, 4 }, 1.0, 0.1 },
        { 0.3, 0.7, { 1, 2, 3 }, 1.5, 0.5 },
        { -0.4, 0.9, { 3, 1, 2 }, 0.5, 1.1 },
        { 0.6, 0.8, { 2, 1, 4 }, 2.0, 2.3 },
    };

    for (int time = 0; time < PHYS_N_TIMES; time++) {
        check_waves("plane wave", plane, time);
        check_waves("asymmetric waves", asymmetric, time);
    }
}

/* ---- by hand: three cells on one axis, h = 1/2, dt = 1/2 ---- */

typedef struct hand_case {
    int    boundary, time;
    double r_sigma[3], r_along[3], r_across[3];
} hand_case;

/* sigma = 1 2 4, along = 1 3 -1, across = 2 0 1 at t1, with D the plain difference f(+1) - f(-1):
 * zero_gradient: D sigma = 1 3 2, D along = 2 -2 -4, D across = -2 -1 1;
 * periodic: D sigma = -2 3 -1, D along = 4 -2 -2, D across = -1 -1 2.
 * t0: sigma = 0 2 3, along = 1 1 1, across as at t1; t2: sigma = 2 0 5, along = 3 1 0. */
static const hand_case HAND_CASES[] = {
    { PHYS_ZERO_GRADIENT, PHYS_FIRST_ORDER, { 5, 5, -16 }, { 2, -2, 0 }, { -2, -3, -1 } },
    { PHYS_PERIODIC, PHYS_FIRST_ORDER, { 4, 5, -5 }, { 4, -2, -2 }, { -1, -3, -2 } },
    { PHYS_ZERO_GRADIENT, PHYS_CENTRAL, { 5, 3, -16 }, { 4, -6, 3 }, { -2, -3, -1 } },
    { PHYS_PERIODIC, PHYS_CENTRAL, { 4, 3, -5 }, { 6, -6, 1 }, { -1, -3, -2 } },
};

static void check_by_hand(const hand_case *hand, int axis)
{
    static const double SIGMA[3][3]  = { { 0, 2, 3 }, { 1, 2, 4 }, { 2, 0, 5 } };
    static const double ALONG[3][3]  = { { 1, 1, 1 }, { 1, 3, -1 }, { 3, 1, 0 } };
    static const double ACROSS[3][3] = { { 2, 0, 1 }, { 2, 0, 1 }, { 2, 0, 1 } };
    static full_state   s;
    const int           along = 1 + axis, across = 1 + (axis + 1) % 3, third = 1 + (axis + 2) % 3;
    phys_grid_spec      g = { .nx   = axis == 0 ? 3 : 1,
                              .ny   = axis == 1 ? 3 : 1,
                              .nz   = axis == 2 ? 3 : 1,
                              .hx   = axis == 0 ? 0.5 : 7,
                              .hy   = axis == 1 ? 0.5 : 7,
                              .hz   = axis == 2 ? 0.5 : 7,
                              .dt   = 0.5,
                              .time = hand->time };

    /* The other axes have the other boundary: reading a mode from the wrong axis shows. */
    for (int d = 0; d < 3; d++)
        g.boundary[d] = d == axis ? hand->boundary : 1 - hand->boundary;
    memset(&s, 0, sizeof s);
    for (int level = 0; level < 3; level++) {
        memcpy(s.t[level][0], SIGMA[level], sizeof SIGMA[level]);
        memcpy(s.t[level][along], ALONG[level], sizeof ALONG[level]);
        memcpy(s.t[level][across], ACROSS[level], sizeof ACROSS[level]);
    }
    run(&g, &s);
    for (int i = 0; i < 3; i++)
        trial_expect(s.r[0][i] == hand->r_sigma[i] && s.r[along][i] == hand->r_along[i] &&
                         s.r[across][i] == hand->r_across[i] && s.r[third][i] == 0,
                     "by hand, axis %d boundary %d time %d cell %d: %g %g %g %g", axis,
                     hand->boundary, hand->time, i, s.r[0][i], s.r[along][i], s.r[across][i],
                     s.r[third][i]);
}

static void test_by_hand(void)
{
    for (size_t i = 0; i < sizeof HAND_CASES / sizeof HAND_CASES[0]; i++)
        for (int axis = 0; axis < 3; axis++)
            check_by_hand(&HAND_CASES[i], axis);
}

/* ---- identities, on random fields of 5 x 6 x 7 cells ---- */

static double random_value(void) { return 2.0 * rand() / RAND_MAX - 1; }

static phys_grid_spec random_state(full_state *s, int mix)
{
    const phys_grid_spec g = { .nx       = 5,
                               .ny       = 6,
                               .nz       = 7,
                               .hx       = 0.11,
                               .hy       = 0.17,
                               .hz       = 0.13,
                               .dt       = 0.05,
                               .boundary = { mix & 1, mix >> 1 & 1, mix >> 2 & 1 },
                               .time     = mix >> 3 };

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            for (int64_t i = 0; i < cells_of(&g); i++)
                s->t[level][c][i] = random_value();
    run(&g, s);
    return g;
}

/* Constant fields have no residual. */
static void check_constant(int mix)
{
    static full_state    s;
    const phys_grid_spec g = random_state(&s, mix);

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            for (int64_t i = 0; i < cells_of(&g); i++)
                s.t[level][c][i] = 1.25 * c - 2;
    run(&g, &s);
    for (int c = 0; c < 4; c++)
        for (int64_t i = 0; i < cells_of(&g); i++)
            if (!trial_expect(s.r[c][i] == 0, "constant fields, mix %d: R = %g", mix, s.r[c][i]))
                return;
}

/* R_sigma is linear in sigma at fixed u. */
static void check_linear(int mix)
{
    static full_state    a, b, sum;
    const phys_grid_spec g = random_state(&a, mix);

    (void)random_state(&b, mix);
    for (int level = 0; level < 3; level++) {
        memcpy(b.t[level][1], a.t[level][1], 3 * sizeof a.t[level][1]);
        memcpy(sum.t[level][1], a.t[level][1], 3 * sizeof a.t[level][1]);
        for (int64_t i = 0; i < cells_of(&g); i++)
            sum.t[level][0][i] = 3 * a.t[level][0][i] - 2 * b.t[level][0][i];
    }
    run(&g, &b);
    run(&g, &sum);
    for (int64_t i = 0; i < cells_of(&g); i++)
        trial_expect(fabs(sum.r[0][i] - (3 * a.r[0][i] - 2 * b.r[0][i])) < 1e-12 * 1e3,
                     "R_sigma is not linear, mix %d cell %lld", mix, (long long)i);
}

/* Periodic: the sum of u . D sigma + sigma D . u over all cells is zero (summation by parts), so
 * the sum of R_sigma is the sum of the time differences. */
static void check_conservation(int time)
{
    static full_state    s;
    const phys_grid_spec g        = random_state(&s, time << 3);
    double               residual = 0, change = 0;

    for (int64_t i = 0; i < cells_of(&g); i++) {
        residual += s.r[0][i];
        change += time == PHYS_CENTRAL ? (s.t[2][0][i] - s.t[0][0][i]) / (2 * g.dt)
                                       : (s.t[1][0][i] - s.t[0][0][i]) / g.dt;
    }
    trial_expect(fabs(residual - change) < 1e-10, "not conservative, time %d: %g against %g", time,
                 residual, change);
}

static void test_identities(void)
{
    srand(1);
    for (int mix = 0; mix < 16; mix++) {
        check_constant(mix);
        check_linear(mix);
    }
    for (int time = 0; time < PHYS_N_TIMES; time++)
        check_conservation(time);
}

/* ---- the C API: losses and gradients from the residuals ---- */

static void check_api(const phys_problem *p, void *context)
{
    phys_result result;
    phys_buf    buf;
    double      squares[2] = { 0, 0 };

    (void)context;
    if (!trial_expect(phys_result_create(&result, p->cells), "out of memory"))
        return;
    buf = phys_host_buf(p, &result);
    trial_expect(cpu_phys_loss_forward(&p->grid, &p->weights, &buf) == 0 &&
                     cpu_phys_loss_backward(&p->grid, &p->weights, &buf) == 0,
                 "%s: refused", phys_describe(p));
    for (int64_t i = 0; i < 4 * p->cells; i++) {
        const double r = (double)result.r[i];

        /* weights N and 2N: the gradient is 2 R and 4 R */
        squares[i >= p->cells] += r * r;
        trial_expect((double)result.d[1][i] == (i < p->cells ? 2 : 4) * r,
                     "%s: d[%lld] = %g of R = %g", phys_describe(p), (long long)i,
                     (double)result.d[1][i], r);
    }
    trial_expect(result.loss[0] == squares[0] && result.loss[1] == 2 * squares[1],
                 "%s: losses %g %g of sums %g %g", phys_describe(p), result.loss[0], result.loss[1],
                 squares[0], squares[1]);
    phys_result_free(&result);
}

/* ---- hostile arguments ---- */

static void check_refused(const phys_invalid *invalid, void *context)
{
    const phys_result *result = context;

    result->r[0] = result->d[1][0] = 77;
    trial_expect(cpu_phys_loss_forward(invalid->grid, invalid->weights, invalid->buf) ==
                         PHYS_INVALID_VALUE &&
                     cpu_phys_loss_backward(invalid->grid, invalid->weights, invalid->buf) ==
                         PHYS_INVALID_VALUE,
                 "invalid %s is accepted", invalid->what);
    trial_expect(result->r[0] == 77 && result->d[1][0] == 77, "invalid %s: something is written",
                 invalid->what);
}

static void test_hostile(void)
{
    static const int64_t n[3]        = { 5, 6, 7 };
    static const int     boundary[3] = { 0, 1, 0 };
    phys_problem         p           = { .cells = 0 };
    phys_result          result      = { .r = NULL };

    if (trial_expect(phys_problem_create(&p, PHYS_FIELDS_RANDOM, n, boundary, PHYS_FIRST_ORDER) &&
                         phys_result_create(&result, p.cells),
                     "out of memory")) {
        const phys_buf buf = phys_host_buf(&p, &result);

        phys_for_each_invalid(&p, &buf, check_refused, &result);
    }
    phys_result_free(&result);
    phys_problem_free(&p);
}

int main(void)
{
    test_waves();
    test_by_hand();
    test_identities();
    phys_test_gradients();
    phys_for_each_problem(PHYS_FIELDS_EXACT, check_api, NULL);
    test_hostile();
    return trial_finish("test_phys_cpu_ref");
}
