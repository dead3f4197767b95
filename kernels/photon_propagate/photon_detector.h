/* Detectors of the case, and what their parts are made of. */
#ifndef PHOTON_DETECTOR_H
#define PHOTON_DETECTOR_H

#include "photon_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of the axes, in their order. */
enum {
    PHOTON_BOX,    /* a tank of 10 x 8 x 6 m with a vessel in it, 24 sensors on its walls */
    PHOTON_SPHERE, /* radius 6 m, a vessel of 3.5 m, 32 sensors looking inwards */
    PHOTON_OBJ,    /* an open tank with eight windows under a free surface, from OBJ text */
    PHOTON_LARGE,  /* like the sphere, with 2400 sensors and finer walls */
    PHOTON_GEOMETRIES
};

enum {
    PHOTON_WATER,        /* black walls, one medium */
    PHOTON_SCINTILLATOR, /* the vessel holds a medium that absorbs and re-emits */
    PHOTON_WHITE,        /* the same between walls that reflect: long histories */
    PHOTON_MATERIALS
};

/* Numbers of media and surfaces in the tables. */
enum {
    PHOTON_MEDIUM_TANK,
    PHOTON_MEDIUM_VESSEL,
    PHOTON_MEDIUM_AIR,
    PHOTON_MEDIUM_ROCK,

    PHOTON_SURFACE_NONE = 0, /* only a boundary between media */
    PHOTON_SURFACE_WALL,
    PHOTON_SURFACE_SENSOR,
    PHOTON_SURFACE_MIRROR
};

/* The numbers that the mesh will have, without building it. */
int64_t photon_detector_triangles(int geometry);
int64_t photon_detector_sensors(int geometry);

/* The caller frees. If it does not return PHOTON_OK the mesh is empty. */
photon_status photon_detector_mesh(int geometry, photon_mesh *mesh,
                                   char reason[PHOTON_REASON_SIZE]);

/* The OBJ text of PHOTON_OBJ, and the surfaces that a user's own mesh may name. */
extern const char             photon_detector_obj[];
extern const photon_mesh_name photon_detector_names[];

/* Tables of a material, laid out as propagate_case.h says. */
void photon_detector_media(int material, float *media);
void photon_detector_surfaces(int material, float *surfaces);

#ifdef __cplusplus
}
#endif

#endif
