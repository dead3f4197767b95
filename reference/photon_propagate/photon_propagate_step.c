/* One step: to the first of absorption, scattering and a face; and states in pages. */
#include "photon_propagate.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "photon_propagate_vector.h"

static const double PI = 3.14159265358979323846;

void photon_ref_decide(photon_ref *p, double distance, double error, double width)
{
    p->in_doubt = p->in_doubt || !(fabs(distance) > error);
    p->chance += fmin(1, 2 * error / width);
}

/* ---- Rayleigh scattering */

/* The root in [-1, 1] of 2 - 4 u = 3 mu - mu^3 with its sign changed: the distribution of 3/4 (1 -
 * mu^2). */
double photon_ref_rayleigh_cosine(double uniform)
{
    return 2 * cos((acos(1 - 2 * uniform) - 2 * PI) / 3);
}

/* Errors of a place across and along a direction, after a turn by an angle with this cosine. Both
 * may occur in full at once, in a cylinder around the old direction, so that they add linearly
 * along the new one. Across it, take a place of the rim that is x off in the plane of the turn. Its
 * squared distance is (along sine + x cosine)^2 + aside^2 - x^2: largest at x = along cosine /
 * sine, or at the rim's end. */
static void turn_place(photon_ref *p, double cosine)
{
    const double aside = p->e_aside, along = p->e_along, size = fabs(cosine);
    const double sine = sqrt(fmax(0, 1 - cosine * cosine));

    p->e_along = along * size + aside * sine;
    p->e_aside = along * size < aside * sine ? hypot(aside, along) : along * sine + aside * size;
}

enum {
    /* Arc cosine 8 (2 ulp below pi), 2 pi 3, their difference 4, a third of it; product with a
     * rounded third 3; cosine 2 (2 ulp below 1); and all of that twice. */
    E_COSINE  = 20,
    E_SCATTER = E_CROSS + E_TURN + E_COMBINE, /* the direction across the polarisation */
    E_PROJECT = E_DOT + 2,                    /* dot product; product, difference */
    E_TIME    = 3                             /* reciprocal of the speed of light, two products */
};

/* Error of the root of 1 - mu^2. The square has the error of a product and a difference, 2. The
 * root's is that over the sum of the roots, and at most the root of it; root 1. */
static double error_of_sine(double mu, double e_mu)
{
    const double square   = fmax(0, 1 - mu * mu);
    const double e_square = 2 * fabs(mu) * e_mu + e_mu * e_mu + 2 * PHOTON_ROUNDOFF;
    const double roots    = sqrt(square) + sqrt(fmax(0, square - e_square));

    return fmin(sqrt(e_square), e_square / roots) + PHOTON_ROUNDOFF;
}

/* About the polarisation, with the direction as the origin of the azimuth. */
void photon_ref_rayleigh(photon_ref *p, const double uniform[4])
{
    const double        u = PHOTON_ROUNDOFF, mu = photon_ref_rayleigh_cosine(uniform[0]);
    const double        phi  = 2 * PI * uniform[1];
    const double        sine = sqrt(fmax(0, 1 - mu * mu));
    const double        e_mu = E_COSINE * u, e_sine = error_of_sine(mu, e_mu);
    const photon_vector side = vector_cross(p->pol, p->dir);
    const photon_vector out =
        vector_sum(vector_scaled(cos(phi), p->dir), vector_scaled(sin(phi), side));
    const double e_frame =
        fabs(mu) * p->e_pol +
        sine * (fabs(cos(phi)) * p->e_dir + fabs(sin(phi)) * (p->e_pol + p->e_dir)) + E_SCATTER * u;
    const photon_vector dir =
        vector_unit(vector_sum(vector_scaled(mu, p->pol), vector_scaled(sine, out)));
    const photon_vector pol =
        vector_difference(p->pol, vector_scaled(vector_dot(p->pol, dir), dir));
    const double e_dir = e_mu + e_sine + e_frame + (E_COMBINE + E_UNIT) * u;

    turn_place(p, vector_dot(p->dir, dir));
    p->e_pol = (p->e_pol + 2 * e_dir + E_PROJECT * u) / vector_length(pol) + E_UNIT * u;
    p->e_dir = e_dir;
    p->dir   = dir;
    p->pol   = vector_unit(pol);
    p->flags |= PHOTON_RAYLEIGH;
    p->face = -1;
}

/* ---- the way to what happens */

/* Moves by `distance`, whose error is `error`, in a medium with this index; `e_along` becomes the
 * error of its place along the way. */
static void move(photon_ref *p, double distance, double error, double e_along,
                 photon_ref_value index)
{
    const double u = PHOTON_ROUNDOFF, c = (double)PHOTON_LIGHT_SPEED;
    double       rounding;

    p->pos   = vector_sum(p->pos, vector_scaled(distance, p->dir));
    rounding = u * (distance + vector_length(p->pos)); /* product, sum */
    p->time += distance * index.value / c;
    p->e_time += error * index.value / c + distance / c * (index.error + E_TIME * u * index.value) +
                 u * fabs(p->time);
    p->e_aside += distance * p->e_dir + rounding;
    p->e_along = e_along + rounding;
}

/* What a photon may meet on its way through a medium. */
typedef struct journey {
    photon_ref_value index, absorb, scatter, reemit;
    double           to_absorb, e_absorb, to_scatter, e_scatter;
} journey;

/* -L ln(u): its roundings, and the error of L. */
static double length_of(photon_ref_value l, double uniform, double *error)
{
    const double depth = -log(uniform);

    *error = depth * (E_LOG * PHOTON_ROUNDOFF * l.value + l.error);
    return depth * l.value;
}

static journey journey_in(const photon_ref_world *w, uint32_t medium, const photon_ref *p,
                          const double uniform[4])
{
    const float *t = w->media + medium * (size_t)PHOTON_MEDIUM_SIZE;
    journey      j;

    j.index      = photon_ref_table(t + PHOTON_MEDIUM_INDEX * PHOTON_WAVELENGTHS, p);
    j.absorb     = photon_ref_table(t + PHOTON_MEDIUM_ABSORB * PHOTON_WAVELENGTHS, p);
    j.scatter    = photon_ref_table(t + PHOTON_MEDIUM_SCATTER * PHOTON_WAVELENGTHS, p);
    j.reemit     = photon_ref_table(t + PHOTON_MEDIUM_REEMIT * PHOTON_WAVELENGTHS, p);
    j.to_absorb  = length_of(j.absorb, uniform[0], &j.e_absorb);
    j.to_scatter = length_of(j.scatter, uniform[1], &j.e_scatter);
    return j;
}

/* The chance is that of a face at a place that does not depend on the draw; and, if something is
 * reached before the face, that the two lengths are alike. */
static void decide_event(photon_ref *p, const journey *j, const photon_ref_hit *hit)
{
    const bool   is_absorb = j->to_absorb <= j->to_scatter;
    const double bulk      = is_absorb ? j->to_absorb : j->to_scatter;
    const double e_bulk    = is_absorb ? j->e_absorb : j->e_scatter;
    const double scale     = is_absorb ? j->absorb.value : j->scatter.value;

    photon_ref_decide(p, bulk - hit->distance, e_bulk + hit->e_distance, scale);
    if (bulk < hit->distance)
        photon_ref_decide(p, j->to_absorb - j->to_scatter, j->e_absorb + j->e_scatter,
                          fmax(j->absorb.value, j->scatter.value));
}

/* ---- what happens */

static void absorb(photon_ref *p, const journey *j, uint32_t medium, uint32_t draw,
                   const double uniform[4], photon_ref *secondary)
{
    p->flags |= PHOTON_BULK_ABSORB;
    p->face = -1;
    if (p->generation + 1 >= PHOTON_GENERATIONS)
        return;
    photon_ref_decide(p, uniform[2] - j->reemit.value, j->reemit.error, 1);
    if (!(uniform[2] < j->reemit.value))
        return;
    p->flags |= PHOTON_REEMIT;
    *secondary            = *p;
    secondary->flags      = PHOTON_ISOTROPIC_INIT;
    secondary->draw       = 0;
    secondary->generation = p->generation + 1;
    secondary->medium     = medium;
    photon_ref_spawn_key(p->key, draw, secondary->key);
}

static bool is_state(const photon_ref *p)
{
    const double size = vector_dot(p->dir, p->dir), far = 1e7;

    return size > 0.9 && size < 1.1 && fabs(p->pos.x) < far && fabs(p->pos.y) < far &&
           fabs(p->pos.z) < far && fabs(p->wavelength) < far;
}

/* Numbers that have lost their precision decide nothing any more (the time decides nothing at all).
 * Beyond 1 %, first-order errors leave out more than 1 % of themselves. From here on the photon is
 * in doubt, and its errors are no longer followed: exact arithmetic does not show what is near for
 * such numbers. */
static void doubt_lost(photon_ref *p)
{
    const double most = 1e-2;

    if (p->e_aside < most && p->e_along < most && p->e_dir < most && p->e_pol < most)
        return;
    p->in_doubt = true;
    p->chance   = 1;
    p->e_aside = p->e_along = p->e_dir = p->e_pol = p->e_time = p->e_wavelength = 0;
}

static void go_on(const photon_ref_world *w, const photon_ref_hit *hit, photon_ref *p,
                  photon_ref *secondary)
{
    const uint32_t codes  = w->faces[2 * hit->face];
    const uint32_t medium = hit->cosine > 0 ? codes & 0xffu : codes >> 8 & 0xffu;
    const uint32_t draw   = p->draw - PHOTON_DRAWS_STEP;
    double         first[4], second[4];
    journey        j;

    photon_ref_draw(p->key, draw, first);
    photon_ref_draw(p->key, draw + 1, second);
    j = journey_in(w, medium, p, first);
    decide_event(p, &j, hit);
    if (j.to_absorb <= j.to_scatter && j.to_absorb <= hit->distance) {
        move(p, j.to_absorb, j.e_absorb, p->e_along + j.e_absorb, j.index);
        absorb(p, &j, medium, draw, first, secondary);
    } else if (j.to_scatter <= hit->distance) {
        move(p, j.to_scatter, j.e_scatter, p->e_along + j.e_scatter, j.index);
        photon_ref_rayleigh(p, second);
    } else {
        move(p, hit->distance, hit->e_distance, hit->e_along, j.index);
        p->face = hit->face;
        photon_ref_meet(&(photon_ref_boundary) { w, hit, first, second }, p);
    }
}

void photon_ref_step(const photon_ref_world *w, photon_ref *p, photon_ref *secondary)
{
    photon_ref_hit hit;

    if (p->flags & PHOTON_ISOTROPIC_INIT)
        photon_ref_emit(w, p);
    if (!is_state(p)) {
        p->flags |= PHOTON_NAN_ABORT;
        return;
    }
    p->draw += PHOTON_DRAWS_STEP;
    hit         = photon_ref_trace(w, p);
    p->in_doubt = p->in_doubt || hit.in_doubt;
    p->chance += hit.chance;
    if (hit.face < 0) {
        p->flags |= PHOTON_NO_HIT;
        p->face = -1;
        return;
    }
    go_on(w, &hit, p, secondary);
    doubt_lost(p);
    if (p->flags & PHOTON_REEMIT) {
        secondary->in_doubt = p->in_doubt;
        secondary->chance   = p->chance;
    }
}

void photon_ref_run(const photon_ref_world *w, int64_t steps, photon_ref *p, photon_ref *secondary)
{
    for (int64_t s = 0; s < steps && !(p->flags & PHOTON_ENDED); s++)
        photon_ref_step(w, p, secondary);
    if (!(p->flags & PHOTON_ENDED))
        p->flags |= PHOTON_OUT_OF_STEPS;
}

/* ---- states in pages */

enum {
    N_CHANGING = PHOTON_WEIGHT /* fields of reals */
};

static int64_t place_of(int64_t i, int fields, int field)
{
    return (i / PHOTON_PAGE * fields + field) * PHOTON_PAGE + i % PHOTON_PAGE;
}

static void fields_of(photon_ref *p, double *field[N_CHANGING])
{
    double *const all[N_CHANGING] = {
        &p->pos.x, &p->pos.y, &p->pos.z, &p->dir.x,      &p->dir.y, &p->dir.z,
        &p->pol.x, &p->pol.y, &p->pol.z, &p->wavelength, &p->time,
    };

    for (int f = 0; f < N_CHANGING; f++)
        field[f] = all[f];
}

photon_ref photon_ref_load(const float *real, const uint32_t *word, int64_t i)
{
    photon_ref p = { .face = -1 };
    double    *field[N_CHANGING];
    uint32_t   of[PHOTON_WORDS];

    fields_of(&p, field);
    for (int f = 0; f < N_CHANGING; f++)
        *field[f] = (double)real[place_of(i, PHOTON_REALS, f)];
    for (int f = 0; f < PHOTON_WORDS; f++)
        of[f] = word[place_of(i, PHOTON_WORDS, f)];
    p.flags      = of[PHOTON_FLAGS];
    p.face       = (int32_t)of[PHOTON_FACE_LAST];
    p.key[0]     = of[PHOTON_KEY_0];
    p.key[1]     = of[PHOTON_KEY_1];
    p.draw       = of[PHOTON_DRAW];
    p.generation = of[PHOTON_ORIGIN] & 0xffu;
    p.medium     = of[PHOTON_ORIGIN] >> 8 & 0xffu;
    return p;
}

void photon_ref_store(const photon_ref *p, float *real, uint32_t *word, int64_t i)
{
    photon_ref     copy             = *p;
    const uint32_t of[PHOTON_WORDS] = {
        [PHOTON_FLAGS] = p->flags,  [PHOTON_FACE_LAST] = (uint32_t)p->face,
        [PHOTON_KEY_0] = p->key[0], [PHOTON_KEY_1] = p->key[1],
        [PHOTON_DRAW] = p->draw,    [PHOTON_ORIGIN] = p->generation | p->medium << 8,
    };
    double *field[N_CHANGING];

    fields_of(&copy, field);
    for (int f = 0; f < N_CHANGING; f++)
        real[place_of(i, PHOTON_REALS, f)] = (float)*field[f];
    for (int f = 0; f < PHOTON_WORDS; f++)
        word[place_of(i, PHOTON_WORDS, f)] = of[f];
}
