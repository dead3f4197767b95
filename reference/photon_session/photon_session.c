/* The case photon_session: the result of a stream of events is what photon_propagate gives for
 * each. */
#include "../../kernels/photon_session/session_case.h"

#include "kernel.h"

#include <stdlib.h>
#include <string.h>

assay_reference_fn photon_session_reference;
assay_reference_fn photon_propagate_reference; /* reference/photon_propagate */

typedef struct stream {
    const assay_reference_args *args;
    int64_t                     count[PROPAGATE_BUFFERS]; /* of one event */
    float                      *ones;                     /* weights: a session's are 1 */
    double                     *share; /* by event: the predicted share in doubt */
} stream;

/* Events are spread over threads; the chunks of one event run one after the other. */
static void one_after_the_other(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, count - begin < size ? count : begin + size);
}

/* The part of event e. */
static void move_to(const stream *s, int b, int64_t e, const void **in, assay_expected *expect)
{
    const int64_t at = e * s->count[b];

    if (in[b])
        in[b] = (const uint32_t *)in[b] + at;
    expect[b].value     = expect[b].value ? expect[b].value + at : NULL;
    expect[b].integer   = expect[b].integer ? expect[b].integer + at : NULL;
    expect[b].magnitude = expect[b].magnitude ? expect[b].magnitude + at : NULL;
    expect[b].law       = expect[b].law ? expect[b].law + at : NULL;
}

/* `weight` is for what photon_propagate expects of weights, which a session does not record. */
static void expect_event(const stream *s, int64_t e, double *weight)
{
    assay_reference_args args = *s->args;
    const void          *in[PROPAGATE_BUFFERS];
    assay_expected       expect[PROPAGATE_BUFFERS];

    memcpy(in, s->args->in, sizeof in);
    memcpy(expect, s->args->expect, sizeof expect);
    for (int k = 0; k < SESSION_CASE_BY_EVENT; k++)
        move_to(s, session_case_by_event[k], e, in, expect);
    in[PROPAGATE_BUF_WEIGHT]               = s->ones;
    expect[PROPAGATE_BUF_END_WEIGHT].value = weight;
    args.in                                = in;
    args.expect                            = expect;
    args.count                             = s->count;
    args.parallel_for                      = one_after_the_other;
    photon_propagate_reference(&args);
    s->share[e] = expect[PROPAGATE_BUF_END_FLAGS].exempt_share;
}

static void expect_events(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const stream *const s      = context;
    double *const       weight = calloc(
              (size_t)(PHOTON_GENERATIONS * s->args->param[PROPAGATE_PARAM_PHOTONS]) + 1, sizeof *weight);

    (void)chunk;
    if (!weight)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    for (int64_t e = begin; e < end; e++)
        expect_event(s, e, weight);
    free(weight);
}

/* Over all events: each has as many photons. */
static void set_shares(const stream *s, int64_t events)
{
    double sum = 0;

    for (int64_t e = 0; e < events; e++)
        sum += s->share[e];
    for (int b = PROPAGATE_BUF_END_PLACE; b <= PROPAGATE_BUF_END_FACE; b++)
        s->args->expect[b].exempt_share = sum / (double)events;
}

void photon_session_reference(const assay_reference_args *args)
{
    const int64_t events  = args->param[SESSION_PARAM_EVENTS];
    const int64_t photons = args->param[PROPAGATE_PARAM_PHOTONS];
    stream        s       = { .args  = args,
                              .ones  = calloc((size_t)photons + 1, sizeof(float)),
                              .share = calloc((size_t)events + 1, sizeof(double)) };

    if (!s.ones || !s.share)
        abort(); /* as above */
    for (int64_t i = 0; i < photons; i++)
        s.ones[i] = 1;
    memcpy(s.count, args->count, sizeof s.count);
    for (int k = 0; k < SESSION_CASE_BY_EVENT && events > 0; k++)
        s.count[session_case_by_event[k]] /= events;
    args->parallel_for(events, 1, expect_events, &s);
    if (events > 0)
        set_shares(&s, events);
    free(s.ones);
    free(s.share);
}
