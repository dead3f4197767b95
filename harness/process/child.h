/* One worker process as its parent sees it. */
#ifndef ASSAY_CHILD_H
#define ASSAY_CHILD_H

#include "pipe.h"
#include "worker.h"

#include "base/tail.h"

#include <sys/types.h>

typedef struct assay_child {
    pid_t       pid; /* 0: none */
    int         request_fd, reply_fd;
    uint64_t    nonce;       /* in every message of this worker, and known to nobody else */
    assay_tail *output;      /* the last of what it wrote to stdout and stderr */
    bool        counts_cpu;  /* its silence is measured in CPU time now (base/patience.h) */
    char        silence[80]; /* how long the last one was, once there was no more patience */
    int         log_fd;      /* where a tool of compute-sanitizer writes; 0: it runs under none */
} assay_child;

/* Starts a worker (this binary again) and waits for its HELLO. A worker that cannot open its device
 * fails with the worker's own sentence. Caller ends it. */
assay_status assay_child_start(assay_child *child, const assay_worker_options *options);
/* The same in two parts: what is between them it does while its device opens. One that fails is
 * killed and forgotten, as there. */
assay_status assay_child_begin(assay_child *child, const assay_worker_options *options);
assay_status assay_child_await(assay_child *child);

/* A file in memory for workers' shared_fd, which this process closes; 0: there is none. */
int assay_child_share(void);

/* Reads from it. False: it is dead, its message is torn, or (*timed_out) it said nothing for
 * limit_s: of CPU time if that counts, else by the clock on the wall. */
bool assay_child_receive(assay_child *child, void *bytes, size_t size, double limit_s,
                         bool *timed_out);

/* What a tool of compute-sanitizer has said of it, once it has ended: its log, which the caller
 * frees; NULL of a child that ran under none, or whose log was taken. */
char *assay_child_take_log(assay_child *child);

/* Closes its input, waits for its end (kills it after a few seconds, or minutes under a tool) and
 * forgets it; accepts none.
 * What it has started and not ended is killed with it, here and below.
 * What it wrote is passed on to this process's stderr if `echo`. */
void assay_child_end(assay_child *child, bool echo);

/* Kills it at once. */
void assay_child_kill(assay_child *child, bool echo);

/* Why one is not run that ended by itself. */
#define ASSAY_CHILD_GAVE_UP "its worker could not go on, and said why above"

/* After the reply pipe ended: how the worker died, as a verdict with a reason (signal, sanitizer
 * report), with the last of its output. A sanitizer's report is believed of a sanitized worker that
 * ended as the sanitizer ends it, for anybody can print its words. ASSAY_NOT_RUN: it was killed
 * from outside, or could not go on by itself, which says nothing of a kernel. Waits for it and
 * forgets it. */
assay_verdict assay_child_autopsy(assay_child *child, char *reason, size_t size, char *output,
                                  size_t output_size);

#endif
