/* One point, from inputs to verdict, and only on PASS to times. Runs inside a worker. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "buffers.h"
#include "device/module.h"
#include "peer/peer.h"
#include "time/recorder.h"
#include "time/timer.h"

/* Where rows go. `place` is that of the point in the request (0 where there is one). `note` says,
 * before each piece of work, what it is and how long it may take. */
typedef struct assay_sink {
    void *context;
    assay_status (*note)(void *context, int place, const char *what, double limit_s);
    assay_status (*row)(void *context, int place, assay_row_kind kind, const void *row);
    assay_status (*measurement)(void *context, int place, const assay_measurement_row *row,
                                const assay_samples *samples);
} assay_sink;

/* What this process does with CUPTI, from before its device is opened to its end. */
typedef enum assay_cupti_use {
    ASSAY_CUPTI_NONE,
    ASSAY_CUPTI_RECORDS,  /* activity records of the device: the record clock */
    ASSAY_CUPTI_TRACE,    /* and of the host's calls */
    ASSAY_CUPTI_COUNTERS, /* hardware counters */
} assay_cupti_use;

typedef struct assay_runner {
    assay_module      module;
    assay_device     *device; /* NULL until opened */
    int               device_index;
    assay_device_info info;
    assay_lane        lane;
    assay_inputs   inputs[ASSAY_N_INPUTS]; /* kept for the next variant at the same axis values */
    assay_inputs   redrawn;                /* those that are timed, of another seed */
    int            shared_fd;              /* for those of other processes (inputs_shared.h); 0 */
    assay_gpu_tool tool; /* of compute-sanitizer, that this process runs under, or NONE */
    bool is_spent; /* a fault left the device unusable, or a launcher left what cannot be undone:
                      end this process */
    assay_nvml          *nvml; /* NULL: nvml_why says why */
    char                 nvml_why[256];
    assay_cupti_use      cupti_use;
    const assay_case    *launched_case;                     /* whose variants ran in this process */
    uint32_t             launched;                          /* which of them, by bits */
    assay_record_source *records;                           /* NULL without activity records */
    assay_peer          *peer;                              /* owned; NULL: none is running */
    assay_peer_script    peer_script;                       /* that was started last */
    char                 peer_why[ASSAY_REASON_SIZE];       /* it could not be started; "" */
    char                 interpreter[ASSAY_PEER_PATH_SIZE]; /* that peers run in; "": unknown */
} assay_runner;

/* Opens device `index` of the module. Caller closes. */
assay_status assay_runner_open(assay_runner *runner, const char *module_path, int index,
                               assay_cupti_use use);
void         assay_runner_close(assay_runner *runner); /* accepts NULL and a zeroed one */

/* Checks a point and hands everything to the sink, its verdict last. Fails only when the harness
 * itself does. */
assay_status assay_run_point(assay_runner *runner, const assay_point *point,
                             const assay_sink *sink);

/* A point to be timed; it has passed its check in this or another process. */
typedef struct assay_timed_point {
    assay_point        point;
    assay_judged_draws judged; /* its outputs, with the inputs that are timed */
    assay_calls        calls;  /* those of the processes before */
} assay_timed_point;

/* Times points of one case at the same axis values in this process: block by block, each block
 * through the points in turn, forwards and backwards (ABBA). Outputs are verified before and after.
 * Each point gets its measurements, then a verdict: PASS, or what was found; SKIPPED if there is no
 * room for it. Fails only when the harness does, at the point of the last note. */
assay_status assay_run_time(assay_runner *runner, const assay_timed_point *points, int n,
                            const assay_policy *policy, int process, const assay_sink *sink);

/* The same for peers, which come in requests of their own: each has its blocks at once, by the
 * clock ASSAY_CLOCK_PEER. */
assay_status assay_run_time_peers(assay_runner *runner, const assay_timed_point *points, int n,
                                  const assay_policy *policy, int process, const assay_sink *sink);

/* Null kernel, fp32 rate and bandwidths by working set, by every clock of this process. No further
 * working set is begun after wall_s: larger ones are left out. */
assay_status assay_run_ceilings(assay_runner *runner, const assay_policy *policy, double wall_s,
                                const assay_sink *sink);

/* Kernels that spin for known times, by every clock of this process. */
assay_status assay_run_spins(assay_runner *runner, const assay_policy *policy,
                             const assay_sink *sink);

/* Tries the combinations of a point's tuning axes from search->first on: a row for each as soon as
 * it is judged and timed, so that one that kills this process costs no other. One that ruins the
 * device is the last; nothing is chosen yet (assay_decide_trial). */
assay_status assay_run_tune(assay_runner *runner, const assay_point *point,
                            const assay_policy *policy, const assay_search *search,
                            const assay_sink *sink);

/* Counts the metrics of a list (counters.h) over one call. */
assay_status assay_run_count_metrics(assay_runner *runner, const assay_timed_point *point,
                                     const char *metrics, bool kernel_replay,
                                     const assay_sink *sink);

/* Writes a timeline of a few calls to a file; launches and sections as rows. */
assay_status assay_run_trace(assay_runner *runner, const assay_timed_point *point, const char *path,
                             const assay_sink *sink);

/* The same of two calls of a peer, the first of a new process and a later one, by the tool of that
 * process. What its host did is in the file, and in sum among the facts. */
assay_status assay_run_trace_peer(assay_runner *runner, const assay_timed_point *point,
                                  const char *path, const assay_sink *sink);

/* The lane this binary's kernels run in on a device of `kind`: the sanitizer it was built with, if
 * any. */
assay_lane assay_lane_of(const char *kind);

/* Number of launches compared in one check. */
int assay_run_count(const assay_point *point, assay_lane lane);

#endif
