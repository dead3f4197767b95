/* The sample loop. A timer takes one metric (a regime read by a clock) of one variant in this
 * process, block by block, so that a caller can let variants alternate. Knows the device, not the
 * checker. */
#ifndef ASSAY_TIMER_H
#define ASSAY_TIMER_H

#include "device.h"
#include "machine/nvml.h"
#include "rows/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

assay_policy assay_policy_default(void);
/* ASSAY_E_USAGE names the threshold that is no sensible one. */
assay_status assay_policy_check(const assay_policy *policy);

/* The record clock: what the activity records of the last n samples say, in order. time_ns[i] is
 * NaN where the records of sample i are incomplete. Each sample lies between the records of a gate
 * and of a clock_end. */
typedef struct assay_recorder {
    void *context;
    assay_status (*collect)(void *context, double *time_ns, int64_t n);
} assay_recorder;

/* What is timed. restore (NULL: nothing to do) enqueues, before each sample and outside its
 * interval, what makes the inputs as they were. spoil (NULL: nothing to do) enqueues, before each
 * sample of a regime that leaves nothing in the caches (and of e2e), what overwrites the outputs: a
 * kernel that is quicker where the answer stands already must not be timed so. */
typedef struct assay_timer_job {
    const assay_device_api *api; /* NULL: a CPU variant, timed by the host's monotonic clock */
    assay_device           *device;
    assay_launch_fn        *launch;
    const assay_args       *args;
    assay_status (*restore)(void *context);
    assay_status (*spoil)(void *context);
    void       *context;
    bool        is_repeatable; /* several calls in a row take as long as one after a restore */
    int64_t     l2_bytes;
    assay_nvml *nvml;               /* NULL: clock reasons, power, temperature stay unknown */
    const assay_recorder *recorder; /* NULL: there is no record clock in this process */
    int64_t (*now_ns)(void);        /* NULL: CLOCK_MONOTONIC; a test brings a clock of its own */
    int64_t origin_ns; /* by this clock: from where start_s of a block counts; 0: from this timer's
                          own first call */
} assay_timer_job;

/* Valid raw samples in time order, block after block; one that holds several calls is given per
 * call. */
typedef struct assay_samples {
    double      *time_ns;
    double      *sm_clock_mhz; /* NaN where unknown */
    int64_t      n, capacity;
    assay_block *blocks;
    int64_t      n_blocks;
} assay_samples;
void assay_samples_free(assay_samples *samples); /* accepts NULL; zeroes */

typedef struct assay_timer assay_timer;

/* regime/clock: cold/event (L2 flushed before each sample), hot/event (nothing flushed; a short
 * kernel is called several times a sample), graph/graph (a CUDA graph of several calls),
 * cold/record and hot/record (activity records; one call a sample), e2e/host (host clock, from the
 * call until all is done). `job` and `policy` must outlive the timer. ASSAY_E_USAGE for a pair that
 * is none, or that this job cannot have. budget_s: wall time for this metric in this process.
 * Caller frees. */
assay_status assay_timer_create(const assay_timer_job *job, const assay_policy *policy,
                                assay_regime regime, assay_clock clock, double budget_s,
                                assay_timer **timer);
void         assay_timer_free(assay_timer *timer); /* accepts NULL */

/* First calls (they load code and touch pages), then calls until time and SM clock are steady or
 * the warm-up's share of the budget is spent. A fault ends it with ASSAY_OK and fault->kind set;
 * the timer is of no more use. A launcher that runs but makes no graph is no fault: the metric
 * stays without samples and says "no graph". */
assay_status assay_timer_warm_up(assay_timer *timer, assay_fault *fault);

/* One block. `process` and `order` are noted in it. It ends on "confidence", "samples", "budget",
 * "throttled" (the budget is spent, and too few samples are left), "gate" (too many samples had
 * to be discarded) or "no graph" (there are none). Samples taken while a clock event reason of the
 * policy held are counted and left out. Faults as in warm_up. */
assay_status assay_timer_take_block(assay_timer *timer, int process, int order, assay_fault *fault);

/* Of a metric with a graph: that graph (where calls go on from each other's results, one of a
 * single call) replayed, to its end, so that what it writes can be judged. *has is false for the
 * others, and nothing is done. */
assay_status assay_timer_replay(assay_timer *timer, bool *has, assay_fault *fault);

/* After the last block of a metric that spoils outputs: calls that find them overwritten and calls
 * that find what the one before left, in turn. *found if in 12 of 15 pairs the second takes less
 * than 0.7 of the first (by the host's clock 0.2) and 0.5 us less: the kernel cannot be doing its
 * work each time. `reason` says by how much. Nothing is done for other metrics. */
assay_status assay_timer_find_shortcut(assay_timer *timer, bool *found, char *reason, size_t size,
                                       assay_fault *fault);

/* After a block: some calls, nobody can know how many, and then one that finds inputs restored and
 * outputs overwritten. What it left there is to be judged; nothing is timed. */
assay_status assay_timer_call_unannounced(assay_timer *timer, assay_fault *fault);

/* Pairs of calls, one that has all its work to do and one that could spare itself some. It does if
 * in `enough` of `pairs` pairs the second takes less than `share` of the first (by the host's clock
 * host_share) and 0.5 us less. */
typedef struct assay_shortcut_rule {
    int    pairs, enough;
    double share, host_share;
} assay_shortcut_rule;
/* Outputs overwritten, or as the call before left them; inputs new, or those of the call before. */
extern const assay_shortcut_rule assay_shortcut_outputs, assay_shortcut_inputs;

/* Begins with the rule alone; enough pairs are taken when it is no longer open. */
typedef struct assay_shortcut {
    const assay_shortcut_rule *rule;
    int                        n, n_valid, n_quicker;
    double full_ns, spared_ns; /* of the last pair of which the second was quicker */
} assay_shortcut;
void assay_shortcut_add(assay_shortcut *shortcut, const assay_timer *timer, double full_ns,
                        double spared_ns);
bool assay_shortcut_is_open(const assay_shortcut *shortcut);
bool assay_shortcut_is_found(const assay_shortcut *shortcut);

/* Does it overwrite the outputs before each sample? */
bool assay_timer_spoils(const assay_timer *timer);
/* "cold, event clock" */
void assay_timer_name(const assay_timer *timer, char *name, size_t size);
/* One sample outside of all blocks; NaN if it was not valid. */
assay_status assay_timer_take_one(assay_timer *timer, double *time_ns, assay_fault *fault);

/* Hands over all samples (caller frees) and fills the row, but for what only the caller knows:
 * bytes, flops, nvml, tuning and what is judged later. */
assay_status assay_timer_finish(assay_timer *timer, assay_measurement_row *row,
                                assay_samples *samples);

/* Warm-up and one block, all in one; the row's samples are not kept. */
assay_status assay_timer_measure(const assay_timer_job *job, const assay_policy *policy,
                                 assay_regime regime, assay_clock clock, double budget_s,
                                 assay_measurement_row *row, assay_fault *fault);

/* Fills the row's statistics from its samples (all processes of a measurement together): n, times,
 * cycles, clock, spread of the processes, counts. */
assay_status assay_samples_summarize(const assay_samples *samples, assay_measurement_row *row);

/* Of two reasons why sampling stopped, the weaker one. */
const char *assay_timer_weaker_reason(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
