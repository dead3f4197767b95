/* One Heun step of the gas in double, from the definition, with a bound on what rounding in fp32
 * can do to each value and to each decision.
 *
 * F_d = (mom_d, mom u_d + p e_d, e u_d); at a face F* = (F_L + F_R)/2 - max(s_L, s_R)/2 (U_R - U_L)
 * with s = |u|_2 + c; k = -sum_d (F*_high - F*_low)/dx, and for e also -p div u + kappa lap T;
 * U1 = U0 + dt k(U0), U2 = U0 + dt/2 (k(U0) + k(U1)). */
#include "thermo_gas.h"

#include "thermo_gas_pass.h"

#include <stdlib.h>
#include <string.h>

assay_reference_fn thermo_gas_reference;

/* ---- stages ---- */

thermo_gas_grid thermo_gas_grid_of(const int64_t n[3], double dt)
{
    thermo_gas_grid g = { .n = { n[0], n[1], n[2] }, .dt = constant(dt) };

    for (int d = 0; d < 3; d++)
        g.per_dx = fmax(g.per_dx, (double)n[d]);
    return g;
}

static number step_from(number from, number slope, number dt)
{
    const number gain = product(dt, slope);

    return (number) { from.v + gain.v, from.e + gain.e + fabs(from.v) + fabs(gain.v) };
}

/* Stage 1 (start NULL): here + dt k; stage 2: start + dt/2 (k1 + k2). */
static void advance(const thermo_gas_grid *g, const stencil *s, const point *start, point *to)
{
    to->stencil = to->is_there = is_stencil_admissible(s);
    if (to->is_there == NO)
        return;
    to->work = divergence_work(s, g->per_dx);
    for (int q = 0; q < 5; q++) {
        to->slope[q] = slope_of(s, q, g->per_dx, to->work);
        to->u[q]     = start == NULL ? step_from(s->here->u[q], to->slope[q], g->dt)
                                     : step_from(start->u[q], sum(s->here->slope[q], to->slope[q]),
                                                 scaled(g->dt, 0.5));
    }
    to->is_there = both(to->is_there, is_admissible(to->u));
    derive(to);
}

/* Planes of points along x: the present one, and those before and after it. */
static void advance_plane(const thermo_gas_grid *g, const point *before, const point *here,
                          const point *after, const point *start, point *to)
{
    const int64_t ny = g->n[1], nz = g->n[2];

    for (int64_t j = 0; j < ny; j++)
        for (int64_t k = 0; k < nz; k++) {
            const int64_t at = j * nz + k;
            const stencil s  = {
                 .here = &here[at],
                 .low  = { &before[at], &here[(j + ny - 1) % ny * nz + k],
                           &here[j * nz + (k + nz - 1) % nz] },
                 .high = { &after[at], &here[(j + 1) % ny * nz + k], &here[j * nz + (k + 1) % nz] },
            };

            advance(g, &s, start == NULL ? NULL : &start[at], &to[at]);
        }
}

/* ---- from one state to the next, plane by plane ---- */

enum {
    RING = 3
};

static void load_plane(const thermo_gas_passage *w, int64_t x, point *to)
{
    const int64_t plane = w->g.n[1] * w->g.n[2];

    for (int64_t i = 0; i < plane; i++) {
        w->load(w->from, x * plane + i, to[i].u);
        to[i].is_there = is_admissible(to[i].u);
        if (to[i].is_there != NO)
            derive(&to[i]);
    }
}

static void store_plane(const thermo_gas_passage *w, int stage, int64_t x, const point *from)
{
    const int64_t plane = w->g.n[1] * w->g.n[2];

    for (int64_t i = 0; i < plane; i++)
        w->store(w->to, stage, x * plane + i, &from[i]);
}

/* Does planes begin..end-1 of both stages. Step q loads U0 of plane begin - 2 + q; U1 follows one
 * plane behind, U2 two planes behind. U1 of the planes next to the range is computed again. */
bool thermo_gas_pass_planes(const thermo_gas_passage *w, int64_t begin, int64_t end)
{
    const int64_t nx = w->g.n[0], plane = w->g.n[1] * w->g.n[2], count = end - begin;
    point *const  memory = calloc((size_t)((1 + 2 * RING) * plane), sizeof *memory);
    point *u0[RING], *u1[RING], *const u2 = memory;

    if (memory == NULL)
        return false;
    for (int r = 0; r < RING; r++) {
        u0[r] = memory + (1 + r) * plane;
        u1[r] = memory + (1 + RING + r) * plane;
    }
    for (int64_t q = 0; q < count + 4; q++) {
        const int64_t x = ((begin - 2 + q) % nx + nx) % nx;

        load_plane(w, x, u0[q % RING]);
        if (q < 2)
            continue;
        advance_plane(&w->g, u0[(q - 2) % RING], u0[(q - 1) % RING], u0[q % RING], NULL,
                      u1[(q - 1) % RING]);
        if (q < 4)
            continue;
        advance_plane(&w->g, u1[(q - 3) % RING], u1[(q - 2) % RING], u1[(q - 1) % RING],
                      u0[(q - 2) % RING], u2);
        store_plane(w, 1, begin + q - 4, u1[(q - 2) % RING]);
        store_plane(w, 2, begin + q - 4, u2);
    }
    free(memory);
    return true;
}

/* ---- states in double ---- */

typedef struct double_passage {
    thermo_gas_state *to;
    int               stage; /* the stage that is wanted */
    double            work;
} double_passage;

static void load_double(const void *from, int64_t cell, number u[5])
{
    const thermo_gas_state *state = from;

    for (int q = 0; q < 5; q++)
        u[q] = exact(state[cell].u[q]);
}

static void store_double(void *context, int stage, int64_t cell, const point *c)
{
    double_passage *all = context;

    all->work += c->is_there == NO ? (double)NAN : c->work.v;
    if (stage != all->stage)
        return;
    for (int q = 0; q < 5; q++)
        all->to[cell].u[q] = c->is_there == NO ? (double)NAN : c->u[q].v;
}

static bool pass_double(const int64_t n[3], double dt, const thermo_gas_state *from,
                        double_passage *all)
{
    const thermo_gas_passage w = { thermo_gas_grid_of(n, dt), load_double, from, store_double,
                                   all };

    return thermo_gas_pass_planes(&w, 0, n[0]);
}

bool thermo_gas_step(const int64_t n[3], double dt, const thermo_gas_state *from,
                     thermo_gas_state *to, double *work)
{
    double_passage all = { .to = to, .stage = 2 };

    if (!pass_double(n, dt, from, &all))
        return false;
    if (work != NULL)
        *work = dt / 2 * all.work;
    return true;
}

bool thermo_gas_first_stage(const int64_t n[3], double dt, const thermo_gas_state *from,
                            thermo_gas_state *to)
{
    double_passage all = { .to = to, .stage = 1 };

    return pass_double(n, dt, from, &all);
}

thermo_gas_speeds thermo_gas_speeds_of(const thermo_gas_state *state, int64_t cells)
{
    const double      rho_min = (double)(float)THERMO_RHO_MIN;
    thermo_gas_speeds most    = { 0, 0, 0 };

    for (int64_t i = 0; i < cells; i++) {
        const double *u  = state[i].u;
        const double  vx = u[THERMO_MOM_X] / u[THERMO_RHO], vy = u[THERMO_MOM_Y] / u[THERMO_RHO];
        const double  vz = u[THERMO_MOM_Z] / u[THERMO_RHO];
        const double  c =
            sqrt(THERMO_GAMMA * (THERMO_GAMMA - 1) * fmax(u[THERMO_E_INT], 0) / u[THERMO_RHO]);

        if (!(u[THERMO_RHO] > rho_min))
            continue;
        most.signal      = fmax(most.signal, sqrt(vx * vx + vy * vy + vz * vz) + c);
        most.sum         = fmax(most.sum, fabs(vx) + fabs(vy) + fabs(vz) + 3 * c);
        most.diffusivity = fmax(most.diffusivity,
                                fmax(THERMO_MU, THERMO_CONDUCTIVITY / THERMO_C_V) / u[THERMO_RHO]);
    }
    return most;
}

double thermo_gas_dt(thermo_gas_dt_rule rule, const thermo_gas_speeds *speeds, double dx)
{
    const double diffusion = THERMO_CFL_DIFF * dx * dx / speeds->diffusivity;
    double       advection;

    switch (rule) {
    case THERMO_GAS_DT_METAL:
        advection = speeds->sum > 0 ? THERMO_CFL * dx / speeds->sum : dx;
        break;
    case THERMO_GAS_DT_TRITON:
        advection = THERMO_CFL * dx / speeds->signal;
        break;
    default:
        advection = 0.9 * dx / (3 * speeds->signal);
    }
    if (rule == THERMO_GAS_DT_STABLE)
        return fmin(1 / (1 / advection + 1 / diffusion), THERMO_DT_MAX);
    return fmin(fmin(advection, diffusion), THERMO_DT_MAX);
}

/* ---- the case ---- */

typedef struct single_fields {
    const float *rho, *mom, *e;
} single_fields;

static void load_single(const void *from, int64_t cell, number u[5])
{
    const single_fields *f = from;

    u[THERMO_RHO] = exact((double)f->rho[cell]);
    for (int d = 0; d < 3; d++)
        u[THERMO_MOM_X + d] = exact((double)f->mom[3 * cell + d]);
    u[THERMO_E_INT] = exact((double)f->e[cell]);
}

static void expect_value(assay_expected *e, int64_t i, number u, answer is_there)
{
    static const uint8_t law[] = {
        [NO] = ASSAY_MUST_BE_NAN, [MAYBE] = ASSAY_MAY_BE_NAN, [YES] = ASSAY_COMPARE
    };

    e->law[i]       = law[is_there];
    e->value[i]     = u.v;
    e->magnitude[i] = u.e;
}

static void store_expected(void *context, int stage, int64_t cell, const point *c)
{
    assay_expected *const expect = context;
    assay_expected *const to     = expect + (stage == 1 ? GAS_BUF_RHO_1 : GAS_BUF_RHO_2);

    if (to->value == NULL)
        return;
    expect_value(&to[0], cell, c->u[THERMO_RHO], c->is_there);
    for (int d = 0; d < 3; d++)
        expect_value(&to[1], 3 * cell + d, c->u[THERMO_MOM_X + d], c->is_there);
    expect_value(&to[2], cell, c->u[THERMO_E_INT], c->is_there);
}

/* Without memory the values of the planes are NaN, which the harness reports as the reference's
 * failure. */
static void expect_planes(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const thermo_gas_passage *w     = context;
    const int64_t             plane = w->g.n[1] * w->g.n[2];
    const point               none  = { .u        = { { (double)NAN, 0 },
                                                      { (double)NAN, 0 },
                                                      { (double)NAN, 0 },
                                                      { (double)NAN, 0 },
                                                      { (double)NAN, 0 } },
                                        .is_there = YES };

    (void)chunk;
    if (thermo_gas_pass_planes(w, begin, end))
        return;
    for (int64_t cell = begin * plane; cell < end * plane; cell++)
        w->store(w->to, 2, cell, &none);
}

static int64_t bits_of(double value)
{
    const float single = (float)value;
    uint32_t    bits;

    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* Is this cell admissible in the input, and made inadmissible by stage 1 itself? Not if it has that
 * from a neighbour. */
static bool is_late_source(const assay_reference_args *args, const single_fields *from,
                           int64_t cell)
{
    const int64_t *n         = args->param + GAS_PARAM_GX;
    const int64_t  stride[3] = { n[1] * n[2], n[2], 1 };
    number         u[5];

    if (!args->expect[GAS_BUF_RHO_1].value ||
        args->expect[GAS_BUF_RHO_1].law[cell] != ASSAY_MUST_BE_NAN)
        return false;
    for (int d = 0; d < 3; d++) {
        const int64_t at = cell / stride[d] % n[d];

        load_single(from, cell + (at + 1 == n[d] ? 1 - n[d] : 1) * stride[d], u);
        if (is_admissible(u) == NO)
            return false;
        load_single(from, cell + (at == 0 ? n[d] - 1 : -1) * stride[d], u);
        if (is_admissible(u) == NO)
            return false;
    }
    return true;
}

/* The state of a cell in the input or, for a late source, after stage 1. The kernel rounds the
 * latter in its own way, so its words are not compared. */
static void expect_entry(const assay_reference_args *args, int64_t cell, const number u[5],
                         bool is_late)
{
    int64_t *const entry = args->expect[GAS_BUF_LOG].integer;

    entry[GAS_LOG_CELL]   = cell;
    entry[GAS_LOG_STAGE]  = is_late ? 1 : 0;
    entry[GAS_LOG_REASON] = why_inadmissible(u);
    entry[GAS_LOG_DT]     = bits_of(args->scalar[GAS_SCALAR_DT]);
    entry[GAS_LOG_TURN]   = 1;
    for (int q = 0; q < 5; q++) {
        entry[GAS_LOG_STATE + q] = is_late ? 0 : bits_of(u[q].v);
        if (is_late)
            args->expect[GAS_BUF_LOG].law[GAS_LOG_STATE + q] = ASSAY_EXEMPT;
    }
}

/* If the log is checked it has one source: the order of several would be free. */
static void expect_log(const assay_reference_args *args, const single_fields *from)
{
    int64_t *const        count = args->expect[GAS_BUF_LOG_COUNT].integer;
    const assay_expected *after = args->expect + GAS_BUF_RHO_1;

    memset(args->expect[GAS_BUF_LOG].integer, 0,
           (size_t)args->count[GAS_BUF_LOG] * sizeof(int64_t));
    args->expect[GAS_BUF_LOG].exempt_share = 5.0 / (GAS_LOG_CAPACITY * GAS_LOG_WORDS);
    *count                                 = 0;
    for (int64_t cell = 0; cell < args->count[GAS_BUF_RHO]; cell++) {
        number u[5];
        bool   is_late;

        load_single(from, cell, u);
        is_late = is_admissible(u) != NO;
        if (is_late && !is_late_source(args, from, cell))
            continue;
        if (is_late) {
            u[THERMO_RHO] = exact(after[0].value[cell]);
            for (int d = 0; d < 3; d++)
                u[THERMO_MOM_X + d] = exact(after[1].value[3 * cell + d]);
            u[THERMO_E_INT] = exact(after[2].value[cell]);
        }
        ++*count;
        expect_entry(args, cell, u, is_late);
    }
}

enum {
    MAX_SLABS = 64
};

/* A value of U2 depends on 32 decisions: its own in two stages, and those of its neighbours.
 * Rounding changes one whose value lies within about 50 u of a limit, in a range about as wide as
 * the value: 32 * 2 * 50 u. */
#define EXEMPT_SHARE (32 * 2 * 50 * 0x1p-24)

void thermo_gas_reference(const assay_reference_args *args)
{
    const single_fields from = { args->in[GAS_BUF_RHO], args->in[GAS_BUF_MOM],
                                 args->in[GAS_BUF_E] };
    const int64_t      *n    = args->param + GAS_PARAM_GX;
    thermo_gas_passage w = { thermo_gas_grid_of(n, args->scalar[GAS_SCALAR_DT]), load_single, &from,
                             store_expected, args->expect };

    args->parallel_for(n[0], (n[0] + MAX_SLABS - 1) / MAX_SLABS, expect_planes, &w);
    for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
        args->expect[b].exempt_share = EXEMPT_SHARE;
    if (args->count[GAS_BUF_LOG_COUNT] > 0)
        expect_log(args, &from);
}
