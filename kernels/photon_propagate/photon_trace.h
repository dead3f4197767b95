/* The first face that a ray meets. In C, CUDA C++ and C++. */
#ifndef PHOTON_TRACE_H
#define PHOTON_TRACE_H

#include "photon_state.h"

typedef struct photon_hit {
    int32_t face; /* -1: none */
    float   distance;
} photon_hit;

/* ---- memory: 16 bytes at once on a GPU */

typedef struct photon_corner {
    photon_vec at;
    float      normal; /* the component with the number of the corner */
} photon_corner;

PHOTON_FUNCTION photon_corner photon_load_corner(const float *triangles, int32_t face, int k)
{
    const float *const r = triangles + (int64_t)face * 12 + k * 4;
    photon_corner      c;

#if defined(__CUDACC__) && !defined(ASSAY_HOST_KERNELS)
    const float4 all = __ldg(reinterpret_cast<const float4 *>(r));

    c.at     = photon_vec_of(all.x, all.y, all.z);
    c.normal = all.w;
#else
    c.at     = photon_vec_of(r[0], r[1], r[2]);
    c.normal = r[3];
#endif
    return c;
}

/* Two loads rather than one from a chosen address: the compiler knows of each which memory it
 * reads. */
PHOTON_FUNCTION photon_node photon_load_node(const photon_world *w, uint32_t at)
{
#if defined(__CUDACC__) && !defined(ASSAY_HOST_KERNELS)
    float4      a, b;
    photon_node n;

    if (at < w->n_top) {
        a = reinterpret_cast<const float4 *>(w->top + at)[0];
        b = reinterpret_cast<const float4 *>(w->top + at)[1];
    } else {
        a = __ldg(reinterpret_cast<const float4 *>(w->nodes + at));
        b = __ldg(reinterpret_cast<const float4 *>(w->nodes + at) + 1);
    }
    n.low[0]  = a.x;
    n.low[1]  = a.y;
    n.low[2]  = a.z;
    n.first   = __float_as_uint(a.w);
    n.high[0] = b.x;
    n.high[1] = b.y;
    n.high[2] = b.z;
    n.count   = __float_as_uint(b.w);
    return n;
#else
    return at < w->n_top ? w->top[at] : w->nodes[at];
#endif
}

PHOTON_FUNCTION photon_vec photon_normal(const photon_world *w, int32_t face)
{
    return photon_vec_of(photon_load_corner(w->triangles, face, 0).normal,
                         photon_load_corner(w->triangles, face, 1).normal,
                         photon_load_corner(w->triangles, face, 2).normal);
}

/* ---- one face */

/* On which side of the edge from b to c the ray passes, with both seen from its start. Except for
 * the sign it is the same for both faces at this edge, so that no ray slips between them. */
PHOTON_FUNCTION float photon_edge_side(photon_vec dir, photon_vec b, photon_vec c, photon_vec edge)
{
    return photon_dot(photon_sum(b, c), photon_cross(dir, edge));
}

/* Of two faces at the same distance, the one with the lower number counts. */
PHOTON_FUNCTION void photon_try_face(const photon_world *w, const photon_state *p, int32_t face,
                                     photon_hit *best)
{
    const photon_corner c0 = photon_load_corner(w->triangles, face, 0);
    const photon_corner c1 = photon_load_corner(w->triangles, face, 1);
    const photon_corner c2 = photon_load_corner(w->triangles, face, 2);
    const photon_vec    a = photon_difference(c0.at, p->pos), b = photon_difference(c1.at, p->pos),
                     c      = photon_difference(c2.at, p->pos);
    const float      side_a = photon_edge_side(p->dir, b, c, photon_difference(c2.at, c1.at));
    const float      side_b = photon_edge_side(p->dir, c, a, photon_difference(c0.at, c2.at));
    const float      side_c = photon_edge_side(p->dir, a, b, photon_difference(c1.at, c0.at));
    const photon_vec normal = photon_vec_of(c0.normal, c1.normal, c2.normal);
    float            distance;

    if (fminf(fminf(side_a, side_b), side_c) < 0.0f && fmaxf(fmaxf(side_a, side_b), side_c) > 0.0f)
        return;
    distance = photon_dot(normal, a) / photon_dot(normal, p->dir);
    if (face == p->face || !(distance > 0.0f))
        return;
    if (distance < best->distance || (distance == best->distance && face < best->face)) {
        best->face     = face;
        best->distance = distance;
    }
}

/* ---- the tree */

/* A ray as boxes see it. Boxes must hold every hit of photon_try_face. By its roundings, an edge
 * may seem 9 u D / sin(angle to the edge) away from where it is (u = 2^-24; D: distance of its
 * ends); difference, inverse and product of the two distances below are 3 u D each. D is at most
 * 1.8 times the largest coordinates of mesh and start together. So boxes are enlarged by
 * PHOTON_BOX_PAD, 256 u, of the mesh's largest coordinate; and, as seen from here, by the same
 * share of the start's, however far away that is. This is enough for angles from 6 degrees on.
 * Nearer to an edge's direction a face is seen edge on, and the place of a hit is just as
 * uncertain. */
typedef struct photon_ray {
    photon_vec from_low, from_high; /* the start, for the low and for the high sides of boxes */
    photon_vec inverse;             /* of the direction */
} photon_ray;

PHOTON_FUNCTION photon_ray photon_ray_of(const photon_state *p)
{
    const float most = fmaxf(fmaxf(fabsf(p->pos.x), fabsf(p->pos.y)), fabsf(p->pos.z));
    const float pad  = photon_mul(PHOTON_BOX_PAD, most);
    photon_ray  r;

    r.from_low  = photon_vec_of(p->pos.x + pad, p->pos.y + pad, p->pos.z + pad);
    r.from_high = photon_vec_of(p->pos.x - pad, p->pos.y - pad, p->pos.z - pad);
    r.inverse   = photon_vec_of(1.0f / p->dir.x, 1.0f / p->dir.y, 1.0f / p->dir.z);
    return r;
}

/* Where the ray enters the box; a value beyond everything if it does not. */
PHOTON_FUNCTION float photon_enter(const photon_node *n, const photon_ray *r, float within)
{
    const float x0   = photon_mul(n->low[0] - r->from_low.x, r->inverse.x);
    const float x1   = photon_mul(n->high[0] - r->from_high.x, r->inverse.x);
    const float y0   = photon_mul(n->low[1] - r->from_low.y, r->inverse.y);
    const float y1   = photon_mul(n->high[1] - r->from_high.y, r->inverse.y);
    const float z0   = photon_mul(n->low[2] - r->from_low.z, r->inverse.z);
    const float z1   = photon_mul(n->high[2] - r->from_high.z, r->inverse.z);
    const float near = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    const float far  = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), within));

    return near <= far ? near : HUGE_VALF;
}

PHOTON_FUNCTION void photon_try_leaf(const photon_world *w, const photon_state *p,
                                     const photon_node *leaf, photon_hit *best)
{
    for (uint32_t k = 0; k < leaf->count; k++)
        photon_try_face(w, p, (int32_t)(leaf->first + k), best);
}

/* A child that waits on the stack, and where the ray enters it. */
typedef struct photon_waiting {
    uint32_t node;
    float    from;
} photon_waiting;

/* The next waiting node that begins before the nearest face so far; 0: none. */
PHOTON_FUNCTION int photon_next_node(const photon_world *w, const photon_waiting *stack, int *n,
                                     float within, photon_node *node)
{
    do {
        if (*n == 0)
            return 0;
        (*n)--;
    } while (stack[*n].from > within);
    *node = photon_load_node(w, stack[*n].node);
    return 1;
}

/* Takes the nearer child first; the other waits on the stack. Goes down to one leaf at a time, so
 * that lanes of a warp reach their leaves together. */
PHOTON_FUNCTION photon_hit photon_trace(const photon_world *w, const photon_state *p)
{
    const photon_ray ray  = photon_ray_of(p);
    photon_node      node = photon_load_node(w, 0);
    photon_hit       best = { -1, HUGE_VALF };
    photon_waiting   stack[PHOTON_TREE_DEPTH];
    int              n = 0;

    for (;;) {
        while (node.count == 0) {
            const photon_node left     = photon_load_node(w, node.first);
            const photon_node right    = photon_load_node(w, node.first + 1);
            const float       to_left  = photon_enter(&left, &ray, best.distance);
            const float       to_right = photon_enter(&right, &ray, best.distance);
            const int         is_left  = to_left <= to_right;

            if (to_left < HUGE_VALF && to_right < HUGE_VALF) {
                stack[n].node   = node.first + (uint32_t)is_left;
                stack[n++].from = is_left ? to_right : to_left;
            }
            if (to_left < HUGE_VALF || to_right < HUGE_VALF)
                node = is_left ? left : right;
            else if (!photon_next_node(w, stack, &n, best.distance, &node))
                return best;
        }
        photon_try_leaf(w, p, &node, &best);
        if (!photon_next_node(w, stack, &n, best.distance, &node))
            return best;
    }
}

#endif
