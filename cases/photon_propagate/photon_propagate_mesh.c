/* The geometries of photon_propagate, and reading one from a file. */
#include "photon_propagate_mesh.h"

#include "../../kernels/photon_propagate/photon_detector_file.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "ASSAY_PHOTON_MESH"

/* Kept until the process ends: every point of PHOTON_MESH_FILE is built from this mesh. */
static struct {
    photon_detector_file detector;
    bool                 is_there;
    char                 reason[PHOTON_REASON_SIZE];
} file;

static void read_file(void)
{
    const char *const name = getenv(VARIABLE);

    if (name && name[0])
        file.is_there = photon_detector_file_read(name, &file.detector, file.reason) == PHOTON_OK;
    else
        (void)snprintf(file.reason, sizeof file.reason, "set %s to an OBJ file", VARIABLE);
}

const char *photon_propagate_no_mesh(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, read_file); /* fails only for a wrong `once` */
    return file.is_there ? NULL : file.reason;
}

/* NULL: the geometry is the case's own. Without a file the mesh is empty. */
static const photon_mesh *mesh_of(int geometry)
{
    if (geometry != PHOTON_MESH_FILE)
        return NULL;
    (void)photon_propagate_no_mesh();
    return &file.detector.mesh;
}

int64_t photon_propagate_triangles(int geometry)
{
    const photon_mesh *const m = mesh_of(geometry);

    return m ? m->n_triangles : photon_detector_triangles(geometry);
}

int64_t photon_propagate_sensors(int geometry)
{
    const photon_mesh *const m = mesh_of(geometry);

    return m ? m->n_sensors : photon_detector_sensors(geometry);
}

int photon_propagate_medium(int geometry)
{
    if (geometry == PHOTON_MESH_FILE) {
        (void)photon_propagate_no_mesh();
        return photon_detector_file_source(&file.detector);
    }
    return geometry != PHOTON_OBJ ? PHOTON_MEDIUM_VESSEL : PHOTON_MEDIUM_TANK;
}

const char *photon_propagate_no_material(int geometry, int material)
{
    const bool has_own =
        geometry == PHOTON_MESH_FILE && !photon_propagate_no_mesh() && file.detector.materials;

    if (material == PHOTON_OWN_MATERIALS)
        return has_own ? NULL : "materials of its own: a mesh with such a file beside it";
    return has_own ? "the mesh has materials of its own" : NULL;
}

void photon_propagate_tables(int material, float *media, float *surfaces)
{
    const photon_materials *const m = file.detector.materials;

    if (material == PHOTON_OWN_MATERIALS) {
        memcpy(media, m->media, sizeof m->media);
        memcpy(surfaces, m->surfaces, sizeof m->surfaces);
        return;
    }
    photon_detector_media(material, media);
    photon_detector_surfaces(material, surfaces);
}

photon_status photon_propagate_build(int geometry, photon_geometry *built,
                                     char reason[PHOTON_REASON_SIZE])
{
    const photon_mesh *const m    = mesh_of(geometry);
    photon_mesh              mesh = { 0 };
    photon_status            status;

    *built = (photon_geometry) { 0 };
    if (m)
        return photon_geometry_build(m, built, reason);
    status = photon_detector_mesh(geometry, &mesh, reason);
    if (status == PHOTON_OK)
        status = photon_geometry_build(&mesh, built, reason);
    photon_mesh_free(&mesh);
    return status;
}
