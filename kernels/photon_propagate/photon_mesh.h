/* Triangle meshes on the host, of which detectors are made, and the reader of OBJ files. A mesh
 * from outside is checked before anything is built from it; a sentence says what is wrong. */
#ifndef PHOTON_MESH_H
#define PHOTON_MESH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHOTON_MESH_MOST   = 1 << 22, /* of vertices, and of triangles */
    PHOTON_REASON_SIZE = 192
};

typedef enum photon_status {
    PHOTON_OK = 0,
    PHOTON_BROKEN,    /* not a text of this format, or cut off */
    PHOTON_INVALID,   /* numbers that do not make a mesh */
    PHOTON_TOO_LARGE, /* beyond PHOTON_MESH_MOST */
    PHOTON_NO_MEMORY,
    PHOTON_NO_FILE, /* photon_mesh_file.h */
} photon_status;

/* A face lies between two media: its normal, by the right-hand rule, points from the inside to the
 * outside. */
#define PHOTON_FACE(inside, outside, surface)                                                      \
    ((uint32_t)(inside) | (uint32_t)(outside) << 8 | (uint32_t)(surface) << 16)
#define PHOTON_NO_SENSOR 0xffffffffu

typedef struct photon_face {
    uint32_t codes;  /* PHOTON_FACE */
    uint32_t sensor; /* number of the sensor it belongs to, or PHOTON_NO_SENSOR */
} photon_face;

/* Owns its arrays; starts as zeros. */
typedef struct photon_mesh {
    int64_t      n_vertices, n_triangles, n_sensors;
    int64_t      vertex_room, triangle_room; /* allocated */
    float       *vertex;                     /* [3 * n_vertices] */
    uint32_t    *corner;                     /* [3 * n_triangles], numbers of vertices */
    photon_face *face;                       /* [n_triangles] */
} photon_mesh;

/* Accepts NULL. */
void photon_mesh_free(photon_mesh *mesh);

/* Appends; PHOTON_TOO_LARGE and PHOTON_NO_MEMORY leave the mesh unchanged. Corners are checked only
 * by photon_mesh_check. */
photon_status photon_mesh_add_vertex(photon_mesh *mesh, const float at[3]);
photon_status photon_mesh_add_triangle(photon_mesh *mesh, const uint32_t corner[3],
                                       photon_face face);

/* Checks that vertices exist, are finite and at most 1e6 from the origin, that every triangle has
 * an area, and that there is at least one. Writes a sentence to `reason` unless it returns
 * PHOTON_OK. */
photon_status photon_mesh_check(const photon_mesh *mesh, char reason[PHOTON_REASON_SIZE]);

/* The meaning of a name after `usemtl`; each such statement with `is_sensor` begins a new
 * sensor. */
typedef struct photon_mesh_name {
    const char *name; /* NULL ends the list; the first entry is for faces before any `usemtl` */
    uint32_t    codes;
    int         is_sensor;
} photon_mesh_name;

/* Reads `size` bytes of OBJ text, with comments and continued lines: v (a weight or a colour after
 * it is dropped), f (polygons as fans; negative numbers count back) and usemtl. Statements of the
 * format that say nothing about triangles are ignored. Violations of the format are refused, and so
 * are curves and included files. If it does not return PHOTON_OK the mesh is empty, and `reason`
 * says what is wrong, with the line. The caller frees the mesh. */
photon_status photon_mesh_read_obj(const char *text, size_t size, const photon_mesh_name *names,
                                   photon_mesh *mesh, char reason[PHOTON_REASON_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
