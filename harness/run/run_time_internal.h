/* What the timing of a group of points shares. Only run_time.c and run_redraw.c include it. */
#ifndef ASSAY_RUN_TIME_INTERNAL_H
#define ASSAY_RUN_TIME_INTERNAL_H

#include "run_internal.h"

enum {
    ASSAY_MAX_POINT_METRICS = 3,
    ASSAY_N_GAPS            = 2
};

/* A point that is being timed. */
typedef struct point_timing {
    progress                 p;
    const assay_timed_point *timed;
    assay_timer_job          job;
    int                      n_metrics;
    assay_timer             *timer[ASSAY_MAX_POINT_METRICS];  /* owned */
    assay_policy             policy[ASSAY_MAX_POINT_METRICS]; /* of each timer */
    bool                     is_up;                           /* its buffers are allocated */
    uint64_t                 draw;                            /* the contents of its inputs */
    assay_shortcut           kept; /* pairs of samples with other and with the same contents */
    void                    *gap[ASSAY_N_GAPS]; /* memory before its buffers; owned */
    assay_launch_row        *launches;          /* kernels of one call, from its records; owned */
    int                      n_launches;
} point_timing;

typedef struct group {
    assay_runner         *runner;
    const assay_policy   *policy;
    int                   process;
    int64_t               origin_ns; /* the moment from which its blocks count their start */
    assay_recorder        recorder;
    const assay_recorder *records; /* NULL without */
    point_timing         *timings;
    int                   n;
    int                   order; /* number of the next block */
} group;

/* Returns how long a step of a timer of this point may take. */
double assay_run_timing_limit_s(const group *g, const point_timing *a);

/* Replaces the inputs of all allocated points that still pass by other contents
 * (assay_run_prepare), in place. Points [first, end) get the same contents. */
assay_status assay_run_redraw(group *g, int first, int end, uint64_t draw);

/* After a block of each metric of a point: verifies a call that the variant cannot know to be
 * verified. */
assay_status assay_run_prove_block(group *g, point_timing *a);

/* After all blocks: SUSPECT if a variant is quicker where the inputs are those of the call before,
 * as one is that keeps its answer by what they hold. Held against contents that no process has
 * seen; in the first process alone. Leaves such contents behind. */
assay_status assay_run_judge_kept(group *g, int first, int end);

#endif
