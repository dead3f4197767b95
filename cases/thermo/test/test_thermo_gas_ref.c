/* Tests the gas reference itself: states computed by hand, identities, conservation and the pattern
 * of poison. Needs no GPU. */
#include "case.h"
#include "gas_test.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../../kernels/thermo_gas/gas_case.h"

#include <string.h>

typedef thermo_gas_state state;

static int64_t cells_of(const int64_t n[3]) { return n[0] * n[1] * n[2]; }

static state *new_states(const int64_t n[3])
{
    return get_memory((size_t)cells_of(n), sizeof(state));
}

static void step(const int64_t n[3], double dt, const state *from, state *to, double *work)
{
    trial_expect(thermo_gas_step(n, dt, from, to, work), "out of memory");
}

/* Smooth flow, different on each axis, all cells normal. */
static void fill_smooth(const int64_t n[3], state *to)
{
    for (int64_t cell = 0; cell < cells_of(n); cell++) {
        const double x   = 2 * M_PI * (double)(cell / n[2] / n[1]) / (double)n[0];
        const double y   = 2 * M_PI * (double)(cell / n[2] % n[1]) / (double)n[1];
        const double z   = 2 * M_PI * (double)(cell % n[2]) / (double)n[2];
        const double rho = 1 + 0.3 * sin(x + 2 * y - z);

        to[cell] =
            (state) { { rho, rho * (1.5 + 0.3 * sin(y + z)), rho * (1.1 + 0.2 * cos(x - z)),
                        rho * (0.9 + 0.1 * sin(x + y)), 2.5 * (1 + 0.1 * cos(2 * x + y + z)) } };
    }
}

static double most_difference(const state *a, const state *b, int64_t cells)
{
    double most = 0;

    for (int64_t i = 0; i < cells; i++)
        for (int q = 0; q < 5; q++) {
            const double d = fabs(a[i].u[q] - b[i].u[q]);

            if (!(d <= most))
                most = d;
        }
    return most;
}

/* ---- by hand ---- */

/* Three cells in a row, at rest, rho 1, e = 1, 2, 4, dx = 1/3: p = 0.4 e, T = e, s = sqrt(0.56 e).
 * Mass does not move; momentum follows the pressure difference; e diffuses by Rusanov and by
 * heat. */
static void test_row_at_rest(void)
{
    const int64_t n[3] = { 3, 1, 1 };
    const double  e[3] = { 1, 2, 4 }, dt = 0.01;
    const double  kappa = 1e-4 * 1.4 / 0.71;
    state         from[3], to[3];

    for (int i = 0; i < 3; i++)
        from[i] = (state) { { 1, 0, 0, 0, e[i] } };
    trial_expect(thermo_gas_first_stage(n, dt, from, to), "out of memory");
    for (int i = 0; i < 3; i++) {
        const double low = e[(i + 2) % 3], here = e[i], high = e[(i + 1) % 3];
        const double s_low = sqrt(0.56 * fmax(low, here)), s_high = sqrt(0.56 * fmax(here, high));
        const double mom  = -dt * 3 * 0.4 * (high - low) / 2;
        const double rate = 3 * (s_high * (high - here) - s_low * (here - low)) / 2 +
                            9 * kappa * (high + low - 2 * here);

        trial_expect(to[i].u[0] == 1 && to[i].u[2] == 0 && to[i].u[3] == 0, "cell %d moved", i);
        trial_expect(fabs(to[i].u[1] - mom) < 1e-15, "cell %d: mom %.17g, not %.17g", i, to[i].u[1],
                     mom);
        trial_expect(fabs(to[i].u[4] - here - dt * rate) < 1e-15, "cell %d: e %.17g", i,
                     to[i].u[4]);
    }
}

/* Two cells along y, moving along y: |u| = 0.5 for both, rho 1 and 2, e 1. Only y has a gradient,
 * and each cell is the other's neighbour on both sides, so that fluxes cancel except for the
 * dissipation. */
static void test_pair_in_motion(void)
{
    const int64_t n[3] = { 1, 2, 1 };
    const double  dt = 0.01, s = 0.5 + sqrt(0.56);
    const state   from[2] = { { { 1, 0, 0.5, 0, 1 } }, { { 2, 0, 1, 0, 1 } } };
    state         to[2];

    trial_expect(thermo_gas_first_stage(n, dt, from, to), "out of memory");
    /* Both faces dissipate s/2 (U_other - U): dt/dx = 0.02. */
    trial_expect(fabs(to[0].u[0] - (1 + 0.02 * s)) < 1e-15, "rho %.17g", to[0].u[0]);
    trial_expect(fabs(to[1].u[0] - (2 - 0.02 * s)) < 1e-15, "rho %.17g", to[1].u[0]);
    trial_expect(fabs(to[0].u[2] - (0.5 + 0.02 * s * 0.5)) < 1e-15, "mom %.17g", to[0].u[2]);
    trial_expect(to[0].u[1] == 0 && to[0].u[3] == 0, "mom across");
}

/* ---- identities ---- */

static void test_uniform_is_a_fixed_point(void)
{
    const int64_t n[3] = { 4, 3, 5 };
    state        *from = new_states(n), *to = new_states(n);

    for (int64_t i = 0; i < cells_of(n); i++)
        from[i] = (state) { { 1.1, 0.33, -0.21, 0.17, 2.7 } };
    step(n, 0.01, from, to, NULL);
    trial_expect(memcmp(from, to, (size_t)cells_of(n) * sizeof *to) == 0,
                 "a uniform state changed");
    free(from);
    free(to);
}

/* U2 = (U0 + stage(stage(U0))) / 2, another form of Heun's method. */
static void test_two_forms_of_heun(void)
{
    const int64_t n[3] = { 6, 5, 7 };
    const double  dt   = 0.01;
    state *from = new_states(n), *to = new_states(n), *u1 = new_states(n), *u2 = new_states(n);

    fill_smooth(n, from);
    step(n, dt, from, to, NULL);
    trial_expect(thermo_gas_first_stage(n, dt, from, u1) && thermo_gas_first_stage(n, dt, u1, u2),
                 "out of memory");
    for (int64_t i = 0; i < cells_of(n); i++)
        for (int q = 0; q < 5; q++)
            u2[i].u[q] = (from[i].u[q] + u2[i].u[q]) / 2;
    trial_expect(most_difference(to, u2, cells_of(n)) < 1e-14, "the two forms differ by %g",
                 most_difference(to, u2, cells_of(n)));
    trial_expect(most_difference(to, from, cells_of(n)) > 1e-3, "nothing moved");
    free(from);
    free(to);
    free(u1);
    free(u2);
}

/* One step compared with two of half the length: the difference is third order in dt. */
static void test_second_order_in_time(void)
{
    const int64_t n[3] = { 8, 8, 8 };
    state        *from = new_states(n), *whole = new_states(n), *half = new_states(n),
          *two = new_states(n);
    double error[2];

    fill_smooth(n, from);
    for (int k = 0; k < 2; k++) {
        const double dt = k == 0 ? 2e-3 : 1e-3;

        step(n, dt, from, whole, NULL);
        step(n, dt / 2, from, half, NULL);
        step(n, dt / 2, half, two, NULL);
        error[k] = most_difference(whole, two, cells_of(n));
    }
    trial_expect(error[0] / error[1] > 7 && error[0] / error[1] < 9, "halving dt divides by %g",
                 error[0] / error[1]);
    free(from);
    free(whole);
    free(half);
    free(two);
}

static void test_conservation(void)
{
    const int64_t n[3]   = { 5, 7, 4 };
    double        sum[5] = { 0 }, work;
    state        *from = new_states(n), *to = new_states(n);

    fill_smooth(n, from);
    step(n, 0.01, from, to, &work);
    for (int64_t i = 0; i < cells_of(n); i++)
        for (int q = 0; q < 5; q++)
            sum[q] += to[i].u[q] - from[i].u[q];
    for (int q = 0; q < 4; q++)
        trial_expect(fabs(sum[q]) < 1e-12, "the sum of value %d changed by %g", q, sum[q]);
    trial_expect(fabs(sum[4] + work) < 1e-12, "the sum of e changed by %g, work %g", sum[4], work);
    trial_expect(fabs(work) > 1e-6, "no work was done");
    free(from);
    free(to);
}

/* ---- poison ---- */

/* Checks which cells are NaN: those within `reach` steps of cell (2, 3, 4), where each step goes to
 * a neighbour. */
static void expect_poison(const int64_t n[3], const state *u, int reach, const char *what)
{
    for (int64_t cell = 0; cell < cells_of(n); cell++) {
        const int64_t d =
            llabs(cell / n[2] / n[1] - 2) + llabs(cell / n[2] % n[1] - 3) + llabs(cell % n[2] - 4);

        for (int q = 0; q < 5; q++)
            trial_expect((isnan(u[cell].u[q]) != 0) == (d <= reach), "%s: value %d of cell %d",
                         what, q, (int)cell);
    }
}

static void test_poison_spreads_one_step_a_stage(void)
{
    static const struct {
        const char *what;
        state       bad;
        bool        is_admissible;
    } table[] = {
        { "NaN", { { 1, (double)NAN, 0, 0, 1 } }, false },
        { "infinite", { { 1, 0, 0, 0, (double)INFINITY } }, false },
        { "negative rho", { { -0.01, 0, 0, 0, 1 } }, false },
        { "negative e", { { 1, 0, 0, 0, -1e-9 } }, false },
        { "no e", { { 1, 0, 0, 0, 0 } }, true },
        { "vacuum", { { 0, 0, 0, 0, 0 } }, true },
        { "a little below nothing", { { -5e-4, 0, 0, 0, -4e-10 } }, true },
        { "too far below nothing", { { -5e-4, 0, 0, 0, -5e-10 } }, false },
        { "hot envelope", { { 5e-4, 0, 0, 0, 0.0101 } }, false },
        { "warm envelope", { { 5e-4, 0, 0, 0, 0.0099 } }, true },
        { "momentum, Euclid's norm", { { 5e-4, 8e-4, 0, 8e-4, 1e-3 } }, false },
        { "momentum in one component", { { 5e-4, 9.9e-4, 0, 0, 1e-3 } }, true },
    };
    const int64_t n[3] = { 6, 7, 8 }, at = (2 * 7 + 3) * 8 + 4;
    state        *from = new_states(n), *to = new_states(n);

    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        fill_smooth(n, from);
        from[at] = table[t].bad;
        trial_expect(thermo_gas_first_stage(n, 1e-4, from, to), "out of memory");
        expect_poison(n, to, table[t].is_admissible ? -1 : 1, table[t].what);
        step(n, 1e-4, from, to, NULL);
        expect_poison(n, to, table[t].is_admissible ? -1 : 2, table[t].what);
    }
    free(from);
    free(to);
}

/* A step so long that more leaves a cell than it has: sources appear in stage 1. */
static void test_an_inadmissible_result_is_poison(void)
{
    const int64_t n[3] = { 6, 6, 6 };
    state        *from = new_states(n), *to = new_states(n);
    int           bad = 0;

    fill_smooth(n, from);
    step(n, 0.5, from, to, NULL);
    for (int64_t i = 0; i < cells_of(n); i++)
        bad += isnan(to[i].u[0]) ? 1 : 0;
    trial_expect(bad > 0, "a step of 0.5 is survived");
    free(from);
    free(to);
}

/* ---- what the reference says of the case's inputs ---- */

assay_reference_fn      thermo_gas_reference;
extern const assay_case assay_case_thermo_gas;

static void serial_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

/* Counts the values of U1 and U2 under each law, on the grid 32^3 with one class of input. */
static void count_laws(assay_input input, int64_t n_of[])
{
    const assay_value axis[4]        = { { .i = { 32, 32, 32 } }, { .i = { GAS_OUTPUT_STAGES } } };
    const void       *in[GAS_N_BUFS] = { NULL };
    void             *memory[GAS_N_BUFS] = { NULL };
    assay_expected    expect_of[GAS_N_BUFS];
    int64_t           count[GAS_N_BUFS];
    assay_shape       s;

    memset(&s, 0, sizeof s);
    memset(expect_of, 0, sizeof expect_of);
    assay_case_thermo_gas.shape(axis, input, &s);
    for (int b = 0; b < GAS_N_BUFS; b++) {
        float *const to = memory[b] = get_memory((size_t)s.buf[b].count, sizeof *to);

        count[b] = s.buf[b].count;
        for (int64_t i = 0; b <= GAS_BUF_E && i < count[b]; i++)
            to[i] = (float)s.buf[b].fill.fn(
                (uint64_t)((noise((uint64_t)b, (uint64_t)i) + 1) * 0x1p62), i, &s);
        in[b]                  = to;
        expect_of[b].value     = get_memory((size_t)count[b], sizeof(double));
        expect_of[b].magnitude = get_memory((size_t)count[b], sizeof(double));
        expect_of[b].law       = get_memory((size_t)count[b], 1);
    }
    thermo_gas_reference(
        &(assay_reference_args) { in, expect_of, count, s.param, s.scalar, serial_for });
    for (int b = 0; b < GAS_N_BUFS; b++) {
        for (int64_t i = 0; b >= GAS_BUF_RHO_1 && b <= GAS_BUF_E_2 && i < count[b]; i++)
            n_of[expect_of[b].law[i]]++;
        free(memory[b]);
        free(expect_of[b].value);
        free(expect_of[b].magnitude);
        free(expect_of[b].law);
    }
}

/* Awkward states poison some cells and leave most; rounding decides in almost none. */
static void test_laws(void)
{
    int64_t awkward[4] = { 0 }, normal[4] = { 0 }, all;

    count_laws(ASSAY_INPUT_ADVERSARIAL, awkward);
    count_laws(ASSAY_INPUT_RANDOM, normal);
    all = awkward[ASSAY_COMPARE] + awkward[ASSAY_MUST_BE_NAN] + awkward[ASSAY_MAY_BE_NAN];
    (void)printf("adversarial: of %lld values %lld are NaN, %lld may be\n", (long long)all,
                 (long long)awkward[ASSAY_MUST_BE_NAN], (long long)awkward[ASSAY_MAY_BE_NAN]);
    trial_expect(awkward[ASSAY_MUST_BE_NAN] > all / 100 && awkward[ASSAY_MUST_BE_NAN] < all / 2,
                 "too many or too few of the awkward states are poison");
    trial_expect(awkward[ASSAY_MAY_BE_NAN] < all / 1000, "rounding decides too often");
    trial_expect(normal[ASSAY_MUST_BE_NAN] + normal[ASSAY_MAY_BE_NAN] == 0,
                 "a normal state is poison");
}

int main(void)
{
    test_row_at_rest();
    test_pair_in_motion();
    test_uniform_is_a_fixed_point();
    test_two_forms_of_heun();
    test_second_order_in_time();
    test_conservation();
    test_poison_spreads_one_step_a_stage();
    test_an_inadmissible_result_is_poison();
    test_laws();
    return trial_finish("test_thermo_gas_ref");
}
