/* What the ways in which a worker runs its blocks share. */
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

/* Called after each pass over the worker's blocks; raises a fault if only polling is left. */
void assay_worker_watch(assay_worker *worker, assay_spin_watch *watch);
/* The worker's resident block with this number, ready for its first begin. */
assay_block *assay_worker_block(assay_worker *worker, unsigned slot);
/* ---- unfair.cc */
/* Runs the worker's share of a launch with an unfair schedule. */
void assay_unfair_run(assay_worker *worker);

#pragma GCC visibility pop

#endif
