/* What it takes to stop an event under way, and to go on with it. */
#include "photon_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHOLE_NS, /* an event that is left alone */
    STOP_NS,  /* from asking until its checkpoint is there */
    BYTES,
    REST_NS, /* from its submission until the event has ended */
    FIGURES
};
static const char *const names[FIGURES] = { "whole_ns", "stop_ns", "bytes", "rest_ns" };

enum {
    ATTEMPTS = 20
};

/* An event to its end, which is right in every bit; how long it took. */
static bool run_to_end(stream *s, const photon_event_descriptor *e, double *ns)
{
    const uint64_t begun = stream_now_ns();
    photon_future *f;
    const char    *difference;

    if (photon_submit_event(s->session, e, &f) != PHOTON_SESSION_OK)
        return stream_fail("submit", PHOTON_SESSION_LOST);
    (void)photon_future_wait(f, -1);
    *ns        = (double)(stream_now_ns() - begun);
    difference = session_difference(&s->expected[0], photon_future_result(f));
    photon_future_free(f);
    if (difference)
        (void)fprintf(stderr, "photon_stream: %s\n", difference);
    return difference == NULL;
}

/* After a part of the time that it would take: NULL if it was through by then. The caller frees. */
static void *stop(stream *s, double after_ns, double figure[FIGURES])
{
    const uint64_t       submitted = stream_now_ns();
    photon_future       *f;
    void                *checkpoint = NULL;
    const photon_result *r;
    uint64_t             asked;

    if (photon_submit_event(s->session, &s->expected[0].event, &f) != PHOTON_SESSION_OK)
        return NULL;
    while ((double)(stream_now_ns() - submitted) < after_ns)
        ;
    asked = stream_now_ns();
    (void)photon_session_checkpoint(s->session, f);
    if (photon_future_wait(f, -1) == PHOTON_SESSION_CHECKPOINTED) {
        figure[STOP_NS] = (double)(stream_now_ns() - asked);
        r               = photon_future_result(f);
        figure[BYTES]   = (double)r->checkpoint_bytes;
        checkpoint      = malloc(r->checkpoint_bytes);
        if (checkpoint)
            memcpy(checkpoint, r->checkpoint, r->checkpoint_bytes);
    }
    photon_future_free(f);
    return checkpoint;
}

static bool stop_and_go_on(stream *s, double figure[FIGURES])
{
    photon_event_descriptor rest       = { .detector      = s->expected[0].event.detector,
                                           .wants_records = true };
    void                   *checkpoint = NULL;
    bool                    works      = run_to_end(s, &s->expected[0].event, &figure[WHOLE_NS]);

    for (int k = 0; works && !checkpoint && k < ATTEMPTS; k++)
        checkpoint = stop(s, figure[WHOLE_NS] / (k + 2), figure);
    if (!checkpoint) {
        (void)fputs("photon_stream: no event was stopped in time\n", stderr);
        return false;
    }
    rest.checkpoint       = checkpoint;
    rest.checkpoint_bytes = (size_t)figure[BYTES];
    works                 = run_to_end(s, &rest, &figure[REST_NS]);
    free(checkpoint);
    return works;
}

static bool measure_repeat(stream *s, double figure[FIGURES])
{
    /* A photon comes up, and can be stopped, every few steps. */
    const photon_session_config config  = { .slots           = 1,
                                            .has_checkpoints = true,
                                            .cadence         = { .budget = 8 } };
    const stream_way            records = { .wants_records = true };
    const bool works = stream_begin(s, &config, records) && stop_and_go_on(s, figure);

    return stream_end(s) && works;
}

static bool measure_size(const stream_question *q, int64_t photons)
{
    const stream_shape shape           = { .mesh = q->mesh, .photons = photons, .slots = 1 };
    double             figure[FIGURES] = { 0 };
    stream_table       table;
    stream             s;
    bool               works = stream_table_make(&table, names, FIGURES, 1, q->repeats);

    works = stream_open(&s, &shape) && works;
    for (int k = 0; works && k < q->repeats; k++) {
        works = measure_repeat(&s, figure);
        if (works)
            stream_table_set(&table, 0, k, figure);
    }
    if (works)
        stream_table_label(&table, 0, "%" PRId64, photons);
    return stream_finish(&s, &table, works);
}

bool stream_measure_checkpoint(const stream_question *q)
{
    puts("photons,figure,repeats,median,least,most");
    return stream_each_size(q, 1000, 1000000, measure_size);
}
