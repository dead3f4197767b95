/* What media and surfaces do at each wavelength: smooth invented curves with the magnitudes of
 * water, of a liquid scintillator and of photocathodes. */
#include "photon_detector.h"

#include "propagate_case.h"

#include <math.h>
#include <string.h>

/* A length so great that nothing happens. */
static const double NEVER = 1e9;

static double wavelength_at(int k)
{
    return (double)PHOTON_WAVELENGTH_FIRST + k * (double)PHOTON_WAVELENGTH_SPACING;
}

/* Cauchy's formula. */
static double index_of(double base, double nm) { return base + 3000 / (nm * nm); }

/* 1 well below the edge, 0 well above it. */
static double below_edge(double nm, double edge, double width)
{
    return 1 / (1 + exp((nm - edge) / width));
}

typedef struct medium {
    double base;         /* of the refractive index */
    double absorb;       /* absorption length in the visible, m */
    double absorb_short; /* the same below the edge */
    double edge;         /* nm */
    double scatter;      /* scattering length at 400 nm, m; grows with the fourth power */
    double reemit;       /* below the edge */
    double peak, width;  /* of the emitted spectrum, nm */
    double delay;        /* ns */
} medium;

static const medium water = { 1.324, 40, 4, 260, 50, 0, 420, 60, 1 };
static const medium scint = { 1.465, 18, 1.5, 380, 20, 0.8, 430, 35, 3 };
static const medium air   = { 1.0, 1e9, 1e9, 200, 1e9, 0, 420, 60, 1 };

/* Quantiles of a logistic distribution, limited to the range of the tables. */
static float quantile(const medium *m, int k)
{
    const double share = fmin(fmax((double)k / (PHOTON_CDF - 1), 0.005), 0.995);
    const double nm    = m->peak + 0.55 * m->width * log(share / (1 - share));

    return (float)fmin(fmax(nm, 210), 790);
}

static void write_medium(const medium *m, float *to)
{
    for (int k = 0; k < PHOTON_WAVELENGTHS; k++) {
        const double nm = wavelength_at(k), blue = below_edge(nm, m->edge, 12);
        const double rate = blue / m->absorb_short + (1 - blue) / m->absorb;
        float *const at   = to + k;

        at[PHOTON_MEDIUM_INDEX * PHOTON_WAVELENGTHS]  = (float)index_of(m->base, nm);
        at[PHOTON_MEDIUM_ABSORB * PHOTON_WAVELENGTHS] = (float)(1 / rate);
        at[PHOTON_MEDIUM_SCATTER * PHOTON_WAVELENGTHS] =
            (float)fmin(m->scatter * pow(nm / 400, 4), NEVER);
        at[PHOTON_MEDIUM_REEMIT * PHOTON_WAVELENGTHS] =
            (float)(m->reemit * below_edge(nm, 440, 15));
    }
    for (int k = 0; k < PHOTON_CDF; k++)
        to[PHOTON_MEDIUM_CDF + k] = quantile(m, k);
    to[PHOTON_MEDIUM_DELAY] = (float)m->delay;
}

void photon_detector_media(int material, float *media)
{
    const medium *of[PHOTON_MEDIA] = {
        [PHOTON_MEDIUM_TANK]   = &water,
        [PHOTON_MEDIUM_VESSEL] = material == PHOTON_WATER ? &water : &scint,
        [PHOTON_MEDIUM_AIR]    = &air,
        [PHOTON_MEDIUM_ROCK]   = &air,
    };

    memset(media, 0, (size_t)PHOTON_MEDIA * PHOTON_MEDIUM_SIZE * sizeof *media);
    for (int m = 0; m < PHOTON_MEDIA; m++)
        write_medium(of[m], media + m * PHOTON_MEDIUM_SIZE);
}

/* Probabilities of what a surface does. */
typedef struct shares {
    double absorb, detect, diffuse, specular;
} shares;

static shares shares_of(int material, int surface, double nm)
{
    const double efficiency = 0.32 * exp(-pow((nm - 390) / 130, 2));

    switch (surface) {
    case PHOTON_SURFACE_SENSOR:
        return (shares) { 0.94 - efficiency, efficiency, 0, 0.06 };
    case PHOTON_SURFACE_WALL:
        return material == PHOTON_WHITE ? (shares) { 0.08, 0, 0.7, 0.22 }
                                        : (shares) { 0.92, 0, 0.06, 0.02 };
    case PHOTON_SURFACE_MIRROR:
        return (shares) { 0.05, 0, 0, 0.95 };
    default:
        return (shares) { 0, 0, 0, 0 };
    }
}

void photon_detector_surfaces(int material, float *surfaces)
{
    for (int s = 0; s < PHOTON_SURFACES; s++)
        for (int k = 0; k < PHOTON_WAVELENGTHS; k++) {
            const shares of = shares_of(material, s, wavelength_at(k));
            float *const at = surfaces + s * PHOTON_SURFACE_SIZE + k;

            at[0]                      = (float)of.absorb;
            at[PHOTON_WAVELENGTHS]     = (float)(of.absorb + of.detect);
            at[2 * PHOTON_WAVELENGTHS] = (float)(of.absorb + of.detect + of.diffuse);
            at[3 * PHOTON_WAVELENGTHS] = s == PHOTON_SURFACE_NONE ? 0.0f : 1.0f;
        }
}
