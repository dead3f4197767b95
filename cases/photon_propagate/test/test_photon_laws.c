/* The physical laws of a step, by their distributions: for the reference, and for the functions
 * that kernels call. Each test makes one step of many photons in a cube whose tables leave only one
 * thing to happen. */
#include "photon_test.h"

#include "../../../kernels/photon_propagate/photon_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = TRIAL_IS_SANITIZED ? 4000 : 40000
};

static const photon_test_surface black = { 1, 0, 0, 0 };

static double dot(photon_vector a, photon_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static bool is_pair(const photon_ref *p)
{
    return fabs(dot(p->dir, p->dir) - 1) < 1e-5 && fabs(dot(p->pol, p->pol) - 1) < 1e-5 &&
           fabs(dot(p->dir, p->pol)) < 1e-5;
}

/* ---- random numbers */

static void test_philox(void)
{
    /* The answers published by the authors of the generator. */
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    uint32_t block[4];
    long     same = 0;

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        photon_ref_philox(known[k].counter, known[k].key, block);
        trial_expect(memcmp(block, known[k].block, sizeof block) == 0, "known answer %zu", k);
    }
    for (uint32_t k = 0; k < 1000; k++) {
        const uint32_t     key[2] = { k * 2654435761u, ~k };
        const photon_block b      = photon_philox(key[0], key[1], k * 77, k % 3);

        photon_ref_philox((const uint32_t[]) { k * 77, k % 3, 0, 0 }, key, block);
        same += memcmp(block, b.word, sizeof block) == 0;
    }
    trial_expect(same == 1000, "%ld of 1000 blocks are the same in the kernels", same);
}

static void test_uniforms(void)
{
    double *value   = malloc(4 * N * sizeof *value), of[4];
    bool    is_same = true, is_open = true;

    if (!value)
        abort();
    trial_expect(photon_uniform(0) == 0x1p-24f && photon_uniform(0xffffffffu) == 1 - 0x1p-24f,
                 "the ends of the interval do not come out");
    for (uint32_t i = 0; i < N; i++) {
        const photon_state    p = { .key_0 = 1, .key_1 = i };
        const photon_uniforms d = photon_draws(&p, 3);

        photon_ref_draw((const uint32_t[]) { 1, i }, 3, of);
        for (int w = 0; w < 4; w++) {
            is_same                    = is_same && (double)d.u[w] == of[w];
            is_open                    = is_open && of[w] > 0 && of[w] < 1;
            value[4 * i + (uint32_t)w] = of[w];
        }
    }
    trial_expect(is_same, "uniforms of the kernels are those of the reference, bit for bit");
    trial_expect(is_open, "uniforms lie between 0 and 1");
    photon_test_expect_uniform("reference", "uniforms", value, 4 * N);
    free(value);
}

/* Keys of secondaries depend on both of their inputs. */
static void test_spawn_keys(void)
{
    uint32_t a[2], b[2], c[2];

    photon_ref_spawn_key((const uint32_t[]) { 7, 8 }, 4, a);
    photon_ref_spawn_key((const uint32_t[]) { 7, 8 }, 6, b);
    photon_ref_spawn_key((const uint32_t[]) { 7, 9 }, 4, c);
    trial_expect(memcmp(a, b, sizeof a) != 0 && memcmp(a, c, sizeof a) != 0, "three other keys");
}

/* ---- the outcome of a step */

typedef double measure(const photon_ref *before, const photon_ref *after, const photon_ref *born);

/* Makes one step of N photons. Those whose flags then have `flag` are measured by each of `laws`,
 * and must have that distribution; returns how many there are. */
typedef struct law {
    const char *what;
    measure    *below; /* the distribution function at the measured value */
} law;

static long expect_laws(const photon_test_way *way, const photon_ref_world *w, uint32_t flag,
                        const law *laws, int n_laws)
{
    double *value = calloc((size_t)n_laws * N, sizeof *value);
    long    n     = 0;

    if (!value)
        abort();
    for (uint32_t i = 0; i < N; i++) {
        const photon_ref before = photon_test_drawn(w, i);
        photon_ref       after = before, born = before;

        way->step(w, &after, &born);
        if (!(after.flags & flag))
            continue;
        for (int k = 0; k < n_laws; k++)
            value[k * N + n] = laws[k].below(&before, &after, &born);
        n++;
    }
    for (int k = 0; k < n_laws; k++)
        photon_test_expect_uniform(way->name, laws[k].what, value + (size_t)k * N, n);
    free(value);
    return n;
}

/* ---- emission: isotropic, polarised in any direction across */

static double x_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)a, (void)s;
    return (b->dir.x + 1) / 2;
}

static double z_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)a, (void)s;
    return (b->dir.z + 1) / 2;
}

static double pol_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)a, (void)s;
    return (b->pol.y + 1) / 2;
}

static void test_emission(void)
{
    static const law  laws[] = { { "x of a direction", x_of },
                                 { "z of a direction", z_of },
                                 { "y of a polarisation", pol_of } };
    photon_test_world w;
    long              pairs = 0;

    photon_test_world_make(&w, 100, photon_test_clear, photon_test_clear, black);
    (void)expect_laws(&photon_test_ways[0], &w.world, PHOTON_SURFACE_ABSORB, laws, 3);
    for (uint32_t i = 0; i < N; i++) {
        const photon_ref p = photon_test_drawn(&w.world, i);

        pairs += is_pair(&p);
    }
    trial_expect(pairs == N, "%ld of %d emitted with length 1 and across", pairs, N);
    photon_geometry_free(&w.geometry);
}

/* ---- Rayleigh scattering */

/* 3/4 (1 - mu^2) about the polarisation. */
static double about_polarisation(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    const double mu = dot(a->dir, b->pol);

    (void)s;
    return (2 + 3 * mu - mu * mu * mu) / 4;
}

/* 3/8 (1 + c^2) about the direction, for light polarised in any direction across it. */
static double about_direction(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    const double c = dot(a->dir, b->dir);

    (void)s;
    return (4 + 3 * c + c * c * c) / 8;
}

static void test_rayleigh(const photon_test_way *way)
{
    static const law  laws[] = { { "angle to the polarisation", about_polarisation },
                                 { "angle to the direction", about_direction } };
    photon_test_world w;
    long              pairs = 0;

    photon_test_world_make(&w, 100, (photon_test_medium) { 1.3, 1e12, 0.1, 0, 1 },
                           photon_test_clear, black);
    trial_expect(expect_laws(way, &w.world, PHOTON_RAYLEIGH, laws, 2) == N, "%s: all scatter",
                 way->name);
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = photon_test_drawn(&w.world, i), born;

        way->step(&w.world, &p, &born);
        pairs += is_pair(&p);
    }
    trial_expect(pairs == N, "%s: %ld of %d scattered with length 1 and across", way->name, pairs,
                 N);
    photon_geometry_free(&w.geometry);
}

/* ---- free paths */

static const double ABSORB = 3, SCATTER = 2;

static double path_of(const photon_ref *b, const photon_ref *a)
{
    const double x = a->pos.x - b->pos.x, y = a->pos.y - b->pos.y, z = a->pos.z - b->pos.z;

    return sqrt(x * x + y * y + z * z);
}

static double free_path(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)s;
    return 1 - exp(-path_of(b, a) * (1 / ABSORB + 1 / SCATTER));
}

/* c / n is 0.2 m/ns. */
static double time_of_flight(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)s;
    return 1 - exp(-(a->time - b->time) * 0.2 * (1 / ABSORB + 1 / SCATTER));
}

static void test_free_path(const photon_test_way *way)
{
    static const law  laws[] = { { "free path", free_path }, { "time of flight", time_of_flight } };
    const double      share  = SCATTER / (ABSORB + SCATTER); /* rates 1/3 and 1/2 */
    photon_test_world w;
    long              n_absorbed, n_scattered;

    photon_test_world_make(
        &w, 200,
        (photon_test_medium) { (double)PHOTON_LIGHT_SPEED / 0.2, ABSORB, SCATTER, 0, 1e-6 },
        photon_test_clear, black);
    n_absorbed  = expect_laws(way, &w.world, PHOTON_BULK_ABSORB, laws, 2);
    n_scattered = expect_laws(way, &w.world, PHOTON_RAYLEIGH, laws, 2);
    trial_expect(n_absorbed + n_scattered == N, "%s: nobody gets to the wall", way->name);
    photon_test_expect_share(way->name, "absorbed", n_absorbed, N, share);
    photon_geometry_free(&w.geometry);
}

/* Photons that reach a wall at 1 m: at least exp(-1/3 - 1/2) along an axis. */
static void test_wall_before(const photon_test_way *way)
{
    photon_test_world w;
    long              n = 0;

    photon_test_world_make(&w, 1, (photon_test_medium) { 1, ABSORB, SCATTER, 0, 1 },
                           photon_test_clear, black);
    for (uint32_t i = 0; i < N; i++) {
        photon_ref p = photon_test_aimed(i, (photon_vector) { 0, 0, 1 },
                                         (photon_vector) { 1, 0, 0 }),
                   s;

        p.pos.x = 0.25; /* off the diagonal of the wall */
        way->step(&w.world, &p, &s);
        n += (p.flags & PHOTON_SURFACE_ABSORB) != 0;
    }
    photon_test_expect_share(way->name, "at the wall", n, N, exp(-1 / ABSORB - 1 / SCATTER));
    photon_geometry_free(&w.geometry);
}

/* ---- re-emission */

static double wavelength_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)b, (void)a;
    return (s->wavelength - 300) / 320;
}

static double direction_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)a;
    return (dot(s->dir, b->dir) + 1) / 2;
}

/* Makes a step and draws the secondary, so that there is something to measure; the secondary makes
 * no step. */
static const photon_ref_world *drawn_world;
static photon_test_step       *drawn_step;

static void step_and_draw(const photon_ref_world *w, photon_ref *p, photon_ref *secondary)
{
    drawn_step(w, p, secondary);
    if (p->flags & PHOTON_REEMIT)
        photon_ref_emit(drawn_world, secondary);
}

static double delay_of(const photon_ref *b, const photon_ref *a, const photon_ref *s)
{
    (void)b;
    return 1 - exp(-(s->time - a->time) / 4);
}

static void test_reemission(const photon_test_way *way)
{
    static const law      laws[] = { { "wavelength of a secondary", wavelength_of },
                                     { "direction of a secondary", direction_of },
                                     { "delay of a secondary", delay_of } };
    const photon_test_way drawn  = { way->name, step_and_draw };
    photon_test_world     w;

    photon_test_world_make(&w, 100, (photon_test_medium) { 1.3, 0.1, 1e12, 0.7, 4 },
                           photon_test_clear, black);
    drawn_world = &w.world;
    drawn_step  = way->step;
    photon_test_expect_share(way->name, "re-emitted",
                             expect_laws(&drawn, &w.world, PHOTON_REEMIT, laws, 3), N,
                             (double)0.7f);
    photon_geometry_free(&w.geometry);
}

int main(void)
{
    test_philox();
    test_uniforms();
    test_spawn_keys();
    test_emission();
    for (int k = 0; k < PHOTON_TEST_WAYS; k++) {
        test_rayleigh(&photon_test_ways[k]);
        test_free_path(&photon_test_ways[k]);
        test_wall_before(&photon_test_ways[k]);
        test_reemission(&photon_test_ways[k]);
    }
    return trial_finish("test_photon_laws");
}
