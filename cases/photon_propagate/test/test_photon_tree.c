/* The tree over a mesh. Every triangle is in one leaf and in the boxes above it. A traversal hits
 * what brute force hits: in double, and in the precision of the kernels from inside and from far
 * away. No mesh makes the tree deeper than a stack. */
#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/photon_trace.h"

#include "../../testing/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ray {
    double from[3], to[3]; /* direction */
} ray;

/* Distance along the ray, or infinity. */
static double hit_triangle(const photon_triangle *t, const ray *r)
{
    double e[2][3], p[3], q[3], s[3], det = 0, u = 0, v = 0, along = 0;

    for (int a = 0; a < 3; a++) {
        e[0][a] = (double)t->corner[1].at[a] - (double)t->corner[0].at[a];
        e[1][a] = (double)t->corner[2].at[a] - (double)t->corner[0].at[a];
        s[a]    = r->from[a] - (double)t->corner[0].at[a];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;

        p[a] = r->to[b] * e[1][c] - r->to[c] * e[1][b];
        q[a] = s[b] * e[0][c] - s[c] * e[0][b];
    }
    for (int a = 0; a < 3; a++) {
        det += e[0][a] * p[a];
        u += s[a] * p[a];
        v += r->to[a] * q[a];
        along += e[1][a] * q[a];
    }
    if (det == 0 || u / det < 0 || v / det < 0 || (u + v) / det > 1 || along / det <= 0)
        return (double)INFINITY;
    return along / det;
}

static bool hits_box(const photon_node *n, const ray *r, double within)
{
    double near = 0, far = within;

    for (int a = 0; a < 3; a++) {
        const double x = ((double)n->low[a] - r->from[a]) / r->to[a];
        const double y = ((double)n->high[a] - r->from[a]) / r->to[a];

        near = fmax(near, fmin(x, y));
        far  = fmin(far, fmax(x, y));
    }
    return near <= far;
}

static double trace(const photon_geometry *g, const ray *r, int *deepest)
{
    uint32_t stack[PHOTON_TREE_DEPTH + 1];
    int      n    = 0;
    double   best = (double)INFINITY;

    stack[n++] = 0;
    while (n > 0) {
        const photon_node *node = &g->node[stack[--n]];

        if (!hits_box(node, r, best))
            continue;
        for (uint32_t k = 0; k < node->count; k++)
            best = fmin(best, hit_triangle(&g->triangle[node->first + k], r));
        if (node->count == 0 && n + 2 <= PHOTON_TREE_DEPTH + 1) {
            stack[n++] = node->first;
            stack[n++] = node->first + 1;
        }
        *deepest = n > *deepest ? n : *deepest;
    }
    return best;
}

static double brute_force(const photon_geometry *g, const ray *r)
{
    double best = (double)INFINITY;

    for (int64_t t = 0; t < g->n_triangles; t++)
        best = fmin(best, hit_triangle(&g->triangle[t], r));
    return best;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static ray random_ray(uint64_t *state, double size)
{
    ray r;

    for (int a = 0; a < 3; a++) {
        r.from[a] = size * (2 * uniform(state) - 1);
        r.to[a]   = 2 * uniform(state) - 1;
    }
    if (uniform(state) < 0.1)
        r.to[(int)(3 * uniform(state))] = 0; /* along a wall */
    return r;
}

static void expect_same_hits(const char *what, const photon_geometry *g, double size, int n_rays)
{
    uint64_t state = 7;
    int      same = 0, hits = 0, deepest = 0;

    for (int k = 0; k < n_rays; k++) {
        const ray    r    = random_ray(&state, size);
        const double best = brute_force(g, &r);

        same += trace(g, &r, &deepest) == best;
        hits += isfinite(best);
    }
    trial_expect(same == n_rays, "%s: %d of %d rays hit what brute force hits", what, same, n_rays);
    trial_expect(hits > 0, "%s: no ray hits anything", what);
    trial_expect(deepest <= PHOTON_TREE_DEPTH, "%s: a stack of %d", what, deepest);
}

/* Returns the depth of the tree; counts how often each triangle is in a leaf, and checks that it is
 * in the boxes. */
static int walk(const photon_geometry *g, uint32_t at, int *seen, bool *is_inside)
{
    const photon_node *node = &g->node[at];
    int                depth[2];

    for (uint32_t k = 0; k < node->count; k++) {
        const photon_triangle *t = &g->triangle[node->first + k];

        seen[node->first + k]++;
        for (int c = 0; c < 9; c++)
            *is_inside = *is_inside && t->corner[c / 3].at[c % 3] >= node->low[c % 3] &&
                         t->corner[c / 3].at[c % 3] <= node->high[c % 3];
    }
    if (node->count > 0)
        return 1;
    for (uint32_t k = 0; k < 2; k++) {
        const photon_node *child = &g->node[node->first + k];

        for (int a = 0; a < 3; a++)
            *is_inside =
                *is_inside && child->low[a] >= node->low[a] && child->high[a] <= node->high[a];
        depth[k] = walk(g, node->first + k, seen, is_inside);
    }
    return 1 + (depth[0] > depth[1] ? depth[0] : depth[1]);
}

static void expect_sound(const char *what, const photon_geometry *g)
{
    int *seen      = calloc((size_t)g->n_triangles, sizeof *seen);
    bool is_inside = true, is_once = true;
    int  depth;

    if (!seen)
        abort();
    depth = walk(g, 0, seen, &is_inside);
    for (int64_t t = 0; t < g->n_triangles; t++)
        is_once = is_once && seen[t] == 1;
    trial_expect(is_once, "%s: a triangle is in no leaf, or in two", what);
    trial_expect(is_inside, "%s: something sticks out of its box", what);
    trial_expect(depth <= PHOTON_TREE_DEPTH, "%s: %d levels", what, depth);
    trial_expect(g->node[1].count == (uint32_t)g->n_nodes &&
                     g->n_nodes <= photon_geometry_nodes_most(g->n_triangles),
                 "%s: %lld nodes", what, (long long)g->n_nodes);
    free(seen);
}

static void test_detectors(void)
{
    static const char *const words[PHOTON_GEOMETRIES] = { "box", "sphere", "obj", "large" };

    for (int d = 0; d < PHOTON_GEOMETRIES; d++) {
        char            reason[PHOTON_REASON_SIZE] = "";
        photon_mesh     mesh;
        photon_geometry g = { 0 };

        trial_expect(photon_detector_mesh(d, &mesh, reason) == PHOTON_OK &&
                         photon_geometry_build(&mesh, &g, reason) == PHOTON_OK,
                     "%s: %s", words[d], reason);
        if (g.n_triangles > 0) {
            expect_sound(words[d], &g);
            expect_same_hits(words[d], &g, 5, d == PHOTON_LARGE ? 1000 : 20000);
        }
        photon_geometry_free(&g);
        photon_mesh_free(&mesh);
    }
}

/* Meshes that a heuristic cannot split, or splits off one triangle at a time: one triangle many
 * times; sizes that halve; the same about one centre; and sizes of which the largest is again and
 * again alone in its bin, until thousands of the smallest are left. */
enum {
    ALIKE,
    SHRINKING,
    NESTED,
    PEELING,
    HARD_MESHES
};

static void add_hard_triangle(photon_mesh *mesh, int kind, int t)
{
    const float    size[HARD_MESHES] = { 1, ldexpf(1, -(t % 60)), ldexpf(1, -(t % 60)),
                                         (float)(5e5 * pow(17, t < 34 ? -t : -34)) };
    const float    s                 = size[kind];
    const float    corners[3][3]     = { { s, 0, 0 }, { 0, s, 0 }, { 0, 0, s } };
    const float    about[3][3]       = { { s, -s, 0 }, { 0, s, 0 }, { -s, -s, 0 } };
    const uint32_t at                = 3 * (uint32_t)t;

    for (int k = 0; k < 3; k++)
        (void)photon_mesh_add_vertex(mesh, kind == NESTED ? about[k] : corners[k]);
    (void)photon_mesh_add_triangle(mesh, (uint32_t[]) { at, at + 1, at + 2 },
                                   (photon_face) { 0, PHOTON_NO_SENSOR });
}

static void test_hard_meshes(void)
{
    static const char *const words[HARD_MESHES] = { "alike", "shrinking", "nested", "peeling" };

    for (int kind = 0; kind < HARD_MESHES; kind++)
        for (int n = 1; n <= 6000; n = n * 17 + 1) {
            char            reason[PHOTON_REASON_SIZE] = "";
            photon_mesh     mesh                       = { 0 };
            photon_geometry g                          = { 0 };

            for (int t = 0; t < n; t++)
                add_hard_triangle(&mesh, kind, t);
            trial_expect(photon_geometry_build(&mesh, &g, reason) == PHOTON_OK, "%s: %s",
                         words[kind], reason);
            expect_sound(words[kind], &g);
            expect_same_hits(words[kind], &g, 1, 500);
            photon_geometry_free(&g);
            photon_mesh_free(&mesh);
        }
}

/* ---- in single precision, from inside and from far away: the tree hits what trying all faces one
 * by one hits */

static photon_hit try_all(const photon_world *w, const photon_state *p, int64_t n)
{
    photon_hit best = { -1, HUGE_VALF };

    for (int64_t t = 0; t < n; t++)
        photon_try_face(w, p, (int32_t)t, &best);
    return best;
}

/* A ray from this far from the centre, aimed at a place within a triangle or on its edges and
 * corners. */
static photon_state aimed(const photon_geometry *g, double far, uint64_t *state)
{
    const photon_triangle *t    = &g->triangle[(int64_t)(uniform(state) * (double)g->n_triangles)];
    const double           kind = uniform(state);
    double                 u = uniform(state), v = uniform(state), from[3], to[3], size = 0;
    float                  pos[3], dir[3];

    u = u + v > 1 ? 1 - u : u;
    v = kind < 0.25 ? 0 : kind < 0.5 ? 1 - u : v > 1 - u ? 1 - v : v;
    u = kind > 0.9 ? 0 : u;
    for (int a = 0; a < 3; a++) {
        from[a] = 2 * uniform(state) - 1;
        size += from[a] * from[a];
    }
    for (int a = 0; a < 3; a++)
        pos[a] = (float)(far * from[a] / sqrt(size));
    size = 0;
    for (int a = 0; a < 3; a++) {
        to[a] = (1 - u - v) * (double)t->corner[0].at[a] + u * (double)t->corner[1].at[a] +
                v * (double)t->corner[2].at[a] - (double)pos[a];
        size += to[a] * to[a];
    }
    for (int a = 0; a < 3; a++)
        dir[a] = (float)(to[a] / sqrt(size));
    return (photon_state) { .pos  = photon_vec_of(pos[0], pos[1], pos[2]),
                            .dir  = photon_vec_of(dir[0], dir[1], dir[2]),
                            .face = -1 };
}

/* Rays that meet their face at an angle for which the boxes are made. */
static void expect_hits_from(const char *what, const photon_geometry *g, double far, int n_rays)
{
    const photon_world w     = { .nodes     = g->node,
                                 .top       = g->node,
                                 .triangles = (const float *)g->triangle,
                                 .faces     = (const uint32_t *)g->face };
    uint64_t           state = 11;
    int                n = 0, same = 0;

    for (int k = 0; k < n_rays; k++) {
        const photon_state p     = aimed(g, far, &state);
        const photon_hit   right = try_all(&w, &p, g->n_triangles);

        if (right.face < 0 || fabsf(photon_dot(photon_normal(&w, right.face), p.dir)) < 0.105f)
            continue;
        n++;
        same += photon_trace(&w, &p).face == right.face;
    }
    trial_expect(n > n_rays / 4, "%s from %g: %d of %d rays hit", what, far, n, n_rays);
    trial_expect(same == n, "%s from %g: %d of %d rays hit what brute force hits", what, far, same,
                 n);
}

static void add_box(photon_mesh *mesh, const float half[3])
{
    static const uint32_t faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                           { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                           { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };

    for (int v = 0; v < 8; v++)
        (void)photon_mesh_add_vertex(mesh, (float[]) { v & 1 ? half[0] : -half[0],
                                                       v & 2 ? half[1] : -half[1],
                                                       v & 4 ? half[2] : -half[2] });
    for (int t = 0; t < 12; t++)
        (void)photon_mesh_add_triangle(mesh, faces[t], (photon_face) { 0, PHOTON_NO_SENSOR });
}

static void test_single_precision(void)
{
    static const struct {
        const char *what; /* NULL: the sphere */
        float       half[3];
        double      size;
        int         n_rays;
    } rows[]                  = { { "cube", { 1, 1, 1 }, 1, 50000 },
                                  { "plate", { 1, 1, 1e-3f }, 1, 50000 },
                                  { "needle", { 1e-3f, 2, 2e-3f }, 2, 50000 },
                                  { NULL, { 0 }, 6, 5000 } };
    static const double far[] = { 0, 1e-4, 0.5, 3, 100, 1000, 100000 };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char            reason[PHOTON_REASON_SIZE] = "";
        photon_mesh     mesh                       = { 0 };
        photon_geometry g                          = { 0 };

        if (rows[k].what)
            add_box(&mesh, rows[k].half);
        else
            (void)photon_detector_mesh(PHOTON_SPHERE, &mesh, reason);
        trial_expect(photon_geometry_build(&mesh, &g, reason) == PHOTON_OK, "%s", reason);
        for (size_t f = 0; g.n_triangles > 0 && f < sizeof far / sizeof *far; f++)
            expect_hits_from(rows[k].what ? rows[k].what : "sphere", &g, far[f] * rows[k].size,
                             rows[k].n_rays);
        photon_geometry_free(&g);
        photon_mesh_free(&mesh);
    }
}

static void test_refused(void)
{
    char            reason[PHOTON_REASON_SIZE] = "";
    photon_mesh     mesh                       = { 0 };
    photon_geometry g;

    trial_expect(photon_geometry_build(&mesh, &g, reason) == PHOTON_INVALID && !g.node &&
                     strstr(reason, "no triangle"),
                 "an empty mesh: %s", reason);
    (void)photon_mesh_add_vertex(&mesh, (float[]) { 0, 0, 0 });
    (void)photon_mesh_add_triangle(&mesh, (uint32_t[]) { 0, 0, 4000000000u },
                                   (photon_face) { 0, PHOTON_NO_SENSOR });
    trial_expect(photon_geometry_build(&mesh, &g, reason) == PHOTON_INVALID && !g.node &&
                     strstr(reason, "corner is no vertex"),
                 "a corner beyond all vertices: %s", reason);
    photon_mesh_free(&mesh);
    photon_mesh_free(NULL);
    photon_geometry_free(NULL);
}

int main(void)
{
    test_detectors();
    test_hard_meshes();
    test_single_precision();
    test_refused();
    return trial_finish("test_photon_tree");
}
