/* The CPU time of a process and its descendants, thread by thread, and whether any thread could
 * run. */
#ifndef ASSAY_PROCESS_LOOK_H
#define ASSAY_PROCESS_LOOK_H

#include <stdbool.h>
#include <sys/types.h>

enum {
    ASSAY_LOOK_ROWS = 256
};

typedef struct assay_look {
    int n;
    struct {
        pid_t  thread;
        double cpu_s; /* since the thread began */
    } rows[ASSAY_LOOK_ROWS];
    double rest_s;  /* of ended threads, and of those that had no row left */
    bool   can_run; /* a thread runs, waits for a CPU, or for a disk */
} assay_look;

/* Looks at `pid` and all its descendants. False: there is no such process any more, or no /proc
 * that tells of it. */
bool assay_process_look(pid_t pid, assay_look *look);

#endif
