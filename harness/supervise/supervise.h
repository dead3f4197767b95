/* The parent: runs the points of a plan through workers, or in this process, and is the store's
 * only writer. */
#ifndef ASSAY_SUPERVISE_H
#define ASSAY_SUPERVISE_H

#include "plan/plan.h"
#include "process/worker.h"
#include "store/store.h"

enum {
    /* What a group takes at most, of the host and of the device, if it is checked beside others. */
    ASSAY_BESIDE_HOST_BYTES   = 1 << 28,
    ASSAY_BESIDE_DEVICE_BYTES = 1 << 27,
    ASSAY_BESIDE_BYTES        = ASSAY_BESIDE_HOST_BYTES + ASSAY_BESIDE_DEVICE_BYTES
};

typedef struct assay_supervise_options {
    const char      *module_path;
    int              device_index;
    bool             can_time;  /* the device's times mean something */
    bool             is_cuda;   /* there may be activity records and counters */
    assay_lane       lane;      /* picks the verdicts allowed to broken kernels */
    assay_gpu_tool   tool;      /* of compute-sanitizer, that watches every worker, or NONE */
    const char      *tool_path; /* of compute-sanitizer */
    assay_case_table cases;
    assay_policy     policy;
    bool             in_process; /* no child, no time-out: for debuggers and profilers */
    int              n_jobs;     /* groups that are checked at a time; 0: one */
    bool             times;      /* what passed and is_timed; else it is only counted or traced */
    bool             tunes;      /* search the tuning axes of what is to be timed */
    bool             against_itself; /* time each point twice: A/A */
    const char      *metrics;        /* counters to take from what passed; NULL: none */
    bool             kernel_replay;
    const char      *trace;     /* file for a timeline; NULL: none */
    bool            *is_traced; /* set once it is written; may be NULL */
    double           budget_s;  /* wall time of the whole run; 0: none */
    /* Of each point, as known from runs before; NULL: nothing is. */
    const double *took_s;        /* but for its sample loops; NaN: not known */
    const double *doubt;         /* where a budget goes first */
    const double *wall_s;        /* in all, for the time that is left */
    bool          is_quiet;      /* no progress */
    bool          profiles_self; /* says at the end, on stderr, where the time went */
} assay_supervise_options;

/* Runs points[i], stored under point_ids[i] of run `run_id`. Always goes on to the next point;
 * fails only if the store or the set-up does. A point that could not be judged stays 'ready'. */
assay_status assay_supervise(assay_store *store, int64_t run_id, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options);

#endif
