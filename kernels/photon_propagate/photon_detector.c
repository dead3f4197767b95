/* The meshes of the detectors: walls, a vessel, and sensors as flat discs in front of the walls. */
#include "photon_detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* A sphere is an icosahedron whose faces are repeatedly cut into four; a disc is a polygon. */
typedef struct plan {
    int64_t n_sensors;
    int     wall_level, vessel_level, disc_corners;
    double  disc_radius;
} plan;

static const plan plans[PHOTON_GEOMETRIES] = {
    [PHOTON_BOX]    = { 24, 0, 0, 8, 0.5 },
    [PHOTON_SPHERE] = { 32, 2, 2, 6, 0.5 },
    [PHOTON_OBJ]    = { 8, 0, 0, 0, 0 },
    [PHOTON_LARGE]  = { 2400, 4, 4, 8, 0.1 },
};

enum {
    BOX_TRIANGLES   = 12,
    OBJ_TRIANGLES   = 6 + 16 + 6 + 16, /* bottom, sides, free surface, windows */
    DISCS_ON_A_FACE = 4
};

static const uint32_t WALL =
    PHOTON_FACE(PHOTON_MEDIUM_TANK, PHOTON_MEDIUM_ROCK, PHOTON_SURFACE_WALL);
static const uint32_t VESSEL =
    PHOTON_FACE(PHOTON_MEDIUM_VESSEL, PHOTON_MEDIUM_TANK, PHOTON_SURFACE_NONE);
static const uint32_t SENSOR =
    PHOTON_FACE(PHOTON_MEDIUM_TANK, PHOTON_MEDIUM_TANK, PHOTON_SURFACE_SENSOR);

int64_t photon_detector_sensors(int geometry) { return plans[geometry].n_sensors; }

int64_t photon_detector_triangles(int geometry)
{
    const plan   *p     = &plans[geometry];
    const int64_t discs = p->n_sensors * p->disc_corners;

    if (geometry == PHOTON_OBJ)
        return OBJ_TRIANGLES;
    if (geometry == PHOTON_BOX)
        return 2 * BOX_TRIANGLES + discs;
    return (20LL << 2 * p->wall_level) + (20LL << 2 * p->vessel_level) + discs;
}

/* ---- parts: each triangle has corners of its own */

/* A mesh being made: after the first failure nothing more is added. */
typedef struct maker {
    photon_mesh  *mesh;
    photon_status status;
} maker;

typedef struct vector {
    double x, y, z;
} vector;

static void add_triangle(maker *m, vector a, vector b, vector c, photon_face face)
{
    const vector   at[3]     = { a, b, c };
    const uint32_t first     = (uint32_t)m->mesh->n_vertices;
    const uint32_t corner[3] = { first, first + 1, first + 2 };

    for (int k = 0; k < 3 && m->status == PHOTON_OK; k++)
        m->status = photon_mesh_add_vertex(
            m->mesh, (const float[]) { (float)at[k].x, (float)at[k].y, (float)at[k].z });
    if (m->status == PHOTON_OK)
        m->status = photon_mesh_add_triangle(m->mesh, corner, face);
}

static vector scaled(double s, vector v) { return (vector) { s * v.x, s * v.y, s * v.z }; }

static vector sum(vector a, vector b) { return (vector) { a.x + b.x, a.y + b.y, a.z + b.z }; }

static vector unit(vector v) { return scaled(1 / sqrt(v.x * v.x + v.y * v.y + v.z * v.z), v); }

static vector cross(vector a, vector b)
{
    return (vector) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/* A corner of a rectangle: the signs say where along its two sides. */
static vector corner_at(vector centre, vector u, vector v, int su, int sv)
{
    return sum(centre, sum(scaled(su, u), scaled(sv, v)));
}

static void add_box(maker *m, vector half, uint32_t codes)
{
    const photon_face face  = { codes, PHOTON_NO_SENSOR };
    const vector      of[3] = { { half.x, 0, 0 }, { 0, half.y, 0 }, { 0, 0, half.z } };

    for (int f = 0; f < 6; f++) {
        const double side   = f % 2 == 0 ? 1 : -1;
        const vector centre = scaled(side, of[f / 2]);
        const vector u = scaled(side, of[(f / 2 + 1) % 3]), v = of[(f / 2 + 2) % 3];

        add_triangle(m, corner_at(centre, u, v, -1, -1), corner_at(centre, u, v, 1, -1),
                     corner_at(centre, u, v, 1, 1), face);
        add_triangle(m, corner_at(centre, u, v, -1, -1), corner_at(centre, u, v, 1, 1),
                     corner_at(centre, u, v, -1, 1), face);
    }
}

/* The middle of an edge is the same bits for both of its faces, so that there are no gaps. */
static void add_part_of_sphere(maker *m, vector a, vector b, vector c, int level, double radius,
                               uint32_t codes)
{
    const photon_face face = { codes, PHOTON_NO_SENSOR };
    const vector      ab = unit(sum(a, b)), bc = unit(sum(b, c)), ca = unit(sum(c, a));

    if (level == 0) {
        add_triangle(m, scaled(radius, a), scaled(radius, b), scaled(radius, c), face);
        return;
    }
    add_part_of_sphere(m, a, ab, ca, level - 1, radius, codes);
    add_part_of_sphere(m, ab, b, bc, level - 1, radius, codes);
    add_part_of_sphere(m, ca, bc, c, level - 1, radius, codes);
    add_part_of_sphere(m, ab, bc, ca, level - 1, radius, codes);
}

/* Corners: the two poles, and two rings of five. */
static vector icosahedron_corner(int k)
{
    const double height = 1 / sqrt(5.0), ring = 2 / sqrt(5.0);
    const int    place = (k - 1) % 5, row = (k - 1) / 5;
    const double angle = (place + 0.5 * row) * 2 * PI / 5;

    if (k == 0 || k == 11)
        return (vector) { 0, 0, k == 0 ? 1 : -1 };
    return (vector) { ring * cos(angle), ring * sin(angle), row == 0 ? height : -height };
}

static void add_sphere(maker *m, double radius, int level, uint32_t codes)
{
    for (int k = 0; k < 5; k++) {
        const int up = 1 + k, next_up = 1 + (k + 1) % 5, down = 6 + k, next_down = 6 + (k + 1) % 5;
        const int faces[4][3] = {
            { 0, up, next_up },
            { up, down, next_up },
            { next_up, down, next_down },
            { 11, next_down, down },
        };

        for (int f = 0; f < 4; f++)
            add_part_of_sphere(m, icosahedron_corner(faces[f][0]), icosahedron_corner(faces[f][1]),
                               icosahedron_corner(faces[f][2]), level, radius, codes);
    }
}

static void add_disc(maker *m, vector centre, vector normal, const plan *p)
{
    const photon_face face  = { SENSOR, (uint32_t)m->mesh->n_sensors++ };
    const vector      aside = fabs(normal.z) < 0.9 ? (vector) { 0, 0, 1 } : (vector) { 1, 0, 0 };
    const vector      u     = scaled(p->disc_radius, unit(cross(aside, normal)));
    const vector      v     = scaled(p->disc_radius, unit(cross(normal, u)));
    vector            rim[2];

    for (int k = 0; k <= p->disc_corners; k++) {
        const double angle = 2 * PI * (k % p->disc_corners) / p->disc_corners;

        rim[k % 2] = sum(centre, sum(scaled(cos(angle), u), scaled(sin(angle), v)));
        if (k > 0)
            add_triangle(m, centre, rim[(k + 1) % 2], rim[k % 2], face);
    }
}

/* ---- detectors */

static void make_box(maker *m, const plan *p)
{
    const vector half  = { 5, 4, 3 };
    const vector of[3] = { { half.x, 0, 0 }, { 0, half.y, 0 }, { 0, 0, half.z } };

    add_box(m, half, WALL);
    add_box(m, scaled(0.5, half), VESSEL);
    for (int f = 0; f < 6; f++) {
        const double side = f % 2 == 0 ? 0.94 : -0.94;
        const vector u = scaled(0.45, of[(f / 2 + 1) % 3]), v = scaled(0.55, of[(f / 2 + 2) % 3]);

        for (int k = 0; k < DISCS_ON_A_FACE; k++)
            add_disc(m,
                     corner_at(scaled(side, of[f / 2]), u, v, k % 2 == 0 ? 1 : -1, k < 2 ? 1 : -1),
                     unit(scaled(-side, of[f / 2])), p);
    }
}

/* Sensors on a spiral of equal areas. */
static void make_sphere(maker *m, const plan *p)
{
    const double radius = 6, golden = PI * (3 - sqrt(5.0));

    add_sphere(m, radius, p->wall_level, WALL);
    add_sphere(m, 3.5, p->vessel_level, VESSEL);
    for (int64_t k = 0; k < p->n_sensors; k++) {
        const double z    = 1 - (2 * (double)k + 1) / (double)p->n_sensors;
        const double ring = sqrt(1 - z * z), angle = golden * (double)k;
        const vector out = { ring * cos(angle), ring * sin(angle), z };

        add_disc(m, scaled(0.92 * radius, out), scaled(-1, out), p);
    }
}

photon_status photon_detector_mesh(int geometry, photon_mesh *mesh, char reason[PHOTON_REASON_SIZE])
{
    maker m = { mesh, PHOTON_OK };

    *mesh = (photon_mesh) { 0 };
    if (geometry == PHOTON_OBJ)
        return photon_mesh_read_obj(photon_detector_obj, strlen(photon_detector_obj),
                                    photon_detector_names, mesh, reason);
    if (geometry == PHOTON_BOX)
        make_box(&m, &plans[geometry]);
    else
        make_sphere(&m, &plans[geometry]);
    if (m.status != PHOTON_OK) {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "no memory for the mesh of a detector");
        photon_mesh_free(mesh);
    }
    return m.status;
}
