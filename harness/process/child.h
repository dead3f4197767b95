/* One worker process, as its parent sees it. */
#ifndef ASSAY_CHILD_H
#define ASSAY_CHILD_H

#include "pipe.h"
#include "worker.h"

#include "base/tail.h"

#include <sys/types.h>

typedef struct assay_child {
    pid_t       pid; /* 0: none */
    int         request_fd, reply_fd;
    uint64_t    nonce;       /* a secret in every message of this worker */
    assay_tail *output;      /* the end of what it wrote to stdout and stderr */
    bool        counts_cpu;  /* its silence is measured in CPU time (base/patience.h) */
    char        silence[80]; /* how long its last silence was, if it was too long */
    int         log_fd;      /* the file for reports of a compute-sanitizer tool; 0: no tool */
} assay_child;

/* Starts a worker (this program again) and waits for its HELLO. If the worker cannot open its
 * device, fails with the worker's sentence. The caller ends it. */
assay_status assay_child_start(assay_child *child, const assay_worker_options *options);
/* The same in two parts, so that the caller can do other work while the device opens. A worker that
 * fails is killed and forgotten, as above. */
assay_status assay_child_begin(assay_child *child, const assay_worker_options *options);
assay_status assay_child_await(assay_child *child);

/* Makes a file in memory for the shared_fd of workers. The caller closes it; 0: it could not be
 * made. */
int assay_child_share(void);

/* Reads from the worker. False: it is dead, its message is incomplete, or (*timed_out) it was
 * silent for limit_s of CPU time or, if that does not count, of wall time. */
bool assay_child_receive(assay_child *child, void *bytes, size_t size, double limit_s,
                         bool *timed_out);

/* Returns the log of a compute-sanitizer tool, after the worker has ended; the caller frees it.
 * NULL: it ran under no tool, or the log was taken already. */
char *assay_child_take_log(assay_child *child);

/* Closes its input, waits for its end (kills it after a few seconds, or minutes under a tool) and
 * forgets it. Accepts a child that is not running. Processes that it started are killed too, here
 * and below. `echo`: its output is copied to this process's stderr. */
void assay_child_end(assay_child *child, bool echo);

/* Kills it at once, and forgets it. */
void assay_child_kill(assay_child *child, bool echo);

/* The reason why a worker that ended by itself has no verdict. */
#define ASSAY_CHILD_GAVE_UP "its worker could not go on, and said why above"

/* After the reply pipe ended: finds out how the worker died, as a verdict with a reason (signal,
 * report of a sanitizer) and the end of its output. A sanitizer's report counts only from a worker
 * that was built with it and ended as it ends a process, since any code can print its words.
 * ASSAY_NOT_RUN: the worker was killed from outside or could not continue, which says nothing about
 * a kernel. Waits for the worker and forgets it. */
assay_verdict assay_child_autopsy(assay_child *child, char *reason, size_t size, char *output,
                                  size_t output_size);

#endif
