/* What happens to a photon between one face and the next. In C, CUDA C++ and C++. */
#ifndef PHOTON_RESPOND_H
#define PHOTON_RESPOND_H

#include "photon_trace.h"

/* ---- directions */

/* Two vectors that make a right-handed frame with a unit axis. */
PHOTON_FUNCTION void photon_frame(photon_vec n, photon_vec *u, photon_vec *v)
{
    const float sign = copysignf(1.0f, n.z);
    const float a    = -1.0f / (sign + n.z);
    const float b    = photon_mul(photon_mul(n.x, n.y), a);

    *u = photon_vec_of(fmaf(photon_mul(sign, n.x), photon_mul(n.x, a), 1.0f), photon_mul(sign, b),
                       -photon_mul(sign, n.x));
    *v = photon_vec_of(b, fmaf(photon_mul(n.y, n.y), a, sign), -n.y);
}

/* Sets the direction to a polar angle about the axis, turned by u[1], and the polarisation
 * perpendicular to it, turned by u[2]. */
PHOTON_FUNCTION void photon_aim(photon_state *p, photon_vec axis, float cosine, float sine,
                                const photon_uniforms *d)
{
    float      sin_phi, cos_phi, sin_psi, cos_psi;
    photon_vec u, v, out, around, down;

    photon_turn(d->u[1], &sin_phi, &cos_phi);
    photon_turn(d->u[2], &sin_psi, &cos_psi);
    photon_frame(axis, &u, &v);
    out    = photon_along(photon_scaled(cos_phi, u), sin_phi, v);
    around = photon_along(photon_scaled(cos_phi, v), -sin_phi, u);
    down   = photon_along(photon_scaled(cosine, out), -sine, axis);
    p->dir = photon_along(photon_scaled(cosine, axis), sine, out);
    p->pol = photon_along(photon_scaled(cos_psi, down), sin_psi, around);
}

PHOTON_FUNCTION photon_vec photon_mirrored(photon_vec v, photon_vec normal)
{
    return photon_along(v, -2.0f * photon_dot(v, normal), normal);
}

/* ---- emission */

/* Draws what an isotropic source leaves open: direction, polarisation, wavelength, delay. */
PHOTON_FUNCTION void photon_emit(const photon_world *w, photon_state *p)
{
    const float *const    medium = w->media + (p->origin >> 8 & 0xffu) * PHOTON_MEDIUM_SIZE;
    const photon_uniforms first  = photon_draws(p, PHOTON_DRAW_EMIT);
    const photon_uniforms second = photon_draws(p, PHOTON_DRAW_EMIT + 1);
    const float           u      = first.u[0];
    const float           at     = first.u[3] * (float)(PHOTON_CDF - 1); /* exact */
    photon_spot           spot;

    photon_aim(p, photon_vec_of(0.0f, 0.0f, 1.0f), fmaf(-2.0f, u, 1.0f),
               2.0f * sqrtf(photon_mul(u, 1.0f - u)), &first);
    spot.cell     = (int)at;
    spot.share    = at - (float)spot.cell;
    p->wavelength = photon_table(medium + PHOTON_MEDIUM_CDF, spot);
    p->time       = p->time - photon_mul(medium[PHOTON_MEDIUM_DELAY], logf(second.u[0]));
    p->flags &= ~PHOTON_ISOTROPIC_INIT;
    p->draw = PHOTON_DRAW_STEP;
}

/* The photon that takes the place of an absorbed one. Everything except its key, place and time is
 * drawn later. */
PHOTON_FUNCTION photon_state photon_secondary(const photon_state *p)
{
    const photon_block key =
        photon_philox(p->key_0, p->key_1, p->draw - PHOTON_DRAWS_STEP, PHOTON_SPAWN_WORD);
    photon_state s = *p;

    s.flags  = PHOTON_ISOTROPIC_INIT;
    s.key_0  = key.word[0];
    s.key_1  = key.word[1];
    s.draw   = 0;
    s.origin = p->origin + 1;
    return s;
}

/* ---- Rayleigh scattering */

PHOTON_FUNCTION void photon_rayleigh(photon_state *p, const photon_uniforms *d)
{
    const float two_pi = 0x1.921fb6p+2f;
    const float mu =
        2.0f * cosf(photon_mul(acosf(fmaf(-2.0f, d->u[0], 1.0f)) - two_pi, 1.0f / 3.0f));
    const float sine = sqrtf(fmaxf(fmaf(-mu, mu, 1.0f), 0.0f));
    float       sin_phi, cos_phi;
    photon_vec  out;

    photon_turn(d->u[1], &sin_phi, &cos_phi);
    out    = photon_along(photon_scaled(cos_phi, p->dir), sin_phi, photon_cross(p->pol, p->dir));
    p->dir = photon_unit(photon_along(photon_scaled(mu, p->pol), sine, out));
    p->pol = photon_unit(photon_along(p->pol, -photon_dot(p->pol, p->dir), p->dir));
    p->flags |= PHOTON_RAYLEIGH;
    p->face = -1;
}

/* ---- faces */

/* The boundary that a photon has reached. */
typedef struct photon_boundary {
    photon_vec      normal; /* on the side that the photon comes from */
    float           cosine; /* of incidence */
    float           n1, n2; /* indices on the near and the far side */
    photon_uniforms first, second;
} photon_boundary;

/* The share that is reflected, from products of index and cosine. */
PHOTON_FUNCTION float photon_reflected(float near, float far)
{
    const float root = (near - far) / (near + far);

    return photon_mul(root, root);
}

PHOTON_FUNCTION void photon_meet_dielectric(const photon_boundary *b, photon_state *p)
{
    const float      ratio = b->n1 / b->n2, cos1 = b->cosine;
    const float      square = fmaf(-photon_mul(ratio, ratio), fmaf(-cos1, cos1, 1.0f), 1.0f);
    const float      cos2   = sqrtf(fmaxf(square, 0.0f));
    const photon_vec cross  = photon_cross(p->dir, b->normal);
    const float      size   = photon_dot(cross, cross);
    /* Along the normal there is no plane of incidence: the polarisation takes its place. */
    const photon_vec across = size < 0x1p-20f ? p->pol : photon_scaled(1.0f / sqrtf(size), cross);
    const float      cos_s  = photon_dot(p->pol, across);
    const int        is_s   = b->first.u[3] < photon_mul(cos_s, cos_s);
    const float      near   = photon_mul(b->n1, is_s ? cos1 : cos2);
    const float      far    = photon_mul(b->n2, is_s ? cos2 : cos1);
    const float      share  = square <= 0.0f ? 1.0f : photon_reflected(near, far);

    if (b->second.u[0] < share) {
        p->dir = photon_mirrored(p->dir, b->normal);
        p->flags |= PHOTON_REFLECT_DIELECTRIC;
    } else {
        p->dir = photon_unit(
            photon_along(photon_scaled(ratio, p->dir), fmaf(ratio, cos1, -cos2), b->normal));
        p->flags |= PHOTON_TRANSMIT;
    }
    p->pol = is_s ? across : photon_unit(photon_cross(across, p->dir));
}

/* Which of the surface's shares a uniform number falls into; 4: none of them. */
PHOTON_FUNCTION int photon_share(const float *surface, photon_spot spot, float uniform)
{
    int what = 0;

    for (int k = 0; k < 4; k++)
        what += !(uniform < photon_table(surface + k * PHOTON_WAVELENGTHS, spot));
    return what;
}

PHOTON_FUNCTION void photon_meet(const float *surface, photon_spot spot, const photon_boundary *b,
                                 photon_state *p)
{
    const float u = b->second.u[0];

    switch (photon_share(surface, spot, b->first.u[2])) {
    case 0:
        p->flags |= PHOTON_SURFACE_ABSORB;
        break;
    case 1:
        p->flags |= PHOTON_SURFACE_DETECT;
        break;
    case 2:
        photon_aim(p, b->normal, sqrtf(u), sqrtf(1.0f - u), &b->second);
        p->flags |= PHOTON_REFLECT_DIFFUSE;
        break;
    case 3:
        p->dir = photon_mirrored(p->dir, b->normal);
        p->pol = photon_mirrored(p->pol, b->normal);
        p->flags |= PHOTON_REFLECT_SPECULAR;
        break;
    default:
        photon_meet_dielectric(b, p);
        break;
    }
}

/* ---- between faces */

PHOTON_FUNCTION void photon_move(photon_state *p, float distance, float index)
{
    p->pos  = photon_along(p->pos, distance, p->dir);
    p->time = fmaf(distance, photon_mul(index, 1.0f / PHOTON_LIGHT_SPEED), p->time);
}

/* A value of the medium that a photon is in. */
PHOTON_FUNCTION float photon_in(const float *medium, int table, photon_spot spot)
{
    return photon_table(medium + table * PHOTON_WAVELENGTHS, spot);
}

PHOTON_FUNCTION void photon_absorb(photon_state *p, float reemit, float uniform, uint32_t medium)
{
    p->flags |= PHOTON_BULK_ABSORB;
    p->face = -1;
    if ((p->origin & 0xffu) + 1 < PHOTON_GENERATIONS && uniform < reemit) {
        p->flags |= PHOTON_REEMIT;
        p->origin = (p->origin & 0xffu) | medium << 8;
    }
}

/* Everything that happens once the first face along the photon's way is known. */
PHOTON_FUNCTION void photon_respond(const photon_world *w, const photon_hit *hit, photon_state *p)
{
    const uint32_t     codes  = w->faces[2 * (int64_t)hit->face];
    const photon_vec   normal = photon_normal(w, hit->face);
    const float        along  = photon_dot(normal, p->dir);
    const uint32_t     inside = codes & 0xffu, outside = codes >> 8 & 0xffu;
    const uint32_t     here   = along > 0.0f ? inside : outside;
    const float *const medium = w->media + here * PHOTON_MEDIUM_SIZE;
    const photon_spot  spot   = photon_spot_of(p->wavelength);
    const float        n1     = photon_in(medium, PHOTON_MEDIUM_INDEX, spot);
    photon_boundary    b;
    float              to_absorb, to_scatter;

    b.first  = photon_draws(p, p->draw);
    b.second = photon_draws(p, p->draw + 1);
    p->draw += PHOTON_DRAWS_STEP;
    to_absorb  = photon_mul(photon_in(medium, PHOTON_MEDIUM_ABSORB, spot), -logf(b.first.u[0]));
    to_scatter = photon_mul(photon_in(medium, PHOTON_MEDIUM_SCATTER, spot), -logf(b.first.u[1]));
    if (to_absorb <= to_scatter && to_absorb <= hit->distance) {
        photon_move(p, to_absorb, n1);
        photon_absorb(p, photon_in(medium, PHOTON_MEDIUM_REEMIT, spot), b.first.u[2], here);
    } else if (to_scatter <= hit->distance) {
        photon_move(p, to_scatter, n1);
        photon_rayleigh(p, &b.second);
    } else {
        const float *const far = w->media + (along > 0.0f ? outside : inside) * PHOTON_MEDIUM_SIZE;

        photon_move(p, hit->distance, n1);
        p->face  = hit->face;
        b.normal = photon_scaled(along > 0.0f ? -1.0f : 1.0f, normal);
        b.cosine = fabsf(along);
        b.n1     = n1;
        b.n2     = photon_in(far, PHOTON_MEDIUM_INDEX, spot);
        photon_meet(w->surfaces + (codes >> 16 & 0xffu) * PHOTON_SURFACE_SIZE, spot, &b, p);
    }
}

#endif
