/* Measures sessions over streams of events, and answers in CSV:
 *
 *   photon_stream [--mesh FILE] QUESTION [PHOTONS [EVENTS [REPEATS]]]
 *
 * FILE is an OBJ file: events are in its mesh instead of in the box. PHOTONS is the most that an
 * event has, EVENTS how many a stream has. Configurations take turns, REPEATS times, and each
 * figure is a median with both extremes. Each session first runs every kind of event, and all bits
 * of each result are compared with what a launch per step makes of it; only then the stream is
 * timed, and each event of it still held to its tally. */
#include "photon_stream.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams that differ in a configuration */

typedef struct row {
    char                  label[STREAM_LABEL_SIZE];
    photon_session_config config;
} row;

#define COLUMNS "digest,events,figure,repeats,median,least,most"

/* A session of its own, and in it a stream of n events. */
static bool run_with(stream *s, const photon_session_config *config, int n,
                     double figure[STREAM_FIGURES])
{
    const stream_way no_copies = { .is_given = false };
    const bool       works     = stream_begin(s, config, no_copies) && stream_run(s, n, figure);

    return stream_end(s) && works;
}

/* All rows in turn; results are the same in all of them. */
static bool run_rows(const stream_question *q, stream *s, const row *rows, int n,
                     stream_table *table)
{
    double   figure[STREAM_FIGURES];
    uint64_t digest = 0;

    for (int k = 0; k < q->repeats * table->n_rows; k++) {
        const int at = k % table->n_rows;

        if (!run_with(s, &rows[at].config, n, figure))
            return false;
        if (k > 0 && s->digest != digest) {
            (void)fprintf(stderr, "photon_stream: %s: the digest differs\n", rows[at].label);
            return false;
        }
        digest = s->digest;
        stream_table_set(table, at, k / table->n_rows, figure);
    }
    return true;
}

static bool measure_rows(const stream_question *q, const stream_shape *shape, const row *rows,
                         int n_rows, int n)
{
    stream_table table;
    stream       s;
    bool works = stream_table_make(&table, stream_figure_names, STREAM_FIGURES, n_rows, q->repeats);

    works = stream_open(&s, shape) && works;
    works = works && run_rows(q, &s, rows, n, &table);
    for (int k = 0; works && k < n_rows; k++)
        stream_table_label(&table, k, "%s,%016" PRIx64 ",%d", rows[k].label, s.digest, n);
    return stream_finish(&s, &table, works);
}

static void set_label(row *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void set_label(row *r, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(r->label, sizeof r->label, format, arguments);
    va_end(arguments);
}

/* ---- sizes: rates and idle SMs by size of event */

static bool measure_size(const stream_question *q, int64_t photons)
{
    const bool is_huge = photons > 1000000;
    const int  n = is_huge ? (q->events + 3) / 4 : photons < 1000000 ? 10 * q->events : q->events;
    const stream_shape shape = { .mesh = q->mesh, .photons = photons, .slots = is_huge ? 1 : 16 };
    row                rows[3];
    int                n_rows = 0;

    for (int slots = 1; slots <= shape.slots; slots *= 4, n_rows++) {
        rows[n_rows] = (row) { .config = { .slots = slots } };
        set_label(&rows[n_rows], "%" PRId64 ",%d", photons, slots);
    }
    return measure_rows(q, &shape, rows, n_rows, n);
}

static bool measure_sizes(const stream_question *q)
{
    puts("photons,slots," COLUMNS);
    return stream_each_size(q, 1000, q->photons, measure_size);
}

/* ---- replay: the same results in whatever order, and what order costs */

static bool measure_replay(const stream_question *q)
{
    static const row rows[] = {
        { "one_at_a_time", { .slots = 1 } },
        { "in_order_4", { .slots = 4, .is_in_order = true } },
        { "as_they_come_4", { .slots = 4 } },
        { "in_order_16", { .slots = 16, .is_in_order = true } },
        { "as_they_come_16", { .slots = 16 } },
    };
    const stream_shape shape = { .mesh     = q->mesh,
                                 .photons  = q->photons < 100000 ? q->photons : 100000,
                                 .is_mixed = true,
                                 .slots    = 16 };

    puts("mode," COLUMNS);
    return measure_rows(q, &shape, rows, sizeof rows / sizeof *rows, 10 * q->events);
}

/* ---- cadence: when warps take photons, by time and by occupancy */

static const struct {
    const char    *policy;
    photon_cadence cadence;
} cadences[] = {
    { "vacant_1", { .vacant_lanes = 1 } },
    { "vacant_4", { .vacant_lanes = 4 } },
    { "vacant_8", { .vacant_lanes = 8 } },
    { "vacant_16", { .vacant_lanes = 16 } },
    { "vacant_24", { .vacant_lanes = 24 } },
    { "vacant_32", { .vacant_lanes = 32 } },
    { "every_1", { .vacant_lanes = 32, .every_steps = 1 } },
    { "every_2", { .vacant_lanes = 32, .every_steps = 2 } },
    { "every_4", { .vacant_lanes = 32, .every_steps = 4 } },
    { "every_8", { .vacant_lanes = 32, .every_steps = 8 } },
    { "every_16", { .vacant_lanes = 32, .every_steps = 16 } },
    { "spawn_last", { .spawn_depth = -1 } },
    { "spawn_1", { .spawn_depth = 1 } },
    { "spawn_1024", { .spawn_depth = 1024 } },
    { "budget_8", { .budget = 8 } },
    { "budget_1000", { .budget = 1000 } },
    { "below_25", { .compact_below = 0.25 } },
    { "below_50", { .compact_below = 0.5 } },
    { "below_75", { .compact_below = 0.75 } },
    { "below_90", { .compact_below = 0.9 } },
    { "below_100", { .compact_below = 1 } },
};

static bool measure_cadence_in(const stream_question *q, int detector, const char *name)
{
    enum {
        N = sizeof cadences / sizeof *cadences
    };
    const stream_shape shape = {
        .mesh = q->mesh, .detector = detector, .photons = q->photons, .slots = 4
    };
    row rows[N];

    for (int k = 0; k < N; k++) {
        rows[k] = (row) { .config = { .cadence = cadences[k].cadence } };
        set_label(&rows[k], "%s,%s", name, cadences[k].policy);
    }
    return measure_rows(q, &shape, rows, N, q->events);
}

static bool measure_cadence(const stream_question *q)
{
    puts("detector,policy," COLUMNS);
    return measure_cadence_in(q, SESSION_TEST_BOX, q->mesh ? "mesh" : "box") &&
           measure_cadence_in(q, SESSION_TEST_WHITE, "white_sphere");
}

/* ---- telemetry: what samples cost */

static bool measure_telemetry(const stream_question *q)
{
    static const double interval_ns[] = { 0, 1e7, 1e6, 1e5, 1e4, 1e3 };
    enum {
        N = sizeof interval_ns / sizeof *interval_ns
    };
    const stream_shape shape = { .mesh = q->mesh, .photons = q->photons, .slots = 4 };
    row                rows[N];

    puts("interval_ns," COLUMNS);
    for (int k = 0; k < N; k++) {
        rows[k] = (row) { .config = { .sample_interval_ns = interval_ns[k] } };
        set_label(&rows[k], "%.0f", interval_ns[k]);
    }
    return measure_rows(q, &shape, rows, N, q->events);
}

/* ---- launch: blocks and what they stage */

static bool measure_launch(const stream_question *q)
{
    static const int block[] = { 64, 128, 256, 512 }, staged[] = { 1, 128, 512, 1024 };
    enum {
        N = 16
    };
    const stream_shape shape = { .mesh = q->mesh, .photons = q->photons, .slots = 4 };
    row                rows[N];

    puts("block,staged," COLUMNS);
    for (int k = 0; k < N; k++) {
        rows[k] = (row) { .config = { .block = block[k / 4], .staged_nodes = staged[k % 4] } };
        set_label(&rows[k], "%d,%d", block[k / 4], staged[k % 4]);
    }
    return measure_rows(q, &shape, rows, N, q->events);
}

/* ---- the command line */

static const struct {
    const char *name;
    bool (*measure)(const stream_question *q);
} questions[] = {
    { "latency", stream_measure_latency }, { "sizes", measure_sizes },
    { "overlap", stream_measure_overlap }, { "replay", measure_replay },
    { "cadence", measure_cadence },        { "telemetry", measure_telemetry },
    { "launch", measure_launch },          { "checkpoint", stream_measure_checkpoint },
};

static int usage(void)
{
    (void)fputs("photon_stream [--mesh FILE] "
                "latency|sizes|overlap|replay|cadence|telemetry|launch|checkpoint "
                "[PHOTONS [EVENTS [REPEATS]]]\n",
                stderr);
    return 4;
}

/* Takes the option off the arguments. */
static const char *take_mesh(int *argc, char ***argv)
{
    const char *file;

    if (*argc < 3 || strcmp((*argv)[1], "--mesh") != 0)
        return NULL;
    file = (*argv)[2];
    *argc -= 2;
    *argv += 2;
    return file;
}

int main(int argc, char **argv)
{
    const char *const     mesh = take_mesh(&argc, &argv);
    const stream_question q    = { .photons = argc > 2 ? strtoll(argv[2], NULL, 10) : 1000000,
                                   .events  = argc > 3 ? atoi(argv[3]) : 20,
                                   .repeats = argc > 4 ? atoi(argv[4]) : 5,
                                   .mesh    = mesh };

    if (argc < 2 || argc > 5 || q.photons < 1 || q.photons > 1 << 28 || q.events < 1 ||
        q.events > 100000 || q.repeats < 1 || q.repeats > STREAM_REPEATS)
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
