/* The threads of this process, and which of them are running. */
#ifndef ASSAY_THREADS_H
#define ASSAY_THREADS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct assay_threads {
    int   *ids; /* owned */
    size_t n;
} assay_threads;

assay_status assay_threads_list(assay_threads *threads);
void         assay_threads_free(assay_threads *threads);

/* Is there a thread that is not among `known` and runs, or is ready to run, most of the time from
 * now on? */
assay_status assay_threads_find_busy(const assay_threads *known, bool *is_busy);

#endif
