/* What a face does to a photon: absorbs, detects, reflects it in one of two ways, or treats it as
 * the boundary of two dielectrics. */
#include "photon_propagate.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "photon_propagate_vector.h"

enum {
    N_SHARES = 4,
    E_MIRROR = 2 * (E_DOT + 1) + 1, /* dot product and product, twice; difference */
    E_SQUARE = 5, /* of cos2: two products and a difference; square of the ratio, product, and the
                   * last difference: each at most 1 or the ratio's square */
    E_ROOT = 3    /* difference, sum, quotient */
};

/* The normal on the side that the photon comes from. */
static photon_vector facing(const photon_ref_boundary *b)
{
    const float        *r      = b->w->triangles + 12 * (size_t)b->hit->face;
    const photon_vector normal = { (double)r[3], (double)r[7], (double)r[11] };

    return vector_scaled(b->hit->cosine > 0 ? -1 : 1, normal);
}

static photon_vector mirrored(photon_vector v, photon_vector normal)
{
    return vector_difference(v, vector_scaled(2 * vector_dot(v, normal), normal));
}

/* How far a place may be off the face. */
static double off_face(const photon_ref_boundary *b, const photon_ref *p)
{
    return b->hit->off_plane +
           PHOTON_ROUNDOFF * (b->hit->distance + vector_length(p->pos)); /* product, sum */
}

/* A place off the face moves by twice that in the mirrored direction; errors on the face stay as
 * they are. */
static void mirror_place(const photon_ref_boundary *b, photon_ref *p)
{
    p->e_aside += 2 * off_face(b, p);
}

/* ---- no boundary on the other side */

/* A disc around the ray meets the face in an ellipse, whose length along the plane of incidence is
 * that of the disc over the cosine. This finds its parts across and along the new direction. A
 * place on an ellipse is not at the end of both axes at once, so that their parts add as squares.
 * At normal incidence, within the rounding of the face's normal, the disc stays a disc, and the
 * axis towards which the new direction leans is used. The distance of a place off the face, which
 * lies along the ray, is added linearly. */
static void turn_place(const photon_ref_boundary *b, photon_vector before, photon_ref *p)
{
    const photon_vector normal = facing(b);
    const photon_vector flat =
        vector_difference(before, vector_scaled(vector_dot(before, normal), normal));
    const double size = vector_length(flat), cosine = fabs(b->hit->cosine);
    const double up       = vector_dot(normal, p->dir);
    const bool   is_slant = size > 0x1p-17;
    const double longest = p->e_aside / cosine, shortest = p->e_aside;
    const double off = off_face(b, p) / cosine, on_ray = vector_dot(before, p->dir);
    const double on_long  = is_slant ? vector_dot(flat, p->dir) / size : sqrt(fmax(0, 1 - up * up));
    const double on_short = is_slant ? vector_dot(vector_cross(flat, normal), p->dir) / size : 0;

    p->e_aside = hypot(longest * sqrt(fmax(0, 1 - on_long * on_long)),
                       shortest * sqrt(fmax(0, 1 - on_short * on_short))) +
                 off * sqrt(fmax(0, 1 - on_ray * on_ray));
    p->e_along = hypot(longest * on_long, shortest * on_short) + off * fabs(on_ray);
}

static void reflect_diffuse(const photon_ref_boundary *b, photon_ref *p)
{
    const double        u      = b->second[0];
    const photon_vector before = p->dir;

    photon_ref_aim(p, facing(b), sqrt(u), sqrt(1 - u), b->second);
    turn_place(b, before, p);
    p->flags |= PHOTON_REFLECT_DIFFUSE;
}

static void reflect_specular(const photon_ref_boundary *b, photon_ref *p)
{
    const photon_vector normal = facing(b);

    p->dir = mirrored(p->dir, normal);
    p->pol = mirrored(p->pol, normal);
    p->e_dir += E_MIRROR * PHOTON_ROUNDOFF;
    p->e_pol += E_MIRROR * PHOTON_ROUNDOFF;
    mirror_place(b, p);
    p->flags |= PHOTON_REFLECT_SPECULAR;
}

/* ---- two dielectrics */

/* The plane of incidence, and indices on the near side (1) and the far side (2). */
typedef struct dielectric {
    photon_vector    normal, across; /* across the plane: the direction of s polarisation */
    double           e_across;
    photon_ref_value n1, n2;
    double           ratio, e_ratio; /* n1 / n2 */
    double           cos1, e_cos1, cos2, e_cos2;
    bool             is_total;
} dielectric;

static photon_ref_value index_of(const photon_ref_boundary *b, const photon_ref *p, uint32_t medium)
{
    return photon_ref_table(b->w->media + medium * (size_t)PHOTON_MEDIUM_SIZE +
                                PHOTON_MEDIUM_INDEX * PHOTON_WAVELENGTHS,
                            p);
}

/* Along the normal there is no plane of incidence: the polarisation takes the place of its
 * normal. */
static void set_across(photon_ref *p, dielectric *d)
{
    const double        least = 0x1p-20;
    const photon_vector cross = vector_cross(p->dir, d->normal);
    const double        size = vector_length(cross), error = p->e_dir + E_CROSS * PHOTON_ROUNDOFF;

    photon_ref_decide(p, size * size - least, 2 * size * error + error * error, 1);
    if (size * size < least) {
        d->across   = p->pol;
        d->e_across = p->e_pol;
    } else {
        d->across   = vector_scaled(1 / size, cross);
        d->e_across = error / size + E_UNIT * PHOTON_ROUNDOFF;
    }
}

static dielectric dielectric_at(const photon_ref_boundary *b, photon_ref *p)
{
    const double   u      = PHOTON_ROUNDOFF;
    const uint32_t codes  = b->w->faces[2 * (size_t)b->hit->face];
    const uint32_t inside = codes & 0xffu, outside = codes >> 8 & 0xffu;
    const bool     leaves = b->hit->cosine > 0;
    dielectric     d      = { .normal = facing(b) };
    double         square, e_square;

    d.n1      = index_of(b, p, leaves ? inside : outside);
    d.n2      = index_of(b, p, leaves ? outside : inside);
    d.ratio   = d.n1.value / d.n2.value;
    d.e_ratio = d.ratio * (d.n1.error / d.n1.value + d.n2.error / d.n2.value + u);
    d.cos1    = fabs(b->hit->cosine);
    d.e_cos1  = p->e_dir + E_DOT * u;
    square    = 1 - d.ratio * d.ratio * (1 - d.cos1 * d.cos1);
    e_square  = 2 * d.ratio * d.e_ratio + 2 * d.ratio * d.ratio * d.cos1 * d.e_cos1 +
               E_SQUARE * u * (1 + d.ratio * d.ratio);
    photon_ref_decide(p, square, 4 * e_square, 1); /* beyond, its root is of first order */
    d.is_total = square <= 0;
    d.cos2     = sqrt(fmax(0, square));
    d.e_cos2   = d.is_total ? 0 : e_square / (2 * d.cos2) + u;
    set_across(p, &d);
    return d;
}

/* (x - y) / (x + y) of two positive numbers, squared, and its error from theirs. */
static photon_ref_value share_of(double x, double e_x, double y, double e_y)
{
    const double root  = (x - y) / (x + y);
    const double error = 2 * (y * e_x + x * e_y) / ((x + y) * (x + y)) + E_ROOT * PHOTON_ROUNDOFF;

    return (photon_ref_value) { root * root, 2 * fabs(root) * error + error * error +
                                                 PHOTON_ROUNDOFF * root * root };
}

/* The share that is reflected, by Fresnel. */
static photon_ref_value reflected_share(const dielectric *d, bool is_s)
{
    const double c1 = is_s ? d->cos1 : d->cos2, e_c1 = is_s ? d->e_cos1 : d->e_cos2;
    const double c2 = is_s ? d->cos2 : d->cos1, e_c2 = is_s ? d->e_cos2 : d->e_cos1;
    const double u = PHOTON_ROUNDOFF, n1 = d->n1.value, n2 = d->n2.value;

    if (d->is_total)
        return (photon_ref_value) { 1, 0 };
    return share_of(n1 * c1, n1 * e_c1 + c1 * (d->n1.error + u * n1), n2 * c2,
                    n2 * e_c2 + c2 * (d->n2.error + u * n2));
}

/* An error of the direction across the plane of incidence is passed on times the ratio of indices;
 * an error in the plane also times that of cosines. Added are those of cos1 (from which cos2
 * follows), of cos2's square and of the ratio; and root, product and difference, two products, sum:
 * of 1, or of the ratio. */
static double passed_error(const dielectric *d, double e_dir)
{
    const double u = PHOTON_ROUNDOFF, steep = d->ratio * d->cos1 / d->cos2;
    const double sine = sqrt(fmax(0, 1 - d->cos1 * d->cos1));
    const double own  = E_DOT * u * d->ratio * (1 + steep) +
                       E_SQUARE * u * (1 + d->ratio * d->ratio) / (2 * d->cos2) +
                       u * (2 + 4 * fmax(1, d->ratio) + E_UNIT);

    return fmax(d->ratio, steep) * e_dir + own +
           d->e_ratio * sine * (1 + d->ratio * sine / d->cos2);
}

/* The ellipse on the face is seen along the new direction. A distance h off the face lies along the
 * old one, h / cos1 long. The sine of the turn gives its part across the new direction: sin1 cos2 -
 * cos1 sin2, or its opposite, over cos1 is at most cos2 / cos1, or 1. */
static void pass(const photon_ref_boundary *b, const dielectric *d, photon_ref *p)
{
    const double        along = d->ratio * d->cos1 - d->cos2;
    const photon_vector dir =
        vector_sum(vector_scaled(d->ratio, p->dir), vector_scaled(along, d->normal));

    p->dir   = vector_unit(dir);
    p->e_dir = passed_error(d, p->e_dir);
    p->flags |= PHOTON_TRANSMIT;
    p->e_along = hypot(p->e_aside, p->e_along); /* at right angles: the largest possible distance */
    p->e_aside = (p->e_aside + off_face(b, p)) * fmax(1, d->cos2 / d->cos1);
}

static void meet_dielectric(const photon_ref_boundary *b, photon_ref *p)
{
    const double           u     = PHOTON_ROUNDOFF;
    const dielectric       d     = dielectric_at(b, p);
    const double           cos_s = vector_dot(p->pol, d.across);
    const double           e_s   = 2 * fabs(cos_s) * (p->e_pol + d.e_across + E_DOT * u) + u;
    const bool             is_s  = b->first[3] < cos_s * cos_s;
    const photon_ref_value share = reflected_share(&d, is_s);

    photon_ref_decide(p, b->first[3] - cos_s * cos_s, e_s, 1);
    photon_ref_decide(p, d.is_total ? 1 : b->second[0] - share.value, share.error, 1);
    if (b->second[0] < share.value) {
        p->dir = mirrored(p->dir, d.normal);
        p->e_dir += E_MIRROR * u;
        mirror_place(b, p);
        p->flags |= PHOTON_REFLECT_DIELECTRIC;
    } else {
        pass(b, &d, p);
    }
    p->pol   = is_s ? d.across : vector_unit(vector_cross(d.across, p->dir));
    p->e_pol = d.e_across + (is_s ? 0 : p->e_dir + (E_CROSS + E_UNIT) * u);
}

/* ---- all of it */

void photon_ref_meet(const photon_ref_boundary *b, photon_ref *p)
{
    const uint32_t surface = b->w->faces[2 * (size_t)b->hit->face] >> 16 & 0xffu;
    const float   *shares  = b->w->surfaces + surface * (size_t)PHOTON_SURFACE_SIZE;
    const double   uniform = b->first[2];
    int            what    = 0;

    for (int k = 0; k < N_SHARES; k++) {
        const photon_ref_value upto = photon_ref_table(shares + k * PHOTON_WAVELENGTHS, p);

        /* Constant tables are exact, and 0 and 1 are never drawn. */
        if (upto.value > 0 && upto.value < 1)
            photon_ref_decide(p, uniform - upto.value, upto.error, 1);
        what += !(uniform < upto.value);
    }
    if (what == 0)
        p->flags |= PHOTON_SURFACE_ABSORB;
    else if (what == 1)
        p->flags |= PHOTON_SURFACE_DETECT;
    else if (what == 2)
        reflect_diffuse(b, p);
    else if (what == 3)
        reflect_specular(b, p);
    else
        meet_dielectric(b, p);
}
