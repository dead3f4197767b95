/* Messages between the parent and a worker: a header and plain structures, both ends one binary. */
#ifndef ASSAY_PIPE_H
#define ASSAY_PIPE_H

#include "device.h"
#include "rows.h"
#include "timer.h"

/* Parent to worker. */
typedef struct assay_request {
    char     key[ASSAY_KEY_SIZE];
    uint64_t seed;
    bool     is_timed;
} assay_request;

typedef enum assay_message_kind {
    ASSAY_MESSAGE_HELLO = 1, /* the device is open */
    ASSAY_MESSAGE_NOTE,      /* what comes next and how long it may take */
    ASSAY_MESSAGE_CHECK,
    ASSAY_MESSAGE_MEASUREMENT, /* followed by samples and block ends */
    ASSAY_MESSAGE_VERDICT,
    ASSAY_MESSAGE_FAILURE, /* the harness failed: status and sentence */
} assay_message_kind;

/* Worker to parent. */
typedef struct assay_message {
    assay_message_kind kind;
    bool               is_spent; /* VERDICT: this worker ends now */
    union {
        assay_device_info     info;
        assay_check_row       check;
        assay_measurement_row measurement;
        assay_verdict_row     verdict;
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

/* Writes all bytes; ASSAY_E_IO if the other end is gone. */
assay_status assay_pipe_write(int fd, const void *bytes, size_t size);

/* Reads all bytes. *ended is set (with ASSAY_OK) if the other end closed before the first byte; a
 * torn message is ASSAY_E_IO. deadline_s: seconds from now, < 0 for ever; *timed_out is set when it
 * passes. */
assay_status assay_pipe_read(int fd, void *bytes, size_t size, double deadline_s, bool *ended,
                             bool *timed_out);

#endif
