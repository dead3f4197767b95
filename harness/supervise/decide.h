/* Decides which clock counts, and what a number is compared with. Pure functions of rows;
 * docs/clocks.md explains the rule. */
#ifndef ASSAY_DECIDE_H
#define ASSAY_DECIDE_H

#include "rows/rows.h"
#include "status.h"
#include "time/timer.h"

enum {
    ASSAY_MIN_GRAPH_CALLS = 8 /* in one graph; with fewer, its own interval is most of the time */
};

/* A measurement with its samples. */
typedef struct assay_measured {
    assay_measurement_row *row;
    const assay_samples   *samples;
} assay_measured;

/* For all measurements of one point: sets decides and decision of each row. */
void assay_decide(const assay_measured *m, int n);

/* Returns the tuning trial to choose: the fastest one that passed; -1: there is none. */
int64_t assay_decide_trial(const assay_trial_row *trials, int64_t n);

/* Sets floor and ceilings of a row, and whether it is below the floor, from the run's ceilings in
 * the same regime by the same clock. The bandwidth is the best of all kinds at the two working sets
 * around the row's own; if a cache serves these (1.1 times as fast as the largest set), it is the
 * best at any. */
void assay_decide_limits(assay_measurement_row *row, const assay_ceiling_row *ceilings, int n);
/* Does it move its compulsory bytes faster than the machine can? Then a sentence says so. */
bool assay_decide_is_too_fast(const assay_measurement_row *row, char *reason, size_t size);

/* The speed-up of a variant over a baseline at the same axis values, in one regime. It is the mean
 * log-ratio of paired blocks (the k-th block of each process with the k-th). Its 95 % interval is
 * from the means of the processes (Student's t; none below 3 processes), widened by half a tick of
 * the clock if all samples of one are on one tick. Both are read by the clock that decides for
 * both; if either is short, that is never the event. Otherwise is_known is false, with the reason.
 * Returns false if neither was measured in this regime. */
bool assay_decide_speedup(const assay_measured *variant, int n_variant,
                          const assay_measured *baseline, int n_baseline, assay_regime regime,
                          assay_comparison_row *row);

#endif
