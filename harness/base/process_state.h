/* The state of a process besides its memory. It shows what code of others has left behind. */
#ifndef ASSAY_PROCESS_STATE_H
#define ASSAY_PROCESS_STATE_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_process_state assay_process_state;

/* Records the state: working directory, environment, signal handlers and mask, alarms, file mode
 * mask, standard descriptors, priority, CPUs, child processes, threads. The caller frees. */
assay_status assay_process_state_take(assay_process_state **state);
void         assay_process_state_free(assay_process_state *state); /* accepts NULL */

/* Is this process as it was? If not, `text` names the first difference. A new thread counts only
 * while it runs: threads that wait (a library's pool) slow nothing down. If there are new threads,
 * this takes 20 ms, or 120 ms if they run. `has_threads`: the code was allowed to leave running
 * threads. */
assay_status assay_process_state_compare(const assay_process_state *before, bool has_threads,
                                         bool *is_same, char *text, size_t size);

#endif
