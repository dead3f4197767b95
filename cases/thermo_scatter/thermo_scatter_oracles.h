/* How the case thermo_scatter judges what has no single right answer: the order of sorted
 * particles, and sums that must be conserved. */
#ifndef ASSAY_THERMO_SCATTER_ORACLES_H
#define ASSAY_THERMO_SCATTER_ORACLES_H

#include "../sums.h"
#include "case.h"

#include "../../kernels/thermo_scatter/scatter_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sorted particles: each once, in its own cell, whole ---- */

static bool is_same(const assay_evidence *e, int from, int to, int components, int64_t t, int64_t d)
{
    const float *a = e->in[from], *b = e->out[to];

    return memcmp(a + components * t, b + components * d, (size_t)components * sizeof *a) == 0;
}

static bool is_moved_whole(const assay_evidence *e, int64_t t, int64_t d)
{
    return is_same(e, SCATTER_BUF_POS, SCATTER_BUF_SORTED_POS, 3, t, d) &&
           is_same(e, SCATTER_BUF_VEL, SCATTER_BUF_SORTED_VEL, 3, t, d) &&
           is_same(e, SCATTER_BUF_MASS, SCATTER_BUF_SORTED_MASS, 1, t, d) &&
           is_same(e, SCATTER_BUF_HEAT, SCATTER_BUF_SORTED_HEAT, 1, t, d) &&
           is_same(e, SCATTER_BUF_ENERGY, SCATTER_BUF_SORTED_ENERGY, 1, t, d);
}

/* The fault at place d of the sorted particles, whose bin is the reference's; NULL: none. */
static const char *wrong_at(const assay_evidence *e, int64_t d, bool *is_seen)
{
    const int64_t  n        = e->shape->cells;
    const int64_t *id       = e->expected[SCATTER_BUF_CELL_ID].integer;
    const int64_t *in_order = e->expected[SCATTER_BUF_SORTED_INDEX].integer;
    const int64_t  t        = ((const int32_t *)e->out[SCATTER_BUF_SORTED_INDEX])[d];

    if (t < 0 || t >= n)
        return "has no particle";
    if (id[t] != id[in_order[d]])
        return "has a particle of another cell";
    if (is_seen[t])
        return "has a particle that was there before";
    is_seen[t] = true;
    return is_moved_whole(e, t, d) ? NULL : "has other values than its particle";
}

static assay_verdict compare_sorted(const assay_evidence *e, char *reason, size_t size)
{
    const int64_t n       = e->shape->cells;
    const char   *wrong   = NULL;
    bool         *is_seen = NULL;

    if (e->shape->param[SCATTER_PARAM_OUTPUTS] != SCATTER_STAGES)
        return ASSAY_PASS;
    is_seen = calloc((size_t)n + 1, sizeof *is_seen);
    if (!is_seen)
        wrong = "could not be judged: no memory";
    for (int64_t d = 0; d < n && !wrong; d++)
        wrong = wrong_at(e, d, is_seen);
    if (wrong && size > 0)
        (void)strncat(strncpy(reason, "a place of the sorted particles ", size - 1), wrong,
                      size - 1 - strlen(reason));
    free(is_seen);
    return wrong ? ASSAY_WRONG_VALUE : ASSAY_PASS;
}

/* ---- invariants: what the accepted particles bring is on the grid ---- */

static bool is_accepted(const assay_evidence *e, int64_t t)
{
    const float *pos = e->in[SCATTER_BUF_POS], *vel = e->in[SCATTER_BUF_VEL];
    const float *mass = e->in[SCATTER_BUF_MASS], *heat = e->in[SCATTER_BUF_HEAT];

    for (int d = 0; d < 3; d++)
        if (!isfinite(pos[3 * t + d]) || !isfinite(vel[3 * t + d]))
            return false;
    return isfinite(mass[t]) && isfinite(heat[t]);
}

/* What particle t contributes to component c of field `b`. */
static double brought(const assay_evidence *e, int b, int64_t t, int c)
{
    const float *vel = e->in[SCATTER_BUF_VEL], *mass = e->in[SCATTER_BUF_MASS];
    const float *heat = e->in[SCATTER_BUF_HEAT];

    if (b == SCATTER_BUF_E_INT)
        return (double)heat[t];
    return (double)mass[t] * (b == SCATTER_BUF_MOM ? (double)vel[3 * t + c] : 1);
}

/* One component of one field. */
typedef struct component {
    const assay_evidence *e;
    int                   buffer, n, c;
} component;

/* The field, and how far its values may be off in units of u. */
static void add_nodes(const void *context, int64_t begin, int64_t end, double *sum)
{
    const component      *f        = context;
    const float          *field    = f->e->out[f->buffer];
    const assay_expected *expected = &f->e->expected[f->buffer];

    for (int64_t node = begin; node < end; node++) {
        const int64_t i = f->n * node + f->c;

        sum[0] += (double)field[i];
        sum[1] += expected->magnitude[i] + fabs(expected->value[i]);
    }
}

/* What particles contribute, and its magnitude. */
static void add_particles(const void *context, int64_t begin, int64_t end, double *sum)
{
    const component *f = context;

    for (int64_t t = begin; t < end; t++) {
        const double term = is_accepted(f->e, t) ? brought(f->e, f->buffer, t, f->c) : 0;

        sum[0] += term;
        sum[1] += fabs(term);
    }
}

/* dx^3 times the sum over the nodes of component c, compared with the sum over the particles. The
 * nodes' bounds add up; sums in double round by 2^-53 a term. */
static assay_invariant_result conserved(const assay_evidence *e, int b, int components, int c)
{
    const assay_shape *s                   = e->shape;
    const component    field               = { e, b, components, c };
    const double       dx                  = s->scalar[SCATTER_SCALAR_DX];
    double             nodes[SUMS_MAX]     = { 0 };
    double             particles[SUMS_MAX] = { 0 };

    sums_over(e->parallel_for, s->buf[b].count / components, add_nodes, &field, nodes);
    sums_over(e->parallel_for, s->cells, add_particles, &field, particles);
    return (assay_invariant_result) {
        .value    = nodes[0] * dx * dx * dx,
        .expected = particles[0],
        .bound    = nodes[1] * dx * dx * dx * ASSAY_U32_ROUNDOFF +
                 particles[1] * ((double)s->cells + 16) * ASSAY_U64_ROUNDOFF,
    };
}

static assay_invariant_result mass_is_conserved(const assay_evidence *e)
{
    return conserved(e, SCATTER_BUF_RHO, 1, 0);
}
static assay_invariant_result heat_is_conserved(const assay_evidence *e)
{
    return conserved(e, SCATTER_BUF_E_INT, 1, 0);
}
/* The component that is furthest from its sum. */
static assay_invariant_result momentum_is_conserved(const assay_evidence *e)
{
    assay_invariant_result worst = conserved(e, SCATTER_BUF_MOM, 3, 0);

    for (int c = 1; c < 3; c++)
        worst = sums_worse(worst, conserved(e, SCATTER_BUF_MOM, 3, c));
    return worst;
}

#endif
