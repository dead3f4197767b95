/* The particles of the case thermo_step, by start and class of input, and which of them are
 * invalid. */
#ifndef ASSAY_THERMO_STEP_INPUTS_H
#define ASSAY_THERMO_STEP_INPUTS_H

#include "../thermo/thermo_particles.h"

#include "../../kernels/thermo_step/step_case.h"

#include <math.h>

/* Words of the axis `start`, by place. */
enum {
    START_CALM,
    START_CLUSTERED,
    START_HOT,
    START_SPARK,
    START_DEBT
};

static double spacing(const assay_shape *s)
{
    const int64_t *n = s->param + STEP_PARAM_GX;

    return (double)(float)(1 / fmax(fmax((double)n[0], (double)n[1]), (double)n[2]));
}

static double per_cell(const assay_shape *s)
{
    return (double)s->buf[STEP_BUF_MASS].count / (double)s->cells;
}

static bool is_adversarial(const assay_shape *s)
{
    return s->param[STEP_PARAM_INPUT] == ASSAY_INPUT_ADVERSARIAL;
}

static bool is_hot(const assay_shape *s) { return s->param[STEP_PARAM_START] == START_HOT; }
static bool is_in_debt(const assay_shape *s) { return s->param[STEP_PARAM_START] == START_DEBT; }
static bool is_spark(const assay_shape *s)
{
    return s->param[STEP_PARAM_START] == START_SPARK || is_in_debt(s);
}

/* Of 64 particles one has an invalid velocity, one an invalid mass, one an invalid heat, one an
 * invalid energy and one an invalid frequency. */
enum {
    BAD_PERIOD = 64,
    BAD_VEL    = 9,
    BAD_MASS   = 20,
    BAD_HEAT   = 33,
    BAD_ENERGY = 46,
    BAD_OMEGA  = 59
};

static bool is_bad(const assay_shape *s, int64_t t, int what)
{
    return is_adversarial(s) && t % BAD_PERIOD == what;
}

static double bad_value(int64_t t)
{
    return t / BAD_PERIOD % 2 == 0 ? (double)NAN : -(double)INFINITY;
}

/* Some particles are so light that their oscillators' energy is much more than their heat: what
 * they exchange is far above its rounding errors. */
static double weight(const assay_shape *s, int64_t t)
{
    return is_adversarial(s) && t % 4 == 2 ? 0x1p-14 : 1;
}

/* ---- places ---- */

/* Hot gas fills the middle half of each axis, with two particles a cell and axis, a little off the
 * quarters: no node at its edge is so thin that it is inadmissible before it moves. Around it is
 * vacuum, which may take up only very little at once. */
static double hot_place(uint64_t random, int64_t t, int d, const assay_shape *s)
{
    const int64_t *n    = s->param + STEP_PARAM_GX;
    int64_t        rest = t;

    for (int e = 2; e > d; e--)
        rest /= 2 * (n[e] / 2);
    rest %= 2 * (n[d] / 2);
    return ((double)(n[d] / 4) + ((double)rest + 0.5) / 2 + 0.1 * (unit_interval(random) - 0.5)) *
           spacing(s);
}

/* All particles are at the middle node of a vacuum, and the deposit is exact. They are so hot that
 * what they give to the six neighbours is inadmissible until dt has been halved twice: first for
 * the neighbours' momentum, then for their energy. Or the energy is as far below 0: no dt makes
 * that admissible. */
static const double SPARK_RHO = 0x1p-8, SPARK_E = 0x1p-1;

static double spark_place(int d, const assay_shape *s)
{
    return (double)(s->param[STEP_PARAM_GX + d] / 2) * spacing(s);
}

/* A particle's part of a density. */
static double spark_share(double density, const assay_shape *s)
{
    return density * pow(spacing(s), 3) / (double)s->buf[STEP_BUF_MASS].count;
}

/* At the ends of an axis, one rounding beside them, far outside, and not a number. */
static double awkward_place(uint64_t random, double length)
{
    const double places[8] = {
        0,       -1e-9,         length,         (double)nextafterf((float)length, 0),
        -length, 2.25 * length, -3.75 * length, (double)NAN
    };

    return places[random >> 8 & 7];
}

static double fill_pos(uint64_t random, int64_t i, const assay_shape *s)
{
    const int    d      = (int)(i % 3);
    const double length = (double)s->param[STEP_PARAM_GX + d] * spacing(s);
    const bool   is_in  = s->param[STEP_PARAM_START] == START_CLUSTERED && i / 3 % 2 == 0;

    if (is_hot(s))
        return hot_place(random, i / 3, d, s);
    if (is_spark(s))
        return spark_place(d, s);
    if (is_adversarial(s) && random % 16 == 0)
        return awkward_place(random, length);
    return length * (is_in ? 0.4 + 0.2 * unit_interval(random) : unit_interval(random));
}

/* ---- all else ---- */

static double fill_vel(uint64_t random, int64_t i, const assay_shape *s)
{
    if (is_bad(s, i / 3, BAD_VEL) && i % 3 == i / 3 / BAD_PERIOD % 3)
        return bad_value(i / 3);
    return is_hot(s) || is_spark(s) ? 0 : unit_interval(random) - 0.5;
}

/* A bad mass may be a number: zero or negative. */
static double bad_mass(int64_t t, double usual)
{
    const double masses[4] = { (double)NAN, 0, (double)INFINITY, -0.1 * usual };

    return masses[t / BAD_PERIOD % 4];
}

/* Mean density 1; hot gas is thin. */
static double fill_mass(uint64_t random, int64_t t, const assay_shape *s)
{
    const double cell  = pow(spacing(s), 3);
    const double usual = is_hot(s)
                             ? 0.1 * cell / 8
                             : weight(s, t) * cell / per_cell(s) * (0.5 + unit_interval(random));

    if (is_spark(s))
        return spark_share(SPARK_RHO, s);
    return is_bad(s, t, BAD_MASS) ? bad_mass(t, usual) : usual;
}

static double fill_heat(uint64_t random, int64_t t, const assay_shape *s)
{
    const double cell = pow(spacing(s), 3);

    if (is_bad(s, t, BAD_HEAT))
        return bad_value(t);
    if (is_spark(s))
        return spark_share(is_in_debt(s) ? -SPARK_E : SPARK_E, s);
    return is_hot(s) ? 100 * 0.1 * cell / 8
                     : weight(s, t) * cell / per_cell(s) * (0.5 + unit_interval(random));
}

static double fill_energy(uint64_t random, int64_t t, const assay_shape *s)
{
    return is_bad(s, t, BAD_ENERGY) ? bad_value(t) : 2 * unit_interval(random);
}

/* Some are negative, and some so large that an oscillator has almost no energy. */
static double fill_omega(uint64_t random, int64_t t, const assay_shape *s)
{
    if (is_adversarial(s) && t % 16 == 5)
        return 100 + 300 * unit_interval(random);
    return is_bad(s, t, BAD_OMEGA) ? bad_value(t) : 5 * unit_interval(random) - 1;
}

#endif
