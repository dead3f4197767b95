/* Inputs of photon_propagate: the detector and its tables, states some steps into a history, and
 * states that sit on decisions. */
#include "photon_propagate_inputs.h"
#include "photon_propagate_mesh.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "../../reference/photon_propagate/photon_propagate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHOTONS_A_CHUNK = 1024,
    MOST_BEFORE     = 5 /* steps that a state may already have made */
};

/* ---- the detector: checked before the case has such a point, so that it is always valid */

static void fill_geometry(const assay_prepare_args *args)
{
    char            reason[PHOTON_REASON_SIZE];
    photon_geometry geometry;
    const int       which = (int)args->param[PROPAGATE_PARAM_GEOMETRY];

    if (photon_propagate_build(which, &geometry, reason) != PHOTON_OK ||
        geometry.n_triangles != args->param[PROPAGATE_PARAM_TRIANGLES])
        abort(); /* no memory: a crash before anything is judged */
    memset(args->in[PROPAGATE_BUF_NODES], 0,
           (size_t)args->count[PROPAGATE_BUF_NODES] * sizeof(uint32_t));
    memcpy(args->in[PROPAGATE_BUF_NODES], geometry.node,
           (size_t)geometry.n_nodes * sizeof *geometry.node);
    memcpy(args->in[PROPAGATE_BUF_TRIANGLES], geometry.triangle,
           (size_t)geometry.n_triangles * sizeof *geometry.triangle);
    memcpy(args->in[PROPAGATE_BUF_FACES], geometry.face,
           (size_t)geometry.n_triangles * sizeof *geometry.face);
    photon_geometry_free(&geometry);
}

/* ---- states */

static uint32_t hash(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((v ^ (v >> 31)) >> 32);
}

/* The state of a history after a few steps; secondaries take the places of their parents. */
static photon_ref state_of(const assay_prepare_args *args, const photon_ref_world *w, int64_t i)
{
    photon_ref p = photon_ref_source((const void *const *)args->in, args->param, args->scalar, i);
    photon_ref secondary;
    const int  n = (int)(hash(p.key[0] * 0x9E3779B97F4A7C15u + (uint64_t)i) % (MOST_BEFORE + 1));

    for (int k = 0; k < n && !(p.flags & PHOTON_ENDED); k++) {
        photon_ref_step(w, &p, &secondary);
        if (p.flags & PHOTON_REEMIT)
            p = secondary;
    }
    return p;
}

/* ---- hard states: one in PHOTON_HARD_KINDS sits on a decision */

static const float *some_face(const assay_prepare_args *args, int64_t i, int64_t *face)
{
    *face = hash((uint64_t)i + 991) % (uint32_t)args->param[PROPAGATE_PARAM_TRIANGLES];
    return (const float *)args->in[PROPAGATE_BUF_TRIANGLES] + 12 * *face;
}

static void aim_at(photon_ref *p, double x, double y, double z)
{
    const double dx = x - p->pos.x, dy = y - p->pos.y, dz = z - p->pos.z;
    const double size = sqrt(dx * dx + dy * dy + dz * dz);

    p->dir = (photon_vector) { dx / size, dy / size, dz / size };
}

static void aim_at_corner(const float *corner, photon_ref *p)
{
    aim_at(p, (double)corner[0], (double)corner[1], (double)corner[2]);
}

static void aim_at_edge(const float *corner, photon_ref *p)
{
    aim_at(p, ((double)corner[0] + (double)corner[4]) / 2,
           ((double)corner[1] + (double)corner[5]) / 2,
           ((double)corner[2] + (double)corner[6]) / 2);
}

/* Starts on an edge of the face, and goes along it. */
static void start_in_plane(const float *corner, photon_ref *p)
{
    p->pos = (photon_vector) { (double)corner[0], (double)corner[1], (double)corner[2] };
    aim_at_corner(corner + 4, p);
}

/* Along an axis: two components of the direction are zero. */
static void aim_along_axis(const float *corner, photon_ref *p)
{
    p->pos = (photon_vector) { p->pos.x, (double)corner[1], (double)corner[2] };
    p->dir = (photon_vector) { 1, 0, 0 };
    p->pol = (photon_vector) { 0, 1, 0 };
}

static void (*const on_decision[])(const float *corner, photon_ref *p) = {
    aim_at_corner,
    aim_at_edge,
    start_in_plane,
    aim_along_axis,
};

/* Makes a photon that cannot go on: one of its numbers is NaN, or much too large. */
static void make_unsound(int64_t way, photon_ref *p)
{
    double *const number[] = {
        &p->dir.x, &p->dir.x, &p->pos.x, &p->pos.y, &p->pos.z, &p->wavelength
    };
    const double value[] = { (double)NAN, 2, 2e7, -2e7, 2e7, 2e7 };

    if (way % 6 < 2)
        p->dir = (photon_vector) { 0, 0, 1 };
    *number[way % 6] = value[way % 6];
}

/* States that are off the usual path, but not in doubt. */
static void make_odd(int64_t kind, int64_t way, photon_ref *p)
{
    switch (kind) {
    case 1:
        make_unsound(way, p);
        break;
    case 2:
        p->dir = (photon_vector) { 0, 0, 0 };
        break;
    case 3:
        p->flags |= PHOTON_ISOTROPIC_INIT;
        break;
    case 4:
        p->wavelength = 100;
        break;
    case 5:
        p->wavelength = 1000;
        break;
    case 6:
        p->flags |= PHOTON_SURFACE_ABSORB;
        break;
    default:
        break;
    }
}

static void make_hard(const assay_prepare_args *args, int64_t i, photon_ref *p)
{
    const int64_t kind = i % PHOTON_HARD_KINDS, way = i / PHOTON_HARD_KINDS;
    int64_t       face;
    const float  *corner = some_face(args, i, &face);

    if (kind == 0) {
        p->flags &= ~(PHOTON_ENDED | PHOTON_ISOTROPIC_INIT);
        p->face       = -1;
        p->wavelength = 400;
        p->pol        = (photon_vector) { 0, 0, 1 };
        on_decision[(size_t)way % (sizeof on_decision / sizeof *on_decision)](corner, p);
    } else if (way % 2 == 0) {
        make_odd(kind, way, p);
    }
}

static void fill_state_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_prepare_args *args = context;
    const photon_ref_world    w    = photon_ref_world_of((const void *const *)args->in);

    (void)chunk;
    for (int64_t i = begin; i < end; i++) {
        photon_ref p = state_of(args, &w, i);

        if (args->param[PROPAGATE_PARAM_IS_HARD])
            make_hard(args, i, &p);
        photon_ref_store(&p, args->in[PROPAGATE_BUF_REAL], args->in[PROPAGATE_BUF_WORD], i);
    }
}

/* Weights, and lanes past the last photon, show a write to another photon's place. */
static void fill_pages(const assay_prepare_args *args)
{
    float    *real = args->in[PROPAGATE_BUF_REAL];
    uint32_t *word = args->in[PROPAGATE_BUF_WORD];

    for (int64_t k = 0; k < args->count[PROPAGATE_BUF_REAL]; k++)
        real[k] = (float)(k % 1021);
    for (int64_t k = 0; k < args->count[PROPAGATE_BUF_WORD]; k++)
        word[k] = (uint32_t)k;
}

/* No two neighbours have the same weight, so that a weight tells whose it is. */
static void fill_weights(const assay_prepare_args *args)
{
    float *weight = args->in[PROPAGATE_BUF_WEIGHT];

    for (int64_t i = 0; i < args->count[PROPAGATE_BUF_WEIGHT]; i++)
        weight[i] = 0.5f + (float)(hash((uint64_t)i + 1) >> 8) * 0x1p-24f;
}

void photon_propagate_prepare(const assay_prepare_args *args)
{
    assay_prepare_args copy = *args;

    fill_geometry(args);
    photon_propagate_tables((int)args->param[PROPAGATE_PARAM_MATERIAL],
                            args->in[PROPAGATE_BUF_MEDIA], args->in[PROPAGATE_BUF_SURFACES]);
    fill_weights(args);
    if (args->param[PROPAGATE_PARAM_IS_HISTORY])
        return;
    fill_pages(args);
    args->parallel_for(args->param[PROPAGATE_PARAM_PHOTONS], PHOTONS_A_CHUNK, fill_state_chunk,
                       &copy);
}
