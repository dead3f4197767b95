/* The first face that a ray meets, and whether that is certain. The distance of two lines, the ray
 * and an edge, shows on which side of the edge the ray is. */
#include "photon_propagate.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "photon_propagate_vector.h"

#include <string.h>

enum {
    NODE_WORDS     = 8,
    TRIANGLE_REALS = 12,
    STACK          = 64,
    MOST_RIVALS    = 32
};

enum {
    E_SIDE  = E_CROSS + 1 + 2 + E_DOT, /* of an edge: e 1; b and c 1, their sum 1 */
    E_PLANE = 1 + E_DOT,               /* of the distance from a plane: corner 1 */
    /* Around boxes: an edge seems off by E_SIDE over the sine of the angle at which it is met, here
     * 30 degrees. For smaller angles the boxes are already larger by 256 (PHOTON_BOX_PAD). */
    E_MARGIN    = 2 * E_SIDE,
    FIRST_ORDER = 8 /* a denominator's error is below an eighth of it; another eighth is left out */
};

/* A face that the ray may hit for a kernel. */
typedef struct rival {
    int32_t face;
    double  distance, error;
    bool    is_hit; /* in exact arithmetic */
} rival;

typedef struct tracer {
    const photon_ref_world *w;
    const photon_ref       *p;
    double                  margin;  /* around boxes */
    double                  nearest; /* beyond this nothing matters: a certain hit */
    rival                   rivals[MOST_RIVALS];
    int                     n_rivals;
    bool                    is_crowded;
} tracer;

typedef struct triangle {
    photon_vector corner[3], normal;
} triangle;

static triangle triangle_at(const photon_ref_world *w, int64_t face)
{
    const float *r = w->triangles + TRIANGLE_REALS * face;

    return (triangle) { { vector_at(r), vector_at(r + 4), vector_at(r + 8) },
                        { (double)r[3], (double)r[7], (double)r[11] } };
}

/* ---- edges */

/* The volume of ray and edge k: its sign is the side on which the ray passes. *error is how far a
 * kernel may be off: for an edge e from b to c, as seen from the start, each rounding is of |b| +
 * |c| times |e|. */
static double edge_side(const photon_ref *p, const triangle *t, int k, double *error)
{
    const photon_vector b      = vector_difference(t->corner[(k + 1) % 3], p->pos);
    const photon_vector c      = vector_difference(t->corner[(k + 2) % 3], p->pos);
    const photon_vector edge   = vector_difference(c, b);
    const photon_vector across = vector_cross(p->dir, edge);
    const double        size   = vector_length(b) + vector_length(c);
    const double        moved  = p->e_aside + size * p->e_dir;

    *error =
        2 * vector_length(across) * moved + E_SIDE * PHOTON_ROUNDOFF * size * vector_length(edge);
    return vector_dot(vector_sum(b, c), across);
}

/* Is the ray within the triangle: surely, in exact arithmetic, possibly? */
typedef struct inside {
    bool surely, exactly, possibly;
} inside;

static inside inside_of(const photon_ref *p, const triangle *t)
{
    inside of[2] = { { true, true, true }, { true, true, true } }; /* for either orientation */

    for (int k = 0; k < 3; k++) {
        double       error;
        const double side = edge_side(p, t, k, &error);

        for (int o = 0; o < 2; o++) {
            const double signed_side = o == 0 ? side : -side;

            of[o].surely   = of[o].surely && signed_side > error;
            of[o].exactly  = of[o].exactly && signed_side >= 0;
            of[o].possibly = of[o].possibly && signed_side >= -error;
        }
    }
    return (inside) { of[0].surely || of[1].surely, of[0].exactly || of[1].exactly,
                      of[0].possibly || of[1].possibly };
}

/* ---- distances */

/* Distance to the plane of a face, a quotient. */
static photon_ref_hit plane_of(const photon_ref *p, const triangle *t)
{
    const photon_vector to     = vector_difference(t->corner[0], p->pos);
    const double        along  = vector_dot(t->normal, p->dir);
    const double        cosine = fabs(along), sine = sqrt(fmax(0, 1 - along * along));
    const double        distance  = vector_dot(t->normal, to) / along;
    const double        e_cosine  = E_DOT * PHOTON_ROUNDOFF * vector_dot_size(t->normal, p->dir);
    const double        off_plane = E_PLANE * PHOTON_ROUNDOFF * vector_dot_size(t->normal, to) +
                             fabs(distance) * (e_cosine + PHOTON_ROUNDOFF * cosine);
    const double aside = p->e_aside + fabs(distance) * p->e_dir;
    const double e_own = (off_plane + sine * aside) / cosine;

    return (photon_ref_hit) {
        .distance   = distance,
        .e_along    = e_own,
        .e_distance = e_own + p->e_along,
        .cosine     = along,
        .off_plane  = off_plane,
        .in_doubt   = !(FIRST_ORDER * (e_cosine + sine * p->e_dir) < cosine),
    };
}

static void add_rival(tracer *tr, int32_t face, const photon_ref_hit *at, inside in)
{
    const bool is_surely = in.surely && !at->in_doubt && at->distance > at->e_distance;

    if (is_surely)
        tr->nearest = fmin(tr->nearest, at->distance + at->e_distance);
    if (tr->n_rivals == MOST_RIVALS) {
        tr->is_crowded = true;
        return;
    }
    tr->rivals[tr->n_rivals++] =
        (rival) { .face     = face,
                  .distance = at->distance,
                  .error    = at->in_doubt ? (double)INFINITY : at->e_distance,
                  .is_hit   = in.exactly && at->distance > 0 };
}

static void try_face(tracer *tr, int32_t face)
{
    const triangle       t  = triangle_at(tr->w, face);
    const inside         in = inside_of(tr->p, &t);
    const photon_ref_hit at = plane_of(tr->p, &t);

    if (face == tr->p->face || !in.possibly)
        return;
    if (at.in_doubt ||
        (at.distance >= -at.e_distance && at.distance - at.e_distance <= tr->nearest))
        add_rival(tr, face, &at, in);
}

/* ---- the tree */

static bool meets_box(const tracer *tr, const uint32_t *node)
{
    const double from[3] = { tr->p->pos.x, tr->p->pos.y, tr->p->pos.z };
    const double dir[3]  = { tr->p->dir.x, tr->p->dir.y, tr->p->dir.z };
    double       near = 0, far = tr->nearest;
    float        box[NODE_WORDS];

    memcpy(box, node, sizeof box);
    for (int a = 0; a < 3; a++) {
        const double low  = (double)box[a] - tr->margin - from[a];
        const double high = (double)box[4 + a] + tr->margin - from[a];

        if (dir[a] == 0 && (low > 0 || high < 0))
            return false;
        if (dir[a] == 0)
            continue;
        near = fmax(near, fmin(low / dir[a], high / dir[a]));
        far  = fmin(far, fmax(low / dir[a], high / dir[a]));
    }
    return near <= far;
}

static void search(tracer *tr)
{
    uint32_t stack[STACK];
    int      n = 0;

    stack[n++] = 0;
    while (n > 0) {
        const uint32_t *node  = tr->w->nodes + NODE_WORDS * (size_t)stack[--n];
        const uint32_t  first = node[3], count = node[7];

        if (!meets_box(tr, node))
            continue;
        for (uint32_t k = 0; k < count; k++)
            try_face(tr, (int32_t)(first + k));
        if (count == 0 && n + 2 <= STACK) {
            stack[n++] = first + 1;
            stack[n++] = first;
        }
    }
}

/* Longest diagonal of the world. */
static double extent_of(const photon_ref_world *w)
{
    float box[NODE_WORDS];

    memcpy(box, w->nodes, sizeof box);
    return vector_length(vector_difference(vector_at(box + 4), vector_at(box)));
}

/* ---- the answer */

static int nearest_hit(const tracer *tr)
{
    int best = -1;

    for (int k = 0; k < tr->n_rivals; k++)
        if (tr->rivals[k].is_hit &&
            (best < 0 || tr->rivals[k].distance < tr->rivals[best].distance))
            best = k;
    return best;
}

/* May a kernel find another face than `best`, or none? */
static bool has_rivals(const tracer *tr, int best)
{
    const rival *b = &tr->rivals[best < 0 ? 0 : best];

    if (tr->is_crowded)
        return true;
    for (int k = 0; k < tr->n_rivals; k++)
        if (k != best &&
            (best < 0 || !(tr->rivals[k].distance - tr->rivals[k].error > b->distance + b->error)))
            return true;
    return false;
}

/* The share of a face that lies within the ray's error of an edge, twice: also for rays that just
 * miss it. */
static double chance_at(const photon_ref *p, const triangle *t, double cosine, double distance)
{
    const photon_vector a    = vector_difference(t->corner[1], t->corner[0]);
    const photon_vector b    = vector_difference(t->corner[2], t->corner[0]);
    const double        area = vector_length(vector_cross(a, b)) / 2;
    const double rim = vector_length(a) + vector_length(b) + vector_length(vector_difference(a, b));
    const double error = p->e_aside + distance * (p->e_dir + E_SIDE * PHOTON_ROUNDOFF);

    return 2 * error * rim / (area * cosine);
}

photon_ref_hit photon_ref_trace(const photon_ref_world *w, const photon_ref *p)
{
    const double   extent = extent_of(w) + vector_length(p->pos);
    tracer         tr     = { .w       = w,
                              .p       = p,
                              .margin  = p->e_aside + extent * (p->e_dir + E_MARGIN * PHOTON_ROUNDOFF),
                              .nearest = (double)INFINITY };
    photon_ref_hit hit    = { .face = -1 };
    triangle       t;
    inside         in;
    int            best;

    search(&tr);
    best = nearest_hit(&tr);
    if (best >= 0) {
        t        = triangle_at(w, tr.rivals[best].face);
        in       = inside_of(p, &t);
        hit      = plane_of(p, &t);
        hit.face = tr.rivals[best].face;
        hit.in_doubt |= !in.surely || !(hit.distance > hit.e_distance);
        hit.chance = fmin(1, chance_at(p, &t, fabs(hit.cosine), hit.distance));
    }
    hit.in_doubt |= has_rivals(&tr, best);
    return hit;
}
