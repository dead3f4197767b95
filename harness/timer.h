/* The sample loop: warm up, then blocks of samples until the median is known well enough or the
 * budget is spent. Knows the device, not the checker. */
#ifndef ASSAY_TIMER_H
#define ASSAY_TIMER_H

#include "device.h"
#include "rows.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_timer_policy {
    double  target_relative_error; /* half width of the median's 95 % interval over the median */
    double  budget_s;              /* wall time of one regime of one point */
    int64_t min_samples, max_samples, n_blocks;
} assay_timer_policy;
assay_timer_policy assay_timer_default(void);

/* What is timed. restore (NULL: nothing to do) enqueues, before each sample and outside its
 * interval, what makes the inputs as they were. */
typedef struct assay_timer_job {
    const assay_device_api *api; /* NULL: a CPU variant, timed by the host's monotonic clock */
    assay_device           *device;
    assay_launch_fn        *launch;
    const assay_args       *args;
    assay_status (*restore)(void *context);
    void   *context;
    int64_t l2_bytes;
    int64_t (*now_ns)(void); /* NULL: CLOCK_MONOTONIC; a test brings a clock of its own */
} assay_timer_job;

/* Raw samples in time order; block k holds samples block_end[k-1]..block_end[k]-1. Blocks differ in
 * size by one sample at most; a sample that holds several launches is given per launch. */
typedef struct assay_samples {
    double  *time_ns;
    int64_t  n, capacity;
    int64_t *block_end;
    int64_t  n_blocks;
    int64_t  n_discarded; /* their gate opened before everything was queued: no times, not in n */
} assay_samples;
void assay_samples_free(assay_samples *samples); /* accepts NULL; zeroes */

/* Times one regime: "cold" (L2 flushed before each sample), "hot" (nothing flushed) by the event
 * clock behind a gate, or "e2e" by the host clock (the only one for CPU variants). Fills samples
 * (caller frees) and row, but for its bytes_declared, bytes_moved and flops, which are the
 * caller's. A fault ends the timing with ASSAY_OK, fault->kind set and no samples.
 *
 * It ends (row->stop_reason) on "confidence", "samples" (max_samples), "budget", or "gate": too
 * many samples had to be discarded, perhaps all of them (then n_samples is 0 and the times are
 * NaN). The budget does not cut below a least number of samples: min_samples, 5 if one takes over a
 * twentieth of the budget, 3 if one takes longer than the budget; row->min_samples is the one that
 * applied. */
assay_status assay_timer_run(const assay_timer_job *job, const char *regime,
                             const assay_timer_policy *policy, assay_measurement_row *row,
                             assay_samples *samples, assay_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
