/* Photon propagation in double, from its definition (docs/photon_propagate.md). Each number comes
 * with how far a correct kernel in single precision may be from it. A decision within that distance
 * of its boundary is in doubt: from there on a kernel may go another way. */
#ifndef PHOTON_PROPAGATE_REFERENCE_H
#define PHOTON_PROPAGATE_REFERENCE_H

#include "kernel.h"

#include <stdbool.h>

/* Unit roundoff of single precision. */
#define PHOTON_ROUNDOFF 0x1p-24

typedef struct photon_vector {
    double x, y, z;
} photon_vector;

/* The buffers of the case, read as they are. */
typedef struct photon_ref_world {
    const uint32_t *nodes, *faces;
    const float    *triangles, *media, *surfaces;
} photon_ref_world;
photon_ref_world photon_ref_world_of(const void *const *buf);

/* A photon and its errors: of its place, across and along its direction; of the direction and the
 * polarisation, as lengths of difference vectors; of time and wavelength. */
typedef struct photon_ref {
    photon_vector pos, dir, pol;
    double        wavelength, time;
    uint32_t      flags, key[2], draw, generation, medium; /* medium that emitted it */
    int32_t       face;
    double        e_aside, e_along, e_dir, e_pol, e_time, e_wavelength;
    bool          in_doubt;
    double        chance; /* the chance that a photon like this one comes into doubt */
} photon_ref;

/* A state in pages, exact; and what is left of it there. */
photon_ref photon_ref_load(const float *real, const uint32_t *word, int64_t i);
void       photon_ref_store(const photon_ref *p, float *real, uint32_t *word, int64_t i);

/* Photon i of the event that the buffers name, not drawn yet. */
photon_ref photon_ref_source(const void *const *buf, const int64_t *param, const double *scalar,
                             int64_t i);

/* One step of a photon that has not ended. If the flags then have PHOTON_REEMIT, `secondary` is the
 * photon that takes its place. */
void photon_ref_step(const photon_ref_world *w, photon_ref *p, photon_ref *secondary);

/* Makes steps until it ends, at most this many since it was emitted. */
void photon_ref_run(const photon_ref_world *w, int64_t steps, photon_ref *p, photon_ref *secondary);

/* Adds a photon that ended like this (flags 0: it did not) to a tally. */
void photon_ref_count(uint32_t flags, int64_t face, const uint32_t *faces, int64_t *sums);

/* ---- parts, for the tests */

/* Draws everything that an emission leaves open: direction, polarisation, wavelength, delay. */
void photon_ref_emit(const photon_ref_world *w, photon_ref *p);

/* Philox4x32-10. */
void photon_ref_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

/* The four uniforms of draw number `draw`. */
void photon_ref_draw(const uint32_t key[2], uint32_t draw, double uniform[4]);

/* The key of the secondary from draw number `draw`. */
void photon_ref_spawn_key(const uint32_t parent[2], uint32_t draw, uint32_t key[2]);

/* The first face along the ray; face -1: none. */
typedef struct photon_ref_hit {
    int32_t face;
    double distance, e_distance, e_along; /* from the photon's place; e_along: of the hit's place */
    double cosine;                        /* of direction and normal, with its sign */
    double off_plane; /* error of the place across the face, from that of the distance */
    bool   in_doubt;
    double chance;
} photon_ref_hit;
photon_ref_hit photon_ref_trace(const photon_ref_world *w, const photon_ref *p);

/* Cosine between the new direction and the polarisation, from a uniform; and the scattering
 * itself. */
double photon_ref_rayleigh_cosine(double uniform);
void   photon_ref_rayleigh(photon_ref *p, const double uniform[4]);

/* What a face does to a photon that has come to it. */
typedef struct photon_ref_boundary {
    const photon_ref_world *w;
    const photon_ref_hit   *hit;
    const double           *first, *second; /* uniforms of the step's two draws */
} photon_ref_boundary;
void photon_ref_meet(const photon_ref_boundary *b, photon_ref *p);

/* A value from a table over wavelengths, and its error. */
typedef struct photon_ref_value {
    double value, error;
} photon_ref_value;
photon_ref_value photon_ref_table(const float *table, const photon_ref *p);

/* Records a decision at `distance` from its boundary, where a kernel's error is `error`; its
 * chances are spread over `width`. */
void photon_ref_decide(photon_ref *p, double distance, double error, double width);

/* Sets direction and polarisation at a polar angle (cosine, sine) about `axis`; uniform[1] and [2]
 * turn them. */
void photon_ref_aim(photon_ref *p, photon_vector axis, double cosine, double sine,
                    const double uniform[4]);

#endif
