/* One event at a time on a warm session: what each part of its way takes. */
#include "photon_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PART_SUBMIT,
    PART_ANSWER,
    PART_DEVICE,
    PART_TOTAL,
    PARTS
};

enum {
    QUANTILES = 3 /* least, median, 95 % */
};
static const char *const names[PARTS * QUANTILES] = {
    "submit_least_ns",  "submit_median_ns", "submit_p95_ns",   "answer_least_ns",
    "answer_median_ns", "answer_p95_ns",    "device_least_ns", "device_median_ns",
    "device_p95_ns",    "total_least_ns",   "total_median_ns", "total_p95_ns",
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

/* n events; of each part its quantiles. */
static bool time_events(stream *s, int n, double figure[PARTS * QUANTILES])
{
    double *sample      = malloc((size_t)(PARTS * n) * sizeof *sample);
    double  time[PARTS] = { 0 };
    bool    works       = sample != NULL;

    for (int k = 0; works && k < n; k++) {
        works = time_one(s, k % s->n_kinds, time);
        for (int part = 0; part < PARTS; part++)
            sample[part * n + k] = time[part];
    }
    for (int part = 0; works && part < PARTS; part++) {
        double *const sorted = sample + part * n;

        figure[part * QUANTILES + 1] = stream_median(sorted, n);
        figure[part * QUANTILES]     = sorted[0];
        figure[part * QUANTILES + 2] = sorted[(int)(0.95 * (n - 1) + 0.5)];
    }
    free(sample);
    return works;
}

static bool time_way(stream *s, int way, int n, double figure[PARTS * QUANTILES])
{
    const photon_session_config config = { .slots = 1, .zero_copy_most = ways[way].zero_copy_most };
    const stream_way            travel = { .wants_records = ways[way].wants_records };
    const bool works = stream_begin(s, &config, travel) && time_events(s, n, figure);

    return stream_end(s) && works;
}

static bool measure_size(const stream_question *q, int64_t photons)
{
    const stream_shape shape = { .mesh = q->mesh, .photons = photons, .slots = 1 };
    const int          n     = 5 * q->events;
    double             figure[PARTS * QUANTILES];
    stream_table       table;
    stream             s;
    bool works = stream_table_make(&table, names, PARTS * QUANTILES, WAYS, q->repeats);

    works = stream_open(&s, &shape) && works;
    for (int k = 0; works && k < q->repeats * WAYS; k++) {
        works = time_way(&s, k % WAYS, n, figure);
        if (works)
            stream_table_set(&table, k % WAYS, k / WAYS, figure);
    }
    for (int way = 0; works && way < WAYS; way++)
        stream_table_label(&table, way, "%" PRId64 ",%s,%d", photons, ways[way].name, n);
    return stream_finish(&s, &table, works);
}

bool stream_measure_latency(const stream_question *q)
{
    puts("photons,records,events,figure,repeats,median,least,most");
    return stream_each_size(q, 1, 100000, measure_size);
}
