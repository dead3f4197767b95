/* The geometries of photon_propagate: its own detectors, and a mesh that the user names. */
#ifndef PHOTON_PROPAGATE_MESH_H
#define PHOTON_PROPAGATE_MESH_H

#include "../../kernels/photon_propagate/photon_bvh.h"
#include "../../kernels/photon_propagate/photon_detector.h"

/* After the case's own geometries: the OBJ file that the variable ASSAY_PHOTON_MESH names, read
 * once by each process. */
enum {
    PHOTON_MESH_FILE = PHOTON_GEOMETRIES
};

/* After the case's own materials: those of the file beside that mesh. */
enum {
    PHOTON_OWN_MATERIALS = PHOTON_MATERIALS
};

/* NULL, or a sentence that says why there is no PHOTON_MESH_FILE. */
const char *photon_propagate_no_mesh(void);

/* NULL, or why these two cannot be combined. */
const char *photon_propagate_no_material(int geometry, int material);

/* The tables of a material that exists. */
void photon_propagate_tables(int material, float *media, float *surfaces);

/* Of any geometry; 0 for PHOTON_MESH_FILE if there is none. The source is where the mesh's own
 * materials say, else in the vessel, or in the tank if there is no vessel. */
int64_t photon_propagate_triangles(int geometry);
int64_t photon_propagate_sensors(int geometry);
int     photon_propagate_medium(int geometry);

/* Builds it. The caller frees; if it does not return PHOTON_OK, it is empty. */
photon_status photon_propagate_build(int geometry, photon_geometry *built,
                                     char reason[PHOTON_REASON_SIZE]);

#endif
