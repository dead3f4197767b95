/* A stream of events through a session, compared with the expected results, and figures of
 * repeats. */
#ifndef PHOTON_STREAM_H
#define PHOTON_STREAM_H

#include "photon_session_test.h"

#include "program.h"

#include <stdatomic.h>

enum {
    STREAM_KINDS     = 4,  /* events that differ in seed, and in size if the stream is mixed */
    STREAM_ROWS      = 24, /* the most rows of a group */
    STREAM_REPEATS   = 99, /* at most */
    STREAM_USUAL     = 5,  /* default number of repeats, if there is time */
    STREAM_PART_ENDS = 4096
};

/* A question without REPEATS answers within this time, unless one repeat of everything takes
 * longer. The rest of 20 seconds is for starting programs and devices. */
#define STREAM_BUDGET_S 15.0

/* Where results go: the plan of the question, then its run (photon_stream_store.c). */
typedef struct stream_store stream_store;

/* What the command line asks for. */
typedef struct stream_question {
    const char   *case_name, *what; /* of its points */
    int64_t       photons;
    int           events, repeats;
    bool          is_bounded; /* fewer repeats, rather than more than STREAM_BUDGET_S in all */
    const char   *mesh;       /* an OBJ file in place of the box, or NULL */
    stream_store *store;
} stream_question;

typedef struct stream_shape {
    const char *mesh; /* of the question */
    int         detector;
    int64_t     photons;
    bool        is_mixed; /* sizes n, n / 2, n / 10, 1 */
    int         slots;    /* the most slots of sessions on it */
    int         uploads;  /* segments for uploads of photons */
} stream_shape;

/* How photons and records of its events travel. */
typedef struct stream_way {
    bool is_given;     /* the source's photons as a batch; only if all kinds have one size */
    bool is_on_device; /* ... and the batch is in device memory */
    bool wants_records;
    bool wants_parts; /* parts of STREAM_PART_ENDS; their ends are counted */
} stream_way;

typedef struct stream {
    session_rig          rig;
    photon_session      *session; /* or NULL */
    int                  n_kinds;
    session_expected     expected[STREAM_KINDS];
    photon_batch         batch;
    float               *given;     /* the batch's memory, or NULL */
    session_device_batch on_device; /* the same */
    int                  window;    /* events that are submitted at once */
    uint64_t             digest;    /* of the results of all kinds */
    bool                 is_wrong;  /* a result was wrong */
    /* For a stream with parts: their ends; how old events were at their first part. */
    atomic_llong n_part_ends, first_part_ns;
} stream;

/* A figure of a repeat. A figure of time means nothing on a device that is not timed. */
typedef struct stream_figure_about {
    const char *name;
    bool        is_of_time;
} stream_figure_about;

/* X(name, text, is_of_time) */
#define STREAM_FIGURE_MAP(X)                                                                       \
    X(WALL_NS, "wall_ns", true)                                                                    \
    X(EVENTS_S, "events_s", true)                                                                  \
    X(PHOTONS_S, "photons_s", true)                                                                \
    X(LATENCY_NS, "mean_latency_ns", true)                                                         \
    X(PACK_NS, "mean_pack_ns", true)                                                               \
    X(WARPS, "warps", false)                                                                       \
    X(IDLE_SMS, "idle_sm_share", true)                                                             \
    X(BUSY_WARPS, "busy_warp_share", true)                                                         \
    X(BUSY_LANES, "busy_lane_share", false)                                                        \
    X(INITIALIZE, "initialize_share", true)                                                        \
    X(PROPAGATE, "propagate_share", true)                                                          \
    X(POSTPROCESS, "postprocess_share", true)                                                      \
    X(COMPACT, "compact_share", true)                                                              \
    X(EMIT_SECONDARY, "emit_secondary_share", true)                                                \
    X(SAMPLES, "samples", true)                                                                    \
    X(SAMPLES_LOST, "samples_lost", true)                                                          \
    X(SAMPLED, "sampled_busy_share", true)                                                         \
    X(FINISHED_MOST, "finished_photons_most", true)                                                \
    X(FIRST_PART_NS, "mean_first_part_ns", true)

typedef enum stream_figure {
#define X(name, text, is_of_time) STREAM_##name,
    STREAM_FIGURE_MAP(X)
#undef X
    STREAM_FIGURES
} stream_figure;
extern const stream_figure_about stream_figures[STREAM_FIGURES];

uint64_t stream_now_ns(void);
bool     stream_has_device(void);
/* Writes a sentence to stderr; returns false. */
bool stream_fail(const char *what, photon_session_status status);

/* Computes the expected results of all kinds; false with a sentence on stderr. The caller closes in
 * any case. */
bool stream_open(stream *s, const stream_shape *shape);
void stream_close(stream *s);

/* Opens a session and compares all bits of one event of each kind. After that, events have records
 * or not, as asked for. The caller ends it in any case; end is false if the session was lost. */
bool stream_begin(stream *s, const photon_session_config *config, stream_way way);
bool stream_end(stream *s);

bool stream_is_tally_right(stream *s, int kind, const photon_result *r);

/* Times n events of a session, kind after kind. A figure that means nothing here is NaN. */
bool stream_run(stream *s, int n, double figure[STREAM_FIGURES]);

/* ---- groups of configurations, and the results of their repeats (photon_stream_store.c) */

typedef struct stream_row {
    const char        *variant;
    assay_program_axis axis; /* besides those of the group; name NULL: none */
} stream_row;

/* Configurations that alternate; the others are compared with the first. */
typedef struct stream_group {
    stream_shape               shape;
    int                        n_rows;
    stream_row                 row[STREAM_ROWS];
    const stream_figure_about *figure;
    int                        n_figures;
    int                        n;         /* events of a repeat */
    int                        n_samples; /* times of each repeat of a row: 1, or n */
} stream_group;

typedef struct stream_table {
    const stream_group *group;
    int64_t             first;     /* index of its first point in the plan */
    int                 n_repeats; /* at most */
    uint64_t            begun_ns;
    double              share_ns;             /* the time that it may take; INFINITY: no limit */
    double             *value;                /* [n_rows][n_figures][n_repeats] */
    double             *time_ns;              /* [n_rows][n_repeats][n_samples], of an event */
    uint64_t            digest;               /* of the very first repeat */
    int                 n_done[STREAM_ROWS];  /* repeats */
    int                 n_other[STREAM_ROWS]; /* repeats with another digest than the first row */
    int                 failed;               /* the row with a wrong result; -1: none */
} stream_table;

/* The question's points in a database, for --db; or nowhere. False, with a sentence on stderr. */
bool stream_store_create(stream_store **store);
void stream_store_free(stream_store *store); /* accepts NULL */
/* Call between the two times that a question is asked: first its groups are planned, then
 * measured. */
bool stream_store_open(stream_store *store, const char *name, const assay_program_words *words);
/* The end: returns the exit status; `works` is the outcome of the second time. */
int stream_store_close(stream_store *store, bool works);

/* *is_wanted: the group is to be measured, into *table; the caller then finishes, in any case.
 * False without memory, or if the run cannot go on. */
bool stream_group_begin(const stream_question *q, const stream_group *group, stream_table *table,
                        bool *is_wanted);
/* Should there be another repeat, of all rows? The first one always. */
bool stream_wants_repeat(const stream_table *t);
/* Stores the outcome of a repeat of a row: figures, NaN where one means nothing; n_samples times of
 * an event; the digest of its results. */
void stream_table_set(stream_table *t, int row, const double *figures, const double *time_ns,
                      uint64_t digest);
/* Stores checks, times and figures of the group; for a row that failed, that it did. Then closes
 * the stream and frees the table. Returns `works`, or false if the run cannot go on. */
bool stream_finish(const stream_question *q, stream *s, stream_table *t, bool works);

/* The lower one, if there are two in the middle. Sorts. */
double stream_median(double *value, int n);

/* ---- questions in files of their own */

/* Calls `measure` with 10 times as many photons each time, from `least` to what is asked for, or
 * `most`; returns false as soon as it fails. */
bool stream_each_size(const stream_question *q, int64_t least, int64_t most,
                      bool (*measure)(const stream_question *q, int64_t photons));

bool stream_measure_checkpoint(const stream_question *q);
bool stream_measure_latency(const stream_question *q);
bool stream_measure_overlap(const stream_question *q);

#endif
