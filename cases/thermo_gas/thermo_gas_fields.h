/* The states from which thermo_gas starts, by class of input: uniform (exact), smooth, random, and
 * a mixture of all that is awkward; with one inadmissible cell if the axis `poison` asks for it. */
#ifndef ASSAY_CASE_THERMO_GAS_FIELDS_H
#define ASSAY_CASE_THERMO_GAS_FIELDS_H

#include "case.h"

#include "../../kernels/thermo/thermo.h"
#include "../../kernels/thermo_gas/gas_case.h"

#include <math.h>

/* The one inadmissible cell: rho, mom, e by poison. In the envelope, a momentum below rho_min in
 * each component can still be too large in total. */
static const double POISONED[GAS_N_POISONS][THERMO_N_FIELDS] = {
    [GAS_POISON_NAN]               = { (double)NAN, 0.1, 0.1, 0.1, 1 },
    [GAS_POISON_INFINITE]          = { 1, 0, -(double)INFINITY, 0, 1 },
    [GAS_POISON_NEGATIVE_DENSITY]  = { -0.5, 0.1, 0.1, 0.1, 1 },
    [GAS_POISON_NEGATIVE_ENERGY]   = { 1, 0.1, 0.1, 0.1, -0.125 },
    [GAS_POISON_ENVELOPE_MOMENTUM] = { 5e-4, 8e-4, 0, 8e-4, 1e-3 },
    [GAS_POISON_ENVELOPE_HOT]      = { 5e-4, 0, 1e-4, 0, 0.02 },
    [GAS_POISON_ENVELOPE_COLD]     = { -5e-4, 0, 0, 0, -1e-6 },
    [GAS_POISON_OVERSTEPPED]       = { 1, 0, 0, 0, 600 },
};

static inline int64_t middle_cell(const int64_t *n)
{
    return ((n[0] / 2) * n[1] + n[1] / 2) * n[2] + n[2] / 2;
}

static const double TWO_PI = 6.283185307179586476925;

/* Waves that differ in all axes and fields. */
static inline double smooth(int field, int64_t cell, const int64_t *n)
{
    const double x   = TWO_PI * (double)(cell / n[2] / n[1]) / (double)n[0];
    const double y   = TWO_PI * (double)(cell / n[2] % n[1]) / (double)n[1];
    const double z   = TWO_PI * (double)(cell % n[2]) / (double)n[2];
    const double rho = 1 + 0.2 * sin(x + 2 * y - z);

    switch (field) {
    case THERMO_RHO:
        return rho;
    case THERMO_MOM_X:
        return rho * 0.3 * sin(y + z);
    case THERMO_MOM_Y:
        return rho * 0.2 * cos(x - z);
    case THERMO_MOM_Z:
        return rho * 0.4 * sin(x + y);
    default:
        return 2.5 * (1 + 0.1 * cos(2 * x + y + z));
    }
}

static inline double unit_interval(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

/* Ranges of rho, of a component of mom, and of e, for the kinds of cells of which a field is
 * mixed. */
typedef struct cell_kind {
    int    share; /* of 64 */
    double low[3], high[3];
} cell_kind;

static const cell_kind KINDS[] = {
    { 20, { 0.5, -0.5, 1 }, { 1.5, 0.5, 3 } },
    { 14, { 0, 0, 0 }, { 0, 0, 0 } },                     /* vacuum */
    { 8, { 0.9, -1.5, 5e-3 }, { 1.1, 1.5, 1.5e-2 } },     /* up to Mach 30 */
    { 6, { 2e-4, -5e-4, 0 }, { 9e-4, 5e-4, 5e-3 } },      /* envelope */
    { 4, { -9e-4, 0, -4e-10 }, { -1e-5, 1e-5, 0 } },      /* envelope, below 0 */
    { 4, { 1e-44, 0, 0 }, { 1e-39, 1e-40, 1e-40 } },      /* denormals */
    { 3, { 1e-3f, 0, 0 }, { 1e-3f, 5e-4, 1e-2f } },       /* the envelope's edge */
    { 3, { 1.1e-3, -1e-3, 1e-4 }, { 3e-3, 1e-3, 1e-3 } }, /* just above it */
    { 1, { 1, -0.1, 100 }, { 1, 0.1, 100 } },             /* a hot cell */
    { 1, { 0.5, -0.5, -0.5 }, { 1.5, 0.5, 3 } },          /* some with negative energy */
};

/* The same for all fields of a cell, and different in its neighbours. */
static inline const cell_kind *kind_of(int64_t cell)
{
    uint64_t hash  = (uint64_t)cell * 0x9E3779B97F4A7C15u;
    int      place = 0, k = 0;

    hash  = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
    place = (int)(hash >> 58);
    while (place >= KINDS[k].share)
        place -= KINDS[k++].share;
    return &KINDS[k];
}

static inline double mixed(int field, int64_t cell, uint64_t random)
{
    const cell_kind *kind  = kind_of(cell);
    const int        range = field == THERMO_RHO ? 0 : field == THERMO_E_INT ? 2 : 1;

    return kind->low[range] + (kind->high[range] - kind->low[range]) * unit_interval(random);
}

static inline double uniform(int field)
{
    static const double values[] = { 1.1, 0.33, -0.21, 0.17, 2.7 };

    return values[field];
}

static inline double random_value(int field, uint64_t random)
{
    const double at = unit_interval(random);

    return field == THERMO_RHO ? 0.5 + at : field == THERMO_E_INT ? 1 + 2 * at : 2 * at - 1;
}

static inline double value_of(int field, int64_t cell, uint64_t random, const assay_shape *s)
{
    const int64_t *n      = s->param + GAS_PARAM_GX;
    const int64_t  poison = s->param[GAS_PARAM_POISON];

    if (poison != GAS_POISON_NONE && cell == middle_cell(n))
        return POISONED[poison][field];
    switch ((assay_input)s->param[GAS_PARAM_INPUT]) {
    case ASSAY_INPUT_EXACT:
        return uniform(field);
    case ASSAY_INPUT_SMOOTH:
        return smooth(field, cell, n);
    case ASSAY_INPUT_ADVERSARIAL:
        return mixed(field, cell, random);
    default:
        return random_value(field, random);
    }
}

#endif
