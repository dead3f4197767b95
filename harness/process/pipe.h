/* Messages between the parent and a worker: a header and plain structures. Both ends are the same
 * program. First the parent sends a nonce, which every message of this worker then carries. */
#ifndef ASSAY_PIPE_H
#define ASSAY_PIPE_H

#include "base/patience.h"
#include "device.h"
#include "rows/rows.h"
#include "time/timer.h"

/* What a worker is to do with the points of a request. */
typedef enum assay_task {
    ASSAY_TASK_CHECK,    /* one point: check it against the reference */
    ASSAY_TASK_TUNE,     /* one point: try the combinations of its tuning axes */
    ASSAY_TASK_TIME,     /* points of the same axis values, in turn, block by block */
    ASSAY_TASK_CEILINGS, /* no point: measure floor and ceilings of the device */
    ASSAY_TASK_COUNT,    /* one point: read hardware counters of one call */
    ASSAY_TASK_TRACE,    /* one point: write a timeline of a few calls */
    ASSAY_TASK_SPIN,     /* no point: time kernels of known length */
} assay_task;

enum {
    ASSAY_MAX_GROUP = 64, /* points in one request */
};

/* From parent to worker: a request, followed by its points. */
typedef struct assay_request {
    assay_task   task;
    int          n_points;
    assay_policy policy;
    int          process;       /* number of this process among those that time these points */
    double       wall_s;        /* CEILINGS: the time limit */
    assay_search search;        /* TUNE: the time that is left */
    bool         kernel_replay; /* COUNT: CUPTI replays each kernel separately */
    char         words[4096];   /* COUNT: metrics, separated by commas; TRACE: the file */
} assay_request;

typedef struct assay_request_point {
    char               key[ASSAY_KEY_SIZE];
    uint64_t           seed;
    bool               is_timed;
    assay_judged_draws judged; /* digests of its outputs with the inputs that are timed */
    assay_calls        calls;
} assay_request_point;

typedef enum assay_message_kind {
    ASSAY_MESSAGE_HELLO = 1, /* the device is open */
    ASSAY_MESSAGE_NOTE,      /* what the worker does next, and how long it may take */
    ASSAY_MESSAGE_ROW,
    ASSAY_MESSAGE_MEASUREMENT, /* followed by times, SM clocks and blocks */
    ASSAY_MESSAGE_DONE,        /* the request is answered */
    ASSAY_MESSAGE_FAILURE,     /* the harness failed: status and sentence */
} assay_message_kind;

/* From worker to parent. */
typedef struct assay_message {
    uint64_t           nonce; /* the nonce that the parent chose: it proves who wrote the message */
    assay_message_kind kind;
    int                place;    /* index of the point in its request */
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

/* What the parent says of a message without the worker's nonce. */
#define ASSAY_FOREIGN_MESSAGE                                                                      \
    "a message that it did not write itself (did a kernel's host code write to its descriptor?)"

/* Returns why the parent must not use this message, or NULL: an index outside the n_points of the
 * request, a text without an end, a number outside its enumeration, ... */
const char *assay_message_judge(const assay_message *message, int n_points);

/* Writes all bytes. ASSAY_E_IO if the other end is closed. */
assay_status assay_pipe_write(int fd, const void *bytes, size_t size);

/* Reads all bytes. Sets *ended, with ASSAY_OK, if the other end closed before the first byte; a
 * message that ends early is ASSAY_E_IO. Sets *timed_out when `patience`, which has begun, is over;
 * NULL: it waits without limit. */
assay_status assay_pipe_read(int fd, void *bytes, size_t size, assay_patience *patience,
                             bool *ended, bool *timed_out);

#endif
