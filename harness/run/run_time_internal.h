/* What the timing of a group of points shares; private to run_time.c and run_redraw.c. */
#ifndef ASSAY_RUN_TIME_INTERNAL_H
#define ASSAY_RUN_TIME_INTERNAL_H

#include "run_internal.h"

enum {
    ASSAY_MAX_ARM_METRICS = 3,
    ASSAY_N_GAPS          = 2
};

/* A point under timing. */
typedef struct arm {
    progress                 p;
    const assay_timed_point *timed;
    assay_timer_job          job;
    int                      n_metrics;
    assay_timer             *timer[ASSAY_MAX_ARM_METRICS];  /* owned */
    assay_policy             policy[ASSAY_MAX_ARM_METRICS]; /* of each timer */
    bool                     is_up;                         /* its buffers are there */
    uint64_t                 draw;                          /* of the contents that are in them */
    assay_shortcut           kept;              /* pairs with other and with the same contents */
    void                    *gap[ASSAY_N_GAPS]; /* before its buffers; owned */
    assay_launch_row        *launches;          /* of one call, by its records; owned */
    int                      n_launches;
} arm;

typedef struct group {
    assay_runner         *runner;
    const assay_policy   *policy;
    int                   process;
    int64_t               origin_ns; /* from where its blocks count their start */
    assay_recorder        recorder;
    const assay_recorder *records; /* NULL without */
    arm                  *arms;
    int                   n;
    int                   order; /* of the next block */
} group;

/* How long a step of a timer of this arm may take. */
double assay_run_arm_limit_s(const group *g, const arm *a);

/* Other contents (assay_run_prepare) for the inputs of those that are up and right, in place:
 * arms [first, end) get the same. */
assay_status assay_run_redraw(group *g, int first, int end, uint64_t draw);

/* After a block of each of an arm's metrics: what a call leaves of which nobody can know that it is
 * looked at is right. */
assay_status assay_run_prove_block(group *g, arm *a);

/* After all blocks: SUSPECT if a variant is quicker where the inputs are those of the call before,
 * as one is that keeps its answer by what they hold. Held against contents that no process has
 * seen; in the first process alone. Leaves such contents behind. */
assay_status assay_run_find_kept(group *g, int first, int end);

#endif
