/* Compares the reference's gradient with respect to the fields with a copy of the loss in complex
 * arithmetic. Loss and residuals are polynomials of the fields: with a step of 1e-100 along the
 * imaginary axis, Im f(x + i step v) / step is the derivative along v to the last bits. */
#include "phys_ref_gradient.h"

#include "../../../reference/physics_loss/physics_loss.h"
#include "phys_test.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_CELLS = 5 * 6 * 7
};
static const double STEP      = 1e-100;
static const double TOLERANCE = 1e-12;

/* By level, component and cell. */
typedef struct values {
    double at[3][4][MAX_CELLS];
} values;

static int64_t cells_of(const phys_grid_spec *g) { return g->nx * g->ny * g->nz; }

static void fill_random(values *v)
{
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < MAX_CELLS; i++)
                v->at[level][c][i] = 2.0 * rand() / RAND_MAX - 1;
}

static physics_loss_fields fields_of(const values *v)
{
    physics_loss_fields fields = { 0 };

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            fields.t[level][c] = v->at[level][c];
    return fields;
}

/* ---- the loss in complex arithmetic, written for this test alone */

static double complex field[3][4][MAX_CELLS];

static void set_fields(const phys_grid_spec *g, const values *x)
{
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            for (int64_t i = 0; i < cells_of(g); i++)
                field[level][c][i] = x->at[level][c][i];
}

static double complex value_at(const phys_grid_spec *g, int c, const int64_t place[3])
{
    const int64_t n[3] = { g->nx, g->ny, g->nz };
    int64_t       p[3];

    for (int d = 0; d < 3; d++)
        p[d] = g->boundary[d] == PHYS_PERIODIC ? (place[d] + n[d]) % n[d]
               : place[d] < 0                  ? 0
               : place[d] > n[d] - 1           ? n[d] - 1
                                               : place[d];
    return field[1][c][p[0] + n[0] * (p[1] + n[1] * p[2])];
}

static double complex slope(const phys_grid_spec *g, int c, int axis, const int64_t place[3])
{
    const double h[3]     = { g->hx, g->hy, g->hz };
    int64_t      above[3] = { place[0], place[1], place[2] };
    int64_t      below[3] = { place[0], place[1], place[2] };

    above[axis]++;
    below[axis]--;
    return (value_at(g, c, above) - value_at(g, c, below)) / (2 * h[axis]);
}

static void complex_residuals(const phys_grid_spec *g, int64_t cell, double complex r[4])
{
    const int64_t  place[3]   = { cell % g->nx, cell / g->nx % g->ny, cell / g->nx / g->ny };
    double complex divergence = 0;

    for (int d = 0; d < 3; d++)
        divergence += slope(g, 1 + d, d, place);
    for (int c = 0; c < 4; c++) {
        r[c] = g->time == PHYS_CENTRAL ? (field[2][c][cell] - field[0][c][cell]) / (2 * g->dt)
                                       : (field[1][c][cell] - field[0][c][cell]) / g->dt;
        for (int d = 0; d < 3; d++)
            r[c] += value_at(g, 1 + d, place) * slope(g, c, d, place);
    }
    r[0] += value_at(g, 0, place) * divergence;
}

static double complex complex_loss(const phys_grid_spec *g, const phys_weights *w)
{
    double complex loss = 0;

    for (int64_t i = 0; i < cells_of(g); i++) {
        double complex r[4];

        complex_residuals(g, i, r);
        loss += w->w_sigma * r[0] * r[0] + w->w_u * (r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    }
    return loss / (double)cells_of(g);
}

/* ---- the two tests */

/* J^T w at the fields x. */
static void transpose(const phys_grid_spec *g, const values *x, double (*w)[MAX_CELLS],
                      values *result)
{
    const physics_loss_fields fields  = fields_of(x);
    const double *const       from[4] = { w[0], w[1], w[2], w[3] };
    double                   *to[3][4];

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            to[level][c] = result->at[level][c];
    physics_loss_transpose(g, &fields, from, to);
}

/* The gradient of the loss: J^T applied to 2 w R / N. */
static void gradient(const phys_grid_spec *g, const phys_weights *weights, const values *x,
                     values *result)
{
    static double             r[4][MAX_CELLS];
    const physics_loss_fields fields = fields_of(x);
    double *const             to[4]  = { r[0], r[1], r[2], r[3] };

    physics_loss_residuals(g, &fields, to);
    for (int c = 0; c < 4; c++)
        for (int64_t i = 0; i < cells_of(g); i++)
            r[c][i] *= 2 * (c == 0 ? weights->w_sigma : weights->w_u) / (double)cells_of(g);
    transpose(g, x, r, result);
}

/* Does the loss depend on this level? It does not depend on t1 with central time if all differences
 * in space are zero. */
static bool has_gradient(const phys_grid_spec *g, int level)
{
    const int64_t n[3]      = { g->nx, g->ny, g->nz };
    bool          has_slope = false;

    for (int d = 0; d < 3; d++)
        has_slope = has_slope || n[d] > (g->boundary[d] == PHYS_PERIODIC ? 2 : 1);
    return g->time == PHYS_CENTRAL ? level != 1 || has_slope : level < 2;
}

/* One value after another makes a step; every component of every level by itself. */
static void check_complex_step(const phys_grid_spec *g, const char *name)
{
    static values      x, got;
    const phys_weights weights = { 1.3, 0.7 };

    fill_random(&x);
    gradient(g, &weights, &x, &got);
    set_fields(g, &x);
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++) {
            double worst = 0, largest = 0;

            for (int64_t i = 0; i < cells_of(g); i++) {
                double expected;

                field[level][c][i] = x.at[level][c][i] + STEP * I;
                expected           = cimag(complex_loss(g, &weights)) / STEP;
                field[level][c][i] = x.at[level][c][i];
                worst              = fmax(worst, fabs(got.at[level][c][i] - expected));
                largest            = fmax(largest, fabs(expected));
            }
            trial_expect(worst <= TOLERANCE * largest && (largest > 0) == has_gradient(g, level),
                         "%s: gradient of component %d at level %d is off by %g of %g", name, c,
                         level, worst, largest);
        }
}

/* <J v, w> = <v, J^T w>, with J v by one complex step along v; for all levels that R depends on. */
static void check_dot(const phys_grid_spec *g, const char *name)
{
    static values x, v, w, back;
    double        forward = 0, backward = 0;

    fill_random(&x);
    fill_random(&v);
    fill_random(&w);
    transpose(g, &x, w.at[0], &back);
    set_fields(g, &x);
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            for (int64_t i = 0; i < cells_of(g); i++) {
                field[level][c][i] += STEP * v.at[level][c][i] * I;
                backward += v.at[level][c][i] * back.at[level][c][i];
            }
    for (int64_t i = 0; i < cells_of(g); i++) {
        double complex r[4];

        complex_residuals(g, i, r);
        for (int c = 0; c < 4; c++)
            forward += cimag(r[c]) / STEP * w.at[0][c][i];
    }
    trial_expect(fabs(forward - backward) <= TOLERANCE * fabs(forward) && fabs(forward) > 0,
                 "%s: <Jv,w> = %.17g, <v,J^T w> = %.17g", name, forward, backward);
}

/* R_sigma is linear in sigma at all levels together: the sum of sigma times its gradient is 2
 * L_sigma. */
static void check_linear_in_sigma(const phys_grid_spec *g, const char *name)
{
    static values      x, got;
    const phys_weights sigma_only = { 1.3, 0 };
    double             product    = 0, loss;

    fill_random(&x);
    gradient(g, &sigma_only, &x, &got);
    for (int level = 0; level < 3; level++)
        for (int64_t i = 0; i < cells_of(g); i++)
            product += x.at[level][0][i] * got.at[level][0][i];
    set_fields(g, &x);
    loss = creal(complex_loss(g, &sigma_only));
    trial_expect(fabs(product - 2 * loss) <= TOLERANCE * loss && loss > 0,
                 "%s: <sigma, dL/dsigma> = %.17g, not twice %.17g", name, product, loss);
}

/* Every mixture of boundaries, both schemes in time, three different spacings. */
static void check_grid(int64_t nx, int64_t ny, int64_t nz)
{
    for (int mix = 0; mix < 8 * PHYS_N_TIMES; mix++) {
        const phys_grid_spec g = {
            .nx       = nx,
            .ny       = ny,
            .nz       = nz,
            .hx       = 0.11,
            .hy       = 0.17,
            .hz       = 0.13,
            .dt       = 0.05,
            .boundary = { mix & 1, mix >> 1 & 1, mix >> 2 & 1 },
            .time     = mix >> 3,
        };
        char name[80];

        (void)snprintf(name, sizeof name, "%lldx%lldx%lld boundary %d%d%d time %d", (long long)nx,
                       (long long)ny, (long long)nz, g.boundary[0], g.boundary[1], g.boundary[2],
                       g.time);
        if (cells_of(&g) <= 60)
            check_complex_step(&g, name);
        check_dot(&g, name);
        check_linear_in_sigma(&g, name);
    }
}

/* ---- the C API: the same gradients, rounded once */

static void check_api(const phys_problem *p, void *context)
{
    static values       x, expected;
    phys_grid_spec      g = p->grid;
    const int64_t       n = p->cells;
    static float        d[3][4 * MAX_CELLS];
    const phys_weights *w = &p->weights;
    phys_buf            buf;
    phys_result         none = { .r = NULL };

    (void)context;
    if (n > MAX_CELLS)
        return;
    g.vjp    = PHYS_VJP_FIELD;
    g.levels = PHYS_LEVELS_ALL;
    buf      = phys_host_buf(p, &none);
    for (int level = 0; level < 3; level++) {
        buf.d_sigma[level] = d[level];
        buf.d_u[level]     = d[level] + n;
        for (int64_t i = 0; i < 4 * n; i++)
            x.at[level][i / n][i % n] = (double)p->field[level][i];
    }
    gradient(&g, w, &x, &expected);
    trial_expect(cpu_phys_loss_backward(&g, w, &buf) == PHYS_OK, "%s: refused", phys_describe(p));
    for (int level = 0; level < (g.time == PHYS_CENTRAL ? 3 : 2); level++)
        for (int64_t i = 0; i < 4 * n; i++)
            if (!trial_expect((double)d[level][i] == expected.at[level][i / n][i % n],
                              "%s: level %d element %lld: %g, not %g", phys_describe(p), level,
                              (long long)i, (double)d[level][i], expected.at[level][i / n][i % n]))
                return;
}

void phys_test_gradients(void)
{
    srand(2);
    for (int64_t thin = 0; thin < 27; thin++) /* axes of one, two and three cells */
        check_grid(1 + thin % 3, 1 + thin / 3 % 3, 1 + thin / 9);
    check_grid(5, 4, 3);
    check_grid(3, 4, 5);
    check_grid(5, 6, 7);
    phys_for_each_problem(PHYS_FIELDS_EXACT, check_api, NULL); /* every bit */
}
