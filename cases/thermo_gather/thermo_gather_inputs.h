/* The grids and particles of the case thermo_gather, by class of input. */
#ifndef ASSAY_THERMO_GATHER_INPUTS_H
#define ASSAY_THERMO_GATHER_INPUTS_H

#include "../thermo/thermo_particles.h"

#include "../../kernels/thermo_gather/gather_case.h"

#include <math.h>

static int64_t extent_of(const assay_shape *s, int64_t d) { return s->param[GATHER_PARAM_GX + d]; }
static double  dx_of(const assay_shape *s) { return s->scalar[GATHER_SCALAR_DX]; }

/* ---- positions: element index is component index % 3 of particle index / 3 ---- */

static double random_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    return unit_interval(random) * (double)extent_of(s, index % 3) * dx_of(s);
}

/* At a multiple of a quarter of the spacing, which is a power of two here. */
static double exact_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    const double quarter = (double)(random >> 62) / 4;

    return ((double)pick(random, extent_of(s, index % 3)) + quarter) * dx_of(s);
}

/* Places where wrapping and flooring go wrong: just outside, on and just inside an edge of the
 * domain or of a cell, lengths away, and denormal ones except along x: there, next to gas, the
 * density would be too small for single precision. */
static double special_pos(uint64_t random, int64_t d, const assay_shape *s)
{
    const double dx      = dx_of(s);
    const double length  = (double)extent_of(s, d) * dx;
    const double node    = (double)pick(random, extent_of(s, d)) * dx;
    const double table[] = { -1e-9,
                             length,
                             (double)nextafterf((float)length, 0),
                             0,
                             node,
                             (double)nextafterf((float)node, -1),
                             -dx / 3,
                             2.5 * length,
                             (double)nextafterf((float)(2 * length), 0),
                             (double)nextafterf((float)(3 * length), 0),
                             -7.3 * length,
                             -1e-6 * dx,
                             123456.7 * length,
                             1e-40,
                             -1e-40 };
    const size_t n       = sizeof table / sizeof *table - (d == 0 ? 2 : 0);

    return table[(random >> 40) % n];
}

/* Of 64 particles one has an invalid position, and one an invalid mass. */
enum {
    BAD_PERIOD = 64,
    BAD_POS    = 7,
    BAD_MASS   = 33
};

static double adversarial_pos(uint64_t random, int64_t index, const assay_shape *s)
{
    const int64_t t = index / 3;

    if (t % BAD_PERIOD == BAD_POS && index % 3 == t / BAD_PERIOD % 3)
        return random & 1 ? (double)NAN : (double)INFINITY;
    return random >> 63 ? special_pos(random, index % 3, s) : random_pos(random, index, s);
}

static double adversarial_mass(uint64_t random, int64_t t, const assay_shape *s)
{
    static const double bad[4]   = { (double)NAN, (double)INFINITY, 0, -1 };
    static const double scale[4] = { 1, 1e-42, 1e6, 1e-20 };

    (void)s;
    if (t % BAD_PERIOD == BAD_MASS)
        return bad[t / BAD_PERIOD % 4];
    return scale[random & 3] * (0.5 + unit_interval(random));
}

/* ---- fields with gas, almost none, none, and negative density ----
 *
 * Signs change only across planes of exact zeros. So the terms of a weighted sum have one sign, and
 * no rounding decides whether there is gas. Denormal densities have no zeros beside them. */

static const double DENORMAL = 1e-39;

static double density_scale(int64_t i, int64_t planes)
{
    const double pattern[8] = { 1, DENORMAL, DENORMAL, 1, 0, -1, 0, 1 };

    if (i > 0 && i == planes - 1) /* between its predecessor and plane 0, which has gas */
        return pattern[(i - 1) % 8] == DENORMAL ? 1 : 0;
    return pattern[i % 8];
}

static double energy_sign(int64_t j, int64_t planes)
{
    static const double pattern[6] = { 1, 1, 1, 0, -1, 0 };

    return j > 0 && j == planes - 1 ? 0 : pattern[j % 6];
}

static double scale_at(int64_t node, const assay_shape *s)
{
    return density_scale(node / (extent_of(s, 1) * extent_of(s, 2)), extent_of(s, 0));
}

/* One value in 1024 of every field is invalid. */
static double or_bad(uint64_t random, double value)
{
    return (random & 1023) == 5 ? (random & 1024 ? (double)NAN : -(double)INFINITY) : value;
}

static double adversarial_rho(uint64_t random, int64_t node, const assay_shape *s)
{
    return or_bad(random, scale_at(node, s) * (0.5 + unit_interval(random)));
}

static double adversarial_mom(uint64_t random, int64_t index, const assay_shape *s)
{
    return or_bad(random, fabs(scale_at(index / 3, s)) * (unit_interval(random) - 0.5));
}

/* A vacuum has energy too, in places a negative one. */
static double adversarial_e(uint64_t random, int64_t node, const assay_shape *s)
{
    const double  density = fabs(scale_at(node, s)), scale = density == 0 ? 1 : density;
    const int64_t j    = node / extent_of(s, 2) % extent_of(s, 1);
    const double  sign = scale == DENORMAL ? 1 : energy_sign(j, extent_of(s, 1));

    return or_bad(random, scale * sign * (1 + 2 * unit_interval(random)));
}

/* Small differences of large values. */
static double adversarial_phi(uint64_t random, int64_t node, const assay_shape *s)
{
    (void)node;
    return or_bad(random, dx_of(s) * (1000 + unit_interval(random)));
}

/* ---- fills ---- */

typedef struct fills {
    assay_fill pos, mass, rho, mom, e, phi;
} fills;

/* Exact: the density is 2 everywhere, weights are multiples of 1/64, and everything else is a small
 * integer times a power of two. */
static fills fills_of(assay_input input, double dx)
{
    switch (input) {
    case ASSAY_INPUT_EXACT:
        return (fills) { ASSAY_CUSTOM(exact_pos), ASSAY_INTEGERS(1, 4, 1),
                         ASSAY_INTEGERS(2, 2, 1), ASSAY_INTEGERS(-4, 4, 1),
                         ASSAY_INTEGERS(0, 8, 1), ASSAY_INTEGERS(-4, 4, dx) };
    case ASSAY_INPUT_ADVERSARIAL:
        return (fills) { ASSAY_CUSTOM(adversarial_pos), ASSAY_CUSTOM(adversarial_mass),
                         ASSAY_CUSTOM(adversarial_rho), ASSAY_CUSTOM(adversarial_mom),
                         ASSAY_CUSTOM(adversarial_e),   ASSAY_CUSTOM(adversarial_phi) };
    default:
        return (
            fills) { ASSAY_CUSTOM(random_pos), ASSAY_UNIFORM(0.5, 1.5), ASSAY_UNIFORM(0.5, 1.5),
                     ASSAY_UNIFORM(-0.5, 0.5), ASSAY_UNIFORM(1, 3),     ASSAY_UNIFORM(-dx, dx) };
    }
}

#endif
