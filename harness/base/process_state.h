/* What a process is like beyond its memory: to see what code of others leaves behind in it. */
#ifndef ASSAY_PROCESS_STATE_H
#define ASSAY_PROCESS_STATE_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_process_state assay_process_state;

/* The state now: working directory, environment, signal handlers and mask, alarms, file mode mask,
 * standard descriptors, priority, CPUs, child processes, threads. Caller frees. */
assay_status assay_process_state_take(assay_process_state **state);
void         assay_process_state_free(assay_process_state *state); /* accepts NULL */

/* Is this process as it was? If not, `text` names the first thing that is different. Threads that
 * are new count while they run: those that wait (a library's pool) slow nobody down. Where there
 * are new ones it takes 20 ms to see, and 120 ms where they run. `has_threads`: the code was
 * allowed to leave threads that run. */
assay_status assay_process_state_compare(const assay_process_state *before, bool has_threads,
                                         bool *is_same, char *text, size_t size);

#endif
