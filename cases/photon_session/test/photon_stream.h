/* A stream of events through a session, held to what they must come to, and figures of repeats. */
#ifndef PHOTON_STREAM_H
#define PHOTON_STREAM_H

#include "photon_session_test.h"

#include <stdatomic.h>

enum {
    STREAM_KINDS      = 4,   /* events that differ in seed, and in size if the stream is mixed */
    STREAM_LABEL_SIZE = 64,  /* of the text of a configuration */
    STREAM_LINE_SIZE  = 128, /* of a row's: that, and what the row was measured on */
    STREAM_REPEATS    = 99,  /* at most */
    STREAM_PART_ENDS  = 4096
};

/* What the command line asks for. */
typedef struct stream_question {
    int64_t     photons;
    int         events, repeats;
    const char *mesh; /* an OBJ file in place of the box, or NULL */
} stream_question;

typedef struct stream_shape {
    const char *mesh; /* of the question */
    int         detector;
    int64_t     photons;
    bool        is_mixed; /* sizes n, n / 2, n / 10, 1 */
    int         slots;    /* that sessions on it have at most */
    int         uploads;  /* segments for photons on their way to the device */
} stream_shape;

/* How photons and records of its events travel. */
typedef struct stream_way {
    bool is_given;     /* the source's photons as a batch; only where all kinds are of one size */
    bool is_on_device; /* ... that is in device memory */
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
    int                  window;    /* events that are on their way at once */
    uint64_t             digest;    /* of all kinds' results */
    /* Of the stream, if it has parts: their ends; how old events were at their first one. */
    atomic_llong n_part_ends, first_part_ns;
} stream;

/* X(name, text) */
#define STREAM_FIGURE_MAP(X)                                                                       \
    X(WALL_NS, "wall_ns")                                                                          \
    X(EVENTS_S, "events_s")                                                                        \
    X(PHOTONS_S, "photons_s")                                                                      \
    X(LATENCY_NS, "mean_latency_ns")                                                               \
    X(PACK_NS, "mean_pack_ns")                                                                     \
    X(WARPS, "warps")                                                                              \
    X(IDLE_SMS, "idle_sm_share")                                                                   \
    X(BUSY_WARPS, "busy_warp_share")                                                               \
    X(BUSY_LANES, "busy_lane_share")                                                               \
    X(INITIALIZE, "initialize_share")                                                              \
    X(PROPAGATE, "propagate_share")                                                                \
    X(POSTPROCESS, "postprocess_share")                                                            \
    X(COMPACT, "compact_share")                                                                    \
    X(EMIT_SECONDARY, "emit_secondary_share")                                                      \
    X(SAMPLES, "samples")                                                                          \
    X(SAMPLES_LOST, "samples_lost")                                                                \
    X(SAMPLED, "sampled_busy_share")                                                               \
    X(FINISHED_MOST, "finished_photons_most")                                                      \
    X(FIRST_PART_NS, "mean_first_part_ns")

typedef enum stream_figure {
#define X(name, text) STREAM_##name,
    STREAM_FIGURE_MAP(X)
#undef X
    STREAM_FIGURES
} stream_figure;
extern const char *const stream_figure_names[STREAM_FIGURES];

uint64_t stream_now_ns(void);
bool     stream_has_device(void);
/* A sentence on stderr; false. */
bool stream_fail(const char *what, photon_session_status status);

/* Computes what all kinds must come to; false with a sentence on stderr. The caller closes in any
 * case. */
bool stream_open(stream *s, const stream_shape *shape);
void stream_close(stream *s);

/* Opens a session and holds one event of each kind to all its bits; then events have records or
 * not. The caller ends in any case; end is false if the session was lost. */
bool stream_begin(stream *s, const photon_session_config *config, stream_way way);
bool stream_end(stream *s);

bool stream_is_tally_right(const stream *s, int kind, const photon_result *r);

/* Times n events of a session, kind after kind. A figure that says nothing here is NaN. */
bool stream_run(stream *s, int n, double figure[STREAM_FIGURES]);

/* ---- what repeats of several configurations have come to (photon_stream_table.c) */

typedef struct stream_table {
    const char *const *name; /* of figures; the caller's, as long as the table */
    int                n_rows, n_figures, n_repeats;
    double            *value;        /* [n_rows][n_figures][n_repeats] */
    char (*label)[STREAM_LINE_SIZE]; /* of rows */
} stream_table;

/* False without memory, with a sentence on stderr. The caller finishes, in any case. */
bool stream_table_make(stream_table *t, const char *const *names, int n_figures, int n_rows,
                       int n_repeats);
void stream_table_set(stream_table *t, int row, int repeat, const double *figures);
void stream_table_label(stream_table *t, int row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* If all of it works, a line of CSV for each row and figure: the row's label, the figure's name,
 * how many repeats, their median, least and most; none for one that is NaN. Then closes and frees
 * both. Returns `works`. */
bool stream_finish(stream *s, stream_table *t, bool works);
/* The lower of the two in the middle, where there are two. Sorts. */
double stream_median(double *value, int n);

/* ---- questions in files of their own */

/* `measure` for 10 times as many photons each time, from `least` to what is asked for, or `most`;
 * false as soon as it fails. */
bool stream_each_size(const stream_question *q, int64_t least, int64_t most,
                      bool (*measure)(const stream_question *q, int64_t photons));

bool stream_measure_checkpoint(const stream_question *q);
bool stream_measure_latency(const stream_question *q);
bool stream_measure_overlap(const stream_question *q);

#endif
