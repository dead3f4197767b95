/* Catches exit() by a kernel's host code while a run is in progress. */
#include "guard.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    pid_t pid; /* 0: no run is in progress; a fork has another one */
    int   exit_status;
    bool  is_set;
} guard;

static void hold(void)
{
    if (guard.pid != getpid())
        return;
    (void)fflush(stdout);
    (void)fputs("assay: a kernel's host code ended this process (exit) before the run had its "
                "verdicts: 'assay resume' completes what is left\n",
                stderr);
    _exit(guard.exit_status);
}

assay_status assay_guard_begin(int exit_status)
{
    assay_status st = ASSAY_OK;

    if (!guard.is_set)
        ASSAY_REQUIRE(atexit(hold) == 0 && at_quick_exit(hold) == 0, ASSAY_E_MEMORY,
                      "cannot watch over the end of this process");
    guard.is_set      = true;
    guard.exit_status = exit_status;
    guard.pid         = getpid();
out:
    return st;
}

void assay_guard_end(void) { guard.pid = 0; }
