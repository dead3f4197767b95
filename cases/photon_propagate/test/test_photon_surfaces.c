/* What faces do: shares of a surface, reflection, and Fresnel's and Snell's laws in the form of
 * angles; for the reference, and for the functions that kernels call. Also, the tree must not let a
 * photon through where two triangles meet. */
#include "photon_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = TRIAL_IS_SANITIZED ? 4000 : 40000
};

static const photon_test_surface nothing = { 0, 0, 0, 0 };
static const double              PI      = 3.14159265358979323846;

static double dot(photon_vector a, photon_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Towards the upper wall, at this angle to its normal, from a place off all diagonals. */
static photon_ref towards_wall(uint32_t i, double angle, bool is_s)
{
    const photon_vector s = { 0, 1, 0 }, p = { cos(angle), 0, -sin(angle) };
    photon_ref          photon =
        photon_test_aimed(i, (photon_vector) { sin(angle), 0, cos(angle) }, is_s ? s : p);

    photon.pos = (photon_vector) { 0.75, 0.25, 9 };
    return photon;
}

/* ---- shares */

static void test_shares(const photon_test_way *way)
{
    static const uint32_t flags[4] = { PHOTON_SURFACE_ABSORB, PHOTON_SURFACE_DETECT,
                                       PHOTON_REFLECT_DIFFUSE, PHOTON_REFLECT_SPECULAR };
    static const double   share[4] = { 0.3, 0.25, 0.2, 0.15 };
    long                  n[5]     = { 0 };
    photon_test_world     w;

    photon_test_world_make(&w, 10, photon_test_clear, photon_test_clear,
                           (photon_test_surface) { share[0], share[1], share[2], share[3] });
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = photon_test_drawn(&w.world, i), born;

        way->step(&w.world, &p, &born);
        for (int k = 0; k < 4; k++)
            n[k] += (p.flags & flags[k]) != 0;
        n[4] += (p.flags & (PHOTON_TRANSMIT | PHOTON_REFLECT_DIELECTRIC)) != 0;
    }
    for (int k = 0; k < 4; k++)
        photon_test_expect_share(way->name, "share of a surface", n[k], N, share[k]);
    trial_expect(n[0] + n[1] + n[2] + n[3] + n[4] == N, "%s: each photon meets one fate",
                 way->name);
    photon_geometry_free(&w.geometry);
}

/* ---- reflection */

/* Lambert: the square of the cosine to the normal is uniform, and so are the azimuths. */
static void test_diffuse(const photon_test_way *way)
{
    double           *cosine = calloc(N, sizeof *cosine), *azimuth = calloc(N, sizeof *azimuth);
    photon_test_world w;
    long              pairs = 0;

    if (!cosine || !azimuth)
        abort();
    photon_test_world_make(&w, 10, photon_test_clear, photon_test_clear,
                           (photon_test_surface) { 0, 0, 1, 0 });
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = towards_wall(i, 0.6, true), born;

        way->step(&w.world, &p, &born);
        cosine[i]  = p.dir.z < 0 ? p.dir.z * p.dir.z : 2;
        azimuth[i] = atan2(p.dir.y, p.dir.x) / (2 * PI) + 0.5;
        pairs += fabs(dot(p.dir, p.dir) - 1) < 1e-5 && fabs(dot(p.dir, p.pol)) < 1e-5 &&
                 fabs(dot(p.pol, p.pol) - 1) < 1e-5;
    }
    photon_test_expect_uniform(way->name, "diffuse: cosine squared", cosine, N);
    photon_test_expect_uniform(way->name, "diffuse: azimuth", azimuth, N);
    trial_expect(pairs == N, "%s: %ld of %d diffuse with length 1 and across", way->name, pairs, N);
    photon_geometry_free(&w.geometry);
    free(cosine);
    free(azimuth);
}

static void test_specular(const photon_test_way *way)
{
    photon_ref        p = towards_wall(0, 0.6, false), born;
    photon_test_world w;

    photon_test_world_make(&w, 10, photon_test_clear, photon_test_clear,
                           (photon_test_surface) { 0, 0, 0, 1 });
    way->step(&w.world, &p, &born);
    trial_expect(p.flags == PHOTON_REFLECT_SPECULAR && fabs(p.dir.x - sin(0.6)) < 1e-6 &&
                     fabs(p.dir.z + cos(0.6)) < 1e-6 && fabs(p.pol.x - cos(0.6)) < 1e-6 &&
                     fabs(p.pol.z - sin(0.6)) < 1e-6,
                 "%s: a mirror turns direction and polarisation", way->name);
    trial_expect(fabs(p.pos.z - 10) < 1e-5 && fabs(p.pos.x - 0.75 - tan(0.6)) < 1e-5,
                 "%s: at the wall", way->name);
    photon_geometry_free(&w.geometry);
}

/* ---- two dielectrics */

static double fresnel(double n1, double n2, double angle, bool is_s)
{
    const double sine = n1 / n2 * sin(angle), inner = sine < 1 ? asin(sine) : 0;
    const double root =
        is_s ? sin(angle - inner) / sin(angle + inner) : tan(angle - inner) / tan(angle + inner);

    return sine >= 1 ? 1 : root * root;
}

/* Photons at one angle: checks how many are reflected, and that all go where Snell's law says. */
static void expect_fresnel(const photon_test_way *way, double n1, double n2, double angle,
                           bool is_s)
{
    const double      sine = n1 / n2 * sin(angle);
    photon_test_world w;
    long              n = 0, right = 0, across = 0;

    photon_test_world_make(&w, 10, (photon_test_medium) { n1, 1e12, 1e12, 0, 1 },
                           (photon_test_medium) { n2, 1e12, 1e12, 0, 1 }, nothing);
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = towards_wall(i, angle, is_s), born;

        way->step(&w.world, &p, &born);
        across += fabs(dot(p.dir, p.pol)) < 1e-5;
        if (p.flags == PHOTON_REFLECT_DIELECTRIC) {
            n++;
            right += fabs(p.dir.x - sin(angle)) < 1e-5 && p.dir.z < 0;
        } else {
            right += p.flags == PHOTON_TRANSMIT && fabs(p.dir.x - sine) < 1e-4 && p.dir.z > 0;
        }
    }
    photon_test_expect_share(way->name, "reflected", n, N, fresnel(n1, n2, angle, is_s));
    trial_expect(right == N && across == N, "%s: %ld of %d go where Snell says, %ld across",
                 way->name, right, N, across);
    photon_geometry_free(&w.geometry);
}

static void test_fresnel(const photon_test_way *way)
{
    const double n1 = 1.2, n2 = 2.4;

    for (int s = 0; s < 2; s++) {
        expect_fresnel(way, n1, n2, 0.5, s);
        expect_fresnel(way, n1, n2, 1.2, s);
        expect_fresnel(way, n2, n1, 0.3, s);
        expect_fresnel(way, n2, n1, 0.8, s); /* beyond the critical angle of 30 degrees */
        expect_fresnel(way, n1, n1, 0.7, s);
    }
    expect_fresnel(way, n1, n2, atan(n2 / n1), false); /* Brewster: no p is reflected */
}

/* At normal incidence there is no plane of incidence. */
static void test_normal_incidence(const photon_test_way *way)
{
    photon_test_world w;
    long              n = 0, right = 0;

    photon_test_world_make(&w, 10, (photon_test_medium) { 1, 1e12, 1e12, 0, 1 },
                           (photon_test_medium) { 3, 1e12, 1e12, 0, 1 }, nothing);
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = towards_wall(i, 0, false), born;

        way->step(&w.world, &p, &born);
        n += (p.flags & PHOTON_REFLECT_DIELECTRIC) != 0;
        right += fabs(fabs(p.dir.z) - 1) < 1e-6 && fabs(fabs(p.pol.x) - 1) < 1e-6;
    }
    photon_test_expect_share(way->name, "reflected straight back", n, N, 0.25);
    trial_expect(right == N, "%s: polarisation is kept", way->name);
    photon_geometry_free(&w.geometry);
}

/* ---- edges */

/* Photons aimed at places on the diagonals and edges of the cube, to the last bit: none slips
 * between two triangles of its surface. */
static void test_no_gaps(const photon_test_way *way)
{
    photon_test_world w;
    long              n = 0;

    photon_test_world_make(&w, 1, photon_test_clear, photon_test_clear,
                           (photon_test_surface) { 1, 0, 0, 0 });
    for (uint32_t i = 0; i < N; i++) {
        const double x = (i % 199 - 99.0) / 99, y = i % 3 == 0 ? x : i % 3 == 1 ? -x : 1;
        const double size = sqrt(x * x + y * y + 1);
        photon_ref born, p = photon_test_aimed(i, (photon_vector) { x / size, y / size, 1 / size },
                                               (photon_vector) { 0 });

        p.pos = (photon_vector) { (i % 7) * 0.01, (i % 11) * 0.01, (i % 13) * 0.01 };
        way->step(&w.world, &p, &born);
        n += (p.flags & PHOTON_SURFACE_ABSORB) != 0;
    }
    trial_expect(n == N, "%s: %ld of %d photons stay inside", way->name, n, N);
    photon_geometry_free(&w.geometry);
}

int main(void)
{
    for (int k = 0; k < PHOTON_TEST_WAYS; k++) {
        const photon_test_way *way = &photon_test_ways[k];

        test_shares(way);
        test_diffuse(way);
        test_specular(way);
        test_fresnel(way);
        test_normal_incidence(way);
        test_no_gaps(way);
    }
    return trial_finish("test_photon_surfaces");
}
