/* What the stand-alone photon programs share: a world of one cube with tables of its own, the step
 * of the reference and that of the kernels under one type, and statistics. */
#ifndef PHOTON_TEST_H
#define PHOTON_TEST_H

#include "../../../kernels/photon_propagate/photon_bvh.h"
#include "../../../kernels/photon_propagate/propagate_case.h"
#include "../../../reference/photon_propagate/photon_propagate.h"

#include "../../testing/trial.h"

/* Two media that are the same at every wavelength; the second is outside the cube. */
typedef struct photon_test_medium {
    double index, absorb, scatter, reemit, delay;
} photon_test_medium;

/* Probabilities of what the cube's surface does. */
typedef struct photon_test_surface {
    double absorb, detect, diffuse, specular;
} photon_test_surface;

typedef struct photon_test_world {
    photon_geometry  geometry;
    float            media[PHOTON_MEDIA * PHOTON_MEDIUM_SIZE];
    float            surfaces[PHOTON_SURFACES * PHOTON_SURFACE_SIZE];
    photon_ref_world world; /* made from the members above: the structure must not move */
} photon_test_world;

/* Aborts if there is no memory; photon_geometry_free frees what it owns. */
void photon_test_world_make(photon_test_world *w, double half, photon_test_medium inside,
                            photon_test_medium outside, photon_test_surface surface);

/* A medium in which nothing happens. */
extern const photon_test_medium photon_test_clear;

typedef void photon_test_step(const photon_ref_world *w, photon_ref *p, photon_ref *secondary);
typedef struct photon_test_way {
    const char       *name;
    photon_test_step *step;
} photon_test_way;
enum {
    PHOTON_TEST_WAYS = 2 /* the reference, and the functions that kernels call */
};
extern const photon_test_way photon_test_ways[PHOTON_TEST_WAYS];

/* Photon i, drawn at the centre of the first medium. */
photon_ref photon_test_drawn(const photon_ref_world *w, uint32_t i);
/* Photon i from the centre, with this direction, of length 1, and this polarisation. */
photon_ref photon_test_aimed(uint32_t i, photon_vector dir, photon_vector pol);

/* Are n values uniform, where below[k] is the probability of a value below value k?
 * Kolmogorov-Smirnov test at a level of 1e-6; sorts them. */
void photon_test_expect_uniform(const char *who, const char *what, double *below, long n);

/* Is k of n within five deviations of a binomial distribution? */
void photon_test_expect_share(const char *who, const char *what, long k, long n, double share);

#endif
