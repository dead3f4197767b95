/* The sample loop. A timer measures one metric (a regime read by a clock) of one variant in this
 * process, block by block, so that the caller can let variants alternate. It knows the device, not
 * the checker. */
#ifndef ASSAY_TIMER_H
#define ASSAY_TIMER_H

#include "device.h"
#include "machine/nvml.h"
#include "rows/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

assay_policy assay_policy_default(void);
/* ASSAY_E_USAGE names a threshold that makes no sense. */
assay_status assay_policy_check(const assay_policy *policy);

/* The record clock: gives the times of the last n samples from activity records, in order.
 * time_ns[i] is NaN if the records of sample i are incomplete. Each sample is between the records
 * of a gate and of a clock_end. */
typedef struct assay_recorder {
    void *context;
    assay_status (*collect)(void *context, double *time_ns, int64_t n);
} assay_recorder;

/* What is timed. `restore` (NULL: nothing to do) is called before each sample, outside its
 * interval, and enqueues the restoring of the inputs. `spoil` (NULL: nothing to do) is called
 * before each sample of e2e, and of a regime that leaves nothing in the caches, and enqueues the
 * overwriting of the outputs. A kernel that is faster when the answer is already there must not be
 * timed that way. */
typedef struct assay_timer_job {
    const assay_device_api *api; /* NULL: a CPU variant, timed by the host's monotonic clock */
    assay_device           *device;
    assay_launch_fn        *launch;
    const assay_args       *args;
    assay_status (*restore)(void *context);
    assay_status (*spoil)(void *context);
    void       *context;
    bool        is_repeatable; /* several calls in a row take as long as one call after a restore */
    int64_t     l2_bytes;
    assay_nvml *nvml;               /* NULL: clock reasons, power, temperature stay unknown */
    const assay_recorder *recorder; /* NULL: there is no record clock in this process */
    int64_t (*now_ns)(void);        /* NULL: CLOCK_MONOTONIC; a test supplies its own clock */
    int64_t origin_ns; /* by this clock: the moment from which start_s of a block counts; 0: the
                          first call of this timer */
} assay_timer_job;

/* Valid raw samples in time order, block after block. A sample of several calls is the time per
 * call. */
typedef struct assay_samples {
    double      *time_ns;
    double      *sm_clock_mhz; /* NaN where unknown */
    int64_t      n, capacity;
    assay_block *blocks;
    int64_t      n_blocks;
} assay_samples;
void assay_samples_free(assay_samples *samples); /* accepts NULL; zeroes *samples */

typedef struct assay_timer assay_timer;

/* Creates a timer for a regime and clock: cold/event (L2 flushed before each sample), hot/event
 * (nothing flushed; several calls of a short kernel per sample), graph/graph (a CUDA graph of
 * several calls), cold/record and hot/record (activity records; one call per sample), e2e/host
 * (host clock, from the call until all its work is done). `job` and `policy` must outlive the
 * timer. ASSAY_E_USAGE for another pair, and for one that this job cannot have. budget_s: wall time
 * for this metric in this process. The caller frees. */
assay_status assay_timer_create(const assay_timer_job *job, const assay_policy *policy,
                                assay_regime regime, assay_clock clock, double budget_s,
                                assay_timer **timer);
void         assay_timer_free(assay_timer *timer); /* accepts NULL */

/* Makes the first calls (they load code and touch pages), then calls until time and SM clock are
 * steady, or the warm-up's share of the budget is used up. A fault ends it with ASSAY_OK and
 * fault->kind set; the timer is then unusable. A launcher that runs but cannot be captured into a
 * graph is not a fault: the metric has no samples, and its stop reason is "no graph". */
assay_status assay_timer_warm_up(assay_timer *timer, assay_fault *fault);

/* Takes one block, which gets the numbers `process` and `order`. It ends on "confidence",
 * "samples", "budget", "throttled" (the budget is used up, and too few samples are left), "gate"
 * (too many samples had to be discarded) or "no graph" (there are none). Samples during a clock
 * event reason of the policy are counted and left out. Faults as in warm_up. */
assay_status assay_timer_take_block(assay_timer *timer, int process, int order, assay_fault *fault);

/* For a metric with a graph: replays that graph to its end, so that its outputs can be judged. If
 * calls continue from each other's results, a graph of a single call is used. For other metrics
 * *has is false, and nothing is done. */
assay_status assay_timer_replay(assay_timer *timer, bool *has, assay_fault *fault);

/* After the last block of a metric that spoils outputs: alternates calls that find outputs
 * overwritten with calls that find what the call before left. *found if in 12 of 15 pairs the
 * second takes less than 0.7 of the first (by the host's clock 0.2) and 0.5 us less: then the
 * kernel cannot do all its work each time. `reason` says by how much. For other metrics nothing is
 * done. */
assay_status assay_timer_find_shortcut(assay_timer *timer, bool *found, char *reason, size_t size,
                                       assay_fault *fault);

/* After a block: makes a number of calls that the variant cannot predict, then one with restored
 * inputs and overwritten outputs, whose result the caller judges. Nothing is timed. */
assay_status assay_timer_call_unannounced(assay_timer *timer, assay_fault *fault);

/* A rule for pairs of calls: the first has all its work to do, the second could save some. It saves
 * work if in `enough` of `pairs` pairs it takes less than `share` of the first (by the host's clock
 * host_share) and 0.5 us less. */
typedef struct assay_shortcut_rule {
    int    pairs, enough;
    double share, host_share;
} assay_shortcut_rule;
/* The rules for outputs (overwritten, or as the call before left them) and for inputs (new, or
 * those of the call before). */
extern const assay_shortcut_rule assay_shortcut_outputs, assay_shortcut_inputs;

/* Initialise it with the rule alone. Enough pairs were taken when it is no longer open. */
typedef struct assay_shortcut {
    const assay_shortcut_rule *rule;
    int                        n, n_valid, n_quicker;
    double full_ns, spared_ns; /* of the last pair in which the second was faster */
} assay_shortcut;
void assay_shortcut_add(assay_shortcut *shortcut, const assay_timer *timer, double full_ns,
                        double spared_ns);
bool assay_shortcut_is_open(const assay_shortcut *shortcut);
bool assay_shortcut_is_found(const assay_shortcut *shortcut);

/* Does it overwrite the outputs before each sample? */
bool assay_timer_spoils(const assay_timer *timer);
/* Writes "cold, event clock". */
void assay_timer_name(const assay_timer *timer, char *name, size_t size);
/* Takes one sample outside of all blocks; NaN if it was not valid. */
assay_status assay_timer_take_one(assay_timer *timer, double *time_ns, assay_fault *fault);

/* Hands over all samples (the caller frees) and fills the row, except for what only the caller
 * knows: bytes, flops, nvml, tuning and what is judged later. */
assay_status assay_timer_finish(assay_timer *timer, assay_measurement_row *row,
                                assay_samples *samples);

/* Warms up and takes one block; the row's samples are not kept. */
assay_status assay_timer_measure(const assay_timer_job *job, const assay_policy *policy,
                                 assay_regime regime, assay_clock clock, double budget_s,
                                 assay_measurement_row *row, assay_fault *fault);

/* Fills the row's statistics from its samples, of all processes of a measurement together: n,
 * times, cycles, clock, spread of the processes, counts. */
assay_status assay_samples_summarize(const assay_samples *samples, assay_measurement_row *row);

/* Returns the weaker one of two reasons why sampling stopped. */
const char *assay_timer_weaker_reason(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
