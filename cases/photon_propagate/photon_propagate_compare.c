/* What must hold exactly of the ends, whatever decisions were in doubt. Each photon ends once and
 * in one way. Another takes its place exactly where it was re-emitted. Each keeps its weight to the
 * end. The tally is the sum of the records that the same kernel wrote. */
#include "photon_propagate_compare.h"
#include "photon_propagate_mesh.h"

#include "../../kernels/photon_propagate/propagate_case.h"
#include "../../reference/photon_propagate/photon_propagate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ends {
    const uint32_t *flags, *faces, *tally;
    const int32_t  *face;
    const float    *weight, *weights; /* recorded, or NULL; of the source, or in pages */
    int64_t         photons, triangles, n_tally;
    bool            is_history;
} ends;

static ends ends_of(const assay_evidence *e)
{
    const bool is_history = e->shape->param[PROPAGATE_PARAM_IS_HISTORY] != 0;

    return (ends) {
        .flags      = e->out[PROPAGATE_BUF_END_FLAGS],
        .face       = e->out[PROPAGATE_BUF_END_FACE],
        .weight     = e->shape->buf[PROPAGATE_BUF_END_WEIGHT].count > 0
                          ? e->out[PROPAGATE_BUF_END_WEIGHT]
                          : NULL,
        .weights    = e->in[is_history ? PROPAGATE_BUF_WEIGHT : PROPAGATE_BUF_REAL],
        .tally      = e->out[PROPAGATE_BUF_TALLY],
        .faces      = e->in[PROPAGATE_BUF_FACES],
        .photons    = e->shape->param[PROPAGATE_PARAM_PHOTONS],
        .triangles  = e->shape->param[PROPAGATE_PARAM_TRIANGLES],
        .n_tally    = e->shape->buf[PROPAGATE_BUF_TALLY].count,
        .is_history = is_history,
    };
}

static bool is_one_bit(uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

/* NULL, or the fault of a record. */
static const char *wrong_with_end(const ends *e, uint32_t flags, int32_t face)
{
    const uint32_t at_surface = PHOTON_SURFACE_DETECT | PHOTON_SURFACE_ABSORB;

    if (!is_one_bit(flags & PHOTON_ENDED))
        return "has not ended in one way";
    if ((flags & PHOTON_REEMIT) && !(flags & PHOTON_BULK_ABSORB))
        return "was re-emitted and not absorbed";
    if ((flags & at_surface) && (face < 0 || face >= e->triangles))
        return "ended at a face that there is not";
    if ((flags & PHOTON_SURFACE_DETECT) &&
        e->faces[2 * face + 1] >= (uint32_t)(e->n_tally - PHOTON_TALLIES))
        return "was detected where there is no sensor";
    return NULL;
}

static float weight_of(const ends *e, int64_t i)
{
    const int64_t page = i / PHOTON_PAGE, lane = i % PHOTON_PAGE;

    return e->is_history ? e->weights[i]
                         : e->weights[(page * PHOTON_REALS + PHOTON_WEIGHT) * PHOTON_PAGE + lane];
}

/* Bit for bit; 0 where nothing ended. */
static bool has_weight(const ends *e, int64_t i, int64_t row)
{
    const float right = e->weight && e->flags[row] ? weight_of(e, i) : 0;

    return !e->weight || memcmp(&e->weight[row], &right, sizeof right) == 0;
}

/* A history has a row for the photon of the source and, as long as each is re-emitted, for the next
 * one. One step has at most one row. */
static const char *wrong_with_photon(const ends *e, int64_t i)
{
    bool     is_expected = e->is_history;
    uint32_t n           = 0;

    for (int64_t g = 0; g < PHOTON_GENERATIONS; g++) {
        const int64_t  row   = g * e->photons + i;
        const uint32_t flags = e->flags[row];
        const char    *wrong = flags ? wrong_with_end(e, flags, e->face[row]) : NULL;

        if (wrong)
            return wrong;
        if (e->is_history && is_expected != (flags != 0))
            return is_expected ? "has not ended" : "has ended twice";
        if (!has_weight(e, i, row))
            return "ended with a weight that is not its own";
        is_expected = is_expected && (flags & PHOTON_REEMIT);
        n += flags != 0;
    }
    return n > 1 && !e->is_history ? "has ended twice" : NULL;
}

static assay_verdict judge_tally(const ends *e, char *reason, size_t size)
{
    int64_t      *sums    = calloc((size_t)e->n_tally, sizeof *sums);
    assay_verdict verdict = sums ? ASSAY_PASS : ASSAY_NOT_RUN; /* not judged: the harness says so */

    for (int64_t row = 0; sums && row < PHOTON_GENERATIONS * e->photons; row++)
        photon_ref_count(e->flags[row], e->face[row], e->faces, sums);
    for (int64_t k = 0; k < e->n_tally && verdict == ASSAY_PASS; k++) {
        if (sums[k] == (int64_t)e->tally[k])
            continue;
        (void)snprintf(reason, size,
                       "tally %" PRId64 " is %" PRIu32 ", and %" PRId64 " records say so", k,
                       e->tally[k], sums[k]);
        verdict = ASSAY_WRONG_VALUE;
    }
    free(sums);
    return verdict;
}

assay_verdict photon_propagate_compare(const assay_evidence *evidence, char *reason, size_t size)
{
    const ends e = ends_of(evidence);

    for (int64_t i = 0; i < e.photons; i++) {
        const char *wrong = wrong_with_photon(&e, i);

        if (!wrong)
            continue;
        (void)snprintf(reason, size, "photon %" PRId64 " %s", i, wrong);
        return ASSAY_WRONG_VALUE;
    }
    return judge_tally(&e, reason, size);
}

/* ---- against the reference's tally: a photon in doubt that goes another way is one more here and
 * one less there, as often as the other way round */

/* Records that the reference leaves open: each deviates by at most 1. */
static double count_in_doubt(const assay_evidence *e)
{
    const assay_expected *flags = &e->expected[PROPAGATE_BUF_END_FLAGS];
    const int64_t         rows  = e->shape->buf[PROPAGATE_BUF_END_FLAGS].count;
    double                n     = 0;

    for (int64_t row = 0; row < rows; row++)
        n += flags->law[row] == ASSAY_EXEMPT;
    return n;
}

assay_invariant_result photon_propagate_tally_drift(const assay_evidence *e)
{
    const int64_t   n     = e->shape->buf[PROPAGATE_BUF_TALLY].count;
    const uint32_t *tally = e->out[PROPAGATE_BUF_TALLY];
    const int64_t  *right = e->expected[PROPAGATE_BUF_TALLY].integer;
    double          most  = 0;

    for (int64_t k = 0; k < n; k++)
        most = fmax(most, fabs((double)tally[k] - (double)right[k]));
    return (assay_invariant_result) { .value    = most,
                                      .expected = 0,
                                      .bound    = 6 * sqrt(count_in_doubt(e)) };
}

/* ---- facts */

/* For a history; a single step has no such figures. */
static double ends_a_photon(const assay_evidence *e, int64_t which)
{
    const uint32_t *tally = e->out[PROPAGATE_BUF_TALLY];

    if (!e->shape->param[PROPAGATE_PARAM_IS_HISTORY])
        return (double)NAN;
    return (double)tally[which] / (double)e->shape->param[PROPAGATE_PARAM_PHOTONS];
}

/* Distinguishes meshes that users name, which have the same key: six digits, as reports print them,
 * of FNV-1a over triangles and faces, and over the materials if these are the user's. */
static double mesh_digest(const assay_evidence *e, int64_t which)
{
    const bool has_own = e->shape->param[PROPAGATE_PARAM_MATERIAL] == PHOTON_OWN_MATERIALS;
    const int  last    = has_own ? PROPAGATE_BUF_SURFACES : PROPAGATE_BUF_FACES;
    uint64_t   digest  = 0xcbf29ce484222325u;

    (void)which;
    if (e->shape->param[PROPAGATE_PARAM_GEOMETRY] != PHOTON_MESH_FILE)
        return (double)NAN;
    for (int b = PROPAGATE_BUF_TRIANGLES; b <= last; b++)
        for (int64_t k = 0; k < e->shape->buf[b].count; k++)
            digest = (digest ^ ((const uint32_t *)e->in[b])[k]) * 0x100000001b3u;
    return (double)(digest % 1000000u);
}

const assay_fact photon_propagate_facts[] = {
    { "detected", ends_a_photon, PHOTON_TALLY_DETECT },
    { "absorbed_in_bulk", ends_a_photon, PHOTON_TALLY_BULK_ABSORB },
    { "absorbed_at_surface", ends_a_photon, PHOTON_TALLY_SURFACE_ABSORB },
    { "escaped", ends_a_photon, PHOTON_TALLY_NO_HIT },
    { "reemitted", ends_a_photon, PHOTON_TALLY_REEMIT },
    { "out_of_steps", ends_a_photon, PHOTON_TALLY_OUT_OF_STEPS },
    { "mesh_digest", mesh_digest, 0 },
    { NULL, NULL, 0 },
};
