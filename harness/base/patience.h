/* How long another process may be silent, measured by the CPU time that it got, not by wall time:
 * on a busy host a process waits for a CPU, and wall time says nothing about it.
 *
 *   - A process that uses a CPU: the time of the thread that has used most since the silence began,
 *     among all threads of the process and its descendants. So an endless loop is found, alone or
 *     beside other work, and a process that gets no CPU is not charged for the time.
 *   - A process that wants no CPU (no thread runs, or waits for a CPU or a disk, and none has used
 *     CPU time): the number of looks that found it so, times LOOK_S. Its limit is SLEEP_GRACE_S
 *     higher.
 *
 * Work on a GPU uses no CPU time: there wall time counts. */
#ifndef ASSAY_PATIENCE_H
#define ASSAY_PATIENCE_H

#include "process_look.h"

#include <stddef.h>

#define ASSAY_LOOK_S        0.25 /* between two looks at a silent process */
#define ASSAY_SLEEP_GRACE_S 30.0

typedef struct assay_patience {
    pid_t      pid; /* the process whose time counts; 0: wall time counts */
    double     limit_s;
    double     began_s; /* when the silence began, on the monotonic clock */
    double     used_s;  /* CPU time of its busiest thread */
    double     slept_s;
    int        n_looks;
    assay_look first, last;
} assay_patience;

/* Starts a silence now. */
void assay_patience_begin(assay_patience *p, pid_t pid, double limit_s);

/* Returns how long to listen before asking again whether the silence is over; 0: not at all. */
double assay_patience_wait_s(const assay_patience *p);

/* Looks at the process, or at the clock, and decides. */
bool assay_patience_is_over(assay_patience *p);

/* Decides by one more look, after elapsed_s of silence; assay_patience_is_over calls it. NULL: the
 * process could not be seen, and wall time counts. */
bool assay_patience_judge(assay_patience *p, const assay_look *look, double elapsed_s);

/* The limit that was reached, to follow "no answer": "within 3 s", ... */
const char *assay_patience_text(const assay_patience *p, char *text, size_t size);

#endif
