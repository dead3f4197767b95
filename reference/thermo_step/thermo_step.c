/* A whole step in double: deposit, potential, dt, Heun step of the gas (thermo_gas) with halving of
 * dt until no cell is NaN, gather, gravity, motion, exchange of heat. Each number has a bound on
 * what rounding can do to it, from the deposit to the last value. */
#include "thermo_potential.h"
#include "thermo_step_internal.h"

#include <stdlib.h>
#include <string.h>

assay_reference_fn thermo_step_reference;

/* ---- dt ---- */

/* The largest |u|_2 + c, |u|_1 + 3c and 1/rho of the cells outside the envelope. */
typedef struct step_speeds {
    number signal, sum, per_rho;
} step_speeds;

static void take_speeds(step_speeds *most, const number u[5])
{
    number velocity[3], sum = exact(0), c;

    if (is_above(u[THERMO_RHO], (double)(float)THERMO_RHO_MIN) == NO || is_admissible(u) == NO)
        return;
    for (int d = 0; d < 3; d++) {
        velocity[d] = quotient(u[THERMO_MOM_X + d], u[THERMO_RHO]);
        sum         = (number) { sum.v + fabs(velocity[d].v),
                                 sum.e + velocity[d].e + 3 * fabs(velocity[d].v) };
    }
    c = root(product(constant(THERMO_GAMMA * (THERMO_GAMMA - 1)),
                     quotient(u[THERMO_E_INT], u[THERMO_RHO])));
    most->signal =
        larger(most->signal, (number) { norm(velocity).v + c.v,
                                        norm(velocity).e + c.e + norm(velocity).v + c.v });
    /* c may be what is left of the signal speed without |u|. */
    most->sum     = larger(most->sum,
                           (number) { sum.v + 3 * c.v, sum.e + 3 * (c.e + 2 * norm(velocity).e +
                                                                2 * c.v + 2 * norm(velocity).v) });
    most->per_rho = larger(most->per_rho, quotient(exact(1), u[THERMO_RHO]));
}

/* limit / speed, infinite for speed 0. */
static number limit_of(double limit, number speed)
{
    return speed.v > 0 ? ratio(constant(limit), speed) : exact((double)INFINITY);
}

static number first_dt(const step *s)
{
    const double dx          = (double)s->dx;
    const double diffusivity = fmax(THERMO_MU, THERMO_CONDUCTIVITY / THERMO_C_V);
    step_speeds  most        = { 0 };
    number       advection, diffusion, dt;

    for (int64_t cell = 0; cell < s->cells; cell++)
        take_speeds(&most, s->u0[cell].u);
    diffusion = limit_of(THERMO_CFL_DIFF * dx * dx / diffusivity, most.per_rho);
    if (s->args->param[STEP_PARAM_RULE] == STEP_DT_METAL)
        advection = most.sum.v > 0 ? limit_of(THERMO_CFL * dx, most.sum) : constant(dx);
    else
        advection = limit_of(s->args->param[STEP_PARAM_RULE] == STEP_DT_TRITON ? THERMO_CFL * dx
                                                                               : 0.9 * dx / 3,
                             most.signal);
    if (s->args->param[STEP_PARAM_RULE] == STEP_DT_STABLE && isfinite(advection.v))
        dt = ratio(exact(1), sum(ratio(exact(1), advection), ratio(exact(1), diffusion)));
    else
        dt = least_of(advection, diffusion);
    if (!isfinite(dt.v)) /* there is nothing that could move */
        return constant(THERMO_DT_MAX);
    return least_of((number) { dt.v, dt.e + dt.v }, constant(THERMO_DT_MAX));
}

/* ---- attempts ---- */

static void load_cell(const void *from, int64_t cell, number u[5])
{
    const step *s = from;

    memcpy(u, s->u0[cell].u, sizeof s->u0[cell].u);
}

static void store_cell(void *to, int stage, int64_t cell, const point *c)
{
    step *s = to;

    if (s->log != NULL)
        step_log_note(s->log, stage, cell, c);
    if (stage != 2)
        return;
    memcpy(s->u2[cell].u, c->u, sizeof c->u);
    /* If rounding decides whether dt is halved there is no reference: the bound says so. */
    for (int q = 0; c->is_there != YES && q < 5; q++)
        *(c->is_there == NO ? &s->u2[cell].u[q].v : &s->u2[cell].u[q].e) =
            c->is_there == NO ? (double)NAN : (double)INFINITY;
}

static void pass_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    (void)chunk;
    if (!thermo_gas_pass_planes(context, begin, end))
        abort();
}

static bool has_nan(const step *s)
{
    for (int64_t cell = 0; cell < s->cells; cell++)
        if (isnan(s->u2[cell].u[0].v))
            return true;
    return false;
}

static void advance_gas(step *s)
{
    const int64_t      planes = (s->extent[0] + 63) / 64;
    thermo_gas_passage w      = { thermo_gas_grid_of(s->extent, 0), load_cell, s, store_cell, s };

    w.g.per_dx = s->per_dx;
    for (s->halvings = 0; s->halvings < STEP_NO_DT; s->halvings++) {
        w.g.dt = s->dt;
        s->args->parallel_for(s->extent[0], planes, pass_chunk, &w);
        if (s->log != NULL)
            step_log_add_attempt(s->log, s);
        if (!has_nan(s))
            return;
        if (s->halvings < THERMO_MAX_HALVINGS)
            s->dt = (number) { s->dt.v / 2, s->dt.e / 2 };
    }
}

/* ---- particles ---- */

typedef struct gathered {
    number u[5], slope[3];
} gathered;

static gathered gather(const step *s, const cloud *c)
{
    gathered to;

    for (int q = 0; q < 5; q++) {
        term_sum mean = { 0 };

        for (int k = 0; k < CORNERS; k++)
            add(&mean, product(c->weight[k], s->u2[c->node[k]].u[q]));
        to.u[q] = total(&mean);
    }
    for (int d = 0; s->phi != NULL && d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        term_sum  slope = { 0 };

        for (int k = 0; k < CORNERS; k++) {
            const number w = product(c->side[e][k >> (2 - e) & 1], c->side[f][k >> (2 - f) & 1]);

            add(&slope, scaled(product(w, s->phi[c->node[k]]), k >> (2 - d) & 1 ? 1 : -1));
        }
        to.slope[d] = scaled(total(&slope), s->per_dx);
    }
    return to;
}

static void expect_number(const step *s, int b, int64_t i, number x, bool is_sure)
{
    assay_expected *const e = &s->args->expect[b];

    e->value[i]     = x.v;
    e->magnitude[i] = x.e;
    e->law[i]       = isnan(x.v) ? ASSAY_MUST_BE_NAN : is_sure ? ASSAY_COMPARE : ASSAY_EXEMPT;
}

/* pos - L floor(pos / L). The two ends of an axis are one place, so that near them either may come
 * out. */
static void expect_position(const step *s, int64_t i, number pos, int d)
{
    const double length = (double)((float)s->extent[d] * s->dx);
    const double turns = floor(pos.v / length), at = pos.v - turns * length;
    const number wrapped = { at, pos.e + fabs(pos.v) + 2 * fabs(turns) * length };
    const double margin  = NUMBER_SLACK * NUMBER_ROUNDOFF * wrapped.e;

    expect_number(s, STEP_BUF_NEW_POS, i, wrapped,
                  (at > margin && at < length - margin) || pos.e == 0);
}

static void expect_nothing(const step *s, int64_t t)
{
    const number none = exact((double)NAN);

    for (int d = 0; d < 3; d++) {
        expect_number(s, STEP_BUF_NEW_POS, 3 * t + d, none, true);
        expect_number(s, STEP_BUF_NEW_VEL, 3 * t + d, none, true);
    }
    expect_number(s, STEP_BUF_NEW_HEAT, t, none, true);
    expect_number(s, STEP_BUF_NEW_ENERGY, t, none, true);
}

/* Does the particle have what the gather needs: a place, a mass above 0 and an oscillator? */
static bool is_whole(const step *s, int64_t t)
{
    bool is =
        isfinite(s->mass[t]) && s->mass[t] > 0 && isfinite(s->energy[t]) && isfinite(s->omega[t]);

    for (int d = 0; d < 3; d++)
        is = is && isfinite(s->pos[3 * t + d]);
    return is;
}

static void expect_particle(const step *s, int64_t t)
{
    const cloud    c        = cloud_of(s->extent, s->dx, s->pos + 3 * t);
    const gathered g        = gather(s, &c);
    const number   mass     = exact((double)s->mass[t]);
    const bool     is_there = g.u[THERMO_RHO].v > 0;
    const number   heat     = is_there ? product(product(mass, constant(THERMO_C_V)),
                                                 ratio(g.u[THERMO_E_INT], g.u[THERMO_RHO]))
                                       : exact(0);
    bool           is_sure  = true;
    number         gain;

    if (!is_whole(s, t) || !isfinite(g.u[THERMO_RHO].v) || !isfinite(g.u[THERMO_E_INT].v) ||
        !isfinite(heat.v) || heat.v < 0) {
        expect_nothing(s, t);
        return;
    }
    for (int d = 0; d < 3; d++) {
        number u = is_there ? ratio(g.u[THERMO_MOM_X + d], g.u[THERMO_RHO]) : exact(0);

        if (s->phi != NULL)
            u = difference(u, product(g.slope[d], s->dt));
        expect_number(s, STEP_BUF_NEW_VEL, 3 * t + d, u, true);
        expect_position(s, 3 * t + d, sum(exact((double)s->pos[3 * t + d]), product(u, s->dt)), d);
    }
    gain = exchanged((double)s->mass[t], (double)s->omega[t], heat, (double)s->energy[t], s->dt,
                     (double)s->dx, &is_sure);
    expect_number(s, STEP_BUF_NEW_HEAT, t, difference(heat, gain), is_sure);
    expect_number(s, STEP_BUF_NEW_ENERGY, t, sum(exact((double)s->energy[t]), gain), is_sure);
}

/* ---- the case ---- */

static void particle_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    (void)chunk;
    for (int64_t t = begin; t < end; t++)
        expect_particle(context, t);
}

static void expect_fields(const step *s, int first, const cell_numbers *from)
{
    for (int64_t cell = 0; cell < s->cells; cell++) {
        expect_number(s, first, cell, from[cell].u[THERMO_RHO], true);
        for (int d = 0; d < 3; d++)
            expect_number(s, first + 1, 3 * cell + d, from[cell].u[THERMO_MOM_X + d], true);
        expect_number(s, first + 2, cell, from[cell].u[THERMO_E_INT], true);
    }
}

static step step_of(const assay_reference_args *args)
{
    const void *const *in   = args->in;
    step               s    = { .args   = args,
                                .pos    = in[STEP_BUF_POS],
                                .vel    = in[STEP_BUF_VEL],
                                .mass   = in[STEP_BUF_MASS],
                                .heat   = in[STEP_BUF_HEAT],
                                .energy = in[STEP_BUF_ENERGY],
                                .omega  = in[STEP_BUF_OMEGA],
                                .n      = args->count[STEP_BUF_MASS],
                                .cells  = args->count[STEP_BUF_RHO],
                                .extent = args->param + STEP_PARAM_GX };
    int64_t            most = s.extent[0];

    for (int d = 1; d < 3; d++)
        most = s.extent[d] > most ? s.extent[d] : most;
    s.dx     = (float)(1 / (double)most);
    s.per_dx = 1 / (double)s.dx;
    s.u0     = allocate(s.cells, sizeof *s.u0);
    s.u2     = allocate(s.cells, sizeof *s.u2);
    s.log    = args->count[STEP_BUF_LOG_COUNT] > 0 ? step_log_create(s.cells) : NULL;
    return s;
}

static void expect_potential(step *s)
{
    const potential p   = { .extent       = s->extent,
                            .cells        = s->cells,
                            .per_dx       = s->per_dx,
                            .gravity      = (double)s->args->param[STEP_PARAM_GRAVITY],
                            .parallel_for = s->args->parallel_for };
    number *const   rho = allocate(s->cells, sizeof *rho);

    for (int64_t i = 0; i < s->cells; i++)
        rho[i] = s->u0[i].u[THERMO_RHO];
    s->phi = allocate(s->cells, sizeof *s->phi);
    solve_potential(&p, rho, s->phi);
    for (int64_t i = 0; i < s->cells; i++)
        expect_number(s, STEP_BUF_PHI, i, s->phi[i], true);
    free(rho);
}

void thermo_step_reference(const assay_reference_args *args)
{
    step s = step_of(args);

    step_deposit_particles(&s);
    expect_fields(&s, STEP_BUF_RHO, s.u0);
    if (args->param[STEP_PARAM_GRAVITY] != 0)
        expect_potential(&s);
    s.dt = first_dt(&s);
    advance_gas(&s);
    expect_fields(&s, STEP_BUF_RHO_2, s.u2);
    args->parallel_for(s.n, (s.n + 63) / 64, particle_chunk, &s);
    expect_number(&s, STEP_BUF_DT, 0, s.dt, true);
    args->expect[STEP_BUF_HALVINGS].integer[0] = s.halvings;
    /* A position near an end of its axis: within about 50 u of it, of 1. */
    args->expect[STEP_BUF_NEW_POS].exempt_share = 2 * 50 * 0x1p-24;
    if (s.log != NULL)
        step_log_expect(s.log, args);
    step_log_free(s.log);
    free(s.u0);
    free(s.u2);
    free(s.phi);
}
