/* Worlds, steps and statistics of the stand-alone photon programs. */
#include "photon_test.h"

#include "../../../kernels/photon_propagate/photon_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const photon_test_medium photon_test_clear = { 1.3, 1e12, 1e12, 0, 1 };

/* ---- worlds */

static void set_medium(float *to, photon_test_medium m)
{
    for (int k = 0; k < PHOTON_WAVELENGTHS; k++) {
        to[PHOTON_MEDIUM_INDEX * PHOTON_WAVELENGTHS + k]   = (float)m.index;
        to[PHOTON_MEDIUM_ABSORB * PHOTON_WAVELENGTHS + k]  = (float)m.absorb;
        to[PHOTON_MEDIUM_SCATTER * PHOTON_WAVELENGTHS + k] = (float)m.scatter;
        to[PHOTON_MEDIUM_REEMIT * PHOTON_WAVELENGTHS + k]  = (float)m.reemit;
    }
    for (int k = 0; k < PHOTON_CDF; k++)
        to[PHOTON_MEDIUM_CDF + k] = (float)(300 + 10 * k);
    to[PHOTON_MEDIUM_DELAY] = (float)m.delay;
}

static void set_surface(float *to, photon_test_surface s)
{
    const double share[4] = { s.absorb, s.detect, s.diffuse, s.specular };
    double       sum      = 0;

    for (int f = 0; f < 4; f++) {
        sum += share[f];
        for (int k = 0; k < PHOTON_WAVELENGTHS; k++)
            to[f * PHOTON_WAVELENGTHS + k] = (float)sum;
    }
}

/* Corner k: one bit for each coordinate. */
static void add_cube(photon_mesh *mesh, double half)
{
    static const uint32_t quads[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                          { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
    const photon_face     face        = { PHOTON_FACE(0, 1, 1), 0 };
    bool                  is_right    = true;

    for (int k = 0; k < 8; k++) {
        const float at[3] = { (float)(k & 1 ? half : -half), (float)(k & 2 ? half : -half),
                              (float)(k & 4 ? half : -half) };

        is_right = is_right && photon_mesh_add_vertex(mesh, at) == PHOTON_OK;
    }
    for (int q = 0; q < 6; q++)
        for (int t = 0; t < 2; t++)
            is_right = is_right &&
                       photon_mesh_add_triangle(
                           mesh, (uint32_t[]) { quads[q][0], quads[q][1 + t], quads[q][2 + t] },
                           face) == PHOTON_OK;
    mesh->n_sensors = 1;
    if (!is_right)
        abort();
}

void photon_test_world_make(photon_test_world *w, double half, photon_test_medium inside,
                            photon_test_medium outside, photon_test_surface surface)
{
    photon_mesh mesh = { 0 };
    char        reason[PHOTON_REASON_SIZE];

    memset(w, 0, sizeof *w);
    add_cube(&mesh, half);
    if (photon_geometry_build(&mesh, &w->geometry, reason) != PHOTON_OK)
        abort();
    photon_mesh_free(&mesh);
    set_medium(w->media, inside);
    set_medium(w->media + PHOTON_MEDIUM_SIZE, outside);
    set_surface(w->surfaces + PHOTON_SURFACE_SIZE, surface);
    w->world = (photon_ref_world) { .nodes     = (const uint32_t *)w->geometry.node,
                                    .faces     = (const uint32_t *)w->geometry.face,
                                    .triangles = (const float *)w->geometry.triangle,
                                    .media     = w->media,
                                    .surfaces  = w->surfaces };
}

/* ---- the two ways to make a step */

/* By the functions of the kernels, in their precision, on the same pages as theirs. */
static void single_step(const photon_ref_world *w, photon_ref *p, photon_ref *secondary)
{
    const photon_world world                            = { .nodes     = (const photon_node *)w->nodes,
                                                            .top       = (const photon_node *)w->nodes,
                                                            .triangles = w->triangles,
                                                            .faces     = w->faces,
                                                            .media     = w->media,
                                                            .surfaces  = w->surfaces };
    float              real[PHOTON_PAGE * PHOTON_REALS] = { 0 };
    uint32_t           word[PHOTON_PAGE * PHOTON_WORDS] = { 0 };
    const photon_pages pages                            = { real, word };
    photon_state       state;

    photon_ref_store(p, real, word, 0);
    state = photon_load(pages, 0);
    photon_step(&world, &state);
    photon_store(pages, 0, &state);
    *p = photon_ref_load(real, word, 0);
    if (!(p->flags & PHOTON_REEMIT))
        return;
    state = photon_secondary(&state);
    photon_store(pages, 0, &state);
    *secondary = photon_ref_load(real, word, 0);
}

const photon_test_way photon_test_ways[PHOTON_TEST_WAYS] = { { "reference", photon_ref_step },
                                                             { "kernels", single_step } };

/* ---- photons */

photon_ref photon_test_drawn(const photon_ref_world *w, uint32_t i)
{
    photon_ref p = { .flags = PHOTON_ISOTROPIC_INIT, .key = { 4711, i }, .face = -1 };

    photon_ref_emit(w, &p);
    return p;
}

photon_ref photon_test_aimed(uint32_t i, photon_vector dir, photon_vector pol)
{
    return (photon_ref) { .dir        = dir,
                          .pol        = pol,
                          .wavelength = 400,
                          .key        = { 815, i },
                          .draw       = PHOTON_DRAW_STEP,
                          .face       = -1 };
}

/* ---- statistics */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void photon_test_expect_uniform(const char *who, const char *what, double *below, long n)
{
    const double limit = 2.69; /* for sqrt(n) times the distance: 2 exp(-2 x^2) is 1e-6 */
    double       most  = 0;

    qsort(below, (size_t)n, sizeof *below, by_size);
    for (long k = 0; k < n; k++)
        most = fmax(most,
                    fmax(below[k] - (double)k / (double)n, (double)(k + 1) / (double)n - below[k]));
    trial_expect(n > 0 && most * sqrt((double)n) < limit, "%s, %s: distance %.4f over %ld values",
                 who, what, most, n);
}

void photon_test_expect_share(const char *who, const char *what, long k, long n, double share)
{
    const double deviation = sqrt((double)n * share * (1 - share));

    trial_expect(fabs((double)k - (double)n * share) <= 5 * deviation + 0.5,
                 "%s, %s: %ld of %ld, expected a share of %.6f", who, what, k, n, share);
}
