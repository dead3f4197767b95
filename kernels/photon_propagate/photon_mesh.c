/* Growing and checking triangle meshes. */
#include "photon_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float FARTHEST = 1e6f;

void photon_mesh_free(photon_mesh *mesh)
{
    if (!mesh)
        return;
    free(mesh->vertex);
    free(mesh->corner);
    free(mesh->face);
    *mesh = (photon_mesh) { 0 };
}

/* Makes twice the room, or 64 elements. False if there is no memory: then the array is
 * unchanged. */
static bool enlarge(void *array, size_t bytes)
{
    void *old, *larger;

    memcpy(&old, array, sizeof old);
    larger = realloc(old, bytes);
    if (!larger)
        return false;
    memcpy(array, &larger, sizeof larger);
    return true;
}

static int64_t more_room(int64_t room) { return room > 0 ? 2 * room : 64; }

photon_status photon_mesh_add_vertex(photon_mesh *mesh, const float at[3])
{
    const int64_t room = more_room(mesh->vertex_room);

    if (mesh->n_vertices >= PHOTON_MESH_MOST)
        return PHOTON_TOO_LARGE;
    if (mesh->n_vertices == mesh->vertex_room) {
        if (!enlarge(&mesh->vertex, (size_t)room * 3 * sizeof *mesh->vertex))
            return PHOTON_NO_MEMORY;
        mesh->vertex_room = room;
    }
    memcpy(mesh->vertex + 3 * mesh->n_vertices++, at, 3 * sizeof *at);
    return PHOTON_OK;
}

photon_status photon_mesh_add_triangle(photon_mesh *mesh, const uint32_t corner[3],
                                       photon_face face)
{
    const int64_t room = more_room(mesh->triangle_room);

    if (mesh->n_triangles >= PHOTON_MESH_MOST)
        return PHOTON_TOO_LARGE;
    if (mesh->n_triangles == mesh->triangle_room) {
        if (!enlarge(&mesh->corner, (size_t)room * 3 * sizeof *mesh->corner) ||
            !enlarge(&mesh->face, (size_t)room * sizeof *mesh->face))
            return PHOTON_NO_MEMORY;
        mesh->triangle_room = room;
    }
    memcpy(mesh->corner + 3 * mesh->n_triangles, corner, 3 * sizeof *corner);
    mesh->face[mesh->n_triangles++] = face;
    return PHOTON_OK;
}

/* ---- checks */

static bool is_place(const float *at)
{
    for (int a = 0; a < 3; a++)
        if (!(fabsf(at[a]) <= FARTHEST))
            return false;
    return true;
}

/* Is its height above 2^-16 of its longest edge? The normal of a thinner triangle is noise. */
static bool has_area(const photon_mesh *mesh, const uint32_t *corner)
{
    double edge[3][3], longest = 0, cross[3], area;

    for (int k = 0; k < 3; k++) {
        const float *from = mesh->vertex + 3 * (int64_t)corner[k];
        const float *to   = mesh->vertex + 3 * (int64_t)corner[(k + 1) % 3];
        double       size = 0;

        for (int a = 0; a < 3; a++) {
            edge[k][a] = (double)to[a] - (double)from[a];
            size += edge[k][a] * edge[k][a];
        }
        longest = fmax(longest, size);
    }
    for (int a = 0; a < 3; a++)
        cross[a] = edge[0][(a + 1) % 3] * edge[1][(a + 2) % 3] -
                   edge[0][(a + 2) % 3] * edge[1][(a + 1) % 3];
    area = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    return area > 0x1p-16 * longest;
}

static bool has_corners(const photon_mesh *mesh, const uint32_t *corner)
{
    for (int k = 0; k < 3; k++)
        if ((int64_t)corner[k] >= mesh->n_vertices)
            return false;
    return true;
}

static photon_status invalid(char reason[PHOTON_REASON_SIZE], const char *what, int64_t number)
{
    (void)snprintf(reason, PHOTON_REASON_SIZE, "%s %lld of the mesh, counted from 1", what,
                   (long long)number + 1);
    return PHOTON_INVALID;
}

photon_status photon_mesh_check(const photon_mesh *mesh, char reason[PHOTON_REASON_SIZE])
{
    if (mesh->n_triangles < 1) {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "the mesh has no triangle");
        return PHOTON_INVALID;
    }
    for (int64_t v = 0; v < mesh->n_vertices; v++)
        if (!is_place(mesh->vertex + 3 * v))
            return invalid(reason, "not finite, or further than 1e6 from the origin: vertex", v);
    for (int64_t t = 0; t < mesh->n_triangles; t++) {
        if (!has_corners(mesh, mesh->corner + 3 * t))
            return invalid(reason, "a corner is no vertex: triangle", t);
        if (!has_area(mesh, mesh->corner + 3 * t))
            return invalid(reason, "without an area: triangle", t);
    }
    return PHOTON_OK;
}
