/* Marches of many steps as points of a run. */
#include "thermo_many_store.h"

#include "../../../kernels/thermo/thermo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plan ---- */

static const char march_what[] = "a thousand steps of a clustered start, one variant";
static const char step_what[]  = "one of a thousand steps of a clustered start";

/* A step of a march or, for step 0, the whole march. */
static assay_program_point point_of(const many_plan *p, int64_t gravity, int way, int step)
{
    assay_program_point point = {
        .case_name    = step ? "thermo_many_step" : "thermo_many",
        .case_what    = step ? step_what : march_what,
        .case_version = 1,
        .variant      = step_way_name(p->ways[way]),
        .baseline     = way > 0 ? step_way_name(p->ways[0]) : NULL,
        .axis         = { { .name = "grid", .value = { p->side, p->side, p->side } },
                          { .name = "per_cell", .value = { p->per_cell } },
                          { .name = "gravity", .value = { gravity } } },
        .n_axes       = 3,
        .cells        = p->side * p->side * p->side * p->per_cell,
        .is_timed     = step == 0,
    };

    if (step > 0)
        point.axis[point.n_axes++] = (assay_program_axis) { .name = "step", .value = { step } };
    return point;
}

static int64_t count_points(const many_plan *p) { return (int64_t)p->n_ways * (MANY_STEPS + 1); }

/* Each step, and after them the whole march. */
static void add_march(many_store *store, const many_plan *p, int64_t gravity)
{
    for (int step = 1; step <= MANY_STEPS + 1; step++)
        for (int way = 0; way < p->n_ways; way++)
            store->points[store->n++] = point_of(p, gravity, way, step <= MANY_STEPS ? step : 0);
}

bool many_store_plan(many_store *store, const many_plan *plans, size_t n_plans, const char *name)
{
    int64_t n = 0;

    for (size_t i = 0; i < n_plans; i++)
        n += strcmp(plans[i].name, name) == 0 ? 2 * count_points(&plans[i]) : 0;
    *store = (many_store) { .points = calloc((size_t)n + 1, sizeof *store->points) };
    for (size_t i = 0; store->points && i < n_plans; i++)
        for (int64_t gravity = 0; strcmp(plans[i].name, name) == 0 && gravity <= 1; gravity++)
            add_march(store, &plans[i], gravity);
    return store->points != NULL;
}

assay_status many_store_take(many_store *store, const many_plan *plan, bool *is_wanted)
{
    store->march = plan;
    store->first = store->next;
    store->next += count_points(plan);
    return assay_program_take(store->program, store->first, count_points(plan), is_wanted);
}

static int64_t place_of(const many_store *store, int way, int step)
{
    return store->first + (int64_t)(step > 0 ? step - 1 : MANY_STEPS) * store->march->n_ways + way;
}

/* ---- a step ---- */

/* A law of a step that was checked. */
typedef struct law {
    const char *output, *why;
    double      error, bound;
} law;

static assay_status put_laws(many_store *store, int64_t point, const law *laws, size_t n)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < n; i++) {
        const assay_program_check check = { .output = laws[i].output,
                                            .why    = laws[i].why,
                                            .error  = laws[i].error,
                                            .bound  = laws[i].bound };

        ASSAY_CHECK(assay_program_put_check(store->program, point, &check));
    }
out:
    return st;
}

static bool do_hold(const law *laws, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(laws[i].error <= laws[i].bound))
            return false;
    return true;
}

enum {
    MOST_LAWS = 9
};

/* The bounds are derived in step_laws.c. */
static size_t list_laws(const step_laws *l, bool has_energy, law laws[MOST_LAWS])
{
    static const char argued[] = "roundings of the deposit and of the gas, over their bound";
    size_t            n        = 0;

    laws[n++] = (law) { "mass", argued, l->mass, 1 };
    laws[n++] = (law) { "momentum", argued, l->momentum, 1 };
    laws[n++] = (law) { "heat", argued, l->heat, 1 };
    if (has_energy)
        laws[n++] =
            (law) { "energy", "gain of the gas against its work, over its bound", l->energy, 1 };
    laws[n++] = (law) { "exchange", "heat against oscillators, the worst particle over its bound",
                        l->exchange, 1 };
    laws[n++] = (law) { "misplaced", "no particle is outside or below zero", l->misplaced, 0 };
    return n;
}

static assay_status put_facts(many_store *store, int64_t point, const many_step *about)
{
    const step_totals s = step_totals_of(about->run);
    const struct {
        const char *name;
        double      value;
    } facts[] = {
        { "dt", (double)step_dt(about->run) },
        { "halvings", step_halvings(about->run) },
        { "apart_from_first_way",
          about->is_first_way ? (double)NAN : step_apart(about->of_first_way, about->run) },
        { "particles_momentum_x", s.momentum[0] },
        { "particles_momentum_y", s.momentum[1] },
        { "particles_momentum_z", s.momentum[2] },
        { "particles_heat", s.heat },
        { "particles_energy", s.energy },
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        ASSAY_CHECK(assay_program_put_fact(store->program, point, facts[i].name, facts[i].value));
out:
    return st;
}

assay_status many_store_step(many_store *store, int way, int step, const many_step *about)
{
    const int64_t point = place_of(store, way, step);
    law           laws[MOST_LAWS];
    size_t        n  = list_laws(&about->laws, about->has_energy, laws);
    assay_status  st = ASSAY_OK;

    if (!store->program)
        return ASSAY_OK;
    laws[n++] = (law) { "halvings", "dt is halved this often at most", step_halvings(about->run),
                        THERMO_MAX_HALVINGS };
    if (step == 1 && !about->is_first_way)
        laws[n++] = (law) { "apart", "one order of additions against another, one step",
                            step_apart(about->of_first_way, about->run), 1e-5 };
    ASSAY_CHECK(put_laws(store, point, laws, n));
    if (do_hold(laws, n))
        ASSAY_CHECK(put_facts(store, point, about));
out:
    return st;
}

/* The march ends there for all ways. */
assay_status many_store_break(many_store *store, int way, int step)
{
    const law    failed = { "runs", "every step is launched and stays finite", 1, 0 };
    assay_status st     = ASSAY_OK;

    for (int k = step; store->program && k <= MANY_STEPS + 1; k++)
        for (int w = k == step ? way : 0; w < store->march->n_ways; w++) {
            const int64_t point = place_of(store, w, k <= MANY_STEPS ? k : 0);

            if (w == way && (k == step || k > MANY_STEPS))
                ASSAY_CHECK(put_laws(store, point, &failed, 1));
            else
                ASSAY_CHECK(assay_program_skip(store->program, point,
                                               "a step of this march has failed before"));
        }
out:
    return st;
}

/* ---- a march ---- */

assay_status many_store_march(many_store *store, int way, const many_march *about)
{
    const int64_t             point = place_of(store, way, 0);
    const assay_program_times times = { .clock    = ASSAY_PROGRAM_WALL,
                                        .time_ns  = about->time_ns,
                                        .n        = MANY_STEPS,
                                        .n_blocks = 10,
                                        .calls    = 1 };
    law                       laws[MOST_LAWS];
    size_t                    n  = list_laws(&about->worst, true, laws);
    assay_status              st = ASSAY_OK;

    if (!store->program)
        return ASSAY_OK;
    laws[n++] = (law) { "has_halved", "some step halves dt as often as this start asks for",
                        about->most_halvings < store->march->least_halvings, 0 };
    ASSAY_CHECK(put_laws(store, point, laws, n));
    if (!do_hold(laws, n))
        goto out;
    ASSAY_CHECK(assay_program_put_times(store->program, point, &times));
    ASSAY_CHECK(
        assay_program_put_fact(store->program, point, "steps_with_halvings", about->steps_halved));
    ASSAY_CHECK(
        assay_program_put_fact(store->program, point, "most_halvings", about->most_halvings));
out:
    return st;
}

assay_status many_store_finish(many_store *store) { return assay_program_finish(store->program); }

void many_store_close(many_store *store, int *exit_status)
{
    if (assay_program_close(store->program, exit_status) != ASSAY_OK)
        (void)fprintf(stderr, "test_thermo_many: %s\n", assay_status_message());
    free(store->points);
    *store = (many_store) { .n = 0 };
}
