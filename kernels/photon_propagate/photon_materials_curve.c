/* Curves through points: values at the wavelengths of the tables, and quantiles of a spectrum. */
#include "photon_materials.h"

#include <math.h>

double photon_curve_at(const photon_curve *c, double nm)
{
    int k = 0;

    if (nm <= c->nm[0])
        return c->value[0];
    if (nm >= c->nm[c->n - 1])
        return c->value[c->n - 1];
    while (c->nm[k + 1] < nm)
        k++;
    return c->value[k] +
           (c->value[k + 1] - c->value[k]) * (nm - c->nm[k]) / (c->nm[k + 1] - c->nm[k]);
}

void photon_curve_sample(const photon_curve *c, double value[PHOTON_WAVELENGTHS])
{
    for (int k = 0; k < PHOTON_WAVELENGTHS; k++)
        value[k] = photon_curve_at(c, (double)PHOTON_WAVELENGTH_FIRST +
                                          k * (double)PHOTON_WAVELENGTH_SPACING);
}

/* The area below the density between points k and k + 1. */
static double area_of(const photon_curve *c, int k)
{
    return (c->value[k] + c->value[k + 1]) / 2 * (c->nm[k + 1] - c->nm[k]);
}

/* Where the area from point k on reaches this value: the root of a quadratic equation, in a form
 * that also works for a slope of 0. */
static double place_of(const photon_curve *c, int k, double area)
{
    const double width = c->nm[k + 1] - c->nm[k], low = c->value[k];
    const double slope = (c->value[k + 1] - low) / width;
    const double root  = sqrt(fmax(low * low + 2 * slope * area, 0));
    const double sum   = low + root;

    return c->nm[k] + (sum > 0 ? fmin(2 * area / sum, width) : 0);
}

bool photon_curve_quantiles(const photon_curve *c, double nm[PHOTON_CDF])
{
    double total = 0, before = 0;
    int    k = 0;

    for (int i = 0; i + 1 < c->n; i++)
        total += area_of(c, i);
    if (!(total > 0))
        return false;
    for (int q = 0; q < PHOTON_CDF; q++) {
        const double wanted = total * q / (PHOTON_CDF - 1);

        while (k + 2 < c->n && before + area_of(c, k) < wanted)
            before += area_of(c, k++);
        nm[q] = place_of(c, k, fmin(wanted - before, area_of(c, k)));
    }
    return true;
}
