/* A particle of the whole step in double: its place and weights (single precision by definition),
 * and the exchange of heat with its oscillator. Numbers have the bound of thermo_number.h. */
#ifndef ASSAY_REFERENCE_THERMO_STEP_PARTICLE_H
#define ASSAY_REFERENCE_THERMO_STEP_PARTICLE_H

#include "../thermo/thermo_number.h"

#include "../../kernels/thermo/thermo.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CORNERS = 8
};

/* The eight nodes around a particle with their weights; corner bits 2, 1, 0 are x, y, z. */
typedef struct cloud {
    int64_t node[CORNERS];
    number  weight[CORNERS], side[3][2]; /* side: 1 - f and f by axis */
} cloud;

/* g = pos / dx, less G floor(g / G); 0 unless that lies in 0..G: single precision, not contracted.
 */
static inline float wrapped_place(float pos, float dx, float extent)
{
    const float g = pos / dx, r = g - extent * floorf(g / extent);

    return r >= 0 && r < extent ? r : 0;
}

static inline cloud cloud_of(const int64_t extent[3], float dx, const float pos[3])
{
    int64_t base[3];
    cloud   c;

    for (int d = 0; d < 3; d++) {
        const float  r = wrapped_place(pos[d], dx, (float)extent[d]);
        const double f = (double)r - (double)floorf(r);

        base[d]      = (int64_t)floorf(r);
        c.side[d][0] = constant(1 - f);
        c.side[d][1] = exact(f);
    }
    for (int k = 0; k < CORNERS; k++) {
        int64_t at[3];

        for (int d = 0; d < 3; d++)
            at[d] = (base[d] + (k >> (2 - d) & 1)) % extent[d];
        c.node[k] = (at[0] * extent[1] + at[1]) * extent[2] + at[2];
        c.weight[k] =
            product(product(c.side[0][k >> 2 & 1], c.side[1][k >> 1 & 1]), c.side[2][k & 1]);
    }
    return c;
}

/* a / b for any b above 0; the bound is infinite if rounding could make b 0. */
static inline number ratio(number a, number b)
{
    const double least = b.v - NUMBER_SLACK * b.e * NUMBER_ROUNDOFF;
    const double v     = a.v / b.v;

    return (number) { v, least > 0 ? (a.e + fabs(v) * b.e) / least + fabs(v) + underflow(v)
                                   : (double)INFINITY };
}

/* exp(a) - 1 to a few roundings; its slope is exp(a). */
static inline number exponential_less_one(number a)
{
    const double v = expm1(a.v);

    return (number) { v, (v + 1) * a.e * (1 + a.e * NUMBER_ROUNDOFF) + 4 * fabs(v) };
}

/* Energy of an oscillator in equilibrium at T, hbar = k_B = 1. It is T below x = 1e-4, which
 * includes negative frequencies. `is_sure` becomes false if rounding could change a decision. */
static inline number equilibrium(number omega, number temperature, bool *is_sure)
{
    const number x      = ratio(omega, (number) { fmax(temperature.v, 1e-20), temperature.e });
    const double margin = NUMBER_SLACK * x.e * NUMBER_ROUNDOFF;

    *is_sure = *is_sure && fabs(x.v - 1e-4) > margin;
    if (x.v < 1e-4)
        return temperature;
    if (x.v > 50) /* 1 / (e^x - 1) is e^-x to 2e-22 */
        return product(omega, (number) { exp(-x.v), exp(-x.v) * (x.e + 4) });
    return ratio(omega, exponential_less_one(x));
}

/* The gain of the oscillator of a mass above 0: alpha (E_eq - E), limited to the range from -E to
 * the heat. */
static inline number exchanged(double mass, double omega, number heat, double energy, number dt,
                               double dx, bool *is_sure)
{
    const number capacity    = product(exact(mass), constant(THERMO_C_V));
    const number temperature = ratio(heat, capacity);
    const double pi          = 3.14159265358979323846;
    const number rate        = product(constant(4 * pi * THERMO_CONDUCTIVITY / 2), constant(dx));
    const number lapse       = ratio(product(dt, rate), capacity);
    const number share       = exponential_less_one(scaled(lapse, -1));
    const number gap = difference(equilibrium(exact(omega), temperature, is_sure), exact(energy));
    const number wanted = scaled(product(share, gap), -1);

    return least_of(larger(wanted, exact(-energy)), heat);
}

#endif
