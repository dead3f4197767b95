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

/* What came of a run. */
typedef struct assay_tally {
    int64_t      n_points, n_passed; /* passed: checks, the reference's own not counted */
    int64_t      n_reference;        /* PASS of the reference as a variant */
    int64_t      n_expected;         /* broken on purpose, and found */
    int64_t      n_failed, n_skipped, n_timed;
    int64_t      n_harness_failures; /* points that could not be judged */
    assay_status first_failure;
} assay_tally;

/* Runs points[i], stored under point_ids[i]. Always goes on to the next point; fails only if the
 * store or the set-up does. */
assay_status assay_supervise(assay_case_table cases, assay_store *store, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options, assay_tally *tally);

/* Exit status by the table of the manual: 2 a correctness failure, 4 the set-up is broken or
 * nothing was checked, 77 all skipped, 0. */
int assay_tally_exit_status(const assay_tally *tally);

#endif
