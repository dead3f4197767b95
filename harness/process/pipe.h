/* Messages between the parent and a worker: a header and plain structures, both ends one binary.
 * The first thing the parent sends is the nonce that every message of this worker carries. */
#ifndef ASSAY_PIPE_H
#define ASSAY_PIPE_H

#include "base/patience.h"
#include "device.h"
#include "rows/rows.h"
#include "time/timer.h"

/* What a worker is asked to do with the points of a request. */
typedef enum assay_task {
    ASSAY_TASK_CHECK,    /* one point: hold it against the reference */
    ASSAY_TASK_TUNE,     /* one point: try the combinations of its tuning axes */
    ASSAY_TASK_TIME,     /* points of the same axis values, block by block in turn */
    ASSAY_TASK_CEILINGS, /* no point: what the machine can do */
    ASSAY_TASK_COUNT,    /* one point: hardware counters of one call */
    ASSAY_TASK_TRACE,    /* one point: a timeline of a few calls */
    ASSAY_TASK_SPIN,     /* no point: kernels of known length */
} assay_task;

enum {
    ASSAY_MAX_GROUP = 64, /* points in one request */
};

/* Parent to worker: a request, and behind it its points. */
typedef struct assay_request {
    assay_task   task;
    int          n_points;
    assay_policy policy;
    int          process;       /* place among the processes that time these points */
    double       wall_s;        /* CEILINGS: may take so long */
    assay_search search;        /* TUNE: what is left of it */
    bool         kernel_replay; /* COUNT: CUPTI replays each kernel by itself */
    char         words[4096];   /* COUNT: metrics, separated by commas; TRACE: the file */
} assay_request;

typedef struct assay_request_point {
    char               key[ASSAY_KEY_SIZE];
    uint64_t           seed;
    bool               is_timed;
    assay_judged_draws judged; /* its outputs, with the inputs that are timed */
    assay_calls        calls;
} assay_request_point;

typedef enum assay_message_kind {
    ASSAY_MESSAGE_HELLO = 1, /* the device is open */
    ASSAY_MESSAGE_NOTE,      /* what comes next and how long it may take */
    ASSAY_MESSAGE_ROW,
    ASSAY_MESSAGE_MEASUREMENT, /* followed by times, SM clocks and blocks */
    ASSAY_MESSAGE_DONE,        /* the request is answered */
    ASSAY_MESSAGE_FAILURE,     /* the harness failed: status and sentence */
} assay_message_kind;

/* Worker to parent. */
typedef struct assay_message {
    uint64_t           nonce; /* that the parent chose for this worker: by whom it was written */
    assay_message_kind kind;
    int                place;    /* of the point in its request */
    bool               is_spent; /* DONE: this worker ends now */
    assay_row_kind     row_kind;
    union {
        assay_device_info     info;
        assay_any_row         row;
        assay_measurement_row measurement;
        struct {
            char   what[ASSAY_NAME_SIZE];
            double limit_s;
        } note;
        struct {
            assay_status status;
            char         text[ASSAY_REASON_SIZE];
        } failure;
    };
} assay_message;

/* What the parent says of a message without the nonce of its worker. */
#define ASSAY_FOREIGN_MESSAGE "a message that is not of its own (a write to another's descriptor?)"

/* Why the parent must not use this message (a place outside the n_points that were asked for, a
 * text without an end, a number that picks what does not exist, ...); NULL: it may. */
const char *assay_message_judge(const assay_message *message, int n_points);

/* Writes all bytes; ASSAY_E_IO if the other end is gone. */
assay_status assay_pipe_write(int fd, const void *bytes, size_t size);

/* Reads all bytes. *ended is set (with ASSAY_OK) if the other end closed before the first byte; a
 * torn message is ASSAY_E_IO. *timed_out is set when `patience`, which has begun, is over; NULL:
 * that is never. */
assay_status assay_pipe_read(int fd, void *bytes, size_t size, assay_patience *patience,
                             bool *ended, bool *timed_out);

#endif
