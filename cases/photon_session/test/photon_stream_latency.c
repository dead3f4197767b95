/* One event at a time on a warm session: how long each part of its way takes. */
#include "photon_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PART_SUBMIT,
    PART_ANSWER,
    PART_DEVICE,
    PART_TOTAL,
    PARTS
};

/* Measured by the device's own clock, which belongs to no regime: figures of the whole way. */
enum {
    DEVICE_LEAST,
    DEVICE_MEDIAN,
    DEVICE_P95,
    FIGURES
};
static const stream_figure_about figures[FIGURES] = {
    { "device_least_ns", true },
    { "device_median_ns", true },
    { "device_p95_ns", true },
};

/* The parts that the host's clock measures: each has a point for each way. */
static const struct {
    const char *word;
    int         part;
} parts[] = { { "submit", PART_SUBMIT }, { "answer", PART_ANSWER }, { "total", PART_TOTAL } };
enum {
    HOST_PARTS = sizeof parts / sizeof *parts
};

static const struct {
    const char *name;
    bool        wants_records;
    int64_t     zero_copy_most;
} ways[] = { { "none", false, -1 }, { "direct", true, INT64_MAX }, { "copied", true, -1 } };
enum {
    WAYS = sizeof ways / sizeof *ways
};

static bool time_one(stream *s, int kind, double time[PARTS])
{
    const uint64_t       begun = stream_now_ns();
    photon_future       *f;
    const photon_result *r;
    bool                 works;

    if (photon_submit_event(s->session, &s->expected[kind].event, &f) != PHOTON_SESSION_OK)
        return false;
    time[PART_SUBMIT] = (double)(stream_now_ns() - begun);
    works             = photon_future_wait(f, -1) == PHOTON_SESSION_OK;
    time[PART_TOTAL]  = (double)(stream_now_ns() - begun);
    r                 = photon_future_result(f);
    time[PART_ANSWER] = r->times.answer_ns;
    time[PART_DEVICE] = r->times.propagate_ns;
    works             = works && stream_is_tally_right(s, kind, r);
    photon_future_free(f);
    return works;
}

/* Times n events: the host's parts, with a row for each, and quantiles of the device's time. */
static bool time_events(stream *s, int n, double *part_ns, double figure[FIGURES])
{
    double *device      = malloc((size_t)n * sizeof *device);
    double  time[PARTS] = { 0 };
    bool    works       = device != NULL;

    for (int k = 0; works && k < n; k++) {
        works     = time_one(s, k % s->n_kinds, time);
        device[k] = time[PART_DEVICE];
        for (int i = 0; i < HOST_PARTS; i++)
            part_ns[i * n + k] = time[parts[i].part];
    }
    if (works) {
        figure[DEVICE_MEDIAN] = stream_median(device, n);
        figure[DEVICE_LEAST]  = device[0];
        figure[DEVICE_P95]    = device[(int)(0.95 * (n - 1) + 0.5)];
    }
    free(device);
    return works;
}

static bool time_way(stream *s, int way, int n, double *part_ns, double figure[FIGURES])
{
    const photon_session_config config = { .slots = 1, .zero_copy_most = ways[way].zero_copy_most };
    const stream_way            travel = { .wants_records = ways[way].wants_records };
    const bool works = stream_begin(s, &config, travel) && time_events(s, n, part_ns, figure);

    return stream_end(s) && works;
}

/* The rows of a way: one for each part, and the row of the whole way has the figures. */
static bool set_way(stream *s, int way, double *part_ns, stream_table *t)
{
    const double none[FIGURES] = { (double)NAN, (double)NAN, (double)NAN };
    double       figure[FIGURES];
    const int    n = t->group->n;

    if (!time_way(s, way, n, part_ns, figure)) {
        t->failed = s->is_wrong ? way * HOST_PARTS : -1;
        return false;
    }
    for (int i = 0; i < HOST_PARTS; i++)
        stream_table_set(t, way * HOST_PARTS + i, parts[i].part == PART_TOTAL ? figure : none,
                         part_ns + i * n, s->digest);
    return true;
}

static bool measure_ways(stream *s, stream_table *t)
{
    double *part_ns = malloc((size_t)(HOST_PARTS * t->group->n) * sizeof *part_ns);
    bool    works   = part_ns || stream_fail("times", PHOTON_SESSION_NO_MEMORY);

    for (int k = 0; works && (k % WAYS > 0 || stream_wants_repeat(t)); k++)
        works = set_way(s, k % WAYS, part_ns, t);
    free(part_ns);
    return works;
}

static bool measure_size(const stream_question *q, int64_t photons)
{
    stream_group g = { .shape     = { .mesh = q->mesh, .photons = photons, .slots = 1 },
                       .n_rows    = WAYS * HOST_PARTS,
                       .figure    = figures,
                       .n_figures = FIGURES,
                       .n         = 5 * q->events,
                       .n_samples = 5 * q->events };
    stream_table table;
    stream       s;
    bool         is_wanted, works;

    for (int k = 0; k < g.n_rows; k++)
        g.row[k] = (stream_row) { ways[k / HOST_PARTS].name,
                                  { .name = "part", .word = parts[k % HOST_PARTS].word } };
    works = stream_group_begin(q, &g, &table, &is_wanted);
    if (!is_wanted)
        return works;
    works = stream_open(&s, &g.shape) && measure_ways(&s, &table);
    return stream_finish(q, &s, &table, works);
}

bool stream_measure_latency(const stream_question *q)
{
    return stream_each_size(q, 1, 100000, measure_size);
}
