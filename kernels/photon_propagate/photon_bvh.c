/* The builder of the tree. It splits by the surface area heuristic over bins of centres. Deep down,
 * or where that finds nothing, it halves the triangles in their present order, so that no mesh
 * makes the tree deeper than the stack of a traversal. */
#include "photon_bvh.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS      = 16,
    SAH_DEPTH = PHOTON_TREE_DEPTH - 24 /* levels of splits that may take off only one triangle */
};

/* Below these levels each level halves, and even the largest mesh is in leaves before the levels
 * are used up. */
_Static_assert((int64_t)PHOTON_LEAF_MOST << (PHOTON_TREE_DEPTH - SAH_DEPTH - 1) >= PHOTON_MESH_MOST,
               "a mesh may be deeper than the stack of a traversal");

/* Cost of a node relative to a triangle. */
static const double NODE_COST = 1.2;

typedef struct box {
    double low[3], high[3];
} box;

/* A triangle while the tree is built. */
typedef struct item {
    box      bounds;
    double   centre[3];
    uint32_t triangle;
} item;

typedef struct span {
    int64_t begin, end;
    int     depth;
} span;

typedef struct builder {
    item        *items;
    span        *spans; /* of each node */
    photon_node *nodes;
    int64_t      n_nodes;
    double       pad;
} builder;

static box empty_box(void)
{
    return (box) { { DBL_MAX, DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX, -DBL_MAX } };
}

static void include_box(box *to, const box *from)
{
    for (int a = 0; a < 3; a++) {
        to->low[a]  = fmin(to->low[a], from->low[a]);
        to->high[a] = fmax(to->high[a], from->high[a]);
    }
}

static double area_of(const box *b)
{
    const double x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];

    return x < 0 ? 0 : x * y + y * z + z * x;
}

/* ---- splits */

typedef struct split {
    int    axis, bin; /* items of bins 0 to bin go to the left */
    double cost;
} split;

static void centre_limits(const builder *b, const span *s, int axis, double limit[2])
{
    limit[0] = DBL_MAX;
    limit[1] = -DBL_MAX;
    for (int64_t i = s->begin; i < s->end; i++) {
        limit[0] = fmin(limit[0], b->items[i].centre[axis]);
        limit[1] = fmax(limit[1], b->items[i].centre[axis]);
    }
}

static int bin_of(const item *i, int axis, const double limit[2])
{
    const int bin = (int)((i->centre[axis] - limit[0]) / (limit[1] - limit[0]) * BINS);

    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* For every place to split: the sum over both sides of area times number. */
static void try_axis(const builder *b, const span *s, int axis, split *best)
{
    double  limit[2], right_cost[BINS], left_area;
    int64_t count[BINS] = { 0 }, n = 0;
    box     bounds[BINS], sum      = empty_box();

    centre_limits(b, s, axis, limit);
    if (!(limit[1] > limit[0]))
        return;
    for (int k = 0; k < BINS; k++)
        bounds[k] = empty_box();
    for (int64_t i = s->begin; i < s->end; i++) {
        const int k = bin_of(&b->items[i], axis, limit);

        count[k]++;
        include_box(&bounds[k], &b->items[i].bounds);
    }
    for (int k = BINS - 1; k > 0; k--) {
        n += count[k];
        include_box(&sum, &bounds[k]);
        right_cost[k] = n > 0 ? (double)n * area_of(&sum) : DBL_MAX;
    }
    n   = 0;
    sum = empty_box();
    for (int k = 0; k + 1 < BINS; k++) {
        n += count[k];
        include_box(&sum, &bounds[k]);
        left_area = area_of(&sum);
        if (n > 0 && right_cost[k + 1] < DBL_MAX &&
            (double)n * left_area + right_cost[k + 1] < best->cost)
            *best = (split) { axis, k, (double)n * left_area + right_cost[k + 1] };
    }
}

/* Moves the items of the left side to the front; returns where the right side begins. */
static int64_t partition(builder *b, const span *s, const split *at)
{
    double  limit[2];
    int64_t left = s->begin;

    centre_limits(b, s, at->axis, limit);
    for (int64_t i = s->begin; i < s->end; i++) {
        if (bin_of(&b->items[i], at->axis, limit) > at->bin)
            continue;
        if (i != left) {
            const item moved = b->items[i];

            b->items[i]    = b->items[left];
            b->items[left] = moved;
        }
        left++;
    }
    return left;
}

/* ---- nodes */

static box bounds_of(const builder *b, const span *s)
{
    box bounds = empty_box();

    for (int64_t i = s->begin; i < s->end; i++)
        include_box(&bounds, &b->items[i].bounds);
    return bounds;
}

/* Returns where the right side begins; 0: a leaf is cheaper. */
static int64_t split_of(builder *b, const span *s)
{
    const int64_t n      = s->end - s->begin;
    const box     bounds = bounds_of(b, s);
    const double  area   = area_of(&bounds);
    split         best   = { -1, 0, DBL_MAX };

    for (int axis = 0; s->depth < SAH_DEPTH && axis < 3; axis++)
        try_axis(b, s, axis, &best);
    if (n <= PHOTON_LEAF_MOST &&
        (best.axis < 0 || best.cost + NODE_COST * area >= (double)n * area))
        return 0;
    return best.axis < 0 ? s->begin + n / 2 : partition(b, s, &best);
}

static void write_bounds(const builder *b, const span *s, photon_node *node)
{
    const box bounds = bounds_of(b, s);

    for (int a = 0; a < 3; a++) {
        node->low[a]  = (float)(bounds.low[a] - b->pad);
        node->high[a] = (float)(bounds.high[a] + b->pad);
    }
}

static void build_node(builder *b, int64_t at)
{
    const span    s     = b->spans[at];
    const int64_t right = s.end - s.begin > 1 ? split_of(b, &s) : 0;
    photon_node  *node  = &b->nodes[at];

    write_bounds(b, &s, node);
    node->first = (uint32_t)(right > 0 ? b->n_nodes : s.begin);
    node->count = right > 0 ? 0 : (uint32_t)(s.end - s.begin);
    if (right <= 0)
        return;
    b->spans[b->n_nodes++] = (span) { s.begin, right, s.depth + 1 };
    b->spans[b->n_nodes++] = (span) { right, s.end, s.depth + 1 };
}

/* Children get numbers in the order in which they are made: the numbers go through the tree level
 * by level. */
static void build_tree(builder *b, int64_t n_triangles)
{
    const span all  = { 0, n_triangles, 0 };
    const box  size = bounds_of(b, &all);
    double     most = 0;

    for (int a = 0; a < 3; a++)
        most = fmax(most, fmax(fabs(size.low[a]), fabs(size.high[a])));
    b->pad      = most * (double)PHOTON_BOX_PAD;
    b->spans[0] = all;
    b->n_nodes  = 2;
    build_node(b, 0);
    for (int64_t at = 2; at < b->n_nodes; at++)
        build_node(b, at);
    b->nodes[1] = (photon_node) { .count = (uint32_t)b->n_nodes };
}

/* ---- triangles */

static void make_items(const photon_mesh *mesh, item *items)
{
    for (int64_t t = 0; t < mesh->n_triangles; t++) {
        item *to = &items[t];

        *to = (item) { .bounds = empty_box(), .triangle = (uint32_t)t };
        for (int k = 0; k < 3; k++) {
            const float *at    = mesh->vertex + 3 * (int64_t)mesh->corner[3 * t + k];
            const box    point = { { (double)at[0], (double)at[1], (double)at[2] },
                                   { (double)at[0], (double)at[1], (double)at[2] } };

            include_box(&to->bounds, &point);
        }
        for (int a = 0; a < 3; a++)
            to->centre[a] = (to->bounds.low[a] + to->bounds.high[a]) / 2;
    }
}

static photon_triangle triangle_of(const photon_mesh *mesh, const uint32_t *corner)
{
    const float    *at[3] = { NULL };
    double          normal[3], size = 0;
    photon_triangle to;

    for (int k = 0; k < 3; k++)
        at[k] = mesh->vertex + 3 * (int64_t)corner[k];
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;

        normal[a] = ((double)at[1][b] - (double)at[0][b]) * ((double)at[2][c] - (double)at[0][c]) -
                    ((double)at[1][c] - (double)at[0][c]) * ((double)at[2][b] - (double)at[0][b]);
        size += normal[a] * normal[a];
    }
    for (int k = 0; k < 3; k++) {
        memcpy(to.corner[k].at, at[k], sizeof to.corner[k].at);
        to.corner[k].normal = (float)(normal[k] / sqrt(size));
    }
    return to;
}

/* ---- the whole tree */

void photon_geometry_free(photon_geometry *geometry)
{
    if (!geometry)
        return;
    free(geometry->node);
    free(geometry->triangle);
    free(geometry->face);
    *geometry = (photon_geometry) { 0 };
}

static bool allocate(int64_t n, builder *b, photon_geometry *g)
{
    const size_t nodes = (size_t)photon_geometry_nodes_most(n);

    b->items    = calloc((size_t)n, sizeof *b->items);
    b->spans    = calloc(nodes, sizeof *b->spans);
    g->node     = calloc(nodes, sizeof *g->node);
    g->triangle = calloc((size_t)n, sizeof *g->triangle);
    g->face     = calloc((size_t)n, sizeof *g->face);
    b->nodes    = g->node;
    return b->items && b->spans && g->node && g->triangle && g->face;
}

static void fill(const photon_mesh *mesh, builder *b, photon_geometry *g)
{
    make_items(mesh, b->items);
    build_tree(b, mesh->n_triangles);
    g->n_nodes     = b->n_nodes;
    g->n_triangles = mesh->n_triangles;
    g->n_sensors   = mesh->n_sensors;
    for (int64_t i = 0; i < mesh->n_triangles; i++) {
        const int64_t t = b->items[i].triangle;

        g->triangle[i] = triangle_of(mesh, mesh->corner + 3 * t);
        g->face[i]     = mesh->face[t];
    }
}

photon_status photon_geometry_build(const photon_mesh *mesh, photon_geometry *geometry,
                                    char reason[PHOTON_REASON_SIZE])
{
    builder       b = { 0 };
    photon_status status;

    *geometry = (photon_geometry) { 0 };
    status    = photon_mesh_check(mesh, reason);
    if (status != PHOTON_OK)
        return status;
    if (allocate(mesh->n_triangles, &b, geometry)) {
        fill(mesh, &b, geometry);
    } else {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "no memory for a tree over the mesh");
        photon_geometry_free(geometry);
        status = PHOTON_NO_MEMORY;
    }
    free(b.items);
    free(b.spans);
    return status;
}
