/* Measures sessions over streams of events:
 *
 *   photon_stream [--db FILE [--resume] [--processes N]] [--mesh FILE] QUESTION
 *                 [PHOTONS [EVENTS [REPEATS]]]
 *
 * A mesh is an OBJ file, with the materials beside it: it takes the place of the box. PHOTONS is
 * the most that an event has, EVENTS the number of events of a stream. Configurations alternate,
 * REPEATS times; without it 5 times, or as often as there is time for (STREAM_BUDGET_S). Each
 * session first runs every kind of event, and all bits of each result are compared with those of a
 * launch per step. Only then is the stream timed; the tally of each of its events is still checked.
 * With --db, times and figures of right results are stored as a run of that database. */
#include "photon_stream.h"

#include "exit_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams that differ in a configuration */

/* Opens a session, and runs a stream of n events in it. */
static bool run_with(stream *s, const photon_session_config *config, int n,
                     double figure[STREAM_FIGURES])
{
    const stream_way no_copies = { .is_given = false };
    const bool       works     = stream_begin(s, config, no_copies) && stream_run(s, n, figure);

    return stream_end(s) && works;
}

/* All rows in turn; results are the same in all of them. */
static bool run_rows(stream *s, const photon_session_config *configs, stream_table *t)
{
    const stream_group *g = t->group;
    double              figure[STREAM_FIGURES], event_ns;

    for (int k = 0; k % g->n_rows > 0 || stream_wants_repeat(t); k++) {
        const int row = k % g->n_rows;

        if (!run_with(s, &configs[row], g->n, figure)) {
            t->failed = s->is_wrong ? row : -1;
            return false;
        }
        event_ns = figure[STREAM_WALL_NS] / g->n;
        stream_table_set(t, row, figure, &event_ns, s->digest);
    }
    return true;
}

/* The configuration of each row of a group that defines everything else. */
static bool measure_rows(const stream_question *q, stream_group *g,
                         const photon_session_config *configs)
{
    stream_table table;
    stream       s;
    bool         is_wanted, works;

    g->figure    = stream_figures;
    g->n_figures = STREAM_FIGURES;
    g->n_samples = 1;
    works        = stream_group_begin(q, g, &table, &is_wanted);
    if (!is_wanted)
        return works;
    works = stream_open(&s, &g->shape) && run_rows(&s, configs, &table);
    return stream_finish(q, &s, &table, works);
}

/* ---- sizes: rates and idle SMs by size of event */

static bool measure_size(const stream_question *q, int64_t photons)
{
    static const char *const    names[]   = { "slots_1", "slots_4", "slots_16" };
    const photon_session_config configs[] = { { .slots = 1 }, { .slots = 4 }, { .slots = 16 } };
    const bool                  is_huge   = photons > 1000000;
    stream_group g = { .shape  = { .mesh = q->mesh, .photons = photons, .slots = is_huge ? 1 : 16 },
                       .n_rows = is_huge ? 1 : 3,
                       .n      = is_huge             ? (q->events + 3) / 4
                                 : photons < 1000000 ? 10 * q->events
                                                     : q->events };

    for (int k = 0; k < g.n_rows; k++)
        g.row[k].variant = names[k];
    return measure_rows(q, &g, configs);
}

static bool measure_sizes(const stream_question *q)
{
    return stream_each_size(q, 1000, q->photons, measure_size);
}

/* ---- replay: the same results in any order, and what keeping order costs */

static bool measure_replay(const stream_question *q)
{
    static const photon_session_config configs[] = { { .slots = 1 },
                                                     { .slots = 4, .is_in_order = true },
                                                     { .slots = 4 },
                                                     { .slots = 16, .is_in_order = true },
                                                     { .slots = 16 } };
    stream_group                       g         = { .shape  = { .mesh = q->mesh,
                                                                 .photons = q->photons < 100000 ? q->photons : 100000,
                                                                 .is_mixed = true,
                                                                 .slots    = 16 },
                                                     .n_rows = 5,
                                                     .row    = { { .variant = "one_at_a_time" },
                                                                 { .variant = "in_order_4" },
                                                                 { .variant = "as_they_come_4" },
                                                                 { .variant = "in_order_16" },
                                                                 { .variant = "as_they_come_16" } },
                                                     .n      = 10 * q->events };

    return measure_rows(q, &g, configs);
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
    _Static_assert((int)N <= (int)STREAM_ROWS, "a group has room for them");
    stream_group g = {
        .shape  = { .mesh = q->mesh, .detector = detector, .photons = q->photons, .slots = 4 },
        .n_rows = N,
        .n      = q->events
    };
    photon_session_config configs[N];

    for (int k = 0; k < N; k++) {
        configs[k] = (photon_session_config) { .cadence = cadences[k].cadence };
        g.row[k]   = (stream_row) { cadences[k].policy, { .name = "detector", .word = name } };
    }
    return measure_rows(q, &g, configs);
}

static bool measure_cadence(const stream_question *q)
{
    return measure_cadence_in(q, SESSION_TEST_BOX, "first") &&
           measure_cadence_in(q, SESSION_TEST_WHITE, "white_sphere");
}

/* ---- telemetry: what samples cost */

static bool measure_telemetry(const stream_question *q)
{
    static const struct {
        const char *name;
        double      interval_ns;
    } rates[] = { { "none", 0 },          { "every_10ms", 1e7 }, { "every_1ms", 1e6 },
                  { "every_100us", 1e5 }, { "every_10us", 1e4 }, { "every_1us", 1e3 } };
    enum {
        N = sizeof rates / sizeof *rates
    };
    stream_group          g = { .shape  = { .mesh = q->mesh, .photons = q->photons, .slots = 4 },
                                .n_rows = N,
                                .n      = q->events };
    photon_session_config configs[N];

    for (int k = 0; k < N; k++) {
        configs[k]       = (photon_session_config) { .sample_interval_ns = rates[k].interval_ns };
        g.row[k].variant = rates[k].name;
    }
    return measure_rows(q, &g, configs);
}

/* ---- launch: blocks and what they stage */

static bool measure_launch(const stream_question *q)
{
    static const int         block[] = { 64, 128, 256, 512 }, staged[] = { 1, 128, 512, 1024 };
    static const char *const names[] = { "block_64", "block_128", "block_256", "block_512" };
    enum {
        N = 16
    };
    stream_group          g = { .shape  = { .mesh = q->mesh, .photons = q->photons, .slots = 4 },
                                .n_rows = N,
                                .n      = q->events };
    photon_session_config configs[N];

    for (int k = 0; k < N; k++) {
        configs[k] =
            (photon_session_config) { .block = block[k / 4], .staged_nodes = staged[k % 4] };
        g.row[k] = (stream_row) { names[k / 4], { .name = "staged", .value = { staged[k % 4] } } };
    }
    return measure_rows(q, &g, configs);
}

/* ---- the command line */

/* name: of its case and its run; what: description of the case; then the question itself. */
static const struct {
    const char *question, *name, *what;
    bool (*measure)(const stream_question *q);
} questions[] = {
    { "latency", "photon_stream_latency",
      "photon sessions: one event on a warm session, by parts of its way", stream_measure_latency },
    { "sizes", "photon_stream_sizes",
      "photon sessions: a stream of events, by size and slots of the device", measure_sizes },
    { "overlap", "photon_stream_overlap",
      "photon sessions: a stream whose photons or records are copied", stream_measure_overlap },
    { "replay", "photon_stream_replay",
      "photon sessions: a stream of four sizes, in order and as they come", measure_replay },
    { "cadence", "photon_stream_cadence", "photon sessions: when warps take photons",
      measure_cadence },
    { "telemetry", "photon_stream_telemetry", "photon sessions: how often telemetry is sampled",
      measure_telemetry },
    { "launch", "photon_stream_launch", "photon sessions: threads of a block and staged nodes",
      measure_launch },
    { "checkpoint", "photon_stream_checkpoint",
      "photon sessions: an event that is stopped and goes on", stream_measure_checkpoint },
};

static int usage(void)
{
    (void)fputs("photon_stream " ASSAY_PROGRAM_USAGE " [--mesh FILE]\n"
                "    latency|sizes|overlap|replay|cadence|telemetry|launch|checkpoint "
                "[PHOTONS [EVENTS [REPEATS]]]\n",
                stderr);
    return ASSAY_EXIT_USAGE;
}

/* Removes the option from the arguments. */
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

/* Plans first, then measures. */
static int ask(stream_question *q, size_t k, const assay_program_words *words)
{
    int status = ASSAY_EXIT_USAGE;

    q->case_name = questions[k].name;
    q->what      = questions[k].what;
    if (stream_store_create(&q->store) && questions[k].measure(q) &&
        stream_store_open(q->store, q->case_name, words))
        status = stream_store_close(q->store, questions[k].measure(q));
    stream_store_free(q->store);
    return status;
}

static int answer(int argc, char **argv, const char *mesh, const assay_program_words *words)
{
    stream_question q = { .photons    = argc > 2 ? strtoll(argv[2], NULL, 10) : 1000000,
                          .events     = argc > 3 ? atoi(argv[3]) : 20,
                          .repeats    = argc > 4 ? atoi(argv[4]) : STREAM_USUAL,
                          .is_bounded = argc <= 4,
                          .mesh       = mesh };

    if (argc < 2 || argc > 5 || q.photons < 1 || q.photons > 1 << 28 || q.events < 1 ||
        q.events > 100000 || q.repeats < 1 || q.repeats > STREAM_REPEATS)
        return usage();
    if (!stream_has_device()) {
        puts("skipped: there is no device");
        return ASSAY_EXIT_SKIPPED;
    }
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++)
        if (strcmp(argv[1], questions[k].question) == 0)
            return ask(&q, k, words);
    return usage();
}

int main(int argc, char **argv)
{
    assay_program_words words;

    if (assay_program_take_words(&argc, argv, &words) != ASSAY_OK) {
        (void)fprintf(stderr, "photon_stream: %s\n", assay_status_message());
        return ASSAY_EXIT_USAGE;
    }
    if (!words.has_processes) /* groups take a second, and starting a device takes as long */
        words.n_processes = 1;
    const char *const mesh = take_mesh(&argc, &argv);

    return answer(argc, argv, mesh, &words);
}
