/* Records of photons that have ended. In C, CUDA C++ and C++. */
#ifndef PHOTON_ENDS_H
#define PHOTON_ENDS_H

#include "photon_step.h"

/* Row g * photons + i belongs to generation g in place i. */
typedef struct photon_ends {
    float    *place; /* all x, all y, all z */
    float    *time;
    float    *weight; /* NULL: not recorded */
    uint32_t *flags;
    int32_t  *face;
    int64_t   photons, rows;
} photon_ends;

PHOTON_FUNCTION void photon_write_end(const photon_ends *e, int64_t row, photon_vec at, float time,
                                      uint32_t flags, int32_t face, const float *weight)
{
    e->place[row]               = at.x;
    e->place[e->rows + row]     = at.y;
    e->place[2 * e->rows + row] = at.z;
    e->time[row]                = time;
    e->flags[row]               = flags;
    e->face[row]                = face;
    if (e->weight)
        e->weight[row] = weight ? *weight : 0.0f;
}

/* No photon of this row has ended. */
PHOTON_FUNCTION void photon_clear_end(const photon_ends *e, int64_t row)
{
    photon_write_end(e, row, photon_vec_of(0.0f, 0.0f, 0.0f), 0.0f, 0u, -1, NULL);
}

/* Records a photon that has ended in place i. */
PHOTON_FUNCTION void photon_end(const photon_ends *e, photon_pages pages, int64_t i,
                                const photon_state *p)
{
    photon_write_end(e, (int64_t)(p->origin & 0xffu) * e->photons + i, p->pos, p->time, p->flags,
                     p->face, photon_weight(pages, i));
}

/* A photon of an isotropic source. Everything except place, time and key is drawn later. */
typedef struct photon_source {
    photon_vec      pos;
    float           time;
    uint32_t        medium;
    const uint32_t *event; /* number of the event */
} photon_source;

PHOTON_FUNCTION photon_state photon_of_source(const photon_source *s, uint32_t i)
{
    photon_state p;

    p.pos        = s->pos;
    p.dir        = photon_vec_of(0.0f, 0.0f, 0.0f);
    p.pol        = photon_vec_of(0.0f, 0.0f, 0.0f);
    p.wavelength = 0.0f;
    p.time       = s->time;
    p.flags      = PHOTON_ISOTROPIC_INIT;
    p.key_0      = *s->event;
    p.key_1      = i;
    p.draw       = 0;
    p.origin     = s->medium << 8;
    p.face       = -1;
    return p;
}

/* ---- tallies */

/* Index of an end in the tally; for a detection the sensor's number is added. */
PHOTON_FUNCTION int photon_tally_of(uint32_t flags)
{
    if (flags & PHOTON_NO_HIT)
        return PHOTON_TALLY_NO_HIT;
    if (flags & PHOTON_BULK_ABSORB)
        return flags & PHOTON_REEMIT ? PHOTON_TALLY_REEMIT : PHOTON_TALLY_BULK_ABSORB;
    if (flags & PHOTON_SURFACE_DETECT)
        return PHOTON_TALLY_DETECT;
    if (flags & PHOTON_SURFACE_ABSORB)
        return PHOTON_TALLY_SURFACE_ABSORB;
    return flags & PHOTON_OUT_OF_STEPS ? PHOTON_TALLY_OUT_OF_STEPS : PHOTON_TALLY_NAN_ABORT;
}

/* ---- the arguments of a launch */

static inline photon_world photon_world_of(const assay_args *args)
{
    photon_world w;

    w.nodes     = (const photon_node *)args->buf[PROPAGATE_BUF_NODES];
    w.top       = w.nodes;
    w.n_top     = 0;
    w.triangles = (const float *)args->buf[PROPAGATE_BUF_TRIANGLES];
    w.faces     = (const uint32_t *)args->buf[PROPAGATE_BUF_FACES];
    w.media     = (const float *)args->buf[PROPAGATE_BUF_MEDIA];
    w.surfaces  = (const float *)args->buf[PROPAGATE_BUF_SURFACES];
    return w;
}

static inline photon_pages photon_pages_of(const assay_args *args)
{
    photon_pages p;

    p.real = (float *)args->buf[PROPAGATE_BUF_REAL];
    p.word = (uint32_t *)args->buf[PROPAGATE_BUF_WORD];
    return p;
}

static inline photon_ends photon_ends_of(const assay_args *args)
{
    photon_ends e;

    e.place  = (float *)args->buf[PROPAGATE_BUF_END_PLACE];
    e.time   = (float *)args->buf[PROPAGATE_BUF_END_TIME];
    e.flags  = (uint32_t *)args->buf[PROPAGATE_BUF_END_FLAGS];
    e.face   = (int32_t *)args->buf[PROPAGATE_BUF_END_FACE];
    e.weight = NULL;
    if (args->count[PROPAGATE_BUF_END_WEIGHT] > 0)
        e.weight = (float *)args->buf[PROPAGATE_BUF_END_WEIGHT];
    e.photons = args->param[PROPAGATE_PARAM_PHOTONS];
    e.rows    = args->count[PROPAGATE_BUF_END_TIME];
    return e;
}

/* Weights of the photons of a history's source; NULL: all are 1. */
static inline const float *photon_weights_of(const assay_args *args)
{
    return args->count[PROPAGATE_BUF_WEIGHT] > 0 ? (const float *)args->buf[PROPAGATE_BUF_WEIGHT]
                                                 : NULL;
}

static inline photon_source photon_source_of(const assay_args *args)
{
    photon_source s;

    s.pos.x  = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_X];
    s.pos.y  = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_Y];
    s.pos.z  = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_Z];
    s.time   = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_TIME];
    s.event  = (const uint32_t *)args->buf[PROPAGATE_BUF_EVENT];
    s.medium = (uint32_t)args->param[PROPAGATE_PARAM_MEDIUM];
    return s;
}

#endif
