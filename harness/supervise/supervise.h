/* The parent: runs the points of a plan through workers, or in this process. Only it writes to the
 * store. */
#ifndef ASSAY_SUPERVISE_H
#define ASSAY_SUPERVISE_H

#include "plan/plan.h"
#include "process/worker.h"
#include "store/store.h"

enum {
    /* The memory of host and device that a group may need if it is checked beside others. */
    ASSAY_BESIDE_HOST_BYTES   = 1 << 28,
    ASSAY_BESIDE_DEVICE_BYTES = 1 << 27,
    ASSAY_BESIDE_BYTES        = ASSAY_BESIDE_HOST_BYTES + ASSAY_BESIDE_DEVICE_BYTES
};

typedef struct assay_supervise_options {
    const char      *module_path;
    int              device_index;
    bool             can_time;  /* times of the device are valid */
    bool             is_cuda;   /* activity records and counters may be available */
    assay_lane       lane;      /* selects the verdicts that broken kernels may get */
    assay_gpu_tool   tool;      /* the compute-sanitizer tool that watches every worker, or NONE */
    const char      *tool_path; /* of compute-sanitizer */
    assay_case_table cases;
    assay_policy     policy;
    bool        in_process; /* no worker process and no time-out: for debuggers and profilers */
    int         n_jobs;     /* groups that are checked at the same time; 0: one */
    bool        times; /* time points that passed and are is_timed; otherwise only count or trace */
    bool        tunes; /* search the tuning axes of points that will be timed */
    bool        against_itself; /* time each point twice (A/A comparison) */
    const char *metrics;        /* counters to read for points that passed; NULL: none */
    bool        kernel_replay;
    const char *trace;     /* file for a timeline; NULL: none */
    bool       *is_traced; /* set once it is written; may be NULL */
    double      budget_s;  /* wall time limit of the whole run; 0: none */
    /* Times of each point from earlier runs; NULL: none are known. */
    const double *took_s;        /* without its sample loops; NaN: unknown */
    const double *doubt;         /* which points the budget serves first */
    const double *wall_s;        /* in all, to estimate the time left */
    bool          is_quiet;      /* prints no progress */
    bool          profiles_self; /* prints at the end, on stderr, what the time was spent on */
} assay_supervise_options;

/* Runs points[i], which is stored under point_ids[i] of run `run_id`. It always goes on to the next
 * point, and fails only if the store or the set-up fails. A point that could not be judged stays
 * 'ready'. */
assay_status assay_supervise(assay_store *store, int64_t run_id, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options);

#endif
