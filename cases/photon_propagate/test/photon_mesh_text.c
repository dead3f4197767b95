/* Writes OBJ text: any mesh as triangles, and a detector with bulbs as polygons. */
#include "photon_mesh_text.h"

#include "../../../kernels/photon_propagate/photon_detector.h"

#include <inttypes.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

/* ---- a mesh */

static const char *name_of(uint32_t codes, const photon_mesh_name *names)
{
    for (; names->name; names++)
        if (names->codes == codes)
            return names->name;
    return NULL;
}

/* A statement begins each sensor, and each run of faces with the same surface. */
static bool write_face(const photon_mesh *m, int64_t t, const photon_mesh_name *names, FILE *out)
{
    const photon_face *const face   = &m->face[t];
    const uint32_t *const    corner = &m->corner[3 * t];
    const bool is_next = t == 0 || face->codes != face[-1].codes || face->sensor != face[-1].sensor;
    const char *const name = name_of(face->codes, names);

    if (!name || (is_next && fprintf(out, "usemtl %s\n", name) < 0))
        return false;
    return fprintf(out, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", corner[0] + 1, corner[1] + 1,
                   corner[2] + 1) > 0;
}

bool photon_mesh_text_of(const photon_mesh *mesh, const photon_mesh_name *names, FILE *out)
{
    bool works = true;

    for (int64_t v = 0; works && v < mesh->n_vertices; v++) {
        const float *const at = mesh->vertex + 3 * v;

        works = fprintf(out, "v %.9g %.9g %.9g\n", (double)at[0], (double)at[1], (double)at[2]) > 0;
    }
    for (int64_t t = 0; works && t < mesh->n_triangles; t++)
        works = write_face(mesh, t, names, out);
    return works && fflush(out) == 0;
}

/* ---- the detector with bulbs: vertices in rings, polygons between them */

typedef struct vector {
    double x, y, z;
} vector;

/* A place and axes: u x v = w. */
typedef struct frame {
    vector origin, u, v, w;
} frame;

typedef struct writer {
    FILE *out;
    int   n_vertices;
} writer;

static vector at(const frame *f, double u, double v, double w)
{
    const vector o = f->origin;

    return (vector) { o.x + u * f->u.x + v * f->v.x + w * f->w.x,
                      o.y + u * f->u.y + v * f->v.y + w * f->w.y,
                      o.z + u * f->u.z + v * f->v.z + w * f->w.z };
}

static void put_vertex(writer *w, vector p)
{
    (void)fprintf(w->out, "v %.4f %.4f %.4f\n", p.x, p.y, p.z);
    w->n_vertices++;
}

/* Puts n vertices around w, at a height; returns the number of the first. */
static int put_ring(writer *w, const frame *f, int n, double radius, double height)
{
    const int first = w->n_vertices + 1;

    for (int k = 0; k < n; k++) {
        const double angle = 2 * PI * k / n;

        put_vertex(w, at(f, radius * cos(angle), radius * sin(angle), height));
    }
    return first;
}

/* The wall between two rings, with the lower one first: its normals point away from w. */
static void put_wall(const writer *w, int n, int lower, int upper)
{
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n;

        (void)fprintf(w->out, "f %d %d %d %d\n", lower + k, lower + next, upper + next, upper + k);
    }
}

/* A ring and a point above (side 1) or below it. */
static void put_tip(const writer *w, int n, int ring, int tip, int side)
{
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n;

        (void)fprintf(w->out, "f %d %d %d\n", ring + (side > 0 ? k : next),
                      ring + (side > 0 ? next : k), tip);
    }
}

/* A ring filled with one polygon. */
static void put_lid(const writer *w, int n, int ring, int side)
{
    (void)fputs("f", w->out);
    for (int k = 0; k < n; k++)
        (void)fprintf(w->out, " %d", ring + (side > 0 ? k : n - 1 - k));
    (void)fputs("\n", w->out);
}

static const frame upright = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

enum {
    TANK_SIDES   = 48,
    VESSEL_SIDES = 24,
    VESSEL_RINGS = 11,
    BULB_SIDES   = 8,
    BARREL_ROWS  = 5,
    IN_A_ROW     = 12,
    CAP_RINGS    = 2
};
static const double TANK_RADIUS = 5, TANK_HALF = 4, VESSEL_RADIUS = 3, BULB_RADIUS = 0.35,
                    BULB_GAP = 0.1; /* between a wall and the rim of a bulb */

static void put_tank(writer *w)
{
    const int lower = put_ring(w, &upright, TANK_SIDES, TANK_RADIUS, -TANK_HALF);
    const int upper = put_ring(w, &upright, TANK_SIDES, TANK_RADIUS, TANK_HALF);

    (void)fputs("g tank\nusemtl wall\n", w->out);
    put_wall(w, TANK_SIDES, lower, upper);
    put_lid(w, TANK_SIDES, lower, -1);
    put_lid(w, TANK_SIDES, upper, 1);
}

static void put_vessel(writer *w)
{
    int ring[VESSEL_RINGS], south, north;

    for (int k = 0; k < VESSEL_RINGS; k++) {
        const double angle = PI * (k + 1) / (VESSEL_RINGS + 1);

        ring[k] = put_ring(w, &upright, VESSEL_SIDES, VESSEL_RADIUS * sin(angle),
                           -VESSEL_RADIUS * cos(angle));
    }
    south = w->n_vertices + 1;
    put_vertex(w, at(&upright, 0, 0, -VESSEL_RADIUS));
    north = w->n_vertices + 1;
    put_vertex(w, at(&upright, 0, 0, VESSEL_RADIUS));
    (void)fputs("g vessel\nusemtl vessel\n", w->out);
    for (int k = 1; k < VESSEL_RINGS; k++)
        put_wall(w, VESSEL_SIDES, ring[k - 1], ring[k]);
    put_tip(w, VESSEL_SIDES, ring[0], south, -1);
    put_tip(w, VESSEL_SIDES, ring[VESSEL_RINGS - 1], north, 1);
}

/* Half a sphere that looks along w. */
static void put_bulb(writer *w, const frame *f)
{
    const double half = BULB_RADIUS * sqrt(0.5);
    const int    rim  = put_ring(w, f, BULB_SIDES, BULB_RADIUS, 0);
    const int    ring = put_ring(w, f, BULB_SIDES, half, half);

    put_vertex(w, at(f, 0, 0, BULB_RADIUS));
    (void)fputs("usemtl sensor\n", w->out);
    put_wall(w, BULB_SIDES, rim, ring);
    put_tip(w, BULB_SIDES, ring, w->n_vertices, 1);
}

static void put_barrel(writer *w)
{
    (void)fputs("g barrel\n", w->out);
    for (int k = 0; k < BARREL_ROWS * IN_A_ROW; k++) {
        const int    row   = k / IN_A_ROW;
        const double angle = 2 * PI * (k % IN_A_ROW + 0.5 * (row % 2)) / IN_A_ROW;
        const double c = cos(angle), s = sin(angle), r = TANK_RADIUS - BULB_GAP;
        const frame  f = { { r * c, r * s, 1.3 * (row - BARREL_ROWS / 2) },
                           { s, -c, 0 },
                           { 0, 0, 1 },
                           { -c, -s, 0 } };

        put_bulb(w, &f);
    }
}

static void put_caps(writer *w)
{
    static const struct {
        int    n;
        double radius;
    } rings[CAP_RINGS] = { { 4, 1.2 }, { 10, 3.2 } };

    (void)fputs("g caps\n", w->out);
    for (int side = -1; side <= 1; side += 2)
        for (int ring = 0; ring < CAP_RINGS; ring++)
            for (int k = 0; k < rings[ring].n; k++) {
                const double angle = 2 * PI * k / rings[ring].n, r = rings[ring].radius;
                const frame f = { { r * cos(angle), r * sin(angle), side * (TANK_HALF - BULB_GAP) },
                                  { 1, 0, 0 },
                                  { 0, -side, 0 },
                                  { 0, 0, -side } };

                put_bulb(w, &f);
            }
}

bool photon_mesh_text_bulbs(FILE *out)
{
    writer w = { out, 0 };

    (void)fputs("# A tank with a vessel and 88 half bulbs, in metres: photon_mesh_write bulbs\n",
                out);
    put_tank(&w);
    put_vessel(&w);
    put_barrel(&w);
    put_caps(&w);
    return fflush(out) == 0 && ferror(out) == 0;
}
