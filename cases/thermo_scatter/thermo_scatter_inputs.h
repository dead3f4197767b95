/* The particles of the case thermo_scatter: where they are, by distribution and class of input, and
 * which of them are invalid. */
#ifndef ASSAY_THERMO_SCATTER_INPUTS_H
#define ASSAY_THERMO_SCATTER_INPUTS_H

#include "../thermo/thermo_particles.h"

#include "../../kernels/thermo_scatter/scatter_case.h"

#include <math.h>

/* From an element index of pos: component d of particle t, on an axis of `cells` cells and this
 * length. */
typedef struct coordinate {
    int     d;
    int64_t t, cells;
    double  dx, length;
    int     distribution;
} coordinate;

static coordinate coordinate_of(int64_t index, const assay_shape *s)
{
    const int d = (int)(index % 3);

    return (coordinate) {
        .d            = d,
        .t            = index / 3,
        .cells        = s->param[SCATTER_PARAM_GX + d],
        .dx           = s->scalar[SCATTER_SCALAR_DX],
        .length       = (double)s->param[SCATTER_PARAM_GX + d] * s->scalar[SCATTER_SCALAR_DX],
        .distribution = (int)s->param[SCATTER_PARAM_DISTRIBUTION],
    };
}

/* The cluster: a box whose side is this part of each axis, 1 % of the volume. */
static const double CLUSTER_AT = 0.3, CLUSTER_SIDE = 0.21544;

static double random_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    const coordinate x = coordinate_of(index, s);
    const double     u = unit_interval(random);

    if (x.distribution == SCATTER_CLUSTERED && x.t % 2 == 1)
        return (CLUSTER_AT + CLUSTER_SIDE * u) * x.length;
    if (x.distribution == SCATTER_ONE_CELL)
        return ((double)(x.cells / 2) + u) * x.dx;
    if (x.distribution == SCATTER_ONE_FACE && x.d == 0)
        return random & 1 ? x.length : 0;
    return u * x.length;
}

/* At a multiple of a quarter of the spacing, which is a power of two here. */
static double exact_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    const coordinate x       = coordinate_of(index, s);
    const double     quarter = (double)(random >> 62) / 4;
    const double     first   = floor(CLUSTER_AT * (double)x.cells);
    const int64_t    side    = 1 + (int64_t)(CLUSTER_SIDE * (double)x.cells);

    if (x.distribution == SCATTER_CLUSTERED && x.t % 2 == 1)
        return (first + (double)pick(random, side) + quarter) * x.dx;
    if (x.distribution == SCATTER_ONE_CELL)
        return ((double)(x.cells / 2) + quarter) * x.dx;
    if (x.distribution == SCATTER_ONE_FACE && x.d == 0)
        return random & 1 ? x.length : 0;
    return ((double)pick(random, x.cells) + quarter) * x.dx;
}

/* Of 64 particles one has an invalid position, one an invalid velocity, one an invalid mass, one an
 * invalid heat. */
enum {
    BAD_PERIOD   = 64,
    BAD_POS      = 7,
    BAD_VEL      = 20,
    BAD_MASS     = 33,
    BAD_HEAT     = 46,
    BAD_INFINITE = 128 /* every second one of these is infinite instead of NaN */
};

static bool   is_bad(int64_t t, int what) { return t % BAD_PERIOD == what; }
static double bad_value(int64_t t)
{
    return t % BAD_INFINITE < BAD_PERIOD ? (double)NAN : -(double)INFINITY;
}

/* Places where wrapping and flooring go wrong: just outside, on and just inside an edge of the
 * domain or of a cell, lengths away, denormal, and so far away that the spacing is lost. */
static double special_pos(uint64_t random, const coordinate *x)
{
    const double node    = (double)pick(random, x->cells) * x->dx;
    const double table[] = { -1e-9,
                             x->length,
                             (double)nextafterf((float)x->length, 0),
                             0,
                             node,
                             (double)nextafterf((float)node, -1),
                             -x->dx / 3,
                             2.5 * x->length,
                             (double)nextafterf((float)(2 * x->length), 0),
                             (double)nextafterf((float)(3 * x->length), 0),
                             -7.3 * x->length,
                             1e-40,
                             -1e-40,
                             -1e-6 * x->dx,
                             123456.7 * x->length,
                             -1e30 };

    return table[(random >> 40) % (sizeof table / sizeof *table)];
}

static double adversarial_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    const coordinate x = coordinate_of(index, s);

    if (is_bad(x.t, BAD_POS) && x.d == (int)(x.t / BAD_PERIOD % 3))
        return bad_value(x.t);
    return random >> 63 ? special_pos(random, &x) : random_pos(random, index, s);
}

static double adversarial_vel(uint64_t random, int64_t index, const assay_shape *s)
{
    const double v = 1000 + 100 * (double)(index % 3) + unit_interval(random); /* sums cancel */

    (void)s;
    if (is_bad(index / 3, BAD_VEL) && index % 3 == index / 3 / BAD_PERIOD % 3)
        return bad_value(index / 3);
    return index / 3 % 2 ? v : -v;
}

/* From a mass with a denormal density to one that hides all others. */
static double adversarial_mass(uint64_t random, int64_t t, const assay_shape *s)
{
    static const double scale[8] = { 1, 1, 1, 1e-43, 1e-36, 1e-6, 1e6, 1 };

    (void)s;
    return is_bad(t, BAD_MASS) ? bad_value(t) : scale[random & 7] * (0.5 + unit_interval(random));
}

static double adversarial_heat(uint64_t random, int64_t t, const assay_shape *s)
{
    static const double scale[4] = { 1, 0, 1e-40, 1e5 };

    (void)s;
    return is_bad(t, BAD_HEAT) ? bad_value(t) : scale[random & 3] * (0.5 + unit_interval(random));
}

/* Exact: weights are multiples of 1/64, masses 1 or 2, velocities -2 .. 2, heats 0 .. 4. So sums of
 * terms below 2^8 stay below 2^24 for 2^16 particles around a node. */
typedef struct fills {
    assay_fill pos, vel, mass, heat;
} fills;

static fills fills_of(assay_input input)
{
    switch (input) {
    case ASSAY_INPUT_EXACT:
        return (fills) { ASSAY_CUSTOM(exact_pos), ASSAY_INTEGERS(-2, 2, 1), ASSAY_INTEGERS(1, 2, 1),
                         ASSAY_INTEGERS(0, 4, 1) };
    case ASSAY_INPUT_ADVERSARIAL:
        return (fills) { ASSAY_CUSTOM(adversarial_pos), ASSAY_CUSTOM(adversarial_vel),
                         ASSAY_CUSTOM(adversarial_mass), ASSAY_CUSTOM(adversarial_heat) };
    default:
        return (fills) { ASSAY_CUSTOM(random_pos), ASSAY_UNIFORM(-0.5, 1.5),
                         ASSAY_UNIFORM(0.5, 1.5), ASSAY_UNIFORM(0.5, 1.5) };
    }
}

#endif
