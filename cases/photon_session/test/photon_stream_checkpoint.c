/* What it costs to stop a running event, and to continue it. */
#include "photon_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTEMPTS = 20
};

enum {
    WHOLE, /* an event that is left alone, with which the other is compared */
    STOPPED,
    ROWS
};

enum {
    STOP_NS, /* from asking until its checkpoint is there */
    BYTES,
    REST_NS, /* from its submission until the event has ended */
    FIGURES
};
/* How much is left depends on when it is stopped. */
static const stream_figure_about figures[FIGURES] = {
    { "stop_ns", true },
    { "bytes", true },
    { "rest_ns", true },
};

typedef struct saved {
    void  *bytes; /* owned; NULL: the event had already finished */
    size_t n;
    double stop_ns, total_ns; /* since it was asked for; since the event was submitted */
} saved;

/* Runs an event to its end, checks every bit, and returns how long it took. */
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
    s->is_wrong = s->is_wrong || difference;
    if (difference)
        (void)fprintf(stderr, "photon_stream: %s\n", difference);
    return difference == NULL;
}

static void save(const photon_result *r, saved *to)
{
    to->n     = r->checkpoint_bytes;
    to->bytes = malloc(to->n);
    if (to->bytes)
        memcpy(to->bytes, r->checkpoint, to->n);
}

/* Stops it after a part of the time that it would take. The caller frees the bytes. */
static saved stop(stream *s, double after_ns)
{
    const uint64_t submitted = stream_now_ns();
    saved          to        = { .bytes = NULL };
    photon_future *f;
    uint64_t       asked, ended;

    if (photon_submit_event(s->session, &s->expected[0].event, &f) != PHOTON_SESSION_OK)
        return to;
    while ((double)(stream_now_ns() - submitted) < after_ns)
        ;
    asked = stream_now_ns();
    (void)photon_session_checkpoint(s->session, f);
    if (photon_future_wait(f, -1) == PHOTON_SESSION_CHECKPOINTED) {
        ended       = stream_now_ns();
        to.stop_ns  = (double)(ended - asked);
        to.total_ns = (double)(ended - submitted);
        save(photon_future_result(f), &to);
    }
    photon_future_free(f);
    return to;
}

/* total_ns: of both halves, without the time between them. */
static bool stop_and_go_on(stream *s, double whole_ns, double figure[FIGURES], double *total_ns)
{
    photon_event_descriptor rest  = { .detector      = s->expected[0].event.detector,
                                      .wants_records = true };
    saved                   first = { .bytes = NULL };
    bool                    works;

    for (int k = 0; !first.bytes && k < ATTEMPTS; k++)
        first = stop(s, whole_ns / (k + 2));
    if (!first.bytes) {
        (void)fputs("photon_stream: no event was stopped in time\n", stderr);
        return false;
    }
    rest.checkpoint       = first.bytes;
    rest.checkpoint_bytes = first.n;
    figure[STOP_NS]       = first.stop_ns;
    figure[BYTES]         = (double)first.n;
    works                 = run_to_end(s, &rest, &figure[REST_NS]);
    *total_ns             = first.total_ns + figure[REST_NS];
    free(first.bytes);
    return works;
}

/* Both rows, one after the other. */
static bool measure_rows(stream *s, stream_table *t)
{
    const double none[FIGURES] = { (double)NAN, (double)NAN, (double)NAN };
    double       figure[FIGURES], whole_ns, stopped_ns;
    int          row   = WHOLE;
    bool         works = run_to_end(s, &s->expected[0].event, &whole_ns);

    if (works) {
        stream_table_set(t, row, none, &whole_ns, s->digest);
        row   = STOPPED;
        works = stop_and_go_on(s, whole_ns, figure, &stopped_ns);
    }
    if (works)
        stream_table_set(t, row, figure, &stopped_ns, s->digest);
    else
        t->failed = s->is_wrong ? row : -1;
    return works;
}

/* Records are copied in both rows: those of a checkpoint always are. A photon comes up every few
 * steps, and can be stopped then. */
static bool measure_repeat(stream *s, stream_table *t)
{
    const photon_session_config config = {
        .slots = 1, .zero_copy_most = -1, .has_checkpoints = true, .cadence = { .budget = 8 }
    };
    const stream_way records = { .wants_records = true };
    bool             works   = stream_begin(s, &config, records);

    if (works)
        works = measure_rows(s, t);
    else
        t->failed = s->is_wrong ? WHOLE : -1;
    return stream_end(s) && works;
}

static bool measure_size(const stream_question *q, int64_t photons)
{
    const stream_group g = {
        .shape     = { .mesh = q->mesh, .photons = photons, .slots = 1 },
        .n_rows    = ROWS,
        .row       = { [WHOLE] = { .variant = "whole" }, [STOPPED] = { .variant = "stopped" } },
        .figure    = figures,
        .n_figures = FIGURES,
        .n         = 1,
        .n_samples = 1
    };
    stream_table table;
    stream       s;
    bool         is_wanted, works;

    works = stream_group_begin(q, &g, &table, &is_wanted);
    if (!is_wanted)
        return works;
    works = stream_open(&s, &g.shape);
    while (works && stream_wants_repeat(&table))
        works = measure_repeat(&s, &table);
    return stream_finish(q, &s, &table, works);
}

bool stream_measure_checkpoint(const stream_question *q)
{
    return stream_each_size(q, 1000, 1000000, measure_size);
}
