/* Tests parts of the step's reference: weights and wrapping of a particle, the potential of single
 * waves, the exchange with an oscillator, and that bounds hold. Needs no GPU. */
#include "gas_test.h"

#include "../../../reference/thermo_step/thermo_potential.h"
#include "../../../reference/thermo_step/thermo_step_particle.h"

#include <string.h>

static bool is_near(double a, double b) { return fabs(a - b) <= 1e-13 * (fabs(a) + fabs(b)); }

/* ---- clouds ---- */

static void test_cloud(void)
{
    const int64_t extent[3] = { 8, 4, 2 };
    const float   dx = 0.125f, pos[3] = { 7.25f * 0.125f, 1.5f * 0.125f, 1.0f * 0.125f };
    const cloud   c   = cloud_of(extent, dx, pos);
    double        all = 0;

    for (int k = 0; k < CORNERS; k++)
        all += c.weight[k].v;
    trial_expect(all == 1, "weights add up to %.17g", all);
    trial_expect(c.node[0] == (7 * 4 + 1) * 2 + 1 && c.weight[0].v == 0.75 * 0.5, "lower corner");
    trial_expect(c.node[4] == (0 * 4 + 1) * 2 + 1 && c.weight[4].v == 0.25 * 0.5, "x wraps");
    trial_expect(c.node[2] == (7 * 4 + 2) * 2 + 1 && c.weight[2].v == 0.75 * 0.5, "y");
    trial_expect(c.node[1] == (7 * 4 + 1) * 2 + 0 && c.weight[1].v == 0,
                 "z wraps, and has no weight");
}

static void test_wrapped_place(void)
{
    trial_expect(wrapped_place(-1e-9f, 0.125f, 8) == 0, "just below 0 is not 0");
    trial_expect(wrapped_place(1, 0.125f, 8) == 0, "the length is not 0");
    trial_expect(wrapped_place(nextafterf(1, 0), 0.125f, 8) == nextafterf(8, 0),
                 "just below the length");
    trial_expect(wrapped_place(-0.25f, 0.125f, 8) == 6, "two cells below 0");
    trial_expect(wrapped_place(2.25f, 0.125f, 8) == 2, "more than twice around");
}

/* ---- potential ---- */

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

static potential potential_on(const int64_t extent[3], double per_dx, potential_way way)
{
    return (potential) { extent, extent[0] * extent[1] * extent[2], per_dx, 1, way, in_one_thread };
}

static const double TWO_PI = 6.283185307179586476925;

static double wave_angle(const int64_t extent[3], const int64_t wave[3], int64_t cell)
{
    const int64_t at[3] = { cell / extent[2] / extent[1], cell / extent[2] % extent[1],
                            cell % extent[2] };
    double        turns = 0;

    for (int d = 0; d < 3; d++)
        turns += (double)(wave[d] * at[d]) / (double)extent[d];
    return TWO_PI * turns;
}

/* rho = mean + cos(k x) is an eigenfunction: phi = -4 pi G cos(k x) / k^2, k by the largest extent.
 */
static void test_wave(const int64_t extent[3], const int64_t wave[3])
{
    const potential p      = potential_on(extent, 8, POTENTIAL_DENSE);
    const int64_t   cells  = p.cells;
    number         *rho    = get_memory((size_t)cells, sizeof *rho);
    number         *phi    = get_memory((size_t)cells, sizeof *phi);
    double          square = 0;

    for (int d = 0; d < 3; d++) {
        const double k = TWO_PI * (double)wave[d] * p.per_dx / (double)extent[d];

        square += k * k;
    }
    for (int64_t i = 0; i < cells; i++)
        rho[i] = exact(3 + cos(wave_angle(extent, wave, i)));
    solve_potential(&p, rho, phi);
    for (int64_t i = 0; i < cells; i++) {
        const double expected = -2 * TWO_PI * (rho[i].v - 3) / square;

        trial_expect(fabs(phi[i].v - expected) < 1e-12, "wave %d %d %d, cell %d: %g, not %g",
                     (int)wave[0], (int)wave[1], (int)wave[2], (int)i, phi[i].v, expected);
        trial_expect(phi[i].e > 0 && phi[i].e * NUMBER_ROUNDOFF < 1e-4, "bound %g", phi[i].e);
    }
    free(rho);
    free(phi);
}

/* Compares FFTW with the sum written out, on the same density, and their two bounds. */
static void test_fast_is_dense(int64_t gx, int64_t gy, int64_t gz)
{
    const int64_t   extent[3] = { gx, gy, gz };
    const potential dense     = potential_on(extent, 32, POTENTIAL_DENSE);
    const potential fast      = potential_on(extent, 32, POTENTIAL_FAST);
    number         *rho       = get_memory((size_t)dense.cells, sizeof *rho);
    number         *a         = get_memory((size_t)dense.cells, sizeof *a);
    number         *b         = get_memory((size_t)dense.cells, sizeof *b);
    double          largest = 0, off = 0;

    for (int64_t i = 0; i < dense.cells; i++)
        rho[i] = (number) { 1 + noise(7, (uint64_t)i), 1 + noise(8, (uint64_t)i) };
    solve_potential(&dense, rho, a);
    solve_potential(&fast, rho, b);
    for (int64_t i = 0; i < dense.cells; i++) {
        largest = fmax(largest, fabs(a[i].v));
        off     = fmax(off, fabs(a[i].v - b[i].v));
        trial_expect(fabs(a[i].e - b[i].e) <= 1e-10 * a[i].e, "bound %g, not %g", b[i].e, a[i].e);
    }
    trial_expect(off <= 1e-13 * largest, "%d x %d x %d: off by %g of %g", (int)gx, (int)gy, (int)gz,
                 off, largest);
    free(rho);
    free(a);
    free(b);
}

static void test_fast(void)
{
    if (!potential_has_fast()) {
        (void)printf("no FFTW here: its transforms are not tested\n");
        return;
    }
    test_fast_is_dense(8, 4, 6);
    test_fast_is_dense(5, 7, 3);
    test_fast_is_dense(1, 1, 31);
    test_fast_is_dense(32, 17, 20);
}

/* An error of one node reaches phi through the potential of that node. If it is the only one, the
 * bound is four times that, and more by what transforms and factors add. */
static void test_error_of_one_node(void)
{
    const int64_t   extent[3] = { 6, 5, 4 };
    const potential p         = potential_on(extent, 6, POTENTIAL_DENSE);
    number          rho[120], phi[120], sure[120];

    memset(rho, 0, sizeof rho);
    rho[37].v = 1;
    solve_potential(&p, rho, sure);
    rho[37].e = 1e6;
    solve_potential(&p, rho, phi);
    for (int i = 0; i < 120; i++)
        trial_expect(fabs(phi[i].e - sure[i].e - 4e6 * fabs(sure[i].v)) < 1e-6 * phi[i].e,
                     "cell %d: bound %g for %g", i, phi[i].e, sure[i].v);
}

/* ---- exchange ---- */

static void test_equilibrium(void)
{
    const number one     = exact(1);
    bool         is_sure = true;

    trial_expect(is_near(equilibrium(exact(1), one, &is_sure).v, 1 / (exp(1) - 1)), "x = 1");
    trial_expect(equilibrium(exact(1e-5), one, &is_sure).v == 1, "x below 1e-4 gives T");
    trial_expect(is_near(equilibrium(exact(5e-4), one, &is_sure).v, 5e-4 / expm1(5e-4)),
                 "x = 5e-4 is not below the limit");
    trial_expect(equilibrium(exact(1), exact(0), &is_sure).v == 0, "nothing at T = 0");
    trial_expect(equilibrium(exact(-3), one, &is_sure).v == 1, "negative omega gives T");
    trial_expect(is_near(equilibrium(exact(60), one, &is_sure).v, 60 * exp(-60)), "x above 50");
    trial_expect(is_sure, "decisions far from their limits are sure");
    (void)equilibrium(exact(1e-4), (number) { 1, 8 }, &is_sure);
    trial_expect(!is_sure, "a decision on its limit is sure");
}

static void test_exchange(void)
{
    const number dt   = exact(0.01);
    bool         sure = true;
    const double mass = 1e-3, dx = 0.125,
                 tau   = mass / (4 * 3.14159265358979323846 * THERMO_CONDUCTIVITY * dx / 2);
    const double alpha = 1 - exp(-0.01 / tau);

    /* T = 1, E_eq = T for a slow oscillator: what it lacks comes by alpha. */
    trial_expect(fabs(exchanged(mass, 0, exact(mass), 0.9995, dt, dx, &sure).v - alpha * 0.0005) <
                     1e-15,
                 "towards the oscillator");
    trial_expect(fabs(exchanged(mass, 0, exact(mass), 2, dt, dx, &sure).v + alpha) < 1e-12,
                 "back from it");
    trial_expect(exchanged(mass, 0, exact(mass), 0, exact(1e3), dx, &sure).v == mass,
                 "no more than there is");
    trial_expect(exchanged(mass, 0, exact(0), 0, dt, dx, &sure).v == 0, "nothing from nothing");
}

/* ---- bounds ---- */

/* Results of fp32 arithmetic must lie within what the numbers say. */
static void test_bounds_hold(void)
{
    double worst = 0;

    for (uint64_t i = 0; i < 20000; i++) {
        const float a = (float)(2 + noise(1, i)), b = (float)(2 + noise(2, i)),
                    c    = (float)noise(3, i);
        const float  got = sqrtf(a * b + c * c) * c / b - a * c;
        const number n =
            difference(product(product(root(sum(product(exact((double)a), exact((double)b)),
                                                product(exact((double)c), exact((double)c)))),
                                       exact((double)c)),
                               ratio(exact(1), exact((double)b))),
                       product(exact((double)a), exact((double)c)));

        worst = fmax(worst, fabs((double)got - n.v) / (n.e * NUMBER_ROUNDOFF + 1e-300));
    }
    (void)printf("worst error / bound in fp32: %.2f\n", worst);
    trial_expect(worst <= 1 && worst > 0.1, "error / bound %g", worst);
}

static void test_the_larger(void)
{
    trial_expect(larger((number) { 5, 10 }, (number) { 1, 1e6 }).e == 10,
                 "what is far behind adds its bound");
    trial_expect(larger((number) { 5, 10 }, (number) { 5, 90 }).e >= 89,
                 "what may be ahead does not");
    trial_expect(least_of((number) { 5, 10 }, exact((double)INFINITY)).e == 10,
                 "infinity adds a bound");
}

int main(void)
{
    static const int64_t even[3] = { 8, 4, 6 }, odd[3] = { 5, 7, 3 };
    static const int64_t waves[][3] = {
        { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 2, -1, 1 }, { 1, 1, -1 }
    };

    test_cloud();
    test_wrapped_place();
    for (size_t w = 0; w < sizeof waves / sizeof *waves; w++) {
        test_wave(even, waves[w]);
        test_wave(odd, waves[w]);
    }
    test_fast();
    test_error_of_one_node();
    test_equilibrium();
    test_exchange();
    test_bounds_hold();
    test_the_larger();
    return trial_finish("test_thermo_step_ref");
}
