/* One point: from inputs to verdict, and to times if it is PASS. Runs inside a worker. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "buffers.h"
#include "device/module.h"
#include "peer/peer.h"
#include "time/recorder.h"
#include "time/timer.h"

/* Receives rows. `place` is the index of the point in the request (0 if there is only one). `note`
 * says, before each stage, what it is and how long it may take. */
typedef struct assay_sink {
    void *context;
    assay_status (*note)(void *context, int place, const char *what, double limit_s);
    assay_status (*row)(void *context, int place, assay_row_kind kind, const void *row);
    assay_status (*measurement)(void *context, int place, const assay_measurement_row *row,
                                const assay_samples *samples);
} assay_sink;

/* How this process uses CUPTI, from before its device is opened until it ends. */
typedef enum assay_cupti_use {
    ASSAY_CUPTI_NONE,
    ASSAY_CUPTI_RECORDS,  /* activity records of the device: the record clock */
    ASSAY_CUPTI_TRACE,    /* and of calls of the host */
    ASSAY_CUPTI_COUNTERS, /* hardware counters */
} assay_cupti_use;

typedef struct assay_runner {
    assay_module      module;
    assay_device     *device; /* NULL until opened */
    int               device_index;
    assay_device_info info;
    assay_lane        lane;
    assay_inputs   inputs[ASSAY_N_INPUTS]; /* kept for the next variant at the same axis values */
    assay_inputs   redrawn;                /* the inputs that are timed, of another seed */
    int            shared_fd; /* file for inputs of other processes (inputs_shared.h); 0: none */
    assay_gpu_tool tool;      /* the compute-sanitizer tool that watches this process, or NONE */
    bool is_spent; /* the device is unusable, or a launcher left something that cannot be undone:
                      this process must end */
    assay_nvml          *nvml; /* NULL: nvml_why has the reason */
    char                 nvml_why[256];
    assay_cupti_use      cupti_use;
    const assay_case    *launched_case; /* the case whose variants ran in this process */
    uint32_t             launched;      /* which of its variants, as bits */
    assay_record_source *records;       /* NULL without activity records */
    assay_peer          *peer;          /* owned; NULL: none is running */
    assay_peer_script    peer_script;   /* the script of the peer that was started last */
    char                 peer_why[ASSAY_REASON_SIZE]; /* why it could not be started; "" */
    char interpreter[ASSAY_PEER_PATH_SIZE]; /* the python that peers run in; "": unknown */
} assay_runner;

/* Opens device `index` of the module. The caller closes it. */
assay_status assay_runner_open(assay_runner *runner, const char *module_path, int index,
                               assay_cupti_use use);
void         assay_runner_close(assay_runner *runner); /* accepts NULL and a zeroed runner */

/* Checks a point, and passes all rows to the sink, the verdict last. Fails only if the harness
 * fails. */
assay_status assay_run_point(assay_runner *runner, const assay_point *point,
                             const assay_sink *sink);

/* A point to be timed. It has passed its check, in this or another process. */
typedef struct assay_timed_point {
    assay_point        point;
    assay_judged_draws judged; /* digests of its outputs, with the inputs that are timed */
    assay_calls        calls;  /* the numbers of calls of earlier processes */
} assay_timed_point;

/* Times points of one case at the same axis values in this process. Each block takes all points in
 * turn, alternately forwards and backwards (ABBA). Outputs are verified before and after. Each
 * point gets its measurements, then a verdict: PASS, what was found, or SKIPPED if there is no
 * memory for it. Fails only if the harness fails, at the point of the last note. */
assay_status assay_run_time(assay_runner *runner, const assay_timed_point *points, int n,
                            const assay_policy *policy, int process, const assay_sink *sink);

/* The same for peers, which have their own requests. Each peer does all its blocks at once, by the
 * clock ASSAY_CLOCK_PEER. */
assay_status assay_run_time_peers(assay_runner *runner, const assay_timed_point *points, int n,
                                  const assay_policy *policy, int process, const assay_sink *sink);

/* Times the null kernel, the fp32 rate, and bandwidths by working set, by every clock of this
 * process. After wall_s no larger working set is begun. */
assay_status assay_run_ceilings(assay_runner *runner, const assay_policy *policy, double wall_s,
                                const assay_sink *sink);

/* Times kernels that spin for known times, by every clock of this process. */
assay_status assay_run_spins(assay_runner *runner, const assay_policy *policy,
                             const assay_sink *sink);

/* Tries the combinations of a point's tuning axes from search->first on. It passes on a row for
 * each as soon as it is judged and timed, so that a combination that kills this process loses no
 * other. A combination that ruins the device is the last one. Nothing is chosen yet
 * (assay_decide_trial). */
assay_status assay_run_tune(assay_runner *runner, const assay_point *point,
                            const assay_policy *policy, const assay_search *search,
                            const assay_sink *sink);

/* Counts the metrics of a list (counters.h) during one call. */
assay_status assay_run_count_metrics(assay_runner *runner, const assay_timed_point *point,
                                     const char *metrics, bool kernel_replay,
                                     const assay_sink *sink);

/* Writes a timeline of a few calls to a file, and passes on launches and sections as rows. */
assay_status assay_run_trace(assay_runner *runner, const assay_timed_point *point, const char *path,
                             const assay_sink *sink);

/* The same for two calls of a peer, recorded by the tool of its process: the first call of a new
 * process, and a later one. The host's work is in the file, and in sum among the facts. */
assay_status assay_run_trace_peer(assay_runner *runner, const assay_timed_point *point,
                                  const char *path, const assay_sink *sink);

/* The lane in which this program's kernels run on a device of `kind`: that of the sanitizer it was
 * built with, if any. */
assay_lane assay_lane_of(const char *kind);

/* The number of launches that one check compares. */
int assay_run_count(const assay_point *point, assay_lane lane);

#endif
