/* Measures sessions over streams of events, and answers in CSV:
 *
 *   photon_stream latency|sizes|replay|cadence|telemetry|launch [PHOTONS [EVENTS]]
 *
 * PHOTONS is the most that an event has, EVENTS how many a stream has. Each configuration first
 * runs every kind of event, and all bits of each result are compared with what a launch per step
 * makes of it; only then the stream is timed, and each event of it still held to its tally. */
#include "photon_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- latency: one event at a time on a warm session */

static double quantile(const double *sorted, int n, double q)
{
    const int at = (int)(q * (n - 1) + 0.5);

    return sorted[at];
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

enum {
    PART_SUBMIT,
    PART_ANSWER,
    PART_DEVICE,
    PART_TOTAL,
    PARTS
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

static bool print_latency(stream *s, const char *way, int n)
{
    static const char *const name[PARTS] = { "submit", "answer", "device", "total" };
    double                  *sample      = malloc((size_t)(PARTS * n) * sizeof *sample);
    double                   time[PARTS] = { 0 };
    bool                     works       = sample != NULL;

    for (int k = 0; works && k < n; k++) {
        works = time_one(s, k % s->n_kinds, time);
        for (int part = 0; part < PARTS; part++)
            sample[part * n + k] = time[part];
    }
    for (int part = 0; works && part < PARTS; part++) {
        qsort(sample + part * n, (size_t)n, sizeof *sample, compare_doubles);
        printf("%" PRId64 ",%s,%s,%d,%.0f,%.0f,%.0f\n", s->expected[0].event.photons, way,
               name[part], n, quantile(sample + part * n, n, 0),
               quantile(sample + part * n, n, 0.5), quantile(sample + part * n, n, 0.95));
    }
    free(sample);
    return works;
}

static bool measure_latency_of(const stream_question *q, int64_t photons)
{
    static const struct {
        const char *way;
        bool        wants_records;
        int64_t     zero_copy_most;
    } row[] = { { "none", false, 0 }, { "direct", true, INT64_MAX }, { "copied", true, 0 } };
    const stream_shape shape = { .photons = photons, .slots = 1 };
    stream             s;
    bool               works = stream_open(&s, &shape);

    for (size_t k = 0; works && k < sizeof row / sizeof *row; k++) {
        const photon_session_config config = { .slots          = 1,
                                               .zero_copy_most = row[k].zero_copy_most };

        works = stream_begin(&s, &config, row[k].wants_records) &&
                print_latency(&s, row[k].way, 25 * q->events);
        works = stream_end(&s) && works;
    }
    stream_close(&s);
    return works;
}

static bool measure_latency(const stream_question *q)
{
    bool works = true;

    puts("photons,records,part,events,least_ns,median_ns,p95_ns");
    for (int64_t photons = 1; works && photons <= q->photons && photons <= 100000; photons *= 10)
        works = measure_latency_of(q, photons);
    return works;
}

/* ---- figures of a stream */

#define RATES "wall_ns,events_s,photons_s,idle_sm_share,busy_warp_share,busy_lane_share"

static void print_rates(const stream_figures *f)
{
    printf("%.0f,%.6g,%.6g,%.4f,%.4f,%.4f\n", f->wall_ns, f->events / f->wall_ns * 1e9,
           f->photons / f->wall_ns * 1e9, 1 - f->sm_share, f->warp_share, f->lane_share);
}

/* A session of its own, and in it a stream of n events. */
static bool run_with(stream *s, const photon_session_config *config, int n, stream_figures *f)
{
    const bool works = stream_begin(s, config, false) && stream_run(s, n, f);

    return stream_end(s) && works;
}

/* ---- sizes: rates and idle SMs by size of event */

static bool measure_size(const stream_question *q, int64_t photons)
{
    const bool is_huge = photons > 1000000;
    const int  n = is_huge ? (q->events + 3) / 4 : photons < 1000000 ? 10 * q->events : q->events;
    const stream_shape shape = { .photons = photons, .slots = is_huge ? 1 : 16 };
    stream             s;
    stream_figures     f;
    bool               works = stream_open(&s, &shape);

    for (int slots = 1; works && slots <= shape.slots; slots *= 4) {
        const photon_session_config config = { .slots = slots };

        works = run_with(&s, &config, n, &f);
        if (works) {
            printf("%" PRId64 ",%d,%d,", photons, slots, n);
            print_rates(&f);
        }
    }
    stream_close(&s);
    return works;
}

static bool measure_sizes(const stream_question *q)
{
    bool works = true;

    puts("photons,slots,events," RATES);
    for (int64_t photons = 1000; works && photons <= q->photons; photons *= 10)
        works = measure_size(q, photons);
    return works;
}

/* ---- replay: the same results in whatever order, and what order costs */

static bool measure_replay(const stream_question *q)
{
    static const struct {
        const char           *mode;
        photon_session_config config;
    } row[] = {
        { "one_at_a_time", { .slots = 1 } },
        { "in_order_4", { .slots = 4, .is_in_order = true } },
        { "as_they_come_4", { .slots = 4 } },
        { "in_order_16", { .slots = 16, .is_in_order = true } },
        { "as_they_come_16", { .slots = 16 } },
    };
    enum {
        N = sizeof row / sizeof *row
    };
    const stream_shape shape = { .photons  = q->photons < 100000 ? q->photons : 100000,
                                 .is_mixed = true,
                                 .slots    = 16 };
    stream             s;
    stream_figures     f;
    bool               works = stream_open(&s, &shape);

    puts("mode,repeat,digest,mean_latency_ns," RATES);
    for (int k = 0; works && k < 5 * N; k++) {
        works = run_with(&s, &row[k % N].config, 10 * q->events, &f);
        if (works) {
            printf("%s,%d,%016" PRIx64 ",%.0f,", row[k % N].mode, k / N, s.digest, f.latency_ns);
            print_rates(&f);
        }
    }
    stream_close(&s);
    return works;
}

/* ---- cadence: when warps take photons, by time and by occupancy */

static const struct {
    const char    *policy;
    photon_cadence cadence;
} cadences[] = {
    { "vacant_1", { 1, 0, 0, 0 } },   { "vacant_4", { 4, 0, 0, 0 } },
    { "vacant_8", { 8, 0, 0, 0 } },   { "vacant_16", { 16, 0, 0, 0 } },
    { "vacant_24", { 24, 0, 0, 0 } }, { "vacant_32", { 32, 0, 0, 0 } },
    { "every_1", { 32, 1, 0, 0 } },   { "every_2", { 32, 2, 0, 0 } },
    { "every_4", { 32, 4, 0, 0 } },   { "every_8", { 32, 8, 0, 0 } },
    { "every_16", { 32, 16, 0, 0 } }, { "spawn_last", { 8, 0, -1, 0 } },
    { "spawn_1", { 8, 0, 1, 0 } },    { "spawn_1024", { 8, 0, 1024, 0 } },
    { "budget_8", { 8, 0, 0, 8 } },   { "budget_1000", { 8, 0, 0, 1000 } },
};

static bool measure_cadence_in(const stream_question *q, int detector, const char *name)
{
    const stream_shape shape = { .detector = detector, .photons = q->photons, .slots = 4 };
    stream             s;
    stream_figures     f;
    bool               works = stream_open(&s, &shape);

    for (size_t k = 0; works && k < sizeof cadences / sizeof *cadences; k++) {
        const photon_session_config config = { .cadence = cadences[k].cadence };

        works = run_with(&s, &config, q->events, &f);
        if (works) {
            printf("%s,%s,", name, cadences[k].policy);
            print_rates(&f);
        }
    }
    stream_close(&s);
    return works;
}

static bool measure_cadence(const stream_question *q)
{
    puts("detector,policy," RATES);
    return measure_cadence_in(q, SESSION_TEST_BOX, "box") &&
           measure_cadence_in(q, SESSION_TEST_WHITE, "white_sphere");
}

/* ---- telemetry: what samples cost; every repeat has all intervals, so that drift shows */

static bool measure_telemetry(const stream_question *q)
{
    static const double interval_ns[] = { 0, 1e7, 1e6, 1e5, 1e4, 1e3 };
    enum {
        N = sizeof interval_ns / sizeof *interval_ns
    };
    const stream_shape shape = { .photons = q->photons, .slots = 4 };
    stream             s;
    stream_figures     f;
    bool               works = stream_open(&s, &shape);

    puts("repeat,interval_ns,samples,samples_lost,sampled_busy_share," RATES);
    for (int k = 0; works && k < 5 * N; k++) {
        const photon_session_config config = { .sample_interval_ns = interval_ns[k % N] };

        works = run_with(&s, &config, q->events, &f);
        if (works) {
            printf("%d,%.0f,%" PRId64 ",%" PRId64 ",%.4f,", k / N, interval_ns[k % N],
                   f.telemetry.n_samples, f.telemetry.n_samples_lost, f.sampled_share);
            print_rates(&f);
        }
    }
    stream_close(&s);
    return works;
}

/* ---- launch: blocks and what they stage */

static bool measure_launch(const stream_question *q)
{
    static const int   block[] = { 64, 128, 256, 512 }, staged[] = { 1, 128, 512, 1024 };
    const stream_shape shape = { .photons = q->photons, .slots = 4 };
    stream             s;
    stream_figures     f;
    bool               works = stream_open(&s, &shape);

    puts("block,staged,warps," RATES);
    for (int k = 0; works && k < 16; k++) {
        const photon_session_config config = { .block        = block[k / 4],
                                               .staged_nodes = staged[k % 4] };

        works = run_with(&s, &config, q->events, &f);
        if (works) {
            printf("%d,%d,%" PRId64 ",", config.block, config.staged_nodes, f.telemetry.n_warps);
            print_rates(&f);
        }
    }
    stream_close(&s);
    return works;
}

/* ---- the command line */

static const struct {
    const char *name;
    bool (*measure)(const stream_question *q);
} questions[] = {
    { "latency", measure_latency },     { "sizes", measure_sizes },
    { "replay", measure_replay },       { "cadence", measure_cadence },
    { "telemetry", measure_telemetry }, { "launch", measure_launch },
};

static int usage(void)
{
    (void)fputs("photon_stream latency|sizes|replay|cadence|telemetry|launch [PHOTONS [EVENTS]]\n",
                stderr);
    return 4;
}

int main(int argc, char **argv)
{
    stream_question q = { argc > 2 ? strtoll(argv[2], NULL, 10) : 1000000,
                          argc > 3 ? atoi(argv[3]) : 20 };

    if (argc < 2 || argc > 4 || q.photons < 1 || q.photons > 1 << 28 || q.events < 1 ||
        q.events > 100000)
        return usage();
    if (!stream_has_device()) {
        puts("skipped: there is no device");
        return 77;
    }
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++)
        if (strcmp(argv[1], questions[k].name) == 0)
            return questions[k].measure(&q) ? 0 : 1;
    return usage();
}
