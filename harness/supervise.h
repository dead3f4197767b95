/* The parent: runs the points of a plan through workers, or in this process, and is the store's
 * only writer. */
#ifndef ASSAY_SUPERVISE_H
#define ASSAY_SUPERVISE_H

#include "plan.h"
#include "store.h"
#include "worker.h"

typedef struct assay_supervise_options {
    assay_worker_options worker;
    assay_lane           lane;       /* picks the verdicts allowed to broken kernels */
    bool                 in_process; /* no child, no time-out: for debuggers and profilers */
    double               budget_s;   /* wall time after which nothing new is started; 0: none */
    bool                 is_quiet;   /* no progress line */
} assay_supervise_options;

/* Runs points[i], stored under point_ids[i]. Always goes on to the next point; fails only if the
 * store or the set-up does. A point that could not be judged stays 'ready'. */
assay_status assay_supervise(assay_store *store, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options);

#endif
