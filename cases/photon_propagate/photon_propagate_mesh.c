/* Which geometries photon_propagate has, and reading one from a file. */
#include "photon_propagate_mesh.h"

#include "../../kernels/photon_propagate/photon_mesh_file.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define VARIABLE "ASSAY_PHOTON_MESH"

/* Kept until the process ends: every point of it is built from this mesh. */
static struct {
    photon_mesh mesh;
    bool        is_there;
    char        reason[PHOTON_REASON_SIZE];
} file;

static void read_file(void)
{
    const char *const name = getenv(VARIABLE);

    if (name && name[0])
        file.is_there = photon_mesh_read_file(name, photon_detector_names, &file.mesh,
                                              file.reason) == PHOTON_OK;
    else
        (void)snprintf(file.reason, sizeof file.reason, "set %s to an OBJ file", VARIABLE);
}

const char *photon_propagate_no_mesh(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, read_file); /* fails for a wrong `once` only */
    return file.is_there ? NULL : file.reason;
}

/* NULL: it is the case's own. Without a file the mesh is empty. */
static const photon_mesh *mesh_of(int geometry)
{
    if (geometry != PHOTON_MESH_FILE)
        return NULL;
    (void)photon_propagate_no_mesh();
    return &file.mesh;
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

static bool has_vessel(const photon_mesh *m)
{
    for (int64_t t = 0; t < m->n_triangles; t++)
        if ((m->face[t].codes & 0xffu) == PHOTON_MEDIUM_VESSEL ||
            (m->face[t].codes >> 8 & 0xffu) == PHOTON_MEDIUM_VESSEL)
            return true;
    return false;
}

int photon_propagate_medium(int geometry)
{
    const photon_mesh *const m = mesh_of(geometry);

    return (m ? has_vessel(m) : geometry != PHOTON_OBJ) ? PHOTON_MEDIUM_VESSEL : PHOTON_MEDIUM_TANK;
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
