/* A thousand steps of a clustered start, with gravity and without, several ways side by side. They
 * stay finite, halve dt where they must, and keep every step's laws. How far they drift apart is
 * printed as CSV. On a GPU and, with the suffix _host, on the host device. With --db each step is a
 * point of a run of that database, and so is each march.
 *
 *   test_thermo_many [--db FILE [--resume] [--processes N]] [quick|full]
 *
 * full: several grids and all ways, the default. */
#include "thermo_many_store.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../testing/phys_device.h"
#include "gas_test.h"

#include "exit_status.h"

#include <string.h>

static const many_plan plans[] = {
    { "quick", 6, 4, 4, { HOST_RETRY, DEVICE_RETRY_TILED }, 2, 50, 2 },
    { "full",
      8,
      8,
      4,
      { HOST_RETRY, HOST_RETRY_TILED, DEVICE_RETRY, DEVICE_RETRY_ENQUEUED, DEVICE_RETRY_TILED },
      5,
      10,
      3 },
    { "full", 16, 8, 2, { HOST_RETRY, DEVICE_RETRY_TILED }, 2, 100, 1 },
};

/* The ways of a plan, and their history. */
typedef struct march {
    const many_plan *p;
    int64_t          gravity;
    step_run         run[N_WAYS];
    int              halved[N_WAYS], most[N_WAYS]; /* steps with halvings; the most in one step */
    step_laws        worst[N_WAYS];
    double           time_ns[N_WAYS][MANY_STEPS];
    many_store      *store;
} march;

/* Gas that is so light is held apart by its pressure for that long, with gravity or without. As it
 * is so warm, what flows into the vacuum around the cluster is inadmissible at first. Oscillators
 * of these frequencies hold about as much as the heat of a particle; others would take all of it,
 * and cold gas collapses. */
static void make_light(const step_run *r, float temperature)
{
    for (int64_t t = 0; t < r->count[STEP_BUF_MASS]; t++) {
        step_floats(r, STEP_BUF_MASS)[t] /= 32;
        step_floats(r, STEP_BUF_HEAT)[t] *= temperature / 32;
        step_floats(r, STEP_BUF_OMEGA)[t]  = 60;
        step_floats(r, STEP_BUF_ENERGY)[t] = 0;
    }
}

static bool march_make(march *m, const many_plan *p, int64_t gravity, many_store *store)
{
    memset(m, 0, sizeof *m);
    m->store   = store;
    m->p       = p;
    m->gravity = gravity;
    for (int w = 0; w < p->n_ways; w++) {
        const step_point at = { p->side, p->per_cell, STEP_CLUSTERED, gravity, STEP_DT_METAL, 0 };

        if (!step_run_make(&m->run[w], p->ways[w], at)) {
            while (w-- > 0)
                step_run_free(&m->run[w]);
            return false;
        }
        make_light(&m->run[w], p->temperature);
    }
    return true;
}

static void march_free(march *m)
{
    for (int w = 0; w < m->p->n_ways; w++)
        step_run_free(&m->run[w]);
}

/* ---- what is printed ---- */

static void print_header(void)
{
    (void)printf("side,gravity,way,step,dt,halvings,apart,mass,momentum,heat,energy,exchange,"
                 "particles_momentum_x,particles_momentum_y,particles_momentum_z,particles_heat,"
                 "particles_energy\n");
}

static bool is_printed(int step)
{
    for (int decade = 1; decade <= MANY_STEPS; decade *= 10)
        if (step == decade || step == 2 * decade || step == 5 * decade)
            return true;
    return false;
}

/* `apart` is relative to the first way; laws are the worst of all steps so far, over their
 * bounds. */
static void print_row(const march *m, int w, int step)
{
    const step_run   *r = &m->run[w];
    const step_laws  *l = &m->worst[w];
    const step_totals s = step_totals_of(r);

    (void)printf("%d,%d,%s,%d,%.4g,%d,%.2g,%.2g,%.2g,%.2g,%.2g,%.2g,%.6g,%.6g,%.6g,%.6g,%.6g\n",
                 (int)m->p->side, (int)m->gravity, r->variant->name, step, (double)step_dt(r),
                 step_halvings(r), step_apart(&m->run[0], r), l->mass, l->momentum, l->heat,
                 l->energy, l->exchange, s.momentum[0], s.momentum[1], s.momentum[2], s.heat,
                 s.energy);
}

/* ---- steps ---- */

static void take_worst(step_laws *worst, const step_laws *l)
{
    const double  from[] = { l->mass, l->momentum, l->heat, l->energy, l->exchange, l->misplaced };
    double *const to[]   = { &worst->mass,   &worst->momentum, &worst->heat,
                             &worst->energy, &worst->exchange, &worst->misplaced };

    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        *to[i] = from[i] <= *to[i] ? *to[i] : isnan(from[i]) ? (double)INFINITY : from[i];
}

/* Reports a failure, and returns false. */
static bool stored(assay_status st)
{
    return trial_expect(st == ASSAY_OK, "not stored: %s", assay_status_message());
}

static bool is_sound(const march *m, int w, int step)
{
    const step_run *r = &m->run[w];

    return trial_expect(step_is_finite(r) && step_halvings(r) <= THERMO_MAX_HALVINGS,
                        "side %d, gravity %d, %s: step %d ends with %d halvings and is not finite",
                        (int)m->p->side, (int)m->gravity, r->variant->name, step, step_halvings(r));
}

/* One step of one way; false if it ends there. */
static bool advance(march *m, int w, int step)
{
    const step_run *r     = &m->run[w];
    many_step       about = { .run          = r,
                              .of_first_way = &m->run[0],
                              .is_first_way = w == 0,
                              .has_energy   = step % m->p->energy_every == 0 };

    if (!step_run_time(r, &m->time_ns[w][step - 1]) || !is_sound(m, w, step)) {
        (void)stored(many_store_break(m->store, w, step));
        return false;
    }
    m->halved[w] += step_halvings(r) > 0 ? 1 : 0;
    m->most[w] = step_halvings(r) > m->most[w] ? step_halvings(r) : m->most[w];
    about.laws = step_laws_of(r, about.has_energy);
    take_worst(&m->worst[w], &about.laws);
    return stored(many_store_step(m->store, w, step, &about));
}

/* With the same inputs, other orders of additions move no particle further than their bounds, about
 * 50 u. */
static void expect_near(const march *m)
{
    for (int w = 1; w < m->p->n_ways; w++)
        trial_expect(step_apart(&m->run[0], &m->run[w]) < 1e-5, "%s: apart after one step",
                     m->run[w].variant->name);
}

static bool march_on(march *m)
{
    for (int step = 1; step <= MANY_STEPS; step++) {
        for (int w = 0; w < m->p->n_ways; w++)
            if (!advance(m, w, step))
                return false;
        if (step == 1)
            expect_near(m);
        for (int w = 0; is_printed(step) && w < m->p->n_ways; w++)
            print_row(m, w, step);
        for (int w = 0; w < m->p->n_ways; w++)
            step_run_adopt(&m->run[w]);
    }
    return true;
}

static void expect_laws(const march *m, int w)
{
    const step_laws *l    = &m->worst[w];
    const char      *name = m->run[w].variant->name;

    trial_expect(l->mass <= 1 && l->momentum <= 1, "%s: mass %g, momentum %g over bounds", name,
                 l->mass, l->momentum);
    trial_expect(l->heat <= 1 && l->energy <= 1, "%s: heat %g, energy %g over bounds", name,
                 l->heat, l->energy);
    trial_expect(l->exchange <= 1, "%s: exchange %g over its bound", name, l->exchange);
    trial_expect(l->misplaced == 0, "%s: %g particles outside or below 0", name, l->misplaced);
    trial_expect(m->most[w] >= m->p->least_halvings, "%s: %d halvings at most", name, m->most[w]);
    (void)printf("# side %d, gravity %d, %s: %d of %d steps with halvings, up to %d\n",
                 (int)m->p->side, (int)m->gravity, name, m->halved[w], MANY_STEPS, m->most[w]);
}

/* Gravity must have had an effect: `without` has the positions of the first way without it. */
static void expect_gravity(const march *m, const float *without)
{
    double most = 0;

    for (int64_t i = 0; i < m->run[0].count[STEP_BUF_NEW_POS]; i++)
        most = fmax(
            most, fabs((double)step_floats(&m->run[0], STEP_BUF_NEW_POS)[i] - (double)without[i]));
    trial_expect(most > 0.01, "gravity moves nothing: %g", most);
}

/* Runs to the end, with all checks of the result. */
static void march_through(march *m)
{
    if (!march_on(m))
        return;
    for (int w = 0; w < m->p->n_ways; w++) {
        const many_march about = { .worst         = m->worst[w],
                                   .steps_halved  = m->halved[w],
                                   .most_halvings = m->most[w],
                                   .time_ns       = m->time_ns[w] };

        expect_laws(m, w);
        (void)stored(many_store_march(m->store, w, &about));
    }
}

/* A march that is already stored is not run again, and has no positions. */
static void test_many(const many_plan *p, many_store *store)
{
    float *without   = NULL;
    bool   is_wanted = false;
    march  m;

    for (int64_t gravity = 0; gravity <= 1; gravity++) {
        if (!stored(many_store_take(store, p, &is_wanted)))
            break;
        if (!is_wanted)
            continue;
        if (!march_make(&m, p, gravity, store))
            break;
        march_through(&m);
        (void)stored(many_store_finish(store));
        const size_t bytes = (size_t)m.run[0].count[STEP_BUF_NEW_POS] * sizeof(float);

        if (gravity == 0)
            without = memcpy(get_memory(bytes, 1), m.run[0].host[STEP_BUF_NEW_POS], bytes);
        else if (without)
            expect_gravity(&m, without);
        march_free(&m);
    }
    free(without);
}

static void test_all(many_store *store, const char *name, const assay_program_words *words)
{
    const size_t        n     = sizeof plans / sizeof *plans;
    assay_program_start start = { .name = "test_thermo_many", .words = words };

    if (!trial_expect(many_store_plan(store, plans, n, name), "out of memory"))
        return;
    start.device = assay_module_api();
    start.points = store->points;
    start.n      = store->n;
    if (!stored(assay_program_open(&start, &store->program)))
        return;
    print_header();
    for (size_t i = 0; i < n; i++)
        if (strcmp(plans[i].name, name) == 0)
            test_many(&plans[i], store);
}

int main(int argc, char **argv)
{
    char                why[200] = "";
    many_store          store    = { .n = 0 };
    assay_program_words words;
    int                 status;

    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* a finished row stays, even if this is cut off */
    if (assay_program_take_words(&argc, argv, &words) != ASSAY_OK || argc > 2) {
        (void)fprintf(stderr, "%s\nusage: test_thermo_many " ASSAY_PROGRAM_USAGE " [quick|full]\n",
                      assay_status_message());
        return ASSAY_EXIT_USAGE;
    }
    if (!phys_device_open(why, sizeof why)) {
        (void)printf("%s\n", why);
        return ASSAY_EXIT_SKIPPED;
    }
    test_all(&store, argc > 1 ? argv[1] : "full", &words);
    status = trial_finish("test_thermo_many") == 0 ? ASSAY_EXIT_PASS : ASSAY_EXIT_WRONG;
    many_store_close(&store, &status);
    return status;
}
