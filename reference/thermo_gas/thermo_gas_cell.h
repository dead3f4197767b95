/* A cell of the gas: whether its state is admissible, what follows from it, and its slope among its
 * neighbours. From the definition; every number has the bound of thermo_number.h. */
#ifndef ASSAY_REFERENCE_THERMO_GAS_CELL_H
#define ASSAY_REFERENCE_THERMO_GAS_CELL_H

#include "../thermo/thermo_number.h"

#include "../../kernels/thermo/thermo.h"
#include "../../kernels/thermo_gas/gas_case.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- admissibility ---- */

static inline bool is_finite_state(const number u[5])
{
    for (int q = 0; q < 5; q++)
        if (!(fabs(u[q].v) <= (double)FLT_MAX))
            return false;
    return true;
}

/* |rho| <= rho_min: the envelope, with small momentum and energy. */
static inline answer is_admissible_low(const number u[5])
{
    const answer slow = is_at_most(norm(u + THERMO_MOM_X), (double)(float)THERMO_RHO_MIN);
    const answer warm = is_at_least(u[THERMO_E_INT], -(double)(float)THERMO_E_BELOW);
    const answer cold = is_at_most(u[THERMO_E_INT], (double)(float)THERMO_E_ABOVE);

    return both(slow, both(warm, cold));
}

static inline answer is_admissible(const number u[5])
{
    const double rho_min = (double)(float)THERMO_RHO_MIN;
    answer       normal, low, positive;

    if (!is_finite_state(u))
        return NO;
    positive = is_at_least(u[THERMO_RHO], -rho_min);
    if (positive == NO)
        return NO;
    normal = is_at_least(u[THERMO_E_INT], 0);
    low    = both(positive, is_admissible_low(u));
    switch (is_above(u[THERMO_RHO], rho_min)) {
    case YES:
        return normal;
    case NO:
        return low;
    default: /* on either side of the limit */
        return normal == low ? low : MAYBE;
    }
}

/* For a state that is not admissible. */
static inline int why_inadmissible(const number u[5])
{
    const double rho_min = (double)(float)THERMO_RHO_MIN;

    if (!is_finite_state(u))
        return GAS_NOT_FINITE;
    if (u[THERMO_RHO].v < -rho_min)
        return GAS_NEGATIVE_DENSITY;
    if (u[THERMO_RHO].v > rho_min)
        return GAS_NEGATIVE_ENERGY;
    return norm(u + THERMO_MOM_X).v > rho_min ? GAS_ENVELOPE_MOMENTUM : GAS_ENVELOPE_ENERGY;
}

/* ---- cells ---- */

/* A cell with what follows from its state, and whether the state is admissible. */
typedef struct point {
    number u[5], slope[5]; /* slope: k of the stage that led here, unused in U0 */
    number velocity[3], p, temperature, signal;
    number work;    /* p div u of the stage that led here */
    answer stencil; /* is the stencil from which the stage started admissible? Unused in U0 */
    answer is_there;
} point;

static inline void derive(point *c)
{
    const double rho_min = (double)(float)THERMO_RHO_MIN;
    const bool   is_low  = is_above(c->u[THERMO_RHO], rho_min) == NO;
    const number rho     = { fmax(c->u[THERMO_RHO].v, rho_min), is_low ? 0 : c->u[THERMO_RHO].e };
    const number e       = { fmax(c->u[THERMO_E_INT].v, 0), c->u[THERMO_E_INT].e };

    for (int d = 0; d < 3; d++)
        c->velocity[d] = quotient(c->u[THERMO_MOM_X + d], rho);
    c->p           = product(constant(THERMO_GAMMA - 1), e);
    c->temperature = quotient(e, rho);
    c->signal = sum(norm(c->velocity), root(quotient(product(constant(THERMO_GAMMA), c->p), rho)));
}

static inline number flux(const point *c, int d, int q)
{
    if (q == THERMO_RHO)
        return c->u[THERMO_MOM_X + d];
    if (q == THERMO_MOM_X + d)
        return sum(product(c->u[q], c->velocity[d]), c->p);
    return product(c->u[q], c->velocity[d]);
}

/* +-F*: the terms of one face. */
static inline void add_face(term_sum *s, const point *left, const point *right, int d, int q,
                            double sign)
{
    const number jump = difference(right->u[q], left->u[q]);

    add(s, scaled(flux(left, d, q), sign * 0.5));
    add(s, scaled(flux(right, d, q), sign * 0.5));
    add(s, scaled(product(larger(left->signal, right->signal), jump), -sign * 0.5));
}

/* A cell and its neighbours along each direction. */
typedef struct stencil {
    const point *here, *low[3], *high[3];
} stencil;

static inline number divergence_work(const stencil *s, double per_dx)
{
    term_sum velocity = { 0 };

    for (int d = 0; d < 3; d++) {
        add(&velocity, s->high[d]->velocity[d]);
        add(&velocity, scaled(s->low[d]->velocity[d], -1));
    }
    return product(s->here->p, scaled(total(&velocity), per_dx / 2));
}

static inline number heat_flow(const stencil *s, double per_dx)
{
    const double factor  = THERMO_CONDUCTIVITY / THERMO_C_V * per_dx * per_dx;
    term_sum     laplace = { 0 };

    for (int d = 0; d < 3; d++) {
        add(&laplace, s->high[d]->temperature);
        add(&laplace, s->low[d]->temperature);
        add(&laplace, scaled(s->here->temperature, -2));
    }
    return product(constant(factor), total(&laplace));
}

static inline number slope_of(const stencil *s, int q, double per_dx, number work)
{
    term_sum faces = { 0 };
    term_sum slope = { 0 };

    for (int d = 0; d < 3; d++) {
        add_face(&faces, s->here, s->high[d], d, q, -1);
        add_face(&faces, s->low[d], s->here, d, q, 1);
    }
    add(&slope, scaled(total(&faces), per_dx));
    if (q == THERMO_E_INT) {
        add(&slope, scaled(work, -1));
        add(&slope, heat_flow(s, per_dx));
    }
    return total(&slope);
}

static inline answer is_stencil_admissible(const stencil *s)
{
    answer all = s->here->is_there;

    for (int d = 0; d < 3; d++)
        all = both(all, both(s->low[d]->is_there, s->high[d]->is_there));
    return all;
}

#endif
