/* What must hold exactly of the ends of each event, as of a call of photon_propagate. */
#include "photon_session_compare.h"

#include "../photon_propagate/photon_propagate_compare.h"

#include "../../kernels/photon_session/session_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Moves to event e's part of the kernel's inputs and outputs. */
static void move_to(const assay_shape *one, int b, int64_t e, const void **in, const void **out)
{
    const int64_t at = e * one->buf[b].count;

    if (in[b])
        in[b] = (const uint32_t *)in[b] + at;
    if (out[b])
        out[b] = (const uint32_t *)out[b] + at;
}

static assay_verdict compare_event(const assay_evidence *all, const assay_shape *one, int64_t e,
                                   char *reason, size_t size)
{
    const void    *in[PROPAGATE_BUFFERS], *out[PROPAGATE_BUFFERS];
    assay_evidence of = *all;

    memcpy(in, all->in, sizeof in);
    memcpy(out, all->out, sizeof out);
    for (int k = 0; k < SESSION_CASE_BY_EVENT; k++)
        move_to(one, session_case_by_event[k], e, in, out);
    of.shape = one;
    of.in    = in;
    of.out   = out;
    return photon_propagate_compare(&of, reason, size);
}

assay_verdict photon_session_compare(const assay_evidence *evidence, char *reason, size_t size)
{
    const int64_t events  = evidence->shape->param[SESSION_PARAM_EVENTS];
    assay_shape   one     = *evidence->shape;
    assay_verdict verdict = ASSAY_PASS;
    char          why[128];

    for (int k = 0; k < SESSION_CASE_BY_EVENT && events > 0; k++)
        one.buf[session_case_by_event[k]].count /= events;
    for (int64_t e = 0; e < events && verdict == ASSAY_PASS; e++) {
        verdict = compare_event(evidence, &one, e, why, sizeof why);
        if (verdict != ASSAY_PASS)
            (void)snprintf(reason, size, "event %" PRId64 ": %s", e, why);
    }
    return verdict;
}
