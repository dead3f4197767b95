/* How long may a step be? Tests which rules are stable, for the reference in double and for the
 * kernels in single precision on the host device, and whether cells in the low-density envelope
 * matter. */
#include "case.h"
#include "gas_test.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../../kernels/thermo_gas/gas_case.h"

#include <string.h>

assay_launch_fn thermo_gas_plain, thermo_gas_ssp, thermo_gas_stream;

typedef thermo_gas_state state;

/* ---- a step, by the reference or by a kernel ---- */

typedef struct stepper {
    const char      *name;
    assay_launch_fn *launch; /* NULL: the reference */
    int64_t          tune[4];
    double           calm; /* if a rule is stable, noise of 1e-6 ends below this */
} stepper;

/* In single precision some noise remains: each step rounds some values by some u. */
static const stepper steppers[] = {
    { "reference", NULL, { 0 }, 2e-7 },
    { "plain", thermo_gas_plain, { 256 }, 1e-6 },
    { "stream", thermo_gas_stream, { 8, 24, 2, 32 }, 1e-6 },
};
enum {
    N_STEPPERS = sizeof steppers / sizeof *steppers
};

static int64_t cells_of(const int64_t n[3]) { return n[0] * n[1] * n[2]; }

/* The buffers of a launch: device memory is host memory. */
typedef struct launch {
    void   *buf[GAS_N_BUFS], *k1;
    int64_t count[GAS_N_BUFS], param[GAS_N_PARAMS];
    double  scalar[1];
} launch;

static void launch_make(launch *l, const int64_t n[3])
{
    memset(l, 0, sizeof *l);
    for (int b = GAS_BUF_RHO; b <= GAS_BUF_E_2; b++) {
        l->count[b] = (b % 3 == GAS_BUF_MOM ? 3 : 1) * cells_of(n);
        l->buf[b]   = get_memory((size_t)l->count[b], sizeof(float));
    }
    l->k1 = get_memory((size_t)(5 * cells_of(n)), sizeof(float));
    memcpy(l->param + GAS_PARAM_GX, n, 3 * sizeof *n);
}

static void launch_free(launch *l)
{
    for (int b = GAS_BUF_RHO; b <= GAS_BUF_E_2; b++)
        free(l->buf[b]);
    free(l->k1);
}

/* The place of value q of a cell, in U0 or U2. */
static float *value_at(const launch *l, int first, int q, int64_t cell)
{
    if (q == THERMO_RHO || q == THERMO_E_INT)
        return (float *)l->buf[first + (q == THERMO_RHO ? 0 : 2)] + cell;
    return (float *)l->buf[first + 1] + 3 * cell + q - THERMO_MOM_X;
}

static void step(const stepper *by, const int64_t n[3], double dt, const state *from, state *to)
{
    launch l;

    if (by->launch == NULL) {
        trial_expect(thermo_gas_step(n, dt, from, to, NULL), "out of memory");
        return;
    }
    launch_make(&l, n);
    l.scalar[GAS_SCALAR_DT] = dt;
    for (int64_t i = 0; i < 5 * cells_of(n); i++)
        *value_at(&l, GAS_BUF_RHO, (int)(i % 5), i / 5) = (float)from[i / 5].u[i % 5];
    trial_expect(by->launch(&(assay_args) { .buf       = l.buf,
                                            .count     = l.count,
                                            .param     = l.param,
                                            .scalar    = l.scalar,
                                            .tune      = by->tune,
                                            .workspace = l.k1 },
                            NULL) == 0,
                 "%s: the launch failed", by->name);
    for (int64_t i = 0; i < 5 * cells_of(n); i++)
        to[i / 5].u[i % 5] = (double)*value_at(&l, GAS_BUF_RHO_2, (int)(i % 5), i / 5);
    launch_free(&l);
}

/* ---- which rules are stable ---- */

/* Advances uniform gas with noise of 1e-6 in all values by a rule. Returns the largest deviation of
 * rho and e from their means afterwards; infinite after a poisoned step. */
static double noise_after(const stepper *by, const int64_t n[3], const state *mean,
                          thermo_gas_dt_rule rule, int steps)
{
    const int64_t cells = cells_of(n);
    const double  dx    = 1 / fmax(fmax((double)n[0], (double)n[1]), (double)n[2]);
    state        *u     = get_memory((size_t)cells, sizeof *u);
    state        *next  = get_memory((size_t)cells, sizeof *next);
    double        most  = 0;

    for (int64_t i = 0; i < 5 * cells; i++)
        u[i / 5].u[i % 5] = mean->u[i % 5] * (1 + 1e-6 * noise(7, (uint64_t)i));
    for (int s = 0; s < steps; s++) {
        const thermo_gas_speeds speeds = thermo_gas_speeds_of(u, cells);
        state *const            old    = u;

        step(by, n, thermo_gas_dt(rule, &speeds, dx), u, next);
        u    = next;
        next = old;
    }
    for (int64_t i = 0; i < cells; i++) {
        const double d = fmax(fabs(u[i].u[0] / mean->u[0] - 1), fabs(u[i].u[4] / mean->u[4] - 1));

        most = d <= most ? most : isnan(d) ? (double)INFINITY : d;
    }
    free(u);
    free(next);
    return most;
}

/* The checkerboard is damped by -6 s/dx: Heun's method needs (|u|_2 + c) dt/dx <= 1/3. The gas is
 * so hot that the limit of 0.015 does not decide. */
static void test_advective_rules(const stepper *by)
{
    static const double mach[] = { 0, 3, 20 };
    const int64_t       n[3]   = { 12, 12, 12 };

    for (int m = 0; m < 3; m++) {
        const double c      = sqrt(0.56 * 25);
        const state  mean   = { { 1, mach[m] * c, 0, 0, 25 } };
        const double metal  = noise_after(by, n, &mean, THERMO_GAS_DT_METAL, 60);
        const double triton = noise_after(by, n, &mean, THERMO_GAS_DT_TRITON, 60);
        const double stable = noise_after(by, n, &mean, THERMO_GAS_DT_STABLE, 60);

        (void)printf("%s, Mach %2g: metal %.1e, triton %.1e, stable %.1e\n", by->name, mach[m],
                     metal, triton, stable);
        trial_expect(stable < by->calm, "%s, Mach %g: stable grows to %g", by->name, mach[m],
                     stable);
        trial_expect(triton > 0.05, "%s, Mach %g: triton is tame, %g", by->name, mach[m], triton);
        trial_expect(mach[m] > 9 ? metal > 1e-4 : metal < by->calm, "%s, Mach %g: metal %g",
                     by->name, mach[m], metal);
    }
}

/* Two limits that are each obeyed alone are not enough together: thin gas, where diffusion is as
 * fast. */
static void test_minimum_rule(const stepper *by)
{
    const int64_t n[3]    = { 64, 4, 4 };
    const state   mean    = { { 0.034, 0, 0, 0, 0.034 } };
    const double  minimum = noise_after(by, n, &mean, THERMO_GAS_DT_MINIMUM, 20);
    const double  stable  = noise_after(by, n, &mean, THERMO_GAS_DT_STABLE, 20);

    (void)printf("%s, thin gas: minimum %.1e, stable %.1e\n", by->name, minimum, stable);
    trial_expect(minimum > 0.05, "%s: the least of both limits is tame: %g", by->name, minimum);
    trial_expect(stable < 2e-6, "%s: stable grows to %g", by->name, stable);
}

/* ---- thin cells ---- */

/* Triton's own driver: every cell counts, with its density raised to rho_min and its energy to
 * 0. */
static thermo_gas_speeds clamped_speeds_of(const state *u, int64_t cells)
{
    thermo_gas_speeds most = { 0, 0, 0 };

    for (int64_t i = 0; i < cells; i++) {
        const double *v = u[i].u, rho = fmax(v[THERMO_RHO], THERMO_RHO_MIN);
        const double  momentum = sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        const double  c        = sqrt(0.56 * fmax(v[THERMO_E_INT], 0) / rho);

        most.signal      = fmax(most.signal, momentum / rho + c);
        most.diffusivity = fmax(most.diffusivity, THERMO_CONDUCTIVITY / THERMO_C_V / rho);
    }
    return most;
}

static double dt_of(thermo_gas_speeds speeds, double dx)
{
    return thermo_gas_dt(THERMO_GAS_DT_TRITON, &speeds, dx);
}

/* Gas of density and temperature 1 with one different cell, dx = 1/64. An empty cell makes Triton's
 * step 45 times shorter, by diffusion of heat where there is none. A thin cell, as hot as possible,
 * would do so by its speed of sound. Here neither counts: what such a cell does not survive halves
 * dt. */
static void test_thin_cells(void)
{
    static const struct {
        const char *what;
        state       cell;
        double      advection; /* Triton's compared with ours */
    } rows[] = {
        { "vacuum", { { 0, 0, 0, 0, 0 } }, 1 },
        { "hot and thin", { { 1e-4, 0, 0, 0, 0.009 } }, 3 },
        { "gas", { { 1, 0, 0, 0, 1 } }, 1 },
    };
    const double dx = 1.0 / 64;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const state             u[2]   = { { { 1, 0, 0, 0, 1 } }, rows[i].cell };
        const bool              is_gas = u[1].u[THERMO_RHO] == 1;
        const thermo_gas_speeds ours = thermo_gas_speeds_of(u, 2), all = clamped_speeds_of(u, 2);

        trial_expect(fabs(all.signal / ours.signal - rows[i].advection) < 1e-6, "%s: signal %g, %g",
                     rows[i].what, all.signal, ours.signal);
        trial_expect(fabs(all.diffusivity / ours.diffusivity - (is_gas ? 1 : 1000)) < 1e-3,
                     "%s: diffusivity %g, %g", rows[i].what, all.diffusivity, ours.diffusivity);
        trial_expect(is_gas ? fabs(dt_of(ours, dx) / dt_of(all, dx) - 1) < 1e-12
                            : dt_of(ours, dx) > 40 * dt_of(all, dx),
                     "%s: dt %g, Triton's %g", rows[i].what, dt_of(ours, dx), dt_of(all, dx));
    }
}

/* Metal's rho_min is at least 2^-23 of the mean density. If that is above 8389, cells that are gas
 * here are in Metal's envelope, and too hot for it. */
static void test_least_density(void)
{
    const int64_t n[3]    = { 5, 5, 5 };
    const double  density = 1.1e-3, mean = 1e4;
    state        *from = get_memory(125, sizeof *from), *to = get_memory(125, sizeof *to);

    for (int i = 0; i < 125; i++)
        from[i] = (state) { { mean, 0, 0, 0, mean } };
    from[62] = (state) { { density, 0, 0, 0, 1 } };
    trial_expect(density > THERMO_RHO_MIN && density < mean * 0x1p-23 &&
                     from[62].u[THERMO_E_INT] > 10 * mean * 0x1p-23,
                 "the cell is gas here, in Metal's envelope, and too hot for that");
    trial_expect(thermo_gas_first_stage(n, 1e-9, from, to), "out of memory");
    for (int i = 0; i < 125; i++)
        trial_expect(!isnan(to[i].u[THERMO_RHO]), "cell %d is poisoned", i);
    free(from);
    free(to);
}

int main(void)
{
    for (int s = 0; s < N_STEPPERS; s++) {
        test_advective_rules(&steppers[s]);
        test_minimum_rule(&steppers[s]);
    }
    test_thin_cells();
    test_least_density();
    return trial_finish("test_thermo_dt");
}
