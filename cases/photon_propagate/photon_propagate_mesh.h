/* The geometries of photon_propagate: its own detectors, and a mesh that a person names. */
#ifndef PHOTON_PROPAGATE_MESH_H
#define PHOTON_PROPAGATE_MESH_H

#include "../../kernels/photon_propagate/photon_bvh.h"
#include "../../kernels/photon_propagate/photon_detector.h"

/* Behind the case's own: the OBJ file that the variable ASSAY_PHOTON_MESH names, read once by each
 * process. */
enum {
    PHOTON_MESH_FILE = PHOTON_GEOMETRIES
};

/* Behind the case's own materials: those of the file beside that mesh. */
enum {
    PHOTON_OWN_MATERIALS = PHOTON_MATERIALS
};

/* NULL, or a sentence that says why PHOTON_MESH_FILE is none. */
const char *photon_propagate_no_mesh(void);

/* NULL, or why these do not go together. */
const char *photon_propagate_no_material(int geometry, int material);

/* The tables of a material that there is. */
void photon_propagate_tables(int material, float *media, float *surfaces);

/* Of any of them; of PHOTON_MESH_FILE where there is none, 0. The source is in the vessel, or in
 * the tank where there is none, or where the mesh's own materials say. */
int64_t photon_propagate_triangles(int geometry);
int64_t photon_propagate_sensors(int geometry);
int     photon_propagate_medium(int geometry);

/* Builds it. The caller frees; on anything but PHOTON_OK it is empty. */
photon_status photon_propagate_build(int geometry, photon_geometry *built,
                                     char reason[PHOTON_REASON_SIZE]);

#endif
