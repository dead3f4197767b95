/* Tests the reference of thermo_gather itself: uniform gas, linear potentials, rules, edges, order,
 * and the identity that connects it with the deposit: summed over particles, what they gather from
 * a field is the field summed with their deposit. Needs no GPU. */
#include "../../../kernels/thermo/thermo.h"
#include "../../../kernels/thermo_gather/gather_case.h"
#include "../../../kernels/thermo_scatter/scatter_case.h"
#include "thermo_test.h"

#include <math.h>
#include <string.h>

assay_reference_fn thermo_scatter_reference;
assay_reference_fn thermo_gather_reference;
assay_prepare_fn   thermo_gather_prepare;

/* Gas of density 2, momentum (1, -1, 1/2), energy 3 and no gravity; particles of mass 1 at 0. */
static thermo_run gather_make(int64_t g, int64_t n, int negative_rho, double dt)
{
    const int64_t cells  = g * g * g;
    const float   mom[3] = { 1, -1, 0.5f };
    thermo_run    run    = { .param  = { g, g, g, negative_rho, GATHER_RANDOM, 0 },
                             .scalar = { (double)(float)(1 / (double)g), dt } };

    thermo_run_input(&run, GATHER_BUF_POS, 3 * n);
    thermo_run_input(&run, GATHER_BUF_MASS, n);
    thermo_run_input(&run, GATHER_BUF_RHO, cells);
    thermo_run_input(&run, GATHER_BUF_MOM, 3 * cells);
    thermo_run_input(&run, GATHER_BUF_E_INT, cells);
    thermo_run_input(&run, GATHER_BUF_PHI, cells);
    thermo_run_input(&run, GATHER_BUF_ORDER, n);
    thermo_run_output(&run, GATHER_BUF_NEW_POS, 3 * n);
    thermo_run_output(&run, GATHER_BUF_NEW_VEL, 3 * n);
    thermo_run_output(&run, GATHER_BUF_NEW_HEAT, n);
    for (int64_t node = 0; node < cells; node++) {
        thermo_run_floats(&run, GATHER_BUF_RHO)[node]   = 2;
        thermo_run_floats(&run, GATHER_BUF_E_INT)[node] = 3;
        memcpy(thermo_run_floats(&run, GATHER_BUF_MOM) + 3 * node, mom, sizeof mom);
    }
    for (int64_t t = 0; t < n; t++)
        thermo_run_floats(&run, GATHER_BUF_MASS)[t] = 1;
    return run;
}

static void fill_all(thermo_run *run, int b, float value)
{
    for (int64_t i = 0; i < run->count[b]; i++)
        thermo_run_floats(run, b)[i] = value;
}

static void test_uniform_gas(void)
{
    thermo_run    run = gather_make(4, 1, THERMO_NEGATIVE_RHO_ZERO, 0.125);
    const double *vel = run.expect[GATHER_BUF_NEW_VEL].value;
    const double *pos = run.expect[GATHER_BUF_NEW_POS].value;

    thermo_put(&run, 0, 0.3125f, 0.03125f, 0.96875f); /* y and z leave the domain */
    thermo_run_reference(&run, thermo_gather_reference);
    trial_expect(vel[0] == 0.5 && vel[1] == -0.5 && vel[2] == 0.25, "velocity of the gas");
    trial_expect(run.expect[GATHER_BUF_NEW_HEAT].value[0] == 1.5, "heat m e / rho");
    trial_expect(pos[0] == 0.375 && pos[1] == 0.96875 && pos[2] == 0, "moved and wrapped");
    thermo_run_free(&run);
}

/* phi = 3x + 5y - 2z inside: gravity is constant there, and exact. */
static void test_gravity(void)
{
    thermo_run    run = gather_make(8, 1, THERMO_NEGATIVE_RHO_ZERO, 0.25);
    const double *vel = run.expect[GATHER_BUF_NEW_VEL].value;

    for (int64_t node = 0; node < 512; node++)
        thermo_run_floats(&run, GATHER_BUF_PHI)[node] =
            (float)(3 * (node / 64) + 5 * (node / 8 % 8) - 2 * (node % 8)) / 8;
    thermo_put(&run, 0, 0.3f, 0.4f, 0.6f);
    thermo_run_reference(&run, thermo_gather_reference);
    trial_expect(fabs(vel[0] - (0.5 - 0.75)) < 1e-14 && fabs(vel[1] - (-0.5 - 1.25)) < 1e-14 &&
                     fabs(vel[2] - (0.25 + 0.5)) < 1e-14,
                 "u - dt grad phi: %g %g %g", vel[0], vel[1], vel[2]);
    thermo_run_free(&run);
}

/* The meaning of density and energy, by both rules. */
static void test_rulings(void)
{
    static const struct {
        float  rho, e, mass;
        bool   is_nan[2]; /* zero, poison */
        double heat;
    } rows[] = {
        { 2, 3, 1, { false, false }, 1.5 },    { 0, 3, 1, { false, false }, 0 },
        { -2, 3, 1, { false, true }, 0 },      { 2, -3, 1, { true, true }, 0 },
        { 0, -3, 1, { false, true }, 0 },      { -2, -3, 1, { false, true }, 0 },
        { 2, 0, 1, { false, false }, 0 },      { 2, 3, 0, { true, true }, 0 },
        { 2, 3, -1, { true, true }, 0 },       { NAN, 3, 1, { true, true }, 0 },
        { 2, INFINITY, 1, { true, true }, 0 }, { 2, 3, NAN, { true, true }, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int rule = 0; rule < 2; rule++) {
            thermo_run           run  = gather_make(2, 1, rule, 0.125);
            const assay_expected heat = run.expect[GATHER_BUF_NEW_HEAT];

            fill_all(&run, GATHER_BUF_RHO, rows[i].rho);
            fill_all(&run, GATHER_BUF_E_INT, rows[i].e);
            fill_all(&run, GATHER_BUF_MASS, rows[i].mass);
            thermo_run_reference(&run, thermo_gather_reference);
            trial_expect((heat.law[0] == ASSAY_MUST_BE_NAN) == rows[i].is_nan[rule],
                         "row %zu, rule %d: is it NaN", i, rule);
            trial_expect(rows[i].is_nan[rule] || heat.value[0] == rows[i].heat,
                         "row %zu, rule %d: heat %g", i, rule, heat.value[0]);
            thermo_run_free(&run);
        }
}

/* Particles that do not move: an edge of the domain is its beginning, and nothing is exempt. */
static void test_wrap_at_rest(void)
{
    static const struct {
        float  x;
        double wrapped;
    } rows[] = { { 0, 0 },         { -1e-9f, 0 }, { 1, 0 }, { 0.99999994f, 0.99999994039535522 },
                 { -0.25f, 0.75 }, { 2.5f, 0.5 } };
    const int64_t n   = sizeof rows / sizeof *rows;
    thermo_run    run = gather_make(4, n, THERMO_NEGATIVE_RHO_ZERO, 0.125);

    fill_all(&run, GATHER_BUF_RHO, 0);
    for (int64_t t = 0; t < n; t++)
        thermo_put(&run, t, rows[t].x, 0, 0);
    thermo_run_reference(&run, thermo_gather_reference);
    for (int64_t t = 0; t < n; t++)
        trial_expect(run.expect[GATHER_BUF_NEW_POS].value[3 * t] == rows[t].wrapped &&
                         run.expect[GATHER_BUF_NEW_POS].law[3 * t] == ASSAY_COMPARE,
                     "%g wraps to %g", (double)rows[t].x, rows[t].wrapped);
    thermo_run_free(&run);
}

/* The prepared order lists each particle once, cell by cell. */
static void test_order(void)
{
    enum {
        N = 100
    };
    const double   all[3]  = { 1, 1, 1 };
    thermo_run     run     = gather_make(3, N, THERMO_NEGATIVE_RHO_ZERO, 0.125);
    thermo_run     bins    = thermo_scatter_make(3, 3, 3, 3, N);
    const int32_t *order   = run.in[GATHER_BUF_ORDER];
    const int64_t *index   = bins.expect[SCATTER_BUF_SORTED_INDEX].integer;
    bool           is_same = true;

    thermo_fill_random(&bins, N, all);
    memcpy(run.in[GATHER_BUF_POS], bins.in[SCATTER_BUF_POS], 3 * N * sizeof(float));
    thermo_run_reference(&bins, thermo_scatter_reference);
    thermo_run_prepare(&run, thermo_gather_prepare);
    for (int t = 0; t < N; t++)
        is_same = is_same && order[t] == index[t];
    trial_expect(is_same, "the order of the gather is the deposit's");
    run.param[GATHER_PARAM_PARTICLES] = GATHER_SORTED;
    thermo_run_prepare(&run, thermo_gather_prepare);
    for (int t = 0; t < N; t++)
        is_same = is_same && order[t] == t &&
                  memcmp(thermo_run_floats(&run, GATHER_BUF_POS) + 3 * t,
                         thermo_run_floats(&bins, SCATTER_BUF_POS) + 3 * index[t],
                         3 * sizeof(float)) == 0;
    trial_expect(is_same, "sorted particles are in the order of their numbers");
    thermo_run_free(&run);
    thermo_run_free(&bins);
}

/* sum_p m_p u(x_p) = dx^3 sum_nodes rho u: gather is the transpose of deposit. */
static void test_transpose(void)
{
    enum {
        N = 200
    };
    const double all[3]      = { 1, 1, 1 };
    thermo_run   deposit     = thermo_scatter_make(5, 5, 5, 5, N);
    thermo_run   gather      = gather_make(5, N, THERMO_NEGATIVE_RHO_ZERO, 0.125);
    double       by_particle = 0, by_node = 0, dx = deposit.scalar[SCATTER_SCALAR_DX];

    thermo_fill_random(&deposit, N, all);
    fill_all(&gather, GATHER_BUF_RHO, 1);
    memcpy(gather.in[GATHER_BUF_POS], deposit.in[SCATTER_BUF_POS], 3 * N * sizeof(float));
    for (int64_t i = 0; i < gather.count[GATHER_BUF_MOM]; i++)
        thermo_run_floats(&gather, GATHER_BUF_MOM)[i] = (float)thermo_random(8, (uint64_t)i);
    thermo_run_reference(&deposit, thermo_scatter_reference);
    thermo_run_reference(&gather, thermo_gather_reference);
    for (int t = 0; t < N; t++)
        by_particle += (double)thermo_run_floats(&deposit, SCATTER_BUF_MASS)[t] *
                       gather.expect[GATHER_BUF_NEW_VEL].value[3 * t];
    for (int node = 0; node < 125; node++)
        by_node += dx * dx * dx * deposit.expect[SCATTER_BUF_RHO].value[node] *
                   (double)thermo_run_floats(&gather, GATHER_BUF_MOM)[3 * node];
    trial_expect(fabs(by_particle - by_node) <= 1e-12 * by_node,
                 "%.17g by particles, %.17g by nodes", by_particle, by_node);
    thermo_run_free(&deposit);
    thermo_run_free(&gather);
}

int main(void)
{
    test_uniform_gas();
    test_gravity();
    test_rulings();
    test_wrap_at_rest();
    test_order();
    test_transpose();
    return trial_finish("test_thermo_gather_ref");
}
