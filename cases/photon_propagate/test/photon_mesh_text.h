/* Writes meshes as OBJ text. */
#ifndef PHOTON_MESH_TEXT_H
#define PHOTON_MESH_TEXT_H

#include "../../../kernels/photon_propagate/photon_mesh.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a mesh: reading it back gives the same vertices, to the bit, and the same faces. Its
 * surfaces must be among `names`. False: it could not be written. */
bool photon_mesh_text_of(const photon_mesh *mesh, const photon_mesh_name *names, FILE *out);

/* Writes a detector as a drawing program would, with polygons on shared vertices: a tank as a prism
 * of 48 sides, a spherical vessel, 88 sensors as half bulbs in front of its walls. */
bool photon_mesh_text_bulbs(FILE *out);

#endif
