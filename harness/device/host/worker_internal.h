/* What the ways share in which a worker runs its blocks. */
#ifndef ASSAY_HOST_WORKER_INTERNAL_H
#define ASSAY_HOST_WORKER_INTERNAL_H

#include "executor.h"

/* How long a worker has been polling. */
struct assay_spin_watch {
    uint64_t resumed_before, epochs, n_passes;
    double   since_cpu_s;
    bool     is_running;
};

#pragma GCC visibility push(hidden)

/* After each pass over the worker's blocks: a fault if there is nothing left but polling. */
void assay_worker_watch(assay_worker *worker, assay_spin_watch *watch);
/* The worker's block with this number among those that are there at once, fit for a first begin. */
assay_block *assay_worker_block(assay_worker *worker, unsigned slot);
/* ---- unfair.cc */
/* Runs the worker's share of a launch with an unfair schedule. */
void assay_unfair_run(assay_worker *worker);

#pragma GCC visibility pop

#endif
