/* Which clock decides, and what a number is held against. Pure functions of rows; the rule is
 * written out in docs/clocks.md. */
#ifndef ASSAY_DECIDE_H
#define ASSAY_DECIDE_H

#include "rows/rows.h"
#include "status.h"
#include "time/timer.h"

enum {
    ASSAY_MIN_GRAPH_CALLS =
        8 /* in one graph, below which its own interval is most of what is read */
};

/* A measurement with its samples. */
typedef struct assay_measured {
    assay_measurement_row *row;
    const assay_samples   *samples;
} assay_measured;

/* All measurements of one point: sets decides and decision of each row. */
void assay_decide(const assay_measured *m, int n);

/* Which of a point's tuning trials is to be chosen: the fastest that passed; -1: none. */
int64_t assay_decide_trial(const assay_trial_row *trials, int64_t n);

/* Sets floor and ceilings of a row, and whether it lies below the floor, from the ceilings of its
 * run that were read in its regime by its clock. The bandwidth is the best of all kinds at the two
 * working sets around the row's own or, where these are served by a cache (1.1 times as fast as the
 * largest), at any. */
void assay_decide_limits(assay_measurement_row *row, const assay_ceiling_row *ceilings, int n);
/* Does it move its compulsory bytes faster than the machine can? Then with a sentence. */
bool assay_decide_is_too_fast(const assay_measurement_row *row, char *reason, size_t size);

/* Variant against baseline at the same axis values, in one regime: the speed-up as paired log-ratio
 * of blocks (the k-th of each process with the k-th), its 95 % interval from the means of the
 * processes (Student's t; none below 3 processes), widened by half a tick of the clock where the
 * samples of one lie on one tick. By the clock that decides for both; if either is
 * short it is never the event. Otherwise is_known is false, with the reason. False: neither was
 * measured in this regime. */
bool assay_decide_speedup(const assay_measured *variant, int n_variant,
                          const assay_measured *baseline, int n_baseline, assay_regime regime,
                          assay_comparison_row *row);

#endif
