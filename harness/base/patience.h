/* How long another process may be silent: by the time that it had, not by the time that passed.
 *
 * On a busy host a process waits for a CPU, and the clock on the wall says nothing of it. What
 * counts is therefore
 *   - CPU time of the thread that has used most of it since the silence began, among all threads of
 *     the process and of those that it started: an endless loop is found by it, alone or beside
 * other work, and a process that gets no CPU is never charged for that;
 *   - for a process that does not even want a CPU (no thread runs, waits for a CPU or for a disk,
 * and none has used any): how often it was seen so, a LOOK_S each. Its limit is the same one and
 *     SLEEP_GRACE_S more.
 * Where a GPU works it is no CPU time that passes: there the clock on the wall counts. */
#ifndef ASSAY_PATIENCE_H
#define ASSAY_PATIENCE_H

#include "process_look.h"

#include <stddef.h>

#define ASSAY_LOOK_S        0.25 /* from one look at a silent process to the next */
#define ASSAY_SLEEP_GRACE_S 30.0

typedef struct assay_patience {
    pid_t      pid; /* whose time counts; 0: the clock on the wall */
    double     limit_s;
    double     began_s; /* by the monotonic clock */
    double     used_s;  /* of a CPU, by its busiest thread */
    double     slept_s;
    int        n_looks;
    assay_look first, last;
} assay_patience;

/* A silence begins now. */
void assay_patience_begin(assay_patience *p, pid_t pid, double limit_s);

/* How long to listen before the next question whether it is over; 0: not at all. */
double assay_patience_wait_s(const assay_patience *p);

/* Looks at the process, or at the clock. */
bool assay_patience_is_over(assay_patience *p);

/* One look more, after elapsed_s of silence: what assay_patience_is_over does with what it sees.
 * NULL: the process could not be seen, and the clock on the wall counts. */
bool assay_patience_judge(assay_patience *p, const assay_look *look, double elapsed_s);

/* What is over, to stand behind "no answer": "within 3 s", ... */
const char *assay_patience_text(const assay_patience *p, char *text, size_t size);

#endif
