/* The errors of a place, across and along the direction, when the direction turns: every place
 * within them before is within them after. Tests the reference, by trying places on the rim. */
#include "photon_test.h"

#include <math.h>

enum {
    TURNS = 4000,
    RIM   = 64
};

static const double PI = 3.14159265358979323846;

static double dot(photon_vector a, photon_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static photon_vector cross(photon_vector a, photon_vector b)
{
    return (photon_vector) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/* v + s a */
static photon_vector plus(photon_vector v, double s, photon_vector a)
{
    return (photon_vector) { v.x + s * a.x, v.y + s * a.y, v.z + s * a.z };
}

/* The largest error that was seen, over what the reference says. */
typedef struct worst {
    double aside, along;
} worst;

static void try_place(worst *w, const photon_ref *p, photon_vector off)
{
    const double        along = dot(off, p->dir);
    const photon_vector aside = plus(off, -along, p->dir);

    w->aside = fmax(w->aside, sqrt(dot(aside, aside)) / p->e_aside);
    w->along = fmax(w->along, fabs(along) / p->e_along);
}

/* Places within the errors that a photon of direction `before` had: on a circle of this radius
 * around it, and displaced along it. Off a face, that displacement depends on the place on the
 * circle (`slope`). */
typedef struct places {
    photon_vector before, first; /* first: of length 1, across; in the direction of the steepest
                                  * slope */
    double radius, along, slope;
} places;

static void try_places(worst *w, const photon_ref *p, const places *of)
{
    const photon_vector second = cross(of->before, of->first);

    for (int k = 0; k < 2 * RIM; k++) {
        const double  x = of->radius * cos(PI * k / RIM), y = of->radius * sin(PI * k / RIM);
        photon_vector off = plus((photon_vector) { 0, 0, 0 }, x, of->first);

        off = plus(off, y, second);
        try_place(w, p, plus(off, of->slope * x + of->along, of->before));
        try_place(w, p, plus(off, of->slope * x - of->along, of->before));
    }
}

/* At most 1, except for second-order terms, and at least `least`: the bound is not too wide. */
static void expect_worst(const char *what, const worst *w, double least)
{
    trial_expect(w->aside < 1 + 1e-4 && w->along < 1 + 1e-4,
                 "%s: a place is off by %.4f of its bound across, %.4f along", what, w->aside,
                 w->along);
    trial_expect(w->aside > least && w->along > least,
                 "%s: no place is off by more than %.4f of its bound across, %.4f along", what,
                 w->aside, w->along);
}

static void test_scattering(void)
{
    static const double along[] = { 1e-6, 3e-5, 1e-4, 5e-4 };
    const double        radius  = 1e-4;

    for (size_t k = 0; k < sizeof along / sizeof *along; k++) {
        worst w = { 0, 0 };

        for (uint32_t i = 0; i < TURNS; i++) {
            const photon_vector x = { 1, 0, 0 }, y = { 0, 1, 0 };
            photon_ref          p = photon_test_aimed(i, x, y);
            double              uniform[4];

            p.e_aside = radius;
            p.e_along = along[k];
            photon_ref_draw(p.key, i, uniform);
            photon_ref_rayleigh(&p, uniform);
            try_places(&w, &p, &(places) { x, y, radius, along[k], 0 });
        }
        expect_worst("scattering", &w, 0.99);
    }
}

/* Meets a wall, at any angle and sometimes at a right angle, at a place that is off the face by as
 * much as its error says. */
static void meet(worst *w, const photon_ref_world *world, uint32_t i)
{
    const double   radius = 1e-4, off = 3e-5;
    photon_ref     p;
    photon_ref_hit hit;
    double         first[4], second[4], angle;
    places         of;

    photon_ref_draw((const uint32_t[]) { i, 7 }, 0, first);
    photon_ref_draw((const uint32_t[]) { i, 7 }, 1, second);
    angle         = i % 8 == 0 ? 0 : 0.02 + 1.4 * first[0];
    p             = photon_test_aimed(i, (photon_vector) { sin(angle), 0, cos(angle) },
                                      (photon_vector) { 0, 1, 0 });
    p.pos         = (photon_vector) { 0.75, 0.25, 9 };
    hit           = photon_ref_trace(world, &p);
    p.pos         = plus(p.pos, hit.distance, p.dir);
    hit.off_plane = off;
    of            = (places) { .before = p.dir,
                               .first  = { cos(angle), 0, -sin(angle) },
                               .radius = radius,
                               .along  = off / cos(angle),
                               .slope  = tan(angle) };
    p.e_aside     = radius;
    p.e_along     = of.slope * radius + of.along;
    photon_ref_meet(&(photon_ref_boundary) { world, &hit, first, second }, &p);
    try_places(w, &p, &of);
}

static void test_faces(void)
{
    static const struct {
        const char         *what;
        double              inside, outside; /* indices */
        photon_test_surface surface;
        double              least;
    } laws[] = {
        { "diffuse", 1, 1, { 0, 0, 1, 0 }, 0.9 },
        { "mirror", 1, 1, { 0, 0, 0, 1 }, 0.9 },
        { "into what is denser", 1, 1.5, { 0, 0, 0, 0 }, 0.7 },
        { "out of it", 1.5, 1, { 0, 0, 0, 0 }, 0.7 },
    };

    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        photon_test_medium inside = photon_test_clear, outside = photon_test_clear;
        photon_test_world  world;
        worst              w = { 0, 0 };

        inside.index  = laws[k].inside;
        outside.index = laws[k].outside;
        photon_test_world_make(&world, 10, inside, outside, laws[k].surface);
        for (uint32_t i = 0; i < TURNS; i++)
            meet(&w, &world.world, i);
        expect_worst(laws[k].what, &w, laws[k].least);
        photon_geometry_free(&world.geometry);
    }
}

int main(void)
{
    test_scattering();
    test_faces();
    return trial_finish("test_photon_errors");
}
