/* Single steps on the host device. A hot start halves dt more than once. All ways to retry and to
 * deposit agree. Gas that no dt can save ends with the number that says so. Also what a particle
 * without an answer gets. Every kernel belongs to a section. */
#include "step_test.h"

#include "../../testing/launched.h"
#include "gas_test.h"
#include "step_log_test.h"

#include <string.h>

static const char *const STARTS[] = { "calm", "clustered", "hot" };

static void run(const step_run *r)
{
    launched_forget();
    if (step_run_launch(r))
        launched_expect_sections(r->variant);
}

/* All ways enqueue the same decisions; only the order of additions differs. */
static void test_all_ways_agree(int64_t per_cell, int start, int least_halvings, int most_halvings)
{
    const step_point at = { 8, per_cell, start, 1, STEP_DT_METAL, 0 };
    step_run         first, r;

    if (!step_run_make(&first, HOST_RETRY, at))
        return;
    run(&first);
    (void)printf("%s: %d halvings\n", STARTS[start], step_halvings(&first));
    trial_expect(step_halvings(&first) >= least_halvings && step_halvings(&first) <= most_halvings,
                 "%s: %d halvings", STARTS[start], step_halvings(&first));
    for (int w = 0; w < N_WAYS; w++) {
        if (w == HOST_RETRY || !step_run_make(&r, w, at))
            continue;
        run(&r);
        trial_expect(step_halvings(&r) == step_halvings(&first), "%s, %s: %d halvings",
                     STARTS[start], r.variant->name, step_halvings(&r));
        trial_expect(fabsf(step_dt(&r) - step_dt(&first)) <= 1e-6f * step_dt(&first), "%s, %s: dt",
                     STARTS[start], r.variant->name);
        trial_expect(step_apart(&r, &first) < 1e-5, "%s, %s: positions %g apart", STARTS[start],
                     r.variant->name, step_apart(&r, &first));
        step_run_free(&r);
    }
    step_run_free(&first);
}

/* One particle alone and hot: its thin nodes are inadmissible, however short the step is. */
static void test_no_dt_is_short_enough(int way)
{
    const step_point at = { 4, 1, STEP_HOT, 0, STEP_DT_METAL, 0 };
    step_run         r;

    if (!step_run_make(&r, way, at))
        return;
    for (int64_t t = 0; t < r.count[STEP_BUF_MASS]; t++) {
        step_floats(&r, STEP_BUF_MASS)[t] = t == 0 ? 1e-5f : 0;
        step_floats(&r, STEP_BUF_HEAT)[t] = t == 0 ? 1 : 0;
    }
    run(&r);
    trial_expect(step_halvings(&r) == STEP_NO_DT, "%s: %d halvings", r.variant->name,
                 step_halvings(&r));
    trial_expect(isnan(step_floats(&r, STEP_BUF_NEW_POS)[0]), "%s: its particle has a place",
                 r.variant->name);
    step_run_free(&r);
}

/* ---- rulings ---- */

/* A particle at a node of its own, in gas so thin that nothing moves: density and energy of that
 * node, its own mass in units of the first, and whether it has an answer. */
static const struct ruling {
    const char *what;
    float       rho, e, share, vel;
    bool        is_nan;
} rulings[] = {
    { "gas", 1e-4f, 1e-6f, 1, 0, false },
    { "no mass", 1e-4f, 1e-6f, 0, 0, true },
    { "negative mass", 1e-4f, 1e-6f, -1e-3f, 0, true },
    { "negative density is vacuum", -5e-4f, 0, -1e-3f, 0, false },
    { "negative energy of gas", 1e-4f, -2e-10f, 1e-3f, 0, true },
    { "negative energy of less than gas", -5e-4f, -2e-10f, -1e-3f, 0, false },
    { "its own velocity is not used", 1e-4f, 1e-6f, 1e-3f, NAN, false },
};
enum {
    N_RULINGS = sizeof rulings / sizeof *rulings
};

static void put(const step_run *r, int64_t t, int64_t node, float mass, float heat)
{
    const float dx = 1.0f / 4;

    step_floats(r, STEP_BUF_POS)[3 * t]     = (float)(node / 16) * dx;
    step_floats(r, STEP_BUF_POS)[3 * t + 1] = (float)(node / 4 % 4) * dx;
    step_floats(r, STEP_BUF_POS)[3 * t + 2] = (float)(node % 4) * dx;
    for (int d = 0; d < 3; d++)
        step_floats(r, STEP_BUF_VEL)[3 * t + d] = 0;
    step_floats(r, STEP_BUF_MASS)[t] = mass;
    step_floats(r, STEP_BUF_HEAT)[t] = heat;
}

/* Particle 2k makes the gas of node 9k mod 64, and particle 2k + 1 is the one in question; the
 * others have mass 0 and are far away. */
static void put_rulings(const step_run *r)
{
    for (int64_t t = 2 * N_RULINGS; t < r->count[STEP_BUF_MASS]; t++)
        put(r, t, 63, 0, 0);
    for (int64_t k = 0; k < N_RULINGS; k++) {
        put(r, 2 * k, 9 * k % 64, rulings[k].rho / 64, rulings[k].e / 64);
        put(r, 2 * k + 1, 9 * k % 64, rulings[k].share * rulings[k].rho / 64, 0);
        step_floats(r, STEP_BUF_VEL)[6 * k + 3] = rulings[k].vel;
    }
}

static void expect_ruling(const step_run *r, int64_t k)
{
    const int64_t t = 2 * k + 1;
    const float   total =
        step_floats(r, STEP_BUF_NEW_HEAT)[t] + step_floats(r, STEP_BUF_NEW_ENERGY)[t];
    const float had = step_floats(r, STEP_BUF_ENERGY)[t];

    for (int d = 0; d < 3; d++)
        trial_expect(
            (isnan(step_floats(r, STEP_BUF_NEW_POS)[3 * t + d]) != 0) == rulings[k].is_nan &&
                (isnan(step_floats(r, STEP_BUF_NEW_VEL)[3 * t + d]) != 0) == rulings[k].is_nan,
            "%s, %s: component %d", r->variant->name, rulings[k].what, d);
    trial_expect((isnan(total) != 0) == rulings[k].is_nan, "%s, %s: heat and oscillator",
                 r->variant->name, rulings[k].what);
    if (rulings[k].rho < 0)
        trial_expect(step_floats(r, STEP_BUF_NEW_VEL)[3 * t] == 0 &&
                         fabsf(total - had) <= 1e-6f * had,
                     "%s, %s: is no vacuum", r->variant->name, rulings[k].what);
}

static void test_rulings(int way)
{
    const step_point at = { 4, 1, STEP_HOT, 0, STEP_DT_METAL, 0 };
    step_run         r;

    if (!step_run_make(&r, way, at))
        return;
    put_rulings(&r);
    run(&r);
    trial_expect(step_halvings(&r) == 0, "%s: the thin gas moves", r.variant->name);
    trial_expect(*(const uint32_t *)r.host[STEP_BUF_ERRORS] == 1, "%s: %u particles are rejected",
                 r.variant->name, *(const uint32_t *)r.host[STEP_BUF_ERRORS]);
    for (int64_t k = 0; k < N_RULINGS; k++)
        expect_ruling(&r, k);
    step_run_free(&r);
}

/* ---- libraries ---- */

/* Without a library there is no gravity, with a reason; everything else works. */
static void test_without_library(void)
{
    const char *why = "";
    step_run    r;

    trial_expect(setenv("ASSAY_FFT_LIBRARY", "/no/such/library", 1) == 0, "setenv");
    trial_expect(step_run_create(&r, DEVICE_RETRY_TILED, (step_point) { 4, 8, STEP_CALM, 1, 0, 0 },
                                 &why) == ASSAY_NOT_HERE &&
                     strstr(why, "/no/such/library") != NULL,
                 "gravity without a library");
    step_run_free(&r);
    trial_expect(step_run_create(&r, DEVICE_RETRY_TILED, (step_point) { 4, 8, STEP_CALM, 0, 0, 0 },
                                 &why) == 0,
                 "no gravity, no library");
    step_run_free(&r);
    (void)unsetenv("ASSAY_FFT_LIBRARY");
}

int main(void)
{
    test_all_ways_agree(8, STEP_CALM, 0, 0);
    test_all_ways_agree(8, STEP_CLUSTERED, 0, 10);
    test_all_ways_agree(1, STEP_HOT, 2, 10);
    for (int w = 0; w < N_WAYS; w++) {
        test_no_dt_is_short_enough(w);
        test_rulings(w);
    }
    test_logs();
    test_without_library();
    return trial_finish("test_thermo_step");
}
